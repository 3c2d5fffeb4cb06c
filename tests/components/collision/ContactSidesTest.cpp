// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "core/behavior/State.h"
#include "core/collision/CollisionDetection.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace contact_sides_test {

using namespace sofa::core;

namespace {

struct Sheet
{
    std::string method = "MinProximityIntersection", root = {}, models = "<PointCollisionModel contactStiffness='20'/>";
    double speed = 0., height = 0.02;  ///< of the block downwards [m/s], and of its lowest points [m]
    bool facesDown = false;
};

/// A block of points above a sheet without thickness, which penalty contacts let in by some mm.
std::string textOf(const Sheet& s)
{
    const std::string sheet = s.facesDown ? "0 4 1  1 4 5  1 5 2  2 5 6  2 6 3  3 6 7  4 8 5  5 8 9  5 9 6  6 9 10  6 "
                                            "10 7  7 10 11  8 12 9  9 12 13  9 13 10  10 13 14  10 14 11  11 14 15"
                                          : "0 1 4  1 5 4  1 2 5  2 6 5  2 3 6  3 7 6  4 5 8  5 9 8  5 6 9  6 10 9  6 "
                                            "7 10  7 11 10  8 9 12  9 13 12  9 10 13  10 14 13  10 11 14  11 15 14";
    std::string points;
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 4; ++i) points += std::to_string(i - 1.5) + " 0 " + std::to_string(1.5 - k) + "  ";
    return "<Node name='root' dt='0.01' gravity='0 -9.81 0' " + s.root +
           "><DefaultAnimationLoop/><CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/><" +
           s.method +
           " alarmDistance='0.1' contactDistance='0.01'/><CollisionResponse response='PenalityContactForceField'/>"
           "<Node name='block'><EulerImplicitSolver rayleighMass='0.1' rayleighStiffness='0.01'/>"
           "<CGLinearSolver iterations='200' tolerance='1e-12' threshold='1e-12'/>"
           "<RegularGridTopology n='3 3 3' min='-0.2 " +
           std::to_string(s.height) + " -0.2' max='0.2 " + std::to_string(s.height + 0.4) +
           " 0.2'/><MechanicalObject translation='0.07 0 0.03' velocity='0 " + std::to_string(-s.speed) +
           " 0'/><UniformMass totalMass='8'/><HexahedronFEMForceField youngModulus='1e5' poissonRatio='0.3'/>" +
           s.models + "</Node><Node name='sheet'><MechanicalObject position='" + points +
           "'/><MeshTopology triangles='" + sheet +
           "'/><TriangleCollisionModel moving='0' simulated='0' contactStiffness='20'/><LineCollisionModel moving='0' "
           "simulated='0' "
           "contactStiffness='20'/></Node></Node>";
}

