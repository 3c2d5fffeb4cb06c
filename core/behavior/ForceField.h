// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseForceField.h"
#include "core/behavior/OnState.h"

namespace sofa::core {

/// Force field on one state with coordinates of type DataTypes.
template <class DataTypes>
class ForceField : public OnState<BaseForceField, DataTypes>
{
public:
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    using OnState<BaseForceField, DataTypes>::state;

    void addForce(const MechanicalParams& mp, const MultiVecDerivId& f) override;
    void buildStiffness(const MechanicalParams& mp, MatrixAccumulator& k) override;
    void buildDamping(const MechanicalParams& mp, MatrixAccumulator& b) override;

    /// f += force at positions x and velocities v.
    virtual void addForce(const MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) = 0;
    /// Adds the blocks of ∂f/∂x at the state of the last addForce.
    virtual void buildStiffness(const MechanicalParams& mp, BlockSink& k) = 0;
    /// Adds the blocks of ∂f/∂v; override hasDamping too.
    virtual void buildDamping(const MechanicalParams&, BlockSink&) {}
    virtual double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const = 0;
    double potentialEnergy(const MechanicalParams& mp) const override;
};

/// Force field between two states of the same type (which may be one state).
template <class DataTypes>
class PairInteractionForceField : public OnTwoStates<BaseForceField, DataTypes>
{
public:
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    using OnTwoStates<BaseForceField, DataTypes>::state1;
    using OnTwoStates<BaseForceField, DataTypes>::state2;

    bool isInteraction() const override { return true; }
    void addForce(const MechanicalParams& mp, const MultiVecDerivId& f) override;
    /// Adds the forces on both states; when the two states are one, f1 and f2 are the same vector.
    virtual void addForce(const MechanicalParams& mp, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                          const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2) = 0;
    virtual double potentialEnergy(const MechanicalParams& mp, const VecCoord& x1, const VecCoord& x2) const = 0;
    double potentialEnergy(const MechanicalParams& mp) const override;
};

#define SOFA_EXTERN(D)                                    \
    extern template class OnState<BaseForceField, D>;     \
    extern template class OnTwoStates<BaseForceField, D>; \
    extern template class ForceField<D>;                  \
    extern template class PairInteractionForceField<D>;
SOFA_STATE_TYPES(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::core
