// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "components/engine/AverageCoord.h"
#include "components/engine/EvalPointsDistance.h"
#include "core/objectmodel/Event.h"
#include "tests/components/engine/RandomLists.h"
#include "tests/harness/Paths.h"

namespace analyze_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;

namespace {

/// Two states in the root of a check.
template <class D>
void addStates(Node& root, test::RandomInput& random)
{
    for (const char* name : {"a", "b"})
        test::addState<D>(root, test::randomList<typename D::Coord>(random, 6)).setName(name);
}

template <class D>
const auto& positions(const test::EngineAccess& e, const char* state)
{
    return dynamic_cast<State<D>&>(*e.engine().node()->root().component(state)).positions();
}

template <class D>
void moveStates(const test::EngineAccess& e, test::RandomInput& random)
{
    for (const char* name : {"a", "b"})
        dynamic_cast<State<D>&>(*e.engine().node()->root().component(name)).write(vec_id::position)[1] =
            test::randomValue<typename D::Coord>(random);
}

template <class D>
void checkAverageCoord()
{
    const std::string templ(D::name());
    INFO(templ);
    test::checkEngine({.type = "AverageCoord",
                       .attributes = {{"template", templ}, {"mstate", "@/a"}},
                       .fill =
                           [](const test::EngineAccess& e, test::RandomInput& random) {
                               moveStates<D>(e, random);
                               e.set("indices", random.subset(3, 6));
                           },
                       .verify =
                           [](const test::EngineAccess& e) {
                               Vec3 center;
                               const auto& x = positions<D>(e, "a");
                               for (const Index i : e.indices("indices")) center += D::position(x[i]) / 3.;
                               const auto& mean = e.get<typename D::Coord>("average");
                               CHECK(norm(D::position(mean) - center) < 1e-14);
                               if constexpr (std::is_same_v<D, Rigid2Types>) {
                                   double angle = 0.;
                                   for (const Index i : e.indices("indices")) angle += x[i].angle / 3.;
                                   CHECK(mean.angle == Approx(angle));
                               }
                           },
                       .mistakes = {{{{"indices", "6"}}, "indices: point 6 does not exist; the state '/a' has 6"}},
                       .scene =
                           [](Node& root) {
                               test::RandomInput random(5);
                               addStates<D>(root, random);
                           }});
}

template <class D>
void checkEvalPointsDistance()
{
    const std::string templ(D::name());
    INFO(templ);
    test::checkEngine({.type = "EvalPointsDistance",
                       .attributes = {{"template", templ}, {"object1", "@/a"}, {"object2", "@/b"}},
                       .fill = moveStates<D>,
                       .verify =
                           [](const test::EngineAccess& e) {
                               const auto &a = positions<D>(e, "a"), &b = positions<D>(e, "b");
                               const auto& d = e.get<Vector<double>>("distance");
                               REQUIRE(d.size() == 6);
                               double least = 1e300, greatest = 0., sum = 0., squares = 0.;
                               for (std::size_t i = 0; i < 6; ++i) {
                                   const double expected = norm(D::position(a[i]) - D::position(b[i]));
                                   CHECK(d[i] == expected);
                                   least = std::min(least, expected);
                                   greatest = std::max(greatest, expected);
                                   sum += expected;
                                   squares += expected * expected;
                               }
                               CHECK(e.get<double>("distMin") == least);
                               CHECK(e.get<double>("distMax") == greatest);
                               CHECK(e.get<double>("distMean") == Approx(sum / 6.));
                               CHECK(e.get<double>("distDev") ==
                                     Approx(std::sqrt(squares / 6. - sum * sum / 36.)).epsilon(1e-9));
                           },
                       .mistakes = {},
                       .scene =
                           [](Node& root) {
                               test::RandomInput random(6);
                               addStates<D>(root, random);
                           }});
}

}  // namespace

HARNESS_ENGINE("EvalPointsDistance")
{
    checkEvalPointsDistance<Vec3Types>();
    checkEvalPointsDistance<Rigid3Types>();
}

HARNESS_ENGINE("AverageCoord")
{
    checkAverageCoord<Vec3Types>();
    checkAverageCoord<Vec2Types>();
    checkAverageCoord<Rigid3Types>();
    checkAverageCoord<Rigid2Types>();

    Node root("root");
    auto& state = test::addState<Vec3Types>(root, {{0., 0., 0.}, {2., 0., 0.}, {1., 3., 0.}});
    auto& all = test::addComponent<AverageCoord<Vec3Types>>(root, "AverageCoord");
    auto& some = test::addComponent<AverageCoord<Vec3Types>>(root, "AverageCoord", {{"indices", "1 2"}});
    auto& rest = test::addComponent<AverageCoord<Vec3Types>>(root, "AverageCoord", {{"vecId", "2"}});
    REQUIRE(test::initialise(root));
    CHECK(all.d_average.value() == Vec3{1., 1., 0.});
    CHECK(some.d_average.value() == Vec3{1.5, 1.5, 0.});
    state.write(vec_id::position)[0] = {0., 0., 3.};
    CHECK(all.d_average.value() == Vec3{1., 1., 1.});
    CHECK(rest.d_average.value() == Vec3{1., 1., 0.});
    some.d_indices.setValue({0});
    CHECK(some.d_average.value() == Vec3{0., 0., 3.});
}

