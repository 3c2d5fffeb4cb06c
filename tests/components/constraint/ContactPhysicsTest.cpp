// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>
#include <sstream>

#include "components/constraint/LagrangianSolver.h"
#include "components/constraint/UnilateralLagrangianConstraint.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

using namespace sofa::core;
using namespace sofa::component;

namespace {

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;

    Scene(const std::string& body, const std::string& response, const std::string& gravity = "0 -9.81 0",
          const std::string& solver =
              "<BlockGaussSeidelConstraintSolver maxIterations='5000' tolerance='1e-10' allVerified='1'/>",
          const std::string& intersection = "<LocalMinDistance alarmDistance='0.1' contactDistance='0.01'/>")
    {
        LoadReport report;
        root = loadSceneText("<Node name='root' dt='0.01' gravity='" + gravity + "'><FreeMotionAnimationLoop/>" +
                                 solver + "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>" +
                                 intersection + "<CollisionResponse " + response + "/>" + body + "</Node>",
                             "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        REQUIRE(sim->init());
    }
    void step(int n = 1)
    {
        for (int i = 0; i < n; ++i) sim->step();
    }
    State<Rigid3Types>& body(const std::string& node)
    {
        return *root->child(node)->get<State<Rigid3Types>>(Search::Local);
    }
    LagrangianSolver& solver() { return *root->get<LagrangianSolver>(Search::Local); }
    std::size_t contacts() const
    {
        std::size_t n = 0;
        for (auto* c : root->getAll<UnilateralLagrangianConstraint>(Search::Down)) n += c->contacts().size();
        return n;
    }
};

std::string text(double x)
{
    std::ostringstream s;
    s.precision(17);
    s << x;
    return s.str();
}

std::string text(const Vec3& v) { return text(v[0]) + ' ' + text(v[1]) + ' ' + text(v[2]); }

/// Triangles of a box with the corners (±a, ±b, ±c), outside seen from without.
std::string boxMesh(double a, double b, double c)
{
    std::string positions;
    for (int k = 0; k < 8; ++k) positions += text(Vec3(k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? c : -c)) + "  ";
    return "<MeshTopology name='mesh' position='" + positions +
           "' triangles='0 2 1  1 2 3  4 5 6  5 7 6  0 1 4  1 5 4  2 6 3  3 6 7  0 4 2  2 4 6  1 3 5  3 7 5'/>"
           "<MechanicalObject/>";
}
const std::string models = "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/>",
                  fixedModels =
                      "<TriangleCollisionModel moving='0' simulated='0'/><LineCollisionModel moving='0' "
                      "simulated='0'/><PointCollisionModel moving='0' simulated='0'/>";

/// A rigid box of mass 2 kg.
std::string box(const std::string& name, const Vec3& half, const std::string& position)
{
    const double m = 2., v = 8. * half[0] * half[1] * half[2];
    const auto inertia = [&](int i, int j) { return text((half[i] * half[i] + half[j] * half[j]) / 3.); };
    return "<Node name='" + name +
           "'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-15' threshold='1e-30'/>"
           "<MechanicalObject template='Rigid3' position='" +
           position + "'/><UniformMass vertexMass='" + text(m) + ' ' + text(v) + " [" + inertia(1, 2) + " 0 0,0 " +
           inertia(0, 2) + " 0,0 0 " + inertia(0, 1) + "]'/><UncoupledConstraintCorrection/><Node name='surface'>" +
           boxMesh(half[0], half[1], half[2]) + models + "<RigidMapping/></Node></Node>";
}

std::string ground(double angleDegrees)
{
    return "<Node name='ground'><MeshTopology position='-30 0 -30  30 0 -30  -30 0 30  30 0 30' triangles='0 2 1  1 2 "
           "3'/><MechanicalObject rotation='0 0 " +
           text(angleDegrees) + "'/>" + fixedModels + "</Node>";
}

const double pi = std::acos(-1.);

}  // namespace

