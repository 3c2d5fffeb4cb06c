// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>

#include "core/io/InputLimit.h"
#include "core/math/Decompositions.h"
#include "core/objectmodel/Event.h"
#include "tests/components/engine/RandomLists.h"
#include "tests/harness/Paths.h"

namespace analyze_engines_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using Lists = Vector<Indices>;

/// Lengths of the shortest ways along edges, by trying all of them as often as there are points.
std::vector<double> waysFrom(Index start, const Vector<Vec3>& x, const Vector<Edge>& edges)
{
    std::vector<double> d(x.size(), 1e300);
    d[start] = 0.;
    for (std::size_t k = 0; k < x.size(); ++k)
        for (const auto& [a, b] : edges) {
            d[b] = std::min(d[b], d[a] + norm(x[a] - x[b]));
            d[a] = std::min(d[a], d[b] + norm(x[a] - x[b]));
        }
    return d;
}

Node& rootOf(const EngineAccess& e)
{
    Node& node = *e.engine().node();
    return node.parents().empty() ? node : *node.parents()[0];
}

}  // namespace

HARNESS_ENGINE("ClusteringEngine")
{
    for (const char* topo : {"0", "1"})
        for (const char* number : {"-1", "5"})
            checkEngine({.type = "ClusteringEngine",
                         .attributes = {{"useTopo", topo}, {"number", number}},
                         .fill =
                             [](const EngineAccess& e, RandomInput& random) {
                                 const auto x = random.points(30);
                                 if (!rootOf(e).get<BaseMeshTopology>(Search::Local)) {
                                     auto& t = rootOf(e).create<TestTopology>();
                                     t.points = 30;
                                     for (Index i = 1; i < 30; ++i) t.edgeList.push_back({random.index(i), i});
                                     for (const auto& edge : random.elements<2>(15, 30)) t.edgeList.push_back(edge);
                                 }
                                 e.set("position", x);
                                 e.set("fixedPosition", random.points(4));
                                 e.set("radius", random.number(0.3, 1.));
                                 e.set("fixedRadius", random.number(0.3, 1.));
                             },
                         .verify =
                             [](const EngineAccess& e) {
                                 const bool alongEdges = e.get<bool>("useTopo");
                                 const auto x = e.points("position"), fixed = e.points("fixedPosition");
                                 const auto& edges = rootOf(e).get<BaseMeshTopology>(Search::Local)->edges();
                                 const double radius = e.get<double>("radius");
                                 const auto& clusters = e.get<Lists>("cluster");
                                 const bool all = e.get<int>("number") == -1;
                                 REQUIRE(clusters.size() == (all ? 30u : 5u));
                                 // Each centre is the farthest point from those before it.
                                 std::vector<double> distance(30, 1e300);
                                 std::vector<std::size_t> owner(30, 0);
                                 for (std::size_t c = 0; c < clusters.size(); ++c) {
                                     const Index center = clusters[c][0];
                                     if (all)
                                         CHECK(center == c);
                                     else if (c == 0)
                                         CHECK(center == 0);
                                     else
                                         CHECK(distance[center] == *std::max_element(distance.begin(), distance.end()));
                                     const auto d = waysFrom(center, x, edges);
                                     for (Index i = 0; i < 30; ++i)
                                         if (const double own = alongEdges ? d[i] : norm(x[i] - x[center]);
                                             own < distance[i]) {
                                             distance[i] = own;
                                             owner[i] = c;
                                         }
                                 }
                                 // Points of each cluster; those that are in no other one come to the nearest.
                                 std::vector<std::set<Index>> expected(clusters.size());
                                 for (std::size_t c = 0; c < clusters.size(); ++c) {
                                     const Index center = clusters[c][0];
                                     expected[c].insert(center);
                                     if (!alongEdges) {
                                         for (Index i = 0; i < 30; ++i)
                                             if (norm(x[i] - x[center]) < radius) expected[c].insert(i);
                                         continue;
                                     }
                                     for (int round = 0; round < 30; ++round)
                                         for (const auto& [a, b] : edges)
                                             for (const auto& [from, to] : {Edge{a, b}, Edge{b, a}})
                                                 if (expected[c].count(from) &&
                                                     (owner[from] == c || norm(x[to] - x[center]) < radius))
                                                     expected[c].insert(to);
                                 }
                                 for (Index i = 0; i < 30 && !alongEdges; ++i) {
                                     std::size_t nearest = clusters.size();
                                     bool found = false;
                                     for (std::size_t c = 0; c < clusters.size(); ++c) {
                                         if (clusters[c][0] == i) continue;
                                         found |= expected[c].count(i) > 0;
                                         if (nearest == clusters.size() ||
                                             norm(x[i] - x[clusters[c][0]]) < norm(x[i] - x[clusters[nearest][0]]))
                                             nearest = c;
                                     }
                                     if (!found) expected[nearest].insert(i);
                                 }
                                 for (std::size_t c = 0; c < clusters.size(); ++c) {
                                     for (Index j = 0; j < 4; ++j)
                                         if (norm(fixed[j] - x[clusters[c][0]]) < e.get<double>("fixedRadius"))
                                             expected[c].insert(30 + j);
                                     CHECK(std::set<Index>(clusters[c].begin(), clusters[c].end()) == expected[c]);
                                     CHECK(clusters[c].size() == expected[c].size());
                                 }
                             },
                         .mistakes = {{{{"inFile", "no/such/file.txt"}}, "no/such/file.txt"},
                                      {{{"inFile", "/dev/zero"}}, "is no plain file"}},
                         .seeds = 3});
    // What is written is read again.
    Node root("root");
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder / "sofa-clusters-test.txt").string();
    auto& writer = addComponent<Engine>(root, "ClusteringEngine",
                                        {{"position", "0 0 0 1 0 0 5 0 0"}, {"radius", "2"}, {"outFile", file}});
    const std::string clusters = writer.findData("cluster")->text();
    CHECK(clusters == "[0 1] [1 0 2] [2]");
    CHECK_FALSE(std::filesystem::exists(file));  // before the first step
    dynamic_cast<Component&>(writer).handleEvent(AnimateBeginEvent(0.01));
    auto& reader = addComponent<Engine>(root, "ClusteringEngine", {{"inFile", file}});
    CHECK(reader.findData("cluster")->text() == clusters);
    const std::uint64_t usual = io::inputLimit();
    io::setInputLimit(8);
    CHECK(reader.setAttribute("inFile", file, {}));
    reader.reinit();
    CHECK_THROWS_WITH(reader.findData("cluster")->text(), Catch::Matchers::Contains("--input-limit"));
    io::setInputLimit(usual);
    std::ofstream(file) << "1 2 3 2 -1\n2 0 1\n3 5";
    CHECK(reader.setAttribute("inFile", file, {}));
    reader.reinit();
    CHECK_THROWS_WITH(reader.findData("cluster")->text(), Catch::Matchers::Contains("number of a point expected"));
}

