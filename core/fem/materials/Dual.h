// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace sofa::core {

/// Dual number of second order in N variables: a value with its gradient and Hessian. A formula that is written as a
/// template over its number type, evaluated with `Dual::variable`, gives its exact first and second derivatives.
template <std::size_t N>
struct Dual
{
    double v = 0.;
    std::array<double, N> g{};
    std::array<std::array<double, N>, N> h{};

    Dual() = default;
    Dual(double value) : v(value) {}
    static Dual variable(double value, std::size_t k)
    {
        Dual d(value);
        d.g[k] = 1.;
        return d;
    }
    /// f(x) for a function f with the given value and derivatives at x.v.
    static Dual chain(const Dual& x, double f, double f1, double f2)
    {
        Dual r(f);
        for (std::size_t i = 0; i < N; ++i) {
            r.g[i] = f1 * x.g[i];
            for (std::size_t j = 0; j < N; ++j) r.h[i][j] = f1 * x.h[i][j] + f2 * x.g[i] * x.g[j];
        }
        return r;
    }

    friend Dual operator+(const Dual& a, const Dual& b)
    {
        Dual r(a.v + b.v);
        for (std::size_t i = 0; i < N; ++i) {
            r.g[i] = a.g[i] + b.g[i];
            for (std::size_t j = 0; j < N; ++j) r.h[i][j] = a.h[i][j] + b.h[i][j];
        }
        return r;
    }
    friend Dual operator*(const Dual& a, const Dual& b)
    {
        Dual r(a.v * b.v);
        for (std::size_t i = 0; i < N; ++i) {
            r.g[i] = a.v * b.g[i] + b.v * a.g[i];
            for (std::size_t j = 0; j < N; ++j)
                r.h[i][j] = a.v * b.h[i][j] + b.v * a.h[i][j] + a.g[i] * b.g[j] + a.g[j] * b.g[i];
        }
        return r;
    }
    friend Dual operator-(const Dual& a) { return a * Dual(-1.); }
    friend Dual operator-(const Dual& a, const Dual& b) { return a + -b; }
    friend Dual operator/(const Dual& a, const Dual& b) { return a * pow(b, -1.); }

    friend Dual log(const Dual& x) { return chain(x, std::log(x.v), 1. / x.v, -1. / (x.v * x.v)); }
    friend Dual exp(const Dual& x)
    {
        const double e = std::exp(x.v);
        return chain(x, e, e, e);
    }
    friend Dual pow(const Dual& x, double p)
    {
        return chain(x, std::pow(x.v, p), p * std::pow(x.v, p - 1.), p * (p - 1.) * std::pow(x.v, p - 2.));
    }
    friend Dual sqrt(const Dual& x) { return pow(x, 0.5); }
};

}  // namespace sofa::core