TEST_CASE("A block on an incline slides exactly when tan θ > μ, with g (sin θ − μ cos θ)", "[contact][physics]")
{
    for (const double degrees : {10., 25., 40.}) {
        const double angle = degrees * pi / 180.;
        const Vec3 normal(-std::sin(angle), std::cos(angle), 0.), down(-std::cos(angle), -std::sin(angle), 0.);
        for (const double factor : {0.5, 0.99, 1.01, 2.}) {
            const double mu = factor * std::tan(angle);
            INFO("angle " << degrees << " degrees, mu = " << factor << " tan");
            // Beside the diagonal of the ground, where both of its triangles end.
            const Vec3 at = normal * 0.11 - down * 2. + Vec3(0., 0., 7.3);
            Scene s(box("block", {0.5, 0.1, 0.4},
                        text(at) + " 0 0 " + text(std::sin(angle / 2.)) + ' ' + text(std::cos(angle / 2.))) +
                        ground(degrees),
                    "response='FrictionContactConstraint' responseParams='mu=" + text(mu) + "'");
            s.step(50);
            const auto& v = s.body("block").velocities()[0];
            const double acceleration = std::max(0., 9.81 * (std::sin(angle) - mu * std::cos(angle)));
            CHECK(s.contacts() == 4);
            CHECK(dot(Rigid3Types::linear(v), down) == Approx(0.5 * acceleration).margin(2e-6));
            CHECK(std::abs(dot(Rigid3Types::linear(v), normal)) < 1e-6);
            CHECK(norm(Rigid3Types::angular(v)) < 1e-5);
            CHECK(s.solver().d_currentResidual.value() < 1e-9);
        }
    }
}

TEST_CASE("A stack of ten boxes stands for 300 steps of a hundred iterations", "[contact][physics]")
{
    for (const bool turned : {false, true}) {
        INFO("every second box turned: " << turned);
        std::string bodies;
        const double half = 0.5, pitch = 2. * half + 0.01;
        for (int k = 0; k < 10; ++k) {
            const double angle = turned && k % 2 ? 0.5 : 0.;
            bodies += box("box" + std::to_string(k), {half, half, half},
                          "0.31 " + text(0.51 + pitch * k) + " 4.2 0 " + text(std::sin(angle / 2.)) + " 0 " +
                              text(std::cos(angle / 2.)));
        }
        Scene s(bodies + ground(0.), "response='FrictionContactConstraint' responseParams='mu=0.5&amp;warmStart=1'",
                "0 -9.81 0",
                "<BlockGaussSeidelConstraintSolver maxIterations='100' tolerance='1e-5' allVerified='1'/>");
        s.step(300);
        // A hundred iterations leave a creep of a few millimetres.
        for (int k = 0; k < 10; ++k) {
            const auto& frame = s.body("box" + std::to_string(k)).positions()[0];
            INFO("box " << k);
            CHECK(std::abs(frame.center[0] - 0.31) < 0.1);
            CHECK(std::abs(frame.center[2] - 4.2) < 0.1);
            CHECK(std::abs(frame.center[1] - (0.51 + pitch * k)) < 5e-3);
            CHECK(frame.orientation.rotate({0., 1., 0.})[1] > 0.9999);
        }
        CHECK(s.contacts() >= 40);
    }
}

namespace {

/// Steps of a stack of boxes with the defaults of all components, each of which must converge unless it may not: how
/// far the boxes are then from where they were.
double drift(int boxes, const std::string& intersection, int steps, const std::string& body = "", double height = 0.25,
             const std::string& solver = "<BlockGaussSeidelConstraintSolver/>", bool converges = true)
{
    std::string bodies;
    std::vector<Vec3> start;
    for (int k = 0; k < boxes; ++k) {
        start.push_back({0.31, 0.01 + height + k * (2. * height + 0.01), 4.2});
        const std::string position = text(start.back()) + " 0 0 0 1";
        bodies += body.empty() ? box("box" + std::to_string(k), {0.5, height, 0.5}, position)
                               : "<Node name='box" + std::to_string(k) +
                                     "'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template='Rigid3' "
                                     "position='" +
                                     position + "'/>" + body + "<UncoupledConstraintCorrection/></Node>";
    }
    Scene s(bodies + ground(0.), "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 -9.81 0", solver,
            intersection);
    s.step(steps);
    double most = 0.;
    for (int k = 0; k < boxes; ++k)
        most = std::max(
            most, norm(s.body("box" + std::to_string(k)).positions()[0].center - start[static_cast<std::size_t>(k)]));
    if (converges) CHECK(s.solver().d_unconvergedSolves.value() == 0);
    return most;
}

const std::string limits = " alarmDistance='0.05' contactDistance='0.01'/>";
const std::string solid = "<UniformMass totalMass='1'/><OBBCollisionModel extents='0.5 0.25 0.5'/>";

}  // namespace

TEST_CASE("Stacks of boxes stand with default settings, whatever finds the contacts", "[contact][physics]")
{
    for (const char* method : {"LocalMinDistance", "MinProximityIntersection", "NewProximityIntersection",
                               "CCDTightInclusionIntersection continuousCollisionType='Inertia'",
                               "CCDTightInclusionIntersection continuousCollisionType='FreeMotion'"}) {
        INFO(method);
        CHECK(drift(5, "<" + std::string(method) + limits, 200) < 1e-6);
        CHECK(drift(1, "<" + std::string(method) + limits, 2000) < 1e-6);
    }
}

