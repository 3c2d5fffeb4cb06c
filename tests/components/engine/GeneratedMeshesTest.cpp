// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <numbers>
#include <set>

#include "tests/harness/EngineCheck.h"
#include "tests/harness/MeshLaws.h"

namespace generated_meshes_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using Triangles = Vector<Triangle>;
using Quads = Vector<Quad>;
using Tetrahedra = Vector<Tetrahedron>;
using Hexahedra = Vector<Hexahedron>;

constexpr double pi = std::numbers::pi;

/// A plane grid of triangles and quads, seen in the plane.
void checkPlaneGrid()
{
    checkEngine({.type = "GenerateGrid",
                 .attributes = {{"template", "Vec2"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         const Vec3 low = random.point();
                         e.set("min", low);
                         e.set("max", low + Vec3{random.number(1., 2.), random.number(1., 2.), 0.});
                         e.set("resolution", Vec<3, int>{int(1 + random.index(3)), int(1 + random.index(3)), 0});
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto n = e.get<Vec<3, int>>("resolution");
                         const Vec3 low = e.get<Vec3>("min"), size = e.get<Vec3>("max") - low;
                         const auto& x = e.get<Vector<Vec2>>("output_position");
                         REQUIRE(x.size() == static_cast<std::size_t>((n[0] + 1) * (n[1] + 1)));
                         double area = 0.;
                         for (const auto& [a, b, c] : e.get<Triangles>("triangles")) {
                             const Vec2 u = x[b] - x[a], v = x[c] - x[a];
                             CHECK(u[0] * v[1] - u[1] * v[0] > 0.);
                             area += 0.5 * (u[0] * v[1] - u[1] * v[0]);
                         }
                         CHECK(area == Approx(size[0] * size[1]));
                         CHECK(e.get<Triangles>("triangles").size() == static_cast<std::size_t>(2 * n[0] * n[1]));
                         const auto& quads = e.get<Quads>("quads");
                         REQUIRE(quads.size() == static_cast<std::size_t>(n[0] * n[1]));
                         for (const auto& [a, b, c, d] : quads) {
                             CHECK(norm(x[b] - x[a] - Vec2{size[0] / n[0], 0.}) < 1e-14);
                             CHECK(norm(x[d] - x[a] - Vec2{0., size[1] / n[1]}) < 1e-14);
                             CHECK(norm(x[a] + x[c] - x[b] - x[d]) < 1e-14);
                         }
                         CHECK(e.get<Hexahedra>("hexahedra").empty());
                     },
                 .mistakes = {{{{"resolution", "0 2 2"}}, "resolution: there must be cells along x and y"}}});
}

}  // namespace

