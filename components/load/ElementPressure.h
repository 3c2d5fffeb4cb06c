// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// What pressures on edges (N = 2), triangles (3) and quads (4) of a mesh have in common.
///
/// The vector p of `pressure`, a force per length or area at rest M₀, is a dead load shared by the corners:
///     f_i = p M₀ / N,   E = −Σ f_i·x_i.
/// The elements are those of the list at initialisation: a list that is linked to a region of interest does not follow
/// it, as in SOFA. Without a list they are the elements with all vertices between the two planes
/// dmin < normal·x < dmax at rest, if dmin and dmax differ. When the mesh changes, new elements are loaded that were
/// made of loaded ones only.
template <std::size_t N>
class ElementPressure : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    using Element = std::array<core::Index, N>;

    core::Data<core::Vec3> d_pressure{this,
                                      {.name = "pressure",
                                       .help = N == 2 ? "Force per length at rest" : "Force per area at rest",
                                       .unit = N == 2 ? "N/m" : "Pa"}};
    core::Data<core::Vector<core::Index>> d_list{this,
                                                 {.name = N == 2   ? "edgeIndices"
                                                          : N == 3 ? "triangleList"
                                                                   : "quadList",
                                                  .help = N == 2   ? "Edges of the mesh on which the pressure acts"
                                                          : N == 3 ? "Triangles of the mesh on which the pressure acts"
                                                                   : "Quads of the mesh on which the pressure acts"}};
    core::Data<core::Vec3> d_normal{
        this, {.name = "normal", .help = "Normal of the planes between which elements are chosen", .unit = "1"}};
    core::Data<double> d_dmin{
        this,
        {.name = "dmin", .help = "Distance of the first plane from the origin, times the normal's length", .unit = "m"},
        0.};
    core::Data<double> d_dmax{this,
                              {.name = "dmax",
                               .help = "Distance of the second plane from the origin, times the normal's length",
                               .unit = "m"},
                              0.};
    core::Data<bool> d_showForces{
        this, {.name = "showForces", .help = "Show the elements and forces", .group = "Visualization"}, false};
    core::Link<core::BaseMeshTopology> l_topology{this, {"topology", "Mesh; default: that of the node or above"}};

    void init() override;
    void bwdInit() override;
    void reinit() override;
    core::ElementLists elementLists() override;
    /// The pressure acts on the elements of the list that are left.
    PointLists pointLists() override { return noLists(); }
    void followTopology(const core::TopologyChange&) override { update(); }

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override
    {
        if (hasStiffness()) ForceField::addDForce(mp, df);
    }
    void buildStiffness(const core::MechanicalParams&, core::BlockSink&) override {}
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// The elements and the forces on their corners (`showForces`).
    void draw(core::DrawTool& tool) override;

    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;

protected:
    static constexpr core::ElementType kind = N == 2   ? core::ElementType::Edges
                                              : N == 3 ? core::ElementType::Triangles
                                                       : core::ElementType::Quads;

    const core::Vector<Element>& meshElements() const;
    const VecCoord& restPoints() const;
    /// Fills the list at the start if it is empty.
    virtual void choose();
    /// Finds the elements of the list and their sizes at rest.
    virtual void update();
    /// Force [N] on each corner of an element, by its place in the list.
    virtual core::Vec3 cornerForce(std::size_t i, const VecCoord& x) const;
    /// Whether buildStiffness states one; dead loads have none.
    virtual bool hasStiffness() const { return false; }
    /// Length [m] that shows a force of 1 N.
    virtual double arrowScale() const { return 1.; }

    core::Vector<Element> m_elements;  ///< those of the list
    core::Vector<double> m_sizes;      ///< at rest [m or m²]
};

}  // namespace sofa::component
