// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cmath>

#include "core/math/Mat.h"
#include "core/objectmodel/Data.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

/// An ellipsoid (ellipse, interval) that pushes out what is inside: a penalty with stiffness k and damping c, as in
/// SOFA; with a negative k one that pulls in what is outside.
///
/// In the axes of the ellipsoid, with u = x − centre, D = diag(1/r²), s = √(uᵀ D u), the relative depth φ = s − 1 and
/// the unit normal n = D u/|D u| of the ellipsoid of the same shape through x, points with k φ < 0 get
///     f = −|k| φ n − c |φ| v.
/// It is the normal force of a sphere of radius R where all radii are equal, with the stiffness |k|/R and the energy
/// ½ (|k|/R) (|u| − R)²; other ellipsoids have no energy, since φ is no distance. The derivatives are exact,
///     ∂f/∂x = −|k| ( n (D u)ᵀ/s + φ (1 − n nᵀ) D/|D u| ),   ∂f/∂v = −c |φ| 1,
/// but for that of the damping force by x. They are not symmetric. A point at the very centre feels nothing.
///
/// The last part of SOFA's ∂f/∂x is |k| φ D u (D² u)ᵀ/|D u|² instead of that over −|D u|³, and SOFA has no ∂f/∂v; with
/// `compatibility="sofa"` force fields of this law have SOFA's derivatives.
template <std::size_t N>
struct EllipsoidPenalty
{
    using Vector = core::Vec<N>;
    using Matrix = core::Mat<N>;

    Vector center, radii;
    double stiffness = 0., damping = 0.;
    bool likeSofa = false;

    struct Contact
    {
        double depth = 0.;  ///< φ
        Vector force;       ///< without damping [N]
        Matrix dfdx;        ///< [N/m]
    };
    /// uᵀ D u: below 1 inside.
    double level(const Vector& x) const
    {
        double q = 0.;
        for (std::size_t i = 0; i < N; ++i) q += (x[i] - center[i]) * (x[i] - center[i]) / (radii[i] * radii[i]);
        return q;
    }
    bool actsAt(double level) const { return level > 0. && (level - 1.) * stiffness < 0.; }
    Contact at(const Vector& x) const
    {
        Vector g, inverse;
        for (std::size_t i = 0; i < N; ++i) {
            inverse[i] = 1. / (radii[i] * radii[i]);
            g[i] = (x[i] - center[i]) * inverse[i];
        }
        const double s = std::sqrt(level(x)), length = norm(g), k = std::abs(stiffness);
        Contact c;
        c.depth = s - 1.;
        c.force = g * (-k * c.depth / length);
        const double along = -k / (s * length), across = -k * c.depth / length,
                     turn = likeSofa ? across / length : -across / (length * length);
        for (std::size_t i = 0; i < N; ++i) {
            for (std::size_t j = 0; j < N; ++j) c.dfdx[i][j] = g[i] * g[j] * (along + turn * inverse[j]);
            c.dfdx[i][i] += across * inverse[i];
        }
        return c;
    }
    /// NaN for ellipsoids that are no spheres.
    double energy(const Vector& x) const
    {
        for (std::size_t i = 1; i < N; ++i)
            if (radii[i] != radii[0]) return std::nan("");
        if ((level(x) - 1.) * stiffness >= 0.) return 0.;
        const double depth = norm(x - center) - radii[0];
        return 0.5 * std::abs(stiffness) / radii[0] * depth * depth;
    }
};

inline core::DataInfo ellipsoidStiffness()
{
    return {.name = "stiffness",
            .help =
                "Force per relative depth: points inside are pushed out, with a negative one points outside are "
                "pulled in",
            .unit = "N"};
}
inline core::DataInfo ellipsoidDamping()
{
    return {.name = "damping",
            .help = "Force per relative depth and velocity",
            .unit = "N s/m",
            .range = core::Range::nonNegative()};
}

/// Draws an ellipsoid by its centre and radii in the axes of a frame.
void drawEllipsoid(core::DrawTool& tool, const core::RigidCoord3& frame, const core::Vec3& center,
                   const core::Vec3& radii, const core::DrawStyle& style);

}  // namespace sofa::component
