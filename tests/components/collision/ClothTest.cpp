// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "core/behavior/Solvers.h"
#include "core/behavior/State.h"
#include "core/collision/CollisionModel.h"
#include "core/geometry/Proximity.h"
#include "core/math/DataTypes.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/BaseMeshTopology.h"
#include "tests/harness/SceneText.h"

namespace cloth_test {

using namespace sofa::core;

namespace {

constexpr double mass = 0.3;  ///< of the cloth [kg]

/// A cloth of 1 m that stands on a floor and collapses.
struct Cloth
{
    int n = 21;             ///< points of a side
    double contact = 0.01;  ///< distance at which contact begins [m]
    double alarm = 2.;      ///< that from which on it is looked at, relative to it
    std::string root = {};  ///< attributes of the root
    double seconds = 0.7;
    double young = 20000.;   ///< Young's modulus [Pa]
    double springs = 20.;    ///< stiffness of springs of unit length [N]
    bool projected = false;  ///< whether their tangent is
};

std::string cloth(const std::string& method, const Cloth& c)
{
    const int n = c.n;
    std::ostringstream position, triangles;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const double u = double(i) / (n - 1), v = double(j) / (n - 1);
            position << u - 0.5 << ' ' << 0.03 + v << ' ' << 0.02 * std::sin(3. * u + 5. * v) << ' ';
            if (i + 1 == n || j + 1 == n) continue;
            const int k = j * n + i;
            triangles << k << ' ' << k + 1 << ' ' << k + n + 1 << ' ' << k << ' ' << k + n + 1 << ' ' << k + n << ' ';
        }
    return "<Node name='root' dt='0.005' gravity='0 -9.81 0' " + c.root +
           "><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='200' tolerance='1e-5'/>"
           "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><" +
           method + " alarmDistance='" + std::to_string(c.alarm * c.contact) + "' contactDistance='" +
           std::to_string(c.contact) +
           "'/>"
           "<CollisionResponse response='FrictionContactConstraint' responseParams='mu=0.3'/>"
           "<Node name='cloth'><EulerImplicitSolver rayleighMass='0.5' rayleighStiffness='0.02'/><SparseLDLSolver/>"
           "<MeshTopology position='" +
           position.str() + "' triangles='" + triangles.str() + "'/><MechanicalObject/><UniformMass totalMass='" +
           std::to_string(mass) +
           "'/>"
           "<TriangularFEMForceField youngModulus='" +
           std::to_string(c.young) + "' poissonRatio='0.3'/><MeshSpringForceField stiffness='" +
           std::to_string(c.springs) + "' damping='0.01' projectedTangent='" + std::to_string(c.projected) +
           "'/><LinearSolverConstraintCorrection/>"
           "<TriangleCollisionModel selfCollision='1'/><LineCollisionModel selfCollision='1'/>"
           "<PointCollisionModel selfCollision='1'/></Node>"
           "<Node name='floor'><RegularGridTopology n='2 1 2' min='-3 0 -3' max='3 0 3'/><MechanicalObject/>"
           "<TriangleCollisionModel moving='0' simulated='0'/></Node></Node>";
}

/// Edges of a mesh that pass through triangles with which they have no common vertex, counted exactly.
int crossings(const Vector<Vec3>& x, const Vector<Triangle>& triangles)
{
    const auto has = [](const Triangle& t, Index v) { return t[0] == v || t[1] == v || t[2] == v; };
    int n = 0;
    for (const Triangle& a : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Index p = a[k], q = a[(k + 1) % 3];
            for (const Triangle& b : triangles)
                if (!has(b, p) && !has(b, q) && geometry::segmentCrossesTriangle(x[p], x[q], x[b[0]], x[b[1]], x[b[2]]))
                    ++n;
        }
    return n;
}

struct Outcome
{
    int crossings = 0;     ///< in the worst of the steps looked at
    double fastest = 0.;   ///< speed of a point at the end [m/s]
    double gained = -1e9;  ///< kinetic and potential energy in gravity less that of the beginning, at most [J]
    int corrections = 0;   ///< of all steps
};

Outcome collapse(const std::string& method, const Cloth& c = {})
{
    LoadReport report;
    const auto scene = loadSceneText(cloth(method, c), "test.scn", {}, &report);
    REQUIRE(report.ok());
    Simulation simulation(scene);
    REQUIRE(simulation.init());
    const Node& node = *scene->child("cloth");
    const auto& state = *node.get<State<Vec3Types>>(Search::Local);
    const Vector<Triangle> triangles = node.get<BaseMeshTopology>(Search::Local)->triangles();
    const auto& loop = *scene->get<AnimationLoop>(Search::Local);
    const auto energy = [&] {
        double sum = 0.;
        for (const Vec3& x : state.read(vec_id::position)) sum += 9.81 * x[1];
        for (const Vec3& v : state.read(vec_id::velocity)) sum += 0.5 * norm2(v);
        return sum * mass / state.size();
    };
    const double start = energy();
    Outcome out;
    const int steps = static_cast<int>(std::lround(c.seconds / 0.005));
    for (int step = 1; step <= steps; ++step) {
        simulation.step();
        out.gained = std::max(out.gained, energy() - start);
        out.corrections += std::stoi(loop.findData("corrections")->text());
        if (step % 20 == 0) out.crossings = std::max(out.crossings, crossings(state.read(vec_id::position), triangles));
    }
    for (const Vec3& v : state.read(vec_id::velocity)) out.fastest = std::max(out.fastest, norm(v));
    return out;
}

}  // namespace