HARNESS_ENGINE("GenerateGrid")
{
    checkPlaneGrid();
    checkEngine(
        {.type = "GenerateGrid",
         .attributes = {{"template", "Vec3"}},
         .fill =
             [](const EngineAccess& e, RandomInput& random) {
                 const Vec3 low = random.point();
                 e.set("min", low);
                 e.set("max", low + Vec3{random.number(1., 2.), random.number(1., 2.), random.number(1., 2.)});
                 e.set("resolution",
                       Vec<3, int>{int(1 + random.index(3)), int(1 + random.index(3)), int(1 + random.index(3))});
             },
         .verify =
             [](const EngineAccess& e) {
                 const auto n = e.get<Vec<3, int>>("resolution");
                 const Vec3 low = e.get<Vec3>("min"), size = e.get<Vec3>("max") - low;
                 const auto x = e.points("output_position");
                 const auto& hexahedra = e.get<Hexahedra>("hexahedra");
                 const auto& tetrahedra = e.get<Tetrahedra>("tetrahedra");
                 REQUIRE(x.size() == static_cast<std::size_t>((n[0] + 1) * (n[1] + 1) * (n[2] + 1)));
                 REQUIRE(hexahedra.size() == static_cast<std::size_t>(n[0] * n[1] * n[2]));
                 std::size_t cell = 0;
                 for (int i = 0; i < n[0]; ++i)
                     for (int j = 0; j < n[1]; ++j)
                         for (int k = 0; k < n[2]; ++k, ++cell)
                             for (std::size_t v = 0; v < 8; ++v) {
                                 const std::array<int, 3> at{i + (v % 4 == 1 || v % 4 == 2),
                                                             j + (v % 4 == 2 || v % 4 == 3), k + (v > 3)};
                                 const Vec3& p = x[hexahedra[cell][v]];
                                 for (std::size_t a = 0; a < 3; ++a)
                                     CHECK(p[a] == Approx(low[a] + size[a] * at[a] / n[a]).margin(1e-14));
                             }
                 CHECK(leastVolume(x, tetrahedra) > 0.);
                 const double volume = size[0] * size[1] * size[2];
                 CHECK(geometry::totalVolume(x, tetrahedra) == Approx(volume).epsilon(1e-12));
                 CHECK(geometry::totalVolume(x, hexahedra) == Approx(volume).epsilon(1e-12));
                 // Neighbours agree about the diagonals, so that the border is that of the box.
                 const int faces = n[0] * n[1] + n[1] * n[2] + n[2] * n[0];
                 CHECK(borderOf(tetrahedra).size() == static_cast<std::size_t>(4 * faces));
                 CHECK(isClosed(borderOf(tetrahedra)));
                 CHECK(e.get<Quads>("quads").empty());
                 CHECK(e.get<Triangles>("triangles").empty());
             },
         .mistakes = {{{{"resolution", "0 2 2"}}, "resolution: there must be cells along x and y"},
                      {{{"resolution", "1000000000 1000000000 1000000000"}}, "resolution: the mesh would have"}}});
    for (const char* templ : {"Vec3", "Vec2"}) {
        Node root("root");
        auto& e = addComponent<Engine>(root, "GenerateGrid",
                                       {{"template", templ}, {"max", "2 1 0"}, {"resolution", "2 1 0"}});
        CHECK(e.findData("position")->text() ==
              (templ == std::string("Vec3") ? "0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0" : "0 0 1 0 2 0 0 1 1 1 2 1"));
        CHECK(e.findData("quads")->text() == "0 1 4 3 1 2 5 4");
        CHECK(e.findData("triangles")->text() == "0 1 3 3 1 4 1 2 4 4 2 5");
        CHECK(e.findData("hexahedra")->text().empty());
        CHECK(e.findData("tetrahedra")->text().empty());
    }
    Node root("root");
    auto& plane = addComponent<Engine>(root, "GenerateGrid", {{"template", "Vec2"}, {"max", "1 1 1"}});
    CHECK(EngineAccess(plane).get<Vector<Vec2>>("position").size() == 16);
}

