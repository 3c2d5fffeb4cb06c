// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time per step, by phase, of a corotational tetrahedral beam of about 1k, 10k and 100k elements, solved by conjugate
// gradients (25 iterations) and by the direct solver. Usage: corotational_bench [largest number of elements] [threads]
// [--json]
#include <cstdlib>
#include <string>

#include "core/log/Timer.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/BaseMeshTopology.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;

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

void run(Report& report, int nx, int nz, const char* label, const std::string& solver, int steps)
{
    auto root = loadSceneText(scene(nx, nz, solver), "benchmark.scn");
    Simulation sim(root);
    if (!sim.init()) std::exit(1);
    sim.step();  // allocation, symbolic factorisation
    Timers::reset();
    Timers::enable(true);
    const double start = now();
    for (int i = 0; i < steps; ++i) sim.step();
    const double seconds = (now() - start) / steps;
    Timers::enable(false);
    const auto* t = root->get<BaseMeshTopology>(Search::Local);
    // Phases of the integrator: Step / Solve / solver / phase; the factorisation is a part of setting up the system.
    const auto total = [&](const std::string& phase) {
        double sum = 0.;
        for (const auto& r : Timers::rows())
            if (r.phase == phase && r.depth >= 3) sum += r.seconds;
        return 1e3 * sum / steps;
    };
    report.row({{"threads", threadCount()},
                {"tetrahedra", t->tetrahedra().size()},
                {"points", t->nbPoints()},
                {"solver", label},
                {"step [ms]", 1e3 * seconds},
                {"forces [ms]", total("ComputeForce")},
                {"assembly [ms]", total("SetSystem") - total("Factorize")},
                {"factorisation [ms]", total("Factorize")},
                {"solve [ms]", total("Solve")}});
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    const auto largest = static_cast<long>(arguments.number(0, 200000));
    setThreadCount(static_cast<unsigned>(arguments.number(1, 1)));
    Report report(arguments);
    struct Size
    {
        int nx, nz, steps, directSteps;
    };
    for (const Size s : {Size{6, 8, 200, 100}, Size{12, 15, 40, 10}, Size{26, 28, 10, 2}}) {
        if (6L * (s.nx - 1) * (s.nx - 1) * (s.nz - 1) > largest) break;
        run(report, s.nx, s.nz, "CG, 25 iterations", "<CGLinearSolver iterations='25' tolerance='0' threshold='0'/>",
            s.steps);
        run(report, s.nx, s.nz, "direct", "<SparseLDLSolver/>", s.directSteps);
    }
    return 0;
}