namespace {

template <class D>
void checkShapeMatching()
{
    using Coord = typename D::Coord;
    using VecCoord = typename D::VecCoord;
    for (const char* affineRatio : {"0", "0.4", "1"})
        checkEngine(
            {.type = "ShapeMatching",
             .attributes = {{"template", std::string(D::name())}, {"affineRatio", affineRatio}, {"iterations", "3"}},
             .fill =
                 [](const EngineAccess& e, RandomInput& random) {
                     const auto list = [&](std::size_t n) {
                         const auto points = random.points(n);
                         auto x = randomList<Coord>(random, n);
                         for (std::size_t i = 0; i < n; ++i) D::setPosition(x[i], points[i]);
                         return x;
                     };
                     if (!rootOf(e).get<State<D>>(Search::Local)) addState<D>(rootOf(e), list(14));
                     e.set("position", list(14));
                     e.set("fixedPosition0", list(3));
                     e.set("fixedPosition", list(3));
                     e.set("fixedweight", random.number(0.5, 4.));
                     e.set("cluster", Lists{random.subset(6, 17), random.subset(7, 17), {3}, random.subset(9, 13)});
                 },
             .verify =
                 [](const EngineAccess& e) {
                     auto* state = rootOf(e).get<State<D>>(Search::Local);
                     auto frames = dynamic_cast<Data<VecCoord>*>(state->findData("rest_position"))->value();
                     std::vector<Vec3> rest, x;
                     for (const auto& p : frames) rest.push_back(D::position(p));
                     for (const auto& p : e.get<VecCoord>("position")) x.push_back(D::position(p));
                     for (const auto& p : e.get<VecCoord>("fixedPosition0")) rest.push_back(D::position(p));
                     for (const auto& p : e.get<VecCoord>("fixedPosition")) x.push_back(D::position(p));
                     std::vector<Vec<4>> turns;
                     const double ratio = e.get<double>("affineRatio");
                     for (int k = 0; k < 3; ++k) {
                         std::vector<Vec3> sum(17);
                         std::vector<int> count(17, 0);
                         turns.assign(17, {});
                         for (const Indices& cluster : e.get<Lists>("cluster")) {
                             const auto weight = [&](Index i) { return i < 14 ? 1. : e.get<double>("fixedweight"); };
                             Vec3 c, c0;
                             double total = 0.;
                             for (const Index i : cluster) {
                                 c += x[i] * weight(i);
                                 c0 += rest[i] * weight(i);
                                 total += weight(i);
                             }
                             c /= total;
                             c0 /= total;
                             Mat3 a, q;
                             for (const Index i : cluster) {
                                 a += outer(x[i] - c, rest[i] - c0) * weight(i);
                                 q += outer(rest[i] - c0, rest[i] - c0) * weight(i);
                             }
                             const Mat3 r = polarRotation(a).r;
                             const Mat3 best = cluster.size() > 1 ? a * inverse(q) : r;
                             for (const Index i : cluster) {
                                 sum[i] += c + (best * ratio + r * (1. - ratio)) * (rest[i] - c0);
                                 ++count[i];
                                 if constexpr (std::is_same_v<D, Rigid3Types>) {
                                     if (i >= 14) continue;
                                     const Quat f = Quat::fromMatrix(r) * frames[i].orientation;
                                     const Vec<4> turn{f[0], f[1], f[2], f[3]};
                                     turns[i] += turn * (dot(turns[i], turn) < 0. ? -1. : 1.);
                                 }
                             }
                         }
                         for (std::size_t i = 0; i < 14; ++i)
                             if (count[i]) x[i] = sum[i] / count[i];
                     }
                     const auto& target = e.get<VecCoord>("targetPosition");
                     REQUIRE(target.size() == 14);
                     for (std::size_t i = 0; i < 14; ++i) CHECK(norm(D::position(target[i]) - x[i]) < 1e-8);
                     if constexpr (std::is_same_v<D, Rigid3Types>) {
                         for (std::size_t i = 0; i < 14; ++i) {
                             if (norm(turns[i]) == 0.) continue;  // in no cluster
                             const auto& q = target[i].orientation.q;
                             const double along = dot(turns[i] / norm(turns[i]), Vec<4>{q[0], q[1], q[2], q[3]});
                             CHECK(std::abs(along) == Approx(1.).epsilon(1e-9));
                         }
                     }
                 },
             .mistakes = {{{}, "there is no state with a rest shape"}},
             .seeds = 3});
}

}  // namespace

