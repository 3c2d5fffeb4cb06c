// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "tests/harness/SceneText.h"

namespace idle_components_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// The warnings of a scene, one a line.
std::string warnings(const std::string& body)
{
    const MessageCapture messages;
    const test::SceneText s(body);
    INFO(messages.text());
    CHECK(s.good);
    std::string all;
    for (const Message& m : messages.messages())
        if (m.severity >= Severity::Warning) all += m.str() + '\n';
    return all;
}

bool has(const std::string& all, const std::string& part) { return all.find(part) != std::string::npos; }

const std::string point = "<MechanicalObject/><UniformMass totalMass='1'/>";
const std::string implicit = "<EulerImplicitSolver/><SparseLDLSolver/>";
const std::string fixedByForces = point + "<LinearSolverConstraintCorrection/><FixedLagrangianConstraint indices='0'/>";

}  // namespace

TEST_CASE("A complete scene has no warning")
{
    CHECK(warnings(implicit + point) == "");
    CHECK(warnings("<Node name='a'>" + implicit + point + "</Node><Node name='b'>" + implicit + point + "</Node>") ==
          "");
    CHECK(warnings("<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver/>" + implicit + fixedByForces) == "");
}

TEST_CASE("Forces and masses that no integrator moves are told with their place")
{
    const std::string all = warnings("<Node name='a'>" + point + "</Node>");
    CHECK(has(all, "test.scn:1:"));
    CHECK(has(all,
              "/a/UniformMass1 (UniformMass): no integrator moves /a/MechanicalObject1: it acts on nothing; an "
              "integrator (EulerImplicitSolver, ...) is needed in node '/a' or above"));
    CHECK(has(warnings("<Node name='a'>" + implicit + point +
                       "</Node><Node name='b'><MechanicalObject/>"
                       "<ConstantForceField forces='1 0 0'/></Node>"),
              "/b/ConstantForceField1 (ConstantForceField): no integrator moves /b/MechanicalObject1"));
    // A spring to what stands still is a force on the other end.
    const std::string spring = "<SpringForceField object1='@a/x' object2='@b/x' spring='0 0 1 0 1'/>";
    const std::string still = "<Node name='b'><MechanicalObject name='x'/></Node>";
    CHECK(warnings("<Node name='a'>" + implicit + "<MechanicalObject name='x'/><UniformMass/></Node>" + still +
                   spring) == "");
    CHECK(has(warnings("<Node name='a'><MechanicalObject name='x'/></Node>" + still + spring), "SpringForceField"));
    // Nor is what is switched off.
    CHECK(warnings("<Node name='a' activated='0'>" + point + "</Node>") == "");
}

TEST_CASE("Integrators that nothing calls, that have nothing, or that are one too many are told")
{
    CHECK(has(warnings("<Node name='a'>" + implicit + "</Node>"),
              "/a/EulerImplicitSolver1 (EulerImplicitSolver): there is no state in its node or below"));
    CHECK(has(warnings(implicit + point + "<Node name='a'>" + implicit + point + "</Node>"),
              "/a/EulerImplicitSolver1 (EulerImplicitSolver): no step calls it: /EulerImplicitSolver1 "
              "(EulerImplicitSolver) above integrates all that is below"));
    CHECK(has(warnings("<EulerExplicitSolver/>" + implicit + point),
              "EulerImplicitSolver1 (EulerImplicitSolver): another integrator of its node integrates the same states"));
}

TEST_CASE("Linear solvers that nothing uses are told")
{
    CHECK(has(warnings("<EulerExplicitSolver/><Node name='a'>" + point + "<CGLinearSolver/></Node>"),
              "/a/CGLinearSolver1 (CGLinearSolver): nothing uses it"));
    CHECK(warnings("<EulerImplicitSolver/><PCGLinearSolver preconditioner='@f'/><SparseLDLSolver name='f'/>" + point) ==
          "");
}

TEST_CASE("Constraints that no loop solves are told, with what is missing")
{
    const std::string all = warnings("<BlockGaussSeidelConstraintSolver/>" + implicit + fixedByForces);
    CHECK(has(all,
              "(FixedLagrangianConstraint): the animation loop /DefaultAnimationLoop1 (DefaultAnimationLoop) solves "
              "no constraints by forces: it holds nothing; a FreeMotionAnimationLoop is needed in the root node"));
    CHECK(has(all, "(BlockGaussSeidelConstraintSolver): the animation loop"));
}

}  // namespace idle_components_test
