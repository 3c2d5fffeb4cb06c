// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <random>

#include "core/mesh/SubElements.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/Geometry.h"
#include "tests/components/topology/RemovalScene.h"

/// Bodies that are cut, and what is said of them.
namespace sofa::test {

/// A cube of 1 m of n³ cells with six tetrahedra each, or its upper side, with points moved by up to `jitter` cells.
inline Mesh jittered(ElementType type, int n, double jitter, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> some(-jitter, jitter);
    Mesh m{type, {}, {}};
    const bool volume = type == ElementType::Tetrahedra;
    const int layers = volume ? n : 0;
    for (int z = 0; z <= layers; ++z)
        for (int y = 0; y <= n; ++y)
            for (int x = 0; x <= n; ++x)
                m.points.push_back(Vec3{x + some(random), y + some(random), volume ? z + some(random) : 0.} / n);
    const auto p = [n](int x, int y, int z) { return static_cast<Index>(x + (n + 1) * (y + (n + 1) * z)); };
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            if (!volume) {
                m.elements.push_back({p(x, y, 0), p(x + 1, y, 0), p(x + 1, y + 1, 0)});
                m.elements.push_back({p(x, y, 0), p(x + 1, y + 1, 0), p(x, y + 1, 0)});
            }
            for (int z = 0; z < layers; ++z) {
                const Index h[] = {p(x, y, z),     p(x + 1, y, z),     p(x + 1, y + 1, z),     p(x, y + 1, z),
                                   p(x, y, z + 1), p(x + 1, y, z + 1), p(x + 1, y + 1, z + 1), p(x, y + 1, z + 1)};
                for (const auto& t : hexahedronTetrahedra) m.elements.push_back({h[t[0]], h[t[1]], h[t[2]], h[t[3]]});
            }
        }
    return m;
}

inline std::string elasticity(ElementType type)
{
    return type == ElementType::Tetrahedra
               ? "<TetrahedronFEMForceField name='FEM' youngModulus='5000' poissonRatio='0.3' method='polar'/>"
               : "<TriangularFEMForceField name='FEM' youngModulus='500' poissonRatio='0.3'/>";
}

/// The body without gravity, at rest; `more` goes into its node, `outside` beside it.
inline std::string cutScene(const Mesh& m, const std::string& more, const std::string& outside = "")
{
    const bool volume = m.type == ElementType::Tetrahedra;
    const std::string kind = volume ? "Tetrahedron" : "Triangle";
    std::string points, elements;
    for (const Vec3& p : m.points) points += toText(p) + " ";
    for (const auto& e : m.elements) elements += toText(e) + " ";
    return "<Node name='root' dt='0.01' gravity='0 0 0'>" + outside +
           "<Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='100' tolerance='1e-12' "
           "threshold='1e-20'/><" +
           kind + "SetTopologyContainer name='mesh' position='" + points + "' " + nameOf(m.type) + "='" + elements +
           "'/><" + kind + "SetTopologyModifier/><MechanicalObject name='x'/><DiagonalMass massDensity='1000'/>" +
           more + "</Node></Node>";
}
inline std::string cutScene(ElementType type, int n, double jitter, unsigned seed)
{
    return cutScene(jittered(type, n, jitter, seed), elasticity(type));
}

struct CutPlane
{
    Vec3 at, normal;
    Vector<Vec3> points;
    Vector<Triangle> triangles;
};
/// Through the middle of the cube, in any direction, and beyond it.
inline CutPlane randomPlane(std::mt19937& random)
{
    std::uniform_real_distribution<double> some(-1., 1.);
    CutPlane p;
    p.normal = normalized(Vec3{some(random), some(random), some(random)});
    p.at = Vec3{0.5, 0.5, 0.5} + Vec3{some(random), some(random), some(random)} * 0.1;
    const Vec3 u = normalized(cross(p.normal, Vec3{0.31, 0.52, 0.79})), v = cross(p.normal, u);
    p.points = {p.at - 3. * u - 3. * v, p.at + 3. * u - 3. * v, p.at + 3. * u + 3. * v, p.at - 3. * u + 3. * v};
    p.triangles = {{0, 1, 2}, {0, 2, 3}};
    return p;
}

/// A number for each point, the same for those that elements connect.
inline Vector<Index> pieceOfPoints(const StoredTopology& mesh)
{
    Vector<Index> root(mesh.nbPoints());
    std::iota(root.begin(), root.end(), Index(0));
    const auto find = [&root](Index i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    const ElementType type = mesh.tetrahedra().empty() ? ElementType::Triangles : ElementType::Tetrahedra;
    const auto vertices = verticesOf(mesh, type);
    const std::size_t n = nodeCount(type);
    for (std::size_t i = 0; i < vertices.size(); ++i) root[find(vertices[i])] = find(vertices[i / n * n]);
    for (Index i = 0; i < root.size(); ++i) root[i] = find(i);
    return root;
}
inline std::size_t pieceCount(const StoredTopology& mesh)
{
    const Vector<Index> pieces = pieceOfPoints(mesh);
    return std::set<Index>(pieces.begin(), pieces.end()).size();
}

/// Lowest and highest distance from a plane of the centres of the elements of each piece.
inline Vector<Vec2> extentOfPieces(const StoredTopology& mesh, const Vector<Vec3>& x, const CutPlane& plane)
{
    const Vector<Index> pieces = pieceOfPoints(mesh);
    std::map<Index, Vec2> extent;
    for (const Tetrahedron& t : mesh.tetrahedra()) {
        const double d = dot(plane.normal, (x[t[0]] + x[t[1]] + x[t[2]] + x[t[3]]) / 4. - plane.at);
        Vec2& e = extent.try_emplace(pieces[t[0]], Vec2{1e9, -1e9}).first->second;
        e = {std::min(e[0], d), std::max(e[1], d)};
    }
    Vector<Vec2> all;
    for (const auto& [piece, e] : extent) all.push_back(e);
    return all;
}

/// In degrees.
inline double smallestDihedral(const Vector<Vec3>& x, const Vector<Tetrahedron>& tetrahedra)
{
    double least = 180.;
    for (const Tetrahedron& t : tetrahedra)
        for (const auto& e : tetrahedronEdges) {
            std::array<Index, 2> rest{};
            std::size_t k = 0;
            for (Index i = 0; i < 4; ++i)
                if (i != e[0] && i != e[1]) rest[k++] = t[i];
            least = std::min(least, geometry::dihedralAngle(x[t[e[0]]], x[t[e[1]]], x[rest[0]], x[rest[1]]) * 180. /
                                        3.14159265358979);
        }
    return least;
}

/// Each tetrahedron has a positive volume, each triangle two at most; sides and edges listed are those of elements.
inline void checkVolumeMesh(const StoredTopology& mesh, const Vector<Vec3>& x)
{
    std::map<Triangle, int> around;
    for (const Tetrahedron& t : mesh.tetrahedra()) {
        CHECK(dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]) > 0.);
        for (const auto& f : tetrahedronFaces) {
            Triangle s = subElement(t, f);
            std::ranges::sort(s);
            ++around[s];
        }
    }
    for (const auto& [side, count] : around) CHECK(count <= 2);
    if (!mesh.triangles().empty()) CHECK(mesh.triangles().size() == around.size());
}

}  // namespace sofa::test