TEST_CASE("Thirty boxes stand for ten seconds with default settings", "[contact][physics]")
{
    CHECK(drift(30, "<LocalMinDistance" + limits, 1000, solid) < 1e-5);
}

TEST_CASE("Stacks of boxes stand with default settings, whatever solves", "[contact][physics]")
{
    for (const char* solver :
         {"UnbuiltGaussSeidelConstraintSolver", "NNCGConstraintSolver", "ImprovedJacobiConstraintSolver",
          "LCPConstraintSolver", "LCPConstraintSolver build_lcp='0'"}) {
        INFO(solver);
        CHECK(drift(10, "<LocalMinDistance" + limits, 300, solid, 0.25, "<" + std::string(solver) + "/>") < 1e-6);
    }
}

TEST_CASE("Thirty boxes stand for twenty seconds with default settings, whatever finds the contacts", "[nightly]")
{
    for (const char* method : {"LocalMinDistance", "MinProximityIntersection", "NewProximityIntersection",
                               "CCDTightInclusionIntersection continuousCollisionType='Inertia'"}) {
        INFO(method);
        CHECK(drift(30, "<" + std::string(method) + limits, 2000) < 1e-5);
    }
}

TEST_CASE("Thirty boxes stand for twenty seconds with default settings, whatever solves", "[nightly]")
{
    for (const char* solver :
         {"BlockGaussSeidelConstraintSolver", "UnbuiltGaussSeidelConstraintSolver", "NNCGConstraintSolver",
          "ImprovedJacobiConstraintSolver", "LCPConstraintSolver", "LCPConstraintSolver build_lcp='0'"}) {
        INFO(solver);
        CHECK(drift(30, "<LocalMinDistance" + limits, 2000, solid, 0.25, "<" + std::string(solver) + "/>", false) <
              1e-5);
    }
}

TEST_CASE("A hundred boxes stand for ten seconds with default settings", "[contact][physics]")
{
    CHECK(drift(100, "<LocalMinDistance" + limits, 1000, solid) < 1e-6);
}

namespace {

/// A ball of radius 0.5 m and mass 1 kg with a surface of triangles: rings around the y axis.
std::string meshBall(const std::string& name, const std::string& position)
{
    const int rings = 9, around = 14;
    std::ostringstream points, triangles;
    points << "0 0.5 0  0 -0.5 0  ";
    for (int r = 1; r <= rings; ++r)
        for (int k = 0; k < around; ++k) {
            const double theta = pi * r / (rings + 1), phi = 2. * pi * (k + 0.5 * r) / around;
            points << text(0.5 *
                           Vec3(std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)))
                   << "  ";
        }
    const auto at = [&](int r, int k) { return 2 + (r - 1) * around + k % around; };
    for (int k = 0; k < around; ++k) {
        triangles << "0 " << at(1, k + 1) << ' ' << at(1, k) << "  1 " << at(rings, k) << ' ' << at(rings, k + 1)
                  << "  ";
        for (int r = 1; r < rings; ++r)
            triangles << at(r, k) << ' ' << at(r, k + 1) << ' ' << at(r + 1, k) << "  " << at(r, k + 1) << ' '
                      << at(r + 1, k + 1) << ' ' << at(r + 1, k) << "  ";
    }
    return "<Node name='" + name +
           "'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template='Rigid3' position='" + position +
           "'/><UniformMass totalMass='1'/><UncoupledConstraintCorrection/><Node><MeshTopology position='" +
           points.str() + "' triangles='" + triangles.str() + "'/><MechanicalObject/>" + models +
           "<RigidMapping/></Node></Node>";
}

}  // namespace

TEST_CASE("Meshes that overlap at the start part, and are never drawn together", "[contact][physics]")
{
    for (const char* method :
         {"MinProximityIntersection", "CCDTightInclusionIntersection continuousCollisionType='Inertia'",
          "CCDTightInclusionIntersection continuousCollisionType='FreeMotion'"})
        for (const double overlap : {0.03, 0.1, 0.2}) {
            INFO(method << ", overlap " << overlap << " m");
            const Vec3 offset = normalized(Vec3(0.2, 1., 0.1)) * (1. - overlap);
            Scene s(meshBall("a", "0 0 0 0 0 0 1") + meshBall("b", text(offset) + " 0 0 0 1"),
                    "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 0 0",
                    "<BlockGaussSeidelConstraintSolver/>", "<" + std::string(method) + limits);
            const auto apart = [&] {
                return norm(s.body("b").positions()[0].center - s.body("a").positions()[0].center);
            };
            double last = apart();
            for (int k = 0; k < 60; ++k) {
                s.step();
                CHECK(apart() > last - 1e-4);
                last = apart();
            }
            CHECK(last > 1. - overlap + 0.05);
            CHECK(s.sim->energy().kinetic < 2.);
        }
}

