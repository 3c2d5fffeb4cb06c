// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <map>
#include <set>

#include "core/mesh/SubElements.h"
#include "core/topology/Geometry.h"
#include "tests/components/engine/RegionCheck.h"

namespace select_engines_test {

using namespace sofa::core;
using namespace sofa::test;

HARNESS_ENGINE("MeshBoundaryROI")
{
    checkEngine({.type = "MeshBoundaryROI",
                 .attributes = {},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("triangles", random.elements<3>(9, 12));
                         e.set("quads", random.elements<4>(4, 12));
                         e.set("inputROI", random.index(2) ? random.subset(9, 12) : Indices());
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto part = e.indices("inputROI");
                         std::map<std::set<Index>, int> edges;
                         const auto count = [&](const auto& element) {
                             for (const Index i : element)
                                 if (!part.empty() && std::count(part.begin(), part.end(), i) == 0) return;
                             for (std::size_t k = 0; k < element.size(); ++k)
                                 ++edges[{element[k], element[(k + 1) % element.size()]}];
                         };
                         for (const auto& t : e.get<Vector<Triangle>>("triangles")) count(t);
                         for (const auto& q : e.get<Vector<Quad>>("quads")) count(q);
                         std::set<Index> border;
                         for (const auto& [edge, n] : edges)
                             if (n == 1) border.insert(edge.begin(), edge.end());
                         CHECK(e.indices("indices") == Indices(border.begin(), border.end()));
                     },
                 .mistakes = {}});
}

