// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mass/PointMass.h"
#include "core/behavior/Mass.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// The same mass for every point: M = m I, with m in kg, and m = diag(m, m, m, J) for rigid bodies with the inertia J,
/// which is that in the axes of the body and turns with it (docs/rigid-bodies.md).
///
/// vertexMass gives m, totalMass the sum over all points; totalMass wins if both are given. For rigid bodies totalMass
/// sets the mass and keeps the inertia per unit of mass. A file (filename) may give mass, volume and inertia of rigid
/// bodies; the attributes win over its keyword "mass", its keyword "vertexMass" over the attributes.
/// When none is given, 1 kg for each point is taken, with a message: older scenes rely on it.
template <class DataTypes>
class UniformMass : public core::Mass<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::Mass<DataTypes>;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Deriv = typename DataTypes::Deriv;
    using Point = PointMass<DataTypes>;
    using MassType = typename Point::Type;

    core::Data<MassType> d_vertexMass{
        this, {.name = "vertexMass", .help = "Mass of each point, not negative", .unit = "kg"}, initialMass()};
    core::Data<double> d_totalMass{
        this, {.name = "totalMass", .help = "Mass of all points together; wins over vertexMass", .unit = "kg"}, 1.};
    core::Data<core::FileName> d_filename{
        this, {.name = "filename", .help = "File with mass, volume and inertia of rigid bodies"}, {"unused"}};
    core::Data<bool> d_showGravityCenter{
        this, {.name = "showGravityCenter", .help = "Show the centre of mass", .group = "Visualization"}, false};
    core::Data<float> d_showAxisSizeFactor{this,
                                           {.name = "showAxisSizeFactor",
                                            .help = "Length of the axes shown for rigid bodies, relative to their size",
                                            .unit = "1",
                                            .group = "Visualization"},
                                           1.F};
    core::Data<bool> d_showInitialCenterOfGravity{this,
                                                  {.name = "showInitialCenterOfGravity",
                                                   .help = "Show the centre of mass of the rest positions",
                                                   .group = "Visualization"},
                                                  false};
    core::Data<bool> d_showX0{
        this, {.name = "showX0", .help = "Show the rest positions", .group = "Visualization"}, false};
    core::Data<std::array<int, 2>> d_localRange{
        this,
        {.name = "localRange", .help = "First and last point that have mass, instead of indices; -1 -1: all"},
        {-1, -1}};
    core::Data<core::Vector<core::Index>> d_indices{
        this, {.name = "indices", .help = "Points that have mass; all points when empty"}};
    core::Data<bool> d_preserveTotalMass{
        this,
        {.name = "preserveTotalMass",
         .help = "Keep totalMass, instead of vertexMass, when points are removed or added"},
        false};
    core::TopologyView l_topology{
        this, {"topology", "Mesh whose changes the mass follows; default: that of the node or above"}};

    UniformMass();

    void parse(core::ComponentDescription& desc) override;
    void init() override;
    void bwdInit() override;
    void reinit() override;
    PointLists pointLists() override
    {
        return {{{pointsOf(this->state()), {{&d_indices, core::ElementData::Kind::Members}}}}};
    }
    void followTopology(const core::TopologyChange&) override { updateIfChanged(this->state().size()); }

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord& x, double factor) const override;
    void accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord& x) const override;
    void buildMass(core::BlockSink& m, const VecCoord& x) const override;
    bool isDiagonal() const override { return true; }
    bool turns() const override { return this->inertiaTurns() && Point::turns(d_vertexMass.value()); }
    void addBodyInertia(core::Index i, core::Mat3& sum) const override;
    /// With the flag BehaviorModels: the axes of rigid bodies, as long as the sides of a box of their inertia times
    /// `showAxisSizeFactor`, at rest too with `showX0`; the centre of mass, now and at rest.
    void draw(core::DrawTool& tool) override;
    double pointMass(core::Index i) const override;

    using Base::accFromF;
    using Base::addForce;
    using Base::addMDx;
    using Base::buildMass;

private:
    /// What is shown for the positions of one vector.
    void drawAt(core::DrawTool& tool, core::VecCoordId id, bool center) const;
    static MassType initialMass();
    void readFile();
    /// Computes one of vertexMass and totalMass from the other.
    void distribute();
    std::size_t count() const;
    /// Follows changes of the Data and of the number of points.
    void updateIfChanged(std::size_t points);
    /// Calls f(i) for each point that has mass.
    template <class F>
    void forEach(std::size_t points, F f) const;
    /// Calls f(i, m) for each point that has mass, at x.
    template <class F>
    void forEachMass(const MassType& m, const VecCoord& x, std::size_t points, F f) const;
    bool hasMass(core::Index i) const;

    bool m_fromTotal = false;
    bool m_all = true;  ///< every point has mass, also those that come later
    std::size_t m_points = 0;
    core::DataTracker m_tracker;
};

}  // namespace sofa::component