TEST_CASE("A mesh whose corner is in a large box leaves it through the nearest side", "[contact][physics]")
{
    // Triangles of its sides stand in the floor; along the normal of one of them the way out is 20 m.
    Scene s(
        "<Node name='stone'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template='Rigid3' position='1.6 "
        "0.1 0 0 0 0 1'/><UniformMass totalMass='20'/><UncoupledConstraintCorrection/><Node><MeshTopology position='"
        "-0.1685 -0.0139 -0.1549  -0.1263 -0.107 -0.1475  0.1221 0.055 -0.1156  0.0799 0.1481 -0.123  "
        "-0.2058 -0.0096 0.1125  -0.1635 -0.1027 0.1199  0.0848 0.0593 0.1518  0.0425 0.1524 0.1444' "
        "triangles='0 2 1  0 3 2  4 5 6  4 6 7  0 1 5  0 5 4  1 2 6  1 6 5  2 3 7  2 7 6  3 0 4  3 4 7'/>"
        "<MechanicalObject/>" +
            models +
            "<RigidMapping/></Node></Node><Node name='floor'><MechanicalObject template='Rigid3' "
            "position='0 -0.5005 0 0 0 0 1'/><OBBCollisionModel extents='20 0.5 20' moving='0' simulated='0'/></Node>",
        "response='FrictionContactConstraint' responseParams='mu=0.8'", "0 -9.81 0",
        "<BlockGaussSeidelConstraintSolver/>", "<LocalMinDistance alarmDistance='0.01' contactDistance='0.001'/>");
    s.step();
    for (const auto* c : s.root->getAll<UnilateralLagrangianConstraint>(Search::Down))
        for (const auto& contact : c->contacts()) CHECK(contact.normal[1] > 0.9);
    CHECK(s.contacts() >= 2);
    CHECK(s.sim->energy().kinetic < 20.);
}

TEST_CASE("A light box carries one of a thousand times its mass", "[contact][physics]")
{
    std::string bodies = box("light", {0.5, 0.25, 0.5}, "0.31 0.26 4.2 0 0 0 1"),
                heavy = box("heavy", {0.5, 0.25, 0.5}, "0.31 0.77 4.2 0 0 0 1");
    const std::string mass = "vertexMass='2 ";
    heavy.replace(heavy.find(mass), mass.size(), "vertexMass='2000 ");
    Scene s(bodies + heavy + ground(0.), "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 -9.81 0",
            "<BlockGaussSeidelConstraintSolver/>");
    s.step(500);
    CHECK(norm(s.body("light").positions()[0].center - Vec3(0.31, 0.26, 4.2)) < 1e-6);
    CHECK(norm(s.body("heavy").positions()[0].center - Vec3(0.31, 0.77, 4.2)) < 1e-6);
    CHECK(s.solver().d_unconvergedSolves.value() == 0);
}

TEST_CASE("Boxes stand on the diagonal of a floor, whichever side of it is up", "[contact][physics]")
{
    for (const char* triangles : {"0 2 1  1 2 3", "0 1 2  1 3 2"})
        for (const double angle : {0., 0.3, pi / 4.}) {
            INFO("triangles " << triangles << ", turned by " << angle);
            // Two of its corners stand on the diagonal if it is turned by 45 degrees.
            std::string floor = ground(0.);
            const std::string before = "triangles='0 2 1  1 2 3'";
            floor.replace(floor.find(before), before.size(), "triangles='" + std::string(triangles) + "'");
            Scene s(box("box", {0.5, 0.5, 0.5},
                        "0 0.51 0 0 " + text(std::sin(angle / 2.)) + " 0 " + text(std::cos(angle / 2.))) +
                        floor,
                    "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 -9.81 0",
                    "<BlockGaussSeidelConstraintSolver/>", "<LocalMinDistance" + limits);
            s.step(600);
            const auto& frame = s.body("box").positions()[0];
            CHECK(norm(frame.center - Vec3(0., 0.51, 0.)) < 1e-6);
            CHECK(frame.orientation.rotate({0., 1., 0.})[1] > 1. - 1e-9);
        }
}

namespace {

/// The surface of a cube of n by n by n points, a grid with x running fastest.
std::string surfaceOfGrid(int n)
{
    std::ostringstream out;
    const int last = n - 1;
    for (int axis = 0; axis < 3; ++axis)
        for (const int side : {0, last})
            for (int i = 0; i < last; ++i)
                for (int j = 0; j < last; ++j) {
                    const auto point = [&](int a, int b) {
                        const std::array<int, 3> k = axis == 0   ? std::array{side, a, b}
                                                     : axis == 1 ? std::array{b, side, a}
                                                                 : std::array{a, b, side};
                        return k[0] + n * (k[1] + n * k[2]);
                    };
                    const int p[4] = {point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)};
                    const auto add = [&](int a, int b, int c) { out << a << ' ' << b << ' ' << c << "  "; };
                    if (side == 0) {
                        add(p[0], p[2], p[1]);
                        add(p[0], p[3], p[2]);
                    } else {
                        add(p[0], p[1], p[2]);
                        add(p[0], p[2], p[3]);
                    }
                }
    return out.str();
}

}  // namespace