HARNESS_ENGINE("GenerateCylinder")
{
    for (const char* open : {"0", "1"})
        checkEngine(
            {.type = "GenerateCylinder",
             .attributes = {{"openSurface", open}},
             .fill =
                 [](const EngineAccess& e, RandomInput& random) {
                     e.set("radius", random.number(0.1, 1.));
                     e.set("height", random.number(0.1, 1.));
                     e.set("origin", random.point());
                     e.set("resCircumferential", Index(3 + random.index(5)));
                     e.set("resRadial", Index(1 + random.index(4)));
                     e.set("resHeight", Index(2 + random.index(4)));
                 },
             .verify =
                 [](const EngineAccess& e) {
                     const double r = e.get<double>("radius"), h = e.get<double>("height");
                     const Index n = e.get<Index>("resCircumferential"), rings = e.get<Index>("resRadial"),
                                 layers = e.get<Index>("resHeight");
                     const bool isOpen = e.get<bool>("openSurface");
                     const auto x = e.points("output_TetrahedraPosition"), s = e.points("output_TrianglesPosition");
                     const auto& tetrahedra = e.get<Tetrahedra>("tetrahedra");
                     const auto& triangles = e.get<Triangles>("triangles");
                     REQUIRE(x.size() == (n * rings + 1) * layers);
                     CHECK(tetrahedra.size() == 3 * n * (layers - 1) * (2 * rings - 1));
                     CHECK(s.size() == n * layers + (isOpen ? 0 : 2 * (n * (rings - 1) + 1)));
                     CHECK(leastVolume(x, tetrahedra) > 0.);
                     // A prism over a regular polygon.
                     const double volume = h * n * r * r * std::sin(2. * pi / n) / 2.;
                     CHECK(geometry::totalVolume(x, tetrahedra) == Approx(volume).epsilon(1e-12));
                     const auto border = borderOf(tetrahedra);
                     CHECK(isClosed(border));
                     CHECK(geometry::enclosedVolume(x, border) == Approx(volume).epsilon(1e-12));
                     const double side = 2. * r * std::sin(pi / n) * h * n;
                     CHECK(geometry::totalArea(s, triangles) ==
                           Approx(side + (isOpen ? 0. : 2. * volume / h)).epsilon(1e-12));
                     CHECK(isClosed(triangles) == !isOpen);
                     if (!isOpen) {
                         CHECK(triangles.size() == border.size());
                         CHECK(geometry::enclosedVolume(s, triangles) == Approx(volume).epsilon(1e-12));
                     }
                     for (Index i = 0; i < layers; ++i)
                         for (Index k = 0; k < n; ++k) {
                             const Vec3 p =
                                 e.get<Vec3>("origin") + Vec3{r * std::cos(2. * pi * k / n),
                                                              r * std::sin(2. * pi * k / n), h * i / (layers - 1.)};
                             CHECK(norm(s[i * n + k] - p) < 1e-14);
                             CHECK(norm(x[i * (n * rings + 1) + 1 + (rings - 1) * n + k] - p) < 1e-14);
                         }
                 },
             .mistakes = {{{{"resHeight", "4000000000"}}, "resCircumferential, resRadial and resHeight: the mesh"}}});
}

HARNESS_ENGINE("GenerateSphere")
{
    for (const char* solid : {"tetrahedron", "octahedron", "icosahedron"})
        checkEngine(
            {.type = "GenerateSphere",
             .attributes = {{"platonicSolid", solid}},
             .fill =
                 [](const EngineAccess& e, RandomInput& random) {
                     e.set("radius", random.number(0.1, 1.));
                     e.set("origin", random.point());
                     e.set("tessellationDegree", Index(1 + random.index(6)));
                 },
             .verify =
                 [](const EngineAccess& e) {
                     const std::string& name = e.get<std::string>("platonicSolid");
                     const Index faces = name == "tetrahedron" ? 4 : name == "octahedron" ? 8 : 20;
                     const Index n = e.get<Index>("tessellationDegree");
                     const Vec3& center = e.get<Vec3>("origin");
                     const auto x = e.points("output_TetrahedraPosition"), s = e.points("output_TrianglesPosition");
                     const auto& triangles = e.get<Triangles>("triangles");
                     const auto& tetrahedra = e.get<Tetrahedra>("tetrahedra");
                     CHECK(triangles.size() == faces * n * n);
                     CHECK(s.size() == faces * n * n / 2 + 2);  // Euler's formula
                     CHECK(isClosed(triangles));
                     for (const Vec3& p : s) CHECK(norm(p - center) == Approx(e.get<double>("radius")).epsilon(1e-14));
                     for (const auto& [a, b, c] : triangles)
                         CHECK(dot(geometry::triangleNormal(s[a], s[b], s[c]), s[a] - center) > 0.);
                     CHECK(leastVolume(x, tetrahedra) > 0.);
                     CHECK(geometry::totalVolume(x, tetrahedra) ==
                           Approx(geometry::enclosedVolume(s, triangles)).epsilon(1e-12));
                     const bool single = faces * n * n == 4;
                     CHECK(tetrahedra.size() == (single ? 1 : triangles.size()));
                     if (!single) CHECK(x[0] == center);
                 },
             .mistakes = {{{{"platonicSolid", "cube"}}, "platonicSolid: 'cube' is none of tetrahedron, octahedron"},
                          {{{"tessellationDegree", "1000000000"}}, "tessellationDegree: the mesh would have"}}});
    Node root("root");
    auto& e = addComponent<Engine>(root, "GenerateSphere", {});
    // Where the icosahedron of SOFA stands, as the reference has it.
    const auto x = EngineAccess(e).points("output_TrianglesPosition");
    const Vector<Vec3> expected{{0.0722944, -0.106063, -0.153376}, {-0.102068, 0.0100617, -0.1717},
                                {0.0847363, 0.103804, -0.148474},  {0.199118, -0.0114577, -0.0148535},
                                {0.083006, -0.176436, 0.0445023},  {-0.103137, -0.163136, -0.0524342}};
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(norm(x[i] - expected[i]) < 1e-6);
    CHECK(e.findData("tetrahedra")->text().substr(0, 15) == "0 1 6 2 0 1 2 3");
    // The volume tends to that of the ball, with the square of the size of the triangles.
    double before = 0.;
    for (const char* degree : {"4", "8", "16"}) {
        e.setAttribute("tessellationDegree", degree, {});
        const double missing =
            4. / 3. * pi * 0.008 - geometry::enclosedVolume(EngineAccess(e).points("output_TrianglesPosition"),
                                                            EngineAccess(e).get<Triangles>("triangles"));
        CHECK(missing > 0.);
        if (before > 0.) CHECK(before / missing == Approx(4.).epsilon(0.05));
        before = missing;
    }
}