HARNESS_ENGINE("ProximityROI")
{
    checkEngine({.type = "ProximityROI",
                 .attributes = {{"N", "7"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("position", random.points(40));
                         e.set("centers", random.points(3));
                         e.set("radii", random.numbers(2, 0.5, 1.));  // the third centre has that of the second
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto x = e.points("position"), centers = e.points("centers");
                         auto radii = e.get<Vector<double>>("radii");
                         radii.push_back(radii[1]);
                         std::vector<std::pair<double, Index>> near;
                         for (Index i = 0; i < x.size(); ++i) {
                             double least = 1e9;
                             for (std::size_t k = 0; k < 3; ++k)
                                 if (norm(x[i] - centers[k]) < radii[k])
                                     least = std::min(least, norm(x[i] - centers[k]));
                             if (least < 1e9) near.emplace_back(least, i);
                         }
                         std::sort(near.begin(), near.end());
                         near.resize(std::min<std::size_t>(near.size(), 7));
                         const auto indices = e.indices("indices");
                         REQUIRE(indices.size() == near.size());
                         for (std::size_t k = 0; k < near.size(); ++k) {
                             CHECK(indices[k] == near[k].second);
                             CHECK(e.get<Vector<double>>("distance")[k] == near[k].first);
                             CHECK(e.points("pointsInROI")[k] == x[near[k].second]);
                         }
                         CHECK(e.indices("indicesOut").size() == x.size() - near.size());
                     },
                 .mistakes = {{{{"position", "0 0 0"}, {"centers", "0 0 0"}}, "radii: at least one is needed"}}});
}

namespace {

template <class D>
void checkNearestPointROI(bool rest)
{
    INFO(D::name() << (rest ? " at rest" : ""));
    const auto state = [](const EngineAccess& e, const char* name) -> TestState<D>& {
        return dynamic_cast<TestState<D>&>(*e.engine().node()->root().component(name));
    };
    checkEngine({.type = "NearestPointROI",
                 .attributes = {{"template", std::string(D::name())},
                                {"object1", "@/a"},
                                {"object2", "@/b"},
                                {"useRestPosition", rest ? "1" : "0"}},
                 .fill =
                     [state](const EngineAccess& e, RandomInput& random) {
                         for (const char* name : {"a", "b"}) {
                             const auto points = random.points(name[0] == 'a' ? 30 : 20);
                             auto& s = state(e, name);
                             s.setPositions(coordinates<D>({points.begin(), points.end()}));
                             const auto moved = s.write(vec_id::position);
                             for (auto& x : *moved) D::setPosition(x, random.point());
                         }
                         e.set("radius", random.number(0.3, 0.5));
                         if (random.number() > 0.) e.set("inputIndices2", random.subset(9, 20));
                     },
                 .verify =
                     [state, rest](const EngineAccess& e) {
                         const auto id = rest ? vec_id::restPosition : vec_id::position;
                         const auto &a = state(e, "a").read(id), &b = state(e, "b").read(id);
                         Indices to = e.indices("inputIndices2"), first, second, pairs;
                         if (to.empty())
                             for (Index j = 0; j < 20; ++j) to.push_back(j);
                         for (const Index j : to) {
                             const auto distance = [&](Index i) {
                                 return norm2(D::position(a[i]) - D::position(b[j]));
                             };
                             Index best = 0;
                             for (Index i = 1; i < 30; ++i)
                                 if (distance(i) < distance(best)) best = i;
                             if (distance(best) >= e.get<double>("radius") * e.get<double>("radius")) continue;
                             first.push_back(best);
                             second.push_back(j);
                             pairs.insert(pairs.end(), {0, best, 1, j});
                         }
                         CHECK(e.indices("indices1") == first);
                         CHECK(e.indices("indices2") == second);
                         CHECK(e.indices("indexPairs") == pairs);
                         CHECK(e.get<Vector<Edge>>("edges").size() == first.size());
                         const auto& distances = e.get<Vector<double>>("distances");
                         REQUIRE(distances.size() == first.size());
                         for (std::size_t k = 0; k < first.size(); ++k)
                             CHECK(distances[k] == Approx(norm(D::position(a[first[k]]) - D::position(b[second[k]]))));
                     },
                 .mistakes = {{{{"inputIndices1", "30"}}, "inputIndices1: 30 does not exist; there are 30"}},
                 .seeds = 3,
                 .scene =
                     [](Node& root) {
                         addState<D>(root, typename D::VecCoord(30)).setName("a");
                         addState<D>(root, typename D::VecCoord(20)).setName("b");
                     }});
}

}  // namespace

HARNESS_ENGINE("NearestPointROI")
{
    for (const bool rest : {true, false}) {
        checkNearestPointROI<Vec3Types>(rest);
        checkNearestPointROI<Vec2Types>(rest);
        checkNearestPointROI<Vec1Types>(rest);
        checkNearestPointROI<Vec6Types>(rest);
        checkNearestPointROI<Rigid3Types>(rest);
        checkNearestPointROI<Rigid2Types>(rest);
    }
}

HARNESS_ENGINE("MeshSubsetEngine")
{
    checkEngine(
        {.type = "MeshSubsetEngine",
         .attributes = {},
         .fill =
             [](const EngineAccess& e, RandomInput& random) {
                 e.set("inputPosition", random.points(14));
                 e.set("indices", random.subset(10, 14));
                 e.set("inputEdges", random.elements<2>(9, 14));
                 e.set("inputTriangles", random.elements<3>(9, 14));
                 e.set("inputQuads", random.elements<4>(9, 14));
                 e.set("inputTetrahedra", random.elements<4>(9, 14));
                 e.set("inputHexahedra", random.elements<8>(9, 14));
             },
         .verify =
             [](const EngineAccess& e) {
                 const auto x = e.points("inputPosition"), part = e.points("position");
                 const auto indices = e.indices("indices");
                 REQUIRE(part.size() == indices.size());
                 for (std::size_t k = 0; k < part.size(); ++k) CHECK(part[k] == x[indices[k]]);
                 const auto verify = [&]<std::size_t N>(const char* all, const char* chosen, std::array<Index, N>) {
                     Vector<std::array<Index, N>> expected;
                     for (auto element : e.get<Vector<std::array<Index, N>>>(all)) {
                         bool inside = true;
                         for (Index& i : element) {
                             const auto at = std::find(indices.begin(), indices.end(), i);
                             inside = inside && at != indices.end();
                             i = static_cast<Index>(at - indices.begin());
                         }
                         if (inside) expected.push_back(element);
                     }
                     CHECK(e.get<Vector<std::array<Index, N>>>(chosen) == expected);
                 };
                 verify("inputEdges", "edges", Edge());
                 verify("inputTriangles", "triangles", Triangle());
                 verify("inputQuads", "quads", Quad());
                 verify("inputTetrahedra", "tetrahedra", Tetrahedron());
                 verify("inputHexahedra", "hexahedra", Hexahedron());
             },
         .mistakes = {{{{"indices", "0"}}, "indices: 0 does not exist; there are 0 points"},
                      {{{"inputPosition", "0 0 0"}, {"inputEdges", "0 1"}}, "inputEdges: element 0 has the point 1"}}});
}

HARNESS_ENGINE("MeshSplittingEngine")
{
    checkEngine({.type = "MeshSplittingEngine",
                 .attributes = {{"nbInputs", "2"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         e.set("position", random.points(40));
                         fillElements(e, random, 40);
                         for (const std::string k : {"1", "2"}) {
                             e.set("indices" + k, random.indices(4, 40));
                             e.set("edgeIndices" + k, random.indices(2, 20));
                             e.set("triangleIndices" + k, random.indices(2, 20));
                             e.set("quadIndices" + k, random.indices(1, 9));
                             e.set("tetrahedronIndices" + k, random.indices(1, 12));
                             e.set("hexahedronIndices" + k, random.indices(1, 6));
                         }
                     },
                 .verify =
                     [](const EngineAccess& e) {
                         const auto has = [&](const std::string& k) {
                             std::set<Index> points;
                             for (const Index i : e.indices("indices" + k)) points.insert(i);
                             const auto add = [&](const auto& elements, const std::string& list) {
                                 for (const Index c : e.indices(list + k))
                                     points.insert(elements[c].begin(), elements[c].end());
                             };
                             add(e.get<Vector<Edge>>("edges"), "edgeIndices");
                             add(e.get<Vector<Triangle>>("triangles"), "triangleIndices");
                             add(e.get<Vector<Quad>>("quads"), "quadIndices");
                             add(e.get<Vector<Tetrahedron>>("tetrahedra"), "tetrahedronIndices");
                             add(e.get<Vector<Hexahedron>>("hexahedra"), "hexahedronIndices");
                             return points;
                         };
                         const auto first = has("1"), second = has("2");
                         Points parts[3];
                         Indices pairs;
                         for (Index i = 0; i < 40; ++i) {
                             const std::size_t k = first.count(i) ? 0 : second.count(i) ? 1 : 2;
                             pairs.push_back(static_cast<Index>(k));
                             pairs.push_back(static_cast<Index>(parts[k].size()));
                             parts[k].push_back(e.points("position")[i]);
                         }
                         CHECK(e.indices("indexPairs") == pairs);
                         CHECK(e.points("position1") == parts[0]);
                         CHECK(e.points("position2") == parts[1]);
                         CHECK(e.points("position3") == parts[2]);
                     },
                 .mistakes = {{{{"edgeIndices1", "4"}}, "edgeIndices1: 4 does not exist; there are 0 elements"}}});
}

TEST_CASE("MeshSplittingEngine without regions has one part: all points")
{
    Node root("root");
    auto& e = addComponent<Engine>(root, "MeshSplittingEngine", {{"position", "1 2 3"}});
    CHECK(EngineAccess(e).points("position1") == Points{{1., 2., 3.}});
    CHECK_FALSE(e.findData("position2"));
}

HARNESS_ENGINE("MeshSampler")
{
    for (const bool along : {false, true})
        checkEngine({.type = "MeshSampler",
                     .attributes = {{"number", "6"}},
                     .fill =
                         [along](const EngineAccess& e, RandomInput& random) {
                             e.set("position", random.points(50));
                             Vector<Edge> chain;
                             for (Index i = 0; i + 1 < 50; ++i) chain.push_back({i, i + 1});
                             if (along) e.set("edges", chain);
                             // No relaxation: samples are as far from each other as from what is between.
                             e.set<Index>("maxIter", random.index(2) ? 0 : 100);
                         },
                     .verify =
                         [along](const EngineAccess& e) {
                             const auto x = e.points("position");
                             const auto samples = e.indices("outputIndices");
                             REQUIRE(samples.size() == 6);
                             std::vector<double> arc(1, 0.);
                             for (Index i = 0; i + 1 < 50; ++i) arc.push_back(arc.back() + norm(x[i + 1] - x[i]));
                             const auto distance = [&](Index i, Index j) {
                                 return along ? std::abs(arc[i] - arc[j]) : norm(x[i] - x[j]);
                             };
                             const auto nearest = [&](Index i, std::size_t count) {
                                 double least = 1e9;
                                 for (std::size_t k = 0; k < count; ++k)
                                     least = std::min(least, distance(i, samples[k]));
                                 return least;
                             };
                             if (e.get<Index>("maxIter") == 0) {
                                 CHECK(samples[0] == 0);
                                 for (std::size_t k = 1; k < 6; ++k)
                                     for (Index i = 0; i < 50; ++i)
                                         CHECK(nearest(i, k) <= nearest(samples[k], k) + 1e-12);
                             } else if (!along) {
                                 // No point of a cell is nearer to its mean than the sample. (Along edges samples
                                 // may go round in circles.)
                                 std::vector<Vec3> mean(6);
                                 std::vector<std::vector<Index>> cells(6);
                                 for (Index i = 0; i < 50; ++i)
                                     for (std::size_t k = 0; k < 6; ++k)
                                         if (distance(i, samples[k]) == nearest(i, 6)) {
                                             cells[k].push_back(i);
                                             break;
                                         }
                                 for (std::size_t k = 0; k < 6; ++k) {
                                     for (const Index i : cells[k])
                                         mean[k] += x[i] / static_cast<double>(cells[k].size());
                                     for (const Index i : cells[k])
                                         CHECK(norm(x[i] - mean[k]) >= norm(x[samples[k]] - mean[k]) - 1e-12);
                                 }
                             }
                             for (std::size_t k = 0; k < 6; ++k) CHECK(e.points("outputPosition")[k] == x[samples[k]]);
                         },
                     .mistakes = {{{{"edges", "0 1"}}, "edges: element 0 has the point 0; there are 0"}}});
    Node root("root");
    auto& e = addComponent<Engine>(root, "MeshSampler", {{"number", "9"}, {"position", "0 0 0  0 0 0  1 0 0"}});
    CHECK(EngineAccess(e).indices("outputIndices") == Indices{0, 2});
}

HARNESS_ENGINE("ValuesFromPositions")
{
    const auto check = []<class D>(const std::string& templ, D) {
        for (const bool scalar : {true, false})
            checkEngine(
                {.type = "ValuesFromPositions",
                 .attributes = {{"template", templ}, {"fieldType", scalar ? "Scalar" : "Vector"}},
                 .fill =
                     [](const EngineAccess& e, RandomInput& random) {
                         setPoints<D>(e, "position", random.points(12));
                         e.set("edges", random.elements<2>(5, 12));
                         e.set("triangles", random.elements<3>(6, 12));
                         e.set("tetrahedra", random.elements<4>(7, 12));
                         e.set("inputValues", random.numbers(4));
                         e.set("direction", random.point());
                     },
                 .verify =
                     [scalar](const EngineAccess& e) {
                         Points x;
                         for (const auto& c : e.get<typename D::VecCoord>("position")) x.push_back(D::position(c));
                         const Vec3 direction = e.get<Vec3>("direction");
                         const auto& v = e.get<Vector<double>>("inputValues");
                         double low = 1e9, high = -1e9;
                         for (const Vec3& p : x) {
                             low = std::min(low, dot(p, direction));
                             high = std::max(high, dot(p, direction));
                         }
                         const auto value = [&](const Vec3& p) {
                             // Sum of hat functions.
                             const double s = 3. * (dot(p, direction) - low) / (high - low);
                             double sum = 0.;
                             for (int k = 0; k < 4; ++k)
                                 sum += v[static_cast<std::size_t>(k)] * std::max(0., 1. - std::abs(s - k));
                             return sum;
                         };
                         const auto verify = [&](const auto& elements, const char* values, const char* vectors) {
                             REQUIRE(e.get<Vector<double>>(values).size() == (scalar ? elements.size() : 0));
                             REQUIRE(e.points(vectors).size() == (scalar ? 0 : elements.size()));
                             for (std::size_t k = 0; k < elements.size(); ++k) {
                                 Vec3 mean;
                                 for (const Index i : elements[k])
                                     mean += x[i] / static_cast<double>(elements[k].size());
                                 if (scalar)
                                     CHECK(e.get<Vector<double>>(values)[k] == Approx(value(mean)).margin(1e-13));
                                 else
                                     CHECK(e.points(vectors)[k] == direction);
                             }
                         };
                         std::vector<std::array<Index, 1>> points;
                         for (Index i = 0; i < x.size(); ++i) points.push_back({i});
                         verify(points, "values", "pointVectors");
                         verify(e.get<Vector<Edge>>("edges"), "edgeValues", "edgeVectors");
                         verify(e.get<Vector<Triangle>>("triangles"), "triangleValues", "triangleVectors");
                         verify(e.get<Vector<Tetrahedron>>("tetrahedra"), "tetrahedronValues", "tetrahedronVectors");
                     },
                 .mistakes = {{{{"edges", "0 1"}}, "edges: element 0 has the point 0; there are 0"}}});
    };
    check("Vec3", Vec3Types());
    check("Rigid3", Rigid3Types());
}

}  // namespace select_engines_test
