// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/MinimalResidual.h"

#include <catch2/catch.hpp>
#include <random>

#include "tests/core/linalg/DenseOperator.h"

namespace minimal_residual_test {

using namespace sofa::core;
using Dense = sofa::test::DenseOperator;

namespace {

/// Q diag(eigenvalues) Qᵀ with an orthogonal Q.
Eigen::MatrixXd withEigenvalues(const Eigen::VectorXd& eigenvalues)
{
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    const auto n = eigenvalues.size();
    Eigen::MatrixXd m(n, n);
    for (auto& v : m.reshaped()) v = normal(random);
    const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(m).householderQ();
    const Eigen::MatrixXd a = q * eigenvalues.asDiagonal() * q.transpose();
    return 0.5 * (a + a.transpose());
}

/// Keeps the residuals; stops at a limit, or after some iterations.
class Record final : public KrylovControl
{
public:
    explicit Record(double limit, unsigned most = 1000) : m_limit(limit), m_most(most) {}
    Next next(const Progress& now) override
    {
        residuals.push_back(std::sqrt(now.square));
        return residuals.back() <= m_limit || now.iterations == m_most ? Next::Stop : Next::Iterate;
    }
    std::vector<double> residuals;

private:
    double m_limit;
    unsigned m_most;
};

struct Solved
{
    Eigen::VectorXd x;
    unsigned iterations;
};

Solved solve(Dense& a, const Eigen::VectorXd& b, KrylovControl& control)
{
    Vector<double> rhs(b.begin(), b.end()), x(a.size(), 0.);
    rhs.push_back(0.);
    MinimalResidual method;
    const auto end = method.solve(a, control, rhs, x);
    CHECK(x.back() == 0.);
    return {Eigen::Map<const Eigen::VectorXd>(x.data(), b.size()), end.iterations};
}

}  // namespace

TEST_CASE("Minimal residuals solve symmetric systems that are not definite", "[linalg]")
{
    Eigen::VectorXd eigenvalues(24);
    for (int i = 0; i < 24; ++i) eigenvalues[i] = (i % 3 == 0 ? -1. : 1.) * (0.5 + i);
    Dense a(withEigenvalues(eigenvalues));
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(24, -1., 2.);
    Record record(1e-11);
    const Solved s = solve(a, b, record);
    CHECK((a.matrix * s.x - b).norm() < 1e-10);
    CHECK(s.iterations <= 26);
    CHECK(static_cast<unsigned>(a.products) == s.iterations);
    for (std::size_t i = 1; i < record.residuals.size(); ++i) CHECK(record.residuals[i] <= record.residuals[i - 1]);
}

TEST_CASE("Each iterate of minimal residuals has the smallest residual in its Krylov space", "[linalg]")
{
    Eigen::VectorXd eigenvalues(12);
    for (int i = 0; i < 12; ++i) eigenvalues[i] = i < 4 ? -2. - i : 1. + i * i;
    Dense a(withEigenvalues(eigenvalues));
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(12, 1., 3.);
    Eigen::MatrixXd krylov(12, 5);
    krylov.col(0) = b;
    for (int k = 1; k < 5; ++k) krylov.col(k) = a.matrix * krylov.col(k - 1);
    for (unsigned most = 1; most <= 5; ++most) {
        Record record(0., most);
        const Solved s = solve(a, b, record);
        const Eigen::MatrixXd images = a.matrix * krylov.leftCols(most);
        const Eigen::VectorXd best = images.colPivHouseholderQr().solve(b);
        CHECK((a.matrix * s.x - b).norm() == Approx((images * best - b).norm()).epsilon(1e-9));
        // The method knows the norm of its residual without a product.
        CHECK(record.residuals.back() == Approx((a.matrix * s.x - b).norm()).epsilon(1e-9));
    }
}

TEST_CASE("Minimal residuals end where the matrix has no more to give", "[linalg]")
{
    SECTION("an eigenvector needs one iteration")
    {
        Dense a(Eigen::MatrixXd(Eigen::Vector4d(-3., 2., 5., 7.).asDiagonal()));
        Record record(0.);
        const Solved s = solve(a, Eigen::Vector4d(6., 0., 0., 0.), record);
        CHECK(s.x[0] == Approx(-2.));
        CHECK(s.iterations == 1);
    }
    SECTION("a singular matrix: the residual is what it cannot reach")
    {
        Dense a(Eigen::MatrixXd(Eigen::Vector3d(0., 2., 4.).asDiagonal()));
        Record record(0.);
        const Solved s = solve(a, Eigen::Vector3d(1., 2., 4.), record);
        CHECK(s.x[1] == Approx(1.));
        CHECK(s.x[2] == Approx(1.));
        CHECK(record.residuals.back() == Approx(1.));
    }
    SECTION("zero")
    {
        Dense a(Eigen::MatrixXd::Identity(3, 3));
        Record record(0.);
        const Solved s = solve(a, Eigen::Vector3d::Zero(), record);
        CHECK(s.iterations == 0);
        CHECK(s.x.norm() == 0.);
    }
}

}  // namespace minimal_residual_test
