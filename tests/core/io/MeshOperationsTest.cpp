// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/MeshOperations.h"

#include <catch2/catch.hpp>

#include "core/io/MeshReader.h"
#include "tests/core/io/MeshTestUtilities.h"

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

TEST_CASE("A mesh transform scales, then rotates about x, y, z, then translates", "[io]")
{
    MeshData m;
    m.positions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    m.normals = m.positions;
    applyTransform(m, makeTransform({2, 3, 4}, {90, 0, 90}, {10, 20, 30}));
    // Rx(90°): y→z, z→−y; then Rz(90°): x→y, y→−x.
    CHECK(norm(m.positions[0] - Vec3(10, 22, 30)) < 1e-14);
    CHECK(norm(m.positions[1] - Vec3(10, 20, 33)) < 1e-14);
    CHECK(norm(m.positions[2] - Vec3(14, 20, 30)) < 1e-14);
    CHECK(norm(m.normals[0] - Vec3(0, 1, 0)) < 1e-14);
}

TEST_CASE("Normals follow a non-uniform scale by its inverse transpose, also under a reflection", "[io]")
{
    // The plane x + y = const under x → s x has the normal (1/s, 1) normalised.
    for (const double s : {2., -2.}) {
        MeshData m;
        m.positions = {{0, 0, 0}};
        m.normals = {Vec3(1, 1, 0) / std::sqrt(2.)};
        applyTransform(m, makeTransform({s, 1, 1}, {}, {}));
        CHECK(norm(m.normals[0] - normalized(Vec3(1. / s, 1, 0))) < 1e-15);
    }
}

TEST_CASE("Triangulating appends two triangles per quad and moves ranges and groups", "[io]")
{
    MeshData m;
    m.positions.resize(6);
    m.triangles = {{0, 1, 2}};
    m.quads = {{0, 1, 2, 3}, {2, 3, 4, 5}};
    m.ranges[3] = {{1, 1, 0, "a", "b"}};
    m.groups.push_back({});
    m.groups[0].cells[3] = {1};
    triangulate(m);
    CHECK(m.quads.empty());
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {2, 3, 4}, {2, 4, 5}});
    CHECK(m.ranges[2] == std::vector<CellRange>{{3, 2, 0, "a", "b"}});
    CHECK(m.groups[0].cells[2] == Vector<Index>{3, 4});
}

TEST_CASE("Boundary cells of a tetrahedron and its neighbour are added once", "[io]")
{
    MeshData m;
    m.positions.resize(5);
    m.tetrahedra = {{0, 1, 2, 3}, {1, 2, 3, 4}};
    m.triangles = {{3, 1, 2}};  // the shared face, in another order
    createSubelements(m);
    CHECK(m.triangles == Vector<Triangle>{{3, 1, 2}, {0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4}});
    CHECK(m.edges.size() == 9);
    CHECK(m.edges[0] == Edge{1, 2});  // of the first triangle, from its second corner on
}

TEST_CASE("Boundary cells of hexahedra, prisms and pyramids are those of each and the edges of all", "[io]")
{
    MeshData h;
    h.positions.resize(8);
    h.hexahedra = {{0, 1, 2, 3, 4, 5, 6, 7}};
    createSubelements(h);
    CHECK(h.quads == Vector<Quad>{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}});
    CHECK(h.edges.size() == 12);
    MeshData p;
    p.positions.resize(6);
    p.prisms = {{0, 1, 2, 3, 4, 5}};
    createSubelements(p);
    CHECK(p.quads.size() == 3);
    CHECK(p.triangles.size() == 2);
    CHECK(p.edges.size() == 9);
    MeshData y;
    y.positions.resize(5);
    y.pyramids = {{0, 1, 2, 3, 4}};
    createSubelements(y);
    CHECK(y.quads.size() == 1);
    CHECK(y.triangles.size() == 4);
    CHECK(y.edges.size() == 8);
}

TEST_CASE("Unattached points go, with their attributes; the others keep their order", "[io]")
{
    MeshData m;
    m.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    m.normals = m.positions;
    m.pointData.push_back({"T", 2, {0, 0, 1, 1, 2, 2, 3, 3}});
    m.edges = {{3, 1}};
    CHECK(removeUnattachedPoints(m) == Vector<Index>{1, 3});
    CHECK(m.positions == Vector<Vec3>{{1, 0, 0}, {3, 0, 0}});
    CHECK(m.normals == m.positions);
    CHECK(m.edges == Vector<Edge>{{1, 0}});
    CHECK(m.pointData[0].values == Vector<double>{1, 1, 3, 3});
}

TEST_CASE("Computed normals weigh each face alike", "[io]")
{
    MeshData m;
    m.positions = {{0, 0, 0}, {5, 0, 0}, {0, 5, 0}, {0, 0, 1}};
    m.triangles = {{0, 1, 2}, {0, 2, 3}};  // normals +z and +x
    computeNormals(m);
    CHECK(norm(m.normals[0] - Vec3(1, 0, 1) / std::sqrt(2.)) < 1e-15);
    CHECK(norm(m.normals[1] - Vec3(0, 0, 1)) < 1e-15);
    m.triangles.clear();
    m.quads = {{0, 1, 2, 3}};
    computeNormals(m);
    CHECK(norm(m.normals[1] - normalized(cross(Vec3(-5, 5, 0), Vec3(-5, 0, 0)))) < 1e-15);
}

TEST_CASE("readMesh chooses by extension or content, triangulates and flips", "[io]")
{
    TemporaryDirectory dir;
    const std::string obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    MeshReadOptions o;
    o.triangulate = o.flipNormals = true;
    CHECK(readMesh(dir.write("a.OBJ", obj), o).triangles == Vector<Triangle>{{2, 1, 0}, {3, 2, 0}});
    CHECK(readMesh(dir.write("a.dat", "$NOD\n1\n1 2 3 4\n$ENDNOD\n$ELM\n0\n$ENDELM\n")).positions[0] == Vec3(2, 3, 4));
    CHECK(errorOf([&] { readMesh(dir.write("a.bin", "hello")); }).find("the mesh format is not known") !=
          std::string::npos);
}