TEST_CASE("A ball on a ball rolls off as theory says", "[contact][physics]")
{
    // From rest at the angle a to the vertical: k v² / 2 = g l (cos a − cos b) at the angle b, with k = 1 if it slides
    // and 7/5 if it rolls. It leaves where the contact has no force: g cos b = v²/l, cos b = 2 cos a / (2 + k).
    const double l = 0.201, a = 0.1;
    const std::string start = text(Vec3(l * std::sin(a), l * std::cos(a), 0.)) + " 0 0 0 1",
                      bodies =
                          "<Node name='ball'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject "
                          "template='Rigid3' position='" +
                          start +
                          "'/><UniformMass vertexMass='1 0.004 [0.004 0 0,0 0.004 0,0 0 0.004]'/>"
                          "<SphereCollisionModel radius='0.1'/><UncoupledConstraintCorrection/></Node><Node "
                          "name='other'><MechanicalObject "
                          "template='Rigid3' position='0 0 0 0 0 0 1'/><SphereCollisionModel radius='0.1' "
                          "simulated='0' moving='0'/></Node>";
    for (const char* solver : {"BlockGaussSeidelConstraintSolver", "UnbuiltGaussSeidelConstraintSolver",
                               "NNCGConstraintSolver", "ImprovedJacobiConstraintSolver", "LCPConstraintSolver"})
        for (const bool rolls : {false, true}) {
            INFO(solver << ", rolls " << rolls);
            const double k = rolls ? 1.4 : 1., leaves = std::acos(2. * std::cos(a) / (2. + k));
            Scene s(bodies, "response='FrictionContactConstraint' responseParams='mu=" + text(rolls ? 100. : 0.) + "'",
                    "0 -9.81 0", "<" + std::string(solver) + "/>",
                    "<LocalMinDistance alarmDistance='0.01' contactDistance='0.001'/>");
            s.root->d_dt.setValue(0.0005);
            bool left = false;
            for (int n = 0; n < 3000 && !left; ++n) {
                s.step();
                const Vec3 x = s.body("ball").positions()[0].center,
                           v = Rigid3Types::linear(s.body("ball").velocities()[0]);
                const double b = std::atan2(x[0], x[1]);
                if (b > 0.2 && b < 0.9 * leaves)
                    CHECK(0.5 * k * norm2(v) == Approx(9.81 * l * (std::cos(a) - std::cos(b))).epsilon(5e-3));
                double force = 0.;
                for (const auto* c : s.root->getAll<UnilateralLagrangianConstraint>(Search::Down))
                    for (const Vec3& f : c->d_contactForces.value()) force += norm(f);
                left = force == 0.;
                if (left) CHECK(b == Approx(leaves).epsilon(5e-3));
                CHECK(b < leaves + 0.01);
            }
            CHECK(left);
        }
}

TEST_CASE("Soft cubes come to rest on each other, whatever finds the contacts", "[contact][physics]")
{
    const std::string near = " alarmDistance='0.01' contactDistance='0.005'/>";
    std::string cubes;
    for (int k = 0; k < 2; ++k)
        cubes += "<Node name='cube" + std::to_string(k) +
                 "'><EulerImplicitSolver rayleighStiffness='0.01'/><SparseLDLSolver/><RegularGridTopology n='4 4 4' "
                 "min='-0.05 " +
                 text(0.005 + 0.105 * k) + " -0.05' max='0.05 " + text(0.105 + 0.105 * k) +
                 " 0.05'/><MechanicalObject name='points'/><UniformMass name='mass' totalMass='1'/>"
                 "<HexahedronFEMForceField youngModulus='20000' poissonRatio='0.3'/><LinearSolverConstraintCorrection/>"
                 "<Node><MeshTopology position='@../points.position' triangles='" +
                 surfaceOfGrid(4) + "'/><MechanicalObject/>" + models + "<IdentityMapping/></Node></Node>";
    for (const char* method : {"LocalMinDistance", "MinProximityIntersection", "CCDTightInclusionIntersection"}) {
        INFO(method);
        Scene s(cubes + ground(0.), "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 -9.81 0",
                "<BlockGaussSeidelConstraintSolver name='solver'/>", "<" + std::string(method) + near);
        double most = 0., lowest = 1.;
        for (int k = 0; k < 80; ++k) {
            s.step();
            for (const char* name : {"cube0", "cube1"}) {
                const auto& state = *s.root->child(name)->get<State<Vec3Types>>(Search::Local);
                for (const Vec3& v : state.velocities()) most = std::max(most, norm(v));
                for (const Vec3& x : state.positions()) lowest = std::min(lowest, x[1]);
            }
            CHECK(s.contacts() < 200);
            if (k == 59) {
                CHECK(most < 0.5);  // the speed of the fall through what they are pressed together
                most = 0.;
            }
        }
        CHECK(most < 1e-3);
        CHECK(lowest > 0.0049);
    }
}