HARNESS_ENGINE("ShapeMatching")
{
    checkShapeMatching<Vec3Types>();
    checkShapeMatching<Rigid3Types>();

    // Frames turn with their clusters.
    {
        RandomInput random(4);
        const auto rest = randomList<RigidCoord3>(random, 5);
        Node root("root");
        auto& state = addState<Rigid3Types>(root, rest);
        auto& e = addComponent<Engine>(root, "ShapeMatching", {{"cluster", "[0 1 2 3]"}});
        CHECK(e.templateName() == "Rigid3");
        REQUIRE(initialise(root));
        const Quat turn = random.rotation();
        {
            const auto x = state.write(vec_id::position);
            for (RigidCoord3& p : *x) p.center = turn.rotate(p.center) + Vec3{1., 2., 3.};
        }
        const auto& target = EngineAccess(e).get<Vector<RigidCoord3>>("targetPosition");
        for (std::size_t i = 0; i < 5; ++i) {
            CHECK(norm(target[i].center - state.positions()[i].center) < 1e-13);
            const Vec3 axis{0.3, 0.4, 0.5};
            const Vec3 expected = rest[i].orientation.rotate(axis);
            CHECK(norm(target[i].orientation.rotate(axis) - (i < 4 ? turn.rotate(expected) : expected)) < 1e-13);
        }
    }

    // A rigid motion is met exactly by rotations, and an affine one by linear maps; also by a flat cluster, but for the
    // direction in which it has no extent. A reflected cluster is not reflected back by a rotation.
    RandomInput random(3);
    auto rest = random.points(8);
    for (std::size_t i = 4; i < 8; ++i) rest[i][2] = 0.;
    Node root("root");
    auto& state = addState<Vec3Types>(root, rest);
    auto& rigid = addComponent<Engine>(root, "ShapeMatching", {{"cluster", "[0 1 2 3] [4 5 6 7]"}});
    auto& affine =
        addComponent<Engine>(root, "ShapeMatching", {{"cluster", "[0 1 2 3] [4 5 6 7]"}, {"affineRatio", "1"}});
    auto& wrong = addComponent<Engine>(root, "ShapeMatching", {{"cluster", "[0 1] [9]"}});
    REQUIRE(initialise(root));
    const Quat q = random.rotation();
    const Vec3 shift = random.point();
    const Mat3 stretch = Mat3::fromRows(Vec3{2., 0.5, 0.}, Vec3{0., 1., 0.}, Vec3{0.3, 0., 3.});
    const auto move = [&](auto map) {
        auto x = state.write(vec_id::position);
        for (std::size_t i = 0; i < 8; ++i) x[i] = map(rest[i]);
    };
    const auto error = [&](Engine& e) {
        double most = 0.;
        for (std::size_t i = 0; i < 8; ++i)
            most = std::max(most, norm(EngineAccess(e).points("targetPosition")[i] - state.positions()[i]));
        return most;
    };
    move([&](const Vec3& p) { return q.rotate(p) + shift; });
    CHECK(error(rigid) < 1e-13);
    CHECK(error(affine) < 1e-12);
    move([&](const Vec3& p) { return stretch * p + shift; });
    CHECK(error(rigid) > 0.1);
    CHECK(error(affine) < 1e-12);
    move([&](const Vec3& p) { return Vec3{p[0], p[1], -p[2]}; });
    CHECK(error(rigid) > 0.1);
    CHECK_THROWS_WITH(wrong.findData("targetPosition")->text(),
                      Catch::Matchers::Contains("cluster: number 1 has the point 9; there are 8"));
}

}  // namespace analyze_engines_test
