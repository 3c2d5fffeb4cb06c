// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/MeshData.h"
#include "core/simulation/Probe.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// A state and the elements on its points, as results are given to other programs.
struct Body
{
    BaseState* state = nullptr;
    const BaseMeshTopology* topology = nullptr;  ///< nullptr: points only
    bool independent = true;                     ///< not mapped from other states: it has forces
};

/// The bodies of a scene: the states that a topology of their node has elements on, and independent states without one
/// (points). In the order of the graph.
std::vector<Body> bodiesOf(Node& root);

/// A body now: its points and the elements of the highest dimension that it has, with
///   of points    displacement [m] (where there are rest positions), velocity [m/s], force [N] (all forces, those that
///                mapped states carry to it included) and reaction [N] (of projective constraints, where there are
///                any); velocities, forces and reactions of frames as "linear" and "angular" parts; orientation as a
///                quaternion;
///   of elements  vonMises [Pa] of each force field that knows it; NaN where it does not.
/// Vectors of points in the plane and on a line are padded with zeros.
io::MeshData bodyMesh(const Body& body, Node& root, ProbeForces& forces);

}  // namespace sofa::core
