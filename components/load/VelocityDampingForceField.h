// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Viscous drag with one coefficient: f = −c v. The derivative ∂f/∂v = −c I enters implicit integration only with
/// "implicit", as in SOFA.
template <class DataTypes>
class UniformVelocityDampingForceField : public core::ForceField<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    core::Data<double> d_dampingCoefficient{
        this, {.name = "dampingCoefficient", .help = "Drag per velocity of each point", .unit = "N s/m"}, 0.1};
    core::Data<bool> d_implicit{
        this, {.name = "implicit", .help = "Take the drag into the matrix of implicit integration"}, false};

    UniformVelocityDampingForceField();

    PointLists pointLists() override { return noLists(); }
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams&, core::BlockSink&) override {}
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    bool hasDamping() const override { return d_implicit.value(); }
    /// Zero: drag stores no energy.
    double potentialEnergy(const core::MechanicalParams&, const VecCoord&) const override { return 0.; }

    using Base::addForce;
    using Base::buildDamping;
    using Base::buildStiffness;
    using Base::potentialEnergy;
};

/// Viscous drag with a coefficient for each scalar of each point: f_ij = −c_ij v_ij. Points beyond the end of the list
/// take its last value. The derivative always enters implicit integration.
template <class DataTypes>
class DiagonalVelocityDampingForceField : public core::ForceField<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    core::Data<VecDeriv> d_dampingCoefficients{
        this,
        {.name = "dampingCoefficient", .help = "Drag per velocity along each axis, for each point", .unit = "N s/m"}};

    /// A list that is neither for all nor for each point cannot follow: its last value is that of all further points.
    PointLists pointLists() override
    {
        const std::size_t count = d_dampingCoefficients.value().size();
        if (count > 1 && count != this->state().size()) return std::nullopt;
        return {{{pointsOf(this->state()), {{&d_dampingCoefficients}}}}};
    }
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams&, core::BlockSink&) override {}
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    bool hasDamping() const override { return !d_dampingCoefficients.value().empty(); }
    /// Zero: drag stores no energy.
    double potentialEnergy(const core::MechanicalParams&, const VecCoord&) const override { return 0.; }

    using Base::addForce;
    using Base::buildDamping;
    using Base::buildStiffness;
    using Base::potentialEnergy;
};

#define SOFA_EXTERN(D)                                         \
    extern template class UniformVelocityDampingForceField<D>; \
    extern template class DiagonalVelocityDampingForceField<D>;
SOFA_STATE_TYPES(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::component
