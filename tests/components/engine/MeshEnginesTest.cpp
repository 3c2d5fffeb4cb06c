// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <numbers>
#include <set>

#include "core/topology/MeshLoader.h"
#include "tests/harness/EngineCheck.h"
#include "tests/harness/MeshLaws.h"

namespace mesh_engines_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using Indices = Vector<Index>;
using Numbers = Vector<double>;
using Lists = Vector<Indices>;
using Triangles = Vector<Triangle>;
using Quads = Vector<Quad>;

}  // namespace

HARNESS_ENGINE("GroupFilterYoungModulus")
{
    checkEngine({.type = "GroupFilterYoungModulus",
                 .attributes = {{"mapGroupModulus", "soft 2e3; hard 5e6"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         const int n = int(1 + random.index(5));
                         e.set("groups", Vector<PrimitiveGroup>{{.group = "soft", .first = 0, .count = n},
                                                                {.group = "other", .first = n, .count = 2},
                                                                {.group = "hard", .first = n + 3, .count = 2},
                                                                {.group = "soft", .first = n + 6, .count = 1}});
                         e.set("primitives", random.indices(random.index(20), 5));
                         e.set("defaultYoungModulus", random.number(1., 2.));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto& groups = e.get<Vector<PrimitiveGroup>>("groups");
                         const auto& moduli = e.get<Numbers>("youngModulus");
                         const int end = groups[3].first + 1;
                         CHECK(moduli.size() ==
                               std::max<std::size_t>(std::size_t(end), e.indices("primitives").size()));
                         for (int i = 0; i < int(moduli.size()); ++i) {
                             double expected = e.get<double>("defaultYoungModulus");
                             for (const auto& g : groups)
                                 if (i >= g.first && i < g.first + g.count && g.group != "other")
                                     expected = g.group == "soft" ? 2e3 : 5e6;
                             CHECK(moduli[std::size_t(i)] == expected);
                         }
                     },
                 .mistakes = {{{{"groups", "a none -1 0 2"}, {"mapGroupModulus", "b 3"}}, "there is no group 'b'"},
                              {{{"groups", "a none -1 0 2"}, {"mapGroupModulus", "a"}},
                               "mapGroupModulus: entry 0 is not the name of a group and a number"},
                              {{{"groups", "a none -1 0 2"}, {"mapGroupModulus", "a 3 b 4"}}, "';' expected after"},
                              {{{"groups", "a none -1 0 2"}, {"mapGroupModulus", "a -3;"}},
                               "mapGroupModulus: the modulus of 'a' is not positive"},
                              {{{"groups", "a none -1 -3 2"}}, "groups: number 0 has a negative first element"},
                              {{{"groups", "a none -1 0 2000000000"}}, "groups: the mesh would have"}}});
    Node root("root");
    const auto moduli = [&](const Attributes& a) {
        return addComponent<Engine>(root, "GroupFilterYoungModulus", a).findData("youngModulus")->text();
    };
    CHECK(moduli({{"groups", "a none -1 0 2 b none -1 2 1 c none -1 3 1"}, {"groupModulus", "7 8"}}) == "7 7 8 10000");
    CHECK(moduli({{"elementsGroup", "0 2 1 0 5"}, {"mapGroupModulus", "0 5; 2 6;1 7;"}}) == "5 6 7 5 10000");
    CHECK(moduli({{"primitives", "3 4"}}) == "10000 10000");
    // Groups as text: names with spaces, and SOFA's form of a material without a name.
    Vector<PrimitiveGroup> groups;
    TextCursor c("\"left side\" \"\" 3 1 2 right  -1 4 5");
    REQUIRE(readValue(c, groups));
    CHECK(groups == Vector<PrimitiveGroup>{{"left side", "", 3, 1, 2}, {"right", "", -1, 4, 5}});
    CHECK(toText(groups) == "\"left side\" \"\" 3 1 2 right \"\" -1 4 5");
}

HARNESS_ENGINE("MeshClosingEngine")
{
    checkEngine(
        {.type = "MeshClosingEngine",
         .attributes = {},
         .fill =
             [](const EngineAccess& e, RandomInput& random) {
                 e.set("inputPosition", gridPoints(3, 0.1, random));
                 Triangles triangles;
                 Quads quads;
                 for (const Quad& q : borderOf(gridHexahedra(3))) {
                     if (random.number() > 0.3) continue;  // a hole, often with others at its corners
                     if (random.number() > 0.) {
                         quads.push_back(q);
                     } else {
                         triangles.push_back({q[0], q[1], q[2]});
                         triangles.push_back({q[0], q[2], q[3]});
                     }
                 }
                 e.set("inputTriangles", triangles);
                 e.set("inputQuads", quads);
             },
         .verify =
             [](const EngineAccess& e) {
                 const auto x = e.points("position"), input = e.points("inputPosition"),
                            patches = e.points("closingPosition");
                 const auto& triangles = e.get<Triangles>("triangles");
                 const auto& given = e.get<Triangles>("inputTriangles");
                 CHECK(e.get<Quads>("quads") == e.get<Quads>("inputQuads"));
                 // Where two holes meet, the way around the vertex is that of two corners of the surface; each
                 // side is there once in either direction all the same.
                 Triangles all = triangles;
                 for (const auto& t : inTriangles(e.get<Quads>("quads"))) all.push_back(t);
                 CHECK(isClosed(all));
                 const auto& rims = e.get<Lists>("indices");
                 CHECK(x.size() == input.size() + rims.size());
                 std::size_t closing = 0, points = 0;
                 for (std::size_t r = 0; r < rims.size(); ++r) {
                     const Indices rim(rims[r].begin(), rims[r].end() - 1);
                     CHECK(rims[r].back() == input.size() + r);
                     CHECK(std::set<Index>(rim.begin(), rim.end()).size() == rim.size());
                     Vec3 mean;
                     for (const Index i : rim) mean += input[i] / double(rim.size());
                     CHECK(norm(x[rims[r].back()] - mean) < 1e-14);
                     for (const Index i : rims[r]) CHECK(patches[points++] == x[i]);
                     closing += rim.size();
                 }
                 CHECK(points == patches.size());
                 const auto& own = e.get<Triangles>("closingTriangles");
                 CHECK(own.size() == closing);
                 REQUIRE(triangles.size() == given.size() + closing);
                 for (std::size_t t = 0; t < given.size(); ++t) CHECK(triangles[t] == given[t]);
                 for (std::size_t t = 0; t < closing; ++t)
                     for (std::size_t v = 0; v < 3; ++v) CHECK(patches[own[t][v]] == x[triangles[given.size() + t][v]]);
             },
         .mistakes = {{{{"inputTriangles", "0 1 2"}}, "inputTriangles: element 0 has the point 0; there are 0"}}});
    Node root("root");
    auto& e =
        addComponent<Engine>(root, "MeshClosingEngine",
                             {{"inputPosition", "0 0 0 1 0 0 0 1 0 0 0 1"}, {"inputTriangles", "0 2 1 0 1 3 0 3 2"}});
    CHECK(e.findData("indices")->text() == "[1 3 2 4]");
    CHECK(e.findData("triangles")->text() == "0 2 1 0 1 3 0 3 2 4 1 2 4 3 1 4 2 3");
    CHECK(e.findData("closingTriangles")->text() == "3 0 2 3 1 0 3 2 1");
}

HARNESS_ENGINE("RandomPointDistributionInSurface")
{
    checkEngine({.type = "RandomPointDistributionInSurface",
                 .attributes = {{"numberOfInPoints", "60"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("vertices", gridPoints(2, 0.1, random));
                         e.set("triangles", borderOf(inTetrahedra(gridHexahedra(2))));
                         e.set("randomSeed", random.index(100));
                         e.set("minDistanceBetweenPoints", random.number(-0.05, 0.15));
                         e.set("numberOfTests", Index(1 + random.index(4)));
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto x = e.points("vertices"), in = e.points("inPoints"), out = e.points("outPoints");
                         const double distance = e.get<double>("minDistanceBetweenPoints");
                         const auto tetrahedra = inTetrahedra(gridHexahedra(2));
                         const auto isInside = [&](const Vec3& p) {
                             return std::any_of(tetrahedra.begin(), tetrahedra.end(), [&](const Tetrahedron& t) {
                                 const Vec4 w = geometry::barycentric(p, x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
                                 return w[0] >= 0. && w[1] >= 0. && w[2] >= 0. && w[3] >= 0.;
                             });
                         };
                         const auto isNear = [&](const Vec3& p) {
                             return std::any_of(in.begin(), in.end(),
                                                [&](const Vec3& q) { return p != q && norm(p - q) < distance; });
                         };
                         CHECK(in.size() == 60);
                         for (const Vec3& p : in) CHECK((isInside(p) && !isNear(p)));
                         for (const Vec3& p : out) CHECK((!isInside(p) || isNear(p)));
                     },
                 .mistakes = {{{{"triangles", ""}}, "triangles: there is no surface"},
                              {{{"triangles", "0 1 2"}}, "triangles: element 0 has the point 0; there are 0"},
                              {{{"vertices", "0 0 0 1 0 0 0 1 0 0 0 1"}, {"triangles", "0 1 2 0 3 1 0 2 3 1 3 2"}},
                               "numberOfInPoints: only 0 of 60 points were found; the surface is open"},
                              {{{"vertices", "0 0 0"}, {"triangles", "0 0 0"}, {"numberOfInPoints", "4000000000"}},
                               "numberOfInPoints: the mesh would have"}}});
    // The mean of many points is the centre, and the share of points inside that of the volume.
    Node root("root");
    auto& sphere = addComponent<Engine>(root, "GenerateSphere", {{"tessellationDegree", "8"}, {"radius", "1"}});
    auto& engine = addComponent<Engine>(root, "RandomPointDistributionInSurface",
                                        {{"minDistanceBetweenPoints", "-1"}, {"numberOfInPoints", "4000"}});
    engine.findData("vertices")->linkTo(*sphere.findData("output_TrianglesPosition"));
    engine.findData("triangles")->linkTo(*sphere.findData("triangles"));
    const auto in = EngineAccess(engine).points("inPoints");
    Vec3 mean;
    for (const Vec3& p : in) mean += p / double(in.size());
    CHECK(norm(mean) < 4. * std::sqrt(3. / 5. / 4000.));  // four standard deviations
    const double all = 4000. + double(EngineAccess(engine).points("outPoints").size());
    CHECK(4000. / all == Approx(std::numbers::pi / 6.).margin(4. * 0.5 / std::sqrt(all) + 0.01));
}

HARNESS_ENGINE("MeshBarycentricMapperEngine")
{
    for (const bool hexahedra : {false, true})
        checkEngine(
            {.type = "MeshBarycentricMapperEngine",
             .attributes = {{"computeLinearInterpolation", "1"}},
             .fill =
                 [hexahedra](const EngineAccess& e, RandomInput& random) {
                     // In the root, where the engines of other nodes find it too.
                     Node& node =
                         e.engine().node()->parents().empty() ? *e.engine().node() : *e.engine().node()->parents()[0];
                     if (!node.get<BaseMeshTopology>(Search::Local)) {
                         auto& topology = node.create<TestTopology>();
                         if (hexahedra)
                             topology.hexahedronList = gridHexahedra(2);
                         else
                             topology.tetrahedronList = inTetrahedra(gridHexahedra(2));
                     }
                     e.set("inputPositions", gridPoints(2, hexahedra ? 0. : 0.1, random));
                     e.set("mappedPointPositions", random.points(20, 1.5));
                 },
             .verify =
                 [hexahedra](const EngineAccess& e) {
                     const auto x = e.points("inputPositions"), points = e.points("mappedPointPositions"),
                                local = e.points("barycentricPositions");
                     const auto elements = e.indices("tableElements");
                     const auto& indices = e.get<Vector<Indices>>("linearInterpolationIndices");
                     const auto& weights = e.get<Vector<Numbers>>("linearInterpolationValues");
                     REQUIRE(local.size() == points.size());
                     REQUIRE(elements.size() == points.size());
                     REQUIRE(weights.size() == points.size());
                     const auto hexas = gridHexahedra(2);
                     const auto tetras = inTetrahedra(hexas);
                     for (std::size_t i = 0; i < points.size(); ++i) {
                         Vec3 sum;
                         double total = 0.;
                         for (std::size_t k = 0; k < indices[i].size(); ++k) {
                             sum += x[indices[i][k]] * weights[i][k];
                             total += weights[i][k];
                             CHECK(indices[i][k] == (hexahedra ? hexas[elements[i]][k] : tetras[elements[i]][k]));
                         }
                         CHECK(total == Approx(1.).epsilon(1e-12));
                         CHECK(norm(sum - points[i]) < 1e-12);
                         // An element with the point in it, or the one whose centre is nearest.
                         const auto center = [&](std::size_t element) {
                             Vec3 c;
                             if (hexahedra)
                                 for (const Index v : hexas[element]) c += x[v] / 8.;
                             else
                                 for (const Index v : tetras[element]) c += x[v] / 4.;
                             return norm(c - points[i]);
                         };
                         const bool inside = hexahedra ? std::all_of(local[i].begin(), local[i].end(),
                                                                     [](double v) { return v >= 0. && v <= 1.; })
                                                       : std::all_of(weights[i].begin(), weights[i].end(),
                                                                     [](double v) { return v >= 0.; });
                         const std::size_t count = hexahedra ? hexas.size() : tetras.size();
                         for (std::size_t other = 0; other < count && !inside; ++other)
                             CHECK(center(elements[i]) <= center(other) + 1e-14);
                         if (!hexahedra)
                             for (std::size_t k = 0; k < 3; ++k)
                                 CHECK(local[i][k] == Approx(weights[i][k + 1]).margin(1e-12));
                     }
                 },
             .mistakes = {{{}, "there is no topology; give the attribute 'topology'"}}});
    // Faces and edges.
    Node root("root");
    auto& topology = root.create<TestTopology>();
    auto& engine = addComponent<Engine>(root, "MeshBarycentricMapperEngine",
                                        {{"inputPositions", "0 0 0 1 0 0 1 1 0 0 1 0 2 0 0"},
                                         {"mappedPointPositions", "0.25 0.5 0 1.25 0.25 0"},
                                         {"computeLinearInterpolation", "1"}});
    topology.quadList = {{0, 1, 2, 3}};
    topology.triangleList = {{1, 4, 2}};
    CHECK(engine.findData("barycentricPositions")->text() == "0.25 0.5 0 0.25 0.25 0");
    CHECK(engine.findData("tableElements")->text() == "1 0");
    CHECK(engine.findData("linearInterpolationValues")->text() == "[0.375 0.125 0.125 0.375] [0.5 0.25 0.25]");
    topology.quadList.clear();
    topology.triangleList.clear();
    topology.edgeList = {{0, 1}, {1, 4}};
    engine.reinit();
    CHECK(engine.findData("tableElements")->text() == "0 1");
    CHECK(engine.findData("linearInterpolationIndices")->text() == "[0 1] [1 4]");
    CHECK(engine.findData("linearInterpolationValues")->text() == "[0.75 0.25] [0.75 0.25]");
}

HARNESS_ENGINE("MeshTetraStuffing")
{
    for (const char* exact : {"0", "1"})
        checkEngine(
            {.type = "MeshTetraStuffing",
             .attributes = {{"snapPoints", exact}, {"splitTetrahedra", exact}},
             .fill =
                 [](const EngineAccess& e, RandomInput& random) {
                     e.set("inputPoints", gridPoints(2, 0.1, random));
                     const auto quads = borderOf(gridHexahedra(2));
                     e.set("inputQuads", Quads(quads.begin(), quads.begin() + 10));
                     e.set("inputTriangles", inTriangles({quads.begin() + 10, quads.end()}));
                     e.set("size", random.number() > 0. ? -random.number(4., 8.) : random.number(0.1, 0.2));
                 },
             .verify =
                 [](const EngineAccess& e) {
                     const auto input = e.points("inputPoints"), x = e.points("outputPoints");
                     auto triangles = e.get<Triangles>("inputTriangles");
                     for (const auto& t : inTriangles(e.get<Quads>("inputQuads"))) triangles.push_back(t);
                     const auto& tetrahedra = e.get<Vector<Tetrahedron>>("outputTetrahedra");
                     CHECK(leastVolume(x, tetrahedra) > 0.);
                     const auto border = borderOf(tetrahedra);
                     const double volume = geometry::enclosedVolume(input, triangles),
                                  filled = geometry::totalVolume(x, tetrahedra);
                     if (!e.get<bool>("snapPoints")) {
                         CHECK(filled > volume);  // whole tetrahedra cover the body
                         return;
                     }
                     CHECK(filled == Approx(volume).epsilon(0.12));
                     for (const Triangle& t : border)
                         for (const Index i : t) {
                             double nearest = 1e300;
                             for (const auto& [a, b, c] : triangles)
                                 nearest = std::min(
                                     nearest, geometry::nearestOnTriangle(x[i], input[a], input[b], input[c]).distance);
                             CHECK(nearest < 1e-9);
                         }
                 },
             .mistakes =
                 {{{{"inputTriangles", ""}}, "inputTriangles: there is no surface"},
                  {{{"inputTriangles", "0 1 2"}}, "inputTriangles: element 0 has the point 0"},
                  {{{"inputPoints", "0 0 0 1 0 0 0 1 0"}, {"inputTriangles", "0 1 2"}, {"size", "0"}},
                   "size: the cells have no size"},
                  {{{"inputPoints", "0 0 0 1 0 0 0 1 0"}, {"inputTriangles", "0 1 2"}, {"size", "-1e9"}},
                   "size: the mesh would have"},
                  {{{"inputPoints", "0 0 0 1 0 0 0 1 0"}, {"inputTriangles", "0 1 2"}, {"size", "-4"}},
                   "the surface is open: 3 edges have one triangle only"},
                  {{{"inputPoints", "0 0 0 1 0 0 0 1 0"}, {"inputTriangles", "0 1 2"}, {"vbbox", "0 0 0 1 -1 1"}},
                   "vbbox: the second corner lies before the first one"}},
             .seeds = 3});
}

}  // namespace mesh_engines_test
