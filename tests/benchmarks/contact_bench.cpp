// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time per step, by phase, of contacts by constraint forces: 1,000 rigid balls that fall into a box, and a pile of
// rigid balls with about 500 contacts with friction, solved with the compliance built and by bodies. Usage:
// contact_bench [balls that fall] [threads] [--json]
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "components/constraint/LagrangianSolver.h"
#include "core/log/Timer.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

/// Balls of radius 0.1 in columns `pitch` apart above a box of five boards; the columns lean, so that they fall over.
std::string scene(int balls, double pitch, double height, const std::string& solver)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1., 1.);
    const int side = static_cast<int>(std::lround(std::cbrt(balls)));
    const double half = 0.5 * side * pitch + 0.1;
    std::string positions;
    const auto add = [&](double x) { positions += std::to_string(x) + ' '; };
    for (int k = 0; k < balls; ++k) {
        add((k % side - 0.5 * (side - 1)) * pitch + 0.01 * unit(random));
        add(height + k / (side * side) * pitch);
        add((k / side % side - 0.5 * (side - 1)) * pitch + 0.01 * unit(random));
        positions += "0 0 0 1  ";
    }
    std::string corners;
    for (int k = 0; k < 8; ++k)
        for (const double x : {k & 1 ? half : -half, k & 2 ? 4. * half : 0., k & 4 ? half : -half})
            corners += std::to_string(x) + ' ';
    return "<Node name='root' dt='0.01' gravity='0 -9.81 0'><FreeMotionAnimationLoop/>" + solver +
           "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><MinProximityIntersection alarmDistance='0.02' "
           "contactDistance='0.005'/><CollisionResponse response='FrictionContactConstraint' "
           "responseParams='mu=0.3&amp;warmStart=1'/><Node name='balls'><EulerImplicitSolver/><CGLinearSolver "
           "iterations='20' "
           "tolerance='1e-10' threshold='1e-20'/><MechanicalObject template='Rigid3' position='" +
           positions +
           "'/><UniformMass vertexMass='1 1 [0.004 0 0,0 0.004 0,0 0 0.004]'/><UncoupledConstraintCorrection/>"
           "<SphereCollisionModel template='Rigid3' radius='0.1' selfCollision='1'/></Node><Node "
           "name='box'><MeshTopology "
           "position='" +
           corners +
           "' triangles='0 4 1  1 4 5  0 1 2  1 3 2  4 6 5  5 6 7  0 2 4  2 6 4  1 5 3  3 5 7'/><MechanicalObject/>"
           "<TriangleCollisionModel moving='0' simulated='0' bothSide='1'/></Node></Node>";
}

void run(Report& report, const char* label, const std::string& solverName, const std::string& text, int settle,
         int steps)
{
    auto root = loadSceneText(text, "benchmark.scn");
    Simulation sim(root);
    if (!sim.init()) std::exit(1);
    for (int i = 0; i < settle; ++i) sim.step();
    const auto* solver = root->get<sofa::component::LagrangianSolver>(Search::Local);
    Timers::reset();
    Timers::enable(true);
    double rows = 0., iterations = 0.;
    const double start = now();
    for (int i = 0; i < steps; ++i) {
        sim.step();
        rows += solver->d_currentNumConstraints.value();
        iterations += solver->d_currentIterations.value();
    }
    const double seconds = (now() - start) / steps;
    Timers::enable(false);
    const auto total = [&](const std::string& phase) {
        double sum = 0.;
        for (const auto& r : Timers::rows())
            if (r.phase == phase) sum += r.seconds;
        return 1e3 * sum / steps;
    };
    report.row({{"scene", label},
                {"solver", solverName},
                {"threads", threadCount()},
                {"contacts", rows / 3. / steps},
                {"iterations", iterations / steps},
                {"step [ms]", 1e3 * seconds},
                {"free motion [ms]", total("FreeMotion")},
                {"detection [ms]", total("Detection")},
                {"response [ms]", total("Response")},
                {"rows [ms]", total("BuildConstraints")},
                {"compliance [ms]", total("Compliance")},
                {"solve [ms]", total("SolveConstraints")}});
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    const auto balls = static_cast<int>(arguments.number(0, 1000));
    setThreadCount(static_cast<unsigned>(arguments.number(1, 1)));
    Report report(arguments);
    const std::string settings = " maxIterations='50' tolerance='1e-5' allVerified='1'/>";
    for (const std::string name : {"BlockGaussSeidelConstraintSolver", "UnbuiltGaussSeidelConstraintSolver"}) {
        const std::string solver = '<' + name + settings;
        run(report, "pile", name, scene(216, 0.205, 0.105, solver), 60, 40);
        if (name[0] == 'U') run(report, "falling bodies", name, scene(balls, 0.23, 0.4, solver), 0, 100);
    }
    return 0;
}