HARNESS_ENGINE("GenerateRigidMass")
{
    // Boxes that are turned; the faces of the six sides as triangles, quads and polygons.
    checkEngine(
        {.type = "GenerateRigidMass",
         .attributes = {},
         .fill =
             [](const EngineAccess& e, RandomInput& random) {
                 const Quat q = random.rotation();
                 const Vec3 center = random.point(3.), size = Vec3::filled(1.2) + random.point();
                 Vector<Vec3> x = {center, size};  // what the check needs; no face has them
                 for (const Vec3& p : cubePoints())
                     x.push_back(center +
                                 q.rotate({size[0] * (p[0] - 0.5), size[1] * (p[1] - 0.5), size[2] * (p[2] - 0.5)}));
                 x.push_back({q[0], q[1], q[2]});
                 Triangles triangles;
                 Quads quads;
                 Vector<Vector<Index>> polygons;
                 const bool inwards = random.number() > 0.;
                 for (std::size_t f = 0; f < 6; ++f) {
                     Quad s = subElement(cubeHexahedron()[0], hexahedronFaces[f]);
                     for (Index& i : s) i += 2;
                     if (inwards) std::reverse(s.begin(), s.end());
                     if (f < 2) {
                         triangles.push_back({s[0], s[1], s[2]});
                         triangles.push_back({s[0], s[2], s[3]});
                     } else if (f < 4) {
                         quads.push_back(s);
                     } else {
                         polygons.emplace_back(s.begin(), s.end());
                     }
                 }
                 e.set("position", x);
                 e.set("triangles", triangles);
                 e.set("quads", quads);
                 e.set("polygons", polygons);
                 e.set("density", random.number(1., 2.));
             },
         .verify =
             [](const EngineAccess& e) {
                 const auto x = e.points("position");
                 const Vec3 center = x[0], size = x[1];
                 const double volume = size[0] * size[1] * size[2], density = e.get<double>("density");
                 CHECK(e.get<double>("volume") == Approx(volume).epsilon(1e-12));
                 CHECK(e.get<double>("mass") == Approx(volume * density).epsilon(1e-12));
                 CHECK(norm(e.get<Vec3>("massCenter") - center) < 1e-13);
                 CHECK(e.get<Vec3>("centerToOrigin") == -e.get<Vec3>("massCenter"));
                 // Axes of the box from its corners, and the inertia Σ a² (1 − u uᵀ) / 12 of the sides a u.
                 const Mat3& inertia = e.get<Mat3>("inertiaMatrix");
                 Mat3 expected;
                 for (const std::size_t side : {3u, 5u, 6u}) {
                     const Vec3 a = x[side] - x[2];
                     expected += (Mat3::identity() * norm2(a) - outer(a, a)) * (1. / 12.);
                 }
                 CHECK(norm(inertia - expected) < 1e-13);
             },
         .mistakes = {{{{"position", "0 0 0 1 0 0 0 1 0"}, {"triangles", "0 1 2"}}, "the surface is not closed"},
                      {{{"position", "0 0 0 1 0 0 0 1 0"}, {"triangles", "0 1 2 0 2 1"}},
                       "the surface encloses no volume"},
                      {{{"position", "0 0 0"}, {"quads", "0 0 0 7"}}, "quads: face 0 has the point 7"}}});
    // What a body of this mass takes.
    Node root("root");
    auto& sphere = addComponent<Engine>(root, "GenerateSphere", {{"tessellationDegree", "20"}, {"radius", "0.5"}});
    auto& mass = addComponent<Engine>(root, "GenerateRigidMass", {{"density", "1"}});
    mass.findData("position")->linkTo(*sphere.findData("output_TrianglesPosition"));
    mass.findData("triangles")->linkTo(*sphere.findData("triangles"));
    const EngineAccess e(mass);
    CHECK(e.get<double>("mass") == Approx(pi / 6.).epsilon(5e-3));
    CHECK(norm(e.get<Mat3>("inertiaMatrix") - Mat3::identity() * 0.1) < 1e-3);
    addState<Rigid3Types>(root, {{}});
    auto& uniform = addComponent(root, "UniformMass", {});
    uniform.findData("vertexMass")->linkTo(*mass.findData("rigidMass"));
    REQUIRE(initialise(root));
    CHECK(uniform.findData("totalMass")->text() == mass.findData("mass")->text());
}

