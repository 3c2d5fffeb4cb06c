// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <random>

#include "core/behavior/MatrixAccumulator.h"
#include "core/math/Quat.h"
#include "core/mesh/Elements.h"

/// Meshes, dense matrices and random poses for the tests of finite elements.
namespace sofa::test {

using namespace sofa::core;

/// Collects the blocks of a matrix on points with three scalars as a dense matrix.
class DenseSink final : public BlockSink
{
public:
    explicit DenseSink(std::size_t nbPoints) : matrix(Eigen::MatrixXd::Zero(3 * nbPoints, 3 * nbPoints)) {}
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        REQUIRE(r == 3);
        REQUIRE(c == 3);
        for (std::size_t a = 0; a < r; ++a)
            for (std::size_t b = 0; b < c; ++b) matrix(3 * i + a, 3 * j + b) += block[a * c + b];
        calls.emplace_back(i, j);
    }
    Eigen::MatrixXd matrix;
    std::vector<std::pair<Index, Index>> calls;
};

inline Eigen::VectorXd flatten(const Vector<Vec3>& v)
{
    return Eigen::Map<const Eigen::VectorXd>(v.empty() ? nullptr : v[0].data(),
                                             3 * static_cast<Eigen::Index>(v.size()));
}

/// Grid of (nx+1)(ny+1)(nz+1) points that fills a box with one corner at the origin, x running fastest.
struct BoxMesh
{
    BoxMesh(Index nx, Index ny, Index nz, Vec3 size) : cells{nx, ny, nz}
    {
        for (Index k = 0; k <= nz; ++k)
            for (Index j = 0; j <= ny; ++j)
                for (Index i = 0; i <= nx; ++i)
                    points.push_back({size[0] * i / nx, size[1] * j / ny, size[2] * k / nz});
        for (Index k = 0; k < nz; ++k)
            for (Index j = 0; j < ny; ++j)
                for (Index i = 0; i < nx; ++i) {
                    const auto at = [&](Index a, Index b, Index c) {
                        return (i + a) + (nx + 1) * ((j + b) + (ny + 1) * (k + c));
                    };
                    const Hexahedron h{at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0),
                                       at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)};
                    hexahedra.push_back(h);
                    // Kuhn's cut into six tetrahedra along the diagonal 0-6: conforming and positively oriented.
                    constexpr int path[6][2] = {{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}};
                    for (const auto& p : path) tetrahedra.push_back({h[0], h[p[0]], h[p[1]], h[6]});
                }
    }
    /// Moves every point by up to `amount` along each axis, with a fixed seed.
    void jitter(double amount)
    {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> d(-amount, amount);
        for (Vec3& p : points) p += Vec3{d(random), d(random), d(random)};
    }
    std::array<Index, 3> cells;
    Vector<Vec3> points;
    Vector<Hexahedron> hexahedra;
    Vector<Tetrahedron> tetrahedra;
};

/// A random permutation of [0, n), the same one for equal n.
inline Vector<Index> randomNumbers(Index n)
{
    std::mt19937 random(5);
    Vector<Index> number(n);
    std::iota(number.begin(), number.end(), Index(0));
    std::shuffle(number.begin(), number.end(), random);
    return number;
}

/// Shuffles the numbers of the points, and the elements.
template <std::size_t N>
void renumber(Vector<std::array<Index, N>>& elements, Index points)
{
    const Vector<Index> number = randomNumbers(points);
    std::mt19937 random(6);
    std::shuffle(elements.begin(), elements.end(), random);
    for (auto& e : elements)
        for (Index& v : e) v = number[v];
}

inline Vector<Vec3> randomVectors(std::size_t n, double amount, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> d(-amount, amount);
    Vector<Vec3> v(n);
    for (Vec3& p : v) p = {d(random), d(random), d(random)};
    return v;
}

inline Mat3 someRotation() { return Quat::fromRotationVector({0.7, -1.1, 0.4}).toMatrix(); }

/// x ↦ a x + b for every point.
inline Vector<Vec3> mapped(const Vector<Vec3>& x, const Mat3& a, const Vec3& b)
{
    Vector<Vec3> y;
    for (const Vec3& p : x) y.push_back(a * p + b);
    return y;
}

inline double maxNorm(const Vector<Vec3>& v)
{
    double m = 0.;
    for (const Vec3& p : v)
        for (const double c : p) m = std::max(m, std::abs(c));
    return m;
}

}  // namespace sofa::test
