// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Base of loads on edges (N = 2), triangles (3) and quads (4) of a mesh: which elements they act on.
///
/// The elements are those of the list at initialisation: a list that is linked to a region of interest does not follow
/// it, as in SOFA. Without a list they are the elements with all vertices between the two planes
/// dmin < normal·x < dmax at rest, if dmin and dmax differ. When the mesh changes, new elements are loaded that were
/// made of loaded ones only.
template <std::size_t N>
class LoadedElements : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    using Element = std::array<core::Index, N>;

    core::Data<core::Vector<core::Index>> d_list{this,
                                                 {.name = N == 2   ? "edgeIndices"
                                                          : N == 3 ? "triangleList"
                                                                   : "quadList",
                                                  .help = N == 2   ? "Edges of the mesh on which the load acts"
                                                          : N == 3 ? "Triangles of the mesh on which the load acts"
                                                                   : "Quads of the mesh on which the load acts"}};
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
    /// The load acts on the elements of the list that are left.
    PointLists pointLists() override { return noLists(); }
    void followTopology(const core::TopologyChange&) override { update(); }

    /// The elements and the forces on their corners (`showForces`).
    void draw(core::DrawTool& tool) override;

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
    /// Normal of the planes; its length scales dmin and dmax.
    virtual core::Vec3 planeNormal() const = 0;
    /// Force [N] on each corner of an element, by its place in the list, as it is drawn.
    virtual core::Vec3 cornerForce(std::size_t i, const VecCoord& x) const = 0;
    /// Length [m] that shows a force of 1 N.
    virtual double arrowScale() const { return 1.; }

    core::Vector<Element> m_elements;  ///< those of the list
    core::Vector<double> m_sizes;      ///< at rest [m or m²]
};

}  // namespace sofa::component
