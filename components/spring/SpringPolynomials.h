// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>
#include <string>

#include "core/objectmodel/Data.h"

namespace sofa::component {

/// Forces of springs as polynomials of the strain ε, without a constant term: one polynomial for all springs, or one
/// for each,
///     σ(ε) = c₁ ε + c₂ ε² + … + c_d ε^d [N].
class SpringPolynomials
{
public:
    struct Value
    {
        double force = 0.;       ///< σ [N]
        double derivative = 0.;  ///< dσ/dε [N]
        double integral = 0.;    ///< ∫₀^ε σ dε [N]
    };

    /// Coefficients of all polynomials, one after the other. Returns what is wrong, or nothing; what can be used is.
    std::string set(const core::Vector<core::Index>& degrees, const core::Vector<double>& coefficients,
                    std::size_t springs);
    Value at(std::size_t spring, double strain) const;

    /// The lists with the polynomials of some springs only, by number.
    static void keep(const core::Vector<core::Index>& springs, core::Data<core::Vector<core::Index>>& degrees,
                     core::Data<core::Vector<double>>& coefficients);

    static core::DataInfo coefficientsInfo()
    {
        return {.name = "polynomialStiffness",
                .help =
                    "Coefficients of the force as a polynomial of the strain, from the linear one on; those of "
                    "several polynomials one after the other",
                .unit = "N"};
    }
    static core::DataInfo degreesInfo()
    {
        return {.name = "polynomialDegree",
                .help = "Degree of each polynomial: one polynomial for all springs, or one for each"};
    }

private:
    std::span<const double> coefficientsOf(std::size_t spring) const;

    core::Vector<double> m_coefficients;
    core::Vector<std::size_t> m_starts;  ///< of each polynomial, and the end of the last one
};

}  // namespace sofa::component
