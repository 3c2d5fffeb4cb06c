// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/NegativePart.h"

#include <Eigen/Eigenvalues>
#include <stdexcept>

namespace sofa::core {

namespace {

template <class Matrix>
Matrix ofNegativeEigenvalues(const Matrix& k)
{
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(k);
    const auto& v = solver.eigenvectors();
    return v * solver.eigenvalues().cwiseMin(0.).asDiagonal() * v.transpose();
}

}  // namespace

template <std::size_t M>
Mat<M, M> negativePart(const Mat<M, M>& k)
{
    constexpr int m = static_cast<int>(M);
    using Matrix = Eigen::Matrix<double, m, m, Eigen::RowMajor>;
    Mat<M, M> out;
    Eigen::Map<Matrix>(out.data()) = ofNegativeEigenvalues<Matrix>(Eigen::Map<const Matrix>(k.data()));
    return out;
}

template Mat<3, 3> negativePart(const Mat<3, 3>&);
template Mat<6, 6> negativePart(const Mat<6, 6>&);
template Mat<9, 9> negativePart(const Mat<9, 9>&);
template Mat<12, 12> negativePart(const Mat<12, 12>&);

void takeNegativePart(std::span<double> k, std::size_t n)
{
    if (k.size() != n * n) throw std::invalid_argument("takeNegativePart: expected n² numbers");
    const auto m = static_cast<Eigen::Index>(n);
    Eigen::Map<Eigen::MatrixXd> all(k.data(), m, m);
    const Eigen::MatrixXd symmetric = 0.5 * (all + all.transpose());
    all = ofNegativeEigenvalues<Eigen::MatrixXd>(symmetric);
}

}  // namespace sofa::core
