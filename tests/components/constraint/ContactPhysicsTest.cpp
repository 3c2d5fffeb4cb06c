// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>
#include <sstream>

#include "components/constraint/UnilateralLagrangianConstraint.h"
#include "core/parallel/Parallel.h"
#include "tests/components/constraint/ContactScene.h"

namespace contact_physics_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

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

}  // namespace contact_physics_test
