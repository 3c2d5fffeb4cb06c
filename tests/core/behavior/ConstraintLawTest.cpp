// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/ConstraintLaw.h"

#include <catch2/catch.hpp>

#include "core/behavior/ConstraintSnapshot.h"
#include "tests/harness/Numerics.h"

namespace constraint_law_test {

using namespace sofa::core;
using sofa::test::Random;

namespace {

/// A symmetric positive definite matrix: B Bᵀ + n · 1/10.
Eigen::MatrixXd compliance(Random& random, Eigen::Index n)
{
    Eigen::MatrixXd b(n, n);
    for (Eigen::Index i = 0; i < n; ++i) b.col(i) = random.vector(n);
    return b * b.transpose() + 0.1 * static_cast<double>(n) * Eigen::MatrixXd::Identity(n, n);
}

/// One law alone: δ = δ_free + W λ.
struct Problem
{
    Eigen::MatrixXd w;
    Eigen::VectorXd free, force;

    Problem(const Eigen::MatrixXd& m, const Eigen::VectorXd& d) : w(m), free(d), force(Eigen::VectorXd::Zero(d.size()))
    {
    }
    // W is symmetric: the order of rows and columns does not matter.
    ComplianceBlock block() const { return {w.data(), static_cast<std::size_t>(w.rows())}; }
    Eigen::VectorXd violation() const { return free + w * force; }
    void update(const ConstraintLaw& law)
    {
        Eigen::VectorXd d = violation();
        law.update(block(), d.data(), force.data());
    }
};

Eigen::MatrixXd number(double w) { return Eigen::MatrixXd::Constant(1, 1, w); }

}  // namespace

TEST_CASE("Signorini's law holds after one update, whatever the force before")
{
    Random random(1);
    for (int n = 0; n < 100; ++n) {
        Problem p(number(1.1 + random()), random.vector(1));
        p.force[0] = 1. + random();
        UnilateralLaw law;
        p.update(law);
        CHECK(p.force[0] == Approx(std::max(0., -p.free[0] / p.w(0, 0))).margin(1e-14));
        CHECK(p.force[0] >= 0.);
        CHECK(p.violation()[0] >= -1e-14);
        CHECK(std::abs(p.force[0] * p.violation()[0]) < 1e-13);
        // Steps of the augmented Lagrangian method lead there slowly.
        Problem slow(p.w, p.free);
        law.setStep(0.2 / p.w(0, 0));
        slow.update(law);
        CHECK(slow.force[0] == Approx(0.2 * p.force[0]).margin(1e-14));
        for (int k = 0; k < 200; ++k) slow.update(law);
        CHECK(slow.force[0] == Approx(p.force[0]).margin(1e-12));
    }
    Problem rigid(number(0.), Eigen::VectorXd::Constant(1, -1.));
    rigid.force[0] = 2.;
    rigid.update(UnilateralLaw());
    CHECK(rigid.force[0] == 2.);
    CHECK(UnilateralLaw().isUnilateral());
    CHECK_FALSE(UnilateralLaw().isBilateral());
    CHECK(UnilateralLaw().friction() < 0.);
}

TEST_CASE("rows of a bilateral law are solved together, and those that nothing can move get no force")
{
    Random random(2);
    for (const Eigen::Index n : {1, 2, 3, 6}) {
        Problem p(compliance(random, n), random.vector(n));
        BilateralLaw law(static_cast<int>(n));
        law.begin(p.block(), p.force.data());
        CHECK(p.force.norm() == 0.);
        CHECK(law.isBilateral());
        p.update(law);
        CHECK(p.violation().norm() < 1e-12);
        // Half of the correction at a time.
        Problem half(p.w, p.free);
        law.setLoad(0.5);
        CHECK_FALSE(law.isBilateral());
        half.update(law);
        CHECK((half.violation() - 0.5 * p.free).norm() < 1e-12);
        // A row without compliance.
        Eigen::MatrixXd stiff = p.w;
        stiff.row(n - 1).setZero();
        stiff.col(n - 1).setZero();
        Problem held(stiff, p.free);
        law.setLoad(1.);
        law.begin(held.block(), held.force.data());
        held.update(law);
        CHECK(held.force[n - 1] == 0.);
        CHECK(held.violation().head(n - 1).norm() < 1e-12);
        CHECK(held.violation()[n - 1] == p.free[n - 1]);
    }
    // The same row twice: one of both carries the force, and both hold.
    Problem twice(Eigen::MatrixXd::Constant(2, 2, 3.), Eigen::VectorXd::Constant(2, 6.));
    BilateralLaw law(2);
    law.begin(twice.block(), twice.force.data());
    twice.update(law);
    CHECK(twice.violation().norm() < 1e-12);
    CHECK(twice.force.sum() == Approx(-2.));
}

TEST_CASE("the inverse of a badly scaled block is exact where it is regular")
{
    // Diagonal from 1 to 1e-12: all of it counts, and the largest pivot comes first.
    Eigen::MatrixXd w = Eigen::Vector3d(1e-12, 1., 1e-6).asDiagonal();
    w(0, 1) = w(1, 0) = 3e-7;
    Problem p(w, Eigen::Vector3d(2e-12, 3., 4e-6));
    BilateralLaw law(3);
    law.begin(p.block(), p.force.data());
    p.update(law);
    CHECK(p.violation().cwiseAbs().maxCoeff() < 1e-14);
    CHECK(p.force[2] == Approx(-4.));
    const double det = 1e-12 - 9e-14;
    CHECK(p.force[0] == Approx(-(2e-12 - 3e-7 * 3.) / det));
}

TEST_CASE("a bilateral law starts from the forces of the last step if it keeps them")
{
    Random random(3);
    const Problem p(compliance(random, 3), random.vector(3));
    const Eigen::Vector3d last(1., 2., 3.);
    const auto start = [&](BilateralLaw& law) {
        Eigen::Vector3d force = Eigen::Vector3d::Zero();
        law.begin(p.block(), force.data());
        return force;
    };
    BilateralLaw keeps(3, true), forgets(3);
    for (BilateralLaw* law : {&keeps, &forgets}) law->end(last.data(), true);
    CHECK(start(keeps) == last);
    CHECK(start(forgets) == Eigen::Vector3d::Zero());
    const auto copy = keeps.clone();
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    copy->begin(p.block(), force.data());
    CHECK(force == last);
    keeps.resize(3);
    CHECK(start(keeps) == last);
    keeps.forget();
    CHECK(start(keeps) == Eigen::Vector3d::Zero());
    keeps.end(last.data(), true);
    keeps.resize(2);
    keeps.resize(3);
    CHECK(start(keeps) == Eigen::Vector3d::Zero());
}

TEST_CASE("Coulomb's law: contact or none, sticking or slip against the force")
{
    Random random(4);
    int separate = 0, stick = 0, slip = 0;
    for (int n = 0; n < 300; ++n) {
        // Isotropic across the normal, coupled with it.
        Eigen::Matrix3d w = Eigen::Vector3d(2., 1.3, 1.3).asDiagonal();
        for (int k : {1, 2}) w(0, k) = w(k, 0) = 0.3 * random();
        Problem p(w, random.vector(3).cwiseProduct(Eigen::Vector3d(1., 0.4, 0.4)));
        const double mu = 0.6 + 0.5 * random();
        CoulombLaw law(mu);
        CHECK(law.friction() == mu);
        // The first update knows what its normal force does to the slip.
        p.update(law);
        const bool sticksNow = std::hypot(p.force[1], p.force[2]) < mu * p.force[0] * (1. - 1e-12);
        if (p.force[0] > 0. && sticksNow) CHECK(p.violation().tail(2).norm() < 1e-14);
        for (int k = 0; k < 200; ++k) p.update(law);
        const Eigen::Vector3d d = p.violation(), f = p.force;
        CHECK(f[0] >= 0.);
        CHECK(d[0] >= -1e-12);
        CHECK(std::abs(d[0] * f[0]) < 1e-12);
        const double tangential = f.tail(2).norm(), most = mu * f[0];
        CHECK(tangential <= most + 1e-14);
        if (f[0] == 0.) {
            ++separate;
            CHECK(tangential == 0.);
        } else if (tangential < most * (1. - 1e-9)) {
            ++stick;
            CHECK(d.tail(2).norm() < 1e-11);
        } else {
            ++slip;
            CHECK(d.tail(2).dot(f.tail(2)) == Approx(-d.tail(2).norm() * tangential).margin(1e-10));
        }
        // Small steps lead to the same forces.
        Problem slow(w, p.free);
        law.setStep(0.1);
        for (int k = 0; k < 4000; ++k) slow.update(law);
        CHECK((slow.force - p.force).norm() < 1e-8);
    }
    CHECK(separate > 20);
    CHECK(stick > 20);
    CHECK(slip > 20);
}

TEST_CASE("Coulomb's law where something cannot move")
{
    const Eigen::Vector3d free(-1., 0.5, -0.5);
    Problem rigid(Eigen::Matrix3d::Zero(), free);
    rigid.force = Eigen::Vector3d(1., 0.1, 0.2);
    rigid.update(CoulombLaw(0.5));
    CHECK(rigid.force == Eigen::Vector3d(1., 0.1, 0.2));
    Problem normalOnly(Eigen::Vector3d(2., 0., 0.).asDiagonal(), free);
    normalOnly.update(CoulombLaw(0.5));
    CHECK(normalOnly.force == Eigen::Vector3d(0.5, 0., 0.));
    Problem smooth(Eigen::Vector3d(2., 1., 1.).asDiagonal(), free);
    smooth.update(CoulombLaw(0.));
    CHECK(smooth.force == Eigen::Vector3d(0.5, 0., 0.));
}

TEST_CASE("contacts start from the forces that they are given")
{
    CoulombLaw law(0.5);
    std::array<double, 3> force{};
    const ComplianceBlock none{nullptr, 0};
    law.begin(none, force.data());
    CHECK(force == std::array{0., 0., 0.});
    law.startFrom(std::array{1., 2., 3.});
    law.begin(none, force.data());
    CHECK(force == std::array{1., 2., 3.});
    UnilateralLaw one;
    one.startFrom(std::array{4., 5., 6.});
    force = {};
    one.begin(none, force.data());
    CHECK(force == std::array{4., 0., 0.});
    one.startFrom({});
    force = {};
    one.begin(none, force.data());
    CHECK(force == std::array{0., 0., 0.});
}

TEST_CASE("an interval holds its row between its bounds, and pushes only at them")
{
    Random random(5);
    IntervalLaw law;
    law.setBounds(-0.25, 0.5);
    for (int n = 0; n < 100; ++n) {
        Problem p(number(1.1 + random()), random.vector(1));
        p.force[0] = random();
        p.update(law);
        const double d = p.violation()[0];
        CHECK(d == Approx(std::clamp(p.free[0], -0.25, 0.5)).margin(1e-14));
        if (d > -0.25 + 1e-12 && d < 0.5 - 1e-12) CHECK(std::abs(p.force[0]) < 1e-14);
        if (p.free[0] < -0.25) CHECK(p.force[0] > 0.);
        if (p.free[0] > 0.5) CHECK(p.force[0] < 0.);
    }
    Problem rigid(number(0.), Eigen::VectorXd::Constant(1, 9.));
    rigid.update(law);
    CHECK(rigid.force[0] == 0.);
}

TEST_CASE("a snapshot solves its laws for other free positions of the state")
{
    // Three rows on the two points of a state: a bilateral pair of rows and a contact.
    Random random(6);
    const Eigen::MatrixXd w = compliance(random, 3);
    const Eigen::Vector3d free(0.3, -0.4, -0.2);
    ConstraintSnapshot s;
    s.add(std::make_unique<BilateralLaw>(2));
    s.add(std::make_unique<UnilateralLaw>());
    CHECK(s.rows() == 3);
    const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
    s.setSystem({w.data(), 9}, {free.data(), 3}, {zero.data(), 3}, 1e-5);
    CHECK(s.tolerance() == 1e-5);
    ConstraintMatrix::Part h;
    h.derivSize = 2;
    h.rows = {0, 2};
    h.start = {0, 2, 3};
    h.points = {0, 1, 1};
    h.values = {1., 2., 3., 4., 5., 6.};
    Eigen::MatrixXd dense(3, 4);
    dense << 1., 2., 3., 4., 0., 0., 0., 0., 0., 0., 5., 6.;
    s.setJacobian(h, 0.5);
    for (const Eigen::Vector4d& dx : {Eigen::Vector4d(0., 0., 0., 0.), Eigen::Vector4d(0.1, -0.2, 0.3, -0.4),
                                      Eigen::Vector4d(-1., 0.2, 0.5, 1.), Eigen::Vector4d(0., 0., -1., 0.)}) {
        const int sweeps = s.solve({dx.data(), 4}, {.tolerance = 1e-14, .maxIterations = 1000, .deadline = {}});
        CHECK(sweeps < 1000);
        const Eigen::Map<const Eigen::Vector3d> force(s.force().data());
        const Eigen::Vector3d d = free + 0.5 * dense * dx + w * force;
        CHECK(d.head(2).norm() < 1e-11);
        CHECK(force[2] >= 0.);
        CHECK(d[2] > -1e-11);
        CHECK(std::abs(d[2] * force[2]) < 1e-11);
        Eigen::Vector4d f(1., 1., 1., 1.);
        s.addForce({f.data(), 4});
        CHECK((f - Eigen::Vector4d::Ones() - dense.transpose() * force).norm() < 1e-12);
        // Points for which there is no room are left out.
        Eigen::Vector3d some(0., 0., 0.);
        s.addForce({some.data(), 3});
        CHECK(some[0] == Approx(force[0]).margin(1e-12));
        CHECK(some[2] == 0.);
        // Solved once more from there: one sweep finds no change.
        CHECK(s.solve({dx.data(), 4}, {.tolerance = 1e-9, .maxIterations = 1000, .deadline = {}}) == 1);
    }
    // Missing numbers of displacements are zero.
    const Eigen::Vector4d first(0.1, 0.2, 0., 0.);
    s.solve({first.data(), 4}, {.tolerance = 1e-14, .maxIterations = 1000, .deadline = {}});
    const Vector<double> whole = s.force();
    s.solve({first.data(), 2}, {.tolerance = 1e-14, .maxIterations = 1000, .deadline = {}});
    for (std::size_t k = 0; k < 3; ++k) CHECK(s.force()[k] == Approx(whole[k]).margin(1e-10));
    CHECK(s.solve({first.data(), 4}, {.tolerance = 0., .maxIterations = 3, .deadline = {}}) == 3);
    CHECK(s.solve({first.data(), 4},
                  {.tolerance = 0., .maxIterations = 3, .deadline = std::chrono::steady_clock::now()}) == 0);
    // What acts on any point acts on the first one.
    s.moveToFirstPoint();
    Eigen::Vector2d moved(0., 0.);
    s.addForce({moved.data(), 2});
    const Vector<double>& l = s.force();
    CHECK(moved[0] == Approx(4. * l[0] + 5. * l[2]));
    CHECK(moved[1] == Approx(6. * l[0] + 6. * l[2]));
}

}  // namespace constraint_law_test
