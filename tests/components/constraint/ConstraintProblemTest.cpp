// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/ConstraintProblem.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

namespace constraint_problem_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

/// A random symmetric positive definite compliance: Gᵀ G / n + 0.1.
Vector<double> randomCompliance(std::size_t n, std::mt19937& generator)
{
    std::normal_distribution<double> normal;
    Vector<double> g(n * n), w(n * n);
    for (double& x : g) x = normal(generator);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double s = i == j ? 0.1 : 0.;
            for (std::size_t k = 0; k < n; ++k) s += g[k * n + i] * g[k * n + j] / static_cast<double>(n);
            w[i * n + j] = s;
        }
    return w;
}

struct RandomProblem
{
    ConstraintProblem p;
    std::vector<std::unique_ptr<ConstraintLaw>> laws;

    RandomProblem(int groups, const std::function<std::unique_ptr<ConstraintLaw>(int)>& law, unsigned seed)
    {
        std::mt19937 generator(seed);
        std::normal_distribution<double> normal;
        int rows = 0;
        for (int g = 0; g < groups; ++g) {
            laws.push_back(law(g));
            rows += laws.back()->size();
        }
        std::vector<ConstraintLaw*> pointers;
        for (auto& l : laws) pointers.push_back(l.get());
        p.begin(pointers);
        p.w.assignDense(randomCompliance(static_cast<std::size_t>(rows), generator));
        for (double& d : p.dFree) d = normal(generator);
    }
};

const ConstraintSettings exact{.tolerance = 1e-13, .maxIterations = 20000, .scaleTolerance = false};

double largestDifference(const Vector<double>& a, const Vector<double>& b)
{
    double worst = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

}  // namespace

TEST_CASE("Solvers agree on a unilateral problem with positive definite compliance", "[constraint]")
{
    const auto unilateral = [](int) { return std::make_unique<UnilateralLaw>(); };
    RandomProblem a(200, unilateral, 1), b(200, unilateral, 1), c(200, unilateral, 1);
    const auto gaussSeidel = solveGaussSeidel(a.p, exact);
    const auto nncg = solveNncg(b.p, exact);
    const auto jacobi = solveJacobi(c.p, exact, {.spectralCorrection = true, .spectralFactor = 0.4});
    CHECK(gaussSeidel.converged);
    CHECK(largestDifference(a.p.force, b.p.force) < 1e-8);
    CHECK(largestDifference(a.p.force, c.p.force) < 1e-8);
    CHECK(nncg.iterations < gaussSeidel.iterations);
    CHECK(jacobi.converged);

    // 0 ≤ λ ⊥ δ ≥ 0, and the problem is not trivial.
    const auto d = a.p.violations();
    int active = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
        CHECK(a.p.force[i] >= 0.);
        CHECK(d[i] > -1e-11);
        CHECK(std::abs(d[i] * a.p.force[i]) < 1e-10);
        active += a.p.force[i] > 0.;
    }
    CHECK(active > 20);
    CHECK(active < 180);
    CHECK(complementarityResidual(a.p) < 1e-12);
    CHECK(complementarityResidual(b.p) < 1e-12);
}

TEST_CASE("Complementarity residual is below the tolerance when a solver has converged", "[constraint]")
{
    RandomProblem a(
        60, [](int) { return std::make_unique<UnilateralLaw>(); }, 3);
    a.p.force.assign(60, 1.);
    CHECK(complementarityResidual(a.p) > 0.1);
    const auto outcome = solveGaussSeidel(a.p, {.tolerance = 1e-6, .maxIterations = 5000, .scaleTolerance = false});
    CHECK(outcome.converged);
    CHECK(complementarityResidual(a.p) < 1e-5);
    CHECK(complementarityResidual(a.p) > 0.);
}

