// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// What all integrators of the registry have in common: a free body of springs that spins, swings and falls.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/behavior/State.h"
#include "core/factory/Registry.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace integrators_test {

using namespace sofa::core;

namespace {

constexpr double mass = 0.5, duration = 0.4;
const Vec3 gravity{0.3, -9.81, 0.};

/// Four masses, each on springs to the others which are stretched at the beginning. What an integrator may need stands
/// beside it.
struct Body
{
    Body(const std::string& integrator, double h)
        : simulation(loadSceneText("<Node name='root' gravity='" + toText(gravity) + "' dt='" + toText(h) + "'><" +
                                       integrator +
                                       "/><SparseLDLSolver/><NewtonRaphsonSolver maxNbIterationsNewton='30' "
                                       "absoluteResidualStoppingThreshold='1e-13' "
                                       "relativeSuccessiveStoppingThreshold='0' relativeInitialStoppingThreshold='0' "
                                       "relativeEstimateDifferenceThreshold='0' absoluteEstimateDifferenceThreshold="
                                       "'1e-15'/><MechanicalObject position='0 0 0  1 0 0  0 1 0  0 0 1' velocity='0 1 "
                                       "0  0.5 2 0  -1 0 0.5  0 0 1'/><UniformMass vertexMass='" +
                                       toText(mass) +
                                       "'/><SpringForceField spring='0 1 40 0 0.8  0 2 40 0 1.1  0 3 30 0 0.9  1 2 20 "
                                       "0 1.3  1 3 20 0 1.5  2 3 30 0 1.2'/></Node>",
                                   "body.scn"))
    {
        INFO(integrator);
        REQUIRE(simulation.init());
        state = simulation.root().get<State<Vec3Types>>(Search::Down);
    }
    Body& run()
    {
        while (simulation.root().time() < duration - 1e-9) simulation.step();
        return *this;
    }
    Vec3 momentum() const
    {
        Vec3 p;
        for (const Vec3& v : state->velocities()) p += v * mass;
        return p;
    }
    /// About the centre of mass.
    Vec3 angularMomentum() const
    {
        Vec3 centre, l;
        for (const Vec3& x : state->positions()) centre += x * 0.25;
        for (Index i = 0; i < 4; ++i) l += cross(state->positions()[i] - centre, state->velocities()[i] * mass);
        return l;
    }
    double distance(const Body& other) const
    {
        double most = 0.;
        for (Index i = 0; i < 4; ++i) most = std::max(most, norm(state->positions()[i] - other.state->positions()[i]));
        return most;
    }
    Simulation simulation;
    State<Vec3Types>* state = nullptr;
};

/// All but one that has no motion, and one that acts on the velocities of another.
std::vector<std::string> integrators()
{
    std::vector<std::string> names;
    for (const std::string& name : Registry::instance().derivedFrom("OdeSolver"))
        if (name != "StaticSolver" && name != "DampVelocitySolver") names.push_back(name);
    REQUIRE(names.size() >= 8);
    return names;
}

}  // namespace

TEST_CASE("Forces within a body change no momentum, whatever integrates them")
{
    for (const std::string& name : integrators()) {
        INFO(name);
        Body body(name, 0.01);
        // The first step may be another one, as that of leapfrog is.
        body.simulation.step();
        Vec3 before = body.momentum();
        for (int step = 0; step < 30; ++step) {
            body.simulation.step();
            const Vec3 now = body.momentum();
            CHECK(norm(now - before - gravity * (4. * mass * 0.01)) < 1e-11);
            before = now;
        }
    }
}

TEST_CASE("Every integrator converges to the same motion, and to the angular momentum of the beginning")
{
    const Vec3 spin = Body("RungeKutta4Solver", 0.01).angularMomentum();
    Body exact("RungeKutta4Solver", 0.0005);
    exact.run();
    CHECK(norm(exact.angularMomentum() - spin) < 1e-9);
    for (const std::string& name : integrators()) {
        INFO(name);
        Body coarse(name, 0.004), fine(name, 0.002);
        coarse.run();
        fine.run();
        const double e1 = coarse.distance(exact), e2 = fine.distance(exact);
        INFO("errors " << e1 << " and " << e2 << " m");
        CHECK(e1 < 0.05);
        CHECK((e2 < 0.55 * e1 || e1 < 1e-9));
        const double l1 = norm(coarse.angularMomentum() - spin), l2 = norm(fine.angularMomentum() - spin);
        INFO("lost angular momentum " << l1 << " and " << l2);
        CHECK((l2 < 0.55 * l1 || l1 < 1e-9));
    }
}

TEST_CASE("Every integrator begins anew after a reset")
{
    for (const std::string& name : integrators()) {
        INFO(name);
        Body body(name, 0.01);
        body.run();
        const Vector<Vec3> first = body.state->positions();
        body.simulation.reset();
        body.run();
        CHECK(body.state->positions() == first);
    }
}

}  // namespace integrators_test