TEST_CASE("Fast bodies of triangles do not pass a wall with continuous detection", "[contact][physics]")
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> value(-1., 1.);
    for (const double speed : {20., 100., 300.})
        for (int trial = 0; trial < 10; ++trial) {
            INFO(speed << " m/s, trial " << trial);
            const Vec3 velocity(0.1 * speed * value(random), -speed, 0.1 * speed * value(random)),
                spin(30. * value(random), 30. * value(random), 30. * value(random));
            const double angle = pi * value(random);
            std::string body =
                box("bullet", {0.05, 0.05, 0.05},
                    text(Vec3(value(random), 0.5, value(random))) + " 0.6 " + text(0.8 * std::sin(angle)) + " 0 " +
                        text(0.8 * std::cos(angle)) + "' velocity='" + text(velocity) + ' ' + text(spin));
            Scene s(body + ground(0.), "response='FrictionContactConstraint' responseParams='mu=0.3'", "0 0 0",
                    "<BlockGaussSeidelConstraintSolver/>",
                    "<CCDTightInclusionIntersection alarmDistance='0.01' contactDistance='0.005'/>");
            const auto& corners = *s.root->child("bullet")->child("surface")->get<State<Vec3Types>>(Search::Local);
            double lowest = 1.;
            for (int k = 0; k < 20; ++k) {
                s.step();
                for (const Vec3& x : corners.positions()) lowest = std::min(lowest, x[1]);
            }
            CHECK(lowest > 0.);
            CHECK(lowest < 0.02);
        }
}

TEST_CASE("Bodies that overlap are parted without being thrown", "[contact][physics]")
{
    const std::string shapes[] = {"<SphereCollisionModel radius='0.5'/>", "<OBBCollisionModel extents='0.5 0.5 0.5'/>",
                                  "<CapsuleCollisionModel radii='0.5' heights='0.4'/>"};
    const double overlap = 0.2, dt = 0.01;
    for (const std::string& shape : shapes)
        for (const double g : {0., 9.81})
            for (const bool sofa : {false, true}) {
                INFO(shape << ", gravity " << g << ", sofa " << sofa);
                const double height = shape.find("Capsule") != std::string::npos ? 1.4 : 1.;
                const auto body = [&](const std::string& name, double y) {
                    return "<Node name='" + name +
                           "'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template='Rigid3' position='0 " +
                           text(y) + " 0 0 0 0 1'/><UniformMass totalMass='1'/>" + shape +
                           "<UncoupledConstraintCorrection/></Node>";
                };
                // Both fall together.
                Scene s(body("low", 0.) + body("high", height - overlap),
                        std::string("response='FrictionContactConstraint' responseParams='mu=0.5") +
                            (sofa ? "&amp;maxSeparationSpeed=-1'" : "'"),
                        "0 " + text(-g) + " 0", "<BlockGaussSeidelConstraintSolver/>");
                double fastest = 0.;
                for (int k = 0; k < 60; ++k) {
                    s.step();
                    fastest = std::max(fastest, s.body("high").velocities()[0][1] - s.body("low").velocities()[0][1]);
                }
                const double gap =
                    s.body("high").positions()[0].center[1] - s.body("low").positions()[0].center[1] - height;
                CHECK(gap > -0.01);
                const double limit = std::max(std::sqrt(2. * g * (overlap + 0.01)), 0.1 * (overlap + 0.01) / dt);
                if (sofa) {
                    CHECK(fastest > 0.9 * overlap / dt);
                } else {
                    CHECK(fastest < 1.01 * limit);
                    CHECK(fastest > 0.1);
                }
            }
}

TEST_CASE("What is led by hand pushes at once, whatever it has entered", "[contact]")
{
    Scene s(
        "<Node name='tool'><MechanicalObject template='Rigid3' position='0 -1 0 0 0 0 1'/><SphereCollisionModel "
        "radius='0.5'/></Node><Node name='ball'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject "
        "template='Rigid3' position='0 0.011 0 0 0 0 1'/><UniformMass totalMass='1'/><SphereCollisionModel "
        "radius='0.5'/><UncoupledConstraintCorrection/></Node>",
        "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 0 0", "<BlockGaussSeidelConstraintSolver/>");
    for (int k = 0; k < 20; ++k) {
        const auto x = s.body("tool").write(vec_id::position);
        x[0].center[1] += 0.1;
        s.step();
        CHECK(s.body("ball").positions()[0].center[1] - x[0].center[1] > 1.);
    }
}

