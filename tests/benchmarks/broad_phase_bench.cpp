// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Times of collision detection for many bodies, balls that fall in a box, with each of the broad phases.
//
//     broad_phase_bench [largest number of bodies = 10000] [threads = 1] [--json]
#include <cmath>
#include <random>
#include <string>

#include "core/behavior/State.h"
#include "core/collision/CollisionDetection.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

std::shared_ptr<Node> load(const std::string& content, const std::string& broadPhase, double alarm)
{
    auto root = loadSceneText("<Node name='root' gravity='0 0 0'><CollisionPipeline name='pipeline'/><" + broadPhase +
                                  "/><BVHNarrowPhase/><MinProximityIntersection alarmDistance='" +
                                  std::to_string(alarm) + "' contactDistance='" + std::to_string(0.5 * alarm) +
                                  "'/><CollisionResponse response='default'/>" + content + "</Node>",
                              "broad_phase_bench.scn");
    if (!root || !Simulation(root).init()) std::exit(1);
    return root;
}

/// Best time of a detection, with the boxes, while `move` moves the models before each one; and the contacts.
template <class Move>
double detection(Node& root, Move&& move, double& contacts)
{
    auto& pipeline = *root.get<CollisionPipeline>(Search::Local);
    double shortest = 1e300, total = 0.;
    for (int run = 0; run < 4 || (total < 0.3 && run < 200); ++run) {
        move(run);
        const double start = now();
        pipeline.computeCollisionDetection();
        const double t = now() - start;
        if (run > 0) shortest = std::min(shortest, t);  // the first one builds the hierarchies
        total += t;
    }
    contacts = 0.;
    for (const DetectionOutput* o : pipeline.detected()) contacts += static_cast<double>(o->contacts.size());
    return shortest;
}

WriteAccessor<Vector<Vec3>> positions(Node& n)
{
    return dynamic_cast<State<Vec3Types>&>(*n.get<BaseState>(Search::Local)).write(vec_id::position);
}

void bodies(Report& report, std::size_t largest)
{
    for (const std::size_t count : {100u, 1000u, 3000u, 10000u}) {
        if (count > largest) break;
        std::mt19937 random(1);
        // One in each cell of a lattice, aside of its middle.
        const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(count))));
        std::uniform_real_distribution<double> aside(-0.2, 0.2), step(-0.01, 0.01);
        std::string content;
        for (std::size_t k = 0; k < count; ++k) {
            content += "<Node name='b" + std::to_string(k) + "'><MechanicalObject position='";
            for (const std::size_t cell : {k % side, k / side % side, k / side / side})
                content += std::to_string(static_cast<double>(cell) + aside(random)) + " ";
            content += "'/><SphereCollisionModel radius='0.3'/></Node>";
        }
        for (const char* phase : {"BruteForceBroadPhase", "IncrSAP"}) {
            const auto root = load(content, phase, 0.1);
            double contacts = 0.;
            const double time = detection(
                *root,
                [&](int) {
                    for (const auto& n : root->children())
                        for (Vec3& x : positions(*n)) x += {step(random), -0.01, step(random)};
                },
                contacts);
            report.row({{"kind", "bodies"},
                        {"broad phase", phase},
                        {"threads", threadCount()},
                        {"bodies", count},
                        {"contacts", contacts},
                        {"detection [ms]", time * 1e3},
                        {"per body [us]", time * 1e6 / static_cast<double>(count)}});
        }
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    setThreadCount(static_cast<unsigned>(arguments.number(1, 1)));
    Report report(arguments);
    bodies(report, arguments.number(0, 10000));
    return 0;
}
