// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// A bed under a surface, which holds each point to where it is at rest: of each triangle that has the point it has a
/// third of the area, times the strength there.
///
///   E = ½ Σ w_i |x_i − x⁰_i|²            energy [J]
///   w_i = ⅓ Σ_t s_t A⁰_t                 over the triangles around point i [N/m], s in N/m³, A⁰ at rest
///   f_i = −w_i (x_i − x⁰_i)              force [N]
///   ∂f/∂x = −w_i I                       diagonal, the same at all positions
///
/// It goes with its mesh while this changes: strengths and weights stand for what is there, and a change of a few
/// triangles costs as little as these. This is the law that the template starts with: replace it by yours, here and in
/// the test.
class PluginNameFollower : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    core::Data<core::Vector<double>> d_strength{
        this,
        {.name = "strength", .help = "Stiffness for each area: one value, or one for each triangle", .unit = "N/m^3"},
        {1.}};
    core::Link<core::BaseMeshTopology> l_topology{this, {"topology", "Mesh; default: that of the node or above"}};

    void init() override;

    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    // What it has of a mesh that changes: a list with a value for each triangle, which follows by itself (triangles
    // that are new take the values of those they were made of), no list of points, and what it computes of both.
    core::ElementLists elementLists() override
    {
        return {{l_topology.get(), {core::ElementType::Triangles}}, {{&d_strength}}};
    }
    PointLists pointLists() override { return noLists(); }
    void followTopology(const core::TopologyChange& change) override;

private:
    /// The weight of each point, from the triangles around it.
    void weighAll();
    double weightOf(core::Index point) const;

    core::Vector<double> m_weights;  ///< [N/m]
};

}  // namespace sofa::component
