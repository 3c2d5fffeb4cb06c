// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace blended_frames_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Scene : SceneText
{
    using SceneText::SceneText;
    BaseMapping& mapping() { return *root->child("skin")->get<BaseMapping>(Search::Local); }
    const Vector<Vec3>& x() { return root->child("skin")->get<State<Vec3Types>>(Search::Local)->positions(); }
    void setFrames(Vector<RigidCoord3> x)
    {
        auto& state = *root->get<State<Rigid3Types>>(Search::Local);
        *state.write(vec_id::position) = std::move(x);
        mapping().apply({}, vec_id::position, vec_id::position);
    }
};

const std::string frames =
    "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0.6 0 0.8  2 0.1 0 0 0 0 1  3 0 0 0.5 0.5 "
    "0.5 "
    "0.5  4 0 0 0 0 0 1'/>";
const std::string points = "0.2 0.3 0  1.4 -0.2 0.1  2.5 0.3 0.3  3.9 0 0.2";

std::string skin(const std::string& mapping, const std::string& at = points, const std::string& bones = frames)
{
    return bones + "<Node name='skin'><MechanicalObject position='" + at + "'/><" + mapping + "/></Node>";
}

double deviation(const Vector<Vec3>& x, const Vector<Vec3>& y)
{
    REQUIRE(x.size() == y.size());
    double worst = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, norm(x[i] - y[i]));
    return worst;
}

}  // namespace

HARNESS_MAPPING("SkinningMapping")
{
    for (const std::string method : {"Linear", "DualQuaternion"})
        for (const std::string stiffness : {"Exact", "None"}) {
            Scene s(skin("SkinningMapping nbRef='3' method='" + method + "' geometricStiffness='" + stiffness + "'"));
            REQUIRE(s.good);
            checkMapping(s.mapping(), {.translates = true, .exactGeometricStiffness = stiffness == "Exact"});
        }
}
HARNESS_MAPPING("BeamLinearMapping")
{
    for (const std::string local : {"true", "false"}) {
        Scene s(skin("BeamLinearMapping geometricStiffness='Exact' localCoord='" + local + "'"));
        REQUIRE(s.good);
        checkMapping(s.mapping(), {.translates = true});
    }
}

TEST_CASE("A skin at rest is where it was, and moves as a body with its frames", "[mapping]")
{
    const Quat turn = Quat::fromRotationVector({0.4, -0.3, 2.2});
    const Vec3 shift(3, 4, 5);
    for (const std::string& mapping :
         {std::string("SkinningMapping"), std::string("SkinningMapping method='DualQuaternion' weighting='1/d'"),
          std::string("SkinningMapping weighting='Gaussian' nbRef='2'"),
          std::string("BeamLinearMapping localCoord='false'")}) {
        Scene s(skin(mapping));
        REQUIRE(s.good);
        const Vector<Vec3> rest{{0.2, 0.3, 0}, {1.4, -0.2, 0.1}, {2.5, 0.3, 0.3}, {3.9, 0, 0.2}};
        CHECK(deviation(s.x(), rest) < 1e-14);
        Vector<RigidCoord3> moved = s.root->get<State<Rigid3Types>>(Search::Local)->positions();
        for (auto& f : moved) f = {turn.rotate(f.center) + shift, turn * f.orientation};
        s.setFrames(moved);
        Vector<Vec3> expected;
        for (const Vec3& x : rest) expected.push_back(turn.rotate(x) + shift);
        CHECK(deviation(s.x(), expected) < 1e-14);
    }
}

