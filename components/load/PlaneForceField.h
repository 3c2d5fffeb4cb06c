// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/PenaltyData.h"
#include "components/load/PlanePenalty.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/Color.h"
#include "core/visual/SolidShape.h"

namespace sofa::component {

/// A plane that pushes out what is behind it: a penalty with stiffness k and damping c, whose law is in PlanePenalty.h.
template <class DataTypes>
class PlaneForceField : public core::ForceField<DataTypes>, public core::SolidShape, public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Position = core::PositionPart<DataTypes>;
    using Vector = typename Position::Vector;

    core::Data<Vector> d_normal{
        this, {.name = "normal", .help = "Normal of the plane, towards the free side", .unit = "1"}, defaultNormal()};
    core::Data<double> d_d{
        this, {.name = "d", .help = "Distance of the plane from the origin along the normal", .unit = "m"}, 0.};
    core::Data<double> d_stiffness{this, penaltyStiffness(), 500.};
    core::Data<double> d_damping{this, penaltyDamping(), 5.};
    core::Data<bool> d_tangent{this, penaltyTangent(), false};
    core::Data<double> d_maxForce{this,
                                  {.name = "maxForce",
                                   .help = "Largest force on a point; 0: no limit",
                                   .unit = "N",
                                   .range = core::Range::nonNegative()},
                                  0.};
    core::Data<bool> d_bilateral{
        this, {.name = "bilateral", .help = "Pull points from the free side to the plane too"}, false};
    core::Data<std::array<int, 2>> d_localRange{
        this, {.name = "localRange", .help = "First and last point on which the plane acts; -1: no limit"}, {-1, -1}};
    core::Data<bool> d_showPlane{
        this, {.name = "showPlane", .help = "Show the plane", .group = "Visualization"}, false};
    core::Data<core::Color> d_planeColor{
        this, {.name = "planeColor", .help = "Color of the plane shown"}, core::Color(0.F, 0.5F, 0.2F, 1.F)};
    core::Data<double> d_showPlaneSize{
        this,
        {.name = "showPlaneSize", .help = "Half the side of the square shown", .unit = "m", .group = "Visualization"},
        10.};

    PlaneForceField();

    void init() override;

    PointLists pointLists() override { return noLists(); }
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    bool hasDamping() const override { return d_tangent.value() && d_damping.value() != 0.; }
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// The plane, and lines from it to the points behind it (flag ForceFields and `showPlane`).
    void draw(core::DrawTool& tool) override;
    std::optional<core::Color> shapeColor() const override;
    /// A square as large as the scene, or as showPlaneSize says.
    void drawShape(core::DrawTool& tool, const core::DrawStyle& style) override;
    /// Of the square shown, if it is.
    core::BoundingBox boundingBox() const override;

    using Base::addForce;
    using Base::buildDamping;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    static Vector defaultNormal();
    /// Corners of a square of half a side [m] around a point of the plane.
    std::array<core::Vec3, 4> corners(double size, const core::Vec3& centre) const;
    /// Unit normal.
    core::Vec3 direction() const;
    /// The point of the plane that is nearest to the origin.
    core::Vec3 centre() const;
    /// The square shown.
    std::array<core::Vec3, 4> shownCorners() const { return corners(d_showPlaneSize.value(), centre()); }
    PlanePenalty<DataTypes> penalty() const;
    /// First point of localRange and the one after the last.
    std::pair<std::size_t, std::size_t> range(std::size_t points) const;

    core::Vector<core::Index> m_contacts;  ///< points on which the plane acts, as of the last addForce
    core::Vector<typename PlanePenalty<DataTypes>::Derivative> m_derivatives;  ///< of these, if `tangent`
};

}  // namespace sofa::component
