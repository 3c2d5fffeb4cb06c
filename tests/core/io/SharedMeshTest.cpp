// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The quality of the meshes in share/mesh: orientation, dihedral angles, closed surfaces, volumes.
#include <catch2/catch.hpp>
#include <map>
#include <numbers>

#include "core/io/MeshReader.h"
#include "tests/harness/Paths.h"

namespace shared_mesh_test {

using namespace sofa::core;
using namespace sofa::core::io;

namespace {

constexpr double pi = std::numbers::pi;

MeshData shared(const std::string& name, bool seams = false)
{
    MeshReadOptions o;
    o.handleSeams = seams;
    return readMesh(sofa::test::sourceDirectory() / "share" / "mesh" / name, o);
}

double volume(const MeshData& m, const Tetrahedron& t)
{
    const auto& x = m.positions;
    return dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]) / 6.;
}

double volume(const MeshData& m)
{
    double v = 0.;
    for (const auto& t : m.tetrahedra) v += volume(m, t);
    return v;
}

/// Volume that a closed surface holds, by the divergence theorem.
double enclosedVolume(const MeshData& m)
{
    double v = 0.;
    const auto add = [&](Index a, Index b, Index c) {
        v += dot(m.positions[a], cross(m.positions[b], m.positions[c])) / 6.;
    };
    for (const auto& t : m.triangles) add(t[0], t[1], t[2]);
    for (const auto& q : m.quads) {
        add(q[0], q[1], q[2]);
        add(q[0], q[2], q[3]);
    }
    return v;
}

/// Smallest dihedral angle [degrees]: at each edge, between the two faces that meet there.
double smallestAngle(const MeshData& m)
{
    double smallest = 180.;
    for (const auto& t : m.tetrahedra)
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i + 1; j < 4; ++j) {
                std::size_t k = 0, l = 3;
                while (k == i || k == j) ++k;
                while (l == i || l == j) --l;
                const auto& x = m.positions;
                const Vec3 e = normalized(x[t[j]] - x[t[i]]);
                Vec3 a = x[t[k]] - x[t[i]], b = x[t[l]] - x[t[i]];
                a -= e * dot(a, e);
                b -= e * dot(b, e);
                smallest = std::min(smallest, std::atan2(norm(cross(a, b)), dot(a, b)) * 180. / pi);
            }
    return smallest;
}

/// Every directed edge of the faces once, and its opposite once.
bool isClosed(const MeshData& m)
{
    std::map<Edge, int> uses;
    const auto face = [&](const auto& f) {
        for (std::size_t i = 0; i < f.size(); ++i) ++uses[Edge{f[i], f[(i + 1) % f.size()]}];
    };
    for (const auto& t : m.triangles) face(t);
    for (const auto& q : m.quads) face(q);
    for (const auto& [e, n] : uses) {
        const auto opposite = uses.find(Edge{e[1], e[0]});
        if (n != 1 || opposite == uses.end() || opposite->second != 1) return false;
    }
    return !uses.empty();
}

}  // namespace

