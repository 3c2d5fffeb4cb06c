// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/Ownership.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/linalg/ConjugateGradients.h"
#include "core/linalg/MinimalResidual.h"
#include "core/linalg/VectorKernels.h"

namespace ownership_test {

using namespace sofa::core;

namespace {

/// A chain of springs between walls, in two parts that both hold the points between them: as two processes would, each
/// multiplies with its own springs, and they exchange what they have of the shared points.
class TwoParts final : public LinearOperator
{
public:
    static constexpr std::size_t points = 40, shared = 2, half = points / 2 + shared / 2;

    std::size_t size() const override { return 2 * half; }
    const Ownership& ownership() const override { return m_owned; }
    double multiply(const Vector<double>& x, Vector<double>& y) override
    {
        std::fill(y.begin(), y.end(), 0.);
        // The spring before each point, and the one to the other wall; those between shared points are of one part.
        for (std::size_t part = 0; part < 2; ++part) {
            const double* in = x.data() + part * half;
            double* out = y.data() + part * half;
            const double ends = part == 0 ? stiffness(0) : stiffness(points);
            const std::size_t end = part == 0 ? 0 : half - 1;
            out[end] += ends * in[end];
            for (std::size_t i = part == 0 ? 1 : shared; i < half; ++i) {
                const double force = stiffness(part * (points - half) + i) * (in[i] - in[i - 1]);
                out[i] += force;
                out[i - 1] -= force;
            }
        }
        for (std::size_t k = 0; k < shared; ++k) {
            double &a = y[half - shared + k], &b = y[half + k];
            a = b = a + b;
        }
        return m_owned.dot(x, y);
    }
    static double stiffness(std::size_t spring) { return 1. + 0.5 * std::sin(static_cast<double>(spring)); }
    /// Of each number, its point.
    static std::size_t point(std::size_t i) { return i < half ? i : i - shared; }

private:
    Ownership m_owned{{{0, half}, {half + shared, 2 * half}}};
};

/// The same in one part.
class Whole final : public LinearOperator
{
public:
    std::size_t size() const override { return TwoParts::points; }
    double multiply(const Vector<double>& x, Vector<double>& y) override
    {
        const std::size_t n = size();
        for (std::size_t i = 0; i < n; ++i) {
            const double before = TwoParts::stiffness(i), behind = TwoParts::stiffness(i + 1);
            y[i] = before * (x[i] - (i > 0 ? x[i - 1] : 0.)) + behind * (x[i] - (i + 1 < n ? x[i + 1] : 0.));
        }
        return vector::dot(x, y);
    }
};

struct Until final : KrylovControl
{
    Next next(const Progress& now) override { return now.square < 1e-24 ? Next::Stop : Next::Iterate; }
};

double load(std::size_t point) { return std::cos(0.3 * static_cast<double>(point)); }

/// The solution, and the iterations for it.
template <class Operator>
std::pair<Vector<double>, unsigned> solve(bool minimal, auto&& pointOf)
{
    Operator a;
    Until until;
    Vector<double> b(a.size()), x(a.size(), 0.);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = load(pointOf(i));
    if (minimal) {
        MinimalResidual method;
        const unsigned count = method.solve(a, until, b, x).iterations;
        return {x, count};
    }
    ConjugateGradients method;
    method.residual() = b;
    const unsigned count = method.solve(a, until, x).iterations;
    return {x, count};
}

}  // namespace

TEST_CASE("Krylov methods on parts that share points take the iterations of the whole")
{
    for (const bool minimal : {false, true}) {
        const auto [whole, expected] = solve<Whole>(minimal, [](std::size_t i) { return i; });
        const auto [parts, count] = solve<TwoParts>(minimal, TwoParts::point);
        CHECK(count == expected);
        for (std::size_t i = 0; i < parts.size(); ++i)
            CHECK(parts[i] == Approx(whole[TwoParts::point(i)]).epsilon(1e-10));
    }
}

TEST_CASE("Sums of owned numbers, over all processes")
{
    const Vector<double> x{1., 2., 3., 4.}, y{10., 100., 1000., 10000.};
    CHECK(Ownership().dot(x, y) == 43210.);
    CHECK(Ownership({{0, 1}, {2, 4}}).dot(x, y) == 43010.);
    CHECK(Ownership({{1, 2}}, [](double own) { return own + 5.; }).dot(x, y) == 205.);
    CHECK(Ownership({}, [](double own) { return 2. * own; }).dot(x, y) == 86420.);
    Vector<double> r = x;
    CHECK(Ownership({{0, 1}, {3, 4}}).updateResidual(r, {1., 1., 1., 1.}, 1.) == 9.);
    CHECK(r == Vector<double>{0., 1., 2., 3.});
}

}  // namespace ownership_test
