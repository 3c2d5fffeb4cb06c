// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/SpringLaw.h"
#include "components/spring/SpringPolynomials.h"
#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// Springs between points of one or two states whose force is a polynomial of the strain.
///
/// With u = (x₂ − x₁)/l, l = |x₂ − x₁|, the rest length L, the strain ε = |l − L|/L and the polynomial σ of
/// SpringPolynomials, the force on point 1 and the energy are
///     f₁ = φ u,   φ = ±σ(ε),   E = L ∫₀^ε σ dε,
/// + for stretched springs, − for compressed ones, which do nothing unless `compressible`. The derivative is exact,
///     ∂f₁/∂x₂ = (σ′/L) u uᵀ + (φ/l) (I − u uᵀ),
/// also for compressed springs, where SOFA's keeps the sign, and the matrix, of stretched ones. Points in the same
/// place feel nothing.
template <class DataTypes>
class PolynomialSpringsForceField final : public core::PairInteractionForceField<DataTypes>,
                                          public core::TopologyFollower
{
public:
    using Base = core::PairInteractionForceField<DataTypes>;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Law = SpringLaw<DataTypes>;

    core::Data<core::Vector<core::Index>> d_firstPoints{
        this, {.name = "firstObjectPoints", .help = "Points of object1 at which springs begin; all when empty"}};
    core::Data<core::Vector<core::Index>> d_secondPoints{
        this, {.name = "secondObjectPoints", .help = "Points of object2 at which springs end; all when empty"}};
    core::Data<core::Vector<double>> d_coefficients{this, SpringPolynomials::coefficientsInfo(), {100.}};
    core::Data<core::Vector<core::Index>> d_degrees{this, SpringPolynomials::degreesInfo(), {1}};
    core::Data<bool> d_computeZeroLength{
        this, {.name = "computeZeroLength", .help = "Rest lengths are those of the first step, not zeroLength"}, true};
    core::Data<core::Vector<double>> d_zeroLength{
        this,
        {.name = "zeroLength",
         .help = "Rest lengths, one for all springs or one for each, where computeZeroLength is off",
         .unit = "m",
         .range = core::Range::positive()}};
    core::Data<bool> d_recomputeIndices{
        this,
        {.name = "recompute_indices", .help = "Follow changes of the number of points while the simulation runs"},
        false};
    core::Data<bool> d_compressible{
        this,
        {.name = "compressible", .help = "Springs that are shorter than at rest push; otherwise they do nothing"},
        false};
    core::Data<int> d_drawMode{this,
                               {.name = "drawMode",
                                .help = "How springs are shown: 0 lines, 1 cylinders, 2 arrows",
                                .range = core::Range::closed(0., 2.),
                                .group = "Visualization"},
                               0};
    core::Data<float> d_showArrowSize{this,
                                      {.name = "showArrowSize",
                                       .help = "Radius of the cylinders or arrows that show the springs",
                                       .unit = "m",
                                       .group = "Visualization"},
                                      0.01F};
    core::Data<core::Color> d_springColor{
        this, {.name = "springColor", .help = "Color of the springs shown"}, core::Color(0.F, 1.F, 0.F, 1.F)};

    PolynomialSpringsForceField();

    /// Finds the springs, once all states have their size.
    void bwdInit() override;
    void reinit() override;
    void reset() override;
    void archive(core::Archive& a) override { a(m_lengths); }
    /// Springs of all points of a state do not follow.
    PointLists pointLists() override;
    /// Springs go with their points.
    void followTopology(const core::TopologyChange& change) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1, const VecCoord& x2,
                  const VecDeriv& v1, const VecDeriv& v2) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::MatrixAccumulator& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x1, const VecCoord& x2) const override;
    core::BoundingBox boundingBox() const override;
    /// The springs (flag ForceFields; InteractionForceFields between two states).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::potentialEnergy;

private:
    void findSprings();
    bool takesAll() const { return !m_emptied && (d_firstPoints.value().empty() || d_secondPoints.value().empty()); }
    void measure(const VecCoord& x1, const VecCoord& x2);

    core::Vector<LinearSpring> m_springs;  ///< their points only
    core::Vector<double> m_lengths;        ///< at rest [m]; empty until they are measured
    core::Vector<typename Law::Matrix> m_dfdx;
    SpringPolynomials m_polynomials;
    std::size_t m_sizes[2] = {0, 0};  ///< of the states when the springs were found
    bool m_emptied = false;           ///< all springs are gone: empty lists do not mean all points
    core::DataTracker m_tracker;
};

}  // namespace sofa::component
