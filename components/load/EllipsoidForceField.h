// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/EllipsoidPenalty.h"
#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/Color.h"
#include "core/visual/SolidShape.h"

namespace sofa::component {

/// An ellipsoid (ellipse, interval) along the axes of the world that pushes out what is inside, or pulls in what is
/// outside. EllipsoidPenalty has the law, and what differs from SOFA.
template <class DataTypes>
class EllipsoidForceField final : public core::ForceField<DataTypes>,
                                  public core::SolidShape,
                                  public core::TopologyFollower
{
public:
    using Base = core::ForceField<DataTypes>;
    using Coord = typename DataTypes::Coord;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Penalty = EllipsoidPenalty<DataTypes::coordSize>;

    core::Data<Coord> d_center{this, {.name = "center", .help = "Centre of the ellipsoid", .unit = "m"}};
    core::Data<Coord> d_radii{
        this, {.name = "vradius", .help = "Radii of the ellipsoid along the axes, all positive", .unit = "m"}};
    core::Data<double> d_stiffness{this, ellipsoidStiffness(), 500.};
    core::Data<double> d_damping{this, ellipsoidDamping(), 5.};
    core::Data<core::Color> d_color{
        this, {.name = "color", .help = "Color of the ellipsoid shown"}, core::Color(0.F, 0.5F, 1.F, 1.F)};

    EllipsoidForceField();

    void init() override;
    PointLists pointLists() override { return this->noLists(); }
    void followTopology(const core::TopologyChange&) override { m_contacts.clear(); }
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    bool hasDamping() const override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// The ellipsoid (flag ForceFields).
    void draw(core::DrawTool& tool) override;
    std::optional<core::Color> shapeColor() const override;
    void drawShape(core::DrawTool& tool, const core::DrawStyle& style) override;

    using Base::addForce;
    using Base::buildDamping;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    Penalty penalty() const;

    struct Contact
    {
        core::Index point;
        typename Penalty::Contact at;
    };
    core::Vector<Contact> m_contacts;  ///< of the last addForce
};

}  // namespace sofa::component