HARNESS_ENGINE("ExtrudeEdgesAndGenerateQuads")
{
    checkEngine({.type = "ExtrudeEdgesAndGenerateQuads",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("curveVertices", random.points(8));
                         e.set("curveEdges", random.elements<2>(9, 8));
                         e.set("extrudeDirection", random.point(3.));
                         e.set("thicknessIn", random.number());
                         e.set("thicknessOut", random.number(1., 2.));
                         e.set("numberOfSections", int(1 + random.index(4)));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto curve = e.points("curveVertices"), x = e.points("extrudedVertices");
                         const Index sections = static_cast<Index>(e.get<int>("numberOfSections"));
                         const Vec3 along = normalized(e.get<Vec3>("extrudeDirection"));
                         const double in = e.get<double>("thicknessIn"), out = e.get<double>("thicknessOut");
                         REQUIRE(x.size() == 8 * (sections + 1));
                         for (Index n = 0; n <= sections; ++n)
                             for (Index i = 0; i < 8; ++i)
                                 CHECK(norm(x[8 * n + i] - curve[i] - along * ((in + out) * n / sections - in)) <
                                       1e-14);
                         std::set<Edge> expected;
                         double area = 0., expectedArea = 0.;
                         for (const auto& [a, b] : e.get<Vector<Edge>>("curveEdges")) {
                             for (Index n = 0; n <= sections; ++n) expected.insert({a + 8 * n, b + 8 * n});
                             for (Index n = 0; n < sections; ++n)
                                 for (const Index i : {a, b}) expected.insert({i + 8 * n, i + 8 * (n + 1)});
                             expectedArea += norm(cross(curve[b] - curve[a], along)) * (in + out);
                         }
                         const auto& edges = e.get<Vector<Edge>>("extrudedEdges");
                         CHECK(std::set<Edge>(edges.begin(), edges.end()) == expected);
                         area = geometry::totalArea(x, e.get<Quads>("extrudedQuads"));
                         CHECK(area == Approx(expectedArea).epsilon(1e-12));
                     },
                 .mistakes = {{{{"extrudeDirection", "0 0 0"}}, "extrudeDirection: 0 is no direction"},
                              {{{"curveEdges", "0 1"}, {"curveVertices", "0 0 0"}},
                               "curveEdges: element 0 has the point 1; there are 1"},
                              {{{"curveVertices", "0 0 0"}, {"numberOfSections", "1000000000"}},
                               "numberOfSections: the mesh would have"}}});
    Node root("root");
    auto& e = addComponent<Engine>(root, "ExtrudeEdgesAndGenerateQuads",
                                   {{"curveVertices", "0 0 0 0 1 0 0 2 0"}, {"curveEdges", "0 1 1 2"}});
    CHECK(e.findData("extrudedVertices")->text() == "0 0 0 0 1 0 0 2 0 1 0 0 1 1 0 1 2 0");
    CHECK(e.findData("extrudedEdges")->text() == "0 1 3 4 0 3 1 2 4 5 1 4 2 5");
    CHECK(e.findData("extrudedQuads")->text() == "0 1 4 3 1 2 5 4");
}

