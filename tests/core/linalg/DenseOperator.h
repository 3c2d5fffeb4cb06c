// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <Eigen/Dense>
#include <utility>

#include "core/linalg/LinearOperator.h"

namespace sofa::test {

/// A dense matrix whose vectors have one number more than it, which stays zero.
class DenseOperator final : public core::LinearOperator
{
public:
    explicit DenseOperator(Eigen::MatrixXd a) : matrix(std::move(a)) {}
    std::size_t size() const override { return static_cast<std::size_t>(matrix.rows()) + 1; }
    double multiply(const core::Vector<double>& x, core::Vector<double>& y) override
    {
        ++products;
        const auto n = matrix.rows();
        const Eigen::Map<const Eigen::VectorXd> in(x.data(), n);
        Eigen::Map<Eigen::VectorXd>(y.data(), n) = matrix * in;
        return in.dot(Eigen::Map<const Eigen::VectorXd>(y.data(), n));
    }
    Eigen::MatrixXd matrix;
    int products = 0;
};

}  // namespace sofa::test
