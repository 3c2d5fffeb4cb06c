// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/PenaltyData.h"
#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/Color.h"
#include "core/visual/SolidShape.h"

namespace sofa::component {

/// A sphere (circle, interval) that pushes out what is inside: a penalty with stiffness k and damping c.
///
/// With r = |x − centre|, the unit normal n = (x − centre)/r and δ = r − radius, points with δ < 0 (all points if
/// bilateral) get
///     f = −k δ n + c δ v.
/// The energy is ½ k δ², and with q = radius/r the stiffness is −k ( q n nᵀ + (1 − q) I ); as in SOFA the damping term
/// is left out of it, unless `tangent`. A point at the very centre feels nothing.
template <class DataTypes>
class SphereForceField : public core::ForceField<DataTypes>, public core::SolidShape, public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    core::Data<Coord> d_center{this, {.name = "center", .help = "Centre of the sphere", .unit = "m"}};
    core::Data<double> d_radius{
        this, {.name = "radius", .help = "Radius of the sphere", .unit = "m", .range = core::Range::nonNegative()}, 1.};
    core::Data<double> d_stiffness{this, penaltyStiffness(), 500.};
    core::Data<double> d_damping{this, penaltyDamping(), 5.};
    core::Data<bool> d_tangent{this, penaltyTangent(), false};
    core::Data<core::Color> d_color{
        this, {.name = "color", .help = "Color of the sphere shown"}, core::Color(0.F, 0.F, 1.F, 1.F)};
    core::Data<std::array<int, 2>> d_localRange{
        this, {.name = "localRange", .help = "First and last point on which the sphere acts; -1: no limit"}, {-1, -1}};
    core::Data<bool> d_bilateral{this, {.name = "bilateral", .help = "Pull points outside to the sphere too"}, false};
    core::Data<core::Vector<core::Index>> d_contacts{
        this, {.name = "contacts", .help = "Points on which the sphere acts", .readOnly = true, .saved = false}};

    PointLists pointLists() override { return noLists(); }
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    bool hasDamping() const override { return d_tangent.value() && d_damping.value() != 0.; }
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// The sphere (flag ForceFields).
    void draw(core::DrawTool& tool) override;
    std::optional<core::Color> shapeColor() const override;
    void drawShape(core::DrawTool& tool, const core::DrawStyle& style) override;

    using Base::addForce;
    using Base::buildDamping;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    struct Contact
    {
        core::Index point;
        Deriv normal;
        double ratio;    ///< radius / distance from the centre
        double depth;    ///< distance behind the surface, negative inside
        Deriv velocity;  ///< of the point
    };
    std::pair<std::size_t, std::size_t> range(std::size_t points) const;

    core::Vector<Contact> m_contacts;
};

}  // namespace sofa::component
