// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/AggregationMultigrid.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/core/linalg/ElasticMatrix.h"
#include "tests/harness/ParallelGuard.h"

namespace aggregation_multigrid_test {

using namespace sofa::core;
using sofa::test::assembleElastic;
using sofa::test::boxPoints;

namespace {

/// Sums of some hundred products in single precision.
constexpr double single = 256. * std::numeric_limits<float>::epsilon();

Vector<double> randomVector(std::size_t n, unsigned seed)
{
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> value(-1., 1.);
    Vector<double> v(n);
    for (double& x : v) x = value(gen);
    return v;
}

double dot(const Vector<double>& a, const Vector<double>& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.);
}

Vector<double> modesOf(const std::vector<Vec3>& points)
{
    Vector<double> rows;
    for (const Vec3& p : points) addRigidModes(rows, p, 3, false, 6);
    return rows;
}

/// A box of elastic tetrahedra, fixed at its bottom.
struct Box
{
    BlockAssembler assembler;
    Vector<int> fixed;
    Vector<double> modes;

    Box(int nx, int ny, int nz, double mass, double stiffness = 1.) : modes(modesOf(boxPoints(nx, ny, nz)))
    {
        assembleElastic(assembler, nx, ny, nz, mass, stiffness);
        fixed.resize(static_cast<std::size_t>(3 * nx * ny));
        std::iota(fixed.begin(), fixed.end(), 0);
        assembler.eliminate(fixed);
    }
    const BlockCsrMatrix& matrix() const { return assembler.matrix(); }
    std::size_t size() const { return static_cast<std::size_t>(matrix().rows()); }
};

void build(AggregationMultigrid& m, const Box& box)
{
    m.analyze(box.matrix(), box.fixed, 6);
    m.refresh(box.matrix(), box.modes);
}

Vector<double> applied(AggregationMultigrid& m, const Vector<double>& r)
{
    Vector<double> z(r.size());
    m.apply(r, z);
    return z;
}

/// Iterations of preconditioned conjugate gradients to |r| ≤ 1e-6 |b|.
int iterations(const BlockCsrMatrix& a, AggregationMultigrid& m, Vector<double> r)
{
    Vector<double> x(r.size(), 0.), q(r.size()), z = applied(m, r), p = z;
    const double limit = 1e-12 * dot(r, r);
    double rho = dot(r, z);
    int it = 0;
    for (; dot(r, r) > limit && it < 1000; ++it) {
        a.multiply(p, q);
        const double alpha = rho / dot(p, q);
        for (std::size_t i = 0; i < r.size(); ++i) r[i] -= alpha * q[i];
        z = applied(m, r);
        const double next = dot(r, z);
        for (std::size_t i = 0; i < r.size(); ++i) p[i] = z[i] + next / rho * p[i];
        rho = next;
    }
    return it;
}

/// Zero where scalars are fixed.
Vector<double> load(const Box& box)
{
    Vector<double> b(box.size(), 1.);
    for (const int s : box.fixed) b[static_cast<std::size_t>(s)] = 0.;
    return b;
}

}  // namespace

TEST_CASE("a multigrid cycle is a symmetric positive definite operator")
{
    for (const double mass : {0., 0.1, 100.}) {
        INFO("mass " << mass);
        const Box box(9, 7, 8, mass);
        AggregationMultigrid m;
        m.coarsest = 50;
        build(m, box);
        REQUIRE(m.levels() >= 3);
        for (unsigned seed = 1; seed < 20; ++seed) {
            const Vector<double> x = randomVector(box.size(), seed), y = randomVector(box.size(), seed + 100);
            const Vector<double> mx = applied(m, x), my = applied(m, y);
            const double xx = dot(x, mx), yy = dot(y, my);
            REQUIRE(xx > 0.);
            CHECK(std::abs(dot(x, my) - dot(y, mx)) < single * std::sqrt(xx * yy));
        }
        // Every direction, smooth or not: M⁻¹ A has no eigenvalue near zero or above one.
        Vector<double> x = randomVector(box.size(), 7), y(box.size());
        for (int k = 0; k < 30; ++k) {
            box.matrix().multiply(x, y);
            x = applied(m, y);
            const double norm = std::sqrt(dot(x, x));
            for (double& v : x) v /= norm;
        }
        box.matrix().multiply(x, y);
        CHECK(dot(y, applied(m, y)) / dot(x, y) < 1. + single);
    }
}

