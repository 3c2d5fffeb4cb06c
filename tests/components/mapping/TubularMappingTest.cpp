// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/TubularMapping.h"

#include <numbers>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/mapping/MappingFixture.h"
#include "tests/harness/MappingCheck.h"

namespace tubular_mapping_test {

using namespace sofa::test;
using sofa::component::TubularMapping;
using Tube = MappedPair<TubularMapping, Rigid3Types, Vec3Types>;

namespace {

const Quat turn = Quat::fromRotationVector({0.4, -0.3, 0.9});
const Vector<RigidCoord3> frames{{{1., 2., 3.}, turn},
                                 {{-1., 0., 2.}, Quat::fromRotationVector({-1., 0.2, 0.1})},
                                 {{0., 4., 0.}, {}},
                                 {{0., 5., 0.}, turn}};

std::string fails(const std::string& mapping, const std::string& mesh = "")
{
    MessageCapture messages;
    auto root = loadSceneText(
        "<Node name='root'><EdgeSetTopologyContainer position='0 0 0 1 0 0' edges='0 1'/><MechanicalObject "
        "template='Rigid3' position='0 0 0 0 0 0 1 1 0 0 0 0 0 1'/><Node name='tube'>" +
            mesh + "<MechanicalObject/><TubularMapping name='m' " + mapping + "/></Node></Node>",
        "tube.scn");
    REQUIRE(root);
    Simulation simulation(root);
    CHECK_FALSE(simulation.init());
    for (const Component* c : root->child("tube")->getAll<Component>(Search::Local))
        if (!c->isValid()) return c->messages().back().text;
    return {};
}

}  // namespace

TEST_CASE("TubularMapping lays circles across the x axes of frames", "[mapping]")
{
    Tube p(frames, {});
    p.mapping.d_nbPointsOnEachCircle.setValue(5);
    p.mapping.d_radius.setValue(0.5);
    p.init();
    REQUIRE(p.mapping.isValid());
    REQUIRE(p.out.size() == 20);
    for (Index i = 0; i < 20; ++i) {
        const RigidCoord3& f = frames[i / 5];
        const Vec3 r = f.orientation.inverseRotate(p.out.positions()[i] - f.center);
        CHECK(std::abs(r[0]) < 1e-15);
        CHECK(norm(r) == Approx(0.5).epsilon(1e-14));
        CHECK(std::remainder(std::atan2(r[2], r[1]) - 2. * std::numbers::pi * (i % 5) / 5., 2. * std::numbers::pi) ==
              Approx(0.).margin(1e-14));
    }
    // A force on a point: the same force, and its torque, on the frame.
    Vector<Vec3> f(20);
    f[7] = {1., -2., 0.5};
    p.out.d_force.setValue(f);
    p.in.clear(vec_id::force);
    p.mapping.applyJT(MechanicalParams(), vec_id::force, vec_id::force);
    const auto& g = p.in.forces();
    CHECK(norm(Rigid3Types::linear(g[1]) - f[7]) < 1e-15);
    CHECK(norm(Rigid3Types::angular(g[1]) - cross(p.out.positions()[7] - frames[1].center, f[7])) < 1e-15);
    CHECK(norm(Rigid3Types::linear(g[0])) + norm(Rigid3Types::linear(g[2])) == 0.);
}

TEST_CASE("TubularMapping has peaks at either end", "[mapping]")
{
    for (const int peak : {2, -3, 9}) {
        Tube p(frames, {});
        p.mapping.d_nbPointsOnEachCircle.setValue(4);
        p.mapping.d_radius.setValue(0.6);
        p.mapping.d_peak.setValue(peak);
        p.init();
        for (Index i = 0; i < 4; ++i) {
            double expected = 0.6;
            if (peak == 2 && i < 2) expected *= i / 2.;
            if (peak == -3 && i > 0) expected *= (3 - i) / 3.;
            if (peak == 9) expected *= i / 9.;
            CHECK(norm(p.out.positions()[4 * i + 1] - frames[i].center) == Approx(expected).margin(1e-15));
        }
    }
}

HARNESS_MAPPING("TubularMapping")
{
    Tube p(frames, {});
    p.mapping.d_nbPointsOnEachCircle.setValue(6);
    p.mapping.d_radius.setValue(0.3);
    p.mapping.d_peak.setValue(-1);
    p.init();
    checkMapping(p.mapping, {.translates = true, .exactGeometricStiffness = false});
}

TEST_CASE("TubularMapping says what it needs", "[mapping]")
{
    CHECK(fails("nbPointsOnEachCircle='2' radius='1'").find("three points at least, not 2") != std::string::npos);
    CHECK(fails("nbPointsOnEachCircle='8'").find("radius must be given") != std::string::npos);
    const std::string mesh =
        "<QuadSetTopologyContainer name='quads'/><Edge2QuadTopologicalMapping name='map' nbPointsOnEachCircle='6' "
        "radius='1'/>";
    CHECK(fails("nbPointsOnEachCircle='8' radius='1'", mesh)
              .find("makes 12 points, but there are 16: 8 around each of the 2 frames") != std::string::npos);
}

}  // namespace tubular_mapping_test
