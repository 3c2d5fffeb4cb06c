// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/InteriorPoint.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/math/Mat.h"

namespace interior_point_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

/// A problem with laws of its own, and W = Gᵀ G of a random G of so many rows.
struct Problem
{
    ConstraintProblem p;
    std::vector<std::unique_ptr<ConstraintLaw>> laws;

    template <class Law, class... Args>
    void add(Args... args)
    {
        laws.push_back(std::make_unique<Law>(args...));
    }
    void begin()
    {
        std::vector<ConstraintLaw*> pointers;
        for (auto& l : laws) pointers.push_back(l.get());
        p.begin(pointers);
    }
    void beginRandom(int rank, unsigned seed)
    {
        begin();
        std::mt19937 generator(seed);
        std::normal_distribution<double> normal;
        const auto n = static_cast<std::size_t>(p.size), m = static_cast<std::size_t>(rank);
        Vector<double> g(m * n), w(n * n, 0.);
        for (double& x : g) x = normal(generator);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t k = 0; k < m; ++k) w[i * n + j] += g[k * n + i] * g[k * n + j] / rank;
        p.w.assignDense(w);
        for (double& d : p.dFree) d = normal(generator);
    }
};

/// A cube of side 1 and mass 1 with its four lower corners on the ground: twelve rows of six degrees of freedom.
struct Cube : Problem
{
    Cube(double mu, double push)
    {
        for (int k = 0; k < 4; ++k) add<CoulombLaw>(mu);
        begin();
        std::array<std::array<Vec3, 2>, 12> rows;  // force and torque of each
        for (std::size_t k = 0; k < 4; ++k) {
            const Vec3 corner(k & 1 ? 0.5 : -0.5, -0.5, k & 2 ? 0.5 : -0.5);
            const std::array<Vec3, 3> directions{Vec3(0., 1., 0.), Vec3(1., 0., 0.), Vec3(0., 0., 1.)};
            for (std::size_t r = 0; r < 3; ++r) rows[3 * k + r] = {directions[r], cross(corner, directions[r])};
        }
        Vector<double> w(144);
        for (std::size_t i = 0; i < 12; ++i)
            for (std::size_t j = 0; j < 12; ++j)
                w[12 * i + j] = dot(rows[i][0], rows[j][0]) + 6. * dot(rows[i][1], rows[j][1]);
        p.w.assignDense(w);
        for (std::size_t k = 0; k < 4; ++k) {
            p.dFree[3 * k] = -1.;
            p.dFree[3 * k + 1] = push;
        }
    }
    double sum(std::size_t row) const { return p.force[row] + p.force[3 + row] + p.force[6 + row] + p.force[9 + row]; }
};

}  // namespace

TEST_CASE("All forces found at once are those of sweeps, where these are unique", "[constraint]")
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        INFO("seed " << seed);
        const auto make = [&](Problem& q) {
            for (int k = 0; k < 20; ++k) {
                if (k % 4 == 0) q.add<BilateralLaw>(2);
                if (k % 4 == 1) q.add<UnilateralLaw>();
                if (k % 4 >= 2) q.add<CoulombLaw>(0.1 * k);
            }
            q.beginRandom(100, seed);
        };
        Problem swept, once;
        make(swept);
        make(once);
        REQUIRE(solveGaussSeidel(swept.p, {.relativeTolerance = 1e-13, .maxIterations = 100000}).converged);
        // Laws of several rows prepare what they need.
        for (const auto& g : once.p.groups) g.law->begin(once.p.block(g), once.p.force.data() + g.first);
        InteriorPoint method(once.p);
        CHECK(method.improve(once.p, 1e-7));
        CHECK(complementarityResidual(once.p) < 2e-7);
        for (std::size_t i = 0; i < swept.p.force.size(); ++i)
            CHECK(once.p.force[i] == Approx(swept.p.force[i]).margin(2e-6));
        CHECK(std::ranges::any_of(once.p.force, [](double f) { return std::abs(f) > 0.1; }));
    }
}

