// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/components/fem/FemFixture.h"

#include <Eigen/SparseCholesky>

namespace sofa::test {

namespace {

struct TripletSink final : BlockSink
{
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        for (std::size_t a = 0; a < r; ++a)
            for (std::size_t b = 0; b < c; ++b)
                triplets.emplace_back(static_cast<int>(3 * i + a), static_cast<int>(3 * j + b), block[a * c + b]);
    }
    std::vector<Eigen::Triplet<double>> triplets;
};

}  // namespace

Vector<Vec3> solveEquilibrium(ForceField<Vec3Types>& field, const Vector<Vec3>& load, const std::vector<bool>& fixed,
                              const Vector<Vec3>& prescribed)
{
    // K u + load = 0 at the free points, with K = ∂f/∂x and u given at the others.
    TripletSink sink;
    field.buildStiffness({}, sink);
    const auto isFixed = [&](int row) { return static_cast<bool>(fixed[static_cast<std::size_t>(row / 3)]); };
    const auto n = static_cast<int>(3 * load.size());
    Eigen::VectorXd right = flatten(load);
    const Eigen::VectorXd given = flatten(prescribed);
    std::vector<Eigen::Triplet<double>> kept;
    for (const auto& t : sink.triplets) {
        if (isFixed(t.row())) continue;
        if (isFixed(t.col()))
            right[t.row()] += t.value() * given[t.col()];
        else
            kept.emplace_back(t.row(), t.col(), -t.value());
    }
    for (int i = 0; i < n; ++i) {
        if (!isFixed(i)) continue;
        kept.emplace_back(i, i, 1.);
        right[i] = given[i];
    }
    Eigen::SparseMatrix<double> k(n, n);
    k.setFromTriplets(kept.begin(), kept.end());
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(k);
    REQUIRE(factor.info() == Eigen::Success);
    const Eigen::VectorXd u = factor.solve(right);
    Vector<Vec3> out(load.size());
    for (int i = 0; i < n; ++i) out[static_cast<std::size_t>(i / 3)][static_cast<std::size_t>(i % 3)] = u[i];
    return out;
}

}  // namespace sofa::test
