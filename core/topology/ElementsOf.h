// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// The elements of one kind, for code that is written once for all of them.
template <ElementType T>
const auto& elementsOf(const BaseMeshTopology& t)
{
    if constexpr (T == ElementType::Edges)
        return t.edges();
    else if constexpr (T == ElementType::Triangles)
        return t.triangles();
    else if constexpr (T == ElementType::Quads)
        return t.quads();
    else if constexpr (T == ElementType::Tetrahedra)
        return t.tetrahedra();
    else if constexpr (T == ElementType::Pyramids)
        return t.pyramids();
    else if constexpr (T == ElementType::Prisms)
        return t.prisms();
    else {
        static_assert(T == ElementType::Hexahedra, "a kind of element that has a list");
        return t.hexahedra();
    }
}

}  // namespace sofa::core
