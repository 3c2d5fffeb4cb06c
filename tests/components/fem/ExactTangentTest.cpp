// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>

#include "components/odesolver/NewtonRaphsonSolver.h"
#include "core/behavior/State.h"
#include "tests/harness/SceneText.h"

namespace exact_tangent_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// Squared residuals of Newton's method for a static solution; the body must have moved by more than 0.2 m.
Vector<double> residuals(const std::string& body, const std::string& forceField, bool exact)
{
    test::SceneText s(
        "<StaticSolver newtonSolver='@newton'/><NewtonRaphsonSolver name='newton' "
        "maxNbIterationsNewton='60' maxNbIterationsLineSearch='1' relativeSuccessiveStoppingThreshold='0' "
        "relativeInitialStoppingThreshold='0' absoluteResidualStoppingThreshold='1e-9' "
        "relativeEstimateDifferenceThreshold='0' absoluteEstimateDifferenceThreshold='0'/><EigenSparseLU/>" +
            body + "<" + forceField + " tangent='" + (exact ? "1" : "0") + "'/>",
        "1", "0 0 0");
    REQUIRE(s.good);
    const auto* state = s.root->get<State<Vec3Types>>();
    const Vector<Vec3> rest = state->positions();
    s.step();
    double moved = 0.;
    for (std::size_t i = 0; i < rest.size(); ++i) moved = std::max(moved, norm(state->positions()[i] - rest[i]));
    CHECK(moved > 0.2);
    return s.root->get<component::NewtonRaphsonSolver>()->d_residualGraph.value();
}

const std::string bar =
    "<RegularGridTopology name='grid' n='7 3 3' min='0 0 0' max='2 0.4 0.4'/><MechanicalObject/>"
    "<BoxROI name='end' box='-0.1 -1 -1 0.1 1 1'/><FixedProjectiveConstraint indices='@end.indices'/>"
    "<BoxROI name='tip' box='1.9 -1 -1 2.1 1 1'/>"
    "<ConstantForceField indices='@tip.indices' totalForce='0 6 3'/>";
const std::string sheet =
    "<RegularGridTopology name='grid' n='5 5 1' min='0 0 0' max='1 1 0'/><MechanicalObject/>"
    "<BoxROI name='end' box='-0.1 -1 -1 0.1 2 1'/><FixedProjectiveConstraint indices='@end.indices'/>"
    "<BoxROI name='corner' box='0.9 0.9 -1 1.1 1.1 1'/>"
    "<ConstantForceField indices='@corner.indices' totalForce='0 20 0'/>"
    "<RestShapeSpringsForceField stiffness='1'/>";

}  // namespace

TEST_CASE("Newton's method converges quadratically with the exact tangents of corotational elements")
{
    const auto [body, forceField] = GENERATE_COPY(values<std::pair<std::string, std::string>>(
        {{bar, "TetrahedronFEMForceField method='large' youngModulus='3000' poissonRatio='0.3'"},
         {bar, "TetrahedronFEMForceField method='polar' youngModulus='3000' poissonRatio='0.3'"},
         {bar, "TetrahedronFEMForceField method='svd' youngModulus='3000' poissonRatio='0.3'"},
         {bar, "HexahedronFEMForceField method='large' youngModulus='3000' poissonRatio='0.3'"},
         {bar, "HexahedronFEMForceField method='polar' youngModulus='3000' poissonRatio='0.3'"},
         {sheet, "TriangleFEMForceField youngModulus='400' poissonRatio='0.3'"}}));
    CAPTURE(forceField);
    const auto exact = residuals(body, forceField, true), frozen = residuals(body, forceField, false);
    CAPTURE(std::vector<double>(exact.begin(), exact.end()), std::vector<double>(frozen.begin(), frozen.end()));
    // Between 1 and 1e-8 N the number of correct digits doubles with each step; frozen frames gain them one by one, or
    // lose them again.
    const auto between = [](const Vector<double>& r) {
        return std::ranges::count_if(r, [](double squared) { return squared < 1. && squared > 1e-16; });
    };
    CHECK(exact.size() < 16);
    CHECK(exact.back() < 1e-16);
    CHECK(between(exact) <= 3);
    CHECK((between(frozen) > 8 || frozen.back() > 1.));
}

TEST_CASE("an exact tangent is refused where there is none")
{
    const auto refused = [](const std::string& forceField) {
        test::SceneText s("<EulerImplicitSolver/><CGLinearSolver/>" + bar + forceField, "0.01", "0 0 0");
        return !s.good;
    };
    CHECK(refused("<TetrahedronFEMForceField tangent='1' updateStiffnessMatrix='1'/>"));
    CHECK(refused("<TetrahedronFEMForceField tangent='1' plasticMaxThreshold='0.1'/>"));
    CHECK(refused("<TetrahedronFEMForceField tangent='1' volumetricStrain='averaged'/>"));
    CHECK(refused("<HexahedronFEMForceField tangent='1' updateStiffnessMatrix='1'/>"));
    CHECK_FALSE(refused("<TetrahedronFEMForceField tangent='1'/>"));
}

}  // namespace exact_tangent_test
