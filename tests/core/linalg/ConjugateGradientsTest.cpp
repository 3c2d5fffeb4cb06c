// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/ConjugateGradients.h"

#include <catch2/catch.hpp>
#include <optional>
#include <random>

#include "tests/core/linalg/DenseOperator.h"

namespace conjugate_gradients_test {

using namespace sofa::core;
using Dense = sofa::test::DenseOperator;

namespace {

/// Symmetric and positive definite, with the eigenvalues 1 … n⁴ of a badly scaled diagonal.
Eigen::MatrixXd badlyScaled(int n)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1., 1.);
    Eigen::MatrixXd a(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) a(i, j) = 0.02 * uniform(random);
    a = (a + a.transpose()).eval();
    for (int i = 0; i < n; ++i) a(i, i) += 1.;
    Eigen::VectorXd scale(n);
    for (int i = 0; i < n; ++i) scale[i] = std::pow(i + 1., 2.);
    return scale.asDiagonal() * a * scale.asDiagonal();
}

/// Stops at a residual. The inverse of the diagonal is the preconditioner from some iteration on, if at all.
class Jacobi final : public KrylovControl
{
public:
    Jacobi(const Dense& a, double limit, std::optional<unsigned> from = {})
        : m_a(a), m_limit(limit), m_from(from), on(from == 0u)
    {
    }
    Next next(const Progress& now) override
    {
        if (now.square <= m_limit * m_limit || now.iterations > 5000) return Next::Stop;
        if (!on && m_from == now.iterations) {
            on = true;
            return Next::Restart;
        }
        return Next::Iterate;
    }
    bool accepts(const Progress&, double curvature) override { return curvature > 0.; }
    const Vector<double>& precondition(const Vector<double>& r) override
    {
        if (!on) return r;
        m_z = r;
        for (std::size_t i = 0; i + 1 < r.size(); ++i) {
            const auto k = static_cast<Eigen::Index>(i);
            m_z[i] /= m_a.matrix(k, k);
        }
        return m_z;
    }

private:
    const Dense& m_a;
    double m_limit;
    std::optional<unsigned> m_from;
    Vector<double> m_z;

public:
    bool on;
};

struct Solved
{
    unsigned iterations;
    double error;  ///< of the solution, relative
};

Solved solve(Dense& a, Jacobi& control, const Vector<double>& start = {})
{
    const auto n = a.matrix.rows();
    const Eigen::VectorXd exact = Eigen::VectorXd::LinSpaced(n, 1., 2.), b = a.matrix * exact;
    ConjugateGradients method;
    method.residual().assign(a.size(), 0.);
    std::copy_n(b.data(), n, method.residual().data());
    Vector<double> x = start.empty() ? Vector<double>(a.size(), 0.) : start;
    if (!start.empty()) method.startFrom(a, x);
    const auto end = method.solve(a, control, x);
    CHECK(x.back() == 0.);
    return {end.iterations, (Eigen::Map<const Eigen::VectorXd>(x.data(), n) - exact).norm() / exact.norm()};
}

}  // namespace

TEST_CASE("Conjugate gradients find the solution, with a product for each iteration", "[linalg]")
{
    Dense a(badlyScaled(30));
    Jacobi plain(a, 1e-8), scaled(a, 1e-8, 0);
    const Solved first = solve(a, plain);
    CHECK(first.error < 1e-9);
    CHECK(static_cast<unsigned>(a.products) == first.iterations);
    CHECK(first.iterations > 60);
    const Solved second = solve(a, scaled);
    CHECK(second.error < 1e-9);
    CHECK(second.iterations < 30);
}

TEST_CASE("Conjugate gradients take a preconditioner on the way", "[linalg]")
{
    Dense a(badlyScaled(30));
    Jacobi later(a, 1e-8, 10);
    const Solved s = solve(a, later);
    CHECK(later.on);
    CHECK(s.error < 1e-9);
    CHECK(s.iterations < 45);
}

TEST_CASE("Conjugate gradients go on from where they begin", "[linalg]")
{
    Dense a(badlyScaled(20));
    Vector<double> near(21);
    for (std::size_t i = 0; i < 20; ++i) near[i] = 1. + static_cast<double>(i) / 19.;
    Jacobi there(a, 1e-8);
    CHECK(solve(a, there, near).iterations == 0);
    near[3] += 1e-3;
    Jacobi close(a, 1e-8, 0);
    const Solved s = solve(a, close, near);
    CHECK(s.iterations > 0);
    CHECK(s.error < 1e-9);
}

TEST_CASE("A direction of no positive curvature ends conjugate gradients before it is taken", "[linalg]")
{
    Dense a(-badlyScaled(5));
    Jacobi control(a, 1e-8);
    const Solved s = solve(a, control);
    CHECK(s.iterations == 0);
    CHECK(s.error == 1.);
}

}  // namespace conjugate_gradients_test
