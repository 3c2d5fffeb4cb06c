// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/BaseMapping.h"
#include "core/objectmodel/Node.h"
#include "core/visitor/ExecutionPlan.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace void_mapping_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

const std::string body =
    "<EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='points' position='0 0 0  1 0 0'/>"
    "<UniformMass totalMass='2'/>";

std::string scene(const std::string& below, const std::string& above = body)
{
    return above + "<Node name='child'>" + below + "</Node>";
}
const std::string frame =
    "<MechanicalObject template='Rigid3' position='1 2 3 0 0 0 1' velocity='4 0 0 0 0 1'/><UniformMass totalMass='5'/>";

}  // namespace

HARNESS_MAPPING("VoidMapping")
{
    // Between states of types that no mapping joins. Its Jacobian is zero, which is what its products say.
    SceneText s(scene(frame + "<VoidMapping/>"));
    REQUIRE(s.good);
    auto& m = *s.child("child").get<BaseMapping>(Search::Local);
    auto& in = *s.root->get<State<Vec3Types>>(Search::Local);
    auto& out = s.state<Rigid3Types>("child");
    REQUIRE(m.inputs() == std::vector<BaseState*>{&in});
    REQUIRE(m.outputs() == std::vector<BaseState*>{&out});
    CHECK(m.isLinear());
    CHECK(m.jacobian(0, 0) == nullptr);
    for (const VecDerivId v : {vec_id::force, vec_id::dx}) {
        in.allocate(v);
        out.allocate(v);
        (*in.write(v))[0] = {1, 2, 3};
        (*out.write(v))[0] = Vec6::filled(7.);
    }
    m.applyJ({}, vec_id::dx, vec_id::dx);
    CHECK(out.read(vec_id::dx)[0] == Vec6());
    m.applyJT({}, vec_id::force, vec_id::force);
    CHECK(in.read(vec_id::force)[0] == Vec3(1, 2, 3));
    m.applyJ({}, vec_id::velocity, vec_id::velocity);
    CHECK(out.velocities()[0] == Vec6(4, 0, 0, 0, 0, 1));
    out.allocate(vec_id::freePosition);
    m.apply({}, vec_id::freePosition, vec_id::freePosition);
    CHECK(out.read(vec_id::freePosition)[0] == out.positions()[0]);
}

TEST_CASE("Nothing moves the output of a void mapping, and nothing comes from it", "[mapping]")
{
    for (const std::string linear :
         {"<SparseLDLSolver/>", "<CGLinearSolver iterations='20' tolerance='1e-12' threshold='1e-20'/>"}) {
        const std::string above = "<EulerImplicitSolver/>" + linear +
                                  "<MechanicalObject position='0 0 0  1 0 0'/><UniformMass totalMass='2'/>";
        SceneText s(scene(frame + "<VoidMapping/>", above)), alone(above);
        REQUIRE(s.good);
        REQUIRE(alone.good);
        s.step(10);
        alone.step(10);
        const auto& x = s.root->get<State<Vec3Types>>(Search::Local)->positions();
        CHECK(x == alone.root->get<State<Vec3Types>>(Search::Local)->positions());
        CHECK(x[0][1] < -0.01);
        CHECK(s.state<Rigid3Types>("child").positions()[0] == RigidCoord3{{1, 2, 3}, {}});
        CHECK_FALSE(ExecutionPlan::of(*s.root).isIndependent(s.state<Rigid3Types>("child")));
    }
}

TEST_CASE("A void mapping needs no state above, but one to hold", "[mapping]")
{
    SceneText alone(
        "<EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject position='0 1 0'/><UniformMass "
        "totalMass='1'/><VoidMapping/>");
    REQUIRE(alone.good);
    alone.step(3);
    CHECK(alone.root->get<State<Vec3Types>>(Search::Local)->positions()[0] == Vec3(0, 1, 0));

    const auto said = [](const std::string& text) {
        MessageCapture log;
        CHECK_FALSE(SceneText(text).good);
        return log.text();
    };
    CHECK_THAT(said(scene("<VoidMapping/>")), Catch::Contains("it needs an output"));
    CHECK_THAT(said(scene(frame + "<VoidMapping input='@.' output='@.'/>")), Catch::Contains("the same state"));
}

}  // namespace void_mapping_test
