// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/SceneText.h"

namespace map_matrices_test {

using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("mapMatrices takes mapped stiffness out of linear systems, and forces stay")
{
    // A point of mass m whose image hangs on a spring k, which begins stretched by u: backward Euler with the stiffness
    // gives v = -h k u / (m + h² k), without it v = -h k u / m.
    const double m = 2., k = 300., u = 0.1, h = 0.1;
    for (const std::string solver :
         {"<SparseLDLSolver/>", "<CGLinearSolver tolerance='1e-14' threshold='1e-14' assembly='never'/>",
          "<CGLinearSolver tolerance='1e-14' threshold='1e-14' assembly='always'/>"}) {
        const auto velocity = [&](const std::string& attribute) {
            SceneText s("<EulerImplicitSolver/>" + solver +
                            "<MechanicalObject name='x' position='0.1 0 0'/><UniformMass vertexMass='2'/>"
                            "<Node name='image'><MechanicalObject position='0.1 0 0' rest_position='0 0 0'/>"
                            "<RestShapeSpringsForceField stiffness='300'/><IdentityMapping " +
                            attribute + "/></Node>",
                        "0.1", "0 0 0");
            REQUIRE(s.good);
            s.step();
            return s.root->get<State<Vec3Types>>(Search::Local)->velocities()[0][0];
        };
        INFO(solver);
        CHECK(velocity("") == Approx(-h * k * u / (m + h * h * k)));
        CHECK(velocity("mapMatrices='1'") == Approx(-h * k * u / (m + h * h * k)));
        CHECK(velocity("mapMatrices='0'") == Approx(-h * k * u / m));
        CHECK(velocity("mapForces='0'") == 0.);
    }
}

}  // namespace map_matrices_test
