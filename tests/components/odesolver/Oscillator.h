// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace sofa::test {

struct Run
{
    double x, v;
};

/// A point on a spring, and what moves it.
struct SpringScene
{
    std::string solvers;        ///< components of the node: integrator and linear solver
    double h = 0.01;            ///< time step [s]
    core::Vec3 x{1.1, 0., 0.};  ///< of the point at the beginning [m]; the other end is the origin
    core::Vec3 v{};             ///< [m/s]
    std::string spring{};       ///< more attributes of the spring
    std::string mass{};         ///< more attributes of the mass
    std::string more{};         ///< more components
    double stiffness = 4.;      ///< [N/m]
    core::Vec3 gravity{};       ///< [m/s²]

    std::shared_ptr<core::Node> load() const
    {
        return core::loadSceneText(
            "<Node name='root' gravity='" + core::toText(gravity) + "' dt='" + core::toText(h) + "'>" + solvers +
                "<MechanicalObject name='p' position='0 0 0  " + core::toText(x) + "' velocity='0 0 0  " +
                core::toText(v) + "'/><UniformMass vertexMass='1' " + mass +
                "/><FixedProjectiveConstraint indices='0'/><SpringForceField name='spring' spring='0 1 " +
                core::toText(stiffness) + " 0 1' " + spring + "/>" + more + "</Node>",
            "spring.scn");
    }
};

/// A simulation of the scene, with position and velocity of the point.
class SpringRun
{
public:
    explicit SpringRun(const SpringScene& scene) : root(scene.load()), simulation(root)
    {
        REQUIRE(simulation.init());
        m_state = root->get<core::State<core::Vec3Types>>(core::Search::Down);
    }
    SpringRun& run(int steps)
    {
        for (int i = 0; i < steps; ++i) simulation.step();
        return *this;
    }
    const core::Vec3& x() const { return m_state->positions()[1]; }
    const core::Vec3& v() const { return m_state->velocities()[1]; }

    std::shared_ptr<core::Node> root;
    core::Simulation simulation;

private:
    const core::State<core::Vec3Types>* m_state = nullptr;
};

/// One point of mass 1 kg on a spring of 4 N/m, rest length 1, along x, released at 1.1: ω = 2 rad/s about x = 1.
inline Run oscillator(const std::string& solvers, double h, int steps, double x0 = 1.1)
{
    const SpringRun r = SpringRun({.solvers = solvers, .h = h, .x = {x0, 0., 0.}}).run(steps);
    return {r.x()[0], r.v()[0]};
}

}  // namespace sofa::test
