// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/LinearSprings.h"

#include <limits>

#include "tests/core/fem/elements/ElementChecks.h"

namespace linear_springs_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Springs between points that are near in a random cloud; some are disabled, some pull only.
Vector<LinearSprings::Spring> network(const Vector<Vec3>& rest, double damping, double drag)
{
    Vector<LinearSprings::Spring> springs;
    for (Index i = 0; i < rest.size(); ++i)
        for (const Index step : {1u, 7u, 19u}) {
            const Index j = (i * 5 + step) % static_cast<Index>(rest.size());
            const double length = 0.8 * norm(rest[j] - rest[i]);
            const double least = i % 11 == 0 ? never : i % 3 == 0 ? length * 1.3 : 1e-9;
            springs.push_back({i, j, 10. + i % 4, damping, drag, length, least});
        }
    return springs;
}

/// Each joins a pair of points of its own; ends and springs are in no order.
Vector<LinearSprings::Spring> lattice(const Vector<Vec3>& rest)
{
    Vector<LinearSprings::Spring> springs;
    const auto n = static_cast<Index>(rest.size());
    for (Index k = 0; k + 9 < n; ++k) {
        const Index i = k * 11 % (n - 9);
        for (const Index step : {9u, 1u}) {
            const Index j = i + step;
            springs.push_back({i % 2 ? i : j, i % 2 ? j : i, 10. + i % 4, 0.3, 0.2, 0.8 * norm(rest[j] - rest[i]),
                               i % 11 == 0 ? never : 1e-9});
        }
    }
    return springs;
}

Vector<Vec3> forces(LinearSprings& s, const Vector<Vec3>& x, const Vector<Vec3>& v, bool damping = false)
{
    Vector<Vec3> f(x.size());
    s.addForce(f, x, v, {.damping = damping});
    return f;
}

}  // namespace

TEST_CASE("A stretched spring pulls its ends together", "[fem]")
{
    LinearSprings s;
    s.build({{0, 1, 5., 0.5, 0.25, 2., 1e-9}}, 2);
    const Vector<Vec3> x{{0., 0., 0.}, {0., 3., 0.}}, v{{0., 0., 0.}, {4., 2., 0.}};
    const Vector<Vec3> f = forces(s, x, v);
    // 5 (3 − 2) + 0.5 · 2 along the spring, 0.25 (4, 2, 0) of the drag.
    CHECK(norm(f[0] - Vec3{1., 6.5, 0.}) < 1e-15);
    CHECK(f[1] == -f[0]);
    s.build({{0, 1, 5., 0.5, 0.25, 2., never}}, 2);
    CHECK(forces(s, x, v)[0] == Vec3{1., 0.5, 0.});
    CHECK(s.hasDrag());
    CHECK_THROWS_WITH(s.build({{0, 1, 5.}, {0, 2, 5.}}, 2), Catch::Contains("spring 1") && Catch::Contains("point 2"));
}

TEST_CASE("Springs without length do nothing", "[fem]")
{
    LinearSprings s;
    s.build({{0, 1, 5., 0., 0., 2., 0.}, {1, 1, 5., 0., 0., 2., 0.}}, 2);
    const Vector<Vec3> x(2, Vec3{1., 2., 3.}), v(2);
    CHECK(maxNorm(forces(s, x, v)) == 0.);
    DenseSink sink(2);
    s.addStiffness(sink);
    CHECK(sink.matrix.norm() == 0.);
}

