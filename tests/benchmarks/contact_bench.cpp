// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Time per step, by phase, of contacts by constraint forces: 1,000 rigid balls that fall into a box, and a pile of
// rigid balls with about 500 contacts with friction, solved with the compliance built and by bodies. Then what it
// brings to keep the compliance of a body from step to step: a bar that joints hold, alone and on the ground, with a
// matrix that stays and with one that changes; and what steps cost while a pile sleeps. Usage: contact_bench [balls
// that fall] [threads] [--json]
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "components/animation/FreeMotionAnimationLoop.h"
#include "components/constraint/LagrangianSolver.h"
#include "components/constraint/SolverConstraintCorrection.h"
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

/// A bar of 1,701 points whose last layer (81 points, 243 rows) is held by constraint forces, above the ground.
std::string bar(const std::string& method, double height)
{
    std::string held;
    for (int k = 0; k < 81; ++k) held += std::to_string(21 * k) + ' ';
    return "<Node name='root' dt='0.01' gravity='0 -9.81 "
           "0'><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver "
           "maxIterations='10' tolerance='1e-6'/><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
           "<MinProximityIntersection alarmDistance='0.02' contactDistance='0.005'/><CollisionResponse "
           "response='FrictionContactConstraint' responseParams='mu=0.3'/><Node name='bar'><EulerImplicitSolver "
           "rayleighStiffness='0.02' rayleighMass='0.1'/><SparseLDLSolver/><RegularGridTopology n='21 9 9' min='0 " +
           std::to_string(height) + " 0' max='2 " + std::to_string(height + 0.8) +
           " 0.8'/><MechanicalObject/><UniformMass totalMass='1000'/><HexahedronFEMForceField method='" + method +
           "' youngModulus='1e5' poissonRatio='0.3'/><LinearSolverConstraintCorrection "
           "cacheCompliance='KEPT'/><FixedLagrangianConstraint indices='" +
           held +
           "'/><PointCollisionModel/></Node><Node name='ground'><MeshTopology position='-9 0 -9  9 0 -9  -9 0 9  9 0 "
           "9' "
           "triangles='0 2 1  1 2 3'/><MechanicalObject/><TriangleCollisionModel moving='0' simulated='0'/></Node>"
           "</Node>";
}

/// Milliseconds of the fastest step, and mean numbers of rows.
struct Cost
{
    double step = 1e300, compliance = 1e300, rows = 0., computed = 0.;
};

Cost measure(const std::string& text, int settle, int steps)
{
    auto root = loadSceneText(text, "benchmark.scn");
    Simulation sim(root);
    if (!sim.init()) std::exit(1);
    for (int i = 0; i < settle; ++i) sim.step();
    const auto& cache = root->get<sofa::component::SolverConstraintCorrection>(Search::Down)->complianceCache();
    Cost c;
    const std::uint64_t before = cache.rowsComputed();
    Timers::enable(true);
    for (int i = 0; i < steps; ++i) {
        Timers::reset();
        const double start = now();
        sim.step();
        c.step = std::min(c.step, 1e3 * (now() - start));
        c.rows += root->get<sofa::component::LagrangianSolver>(Search::Local)->d_currentNumConstraints.value();
        // The phase of the constraint solver, or (unbuilt) that of the linear solver, which is part of it otherwise.
        double compliance = 0.;
        for (const auto& r : Timers::rows())
            if (r.phase == "Compliance" && r.path.find("Compliance/Compliance") == std::string::npos)
                compliance += 1e3 * r.seconds;
        c.compliance = std::min(c.compliance, compliance);
    }
    Timers::enable(false);
    c.rows /= steps;
    c.computed = static_cast<double>(cache.rowsComputed() - before) / steps;
    return c;
}

/// Settings of the correction stand for "KEPT" in the text.
void runKept(Report& report, const char* label, const std::string& text, int settle)
{
    const auto with = [&](const char* value) {
        std::string t = text;
        return t.replace(t.find("KEPT"), 4, value);
    };
    const Cost kept = measure(with("1"), settle, 20), anew = measure(with("0"), settle, 20);
    report.row({{"scene", label},
                {"threads", threadCount()},
                {"rows", kept.rows},
                {"rows computed", kept.computed},
                {"compliance, kept [ms]", kept.compliance},
                {"anew [ms]", anew.compliance},
                {"ratio", anew.compliance / kept.compliance},
                {"step, kept [ms]", kept.step},
                {"step, anew [ms]", anew.step}});
}

