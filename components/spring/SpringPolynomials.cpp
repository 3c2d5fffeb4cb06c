// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/SpringPolynomials.h"

#include <algorithm>

namespace sofa::component {

using core::Index;

std::string SpringPolynomials::set(const core::Vector<Index>& degrees, const core::Vector<double>& coefficients,
                                   std::size_t springs)
{
    std::string wrong;
    m_starts = {0};
    for (const Index d : degrees) m_starts.push_back(m_starts.back() + d);
    if (m_starts.back() != coefficients.size())
        wrong = "polynomialDegree asks for " + std::to_string(m_starts.back()) +
                " coefficients, but polynomialStiffness has " + std::to_string(coefficients.size());
    m_coefficients = coefficients;
    m_coefficients.resize(m_starts.back(), 0.);
    if (degrees.size() == springs || degrees.size() == 1) return wrong;
    if (wrong.empty())
        wrong = "polynomialDegree has " + std::to_string(degrees.size()) + " polynomials for " +
                std::to_string(springs) + " springs: it must have one for all, or one for each";
    m_starts.resize(std::min<std::size_t>(2, m_starts.size()));
    return wrong;
}

std::span<const double> SpringPolynomials::coefficientsOf(std::size_t spring) const
{
    if (m_starts.size() < 2) return {};
    const std::size_t p = m_starts.size() == 2 ? 0 : spring;
    return std::span(m_coefficients).subspan(m_starts[p], m_starts[p + 1] - m_starts[p]);
}

SpringPolynomials::Value SpringPolynomials::at(std::size_t spring, double strain) const
{
    const auto c = coefficientsOf(spring);
    Value v;
    for (std::size_t n = c.size(); n > 0; --n) {
        const auto degree = static_cast<double>(n);
        v.force = (v.force + c[n - 1]) * strain;
        v.derivative = v.derivative * strain + degree * c[n - 1];
        v.integral = (v.integral + c[n - 1] / (degree + 1.)) * strain;
    }
    v.integral *= strain;
    return v;
}

void SpringPolynomials::keep(const core::Vector<Index>& springs, core::Data<core::Vector<Index>>& degrees,
                             core::Data<core::Vector<double>>& coefficients)
{
    const core::Vector<Index>& d = degrees.value();
    if (d.size() <= 1) return;
    core::Vector<std::size_t> starts{0};
    for (const Index degree : d) starts.push_back(starts.back() + degree);
    core::Vector<Index> keptDegrees;
    core::Vector<double> kept;
    for (const Index s : springs) {
        keptDegrees.push_back(d[s]);
        for (std::size_t i = starts[s]; i < starts[s + 1]; ++i) kept.push_back(coefficients.value()[i]);
    }
    degrees.setValue(std::move(keptDegrees));
    coefficients.setValue(std::move(kept));
}

}  // namespace sofa::component
