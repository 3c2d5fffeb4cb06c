// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/mesh/SubElements.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "core/mesh/Adjacency.h"

namespace sub_elements_test {

using namespace sofa::core;

namespace {

/// Tetrahedra with random distinct vertices among `points`.
Vector<Tetrahedron> randomTetrahedra(std::size_t count, Index points, unsigned seed)
{
    std::mt19937 gen(seed);
    Vector<Tetrahedron> out;
    while (out.size() < count) {
        Tetrahedron t;
        for (Index& v : t) v = gen() % points;
        const auto s = sortedVertices(t);
        if (std::adjacent_find(s.begin(), s.end()) == s.end()) out.push_back(t);
    }
    return out;
}

const Hexahedron cube{0, 1, 2, 3, 4, 5, 6, 7};

}  // namespace

TEST_CASE("Edges of a surface keep the direction of their first triangle, quads start at the lower vertex")
{
    // Two triangles on the edge 1-2: the second sees it backwards and must not add it again.
    const Vector<Triangle> triangles{{0, 1, 2}, {2, 1, 3}};
    CHECK(edgesOf(triangles, Vector<Quad>()) == Vector<Edge>{{1, 2}, {2, 0}, {0, 1}, {1, 3}, {3, 2}});
    CHECK(edgesOf(Vector<Triangle>(), Vector<Quad>{{5, 4, 1, 9}}) == Vector<Edge>{{1, 4}, {1, 9}, {5, 9}, {4, 5}});
    // Triangles come first, and share edges with quads.
    CHECK(edgesOf(Vector<Triangle>{{4, 5, 7}}, Vector<Quad>{{5, 4, 1, 9}}) ==
          Vector<Edge>{{5, 7}, {7, 4}, {4, 5}, {1, 4}, {1, 9}, {5, 9}});
}

TEST_CASE("Edges of volumes run from the lower to the higher vertex in the order of the element's edges")
{
    CHECK(edgesOf(Vector<Tetrahedron>{{3, 1, 2, 0}}, Vector<Hexahedron>()) ==
          Vector<Edge>{{1, 3}, {2, 3}, {0, 3}, {1, 2}, {0, 1}, {0, 2}});
    CHECK(edgesOf(Vector<Tetrahedron>(), Vector<Hexahedron>{cube}) ==
          Vector<Edge>{{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}});
}

TEST_CASE("Faces turn outwards and start at their lowest vertex")
{
    CHECK(trianglesOf({{0, 1, 2, 3}}) == Vector<Triangle>{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}});
    CHECK(quadsOf({cube}) ==
          Vector<Quad>{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {0, 4, 7, 3}});
    // Outwards: the normal of face i of the unit tetrahedron points away from vertex i.
    const std::array<std::array<double, 3>, 4> x{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (std::size_t i = 0; i < 4; ++i) {
        double a[3], b[3], c[3];
        const auto f = tetrahedronFaces[i];
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = x[f[1]][k] - x[f[0]][k];
            b[k] = x[f[2]][k] - x[f[0]][k];
            c[k] = x[i][k] - x[f[0]][k];
        }
        const double side = (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] +
                            (a[0] * b[1] - a[1] * b[0]) * c[2];
        CHECK(side < 0.);
    }
}

TEST_CASE("A face shared by two cells is listed once, and is no border")
{
    const Vector<Tetrahedron> two{{0, 1, 2, 3}, {1, 2, 3, 4}};
    CHECK(trianglesOf(two).size() == 7);
    CHECK(borderOf(two) == Vector<Triangle>{{0, 3, 2}, {0, 1, 3}, {0, 2, 1}, {2, 3, 4}, {1, 4, 3}, {1, 2, 4}});
    const Vector<Hexahedron> stack{cube, {4, 5, 6, 7, 8, 9, 10, 11}};
    CHECK(quadsOf(stack).size() == 11);
    CHECK(borderOf(stack).size() == 10);
    CHECK(borderOf(Vector<Triangle>{{0, 1, 2}, {2, 1, 3}}, {}) == Vector<Edge>{{2, 0}, {0, 1}, {1, 3}, {3, 2}});
    CHECK(borderOf(Vector<Tetrahedron>()).empty());
}

TEST_CASE("Sub-elements agree with a count by sorted vertices on random meshes")
{
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const auto tetrahedra = randomTetrahedra(60, 12, seed);
        std::map<Edge, int> edges;
        std::map<Triangle, int> faces;
        for (const auto& t : tetrahedra) {
            for (const auto& l : tetrahedronEdges) ++edges[sortedVertices(subElement(t, l))];
            for (const auto& l : tetrahedronFaces) ++faces[sortedVertices(subElement(t, l))];
        }
        const auto foundEdges = edgesOf(tetrahedra, {});
        CHECK(foundEdges.size() == edges.size());
        for (const auto& e : foundEdges) CHECK(edges.count(sortedVertices(e)) == 1);
        CHECK(trianglesOf(tetrahedra).size() == faces.size());
        std::size_t once = 0;
        for (const auto& [f, n] : faces) once += n == 1;
        const auto border = borderOf(tetrahedra);
        CHECK(border.size() == once);
        for (const auto& f : border) CHECK(faces.at(sortedVertices(f)) == 1);
    }
}

TEST_CASE("Vertex count passes over invalid indices")
{
    CHECK(vertexCount(Vector<Edge>{{3, 1}, {0, 7}}) == 8);
    CHECK(vertexCount(Vector<Edge>{{InvalidIndex, 1}}) == 2);
    CHECK(vertexCount(Vector<Edge>()) == 0);
}

TEST_CASE("Adjacency lists the items of each key in increasing order")
{
    std::mt19937 gen(7);
    const std::size_t keys = 40;
    Vector<std::array<Index, 3>> items(200);
    for (auto& item : items)
        for (Index& k : item) k = gen() % (keys + 5);  // some lie outside
    items[0] = {3, 3, InvalidIndex};
    const Adjacency a(
        keys, items.size(), [&](std::size_t i) -> const auto& { return items[i]; });
    REQUIRE(a.size() == keys);
    std::size_t references = 0;
    for (Index k = 0; k < keys; ++k) {
        Vector<Index> expected;
        for (Index i = 0; i < items.size(); ++i)
            if (std::find(items[i].begin(), items[i].end(), k) != items[i].end()) expected.push_back(i);
        CHECK(Vector<Index>(a[k].begin(), a[k].end()) == expected);
        references += expected.size();
    }
    CHECK(references > 300);
    CHECK(a[keys].empty());
    CHECK(a[InvalidIndex].empty());
    CHECK(Adjacency()[0].empty());
}

TEST_CASE("ElementFinder finds elements whatever the order of their vertices")
{
    ElementFinder<3> finder;
    CHECK(finder.insert({5, 2, 9}, 0) == std::pair<Index, bool>(0, true));
    CHECK(finder.insert({9, 5, 2}, 1) == std::pair<Index, bool>(0, false));
    CHECK(finder.insert({9, 5, 3}, 1) == std::pair<Index, bool>(1, true));
    CHECK(finder.size() == 2);
    CHECK(finder.find({2, 9, 5}) == 0);
    CHECK(finder.find({3, 9, 5}) == 1);
    CHECK(finder.find({3, 9, 4}) == InvalidIndex);
    // Far more elements than expected.
    for (Index i = 0; i < 2000; ++i) finder.insert({100 + i, 101 + i, 102 + i}, 2 + i);
    for (Index i = 0; i < 2000; ++i) CHECK(finder.find({102 + i, 100 + i, 101 + i}) == 2 + i);
}

}  // namespace sub_elements_test
