// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <numbers>
#include <set>

#include "components/engine/GeneratedMesh.h"
#include "components/engine/ListTypes.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

namespace {

/// A Platonic solid with its corners on the unit sphere. Its numbering is SOFA's.
struct PlatonicSolid
{
    Vector<Vec3> points;
    Vector<Triangle> triangles;
    bool inwards = false;  ///< the triangles are seen from inside
};

PlatonicSolid tetrahedron()
{
    const double a = std::numbers::sqrt2 / 3., b = std::sqrt(2. / 3.), c = -1. / 3.;
    return {
        {{0., 0., 1.}, {0., 2. * a, c}, {-b, -a, c}, {b, -a, c}}, {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}, true};
}

PlatonicSolid octahedron()
{
    return {{{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., -1.}, {-1., 0., 0.}, {0., -1., 0.}},
            {{0, 1, 2}, {0, 2, 4}, {0, 4, 5}, {0, 5, 1}, {1, 5, 3}, {1, 3, 2}, {3, 5, 4}, {2, 3, 4}}};
}

/// Corner 0 has the neighbours 1 to 5; corner k + 6 is opposite to corner k. It stands as in SOFA.
PlatonicSolid icosahedron()
{
    const Vec3 pole = normalized(Vec3{0.4249358858193742, -0.6234212590752522, -0.901521749427252});
    Vec3 side{-0.5999406907417391, 0.05914133178387721, -1.009227188986324};
    side = normalized(side - pole * dot(side, pole));
    Vector<Vec3> x{pole};
    for (int k = 0; k < 5; ++k) {
        const Quat turn = Quat::fromAxisAngle(pole, 0.4 * std::numbers::pi * k);
        x.push_back((pole + turn.rotate(side) * 2.) / std::sqrt(5.));
    }
    for (std::size_t k = 0; k < 6; ++k) x.push_back(-x[k]);
    return {std::move(x),
            {{0, 1, 5},  {0, 2, 1},  {0, 3, 2},   {0, 4, 3},  {0, 5, 4},   {1, 2, 10}, {1, 9, 5},
             {1, 10, 9}, {2, 3, 11}, {2, 11, 10}, {3, 4, 7},  {3, 7, 11},  {4, 5, 8},  {4, 8, 7},
             {5, 9, 8},  {6, 7, 8},  {6, 8, 9},   {6, 9, 10}, {6, 10, 11}, {6, 11, 7}},
            true};
}

/// A ball from a Platonic solid with triangular faces: each face is divided into `tessellationDegree`² triangles whose
/// corners lie on the sphere, and each of these makes a tetrahedron with the centre. The solid and its surface have
/// points of their own; point 0 of the solid is the centre. A tetrahedron that is not divided is one tetrahedron.
///
/// Points of the surface are those of the Platonic solid; then those on its edges (by the lower, then the higher end),
/// at equal angles; then those within its faces. Triangles are seen from outside and tetrahedra have positive volumes;
/// SOFA turns those of the tetrahedron and the icosahedron inwards.
class GenerateSphere final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Output<Vector<Vec3>> d_tetrahedraPosition{this, output("output_TetrahedraPosition", "Points of the solid", "m")};
    Output<Vector<Tetrahedron>> d_tetrahedra{this, output("tetrahedra", "Tetrahedra of the solid")};
    Output<Vector<Vec3>> d_trianglesPosition{this, output("output_TrianglesPosition", "Points of the surface", "m")};
    Output<Vector<Triangle>> d_triangles{this, output("triangles", "Triangles of the surface, seen from outside")};
    Input<double> d_radius{this, input("radius", "Radius", "m", Range::positive()), 0.2};
    Input<Vec3> d_origin{this, input("origin", "Centre", "m")};
    Input<Index> d_tessellationDegree{
        this, input("tessellationDegree", "Parts of each edge of the Platonic solid", {}, Range::atLeast(1.)), 1};
    Input<std::string> d_platonicSolid{this, input("platonicSolid", "tetrahedron, octahedron or icosahedron"),
                                       "icosahedron"};

