// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/TensorMass.h"

#include "tests/core/fem/FemTestUtilities.h"
#include "tests/core/fem/elements/ElementChecks.h"

namespace tensor_mass_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Quads of a grid of points, each with a block of its own for each pair of corners.
struct Grid
{
    explicit Grid(Index cells)
    {
        for (Index j = 0; j <= cells; ++j)
            for (Index i = 0; i <= cells; ++i) points.push_back({i * 1., j * 1., 0.1 * i * j});
        for (Index j = 0; j < cells; ++j)
            for (Index i = 0; i < cells; ++i) {
                const Index a = i + (cells + 1) * j, b = a + cells + 1;
                quads.push_back({a, a + 1, b + 1, b});
            }
    }
    Vector<Vec3> points;
    Vector<Quad> quads;
};

/// 3 a bᵀ + 2 b aᵀ with vectors a whose sum over the corners is zero: then all rows of the matrix sum to zero.
constexpr auto s_block = [](Index e, std::size_t i, std::size_t j) {
    const auto gradient = [e](std::size_t corner) {
        Vec3 sum;
        const auto of = [e](std::size_t k) {
            return Vec3{std::sin(1. * e + 3. * k), std::cos(7. * e + k), std::sin(2. * e + k * k)};
        };
        if (corner < 3) return of(corner);
        for (std::size_t k = 0; k < 3; ++k) sum -= of(k);
        return sum;
    };
    const Vec3 a = gradient(i), b = gradient(j);
    return outer(a, b) * 3. + outer(b, a) * 2.;
};

}  // namespace

TEST_CASE("tensors of pairs give the same bits for any number of threads", "[fem]")
{
    for (const Index cells : {3u, 60u}) {
        const Grid grid(cells);
        const Vector<Vec3> x = mapped(grid.points, someRotation(), {1., 2., 3.});
        checkSameBits(x.size(), [&](Vector<Vec3>& f, BlockSink& k) {
            TensorMass t;
            t.build<4>(grid.quads, grid.points, s_block);
            t.addForce(f, x);
            t.addStiffnessProduct(f, grid.points, 0.7);
            t.addStiffness(k);
        });
    }
}

TEST_CASE("tensors of pairs are sums of the blocks of elements", "[fem]")
{
    Grid grid(3);
    renumber(grid.quads, static_cast<Index>(grid.points.size()));
    grid.quads.push_back({4, 4, 9, 2});  // a point has no tensor with itself
    const std::size_t n = grid.points.size();
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    const auto add = [&](Index i, Index j, const Mat3& k) {
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) {
                expected(3 * i + a, 3 * j + b) -= k[a][b];
                expected(3 * i + a, 3 * i + b) += k[a][b];
                expected(3 * j + a, 3 * i + b) -= k[b][a];
                expected(3 * j + a, 3 * j + b) += k[b][a];
            }
    };
    for (Index e = 0; e < grid.quads.size(); ++e)
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i + 1; j < 4; ++j)
                if (grid.quads[e][i] != grid.quads[e][j]) add(grid.quads[e][i], grid.quads[e][j], s_block(e, i, j));
    TensorMass t;
    t.build<4>(grid.quads, grid.points, s_block);
    DenseSink sink(n);
    t.addStiffness(sink);
    REQUIRE(expected.norm() > 1.);
    CHECK((sink.matrix - expected).norm() < 1e-13 * expected.norm());
    const Vector<Vec3> dx = randomVectors(n, 1., 3);
    Vector<Vec3> product(n), forces(n), x = grid.points;
    t.addStiffnessProduct(product, dx, 1.);
    CHECK((flatten(product) - expected * flatten(dx)).norm() < 1e-12 * flatten(product).norm());
    for (std::size_t i = 0; i < n; ++i) x[i] += dx[i];
    t.addForce(forces, x);
    CHECK((flatten(forces) - flatten(product)).norm() < 1e-12 * flatten(product).norm());
    CHECK(t.energy(x) == Approx(-0.5 * flatten(dx).dot(expected * flatten(dx))).epsilon(1e-12));
    CHECK(t.energy(grid.points) == 0.);
}

}  // namespace tensor_mass_test