struct Run
{
    explicit Run(const Sheet& s) : root(loadSceneText(textOf(s), "sheet.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    const State<Vec3Types>& state() const { return *root->child("block")->get<State<Vec3Types>>(Search::Local); }
    /// Heights of all points, in increasing order [m].
    Vector<double> lowest() const
    {
        Vector<double> y;
        for (const Vec3& x : state().read(vec_id::position)) y.push_back(x[1]);
        std::ranges::sort(y);
        return y;
    }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

}  // namespace

TEST_CASE("What penalty contacts have let through a sheet comes back to its side", "[collision]")
{
    const std::string points = "<PointCollisionModel contactStiffness='20'/>",
                      surface = points +
                                "<LineCollisionModel contactStiffness='20'/>"
                                "<TriangleCollisionModel contactStiffness='20'/>";
    for (const char* method : {"MinProximityIntersection", "LocalMinDistance", "NewProximityIntersection"})
        for (const bool facesDown : {false, true})
            for (const std::string& models : {points, surface}) {
                INFO(method << (facesDown ? ", the sheet faces down" : "") << (models == surface ? ", surface" : ""));
                Run run({.method = method, .models = models, .speed = 3., .facesDown = facesDown});
                double deepest = 0.;
                for (int step = 0; step < 200; ++step) {
                    run.simulation->step();
                    deepest = std::min(deepest, run.lowest()[0]);
                }
                CHECK(deepest < -0.005);  // they were on the other side
                const Vector<double> y = run.lowest();
                CHECK(y[0] > 0.009);
                if (models == surface) continue;
                // Contacts of 400 N / 0.01 m carry 8 kg.
                double force = 0.;
                for (std::size_t k = 0; k < 9; ++k) force += std::max(0., 0.01 - y[k]) * 40000.;
                CHECK(force == Approx(8. * 9.81).epsilon(1e-3));
            }
}

TEST_CASE("With compatibility=\"sofa\" points stay on the side to which they came", "[collision]")
{
    Run run({.root = "compatibility='sofa'", .speed = 3.});
    for (int step = 0; step < 200; ++step) run.simulation->step();
    CHECK(run.lowest()[0] < -0.005);
}

TEST_CASE("A checkpoint knows the sides of contacts", "[collision]")
{
    const sofa::test::TemporaryDirectory folder;
    const auto file = (folder / "sofa_contact_sides.chk").string();
    Run whole({.speed = 3.});
    while (whole.lowest()[0] > -0.004) whole.simulation->step();
    saveCheckpoint(*whole.simulation, file);
    for (int step = 0; step < 50; ++step) whole.simulation->step();
    Run again({.speed = 3.});
    loadCheckpoint(*again.simulation, file);
    for (int step = 0; step < 50; ++step) again.simulation->step();
    CHECK(again.state().read(vec_id::position) == whole.state().read(vec_id::position));
    CHECK(again.lowest()[0] > 0.);
}

TEST_CASE("What goes around the border of a sheet, or goes away from it, is on the side where it is", "[collision]")
{
    Run run({.models = "<PointCollisionModel/>"});
    State<Vec3Types>& state = *run.root->child("block")->get<State<Vec3Types>>(Search::Local);
    const Vector<Vec3> rest = state.read(vec_id::position);
    auto& pipeline = *run.root->get<CollisionPipeline>(Search::Local);
    // The height along the contact of the point that is nearest, where the others are far away.
    const auto side = [&](const Vec3& at) {
        const auto x = state.write(vec_id::position);
        for (std::size_t k = 0; k < rest.size(); ++k) x[k] = Vec3{100., 100., 100.} + rest[k];
        x[0] = at;
        pipeline.computeCollisionReset();
        pipeline.computeCollisionDetection();
        pipeline.computeCollisionResponse();
        double up = 0.;
        for (const DetectionOutput* o : pipeline.detected())
            for (const DetectedContact& c : o->contacts)
                up = o->models.first->node()->name() == "sheet" ? c.normal[1] : -c.normal[1];
        return up;
    };
    CHECK(side({0.1, 0.02, 0.1}) == Approx(1.));
    CHECK(side({0.1, -0.02, 0.1}) == Approx(1.));    // pressed through
    CHECK(side({0.6, -0.02, -0.5}) == Approx(-1.));  // far away in the sheet: new
    CHECK(side({0.1, 0.02, 0.1}) == Approx(1.));
    CHECK(side({0.1, -0.2, 0.1}) == 0.);  // too far for a contact
    CHECK(side({0.1, -0.02, 0.1}) == Approx(-1.));
    CHECK(side({1.4, 0.02, 0.1}) == Approx(1.));
    for (const double angle : {0.4, 0.8, 1.2, 1.6, 2., 2.4, 2.8})
        (void)side({1.5 + 0.02 * std::sin(angle), 0.02 * std::cos(angle), 0.1});
    CHECK(side({1.4, -0.02, 0.1}) == Approx(-1.));
}

}  // namespace contact_sides_test