TEST_CASE("The stiffness of springs is the derivative of their force", "[fem]")
{
    const Vector<Vec3> rest = randomVectors(40, 1., 1);
    LinearSprings s;
    s.build(network(rest, 0.3, 0.2), 40);
    Vector<Vec3> x = rest;
    const Vector<Vec3> v(x.size()), dx = randomVectors(x.size(), 1., 2);
    Vector<Vec3> up = x, down = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        up[i] += dx[i] * 1e-6;
        down[i] -= dx[i] * 1e-6;
    }
    const Eigen::VectorXd difference = (flatten(forces(s, up, v)) - flatten(forces(s, down, v))) / 2e-6;
    forces(s, x, v);
    Vector<Vec3> df(x.size()), drag(x.size());
    s.addProduct(df, dx, 1.);
    CHECK(difference.norm() > 1.);
    CHECK((flatten(df) - difference).norm() < 1e-7 * difference.norm());
    DenseSink stiffness(40), damping(40);
    s.addStiffness(stiffness);
    CHECK((stiffness.matrix * flatten(dx) - flatten(df)).norm() < 1e-13 * difference.norm());
    s.addDamping(damping);
    s.addProduct(drag, dx, 0., 1.);
    CHECK(flatten(drag).norm() > 0.1);
    CHECK((damping.matrix * flatten(dx) - flatten(drag)).norm() < 1e-13 * flatten(drag).norm());
    // What the drag adds to the force is linear in the velocity.
    LinearSprings without;
    without.build(network(rest, 0.3, 0.), 40);
    const Eigen::VectorXd added = flatten(forces(s, x, dx)) - flatten(forces(without, x, dx));
    CHECK((added - flatten(drag)).norm() < 1e-12 * flatten(drag).norm());
    // So is all of the damping.
    const Eigen::VectorXd all = flatten(forces(s, x, dx, true)) - flatten(forces(s, x, v, true));
    Vector<Vec3> product(x.size());
    s.addProduct(product, dx, 0., 1.);
    CHECK((all - flatten(product)).norm() < 1e-12 * all.norm());
    CHECK((flatten(product) - flatten(drag)).norm() > 0.1 * all.norm());
    DenseSink whole(40);
    s.addDamping(whole);
    CHECK((whole.matrix * flatten(dx) - flatten(product)).norm() < 1e-13 * all.norm());
}

TEST_CASE("Springs that join the same points add their stiffness", "[fem]")
{
    const Vector<Vec3> rest = randomVectors(50, 1., 1), dx = randomVectors(50, 1., 2), v(50);
    const Vector<LinearSprings::Spring> springs = lattice(rest);
    const auto stiffness = [&](const Vector<LinearSprings::Spring>& some) {
        LinearSprings s;
        s.build(some, 50);
        forces(s, rest, v);
        DenseSink k(50);
        s.addStiffness(k);
        Vector<Vec3> df(50), drag(50);
        s.addProduct(df, dx, 1.);
        CHECK((k.matrix * flatten(dx) - flatten(df)).norm() < 1e-13 * k.matrix.norm());
        DenseSink d(50);
        s.addDamping(d);
        s.addProduct(drag, dx, 0., 1.);
        CHECK((d.matrix * flatten(dx) - flatten(drag)).norm() <= 1e-13 * d.matrix.norm());
        return k.matrix;
    };
    const Eigen::MatrixXd alone = stiffness(springs);
    CHECK(alone.norm() > 1.);
    // One that does not act, two more of another pair, one of the first pair, and one that joins a point with itself.
    const LinearSprings::Spring &some = springs[17], &other = springs[40];
    Vector<LinearSprings::Spring> more{{some.b, some.a, 5., 0., 0., 2., never},
                                       {other.a, other.b, 7., 0., 0.5, 0.1, 1e-9},
                                       {3, 3, 5., 0., 0., 0., 0.},
                                       {other.b, other.a, 3., 0., 0., 0.2, 1e-9},
                                       {0, 1, 2., 0., 0., 0.1, 1e-9}};
    const Eigen::MatrixXd added = stiffness(more);
    CHECK(added.norm() > 1.);
    more.insert(more.begin() + 2, springs.begin(), springs.end());
    CHECK((stiffness(more) - alone - added).norm() < 1e-13 * added.norm());
}

TEST_CASE("Springs are bitwise the same for any number of threads and any instruction set", "[fem]")
{
    const Vector<Vec3> rest = randomVectors(1500, 1., 1), v = randomVectors(1500, 1., 2);
    const bool separate = GENERATE(false, true);
    const auto springs = separate ? lattice(rest) : network(rest, 0.3, 0.2);
    checkSameBits(rest.size(), [&](Vector<Vec3>& f, BlockSink& k) {
        LinearSprings s;
        s.build(springs, 1500);
        s.addForce(f, rest, v, {});
        s.addProduct(f, v, 0.7, 0.3);
        s.addStiffness(k);
    });
}

}  // namespace linear_springs_test