TEST_CASE("Weights of a skin are those of the nearest frames", "[mapping]")
{
    const auto weights = [](const std::string& attributes, const std::string& at) {
        Scene s(
            "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  3 0 0 0 0 0 1  0 9 0 0 0 0 1'/><Node "
            "name='skin'><MechanicalObject position='" +
            at + "'/><SkinningMapping " + attributes + "/></Node>");
        REQUIRE(s.good);
        // The weight of a frame is how much its shift moves the point.
        std::array<double, 3> w{};
        const auto rest = s.x();
        for (std::size_t k = 0; k < 3; ++k) {
            Vector<RigidCoord3> x{{{0, 0, 0}, {}}, {{3, 0, 0}, {}}, {{0, 9, 0}, {}}};
            x[k].center[2] += 1.;
            s.setFrames(x);
            w[k] = s.x()[0][2] - rest[0][2];
        }
        return w;
    };
    const auto same = [](const std::array<double, 3>& a, const std::array<double, 3>& b) {
        double worst = 0.;
        for (std::size_t k = 0; k < 3; ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
        return worst < 1e-14;
    };
    CHECK(same(weights("nbRef='2'", "1 0 0"), {0.8, 0.2, 0.}));
    CHECK(same(weights("nbRef='2' weighting='1/d'", "1 0 0"), {2. / 3., 1. / 3., 0.}));
    const double a = std::exp(-0.5), b = std::exp(-2.);
    CHECK(same(weights("nbRef='2' weighting='Gaussian' gaussianWidth='1'", "1 0 0"), {a / (a + b), b / (a + b), 0.}));
    CHECK(same(weights("nbRef='1'", "1 0 0"), {1., 0., 0.}));
    CHECK(same(weights("", "3 0 0"), {0., 1., 0.}));  // a point at a frame follows it alone
    CHECK(same(weights("indices='[0, 2]' weight='[1, 3]'", "1 0 0"), {0.25, 0., 0.75}));
}

TEST_CASE("A twisted skin keeps its thickness by dual quaternions, and loses it by linear blending", "[mapping]")
{
    // Half-way between two frames, one of which turns by 170 degrees about the axis.
    const double angle = 170. * 3.14159265358979323846 / 180.;
    const auto radius = [&](const std::string& method) {
        Scene s(skin("SkinningMapping nbRef='2' method='" + method + "'", "1 0.5 0",
                     "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  2 0 0 0 0 0 1'/>"));
        REQUIRE(s.good);
        s.setFrames({{{0, 0, 0}, {}}, {{2, 0, 0}, Quat::fromRotationVector({angle, 0, 0})}});
        CHECK(std::abs(s.x()[0][0] - 1.) < 1e-14);
        return std::hypot(s.x()[0][1], s.x()[0][2]);
    };
    CHECK(std::abs(radius("DualQuaternion") - 0.5) < 1e-14);
    CHECK(std::abs(radius("Linear") - 0.5 * std::cos(angle / 2.)) < 1e-14);
}

TEST_CASE("Places on beams are numbers of beams and parts of their lengths", "[mapping]")
{
    Scene s(skin("BeamLinearMapping", "0.5 0 0  1 0.1 0  1.25 0 0.2",
                 "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  2 0 0 0 0 0 1  3 0 0 0 0 0 1'/>"));
    REQUIRE(s.good);
    CHECK(deviation(s.x(), {{1, 0, 0}, {2, 0.1, 0}, {2.25, 0, 0.2}}) < 1e-15);
    // The last end goes up: 3 s² − 2 s³ of it at s = 0.25.
    s.setFrames({{{0, 0, 0}, {}}, {{2, 0, 0}, {}}, {{3, 1, 0}, {}}});
    CHECK(deviation(s.x(), {{1, 0, 0}, {2, 0.1, 0}, {2.25, 0.15625, 0.2}}) < 1e-15);
}

TEST_CASE("What a skin lacks is an error that says so", "[mapping]")
{
    const auto said = [](const std::string& scene) {
        MessageCapture log;
        CHECK_FALSE(Scene(scene).good);
        return log.text();
    };
    CHECK_THAT(said(skin("SkinningMapping indices='[0] [1]' weight='[1] [1]'")),
               Catch::Contains("indices has 2 lists; expected 4"));
    CHECK_THAT(said(skin("SkinningMapping indices='[0] [1] [1] [9]' weight='[1] [1] [1] [1]'")),
               Catch::Contains("frame 9 does not exist: the input has 5 frames"));
    CHECK_THAT(said(skin("SkinningMapping indices='[0] [1] [1] [2, 3]' weight='[1] [1] [1] [1]'")),
               Catch::Contains("point 3: 2 frames have 1 weights"));
    CHECK_THAT(said(skin("SkinningMapping indices='[0] [1] [1] [2]' weight='[1] [-1] [1] [1]'")),
               Catch::Contains("point 1: weight -1"));
    CHECK_THAT(said(skin("BeamLinearMapping", points, "<MechanicalObject template='Rigid3'/>")),
               Catch::Contains("expected two at least"));
}

}  // namespace blended_frames_test