    GenerateSphere()
    {
        addAlias(d_tetrahedraPosition, "position");
        addAlias(d_tetrahedraPosition, "output_position");
    }

protected:
    void doUpdate() override
    {
        const double degree = d_tessellationDegree.value();
        requireMeshSize("tessellationDegree", 20. * degree * degree);
        auto [points, triangles, inwards] = divided(platonicSolid(), d_tessellationDegree.value());
        for (Triangle& t : triangles)
            if (inwards) std::swap(t[1], t[2]);
        for (Vec3& x : points) x = d_origin.value() + x * d_radius.value();

        Vector<Tetrahedron> tetrahedra;
        Vector<Vec3> solid;
        if (points.size() == 4) {
            solid = points;
            tetrahedra = {{0, 1, 3, 2}};
        } else {
            solid = {d_origin.value()};
            solid.insert(solid.end(), points.begin(), points.end());
            for (const Triangle& t : triangles) tetrahedra.push_back({0, t[0] + 1, t[1] + 1, t[2] + 1});
        }
        d_tetrahedraPosition.setValue(std::move(solid));
        d_tetrahedra.setValue(std::move(tetrahedra));
        d_trianglesPosition.setValue(std::move(points));
        d_triangles.setValue(std::move(triangles));
    }

private:
    PlatonicSolid platonicSolid() const
    {
        const std::string& name = d_platonicSolid.value();
        if (name == "tetrahedron") return tetrahedron();
        if (name == "octahedron") return octahedron();
        if (name == "icosahedron") return icosahedron();
        throw std::runtime_error("platonicSolid: '" + name + "' is none of tetrahedron, octahedron, icosahedron");
    }
    /// Each edge in n parts, each triangle in n².
    static PlatonicSolid divided(PlatonicSolid solid, Index n)
    {
        if (n == 1) return solid;
        Vector<Vec3>& x = solid.points;
        std::set<Edge> edges;
        for (const Triangle& t : solid.triangles)
            for (const auto& e : triangleEdges) edges.insert(sortedVertices(subElement(t, e)));
        std::map<Edge, Index> first;  // of the points on an edge
        for (const Edge& e : edges) {
            first[e] = static_cast<Index>(x.size());
            const Vec3 a = x[e[0]], b = normalized(cross(cross(a, x[e[1]]), a));
            const double angle = std::acos(dot(a, x[e[1]]));
            for (Index k = 1; k < n; ++k) x.push_back(a * std::cos(angle * k / n) + b * std::sin(angle * k / n));
        }
        Vector<Triangle> triangles;
        for (const Triangle& t : solid.triangles) {
            const Index inner = static_cast<Index>(x.size());
            for (Index i = 1; i < n; ++i)
                for (Index j = 1; i + j < n; ++j)
                    x.push_back(normalized(x[t[0]] * i + x[t[1]] * j + x[t[2]] * (n - i - j)));
            // Number of the point with weights i, j and n − i − j of the corners.
            const auto number = [&](Index i, Index j) {
                const std::array<Index, 3> w{i, j, n - i - j};
                for (std::size_t c = 0; c < 3; ++c)
                    if (w[c] == n) return t[c];
                for (std::size_t c = 0; c < 3; ++c)
                    if (w[c] == 0) {
                        const Edge e = subElement(t, triangleEdges[c]);
                        const Index fromLower = e[0] < e[1] ? w[(c + 2) % 3] : w[(c + 1) % 3];
                        return first.at(sortedVertices(e)) + fromLower - 1;
                    }
                return inner + (i - 1) * (n - 1) - i * (i - 1) / 2 + j - 1;
            };
            for (Index i = 1; i <= n; ++i)
                for (Index j = 0; i + j <= n; ++j) {
                    triangles.push_back({number(i, j), number(i - 1, j + 1), number(i - 1, j)});
                    if (i + j < n) triangles.push_back({number(i, j), number(i, j + 1), number(i - 1, j + 1)});
                }
        }
        solid.triangles = std::move(triangles);
        return solid;
    }
};

const RegisterComponent registeredGenerateSphere =
    RegisterComponent("GenerateSphere", "Engine", "Sofa.Component.Engine.Generate")
        .help("A ball made of a Platonic solid: tetrahedra, and triangles of its surface")
        .example("component/engine/GenerateSphere.scn")
        .add<GenerateSphere>();

}  // namespace

}  // namespace sofa::component