/// Stacks of two bodies each, in nodes of their own, on a floor.
std::string stacks(int count, bool soft, const std::string& loop)
{
    std::string text = "<Node name='root' dt='0.01' gravity='0 -9.81 0'>" + loop +
                       "<BlockGaussSeidelConstraintSolver/><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
                       "<MinProximityIntersection alarmDistance='0.02' contactDistance='0.005'/><CollisionResponse "
                       "response='FrictionContactConstraint' responseParams='mu=0.5'/><Node><MeshTopology "
                       "position='-99 0 -99  99 0 -99  -99 0 99  99 0 99' triangles='0 2 1  1 2 3'/>"
                       "<MechanicalObject/><TriangleCollisionModel moving='0' simulated='0'/></Node>";
    for (int k = 0; k < count; ++k) {
        const auto number = [](double x) { return std::to_string(x) + ' '; };
        const double x = 0.5 * (k / 2 % 20), z = 0.5 * (k / 40), y = 0.006 + (k % 2) * 0.206;
        text += "<Node><EulerImplicitSolver rayleighMass='0.5' rayleighStiffness='0.02'/><SparseLDLSolver/>";
        if (soft)
            text += "<RegularGridTopology n='3 3 3' min='" + number(x) + number(y) + number(z) + "' max='" +
                    number(x + 0.2) + number(y + 0.2) + number(z + 0.2) +
                    "'/><MechanicalObject/><UniformMass totalMass='1'/><HexahedronFEMForceField youngModulus='5e4' "
                    "poissonRatio='0.3'/><LinearSolverConstraintCorrection/><TriangleCollisionModel/>"
                    "<PointCollisionModel/>";
        else
            text += "<MechanicalObject template='Rigid3' position='" + number(x) + number(y + 0.1) + number(z) +
                    "0 0 0 1'/><UniformMass vertexMass='1 1 [0.007 0 0,0 0.007 0,0 0 0.007]'/>"
                    "<LinearSolverConstraintCorrection/><OBBCollisionModel extents='0.1 0.1 0.1'/>";
        text += "</Node>";
    }
    return text + "</Node>";
}

void runSleeping(Report& report, const char* label, int count, bool soft)
{
    const auto time = [&](const std::string& loop, int& asleep) {
        auto root = loadSceneText(stacks(count, soft, loop), "benchmark.scn");
        Simulation sim(root);
        if (!sim.init()) std::exit(1);
        for (int i = 0; i < 300; ++i) sim.step();
        double least = 1e300;
        for (int i = 0; i < 20; ++i) {
            const double start = now();
            sim.step();
            least = std::min(least, 1e3 * (now() - start));
        }
        asleep = root->get<sofa::component::FreeMotionAnimationLoop>(Search::Local)->d_sleepingBodies.value();
        return least;
    };
    int none = 0, asleep = 0;
    const double without = time("<FreeMotionAnimationLoop/>", none),
                 with = time("<FreeMotionAnimationLoop sleepAfter='0.2'/>", asleep);
    report.row({{"scene", label},
                {"threads", threadCount()},
                {"bodies", count},
                {"asleep", asleep},
                {"step, awake [ms]", without},
                {"step, asleep [ms]", with},
                {"ratio", without / with}});
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
    runKept(report, "linear bar, held", bar("small", 1.), 3);
    runKept(report, "linear bar, held, on the ground", bar("small", 0.02), 20);
    runKept(report, "turning bar, held", bar("large", 1.), 3);
    std::string pile = scene(216, 0.205, 0.105, "<UnbuiltGaussSeidelConstraintSolver" + settings);
    const auto put = [&](const std::string& what, const std::string& by) {
        pile.replace(pile.find(what), what.size(), by);
    };
    put("<CGLinearSolver iterations='20' tolerance='1e-10' threshold='1e-20'/>", "<SparseLDLSolver/>");
    put("<UncoupledConstraintCorrection/>", "<LinearSolverConstraintCorrection cacheCompliance='KEPT'/>");
    runKept(report, "pile, its matrix factorised", pile, 60);
    runSleeping(report, "stacks of two boxes", 400, false);
    runSleeping(report, "stacks of two soft cubes", 100, true);
    return 0;
}
