// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mapping.h"
#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

using namespace sofa::core;

/// Output point i is where a topological mapping of the node makes it of points of the input:
///
///     x_i = Σ_k w_ik x_k + o_i,   J_ik = w_ik I
///
/// with the weights and offsets of TopologicalMapping::mappedPoints.
class MadePointsMapping : public Mapping<Vec3Types, Vec3Types>, public TopologyFollower
{
public:
    using Base = Mapping<Vec3Types, Vec3Types>;

    void init() override;
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange& change) override;

    using Base::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;

protected:
    /// The topological mapping; nullptr if there is none.
    virtual TopologicalMapping* find() const;
    void appendLinks(Vector<Vec3>& ends) const override;

private:
    Tracked<TopologicalMapping> m_map;
};

class Mesh2PointMechanicalMapping final : public MadePointsMapping
{
public:
    Link<TopologicalMapping> l_topologicalMapping{
        this, {"topologicalMapping", "Mapping that makes the points; default: that of the node"}};

    Mesh2PointMechanicalMapping()
    {
        ignoreAttribute("inputTopology", "it is that of the topological mapping");
        ignoreAttribute("outputTopology", "it is that of the topological mapping");
    }

protected:
    TopologicalMapping* find() const override;
};

class SimpleTesselatedTetraMechanicalMapping final : public MadePointsMapping
{
};

class BezierSurfaceMechanicalMapping final : public MadePointsMapping
{
public:
    void followTopology(const TopologyChange& change) override;
    /// BezierSurface::deviation at the present positions [m].
    double deviation();
};

}  // namespace sofa::component
