// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/PulledPoints.h"
#include "core/math/PositionPart.h"

namespace sofa::component {

/// Springs that pull points to their rest positions, or to the positions of another state.
///
/// f = −k D (x − x₀), with D the diagonal 0/1 matrix of activeDirections; E = ½ k (x − x₀)ᵀ D (x − x₀), K = −k D.
/// For rigid frames k acts on the centre, and the torque is τ = −k_a D θ, where θ is the rotation vector from the
/// target to the frame. Its derivative is taken as −k_a D, as in SOFA, which is exact at θ = 0, or with `tangent` as
/// −k_a D ∂θ/∂ω (core/math/RotationVector.h), which is not symmetric. With several springs,
/// stiffness and angularStiffness may have one value each or one for all; springs beyond the end of the list take its
/// first value.
template <class DataTypes>
class RestShapeSpringsForceField : public PulledPoints<DataTypes>
{
public:
    using Base = PulledPoints<DataTypes>;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Position = core::PositionPart<DataTypes>;

    core::Data<core::Vector<double>> d_stiffness{
        this,
        {.name = "stiffness",
         .help = "Stiffness of the springs, one for all or one for each; 100 when empty",
         .unit = "N/m",
         .range = core::Range::nonNegative()}};
    core::Data<core::Vector<double>> d_angularStiffness{
        this,
        {.name = "angularStiffness",
         .help = "Stiffness against rotation of rigid frames, one for all or one for each; 100 when empty",
         .unit = "N m/rad",
         .range = core::Range::nonNegative()}};
    core::Data<std::array<bool, 7>> d_activeDirections{
        this,
        {.name = "activeDirections", .help = "Scalars of a point, in order, on which the springs act"},
        {true, true, true, true, true, true, true}};
    core::Data<bool> d_tangent{
        this,
        {.name = "tangent",
         .help = "State the exact derivative of torques, which is not symmetric, so that Newton's method converges "
                 "quadratically"},
        false};

    RestShapeSpringsForceField();

    /// Fills the lists of stiffnesses.
    void bwdInit() override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

protected:
    typename Base::Values values() override { return {&d_stiffness, &d_angularStiffness}; }
    void springsFound() override;

private:
    using Base::m_points;
    using Base::m_targets;
    using Base::targets;

    /// Diagonal of −K of one spring.
    Deriv diagonal(std::size_t spring) const;

    /// Derivative of the force of a spring; with `tangent` at the last positions.
    core::Mat<DataTypes::derivSize, DataTypes::derivSize> block(std::size_t spring) const;

    core::Vector<Deriv> m_diagonals;   ///< of −K, for each spring
    core::Vector<core::Vec3> m_turns;  ///< rotation vectors at the last positions, if `tangent`
};

}  // namespace sofa::component
