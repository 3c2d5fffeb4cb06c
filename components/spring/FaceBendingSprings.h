// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <set>

#include "components/spring/SpringForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Springs of the initial lengths that SpringForceField's first stiffness and damping give, between vertices of
/// neighbouring faces or edges of a mesh. What QuadBendingSprings, TriangleBendingSprings and LineBendingSprings have
/// in common.
template <class DataTypes>
class FaceBendingSprings : public SpringForceField<DataTypes>
{
public:
    using Base = SpringForceField<DataTypes>;

    core::Link<core::BaseMeshTopology> l_topology{this, {"topology", "Mesh; default: that of the node or above"}};

    void init() override;
    /// Springs between the faces that are left, with the lengths that they had.
    void followTopology(const core::TopologyChange&) override;

protected:
    /// Calls join(a, b) for the end points of each spring.
    virtual void joinPoints(const core::BaseMeshTopology& t) = 0;
    void join(core::Index a, core::Index b);

private:
    core::Vector<LinearSpring> m_found;
    std::map<std::pair<core::Index, core::Index>, double> m_lengths;  ///< of the springs at the beginning [m]
    bool m_initial = true;                                            ///< these are being found
    double m_stiffness = 0., m_damping = 0.;
};

/// Springs from the vertices of a quad to those of its neighbours straight across the common edge.
template <class DataTypes>
class QuadBendingSprings : public FaceBendingSprings<DataTypes>
{
public:
    core::Data<std::array<int, 2>> d_localRange{
        this,
        {.name = "localRange",
         .help = "First and last point: springs with both ends outside on one side are left out; -1: no limit"},
        {-1, -1}};

protected:
    void joinPoints(const core::BaseMeshTopology& t) override;
};

/// Springs between the vertices opposite to an edge in the triangles on both its sides; quads count as two triangles.
template <class DataTypes>
class TriangleBendingSprings : public FaceBendingSprings<DataTypes>
{
protected:
    void joinPoints(const core::BaseMeshTopology& t) override;
};

/// Springs across the points of lines, between the other ends of two edges that meet: at each point, of an edge and the
/// one before it in the mesh. SOFA looks at the first point of each edge only, and misses others.
template <class DataTypes>
class LineBendingSprings : public FaceBendingSprings<DataTypes>
{
protected:
    void joinPoints(const core::BaseMeshTopology& t) override;
};

}  // namespace sofa::component