TEST_CASE("Bilateral groups solve the linear system exactly", "[constraint]")
{
    // One group of all rows needs one update, and the second finds nothing to do.
    RandomProblem one(
        1, [](int) { return std::make_unique<BilateralLaw>(30); }, 5);
    const auto outcome = solveGaussSeidel(one.p, exact);
    CHECK(outcome.iterations == 2);
    for (const double d : one.p.violations()) CHECK(std::abs(d) < 1e-12);
    // Ten groups of three reach the same forces.
    RandomProblem ten(
        10, [](int) { return std::make_unique<BilateralLaw>(3); }, 5);
    CHECK(solveGaussSeidel(ten.p, exact).converged);
    CHECK(largestDifference(one.p.force, ten.p.force) < 1e-10);
}

TEST_CASE("Friction forces stay in the cone, slip is opposed, and sticking contacts do not move", "[constraint]")
{
    static constexpr double mu = 0.4;
    RandomProblem a(
        40, [](int) { return std::make_unique<CoulombLaw>(mu); }, 7);
    const auto outcome = solveGaussSeidel(a.p, exact);
    CHECK(outcome.converged);
    CHECK(complementarityResidual(a.p) < 1e-12);
    const auto d = a.p.violations();
    int sticking = 0, slipping = 0, open = 0;
    for (std::size_t c = 0; c < 40; ++c) {
        const double *f = a.p.force.data() + 3 * c, *v = d.data() + 3 * c;
        const double tangential = std::hypot(f[1], f[2]), slip = std::hypot(v[1], v[2]);
        CHECK(f[0] >= 0.);
        CHECK(v[0] > -1e-11);
        CHECK(tangential <= mu * f[0] * (1. + 1e-12));
        if (f[0] == 0.) {
            ++open;
        } else if (tangential < mu * f[0] * (1. - 1e-9)) {
            ++sticking;
            CHECK(slip < 1e-10);
        } else {
            ++slipping;
            CHECK(f[1] * v[1] + f[2] * v[2] == Approx(-tangential * slip).epsilon(1e-6).margin(1e-10));
        }
    }
    CHECK(open > 0);
    CHECK(slipping > 0);
    CHECK(sticking + slipping + open == 40);
}

TEST_CASE("Augmented Lagrangian updates lead to the forces of exact ones", "[constraint]")
{
    for (const bool rubs : {false, true}) {
        const auto law = [rubs](double step) {
            return [rubs, step](int) -> std::unique_ptr<ConstraintLaw> {
                std::unique_ptr<ContactLaw> l;
                if (rubs)
                    l = std::make_unique<CoulombLaw>(0.3);
                else
                    l = std::make_unique<UnilateralLaw>();
                l->setStep(step);
                return l;
            };
        };
        for (unsigned seed = 0; seed < 5; ++seed) {
            RandomProblem contacts(5, law(0.), seed), augmented(5, law(0.2), seed);
            const auto once = solveGaussSeidel(contacts.p, exact), slowly = solveGaussSeidel(augmented.p, exact);
            CHECK(once.converged);
            CHECK(slowly.converged);
            CHECK(slowly.iterations > once.iterations);
            CHECK(largestDifference(contacts.p.force, augmented.p.force) < 1e-9);
        }
    }
}

TEST_CASE("Jacobi iterations that diverge keep their best forces", "[constraint]")
{
    const auto unilateral = [](int) { return std::make_unique<UnilateralLaw>(); };
    RandomProblem reference(200, unilateral, 1), plain(200, unilateral, 1), converging(20, unilateral, 1);
    CHECK(solveGaussSeidel(reference.p, exact).converged);
    const auto o = solveJacobi(plain.p, {.tolerance = 1e-10, .maxIterations = 1000, .scaleTolerance = false}, {});
    CHECK_FALSE(o.converged);
    CHECK(o.diverged);
    CHECK(o.iterations < 1000);
    for (const double f : plain.p.force) CHECK(std::isfinite(f));
    // They are those of the sweep that it names, and no worse than the first ones.
    RandomProblem again(200, unilateral, 1), start(200, unilateral, 1);
    solveJacobi(again.p, {.tolerance = 0., .maxIterations = o.best, .scaleTolerance = false}, {});
    CHECK(again.p.force == plain.p.force);
    CHECK(complementarityResidual(plain.p) <= complementarityResidual(start.p));

    // Few rows: they converge, and say so.
    for (int i = 0; i < 20; ++i) converging.p.w.add(i, i, 5.);
    const auto good = solveJacobi(converging.p, {.tolerance = 1e-10, .maxIterations = 1000}, {});
    CHECK(good.converged);
    CHECK_FALSE(good.diverged);
    // So many that the tolerance is not reached, but the forces become better: this is no divergence.
    RandomProblem slow(20, unilateral, 1);
    for (int i = 0; i < 20; ++i) slow.p.w.add(i, i, 5.);
    const auto few = solveJacobi(slow.p, {.tolerance = 0., .maxIterations = 3}, {});
    CHECK_FALSE(few.diverged);
    CHECK(few.best == 3);
}

