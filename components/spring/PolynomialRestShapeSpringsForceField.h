// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/PulledPoints.h"
#include "components/spring/SpringPolynomials.h"

namespace sofa::component {

/// Springs that pull points to their rest positions, or to the positions of another state, with a force that is a
/// polynomial of the strain.
///
/// With d = x − x₀, l = |d|, the length L of `initialLength`, the strain ε = l/L and the polynomial σ of
/// SpringPolynomials,
///     f = −σ(ε) d / D,   D² = l² + e,   e = exp(s − a l²).
/// e (s is `smoothShift`, a is `smoothScale`) makes the direction of the force smooth where l vanishes; it dies away
/// beyond l = 1/√a. The derivative is exact,
///     ∂f/∂x = −(σ/D) I − ( σ′/(L D l) − σ (1 − a e)/D³ ) d dᵀ,
/// and the energy is ∫₀^l σ s/D ds: the antiderivative of σ, and the part in which D differs from l by quadrature.
/// SOFA's derivative has the diagonal only, and differs along the spring where e counts.
template <class DataTypes>
class PolynomialRestShapeSpringsForceField final : public PulledPoints<DataTypes>
{
public:
    using Base = PulledPoints<DataTypes>;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Matrix = core::Mat<DataTypes::derivSize, DataTypes::derivSize>;

    core::Data<core::Vector<double>> d_coefficients{this, SpringPolynomials::coefficientsInfo(), {100.}};
    core::Data<core::Vector<core::Index>> d_degrees{this, SpringPolynomials::degreesInfo(), {1}};
    core::Data<core::Vector<double>> d_initialLength{
        this,
        {.name = "initialLength",
         .help = "Lengths by which those of the springs are divided to get strains: one for all, or one for each",
         .unit = "m",
         .range = core::Range::positive()},
        {1.}};
    core::Data<double> d_smoothShift{
        this,
        {.name = "smoothShift",
         .help = "Logarithm of the squared length [m^2] that is added to that of the spring at the target, to find "
                 "the direction of the force",
         .unit = "1"},
        0.};
    core::Data<double> d_smoothScale{this,
                                     {.name = "smoothScale",
                                      .help = "Decay of that length away from the target, per squared distance",
                                      .unit = "1/m^2",
                                      .range = core::Range::nonNegative()},
                                     1.};

    PolynomialRestShapeSpringsForceField();

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

protected:
    typename Base::Values values() override { return {&d_initialLength}; }
    std::vector<core::BaseData*> furtherLists() override;
    void springsFound() override;
    void keepSprings(const core::Vector<core::Index>& left) override;

private:
    using Base::m_points;
    using Base::m_targets;
    using Base::targets;

    /// ∫₀^l σ (1 − s/D) ds.
    double smoothedEnergy(std::size_t spring, double restLength, double length) const;

    SpringPolynomials m_polynomials;
    core::Vector<Matrix> m_stiffness;  ///< ∂f/∂x of each spring at the last addForce
};

}  // namespace sofa::component
