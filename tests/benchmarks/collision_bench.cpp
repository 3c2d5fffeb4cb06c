// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Times of collision detection with points, lines and triangles by LocalMinDistance, for two sheets that lie on each
// other and for a folded sheet that meets itself, with the exponents by which times grow from one size to the next.
//
//     collision_bench [largest number of triangles = 100000] [threads = 1] [--json]
//
// Sheets move between detections, so that hierarchies are refitted as in a simulation. A cell is 0.01 m wide, contacts
// are looked at up to 0.006 m; the waves of the sheets bring about a quarter of their points that near.
#include <cmath>
#include <string>
#include <vector>

#include "core/collision/CollisionDetection.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/benchmarks/Report.h"

using namespace sofa;
using namespace sofa::core;
using namespace sofa::benchmark;

namespace {

constexpr double cell = 0.01;

std::string sheet(std::size_t n, const char* name, bool self)
{
    const std::string count = std::to_string(n + 1), length = std::to_string(cell * static_cast<double>(n)),
                      more = std::string(" bothSide='1'") + (self ? " selfCollision='1'" : "");
    return "<Node name='" + std::string(name) + "'><RegularGridTopology n='" + count + " 1 " + count +
           "' min='0 0 0' max='" + length + " 0 " + length + "'/><MechanicalObject/><TriangleCollisionModel" + more +
           "/><LineCollisionModel" + more + "/><PointCollisionModel" + more + "/></Node>";
}

/// Where a point (u, v) of the flat sheet of a length is at a time [m].
using Shape = Vec3 (*)(double u, double v, double length, double time, bool second);

double wave(double u, double v, double time) { return 0.004 * std::sin(40. * u + time) * std::cos(35. * v); }

Vec3 wavy(double u, double v, double, double time, bool second)
{
    const double w = wave(u, v, time);
    return second ? Vec3{u + 0.0031, 0.008 - w, v + 0.0017} : Vec3{u, w, v};
}

/// Folded in the middle, with a turn about as wide as a cell.
Vec3 folded(double u, double v, double length, double time, bool)
{
    const double x = u - 0.5 * length, side = std::tanh(x / cell);
    return {std::sqrt(x * x + cell * cell) + 0.0031 * side, 0.004 * (1. + side) - side * wave(std::abs(x), v, time), v};
}

struct Bodies
{
    Bodies(std::size_t n, bool two, Shape s) : shape(s), length(cell * static_cast<double>(n))
    {
        const std::string nodes = sheet(n, "a", !two) + (two ? sheet(n, "b", false) : "");
        root = loadSceneText(
            "<Node name='root'><LocalMinDistance alarmDistance='0.006' contactDistance='0.002'/>"
            "<BruteForceBroadPhase/><BVHNarrowPhase/>" +
                nodes + "</Node>",
            "collision_bench.scn");
        if (!root || !initGraph(*root)) std::exit(1);
        models = root->getAll<CollisionModel>(Search::Down);
        for (const char* name : {"a", "b"})
            if (const auto node = root->child(name)) {
                states.push_back(dynamic_cast<State<Vec3Types>*>(node->get<BaseState>(Search::Local)));
                flat.push_back(states.back()->positions());
            }
        for (const CollisionModel* m : models)
            if (m->shape() == CollisionShape::Triangle) triangles += 2 * n * n;
    }
    void move(double time)
    {
        for (std::size_t k = 0; k < states.size(); ++k) {
            const auto x = states[k]->write(vec_id::position);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = shape(flat[k][i][0], flat[k][i][2], length, time, k == 1);
        }
    }

    std::shared_ptr<Node> root;
    Shape shape;
    double length;
    std::vector<CollisionModel*> models;
    std::vector<State<Vec3Types>*> states;
    std::vector<State<Vec3Types>::VecCoord> flat;
    std::size_t triangles = 0;
};

void measure(Report& report, const char* kind, std::size_t largest, bool two, Shape shape)
{
    double lastTime = 0., lastCount = 0.;
    for (const std::size_t wanted : {1000u, 3000u, 10000u, 30000u, 100000u}) {
        if (wanted > largest) break;
        Bodies bodies(static_cast<std::size_t>(std::sqrt(static_cast<double>(wanted) / (two ? 4. : 2.))), two, shape);
        auto* method = bodies.root->get<IntersectionMethod>(Search::Local);
        auto* broad = bodies.root->get<BroadPhase>(Search::Local);
        auto* narrow = bodies.root->get<NarrowPhase>(Search::Local);
        std::vector<ModelPair> pairs;
        std::vector<DetectionOutput> outputs;
        double shortest = 1e300, boxes = 0., first = 0.;
        std::size_t contacts = 0;
        for (int run = 0; run < 8; ++run) {
            bodies.move(0.05 * run);
            const double start = now();
            for (CollisionModel* m : bodies.models) m->update();
            const double updated = now();
            pairs.clear();
            broad->findPairs(bodies.models, *method, pairs);
            narrow->findContacts(pairs, *method, outputs);
            const double time = now() - start;
            if (run == 0) first = time;  // builds hierarchies, orders and tables of the meshes
            if (run > 0 && time < shortest) {
                shortest = time;
                boxes = updated - start;
            }
            contacts = 0;
            for (const DetectionOutput& o : outputs) contacts += o.contacts.size();
        }
        const auto count = static_cast<double>(bodies.triangles);
        report.row({{"kind", kind},
                    {"threads", threadCount()},
                    {"triangles", count},
                    {"contacts", contacts},
                    {"first [ms]", first * 1e3},
                    {"boxes [ms]", boxes * 1e3},
                    {"detection [ms]", shortest * 1e3},
                    {"ns per triangle", shortest / count * 1e9},
                    {"exponent", lastTime > 0. ? std::log(shortest / lastTime) / std::log(count / lastCount) : 0.}});
        lastTime = shortest;
        lastCount = count;
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    setThreadCount(static_cast<unsigned>(arguments.number(1, 1)));
    Report report(arguments);
    measure(report, "two sheets", arguments.number(0, 100000), true, wavy);
    measure(report, "folded sheet", arguments.number(0, 100000), false, folded);
    return 0;
}
