// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <set>

#include "core/io/MeshData.h"
#include "core/simulation/SceneForces.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

class BaseProjectiveConstraint;

/// A state and elements of one dimension on its points, as results are given to other programs.
struct Body
{
    BaseState* state = nullptr;
    const BaseMeshTopology* topology = nullptr;  ///< nullptr: points only
    std::size_t dimension = 0;                   ///< of the elements
    bool independent = true;                     ///< not mapped from other states: it has forces
    Component* of = nullptr;  ///< the state, or the force field whose elements would not be seen otherwise
};

/// The bodies of a scene, or of a part of it, as it is now, and their meshes.
class BodyMeshes
{
public:
    /// Those at and below a node.
    explicit BodyMeshes(Node& scope);

    /// The states that a topology of their node has elements on, with those of the highest dimension, and independent
    /// states without one (points). In the order of the graph; behind them, other elements that force fields tell
    /// something of: of a topology in another node than the state, or of a lower dimension.
    const std::vector<Body>& bodies() const { return m_bodies; }
    /// The points and elements of a body with
    ///   of points    displacement [m] (where there are rest positions), velocity [m/s], force [N] (totalForce of the
    ///                state), and where there are any: reaction [N] of projective constraints, contactForce and
    ///                constraintForce [N];
    ///                of frames the angular parts of these by themselves, and orientation as a quaternion;
    ///   of elements  of each force field that knows them, also on mapped states: stress, vonMises [Pa], strain [1],
    ///                energy [J] and the parameters of the material; NaN where it does not. Of several force fields on
    ///                the same elements, each has its name behind that of the field.
    /// Vectors of points in the plane and on a line are padded with zeros. Quadratic Bézier tetrahedra become cells of
    /// the second order, with nodes in the middle of curved edges.
    io::MeshData mesh(const Body& body);

private:
    Vector<double> reaction(const BaseState& s);
    void addPointFields(io::MeshData& mesh, const Body& body);
    void addElementFields(io::MeshData& mesh, const Body& body) const;
    void addSource(Component& c, const std::set<const BaseState*>& independent);

    SceneForces m_forces;
    bool m_touches;  ///< whether the scene has contacts
    std::vector<Body> m_bodies;
    std::multimap<const BaseState*, BaseProjectiveConstraint*> m_constraints;
    std::vector<Component*> m_sources;  ///< each an ElementResults
};

}  // namespace sofa::core