TEST_CASE("A cloth that collapses on itself does not cross itself, not even between neighbours", "[collision]")
{
    for (const char* method :
         {"LocalMinDistance angleCone='0.02'", "MinProximityIntersection", "CCDTightInclusionIntersection"}) {
        INFO(method);
        const Outcome out = collapse(method);
        CHECK(out.crossings == 0);
        CHECK(out.fastest < 1.);  // it fell with up to 4.4 m/s
        CHECK(out.gained < 0.);
    }
}

TEST_CASE("A cloth whose edges are 2.5 contact distances long does not cross itself either", "[collision]")
{
    for (const char* method : {"MinProximityIntersection", "CCDTightInclusionIntersection"}) {
        INFO(method);
        const Outcome out = collapse(method, {.contact = 0.02, .alarm = 1.1, .seconds = 1.2});
        CHECK(out.crossings == 0);
        CHECK(out.fastest < 1.);
        CHECK(out.gained < 0.);
        CHECK(out.corrections > 0);
    }
}

TEST_CASE("Sides of two triangles that fold together keep their distance", "[collision]")
{
    for (const char* method : {"LocalMinDistance", "MinProximityIntersection", "CCDTightInclusionIntersection"}) {
        INFO(method);
        // Two squares, flat at rest; the one stands, a corner of the other comes over it, from 40 degrees on. Their
        // diagonals cross at right angles, 12.5 mm from their common side: at 5 mm where the angle is 23.6 degrees.
        const double angle = 40. * std::acos(-1.) / 180.;
        const std::string lying = "0 0 0  0.025 0 0  0 0.025 0  0.025 0.025 0  ",
                          raised =
                              std::to_string(0.025 * std::cos(angle)) + ' ' + std::to_string(0.025 * std::sin(angle)),
                          rest = lying + "0.025 -0.025 0  0 -0.025 0",
                          folded = lying + "0.025 " + raised + "  0 " + raised;
        LoadReport report;
        const auto scene = loadSceneText(
            "<Node name='root' dt='0.005' gravity='0 0 0'><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver/>"
            "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><" +
                std::string(method) +
                " alarmDistance='0.01' contactDistance='0.005'/>"
                "<CollisionResponse response='FrictionContactConstraint' responseParams='mu=0'/>"
                "<Node name='hinge'><EulerImplicitSolver/><SparseLDLSolver/><MeshTopology position='" +
                rest + "' triangles='0 1 2  1 3 2  1 0 4  0 5 4'/><MechanicalObject position='" + folded +
                "' rest_position='" + rest +
                "' velocity='0 0 0  0 0 0  0 0 0  0 0 0  0 0 -0.2  0 0 0'/><UniformMass totalMass='0.01'/>"
                "<FixedProjectiveConstraint indices='0 1 2 3 5'/><LinearSolverConstraintCorrection/>"
                "<LineCollisionModel selfCollision='1'/></Node></Node>",
            "test.scn", {}, &report);
        REQUIRE(report.ok());
        Simulation simulation(scene);
        REQUIRE(simulation.init());
        const auto& state = *scene->child("hinge")->get<State<Vec3Types>>(Search::Local);
        double lowest = 1.;
        for (int k = 0; k < 100; ++k) {
            simulation.step();
            const auto x = state.read(vec_id::position);
            lowest = std::min(lowest, geometry::segmentSegment(x[0], x[4], x[1], x[2]).distance());
        }
        CHECK(lowest > 0.0049);
        CHECK(lowest < 0.0051);  // it came
    }
}

TEST_CASE("A cloth of 1% of its size collapses without crossing itself, on coarse and fine meshes", "[nightly]")
{
    for (const char* method : {"MinProximityIntersection", "CCDTightInclusionIntersection"})
        for (const int n : {21, 41}) {
            INFO(method << ", " << n << " points a side");
            const Outcome out = collapse(method, {.n = n, .alarm = 1.1, .seconds = 1.2, .projected = true});
            CHECK(out.crossings == 0);
            CHECK(out.fastest < 1.);
            CHECK(out.gained < 0.);
        }
}

TEST_CASE("Neighbours of a mesh never collide with compatibility=\"sofa\"", "[collision]")
{
    CHECK(collapse("MinProximityIntersection", {.root = "compatibility='sofa'"}).crossings > 0);
}