TEST_CASE("a system that is no larger than the coarsest level is solved exactly")
{
    const Box box(5, 4, 6, 0.);
    AggregationMultigrid m;
    build(m, box);
    REQUIRE(m.levels() == 1);
    const Vector<double> x = randomVector(box.size(), 3);
    Vector<double> b(x.size());
    box.matrix().multiply(x, b);
    const Vector<double> z = applied(m, b);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(z[i] == Approx(x[i]).margin(1e-11));
}

TEST_CASE("prolongations reproduce rigid motions, and the next matrix has them as null space")
{
    // Unconstrained and without mass, so that rigid motions are the null space of the matrix.
    const int nx = 7, ny = 6, nz = 8;
    BlockAssembler assembler;
    assembleElastic(assembler, nx, ny, nz, 0., 1.);
    const BlockCsrMatrix& a = assembler.matrix();
    const Vector<double> fine = modesOf(boxPoints(nx, ny, nz));
    Vector<double> coarse = fine;
    const Vector<std::uint8_t> free(static_cast<std::size_t>(a.blockRows()), 0);
    const auto level = makeMultigridLevel(a, free, 6);
    level->refresh(a, 1., coarse);
    const auto n = static_cast<std::size_t>(a.rows()), m = static_cast<std::size_t>(level->coarse().rows());
    REQUIRE(coarse.size() == 6 * m);
    CHECK(level->coarse().isSymmetric());
    Vector<float> from(m + MultigridLevel::padding), to(n + MultigridLevel::padding);
    Vector<double> column(m), product(m);
    for (std::size_t k = 0; k < 6; ++k) {
        INFO("mode " << k);
        double size = 0.;
        for (std::size_t i = 0; i < m; ++i) {
            column[i] = coarse[6 * i + k];
            from[i] = static_cast<float>(column[i]);
            size = std::max(size, std::abs(column[i]));
        }
        level->prolong(from, to);
        for (std::size_t i = 0; i < n; ++i)
            CHECK(static_cast<double>(to[i]) == Approx(fine[6 * i + k]).margin(single * 10.));
        level->coarse().multiply(column, product);
        double most = 0.;
        for (const double v : product) most = std::max(most, std::abs(v));
        CHECK(most < single * size * level->coarse().maxAbs());
    }
}

TEST_CASE("iterations with multigrid stay within a factor of two when a body is refined a hundredfold")
{
    for (const double mass : {0., 1e-3}) {
        INFO("mass " << mass);
        int fewest = 1000, most = 0;
        for (const int n : {8, 16, 33}) {
            const Box box(n, n, n, mass);
            AggregationMultigrid m;
            build(m, box);
            REQUIRE(m.levels() >= 2);
            const int its = iterations(box.matrix(), m, load(box));
            fewest = std::min(fewest, its);
            most = std::max(most, its);
        }
        INFO(fewest << " to " << most);
        CHECK(most <= 2 * fewest);
        CHECK(most <= 25);
    }
}

TEST_CASE("a cycle gives the same bits on any number of threads")
{
    const sofa::test::ParallelGuard guard;
    const Box box(24, 20, 16, 0.01);
    const Vector<double> r = randomVector(box.size(), 5);
    Vector<double> first;
    for (const unsigned threads : {1u, 2u, 5u}) {
        setThreadCount(threads);
        AggregationMultigrid m;
        m.coarsest = 300;
        build(m, box);
        REQUIRE(m.levels() == 3);
        const Vector<double> z = applied(m, r);
        if (first.empty()) first = z;
        CHECK(z == first);
    }
}

TEST_CASE("new values in the levels of old ones are those of levels that are built anew")
{
    const Box stiff(10, 9, 8, 0.1, 50.), soft(10, 9, 8, 0.3);
    const Vector<double> r = randomVector(soft.size(), 5);
    AggregationMultigrid changed, anew;
    changed.coarsest = anew.coarsest = 100;
    build(changed, stiff);
    const Vector<double> before = applied(changed, r);
    changed.refresh(soft.matrix(), soft.modes);
    build(anew, soft);
    CHECK(applied(changed, r) == applied(anew, r));
    CHECK(applied(changed, r) != before);
}