TEST_CASE("Forces that do not converge are told once, and counted", "[contact]")
{
    Scene s(box("block", {0.5, 0.1, 0.4}, "0.31 0.11 4.2 0 0 0 1") + ground(0.),
            "response='FrictionContactConstraint' responseParams='mu=0.5&amp;warmStart=0'", "0 -9.81 0",
            "<BlockGaussSeidelConstraintSolver maxIterations='1'/>");
    s.step(3);
    CHECK(s.solver().d_unconvergedSolves.value() == 3);
    s.sim->reset();
    CHECK(s.solver().d_unconvergedSolves.value() == 0);
}

namespace {

/// Elastic spheres in a box that floats freely: steps until `wanted` collisions happened, and the relative changes of
/// momentum and energy.
void elastic(int wanted, int threads)
{
    setThreadCount(threads);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-1., 1.);
    std::string positions, velocities;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = 0; k < 5; ++k) {
                for (const int c : {i, j, k}) positions += text(0.55 * (c - 2) + 0.03 * unit(random)) + ' ';
                for (int c = 0; c < 3; ++c) velocities += text(2. * unit(random)) + ' ';
            }
    // The box is turned inside out: its faces look inwards.
    std::string corners;
    for (int k = 0; k < 8; ++k)
        corners += text(Vec3(k & 1 ? 1.6 : -1.6, k & 2 ? 1.6 : -1.6, k & 4 ? 1.6 : -1.6)) + "  ";
    Scene s(
        "<Node name='balls'><EulerImplicitSolver/><CGLinearSolver iterations='20' tolerance='1e-16' threshold='1e-40'/>"
        "<MechanicalObject template='Vec3' position='" +
            positions + "' velocity='" + velocities +
            "'/><UniformMass vertexMass='1'/><UncoupledConstraintCorrection defaultCompliance='1'/>"
            "<SphereCollisionModel selfCollision='1' radius='0.2' contactRestitution='1'/></Node>"
            "<Node name='shell'><EulerImplicitSolver/><CGLinearSolver iterations='20' tolerance='1e-16' "
            "threshold='1e-40'/><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/><UniformMass "
            "vertexMass='50 1 [2 0 0,0 2 0,0 0 2]'/><UncoupledConstraintCorrection/><Node name='surface'>"
            "<MeshTopology position='" +
            corners +
            "' triangles='0 1 2  1 3 2  4 6 5  5 6 7  0 4 1  1 4 5  2 3 6  3 7 6  0 2 4  2 6 4  1 5 3  3 5 7'/>"
            "<MechanicalObject/><TriangleCollisionModel contactRestitution='1' "
            "bothSide='1'/><RigidMapping/></Node></Node>",
        "response='FrictionlessContactConstraint'", "0 0 0",
        "<BlockGaussSeidelConstraintSolver maxIterations='20000' tolerance='1e-15' allVerified='1'/>",
        "<MinProximityIntersection alarmDistance='0.1' contactDistance='0.01'/>");
    const auto totals = [&] {
        const auto& v = s.root->child("balls")->get<State<Vec3Types>>(Search::Local)->velocities();
        const auto& shell = s.body("shell").velocities();
        Vec3 momentum = Rigid3Types::linear(shell[0]) * 50.;
        double energy = 0.5 * momentum[0] * momentum[0] / 50. + 0.5 * momentum[1] * momentum[1] / 50. +
                        0.5 * momentum[2] * momentum[2] / 50. +
                        0.5 * 100. * dot(Rigid3Types::angular(shell[0]), Rigid3Types::angular(shell[0]));
        for (const Vec3& u : v) {
            momentum += u;
            energy += 0.5 * dot(u, u);
        }
        return std::pair(momentum, energy);
    };
    const auto [momentum, energy] = totals();
    int collisions = 0, steps = 0;
    double residual = 0.;
    while (collisions < wanted && steps < 100 * wanted) {
        s.step();
        ++steps;
        for (const double f : s.solver().problem().force) collisions += f > 0.;
        residual = std::max(residual, s.solver().d_currentResidual.value());
    }
    INFO(collisions << " collisions in " << steps << " steps");
    CHECK(collisions >= wanted);
    CHECK(residual < 1e-14);
    CHECK(norm(totals().first - momentum) < 1e-6 * norm(momentum));
    CHECK(std::abs(totals().second - energy) < 1e-6 * energy);
    // They have met one another, and stayed inside.
    const auto& x = s.root->child("balls")->get<State<Vec3Types>>(Search::Local)->positions();
    const Vec3 centre = s.body("shell").positions()[0].center;
    for (const Vec3& p : x) CHECK(norm(p - centre) < 1.6 * std::sqrt(3.));
    setThreadCount(1);
}

}  // namespace

