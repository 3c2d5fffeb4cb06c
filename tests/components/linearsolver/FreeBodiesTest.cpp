// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/linearsolver/MixedScene.h"

namespace free_bodies_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// What is said of free bodies while a static solution is sought.
std::string told(const std::string& bodies, const std::string& solver = "<EigenSparseLU/>")
{
    MessageCapture log;
    auto root = loadSceneText(
        "<Node name='root' gravity='0 0 0'><StaticSolver newtonSolver='@newton'/>"
        "<NewtonRaphsonSolver name='newton'/>" +
            solver + bodies + "</Node>",
        "free.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    std::string all;
    try {
        sim.step();
    } catch (const std::exception& e) {
        all = e.what();
    }
    all += log.text();
    const auto at = all.find("Nothing resists");
    return at == std::string::npos ? std::string() : all.substr(at);
}

const std::string cube =
    "<RegularGridTopology n='3 3 3' min='0 0 0' max='1 1 1'/><MechanicalObject name='dofs'/>"
    "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3' method='small'/>"
    "<ConstantForceField indices='26' forces='1 2 3'/>";

}  // namespace

TEST_CASE("a singular matrix names the bodies that nothing holds, and their motions")
{
    const auto is = [](const std::string& text) { return Catch::Matchers::StartsWith(text); };
    SECTION("wholly free")
    {
        for (const char* solver :
             {"<SparseLDLSolver/>", "<EigenSimplicialLDLT/>", "<EigenSparseLU/>", "<CholeskySolver/>"})
            CHECK_THAT(
                told("<Node name='bar'>" + cube + "</Node>", solver),
                is("Nothing resists translations along x, y and z and rotations about every axis of /bar/dofs: a "
                   "FixedProjectiveConstraint"));
    }
    SECTION("held at a point, or along a hinge")
    {
        CHECK_THAT(told("<Node name='bar'>" + cube + "<FixedProjectiveConstraint name='fixed' indices='0'/></Node>"),
                   is("Nothing resists rotations about every axis of /bar/dofs, on which /bar/fixed "
                      "(FixedProjectiveConstraint) acts: more of its points must be held"));
        CHECK_THAT(told("<Node name='bar'>" + cube + "<FixedProjectiveConstraint name='fixed' indices='0 2'/></Node>"),
                   is("Nothing resists rotation about x through (0.5 0 0) of /bar/dofs, on which"));
        CHECK_THAT(told("<Node name='bar'>" + cube +
                        "<PartialFixedProjectiveConstraint name='rail' fixAll='1' fixedDirections='0 1 1'/></Node>"),
                   is("Nothing resists translation along x of /bar/dofs"));
    }
    SECTION("of two bodies that hang together")
    {
        const std::string pair =
            "<Node name='a'><MechanicalObject name='x' position='0 0 0  1 0 0  0 1 0'/>"
            "<SpringForceField spring='0 1 100 0 1  1 2 100 0 1.41421356237  0 2 100 0 1'/></Node>"
            "<Node name='b'><MechanicalObject name='x' position='0 0 0'/><ConstantForceField indices='0' forces='1 2 "
            "3'/></Node>"
            "<SpringForceField object1='@a/x' object2='@b/x' spring='0 0 100 0 0'/>";
        CHECK_THAT(told(pair), Catch::Contains("of /a/x and /b/x"));
        // Springs at rest resist nothing across themselves: that translation is free without any stiffness.
        CHECK_THAT(told(pair), is("Nothing resists translations along x, y and z"));
    }
    SECTION("of frames")
    {
        CHECK_THAT(
            told("<Node name='rod'><MechanicalObject name='x' template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 "
                 "0 1'/><MeshTopology lines='0 1'/><ConstantForceField indices='1' forces='0 1 0 0 0 "
                 "0'/><BeamFEMForceField radius='0.1' youngModulus='1e5' "
                 "poissonRatio='0.3'/></Node>"),
            is("Nothing resists translations along x, y and z and rotations about every axis of /rod/x"));
    }
    SECTION("one that is held is not named")
    {
        CHECK(told("<Node name='bar'>" + cube + "<FixedProjectiveConstraint indices='0 2 6'/></Node>").empty());
        // Pulled by springs that are soft beside the body, which no motion is free of.
        CHECK(told("<Node name='bar'>" + cube + "<RestShapeSpringsForceField stiffness='1e-2'/></Node>").empty());
    }
}

}  // namespace free_bodies_test
