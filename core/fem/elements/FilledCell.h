// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <optional>

#include "core/fem/elements/FiniteElements.h"

namespace sofa::core {

/// Integrals over a hexahedron that is filled unevenly: a factor c on each of n × n × n equal cells of its reference
/// cube [−1, 1]³, zero in those that are empty.
///
/// The stiffness that the fine cells' own stiffness K_f gives the nodes of the hexahedron, when the fine nodes are
/// bound to them by the trilinear interpolation L, is Σ_f c_f Lᵀ K_f L (M. Nesme, Y. Payan and F. Faure, "Animating
/// shapes at arbitrary resolution with non-uniform stiffness", VRIPHYS 2006); so is the mass. As L K_f L is the
/// integral of the coarse shape functions' energy over the fine cell, the sum is
///
///     ∫ c(ξ) g(ξ) dξ,   g = det J (…∇Nᵢ…∇Nⱼ…)  or  det J ρ Nᵢ Nⱼ,
///
/// and in a parallelepiped g is a polynomial of degree at most 2 in each coordinate. 27 points are enough for these,
/// however many fine cells there are: the three Gauss points along each axis, with the weights
///
///     w_abc = ∫ c(ξ) ℓ_a(ξ₀) ℓ_b(ξ₁) ℓ_c(ξ₂) dξ,
///
/// ℓ the quadratic polynomials that are 1 at one of the Gauss points 0, ±√(3/5) and 0 at the others. Weights may be
/// negative; the sum of them is 8 times the mean of c.
class FilledCell
{
public:
    static constexpr std::size_t points = 27;
    using Rule = std::array<QuadraturePoint<3>, points>;

    FilledCell();
    /// Adds to the factor of the fine cell at `place`, of n along each axis.
    void add(const Vec<3, int>& place, int n, double factor);
    const Rule& rule() const { return m_rule; }
    /// Mean of the factor over the hexahedron.
    double mean() const;
    /// The factor, if it is the same everywhere: then the usual rule does.
    std::optional<double> uniform() const;

private:
    Rule m_rule;
    bool m_isEmpty = true, m_differs = false;  ///< whether nothing, and different factors were added
    double m_factor = 0.;                      ///< the first that was added
};

}  // namespace sofa::core
