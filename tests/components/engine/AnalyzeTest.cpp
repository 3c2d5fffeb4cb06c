// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "components/engine/AverageCoord.h"
#include "components/engine/EvalPointsDistance.h"
#include "core/objectmodel/Event.h"
#include "tests/harness/EngineCheck.h"
#include "tests/harness/Paths.h"

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;

HARNESS_ENGINE("AverageCoord")
{
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

    // Evaluated every second step of 0.05 s.
    moved.write(vec_id::position)[0] = {0., 4., 0.};
    std::vector<double> seen;
    for (int i = 1; i <= 4; ++i) {
        root.d_time.setValue(0.05 * i);
        d.handleEvent(AnimateEndEvent(0.05));
        seen.push_back(d.d_distMin.value());
        moved.write(vec_id::position)[0] = {0., 1. * i, 0.};
    }
    CHECK(seen == std::vector<double>{4., 4., 2., 2.});
    std::ifstream table(path);
    int lines = 0;
    for (std::string line; std::getline(table, line);) ++lines;
    CHECK(lines == 3);
}

TEST_CASE("EvalPointsDistance: a file that cannot be written is an error")
{
    Node root("root");
    test::addState<Rigid3Types>(root, {{{0., 0., 0.}, {}}});
    auto& d = test::addComponent<EvalPointsDistance<Rigid3Types>>(root, "EvalPointsDistance",
                                                                  {{"filename", "/there/is/no/folder/x"}});
    CHECK_THROWS_WITH(d.init(), "cannot write '/there/is/no/folder/x': No such file or directory");
}
