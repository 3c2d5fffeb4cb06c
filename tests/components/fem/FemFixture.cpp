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

double cantileverDeflection(ForceField<Vec3Types>& field, const BoxMesh& mesh, double length, double load)
{
    std::vector<bool> fixed;
    Vector<Vec3> loads(mesh.points.size());
    double tipNodes = 0., weights = 0.;
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        const Vec3& p = mesh.points[i];
        fixed.push_back(p[0] == 0.);
        if (p[0] != length) continue;
        // Nodes on the rim of the end face carry half, corners a quarter.
        loads[i][2] = (p[1] == 0. || p[1] == 1. ? 0.5 : 1.) * (p[2] == 0. || p[2] == 1. ? 0.5 : 1.);
        weights += loads[i][2];
        tipNodes += 1.;
    }
    for (Vec3& f : loads) f[2] *= load / weights;
    const Vector<Vec3> u = solveEquilibrium(field, loads, fixed, Vector<Vec3>(mesh.points.size()));
    double tip = 0.;
    for (std::size_t i = 0; i < u.size(); ++i)
        if (mesh.points[i][0] == length) tip += u[i][2] / tipNodes;
    return tip;
}

}  // namespace sofa::test
