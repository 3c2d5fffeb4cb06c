// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time per step, by phase, of a corotational tetrahedral beam of about 1k, 10k and 100k elements, solved by conjugate
// gradients (25 iterations) and by the direct solver, on one thread. Usage: corotational_bench [largest number of
// elements]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/log/Timer.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/BaseMeshTopology.h"

using namespace sofa::core;

namespace {

std::string scene(int nx, int nz, const std::string& solver)
{
    const std::string n = std::to_string(nx);
    return "<Node name='root' dt='0.01' gravity='0 -9.81 0'><EulerImplicitSolver rayleighStiffness='0.01'/>" + solver +
           "<RegularGridTopology name='grid' n='" + n + ' ' + n + ' ' + std::to_string(nz) +
           "' min='0 0 0' max='1 1 3'/><MechanicalObject name='dofs'/><TetrahedronSetTopologyContainer "
           "name='tetrahedra'/>"
           "<TetrahedronSetTopologyModifier/><Hexa2TetraTopologicalMapping input='@grid' output='@tetrahedra' "
           "swapping='1'/>"
           "<UniformMass totalMass='3'/><BoxROI name='wall' box='-1 -1 -0.01 2 2 0.001'/>"
           "<FixedProjectiveConstraint indices='@wall.indices'/>"
           "<TetrahedronFEMForceField topology='@tetrahedra' youngModulus='100000' poissonRatio='0.4' "
           "method='large'/></Node>";
}

void run(int nx, int nz, const char* name, const std::string& solver, int steps)
{
    auto root = loadSceneText(scene(nx, nz, solver), "benchmark.scn");
    Simulation sim(root);
    if (!sim.init()) std::exit(1);
    sim.step();  // allocation, symbolic factorisation
    Timers::reset();
    Timers::enable(true);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) sim.step();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps;
    Timers::enable(false);
    const auto* t = root->get<BaseMeshTopology>(Search::Local);
    std::printf("| %zu | %u | %s | %.3f |", t->tetrahedra().size(), t->nbPoints(), name, 1e3 * seconds);
    // Phases of the integrator: Step / Solve / solver / phase; the factorisation is a part of setting up the system.
    const auto total = [&](const std::string& phase) {
        double sum = 0.;
        for (const auto& r : Timers::rows())
            if (r.phase == phase && r.depth >= 3) sum += r.seconds;
        return 1e3 * sum / steps;
    };
    std::printf(" %.3f | %.3f | %.3f | %.3f |", total("ComputeForce"), total("SetSystem") - total("Factorize"),
                total("Factorize"), total("Solve"));
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv)
{
    const long largest = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 200000;
    setThreadCount(1);
    std::printf(
        "| tetrahedra | points | solver | ms/step | forces | assembly | factorisation | solve "
        "|\n|---|---|---|---|---|---|---|---|\n");
    struct Size
    {
        int nx, nz, steps, directSteps;
    };
    for (const Size s : {Size{6, 8, 200, 100}, Size{12, 15, 40, 10}, Size{26, 28, 10, 2}}) {
        if (6L * (s.nx - 1) * (s.nx - 1) * (s.nz - 1) > largest) break;
        run(s.nx, s.nz, "CG, 25 iterations", "<CGLinearSolver iterations='25' tolerance='0' threshold='0'/>", s.steps);
        run(s.nx, s.nz, "direct", "<SparseLDLSolver/>", s.directSteps);
    }
    return 0;
}
