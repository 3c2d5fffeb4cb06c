// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "tests/harness/ForceFieldCheck.h"

namespace sofa::test {

struct MassOptions
{
    double totalMass = 1.;     ///< [kg] that the points must add up to
    bool constantPose = true;  ///< the matrix does not depend on positions; then it is compared at two poses
    unsigned seeds = 3;
};

/// Checks the laws that every mass obeys (the component must be a BaseMass and a BaseForceField on one state):
///   1. M, from buildMass, is symmetric, has xᵀ M x ≥ 0, and each coordinate axis carries the total mass;
///   2. addMDx adds factor M dx; accFromF after addMDx gives dx back where the mass is diagonal, and throws elsewhere;
///   3. kinetic energy ½ vᵀ M v, linear momentum Σ (M v)ᵢ, angular momentum Σ xᵢ × (M v)ᵢ (and the spins of rigid
///   bodies);
///   4. gravity: addForce adds M g, which is −∂E/∂x; with separateGravity it adds nothing and addGravityToV adds dt g;
///   5. no stiffness; the same bits when it is computed again.
/// Tolerances are those of rounding.
void checkMass(core::Component& mass, const MassOptions& options);

}  // namespace sofa::test