TEST_CASE("Elastic spheres keep momentum and energy over 10,000 collisions", "[contact][physics]")
{
    elastic(10000, 1);
}

TEST_CASE("Motion with contacts is bitwise the same with any number of threads", "[contact][physics]")
{
    const auto run = [](int threads) {
        setThreadCount(threads);
        std::string bodies;
        std::mt19937 random(3);
        std::uniform_real_distribution<double> unit(-1., 1.);
        for (int k = 0; k < 12; ++k) {
            const double angle = unit(random);
            bodies += box("box" + std::to_string(k), {0.3, 0.2, 0.25},
                          text(Vec3(0.4 * unit(random), 0.4 + 0.5 * k, 4. + 0.4 * unit(random))) + ' ' +
                              text(std::sin(angle / 2.)) + " 0 0 " + text(std::cos(angle / 2.)));
        }
        Scene s(bodies + ground(0.), "response='FrictionContactConstraint' responseParams='mu=0.4'");
        s.step(150);
        Vector<double> all;
        for (int k = 0; k < 12; ++k) {
            const auto& b = s.body("box" + std::to_string(k));
            for (std::size_t c = 0; c < 3; ++c) all.push_back(b.positions()[0].center[c]);
            for (std::size_t c = 0; c < 6; ++c) all.push_back(b.velocities()[0][c]);
        }
        CHECK(s.contacts() > 20);
        CHECK(s.solver().d_currentResidual.value() < 1e-8);
        setThreadCount(1);
        return all;
    };
    const auto one = run(1);
    CHECK(one == run(2));
    CHECK(one == run(4));
}

TEST_CASE("Islands are solved by themselves: what is far away changes no bit, whatever solves", "[contact]")
{
    const auto stack = [](const std::string& name, double x, double size) {
        std::string out;
        for (int k = 0; k < 3; ++k)
            out += "<Node name='" + name + std::to_string(k) +
                   "'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template='Rigid3' position='" +
                   text(Vec3(x + 0.03 * k, 0.51 + 1.01 * k, 0.02 * k)) + " 0 0 0 1' velocity='0.3 0 0 0 0 0'/>" +
                   "<UniformMass totalMass='" + text(1. + size * k) +
                   "'/><OBBCollisionModel extents='0.5 0.5 0.5'/><UncoupledConstraintCorrection/></Node>";
        return out;
    };
    const std::string floor =
        "<Node name='floor'><MechanicalObject template='Rigid3' position='0 -1 0 0 0 0 1'/><OBBCollisionModel "
        "extents='40 1 40' moving='0' simulated='0'/></Node>";
    for (const std::string solver :
         {"<BlockGaussSeidelConstraintSolver/>", "<UnbuiltGaussSeidelConstraintSolver/>", "<NNCGConstraintSolver/>",
          "<LCPConstraintSolver/>", "<LCPConstraintSolver build_lcp='0'/>", "<ImprovedJacobiConstraintSolver/>"}) {
        INFO(solver);
        const std::string response = "response='FrictionContactConstraint' responseParams='mu=0.3'";
        setThreadCount(1);
        Scene alone(floor + stack("a", 0., 0.), response, "0 -9.81 0", solver),
            both(floor + stack("a", 0., 0.) + stack("b", 20., 50.), response, "0 -9.81 0", solver),
            threads(floor + stack("a", 0., 0.) + stack("b", 20., 50.), response, "0 -9.81 0", solver);
        int sweeps = 0, sweepsAlone = 0;
        for (int k = 0; k < 40; ++k) {
            setThreadCount(1);
            alone.step();
            both.step();
            setThreadCount(4);
            threads.step();
            sweeps += both.solver().d_currentIterations.value();
            sweepsAlone += alone.solver().d_currentIterations.value();
        }
        setThreadCount(0);
        CHECK(both.contacts() > alone.contacts());
        CHECK(sweeps > sweepsAlone);  // the other one needs more
        const auto same = [](const State<Rigid3Types>& p, const State<Rigid3Types>& q) {
            return std::memcmp(&p.positions()[0], &q.positions()[0], sizeof(p.positions()[0])) == 0;
        };
        for (const std::string body : {"a0", "a1", "a2"}) CHECK(same(both.body(body), alone.body(body)));
        for (const std::string body : {"a0", "a2", "b0", "b2"}) CHECK(same(both.body(body), threads.body(body)));
    }
}
