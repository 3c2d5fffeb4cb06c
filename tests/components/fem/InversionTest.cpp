// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Numerics.h"

using namespace sofa::core;

TEST_CASE("materials that recover from inversion do so with their defaults: no step gains energy")
{
    const std::string laws[] = {
        "<HyperelasticityFEMForceField elements='hexahedra' materialName='StableNeoHookean' ParameterSet='3e4 1e5'/>",
        "<InvertibleFEMForceField material='neoHookean' youngModulus='1e5' poissonRatio='0.4' "
        "inversionThreshold='0.3'/>"};
    for (const std::string& law : laws) {
        INFO(law);
        // A cube of 27 elements whose points are anywhere in a cube of the same size.
        sofa::test::Random random(3);
        std::string points;
        for (int i = 0; i < 64; ++i) {
            const Eigen::VectorXd p = random.vector(3);
            points += toText(Vec3{0.5 + 0.5 * p[0], 0.5 + 0.5 * p[1], 0.5 + 0.5 * p[2]}) + "  ";
        }
        auto root = loadSceneText(
            "<Node name='root' dt='0.01' gravity='0 0 0'><EulerImplicitSolver/><SparseLDLSolver/>"
            "<RegularGridTopology name='grid' n='4 4 4' min='0 0 0' max='1 1 1'/>"
            "<MechanicalObject rest_position='@grid.position' position='" +
                points + "'/><UniformMass totalMass='10'/>" + law + "</Node>",
            "inverted.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        const double before = sim.energy().potential;
        double potential = before;
        for (int i = 0; i < 200; ++i) {
            sim.step();
            const Simulation::Energy e = sim.energy();
            CHECK(e.kinetic + e.potential < before);
            potential = e.potential;
        }
        CHECK(potential < 0.2 * before);
    }
}
