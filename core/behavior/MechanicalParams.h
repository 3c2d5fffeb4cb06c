// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/VecId.h"

namespace sofa::core {

/// Context of a mechanical operation: which vectors are the present position, velocity, ..., and the factors of the
/// system matrix m M + b B + k K, where K = ∂f/∂x and B = ∂f/∂v.
struct MechanicalParams
{
    double dt = 0.01;  ///< [s]
    double mFactor = 0., bFactor = 0., kFactor = 0.;
    bool implicit = false;  ///< an implicit solver asks: force fields prepare their derivatives in addForce
    MultiVecCoordId x = vec_id::position;
    MultiVecCoordId xMass = vec_id::position;  ///< where masses are taken that turn with their body
    MultiVecDerivId v = vec_id::velocity;
    MultiVecDerivId f = vec_id::force;
    MultiVecDerivId dx = vec_id::dx;
    MultiVecDerivId df = vec_id::dforce;

    /// Factor of a component's mass or stiffness when the component carries its own Rayleigh damping,
    /// B = −rayleighMass M + rayleighStiffness K.
    double massFactor(double rayleighMass) const { return mFactor - bFactor * rayleighMass; }
    double stiffnessFactor(double rayleighStiffness) const { return kFactor + bFactor * rayleighStiffness; }
};

}  // namespace sofa::core
