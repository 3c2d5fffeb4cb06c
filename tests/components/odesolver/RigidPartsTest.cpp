// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Masses that mappings fix in a frame: together they move as the mass of one body, wherever its frame is.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/RotatingBodies.h"

namespace rigid_parts_test {

using namespace sofa::core;

namespace {

const Vector<Vec3> s_points = {{1., 0., 0.}, {-0.5, 0.8, 0.}, {0., -0.6, 0.7}, {0.2, 0.3, -0.9}};
const Vec3 s_velocity{0.3, 0.1, -0.2}, s_spin{0.4, 3., 0.5};
constexpr double s_all = 4.;  ///< kg, one for each point

Vec3 centre()
{
    Vec3 sum;
    for (const Vec3& p : s_points) sum += p;
    return sum / s_all;
}

Mat3 inertiaAbout(const Vec3& o)
{
    Mat3 sum;
    for (const Vec3& p : s_points) {
        const Vec3 r = p - o;
        sum += Mat3::identity() * norm2(r) - outer(r, r);
    }
    return sum;
}

std::string points(const Vec3& from = {})
{
    std::string text;
    for (const Vec3& p : s_points) text += toText(p - from) + "  ";
    return text;
}

struct Run
{
    Run(const std::string& solvers, const Vec3& frame, const Vec3& speed, const std::string& below, double h = 0.01,
        const std::string& root = "gravity='0 -2 0'", const std::string& loop = "<DefaultAnimationLoop/>")
        : simulation(loadSceneText(
              "<Node name='root' dt='" + toText(h) + "' " + root + ">" + loop + "<Node name='body'>" + solvers +
                  "<MechanicalObject template='Rigid3' position='" + toText(frame) + " 0 0 0 1' velocity='" +
                  toText(speed) + ' ' + toText(s_spin) + "'/>" + below + "</Node></Node>",
              "body.scn"))
    {
        REQUIRE(simulation.init());
        state = simulation.root().get<State<Rigid3Types>>(Search::Down);
    }
    Run& steps(int n)
    {
        for (int i = 0; i < n; ++i) simulation.step();
        return *this;
    }
    const RigidCoord3& x() const { return state->positions()[0]; }
    Vec3 w() const { return Rigid3Types::angular(state->velocities()[0]); }
    /// Velocity of a place in the frame.
    Vec3 speedAt(const Vec3& p) const
    {
        return Rigid3Types::linear(state->velocities()[0]) + cross(w(), x().orientation.rotate(p));
    }
    Simulation simulation;
    const State<Rigid3Types>* state = nullptr;
};

const std::string s_mapped = "<Node name='points'><MechanicalObject position='" + points() +
                             "'/><RigidMapping/><UniformMass vertexMass='1'/></Node>";
const std::string s_direct = "<SparseLDLSolver/>";

/// A frame at the origin of the points, with their masses mapped.
Run mapped(const std::string& solvers, const std::string& below = s_mapped, double h = 0.01,
           const std::string& root = "gravity='0 -2 0'", const std::string& loop = "<DefaultAnimationLoop/>")
{
    return {solvers, {}, s_velocity - cross(s_spin, centre()), below, h, root, loop};
}
/// A frame in the centre of mass, with the same mass and inertia.
Run whole(const std::string& solvers, double h = 0.01, const std::string& root = "gravity='0 -2 0'")
{
    const Mat3 i = inertiaAbout(centre()) * (1. / s_all);
    std::string text;
    for (std::size_t r = 0; r < 3; ++r) text += toText(i[r]) + (r < 2 ? "," : "");
    return {solvers, centre(), s_velocity, "<UniformMass vertexMass='" + toText(s_all) + " 1 [" + text + "]'/>",
            h,       root};
}

}  // namespace

TEST_CASE("masses fixed in a frame move as one body with their mass and inertia")
{
    for (const std::string solvers :
         {"<EulerExplicitSolver/>", "<EulerExplicitSolver symplectic='0'/>", "<CentralDifferenceSolver/>",
          "<EulerImplicitSolver/>", "<EulerImplicitSolver maxIterations='5'/>", "<NewmarkImplicitSolver/>",
          "<VariationalSymplecticSolver explicitIntegration='1'/>"}) {
        INFO(solvers);
        Run parts = mapped(solvers + s_direct), body = whole(solvers + s_direct);
        parts.steps(100);
        body.steps(100);
        CHECK(norm(body.w() - s_spin) > 0.1);
        CHECK(norm(parts.x().center + parts.x().orientation.rotate(centre()) - body.x().center) < 1e-9);
        CHECK(norm((parts.x().orientation.inverse() * body.x().orientation).toRotationVector()) < 1e-9);
        CHECK(norm(parts.w() - body.w()) < 1e-9);
        CHECK(norm(parts.speedAt(centre()) - body.speedAt({})) < 1e-9);
    }
}

TEST_CASE("methods that take mapped masses within a step have their order")
{
    Run exact = whole("<RungeKutta4Solver/>" + s_direct, 0.001);
    exact.steps(500);
    const auto error = [&](const std::string& solver, double h) {
        Run r = mapped("<" + solver + "/>" + s_direct, s_mapped, h);
        r.steps(static_cast<int>(std::lround(0.5 / h)));
        return norm(r.x().center + r.x().orientation.rotate(centre()) - exact.x().center) + norm(r.w() - exact.w());
    };
    CHECK(std::log2(error("RungeKutta4Solver", 0.05) / error("RungeKutta4Solver", 0.025)) == Approx(4.).margin(0.4));
    CHECK(std::log2(error("RungeKutta2Solver", 0.01) / error("RungeKutta2Solver", 0.005)) == Approx(2.).margin(0.3));
    // It takes them in the middle of the step.
    const std::string middle = "VariationalSymplecticSolver steps='20' newtonError='1e-12'";
    CHECK(std::log2(error(middle, 0.01) / error(middle, 0.005)) == Approx(1.).margin(0.2));
}

TEST_CASE("a body of mapped masses keeps its momenta for 10,000 steps, and its energy within bounds")
{
    Run r = mapped("<EulerImplicitSolver/>" + s_direct, s_mapped, 0.02, "gravity='0 0 0'");
    const Vec3 c = centre(), l = inertiaAbout(c) * s_spin;
    const double energy = 0.5 * (s_all * norm2(s_velocity) + dot(s_spin, l));
    r.steps(10000);
    CHECK(norm(r.speedAt(c) - s_velocity) < 1e-9);
    CHECK(norm(r.x().center + r.x().orientation.rotate(c) - c - s_velocity * 200.) < 1e-7);
    const Mat3 turn = r.x().orientation.toMatrix();
    CHECK(norm(turn * (inertiaAbout(c) * (turn.transposed() * r.w())) - l) < 1e-8);
    CHECK(0.5 * (s_all * norm2(s_velocity) + dot(r.w(), l)) == Approx(energy).epsilon(0.01));
}

TEST_CASE("masses may be fixed by way of other frames and points")
{
    // The same four points: two on the frame, two on a second frame that is fixed in it, which are seen twice more.
    const std::string chain =
        "<Node name='here'><MechanicalObject position='" + toText(s_points[0]) + ' ' + toText(s_points[1]) +
        "'/><RigidMapping/><Node name='again'><MechanicalObject/><IdentityMapping/><UniformMass vertexMass='1'/></Node>"
        "</Node><Node name='frame'><MechanicalObject template='Rigid3' position='0.5 0.5 0.5  0 0 0.6 0.8'/>"
        "<RigidMapping globalToLocalCoords='1'/><Node name='there'><MechanicalObject position='9 9 9  " +
        toText(s_points[2]) + ' ' + toText(s_points[3]) +
        "'/><RigidMapping globalToLocalCoords='1'/><Node name='some'><MechanicalObject position='" +
        toText(s_points[2]) + ' ' + toText(s_points[3]) +
        "'/><SubsetMapping indices='1 2'/><UniformMass vertexMass='1'/></Node></Node></Node>";
    Run a = mapped("<EulerImplicitSolver/>" + s_direct), b = mapped("<EulerImplicitSolver/>" + s_direct, chain);
    a.steps(50);
    b.steps(50);
    CHECK(norm(a.x().center - b.x().center) < 1e-10);
    CHECK(norm(a.w() - b.w()) < 1e-10);
}

TEST_CASE("mapped masses and those of the frame are one body, in a loop with constraints too")
{
    // A ball of 2 kg on the frame itself.
    const std::string ball = "<UniformMass vertexMass='2 1 [0.4 0 0,0 0.4 0,0 0 0.4]'/>";
    for (const std::string loop : {"<DefaultAnimationLoop/>", "<FreeMotionAnimationLoop/><GenericConstraintSolver/>"}) {
        INFO(loop);
        Run r = mapped("<EulerImplicitSolver/>" + s_direct, ball + s_mapped, 0.01, "gravity='0 0 0'", loop);
        const Vec3 c = centre() * (s_all / (s_all + 2.));
        const Vec3 speed = r.speedAt(c);
        const Mat3 inertia =
            inertiaAbout({}) + Mat3::identity() * 0.8 - (Mat3::identity() * norm2(c) - outer(c, c)) * (s_all + 2.);
        const Vec3 l = inertia * s_spin;
        r.steps(500);
        CHECK(norm(r.speedAt(c) - speed) < 1e-10);
        const Mat3 turn = r.x().orientation.toMatrix();
        CHECK(norm(turn * (inertia * (turn.transposed() * r.w())) - l) < 1e-10);
    }
}

TEST_CASE("a pendulum of mapped masses turns about the place that is held")
{
    const std::string held = s_mapped + "<FixedTranslationProjectiveConstraint indices='0'/>";
    Run r("<EulerExplicitSolver/>" + s_direct, {}, {}, held, 0.001, "gravity='0 -9.81 0'");
    const Mat3 inertia = inertiaAbout({});
    const auto momentum = [&] {
        const Mat3 turn = r.x().orientation.toMatrix();
        return turn * (inertia * (turn.transposed() * r.w()));
    };
    const auto energy = [&] {
        return 0.5 * dot(r.w(), momentum()) + s_all * 9.81 * r.x().orientation.rotate(centre())[1];
    };
    // Weight has no moment about the vertical axis.
    const double l = momentum()[1], e = energy();
    double farthest = 0.;
    for (int step = 0; step < 5000; ++step) {
        r.steps(1);
        farthest = std::max(farthest, std::abs(energy() - e));
    }
    CHECK(r.x().center == Vec3{});
    CHECK(momentum()[1] == Approx(l).epsilon(1e-9));
    CHECK(farthest < 0.01 * e);
    CHECK(norm(r.x().orientation.toRotationVector()) > 0.1);
}

TEST_CASE("SOFA's masses on frames resist as if nothing turned")
{
    Run ours = mapped("<EulerImplicitSolver/>" + s_direct, s_mapped, 0.01, "gravity='0 0 0'"),
        sofa = mapped("<EulerImplicitSolver/>" + s_direct, s_mapped, 0.01, "gravity='0 0 0' compatibility='sofa'");
    ours.steps(100);
    sofa.steps(100);
    CHECK(norm(ours.speedAt(centre()) - s_velocity) < 1e-11);
    CHECK(norm(sofa.speedAt(centre()) - s_velocity) > 0.1);
    CHECK(RotatingBodies(ExecutionPlan::of(*sofa.simulation.root().child("body"))).empty());
}

}  // namespace rigid_parts_test