TEST_CASE("The spectral correction makes Jacobi iterations converge, whatever the units and blocks", "[constraint]")
{
    const auto unilateral = [](int) { return std::make_unique<UnilateralLaw>(); };
    const auto bilateral = [](int g) { return std::make_unique<BilateralLaw>(1 + g % 4); };
    for (const double unit : {1e-4, 1., 1e4})
        for (const bool blocks : {false, true}) {
            INFO("unit " << unit << ", blocks " << blocks);
            const int groups = blocks ? 60 : 200;
            const auto law = blocks ? std::function<std::unique_ptr<ConstraintLaw>(int)>(bilateral) : unilateral;
            RandomProblem reference(groups, law, 1), p(groups, law, 1);
            for (RandomProblem* r : {&reference, &p}) {
                // Rows of other sizes, too.
                const auto scale = [](std::size_t row) { return row % 2 == 0 ? 1. : 30.; };
                const auto n = static_cast<std::size_t>(r->p.size);
                Vector<double> w = r->p.w.dense();
                for (std::size_t i = 0; i < n; ++i) {
                    for (std::size_t j = 0; j < n; ++j) w[i * n + j] *= unit * scale(i) * scale(j);
                    r->p.dFree[i] *= scale(i);
                }
                r->p.w.assignDense(w);
            }
            const ConstraintSettings s{.tolerance = 1e-9, .maxIterations = 20000, .scaleTolerance = false};
            CHECK(solveGaussSeidel(reference.p, s).converged);
            const auto o = solveJacobi(p.p, s, {.spectralCorrection = true});
            CHECK(o.converged);
            CHECK_FALSE(o.diverged);
            double largest = 0.;
            for (const double f : reference.p.force) largest = std::max(largest, std::abs(f));
            CHECK(largestDifference(reference.p.force, p.p.force) < 1e-6 * largest);
        }
}

TEST_CASE("A stop pushes back at its bounds only", "[constraint]")
{
    IntervalLaw law;
    law.setBounds(-1., 2.);
    const double w = 0.5;
    const ComplianceBlock block{&w, 1};
    for (const auto& [free, expected] : {std::pair(3., -2.), std::pair(-2., 2.), std::pair(1.5, 0.)}) {
        double force = 0.7, d = free + w * force;
        law.update(block, &d, &force);
        CHECK(force == Approx(expected).margin(1e-15));
    }
}

TEST_CASE("Directions without compliance get no force", "[constraint]")
{
    BilateralLaw law(3);
    const double w[9] = {2., 0., 0., 0., 0., 0., 0., 0., 4.};
    const ComplianceBlock block{w, 3};
    double force[3] = {}, d[3] = {1., 1., 1.};
    law.begin(block, force);
    law.update(block, d, force);
    CHECK(force[0] == -0.5);
    CHECK(force[1] == 0.);
    CHECK(force[2] == -0.25);
}

TEST_CASE("The tolerance is that of SOFA: scaled by the rows, or of each row", "[constraint]")
{
    const auto run = [](const ConstraintSettings& s) {
        RandomProblem a(
            50, [](int) { return std::make_unique<BilateralLaw>(1); }, 13);
        return solveGaussSeidel(a.p, s);
    };
    const auto scaled = run({.tolerance = 1e-4}), plain = run({.tolerance = 50e-4, .scaleTolerance = false});
    CHECK(scaled.iterations == plain.iterations);
    CHECK(scaled.error < 50e-4);
    CHECK(run({.tolerance = 1e-4, .allVerified = true}).iterations > scaled.iterations);
    const auto few = run({.tolerance = 0., .maxIterations = 7});
    CHECK(few.iterations == 7);
    CHECK_FALSE(few.converged);
    CHECK(few.errors.size() == 7);
}