HARNESS_ENGINE("ExtrudeQuadsAndGenerateHexas")
{
    for (const char* flip : {"0", "1"})
        checkEngine({.type = "ExtrudeQuadsAndGenerateHexas",
                     .attributes = {{"flipNormals", flip}},
                     .fill =
                         [](const EngineAccess& e, RandomInput& random) {
                             // A wavy sheet of 3 × 3 quads.
                             Vector<Vec3> x;
                             for (int j = 0; j < 4; ++j)
                                 for (int i = 0; i < 4; ++i) x.push_back({i + 0., j + 0., random.number(-0.1, 0.1)});
                             Quads quads;
                             for (Index j = 0; j < 3; ++j)
                                 for (Index i = 0; i < 3; ++i) {
                                     const Index p = i + 4 * j;
                                     quads.push_back({p, p + 1, p + 5, p + 4});
                                 }
                             e.set("surfaceVertices", x);
                             e.set("surfaceQuads", quads);
                             e.set("scale", Vec3{random.number(1., 2.), random.number(1., 2.), random.number(1., 2.)});
                             const double sign = random.number() > 0. ? 1. : -1.;
                             e.set("thicknessIn", sign * random.number(-0.1, 0.2));
                             e.set("thicknessOut", sign * random.number(0.2, 0.4));
                             e.set("numberOfSlices", int(1 + random.index(3)));
                         },
                     .verify =
                         [](const EngineAccess& e) {
                             const Index slices = static_cast<Index>(e.get<int>("numberOfSlices"));
                             const auto x = e.points("extrudedVertices"), surface = e.points("surfaceVertices");
                             const auto& hexahedra = e.get<Hexahedra>("extrudedHexas");
                             const auto& faces = e.get<Quads>("extrudedQuads");
                             const double in = e.get<double>("thicknessIn"), out = e.get<double>("thicknessOut");
                             REQUIRE(x.size() == 16 * (slices + 1));
                             REQUIRE(hexahedra.size() == 9 * slices);
                             CHECK(faces.size() == 9 * 6 * slices);
                             CHECK(leastVolume(x, hexahedra) > 0.);
                             const auto border = borderOf(hexahedra);
                             CHECK(isClosed(border));
                             CHECK(border.size() == 18 + 12 * slices);
                             std::multiset<Quad> expected, given;
                             const auto turned = [](Quad q) {
                                 std::rotate(q.begin(), std::min_element(q.begin(), q.end()), q.end());
                                 return q;
                             };
                             for (const auto& h : hexahedra)
                                 for (const auto& f : hexahedronFaces) expected.insert(turned(subElement(h, f)));
                             for (const auto& q : faces) given.insert(turned(q));
                             CHECK(given == expected);
                             const auto& s = e.get<Vec3>("scale");
                             for (Index i = 0; i < 16; ++i) {
                                 const Vec3 p{surface[i][0] * s[0], surface[i][1] * s[1], surface[i][2] * s[2]};
                                 CHECK(norm(x[i * (slices + 1)] - p) == Approx(std::abs(in)).epsilon(1e-12));
                                 CHECK(norm(x[i * (slices + 1) + slices] - p) == Approx(std::abs(out)).epsilon(1e-12));
                             }
                             for (std::size_t q = 0; q < 9; ++q)
                                 for (std::size_t k = 0; k < 4; ++k)
                                     CHECK(e.get<Quads>("extrudedSurfaceQuads")[q][k] ==
                                           e.get<Quads>("surfaceQuads")[q][k] * (slices + 1));
                         },
                     .mistakes = {{{{"surfaceQuads", "0 0 0 1"}, {"surfaceVertices", "0 0 0"}},
                                   "surfaceQuads: element 0 has the point 1; there are 1"},
                                  {{{"surfaceVertices", "0 0 0"}, {"numberOfSlices", "1000000000"}},
                                   "numberOfSlices: the mesh would have"}}});
    Node root("root");
    auto& e = addComponent<Engine>(
        root, "ExtrudeQuadsAndGenerateHexas",
        {{"surfaceVertices", "0 0 0 1 0 0 1 1 0 0 1 0"}, {"surfaceQuads", "0 1 2 3"}, {"flipNormals", "1"}});
    CHECK(e.findData("extrudedHexas")->text() == "0 2 4 6 1 3 5 7");
    e.setAttribute("flipNormals", "0", {});
    CHECK(e.findData("extrudedHexas")->text() == "7 5 3 1 6 4 2 0");
}