TEST_CASE("Of forces that are not unique those in the middle are found", "[constraint]")
{
    const double mu = 0.5;
    Cube rests(mu, 0.);
    REQUIRE(InteriorPoint(rests.p).improve(rests.p, 1e-12));
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(rests.p.force[3 * k] == Approx(0.25).epsilon(1e-9));
        for (std::size_t r : {1, 2}) CHECK(std::abs(rests.p.force[3 * k + r]) < 1e-6);
    }
    // Pushed, it sticks below μ m g, and slides above it. It does not tip over: 0.45 · 0.5 < 0.5.
    for (const double push : {0.9 * mu, 1.1 * mu}) {
        Cube pushed(mu, push);
        REQUIRE(InteriorPoint(pushed.p).improve(pushed.p, 1e-7));
        CHECK(complementarityResidual(pushed.p) < 2e-7);
        CHECK(pushed.sum(0) == Approx(1.));
        CHECK(pushed.sum(1) == Approx(-std::min(push, mu)));
        CHECK(std::abs(pushed.sum(2)) < 1e-7);
        const auto d = pushed.p.violations();
        CHECK(d[1] == Approx(std::max(0., push - mu)).margin(2e-7));
        if (push < mu)
            for (std::size_t k = 0; k < 4; ++k)
                CHECK(std::abs(pushed.p.force[3 * k + 1]) < 0.99 * mu * pushed.p.force[3 * k]);
    }
}

TEST_CASE("Forces of other laws, and rows without compliance, stay as they are", "[constraint]")
{
    Problem q;
    q.add<UnilateralLaw>();
    q.add<IntervalLaw>();
    q.add<UnilateralLaw>();
    q.add<CoulombLaw>(0.);
    q.add<BilateralLaw>(2);
    q.begin();
    Vector<double> w(64, 0.);
    w[0] = w[9] = w[27] = w[63] = 1.;
    w[1] = w[8] = 0.5;
    q.p.w.assignDense(w);
    q.p.dFree = {-1., 0., -1., -2., -1., -1., 0., 3.};
    q.p.force = {0., 0.4, 0., 0., 0., 0., 0., 0.};
    q.laws.back()->begin(q.p.block(q.p.groups.back()), q.p.force.data() + 6);
    REQUIRE(InteriorPoint(q.p).improve(q.p, 1e-12));
    CHECK(q.p.force[0] == Approx(0.8));
    CHECK(q.p.force[1] == 0.4);
    CHECK(q.p.force[2] == 0.);
    CHECK(q.p.force[3] == Approx(2.));
    CHECK(q.p.force[4] == 0.);
    CHECK(q.p.force[5] == 0.);
    CHECK(q.p.force[6] == 0.);
    CHECK(q.p.force[7] == Approx(-3.));
}

TEST_CASE("Forces that solve a problem are not changed, and a problem without forces has none", "[constraint]")
{
    Cube rests(0.5, 0.);
    for (std::size_t k = 0; k < 4; ++k) rests.p.force[3 * k] = k == 0 || k == 3 ? 0.375 : 0.125;
    const auto before = rests.p.force;
    REQUIRE(complementarityResidual(rests.p) < 1e-15);
    CHECK_FALSE(InteriorPoint(rests.p).improve(rests.p, 1e-12));
    CHECK(rests.p.force == before);

    Problem none;
    none.begin();
    CHECK_FALSE(InteriorPoint(none.p).improve(none.p, 1e-12));

    Problem apart;
    apart.add<CoulombLaw>(0.3);
    apart.beginRandom(3, 1);
    apart.p.dFree = {1., 0., 0.};
    CHECK_FALSE(InteriorPoint(apart.p).improve(apart.p, 1e-12));
    CHECK(apart.p.force == Vector<double>{0., 0., 0.});
}

TEST_CASE("What all forces at once will cost is known before", "[constraint]")
{
    Problem few, many;
    for (int k = 0; k < 10; ++k) few.add<CoulombLaw>(0.3);
    for (int k = 0; k < 100; ++k) many.add<CoulombLaw>(0.3);
    few.beginRandom(30, 1);
    many.beginRandom(300, 1);
    const double a = InteriorPoint(few.p).cost(), b = InteriorPoint(many.p).cost();
    // Dense: a part of ten times n³ / 3 multiplications for n² of a sweep.
    CHECK(b == Approx(10. * a).epsilon(0.5));
    CHECK(a > 10.);
    // Contacts that do not push, and are not passed, can be left out.
    for (std::size_t row = 0; row < 270; row += 3) many.p.dFree[row] = 1.;
    CHECK(InteriorPoint(many.p, InteriorPoint::Rows::acting).cost() < 0.1 * b);
}

}  // namespace interior_point_test
