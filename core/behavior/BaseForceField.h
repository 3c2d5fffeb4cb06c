// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MatrixAccumulator.h"
#include "core/behavior/MechanicalParams.h"

namespace sofa::core {

/// A law of force on one or several states.
///
/// A force field states its force, its potential energy where it has one, and the blocks of its stiffness ∂f/∂x (and
/// damping ∂f/∂v). Matrix-free products and assembled matrices are derived from the blocks; a class overrides the
/// product only where a measurement shows that it pays.
class BaseForceField : public Component
{
public:
    static std::string_view typeLabel() { return "force field"; }

    Data<double> d_rayleighStiffness{this,
                                     {.name = "rayleighStiffness",
                                      .help = "Rayleigh damping of this force field: B = rayleighStiffness K",
                                      .unit = "s",
                                      .range = Range::nonNegative()},
                                     0.};

    /// States on which the force acts, without repetition.
    virtual std::vector<BaseState*> states() const = 0;

    /// Whether it acts between states: where no solver stands above it, its force is an external one for theirs.
    virtual bool isInteraction() const { return states().size() > 1; }

    /// f += force at positions mp.x and velocities mp.v.
    virtual void addForce(const MechanicalParams& mp, const MultiVecDerivId& f) = 0;
    /// df += (kFactor + bFactor rayleighStiffness) K dx + bFactor B dx, at the state of the last addForce. dx = mp.dx.
    virtual void addDForce(const MechanicalParams& mp, const MultiVecDerivId& df);
    /// Adds the blocks of K = ∂f/∂x at the state of the last addForce, unscaled.
    virtual void buildStiffness(const MechanicalParams& mp, MatrixAccumulator& k) = 0;
    /// Adds the blocks of B = ∂f/∂v, unscaled.
    virtual void buildDamping(const MechanicalParams&, MatrixAccumulator&) {}
    virtual bool hasDamping() const { return false; }
    /// Whether it can have a stiffness at all: not so for masses that are nothing else, which algorithms pass over.
    virtual bool hasStiffness() const { return true; }

    /// Potential energy [J] at positions mp.x, with f = −∂E/∂x; NaN when the force has no potential.
    virtual double potentialEnergy(const MechanicalParams& mp) const = 0;
};

}  // namespace sofa::core