TEST_CASE("Our tetrahedral meshes are well shaped and fill their volume", "[io]")
{
    struct Expected
    {
        const char* name;
        double smallestAngle;      // degrees
        double volume, tolerance;  // relative; 0: any volume
    };
    // An inscribed polyhedron is smaller than the curved solid by about (h/R)²/4 of it, h its edge, R the radius.
    const double hole = 10. * 0.25 * 0.25 * std::sin(pi / 10.);  // area of the regular polygon of 20 corners
    const Expected expected[] = {
        {"organ.msh", 20., 0., 0.},
        {"sphere.msh", 20., 4. / 3. * pi, 0.06},
        {"torus.msh", 20., 2. * pi * pi * 0.4 * 0.4, 0.13},
        {"cube.msh", 54.7, 8., 1e-12},
        {"beam.msh", 54.7, 40., 1e-12},
        {"plate_holes.msh", 15., 6. * (1. - hole) * 0.2, 1e-5},
    };
    for (const auto& e : expected) {
        CAPTURE(e.name);
        const auto m = shared(e.name);
        CHECK(m.notes.empty());
        CHECK(m.positions.size() >= 100);
        CHECK(m.positions.size() <= 1500);
        REQUIRE(m.tetrahedra.size() >= 200);
        double least = 1e9;
        for (const auto& t : m.tetrahedra) least = std::min(least, volume(m, t));
        CHECK(least > 0.);
        CHECK(smallestAngle(m) > e.smallestAngle);
        if (e.volume > 0.) CHECK(volume(m) == Approx(e.volume).epsilon(e.tolerance));
        // Every point belongs to a tetrahedron, and faces are shared by two at most.
        std::vector<char> used(m.positions.size(), 0);
        std::map<Triangle, int> faces;
        for (const auto& t : m.tetrahedra)
            for (std::size_t i = 0; i < 4; ++i) {
                used[t[i]] = 1;
                ++faces[sortedVertices(Triangle{t[(i + 1) % 4], t[(i + 2) % 4], t[(i + 3) % 4]})];
            }
        CHECK(std::count(used.begin(), used.end(), 0) == 0);
        CHECK(std::none_of(faces.begin(), faces.end(), [](const auto& f) { return f.second > 2; }));
    }
}

TEST_CASE("Our closed surfaces are closed, oriented outwards and match their volume meshes", "[io]")
{
    struct Pair
    {
        const char *surface, *solid;
        double tolerance;  // relative, of the volumes
    };
    for (const auto& [surface, solid, tolerance] :
         {Pair{"organ.obj", "organ.msh", 0.06}, Pair{"sphere.obj", "sphere.msh", 0.06},
          Pair{"torus.obj", "torus.msh", 0.13}, Pair{"cube.obj", "cube.msh", 1e-12},
          Pair{"beam.obj", "beam.msh", 1e-12}, Pair{"plate_holes.obj", "plate_holes.msh", 1e-9}}) {
        CAPTURE(surface);
        const auto s = shared(surface);
        CHECK(s.notes.empty());
        CHECK(isClosed(s));
        const double v = enclosedVolume(s);
        CHECK(v > 0.);
        CHECK(v == Approx(volume(shared(solid))).epsilon(tolerance));
    }
}

TEST_CASE("Our surfaces carry unit normals that fit their faces, and texture coordinates", "[io]")
{
    for (const char* name :
         {"organ.obj", "sphere.obj", "torus.obj", "cube.obj", "beam.obj", "plate_holes_flat.obj", "floor.obj"}) {
        CAPTURE(name);
        const auto m = shared(name, true);
        REQUIRE(m.normals.size() == m.positions.size());
        REQUIRE(m.texCoords.size() == m.positions.size());
        double worst = 1., longest = 0.;
        const auto face = [&](const auto& f) {
            const auto& x = m.positions;
            const Vec3 n = normalized(cross(x[f[1]] - x[f[0]], x[f[2]] - x[f[0]]));
            for (std::size_t i = 0; i < f.size(); ++i) {
                worst = std::min(worst, dot(n, m.normals[f[i]]));
                longest = std::max(longest, std::abs(m.texCoords[f[i]][0] - m.texCoords[f[(i + 1) % f.size()]][0]));
            }
        };
        for (const auto& t : m.triangles) face(t);
        for (const auto& q : m.quads) face(q);
        CHECK(worst > 0.8);
        // No face runs across the seam of the texture: only the cube's faces span all of it.
        if (std::string(name) != "cube.obj") CHECK(longest < 0.5);
        for (const auto& t : m.texCoords) CHECK((t[0] >= 0. && t[0] <= 1.5 && t[1] >= 0. && t[1] <= 1.));
    }
}

TEST_CASE("The beam's hexahedra have the points of its tetrahedra", "[io]")
{
    const auto h = shared("beam.vtk"), t = shared("beam.msh");
    CHECK(h.positions == t.positions);
    CHECK(h.hexahedra.size() == 320);
    for (const auto& c : h.hexahedra) CHECK(volume(h, {c[0], c[1], c[3], c[4]}) > 0.);
}

}  // namespace shared_mesh_test
