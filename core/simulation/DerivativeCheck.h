// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/simulation/Simulation.h"

namespace sofa::core {

/// One comparison of what a component states with differences of what it computes.
struct DerivativeResult
{
    enum class Verdict
    {
        Right,
        Wrong,
        Zero,     ///< both are zero at this pose: nothing was compared
        Unclear,  ///< the differences do not converge, or there are kinks; what is smooth is not wrong
        LeftOut   ///< the component states nothing: a damping or geometric stiffness that is not in the matrix
    };
    std::string component;  ///< path and class
    std::string what;       ///< "stiffness = df/dx"
    Verdict verdict = Verdict::Zero;
    double deviation = 0.;           ///< largest deviation, as a part of the largest number
    std::string where = {};          ///< of the largest deviation, if it is wrong
    double stated = 0., found = 0.;  ///< there
};
const char* nameOf(DerivativeResult::Verdict v);

/// Compares, at the present state of an initialised scene and along one random direction of all points of its states,
///   force fields  force = −dE/dx and stiffness = df/dx at rest (zero velocities), damping = df/dv, the product of
///                 addDForce with the blocks of the matrices
///   masses        the product of addMDx with the blocks of the matrix, kinetic energy = ½ vᵀMv
///   mappings      J = dx_out/dx_in, velocities = J v, forces = Jᵀ f, geometric stiffness = d(Jᵀf)/dx
/// A law whose stiffness leaves out the turning of its frames (corotational ones) is right in the rest shape only. A
/// deviation is wrong above 1e-6 of the largest number and ten times the error bound of the differences. Positions and
/// velocities are put back.
std::vector<DerivativeResult> checkDerivatives(Simulation& s);

}  // namespace sofa::core
