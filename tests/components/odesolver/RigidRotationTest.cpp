// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/RotatingBodies.h"
#include "core/visitor/RotationRates.h"

namespace rigid_rotation_test {

using namespace sofa::core;

namespace {

const Mat3 s_unequal = Mat3::diagonal({1., 2., 3.});

/// Euler's equations in the axes of the body, I ω' = I ω × ω, by the classical Runge-Kutta method with tiny steps.
Vec3 eulersEquations(const Vec3& moments, Vec3 w, double t)
{
    const auto rate = [&](const Vec3& o) {
        return Vec3{(moments[1] - moments[2]) * o[1] * o[2] / moments[0],
                    (moments[2] - moments[0]) * o[2] * o[0] / moments[1],
                    (moments[0] - moments[1]) * o[0] * o[1] / moments[2]};
    };
    const int n = 20000;
    const double h = t / n;
    for (int i = 0; i < n; ++i) {
        const Vec3 a = rate(w), b = rate(w + a * (0.5 * h)), c = rate(w + b * (0.5 * h)), d = rate(w + c * h);
        w += (a + b * 2. + c * 2. + d) * (h / 6.);
    }
    return w;
}

/// A rigid body of 1 kg, and what moves it.
class Body
{
public:
    struct Scene
    {
        std::string solvers;
        std::string inertia = "[1 0 0,0 2 0,0 0 3]";
        std::string orientation = "0 0 0 1";
        std::string spin = "0 0 0";
        double h = 0.01;
        std::string more{};
        std::string root{};
        std::string loop = "<DefaultAnimationLoop/>";
        std::string before{};
    };
    explicit Body(const Scene& s)
        : m_root(loadSceneText("<Node name='root' gravity='0 0 0' dt='" + toText(s.h) + "' " + s.root + ">" + s.loop +
                                   s.before + "<Node name='body'>" + s.solvers +
                                   "<MechanicalObject template='Rigid3' name='dofs' position='0 0 0 " + s.orientation +
                                   "' velocity='0 0 0 " + s.spin + "'/><UniformMass name='mass' vertexMass='1 1 " +
                                   s.inertia + "'/>" + s.more + "</Node></Node>",
                               "body.scn")),
          m_simulation(m_root)
    {
        REQUIRE(m_simulation.init());
        m_state = m_root->get<State<Rigid3Types>>(Search::Down);
        m_mass = m_root->get<BaseMass>(Search::Down);
    }
    Body& run(int steps)
    {
        for (int i = 0; i < steps; ++i) m_simulation.step();
        return *this;
    }
    const RigidCoord3& x() const { return m_state->positions()[0]; }
    Vec3 w() const { return Rigid3Types::angular(m_state->velocities()[0]); }
    Vec3 bodyW() const { return x().orientation.inverseRotate(w()); }
    Vec3 l() const
    {
        const Vec6 m = m_mass->momentum(MechanicalParams());
        return {m[3], m[4], m[5]};
    }
    double energy() const { return m_mass->kineticEnergy(MechanicalParams()); }
    BaseMass& mass() { return *m_mass; }
    Node& root() { return *m_root; }

private:
    std::shared_ptr<Node> m_root;
    Simulation m_simulation;
    const State<Rigid3Types>* m_state = nullptr;
    BaseMass* m_mass = nullptr;
};

const std::string s_direct = "<SparseLDLSolver/>";
const std::vector<std::string> s_conserving = {
    "<EulerExplicitSolver/>",
    "<EulerExplicitSolver symplectic='0'/>",
    "<CentralDifferenceSolver/>",
    "<EulerImplicitSolver/>" + s_direct,
    "<EulerImplicitSolver maxIterations='5'/>" + s_direct,
    "<NewmarkImplicitSolver/>" + s_direct,
    "<NewmarkImplicitSolver maxIterations='5'/>" + s_direct,
    "<VariationalSymplecticSolver/>" + s_direct,
    "<VariationalSymplecticSolver explicitIntegration='1'/>" + s_direct,
};

}  // namespace

TEST_CASE("the free motion of a symmetric top is exact, whatever the step")
{
    // q(t) = exp(t L/I₁) q exp(t ω₃ (1 − I₃/I₁) e₃)
    const Mat3 inertia = Mat3::diagonal({2., 2., 0.5});
    const Quat q = Quat::fromEulerXYZ({0.3, -0.8, 1.9});
    const Vec3 w{1.2, -0.4, 3.1};  // in the axes of the body
    const Vec3 l = q.rotate(inertia * w);
    for (const double t : {0.01, 0.7, 5.}) {
        const Quat exact =
            Quat::fromRotationVector(l * (t / 2.)) * q * Quat::fromRotationVector({0., 0., t * w[2] * (1. - 0.5 / 2.)});
        const Quat ours = turnFreely(q, inertia, l, t);
        CHECK(std::abs(dot(ours.q, exact.q)) == Approx(1.).epsilon(1e-14));
        // The same body, its frame turned against the principal axes.
        const Quat turn = Quat::fromEulerXYZ({1., 0.5, -0.2});
        const Mat3 r = turn.toMatrix();
        const Quat other = turnFreely(q * turn.inverse(), r * inertia * r.transposed(), l, t);
        CHECK(std::abs(dot((other * turn).q, exact.q)) == Approx(1.).epsilon(1e-13));
    }
}

TEST_CASE("the free motion of an asymmetric top is of second order and reversible")
{
    const Quat q = Quat::fromEulerXYZ({0.3, -0.8, 1.9});
    const Vec3 w{0.5, 1.5, -0.2};
    const Vec3 l = q.rotate(s_unequal * w);
    const Vec3 exact = eulersEquations({1., 2., 3.}, w, 2.);
    const auto error = [&](int n) {
        Quat now = q;
        for (int i = 0; i < n; ++i) now = turnFreely(now, s_unequal, l, 2. / n);
        const Vec3 m = now.inverseRotate(l);
        return norm(Vec3{m[0], m[1] / 2., m[2] / 3.} - exact);
    };
    CHECK(error(100) < 1e-3);
    CHECK(std::log2(error(100) / error(200)) == Approx(2.).margin(0.05));
    const Quat there = turnFreely(q, s_unequal, l, 0.3), back = turnFreely(there, s_unequal, l, -0.3);
    CHECK(std::abs(dot(back.q, q.q)) == Approx(1.).epsilon(1e-14));
}

TEST_CASE("a body without torque keeps its angular momentum to 1e-10 in 10000 steps, and its energy within bounds")
{
    for (const std::string& solvers : s_conserving) {
        INFO(solvers);
        Body b({.solvers = solvers, .orientation = "0.1 0.2 0.3 0.9273618495495703", .spin = "0.3 2 0.5"});
        CHECK(b.mass().turns());
        const Vec3 l = b.l();
        const double e = b.energy();
        for (int k = 0; k < 10; ++k) {
            b.run(1000);
            CHECK(norm(b.l() - l) < 1e-10 * norm(l));
            CHECK(b.energy() == Approx(e).epsilon(1e-3));
        }
    }
}

TEST_CASE("implicit Euler does not gain energy in steps of several turns")
{
    Body b({.solvers = "<EulerImplicitSolver/>" + s_direct, .spin = "20 300 5", .h = 0.1});
    const double largest = norm2(b.l()) / 2.;  // all momentum about the axis of the least moment
    const Vec3 l = b.l();
    for (int k = 0; k < 100; ++k) {
        b.run(10);
        CHECK(b.energy() <= largest);
        CHECK(norm(b.l() - l) < 1e-10 * norm(l));
    }
}

TEST_CASE("the angular velocity of a free body follows Euler's equations with every integrator")
{
    const Vec3 w{0.3, 1.5, -0.4};
    const Vec3 exact = eulersEquations({1., 2., 3.}, w, 3.);
    std::vector<std::string> all = s_conserving;
    all.emplace_back("<RungeKutta4Solver/>");
    all.emplace_back("<RungeKutta2Solver/>");
    for (const std::string& solvers : all) {
        INFO(solvers);
        Body b({.solvers = solvers, .spin = "0.3 1.5 -0.4", .h = 0.005});
        CHECK(norm(b.run(600).bodyW() - exact) < 2e-4);
    }
}

TEST_CASE("rates of rotation vectors are those of their rotations")
{
    const Vec3 rate{0.3, -0.7, 1.1}, axis{0.36, 0.48, -0.8};
    for (const double angle : {0., 1e-4, 0.0999, 0.1001, 1., 3., 5.}) {
        INFO(angle);
        const double h = 1e-5;
        const Quat turn = Quat::fromRotationVector(axis * angle + rate * h) *
                          Quat::fromRotationVector(axis * angle - rate * h).inverse();
        const Vec3 w = turn.toRotationVector() / (2. * h);
        CHECK(norm(rotationVectorRate(axis * angle, w) - rate) < 1e-9);
    }
}

TEST_CASE("Runge-Kutta methods have their orders for bodies whose axis turns")
{
    const Vec3 exact = eulersEquations({1., 2., 3.}, {0.3, 1.5, -0.4}, 4.);
    // Of the angular velocity in the body and of the momentum in space, thus of the orientation too.
    const auto order = [&](const std::string& solver) {
        const auto error = [&](double h) {
            Body b({.solvers = solver, .spin = "0.3 1.5 -0.4", .h = h});
            const Vec3 l = b.l();
            b.run(static_cast<int>(std::lround(4. / h)));
            return norm(b.l() - l) + norm(b.bodyW() - exact);
        };
        return std::log2(error(0.02) / error(0.01));
    };
    CHECK(order("<RungeKutta2Solver/>") == Approx(2.).margin(0.15));
    CHECK(order("<RungeKutta4Solver/>") == Approx(4.).margin(0.15));
}

TEST_CASE("with SOFA's numbers the stages' rotations are added up as if they commuted")
{
    // A sphere, whose angular acceleration is given. SOFA turns it by the stages one after the other.
    const auto turned = [](const std::string& root) {
        Body b({.solvers = "<RungeKutta4Solver/>",
                .inertia = "[1 0 0,0 1 0,0 0 1]",
                .spin = "1 0 0",
                .h = 0.1,
                .more = "<ConstantForceField forces='0 0 0 0 5 0'/>",
                .root = root});
        return b.run(1).x().orientation;
    };
    const auto spin = [](double t) { return Vec3{1., 5. * t, 0.}; };
    const double h = 0.1;
    Quat q = Quat::fromRotationVector(spin(0.) * (h / 6.));
    for (const double t : {0.5 * h, 0.5 * h}) q = Quat::fromRotationVector(spin(t) * (h / 3.)) * q;
    q = Quat::fromRotationVector(spin(h) * (h / 6.)) * q;
    CHECK(norm(turned("compatibility='sofa'").q - q.q) < 1e-14);
    Quat fine;
    for (int i = 0; i < 20000; ++i) fine = Quat::fromRotationVector(spin(h * (i + 0.5) / 20000.) * (h / 20000.)) * fine;
    CHECK(norm(turned("").q - fine.q) < 0.01 * norm(q.q - fine.q));
}

TEST_CASE("a body that spins about its middle axis flips over and over (Dzhanibekov)")
{
    Body b({.solvers = "<EulerExplicitSolver/>", .spin = "0.001 4 0.001", .h = 0.002});
    int flips = 0;
    double before = b.bodyW()[1];
    double last = 0., between = 0.;
    for (int k = 0; k < 15000; ++k) {
        const double now = b.run(1).bodyW()[1];
        if (now * before < 0.) {
            ++flips;
            between = k * 0.002 - last;
            last = k * 0.002;
        }
        before = now;
    }
    CHECK(flips >= 3);
    // The same from Euler's equations: half the period of ω₂ = ω₂max sn(τ | k), which is 2 K(k) of dimensionless time.
    const double l2 = 1e-6 * (1. + 9.) + 64., twoT = 1e-6 * 4. + 32.;
    // For L² > 2T I₂ (Landau and Lifshitz, Mechanics, § 37); otherwise axes 1 and 3 change places.
    double i1 = 1., i3 = 3.;
    if (l2 < twoT * 2.) std::swap(i1, i3);
    const double rate = std::sqrt((i3 - 2.) * (l2 - twoT * i1) / (i1 * 2. * i3));
    const double k2 = (2. - i1) * (twoT * i3 - l2) / ((i3 - 2.) * (l2 - twoT * i1));
    const double period = 2. * std::comp_ellint_1(std::sqrt(k2)) / rate;
    CHECK(between == Approx(period).epsilon(0.01));
}

TEST_CASE("bodies keep their angular momentum in steps with constraints too")
{
    for (const std::string order : {"0", "1"}) {
        INFO(order);
        Body b({.solvers = "<EulerImplicitSolver/>" + s_direct,
                .spin = "0.3 2 0.5",
                .more = "<UncoupledConstraintCorrection/>",
                .loop = "<FreeMotionAnimationLoop solveVelocityConstraintFirst='" + order +
                        "'/><BlockGaussSeidelConstraintSolver/>"});
        const Vec3 l = b.l();
        b.run(2000);
        CHECK(norm(b.l() - l) < 1e-10 * norm(l));
    }
}

TEST_CASE("under a constant torque about a principal axis Newmark's method is exact, whatever its parameters")
{
    // I φ'' = τ: φ = τ t²/(2 I) + ω t, of which a step takes the whole.
    for (const std::string iterations : {"", "maxIterations='20'"})
        for (const std::string parameters : {"", "beta='0.3' gamma='0.6'", "beta='0.4' gamma='0.8'"}) {
            INFO(iterations << ' ' << parameters);
            Body b({.solvers = "<NewmarkImplicitSolver " + iterations + " " + parameters + "/>" + s_direct,
                    .spin = "0 0.1 0",
                    .h = 0.25,
                    .more = "<ConstantForceField forces='0 0 0 0 0.6 0'/>"});
            b.run(4);
            CHECK(norm(b.x().orientation.toRotationVector() - Vec3{0., 0.15 + 0.1, 0.}) < 1e-9);
            CHECK(norm(b.w() - Vec3{0., 0.3 + 0.1, 0.}) < 1e-9);
        }
}

TEST_CASE("a rotor on a fixed axle that is no principal axis keeps its spin")
{
    Body b({.solvers = "<EulerImplicitSolver/>" + s_direct,
            .inertia = "[2 0.3 0.4,0.3 2 0.2,0.4 0.2 3]",
            .spin = "0 0 2",
            .more = "<PartialFixedProjectiveConstraint indices='0' fixedDirections='1 1 1 1 1 0'/>"});
    b.run(1000);
    CHECK(norm(b.w() - Vec3{0., 0., 2.}) < 1e-11);
}

TEST_CASE("a rod that hangs by its end has the period of a physical pendulum")
{
    // T = 2π √(2 l / (3 g)) (1 + θ²/16), swinging across the axis that is the rod's own in its frame.
    const double theta = 0.1, length = 1., g = 9.81, h = 0.0005;
    const double exact = 2. * std::numbers::pi * std::sqrt(2. * length / (3. * g)) * (1. + theta * theta / 16.);
    // The rod lies along x of its frame; x points down, tilted by theta in the plane y, z of the world.
    const Quat tilt =
        Quat::fromRotationVector({theta, 0., 0.}) * Quat::fromRotationVector({0., 0., -0.5 * std::numbers::pi});
    const Vec3 center = tilt.rotate({0.5 * length, 0., 0.});
    auto root = loadSceneText(
        "<Node name='root' gravity='0 -9.81 0' dt='" + toText(h) +
            "'><DefaultAnimationLoop/><Node name='anchor'><MechanicalObject name='a' position='0 0 0'/></Node>"
            "<Node name='swing'><NewmarkImplicitSolver/><SparseLDLSolver/>"
            "<MechanicalObject template='Rigid3' name='rod' position='" +
            toText(center) + " " + toText(tilt.q) +
            "'/><UniformMass vertexMass='1 1 [0.0001 0 0,0 0.08333333333333333 0,0 0 0.08333333333333333]'/>"
            "<Node name='end'><MechanicalObject name='p' position='-0.5 0 0'/><RigidMapping/>"
            "<RestShapeSpringsForceField points='0' stiffness='1e7' external_rest_shape='@/anchor/a'/>"
            "</Node></Node></Node>",
        "rod.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    const auto* rod = dynamic_cast<State<Rigid3Types>*>(root->child("swing")->get<BaseState>(Search::Local));
    REQUIRE(rod != nullptr);
    // Times at which the rod passes the vertical.
    std::vector<double> passes;
    double before = rod->positions()[0].center[2];
    for (int k = 1; static_cast<double>(k) * h < 4.; ++k) {
        sim.step();
        const double now = rod->positions()[0].center[2];
        if (now * before < 0.) passes.push_back(h * (static_cast<double>(k) - now / (now - before)));
        before = now;
    }
    REQUIRE(passes.size() >= 3);
    CHECK(passes[2] - passes[0] == Approx(exact).epsilon(1e-3));
}

TEST_CASE("a gyroscope precesses at m g l / (I ω)")
{
    // Axis horizontal, along x; the pivot is the origin. Starts in steady precession about −g.
    const double i1 = 0.5, i3 = 0.2, spin = 50., torque = 1.5, rate = torque / (i3 * spin);
    const std::string axis = toText(Quat::fromRotationVector({0., 0.5 * std::numbers::pi, 0.}).q);
    for (const std::string& solvers : {std::string("<EulerExplicitSolver/>"), "<EulerImplicitSolver/>" + s_direct,
                                       "<NewmarkImplicitSolver/>" + s_direct, std::string("<RungeKutta4Solver/>")}) {
        INFO(solvers);
        Body b({.solvers = solvers,
                .inertia = "[" + toText(i1) + " 0 0,0 " + toText(i1) + " 0,0 0 " + toText(i3) + "]",
                .orientation = axis,
                .spin = toText(Vec3{spin, 0., rate}),
                .h = 0.001,
                .more = "<PartialFixedProjectiveConstraint indices='0' fixedDirections='1 1 1 0 0 0'/>"
                        "<Node name='weight'><MechanicalObject position='0 0 0.1'/><RigidMapping/>"
                        "<ConstantForceField forces='0 0 " +
                        toText(-torque / 0.1) + "'/></Node>"});
        const int steps = 4000;
        b.run(steps);
        const Vec3 tip = b.x().orientation.rotate({0., 0., 1.});
        const double angle = std::atan2(tip[1], tip[0]);
        CHECK(angle == Approx(rate * 0.001 * steps).epsilon(2e-3));
        CHECK(std::abs(tip[2]) < 2e-3);
    }
}

TEST_CASE("constraint corrections see the inertia of a body where it is")
{
    const auto run = [](const std::string& correction) {
        Body b({.solvers = "<EulerImplicitSolver/>" + s_direct,
                .inertia = "[0.01 0 0,0 0.02 0,0 0 0.025]",
                .orientation = "0.1 0.2 0.3 0.9273618495495703",
                .spin = "1 2 3",
                .more = correction +
                        "<Node name='point'><MechanicalObject name='p' position='0.2 0.1 0'/><RigidMapping/>"
                        "<FixedLagrangianConstraint indices='0'/></Node>",
                .loop = "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='1000' "
                        "tolerance='1e-12'/>"});
        b.run(50);
        return b.x();
    };
    const RigidCoord3 one = run("<UncoupledConstraintCorrection/>"), other = run("<LinearSolverConstraintCorrection/>");
    CHECK(norm(one.center - other.center) < 1e-9);
    CHECK(std::abs(dot(one.orientation.q, other.orientation.q)) == Approx(1.).epsilon(1e-9));
}

TEST_CASE("inertia is fixed in space with SOFA's numbers, and spheres have nothing to turn")
{
    Body sofa({.solvers = "<EulerExplicitSolver/>", .spin = "1 2 3", .root = "compatibility='sofa'"});
    CHECK_FALSE(sofa.mass().turns());
    sofa.run(10);
    CHECK(norm(sofa.w() - Vec3{1., 2., 3.}) == 0.);
    Body sphere({.solvers = "<EulerExplicitSolver/>", .inertia = "[0.4 0 0,0 0.4 0,0 0 0.4]", .spin = "1 2 3"});
    CHECK_FALSE(sphere.mass().turns());
    CHECK(RotatingBodies(ExecutionPlan::of(sphere.root())).empty());
    sphere.run(10);
    CHECK(sphere.w() == Vec3{1., 2., 3.});
}

}  // namespace rigid_rotation_test
