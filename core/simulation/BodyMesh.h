// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "core/io/MeshData.h"
#include "core/simulation/Probe.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

class BaseProjectiveConstraint;
class StressSource;

/// A state and the elements on its points, as results are given to other programs.
struct Body
{
    BaseState* state = nullptr;
    const BaseMeshTopology* topology = nullptr;  ///< nullptr: points only
    bool independent = true;                     ///< not mapped from other states: it has forces
};

/// The bodies of a scene as it is now, and their meshes.
class BodyMeshes
{
public:
    explicit BodyMeshes(Node& root);

    /// The states that a topology of their node has elements on, and independent states without one (points). In the
    /// order of the graph.
    const std::vector<Body>& bodies() const { return m_bodies; }
    /// The points of a body and the elements of the highest dimension that it has, with
    ///   of points    displacement [m] (where there are rest positions), velocity [m/s], force [N] (all forces, those
    ///                that mapped states carry to it included) and reaction [N] (of projective constraints, where there
    ///                are any); of frames the angular parts of these by themselves, and orientation as a quaternion;
    ///   of elements  vonMises [Pa] of each force field that knows it; NaN where it does not.
    /// Vectors of points in the plane and on a line are padded with zeros.
    io::MeshData mesh(const Body& body);

private:
    Vector<double> reaction(const BaseState& s);
    void addStresses(io::MeshData& mesh, const Body& body) const;

    ProbeForces m_forces;
    std::vector<Body> m_bodies;
    std::multimap<const BaseState*, BaseProjectiveConstraint*> m_constraints;
    std::multimap<const BaseState*, const Component*> m_stressSources;  ///< each a StressSource
};

}  // namespace sofa::core
