// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"

namespace sofa::core {

/// Section of a straight beam along x, with y and z along the principal axes.
struct BeamSection
{
    double area = 0.;                 ///< A [m²]
    double inertiaY = 0.;             ///< I_y = ∫ z² dA [m⁴], for bending in the plane x z
    double inertiaZ = 0.;             ///< I_z = ∫ y² dA [m⁴], for bending in the plane x y
    double torsion = 0.;              ///< J [m⁴]; of round sections I_y + I_z
    double shearY = 0., shearZ = 0.;  ///< effective areas for shear along y and z [m²]; 0: no shear (Euler, Bernoulli)

    /// A circle, or a tube with an inner radius [m].
    static BeamSection tube(double radius, double innerRadius = 0.);
};

/// Stiffness of a beam of length L [m] with two ends (Przemieniecki, Theory of Matrix Structural Analysis, 1968,
/// equation 5.116): K d are the forces and torques that hold the displacements and rotations d at the ends,
/// in the order u θ of the first, u θ of the second end. Bending deflections are cubic, torsion and stretch linear.
///
/// With the shear areas, Φ_y = 12 E I_z / (G A_y L²), Φ_z = 12 E I_y / (G A_z L²) and G = E / (2 (1 + ν)), it is
/// Timoshenko's beam, exact for loads at the ends.
Mat<12, 12> beamStiffness(double young, double poisson, const BeamSection& section, double length);

}  // namespace sofa::core
