// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <set>

#include "tests/harness/EngineCheck.h"

namespace subset_topology_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using Indices = Vector<Index>;

/// Checks one kind of elements: those that `isIn` says, and all others, with points that are where they were.
template <class D, std::size_t N>
void verifyKind(const EngineAccess& e, const char* all, const char* indices, const char* in, const char* out,
                const std::function<bool(const std::array<Index, N>&, std::size_t)>& isIn)
{
    INFO(all);
    using Elements = Vector<std::array<Index, N>>;
    const auto& elements = e.get<Elements>(all);
    const auto& x = e.get<typename D::VecCoord>("rest_position");
    const bool local = e.get<bool>("localIndices");
    Indices expected;
    std::size_t next[2] = {0, 0};
    const Elements* lists[2] = {&e.get<Elements>(in), &e.get<Elements>(out)};
    for (std::size_t k = 0; k < elements.size(); ++k) {
        const bool inside = isIn(elements[k], k);
        if (inside) expected.push_back(static_cast<Index>(k));
        const std::size_t side = inside ? 0 : 1;
        REQUIRE(next[side] < lists[side]->size());
        const auto& found = (*lists[side])[next[side]++];
        const auto& points = e.get<typename D::VecCoord>(inside ? "pointsInROI" : "pointsOutROI");
        for (std::size_t i = 0; i < N; ++i) {
            if (!local) {
                CHECK(found[i] == elements[k][i]);
                continue;
            }
            REQUIRE(found[i] < points.size());
            CHECK(points[found[i]] == x[elements[k][i]]);
        }
    }
    CHECK(e.indices(indices) == expected);
    CHECK(lists[0]->size() + lists[1]->size() == elements.size());
}

template <class D>
void verifySubset(const EngineAccess& e, const std::vector<std::function<bool(const Vec3&)>>& regions)
{
    const auto& x = e.get<typename D::VecCoord>("rest_position");
    const auto isIn = [&](const auto& element, std::size_t) {
        return std::any_of(regions.begin(), regions.end(), [&](const auto& contains) {
            return std::all_of(element.begin(), element.end(), [&](Index i) { return contains(D::position(x[i])); });
        });
    };
    verifyKind<D, 2>(e, "edges", "edgeIndices", "edgesInROI", "edgesOutROI", isIn);
    verifyKind<D, 3>(e, "triangles", "triangleIndices", "trianglesInROI", "trianglesOutROI", isIn);
    verifyKind<D, 4>(e, "quads", "quadIndices", "quadsInROI", "quadsOutROI", isIn);
    verifyKind<D, 4>(e, "tetrahedra", "tetrahedronIndices", "tetrahedraInROI", "tetrahedraOutROI", isIn);
    verifyKind<D, 8>(e, "hexahedra", "hexahedronIndices", "hexahedraInROI", "hexahedraOutROI", isIn);
    std::set<Index> inside;
    for (Index i = 0; i < x.size(); ++i)
        if (isIn(std::array<Index, 1>{i}, 0)) inside.insert(i);
    const auto indices = e.indices("indices");
    CHECK(std::set<Index>(indices.begin(), indices.end()) == inside);
    CHECK(indices.size() == inside.size());
    const auto border = e.get<Index>("nbrborder");
    CHECK(e.get<typename D::VecCoord>("pointsOutROI").size() == x.size() - inside.size() + border);
    if (!e.get<bool>("localIndices")) CHECK(border == 0);
    // Points of the border come first, in both parts.
    CHECK(std::is_sorted(indices.begin(), indices.begin() + border));
    for (Index k = 0; k < border; ++k)
        CHECK(e.get<typename D::VecCoord>("pointsInROI")[k] == e.get<typename D::VecCoord>("pointsOutROI")[k]);
}

template <class D>
void checkSubset(const std::string& templ, bool local, bool spheres)
{
    INFO(templ << (local ? " local" : "") << (spheres ? " spheres" : " boxes"));
    checkEngine({.type = "SubsetTopology",
                 .attributes = {{"template", templ}, {"localIndices", local ? "1" : "0"}},
                 .fill =
                     [spheres](const EngineAccess& e, RandomInput& random) {
                         typename D::VecCoord x(30);
                         for (auto& c : x) D::setPosition(c, random.point());
                         e.set("rest_position", x);
                         e.set("edges", random.elements<2>(30, 30));
                         e.set("triangles", random.elements<3>(30, 30));
                         e.set("quads", random.elements<4>(20, 30));
                         e.set("tetrahedra", random.elements<4>(20, 30));
                         e.set("hexahedra", random.elements<8>(8, 30));
                         if (spheres) {
                             e.set("centers", random.points(2, 0.4));
                             e.set("radii", random.numbers(2, 0.9, 1.2));
                         } else {
                             e.set("box", Vector<Vec6>{Vec6{0.9, -1., -1., random.number(-0.5, 0.), 1., 1.},
                                                       Vec6{-1., -1., -1., 1., random.number(0., 0.5), 1.}});
                         }
                     },
                 .verify =
                     [spheres](const EngineAccess& e) {
                         std::vector<std::function<bool(const Vec3&)>> regions;
                         for (std::size_t k = 0; k < 2; ++k)
                             regions.push_back([&e, k, spheres](const Vec3& p) {
                                 if (spheres)
                                     return norm(p - e.points("centers")[k]) <= e.get<Vector<double>>("radii")[k];
                                 const Vec6& b = e.get<Vector<Vec6>>("box")[k];
                                 for (std::size_t i = 0; i < 3; ++i)
                                     if (p[i] < std::min(b[i], b[i + 3]) || p[i] > std::max(b[i], b[i + 3]))
                                         return false;
                                 return true;
                             });
                         verifySubset<D>(e, regions);
                     },
                 .mistakes = {{{{"centers", "0 0 0"}}, "centers has 1 entries and radii has 0"},
                              {{{"triangles", "0 1 2"}}, "triangles: element 0 has the point 0; there are 0"}}});
}

}  // namespace

HARNESS_ENGINE("SubsetTopology")
{
    for (const bool local : {false, true})
        for (const bool spheres : {false, true}) checkSubset<Vec3Types>("Vec3", local, spheres);
    checkSubset<Rigid3Types>("Rigid3", true, false);
}

TEST_CASE("SubsetTopology by tetrahedra numbers points as they come")
{
    Node root("root");
    auto& e = addComponent<Engine>(root, "SubsetTopology",
                                   {{"rest_position", "0 0 0  1 0 0  2 0 0  3 0 0  4 0 0  5 0 0  6 0 0"},
                                    {"tetrahedra", "3 1 2 0  3 1 2 6  6 5 4 3"},
                                    {"triangles", "1 2 6  6 5 4"},
                                    {"tetrahedraInput", "1"},
                                    {"localIndices", "1"}});
    REQUIRE(initialise(root));
    const EngineAccess access(e);
    CHECK(access.indices("indices") == Indices{3, 1, 2, 6});
    CHECK(access.get<Vector<Tetrahedron>>("tetrahedraInROI") == Vector<Tetrahedron>{{0, 1, 2, 3}});
    CHECK(access.get<Vector<Tetrahedron>>("tetrahedraOutROI") == Vector<Tetrahedron>{{0, 1, 2, 3}, {4, 5, 6, 0}});
    CHECK(access.get<Vector<Triangle>>("trianglesInROI") == Vector<Triangle>{{1, 2, 3}});
    CHECK(access.get<Vector<Triangle>>("trianglesOutROI") == Vector<Triangle>{{4, 5, 6}});
    CHECK(access.points("pointsOutROI").size() == 7);
}

}  // namespace subset_topology_test
