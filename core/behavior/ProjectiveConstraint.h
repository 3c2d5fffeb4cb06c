// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MechanicalParams.h"
#include "core/behavior/OnState.h"

namespace sofa::core {

/// Collects what projective constraints take out of a linear system: scalar degrees of freedom, whose rows and columns
/// are cleared with the diagonal set to 1, and directions of single points or of two, A ← P A P + (1 − P).
class EliminationSink
{
public:
    virtual ~EliminationSink() = default;
    /// Scalar k of the derivative of point i of a state.
    virtual void eliminate(const BaseState& s, Index i, std::size_t k) = 0;
    /// Orthogonal projection P of the derivative of point i, row-major, derivSize squared: for directions that are no
    /// axes.
    virtual void project(const BaseState& s, Index i, const double* p) = 0;
    /// Scalar k of the derivatives of two points has one value: P takes both to their mean.
    virtual void join(const BaseState& s1, Index i1, const BaseState& s2, Index i2, std::size_t k) = 0;
};

/// Constraint imposed by projection: the motion it forbids is removed from velocities, forces and system matrices.
class BaseProjectiveConstraint : public Component
{
public:
    BaseProjectiveConstraint() { ignoreAttribute("group", "no component acts on groups of constraints"); }
    static std::string_view typeLabel() { return "projective constraint"; }

    Data<double> d_endTime{
        this,
        {.name = "endTime", .help = "Time at which the constraint stops to act; negative: never", .unit = "s"},
        -1.};

    /// False once endTime has passed. Every function below does nothing then.
    bool isActive() const;

    virtual std::vector<BaseState*> states() const = 0;
    /// Removes the forbidden part of a displacement, acceleration or residual.
    virtual void projectResponse(const MechanicalParams& mp, const MultiVecDerivId& dx) = 0;
    virtual void projectVelocity(const MechanicalParams& mp, const MultiVecDerivId& v) = 0;
    virtual void projectPosition(const MechanicalParams& mp, const MultiVecCoordId& x) = 0;
    /// Names the scalars that leave the linear system.
    virtual void eliminate(EliminationSink& sink) const = 0;
    /// Whether `eliminate` may join points. Their accelerations are then no forces over masses, each by itself.
    virtual bool joinsPoints() const { return false; }
};

template <class DataTypes>
class ProjectiveConstraint : public OnState<BaseProjectiveConstraint, DataTypes>
{
public:
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    using OnState<BaseProjectiveConstraint, DataTypes>::state;

    virtual void projectResponse(VecDeriv& dx) const = 0;
    virtual void projectVelocity(VecDeriv& v) const = 0;
    virtual void projectPosition(VecCoord& x) const = 0;

    void projectResponse(const MechanicalParams&, const MultiVecDerivId& dx) override
    {
        if (this->isActive()) projectResponse(*state().write(dx.at(state())));
    }
    void projectVelocity(const MechanicalParams&, const MultiVecDerivId& v) override
    {
        if (this->isActive()) projectVelocity(*state().write(v.at(state())));
    }
    void projectPosition(const MechanicalParams&, const MultiVecCoordId& x) override
    {
        if (this->isActive()) projectPosition(*state().write(x.at(state())));
    }
};

#define SOFA_EXTERN(D)                                          \
    extern template class OnState<BaseProjectiveConstraint, D>; \
    extern template class ProjectiveConstraint<D>;
SOFA_STATE_TYPES(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::core