TEST_CASE("a cycle does not depend on the units of the matrix")
{
    // Numbers that single precision does not have; powers of two, so that the bits are the same.
    const Box box(9, 8, 7, 0.1);
    BlockCsrMatrix tiny = box.matrix();
    const double factor = std::ldexp(1., -400);
    for (double& v : tiny.values()) v *= factor;
    AggregationMultigrid m, t;
    m.coarsest = t.coarsest = 100;
    build(m, box);
    t.analyze(tiny, box.fixed, 6);
    t.refresh(tiny, box.modes);
    Vector<double> r = randomVector(box.size(), 5);
    const Vector<double> expected = applied(m, r);
    CHECK(applied(t, r)[20] * factor == expected[20]);
    for (double& v : r) v *= factor;
    CHECK(applied(t, r) == expected);
}

TEST_CASE("fixed scalars and nodes that are coupled to nothing have no part in coarser levels")
{
    Box box(8, 8, 8, 0.);
    // Some points slide: two of their scalars are fixed.
    const int plane = 3 * 64;
    for (int p = 7; p < 64; p += 8)
        for (const int c : {0, 2}) box.fixed.push_back(3 * plane + 3 * p + c);
    box.assembler.eliminate(box.fixed);
    AggregationMultigrid m;
    m.coarsest = 100;
    build(m, box);
    REQUIRE(m.levels() >= 2);
    const MultigridLevel& level = m.level(0);
    const auto coarse = static_cast<std::size_t>(level.coarse().rows());
    Vector<float> from(coarse + MultigridLevel::padding, 1.f), to(box.size() + MultigridLevel::padding);
    level.prolong(from, to);
    double moved = 0.;
    for (std::size_t i = 0; i < box.size(); ++i) moved = std::max(moved, std::abs(static_cast<double>(to[i])));
    CHECK(moved > 0.1);
    for (const int s : box.fixed) CHECK(to[static_cast<std::size_t>(s)] == 0.f);
    for (int p = 0; p < 64; ++p) CHECK(level.aggregation().aggregate[static_cast<std::size_t>(p)] == -1);
    CHECK(iterations(box.matrix(), m, load(box)) <= 25);
}

TEST_CASE("aggregates cover what is coupled, and are neighbours of one node and who joins them")
{
    const Box box(12, 11, 10, 0.);
    Vector<std::uint8_t> fixed(static_cast<std::size_t>(box.matrix().blockRows()), 0);
    std::fill_n(fixed.begin(), 132, std::uint8_t{1});
    const Aggregation g(box.matrix(), fixed, 6);
    Vector<int> members(static_cast<std::size_t>(g.count), 0);
    for (std::size_t i = 0; i < fixed.size(); ++i) {
        CHECK((g.aggregate[i] >= 0) == (fixed[i] == 0));
        if (g.aggregate[i] >= 0) ++members[static_cast<std::size_t>(g.aggregate[i])];
    }
    CHECK(*std::min_element(members.begin(), members.end()) >= 4);
    CHECK(static_cast<std::size_t>(g.count) * 10 < fixed.size());
    CHECK(g.coarse.blockSize() == 6);
}

TEST_CASE("empty systems, single points, and points without couplings")
{
    for (const int points : {0, 1, 2000}) {
        INFO(points << " points");
        BlockAssembler assembler;
        assembler.begin(3 * points, 3 * points, 3);
        for (int i = 0; i < points; ++i) {
            const Mat3 block = Mat3::identity() * (1. + i);
            assembler.add(3 * i, 3 * i, block.data(), 3, 3, 3, 1.);
        }
        assembler.end();
        const Vector<double> modes = modesOf(std::vector<Vec3>(static_cast<std::size_t>(points)));
        AggregationMultigrid m;
        m.analyze(assembler.matrix(), {}, 6);
        m.refresh(assembler.matrix(), modes);
        const Vector<double> r(static_cast<std::size_t>(3 * points), 1.), z = applied(m, r);
        for (std::size_t i = 0; i < z.size(); ++i) CHECK(z[i] == Approx(1. / (1. + static_cast<double>(i / 3))));
    }
}

TEST_CASE("chains of points, whose aggregates have no rotation about their line")
{
    // Springs of stiffness 1 along x and, softer, across it.
    constexpr int points = 3000;
    BlockAssembler assembler;
    assembler.begin(3 * points, 3 * points, 3);
    std::vector<Vec3> x;
    for (int i = 0; i < points; ++i) {
        x.push_back({0.1 * i, 0., 0.});
        const auto spring = Mat3::fromRows(Vec3{1., 0., 0.}, Vec3{0., 0.1, 0.}, Vec3{0., 0., 0.1});
        assembler.add(3 * i, 3 * i, spring.data(), 3, 3, 3, i + 1 < points ? 2. : 1.);
        if (i + 1 < points) assembler.add(3 * i, 3 * i + 3, spring.data(), 3, 3, 3, -1.);
        if (i > 0) assembler.add(3 * i, 3 * i - 3, spring.data(), 3, 3, 3, -1.);
    }
    assembler.end();
    AggregationMultigrid m;
    m.analyze(assembler.matrix(), {}, 6);
    m.refresh(assembler.matrix(), modesOf(x));
    REQUIRE(m.levels() > 1);
    CHECK(iterations(assembler.matrix(), m, randomVector(3 * points, 4)) < 60);
}