HARNESS_ENGINE("ExtrudeSurface")
{
    checkEngine(
        {.type = "ExtrudeSurface",
         .attributes = {},
         .fill =
             [](const EngineAccess& e, RandomInput& random) {
                 Vector<Vec3> x;
                 for (int j = 0; j < 4; ++j)
                     for (int i = 0; i < 4; ++i) x.push_back({i + 0., j + 0., random.number(-0.1, 0.1)});
                 Triangles triangles;
                 for (Index j = 0; j < 3; ++j)
                     for (Index i = 0; i < 3; ++i) {
                         const Index p = i + 4 * j;
                         triangles.push_back({p, p + 1, p + 5});
                         triangles.push_back({p + 4, p, p + 5});
                     }
                 e.set("surfaceVertices", x);
                 e.set("triangles", triangles);
                 // Two columns, with those corners of triangles first that the order does not favour.
                 e.set("surfaceTriangles", Vector<Index>{0, 1, 2, 3, 7, 6, 8, 9});
                 e.set("heightFactor", random.number() > 0. ? random.number(0.1, 0.5) : random.number(-0.5, -0.1));
             },
         .verify =
             [](const EngineAccess& e) {
                 const auto x = e.points("extrusionVertices");
                 const auto& all = e.get<Triangles>("extrusionTriangles");
                 const double height = e.get<double>("heightFactor");
                 for (std::size_t i = 0; i < x.size(); i += 2)
                     CHECK(norm(x[i + 1] - x[i]) == Approx(std::abs(height)).epsilon(1e-12));
                 CHECK(isClosed(all));
                 const double area = 4.;  // of the projection
                 CHECK(geometry::enclosedVolume(x, all) == Approx(std::abs(height) * area).epsilon(0.1));
                 const auto chosen = e.indices("surfaceTriangles");
                 const auto surface = e.points("surfaceVertices");
                 for (std::size_t k = 0; k < chosen.size(); ++k) {
                     const Triangle t = e.get<Triangles>("triangles")[chosen[k]];
                     for (std::size_t v = 0; v < 3; ++v) {
                         CHECK(x[all[2 * k][v == 0 || height < 0. ? v : 3 - v]] == surface[t[v]]);
                         CHECK(all[2 * k + 1][v == 0 || height > 0. ? v : 3 - v] % 2 == 1);
                     }
                 }
             },
         .mistakes = {{{{"surfaceTriangles", "1"}}, "surfaceTriangles: 1 does not exist; there are 0 triangles"},
                      {{{"triangles", "0 1 2"}}, "triangles: element 0 has the point 0; there are 0"}}});
}

}  // namespace generated_meshes_test