TEST_CASE("Rows without a force do not make the tolerance coarse", "[constraint]")
{
    // The second half of the contacts is open.
    const auto run = [](bool onlyActing) {
        RandomProblem a(
            50, [](int) { return std::make_unique<UnilateralLaw>(); }, 13);
        for (std::size_t i = 0; i < 50; ++i) a.p.dFree[i] = i < 25 ? -1. : 1e3;
        return solveGaussSeidel(a.p, {.tolerance = 1e-4, .onlyActing = onlyActing});
    };
    const auto all = run(false), acting = run(true);
    CHECK(all.error < 50e-4);
    CHECK(acting.error < 25e-4);
    CHECK(acting.converged);
    CHECK(acting.iterations >= all.iterations);
}

namespace {

/// Contacts of a stack of n bodies of mass 1, the lowest on the ground; each body would come down by 1 in the step.
struct Stack
{
    ConstraintProblem p;
    std::vector<std::unique_ptr<ConstraintLaw>> laws;

    explicit Stack(int n)
    {
        std::vector<ConstraintLaw*> pointers;
        for (int k = 0; k < n; ++k) pointers.push_back(laws.emplace_back(std::make_unique<UnilateralLaw>()).get());
        p.begin(pointers);
        for (int k = 1; k < n; ++k) p.w.couple(std::array{k - 1, k});
        p.w.finish();
        p.w.add(0, 0, 1.);
        for (int k = 1; k < n; ++k) p.w.add(std::array{k - 1, k}, std::array{0., -1., -1., 2.});
        p.dFree[0] = -1.;
    }
};

}  // namespace

TEST_CASE("All forces of a high stack are found at once between sweeps", "[constraint]")
{
    const int n = 200;
    ConstraintSettings settings{.relativeTolerance = 1e-12, .maxIterations = 1000};
    Stack swept(n), solved(n);
    CHECK_FALSE(solveGaussSeidel(swept.p, settings).converged);
    settings.interior = true;
    const auto outcome = solveGaussSeidel(solved.p, settings);
    CHECK(outcome.converged);
    CHECK(outcome.iterations < 100);
    // The k-th contact carries the n - k bodies above it.
    for (int k = 0; k < n; ++k) CHECK(std::abs(solved.p.force[static_cast<std::size_t>(k)] - (n - k)) < 1e-6);
    CHECK(std::abs(swept.p.force[0] - n) > 10.);
}

TEST_CASE("Finding all forces at once between sweeps keeps the solution of contacts with friction", "[constraint]")
{
    const auto contact = [](int) { return std::make_unique<CoulombLaw>(0.4); };
    for (unsigned seed = 1; seed <= 5; ++seed) {
        RandomProblem swept(40, contact, seed), solved(40, contact, seed);
        ConstraintSettings settings{.relativeTolerance = 1e-13, .maxIterations = 20000};
        const auto before = solveGaussSeidel(swept.p, settings);
        settings.interior = true;
        const auto after = solveGaussSeidel(solved.p, settings);
        CHECK(before.converged);
        CHECK(after.converged);
        CHECK(after.iterations <= before.iterations);
        CHECK(largestDifference(swept.p.force, solved.p.force) < 1e-9);
    }
}

TEST_CASE("A relative tolerance means the same in other units", "[constraint]")
{
    int iterations[2];
    for (const double unit : {1., 1e-3}) {
        RandomProblem r(
            60, [](int) { return std::make_unique<UnilateralLaw>(); }, 3);
        for (double& d : r.p.dFree) d *= unit;
        iterations[unit == 1.] = solveGaussSeidel(r.p, {.relativeTolerance = 1e-6}).iterations;
    }
    CHECK(iterations[0] == iterations[1]);
    CHECK(iterations[0] > 5);
}

}  // namespace constraint_problem_test