TEST_CASE("in the plane there are three modes")
{
    // The stiffness of springs between neighbours and along diagonals of a grid, fixed at one side.
    constexpr int n = 40;
    BlockAssembler assembler;
    assembler.begin(2 * n * n, 2 * n * n, 2);
    Vector<double> modes;
    const auto at = [](int i, int j) { return 2 * (i * n + j); };
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            addRigidModes(modes, {1. * i, 1. * j, 0.}, 2, false, 3);
            const double nothing[4] = {};
            assembler.add(at(i, j), at(i, j), nothing, 2, 2, 2, 1.);
            for (const auto& [a, b] : {std::pair(1, 0), std::pair(0, 1), std::pair(1, 1), std::pair(1, -1)}) {
                if (i + a >= n || j + b >= n || j + b < 0) continue;
                const double k[4] = {1. * a * a, 1. * a * b, 1. * a * b, 1. * b * b};
                assembler.add(at(i, j), at(i, j), k, 2, 2, 2, 1.);
                assembler.add(at(i + a, j + b), at(i + a, j + b), k, 2, 2, 2, 1.);
                assembler.add(at(i, j), at(i + a, j + b), k, 2, 2, 2, -1.);
                assembler.add(at(i + a, j + b), at(i, j), k, 2, 2, 2, -1.);
            }
        }
    assembler.end();
    Vector<int> fixed(2 * n);
    std::iota(fixed.begin(), fixed.end(), 0);
    assembler.eliminate(fixed);
    AggregationMultigrid m;
    m.coarsest = 100;
    m.analyze(assembler.matrix(), fixed, 3);
    m.refresh(assembler.matrix(), modes);
    REQUIRE(m.levels() == 3);
    Vector<double> b(2 * n * n, 1.);
    for (const int s : fixed) b[static_cast<std::size_t>(s)] = 0.;
    CHECK(iterations(assembler.matrix(), m, b) <= 25);
    CHECK_THROWS_WITH(m.analyze(assembler.matrix(), fixed, 4), "multigrid takes 3 or 6 modes");
}

TEST_CASE("multigrid says when a matrix is not positive definite")
{
    Box box(8, 8, 8, 0.);
    AggregationMultigrid m;
    m.coarsest = 100;
    m.analyze(box.matrix(), box.fixed, 6);
    CHECK_THROWS_WITH(m.refresh(box.matrix(), Vector<double>(5)), Catch::Contains("not of the size"));
    BlockCsrMatrix a = box.matrix();
    a.block(static_cast<std::size_t>(a.diagonal(100)))[4] = -1.;
    CHECK_THROWS_WITH(m.refresh(a, box.modes), Catch::Contains("block 100 of the diagonal"));
}

TEST_CASE("rows of rigid modes are velocities of rigid motions")
{
    const Vec3 x{0.3, -0.7, 1.1}, v{0.5, 2., -1.}, w{-0.4, 0.2, 0.9};
    Vector<double> rows;
    addRigidModes(rows, x, 3, true, 6);
    REQUIRE(rows.size() == 36);
    const double motion[6] = {v[0], v[1], v[2], w[0], w[1], w[2]};
    const Vec3 point = v + cross(w, x);
    for (std::size_t r = 0; r < 6; ++r) {
        double s = 0.;
        for (std::size_t k = 0; k < 6; ++k) s += rows[6 * r + k] * motion[k];
        CHECK(s == Approx(r < 3 ? point[r] : w[r - 3]));
    }
    rows.clear();
    addRigidModes(rows, x, 2, true, 3);
    CHECK(rows == Vector<double>{1., 0., 0.7, 0., 1., 0.3, 0., 0., 1.});
    rows.clear();
    addRigidModes(rows, x, 2, true, 6);
    CHECK(rows == Vector<double>{1., 0., 0., 0., 1.1, 0.7, 0., 1., 0., -1.1, 0., 0.3, 0., 0., 0., 0., 0., 1.});
}

}  // namespace aggregation_multigrid_test