TEST_CASE("AverageCoord of frames: opposite quaternions are one orientation")
{
    Node root("root");
    const Quat quarter = Quat::fromAxisAngle({0., 0., 1.}, 0.4),
               same(-quarter.q[0], -quarter.q[1], -quarter.q[2], -quarter.q[3]);
    test::addState<Rigid3Types>(root, {{{1., 0., 0.}, quarter},
                                       {{3., 0., 0.}, same},
                                       {{2., 3., 0.}, Quat::fromAxisAngle({0., 0., 1.}, 1.)},
                                       {{2., 1., 0.}, Quat::fromAxisAngle({0., 0., 1.}, 1.)}});
    auto& mean = test::addComponent<AverageCoord<Rigid3Types>>(root, "AverageCoord");
    REQUIRE(test::initialise(root));
    CHECK(mean.d_average.value().center == Vec3{2., 1., 0.});
    CHECK(norm(mean.d_average.value().orientation.toRotationVector() - Vec3{0., 0., 0.7}) < 1e-12);

    Node plane("plane");
    test::addState<Rigid2Types>(plane, {{{1., 0.}, 0.5}, {{3., 2.}, -0.1}});
    auto& angle = test::addComponent<AverageCoord<Rigid2Types>>(plane, "AverageCoord");
    REQUIRE(test::initialise(plane));
    CHECK(angle.d_average.value().center == Vec2{2., 1.});
    CHECK(angle.d_average.value().angle == Approx(0.2));
}

TEST_CASE("AverageCoord: a point or vector that does not exist is an error")
{
    Node root("root");
    test::addState<Vec3Types>(root, {{0., 0., 0.}});
    auto& far = test::addComponent<AverageCoord<Vec3Types>>(root, "AverageCoord", {{"indices", "0 1"}});
    auto& free = test::addComponent<AverageCoord<Vec3Types>>(root, "AverageCoord", {{"vecId", "3"}});
    far.init();
    far.run();
    CHECK_FALSE(far.isValid());
    free.init();
    CHECK_FALSE(free.isValid());
    Node empty("empty");
    CHECK_THROWS(test::addComponent(empty, "AverageCoord"));
}

TEST_CASE("EvalPointsDistance: distances, their statistics and the table")
{
    const sofa::test::TemporaryDirectory folder;
    const auto path = folder / "eval_points_distance_test.txt";
    Node root("root");
    Node& a = *root.createChild("a");
    Node& b = *root.createChild("b");
    test::addState<Vec3Types>(a, {{9., 9., 9.}, {0., 0., 0.}, {6., 0., 0.}});
    auto& moved = test::addState<Vec3Types>(b, {{0., 3., 0.}, {6., 0., 5.}});
    auto& d = test::addComponent<EvalPointsDistance<Vec3Types>>(
        root, "EvalPointsDistance",
        {{"object1", "@a"}, {"object2", "@b"}, {"period", "0.1"}, {"filename", path.string()}});
    REQUIRE(test::initialise(root));
    // The last points of the longer state; the box around the first state has sides of 9.
    CHECK(d.d_distance.value() == Vector<double>{3., 5.});
    CHECK(d.d_distMean.value() == 4.);
    CHECK(d.d_distMin.value() == 3.);
    CHECK(d.d_distMax.value() == 5.);
    CHECK(d.d_distDev.value() == 1.);
    CHECK(d.d_rdistMax.value() == Approx(5. / 9.));

    // The present ones at any time; the table has a line for every second step of 0.05 s.
    moved.write(vec_id::position)[0] = {0., 4., 0.};
    std::vector<double> seen;
    for (int i = 1; i <= 4; ++i) {
        root.d_time.setValue(0.05 * i);
        d.handleEvent(AnimateEndEvent(0.05));
        seen.push_back(d.d_distMin.value());
        moved.write(vec_id::position)[0] = {0., 1. * i, 0.};
    }
    CHECK(seen == std::vector<double>{4., 1., 2., 3.});
    std::ifstream table(path);
    std::string line;
    std::vector<double> least;
    std::getline(table, line);
    while (std::getline(table, line)) {
        std::istringstream words(line);
        std::string name;
        double time = 0., mean = 0.;
        words >> name >> time >> mean >> least.emplace_back();
    }
    CHECK(least == std::vector<double>{4., 2.});
}

TEST_CASE("EvalPointsDistance: a file that cannot be written is an error")
{
    Node root("root");
    test::addState<Rigid3Types>(root, {{{0., 0., 0.}, {}}});
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder / "none/x").string();
    auto& d = test::addComponent<EvalPointsDistance<Rigid3Types>>(root, "EvalPointsDistance", {{"filename", file}});
    const MessageCapture capture;
    d.init();
    CHECK_FALSE(d.isValid());
    CHECK(capture.has(Severity::Error, "filename: cannot write '" + file + "': No such file or directory"));
}

}  // namespace analyze_test