TEST_CASE("A mesh whose edges are shorter than the contact distance does not push itself apart", "[collision]")
{
    // The cloth of 21 points a side has edges of 5 cm; its contact distance is 6 cm now.
    std::string text = cloth("MinProximityIntersection", {});
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"contactDistance='0.010000'", "contactDistance='0.06'"},
          {"alarmDistance='0.020000'", "alarmDistance='0.06'"},
          {"gravity='0 -9.81 0'", "gravity='0 0 0'"},
          {"<TriangleCollisionModel moving='0' simulated='0'/>", ""}})
        text.replace(text.find(from), from.size(), to);
    LoadReport report;
    const auto scene = loadSceneText(text, "test.scn", {}, &report);
    REQUIRE(report.ok());
    Simulation simulation(scene);
    REQUIRE(simulation.init());
    simulation.step();
    for (const Vec3& v : scene->child("cloth")->get<State<Vec3Types>>(Search::Local)->read(vec_id::velocity))
        CHECK(norm(v) == 0.);
}

TEST_CASE("Parts of a mesh that touch at rest collide, unless they are neighbours", "[collision]")
{
    // A chain of short edges, and an edge that lies along its first one, both within the distance of the rest.
    sofa::test::SceneText s(
        "<Node name='mesh'><MechanicalObject position='0 0 0  1 0 0  1.05 0 0  1.1 0 0  0 0.01 0  1 0.01 0  9 0 0'/>"
        "<MeshTopology edges='0 1  1 2  2 3  4 5  3 6'/><LineCollisionModel selfCollision='1'/>"
        "<PointCollisionModel selfCollision='1'/></Node>");
    REQUIRE(s.good);
    const auto& lines = *s.child("mesh").getAll<CollisionModel>().front();
    REQUIRE(lines.shape() == CollisionShape::Line);
    const auto collide = [&](Index i, Index j) { return lines.canCollide(i, lines, j, 0.2); };
    CHECK_FALSE(collide(1, 0));                  // a common point
    CHECK_FALSE(collide(2, 0));                  // 0.05 apart, with one edge between them
    CHECK(collide(3, 0));                        // a layer on the first edge
    CHECK_FALSE(collide(0, 3));                  // each pair once
    CHECK_FALSE(collide(4, 0));                  // two points on, at a distance of 0.1
    CHECK(lines.canCollide(4, lines, 0, 0.05));  // farther apart at rest than the distance
    CHECK(lines.canCollide(2, lines, 0, 0.04));
}

TEST_CASE("A cloth that falls on a ball stays as far from it as its contacts shall keep it", "[collision]")
{
    // How deep it comes into the contact distance around the ball [m].
    const auto penetration = [](const std::string& method) {
        const std::string text =
            "<Node name='root' dt='0.005' gravity='0 -9.81 0'><FreeMotionAnimationLoop/>"
            "<BlockGaussSeidelConstraintSolver maxIterations='500'/>"
            "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><" +
            method +
            " alarmDistance='0.02' contactDistance='0.01'/>"
            "<CollisionResponse response='FrictionContactConstraint' responseParams='mu=0.3'/>"
            "<Node name='cloth'><EulerImplicitSolver rayleighMass='0.5' rayleighStiffness='0.02'/><SparseLDLSolver/>"
            "<RegularGridTopology n='16 1 16' min='-0.5 0.5 -0.5' max='0.5 0.5 0.5'/><MechanicalObject/>"
            "<UniformMass totalMass='0.3'/><MeshSpringForceField stiffness='20' damping='0.01' projectedTangent='1'/>"
            "<LinearSolverConstraintCorrection/><TriangleCollisionModel/></Node>"
            "<Node name='ball'><MechanicalObject template='Vec3' position='0 0 0'/>"
            "<SphereCollisionModel radius='0.2' moving='0' simulated='0'/></Node></Node>";
        LoadReport report;
        const auto scene = loadSceneText(text, "test.scn", {}, &report);
        REQUIRE(report.ok());
        Simulation simulation(scene);
        REQUIRE(simulation.init());
        const Node& node = *scene->child("cloth");
        const auto& state = *node.get<State<Vec3Types>>(Search::Local);
        const auto& quads = node.get<BaseMeshTopology>(Search::Local)->quads();
        double nearest = 1e9;
        for (int step = 0; step < 120; ++step) {
            simulation.step();
            const auto& x = state.read(vec_id::position);
            for (const Quad& q : quads)
                for (const auto& [a, b, c] : {Triangle{q[0], q[1], q[2]}, Triangle{q[0], q[2], q[3]}})
                    nearest = std::min(nearest, geometry::pointTriangle(Vec3(), x[a], x[b], x[c]).distance());
        }
        return 0.2 + 0.01 - nearest;  // radius and contact distance [m]
    };
    for (const std::string method : {"MinProximityIntersection", "CCDTightInclusionIntersection"}) {
        INFO(method);
        CHECK(penetration(method + " maxCorrections='0'") > 0.002);
        CHECK(penetration(method) < 1.1e-4);  // one per cent of the contact distance
    }
}

}  // namespace cloth_test
