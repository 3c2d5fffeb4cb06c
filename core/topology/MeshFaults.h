// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// One thing that is wrong, or unusual, with a mesh.
struct MeshFault
{
    enum class Kind
    {
        Vertex,       ///< an element has a vertex twice, or one that does not exist
        Duplicate,    ///< an element has the vertices of one before it
        Table,        ///< a table of the topology differs from its lists
        Orientation,  ///< a volume is not positive, or neighbours run along a common edge in the same direction
        NonManifold,  ///< a side has more than two elements
        Unused        ///< a point has no element
    };
    Kind kind{};
    ElementType type{};  ///< of the element
    Index element = InvalidIndex;
    std::string text;  ///< "triangle 3 (0 1 2) has the vertices of triangle 1"

    /// Unused points and sides of more than two elements have their uses; all else is wrong.
    bool isError() const { return kind != Kind::NonManifold && kind != Kind::Unused; }
};

/// Everything that is wrong with a mesh, by kinds and numbers of elements; empty if nothing is. Tables and what follows
/// from neighbours are looked at only if all vertices exist. `position` gives the places of points [m], by which
/// volumes of tetrahedra, pyramids, prisms and hexahedra are computed; without it they are not. The surface of a volume
/// mesh is not looked at: its list has triangles inside. Time and memory grow as the mesh.
std::vector<MeshFault> faultsOf(const BaseMeshTopology& mesh, const std::function<Vec3(Index)>& position = {});

}  // namespace sofa::core
