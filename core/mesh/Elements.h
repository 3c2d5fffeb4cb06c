// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <cstddef>

#include "core/math/Vector.h"

namespace sofa::core {

/// Topological elements: the indices of their vertices in a state or mesh.
///
/// Local numbering (the one of VTK and gmsh for first-order elements):
///   Triangle, Quad  counter-clockwise seen from the side that the normal points to.
///   Tetrahedron     0 1 2 counter-clockwise seen from 3: det(x1−x0, x2−x0, x3−x0) > 0.
///   Hexahedron      bottom quad 0 1 2 3, top quad 4 5 6 7, edge i → i+4.
///   Prism           bottom triangle 0 1 2, top triangle 3 4 5, edge i → i+3.
///   Pyramid         base quad 0 1 2 3, apex 4.
using Edge = std::array<Index, 2>;
using Triangle = std::array<Index, 3>;
using Quad = std::array<Index, 4>;
using Tetrahedron = std::array<Index, 4>;
using Hexahedron = std::array<Index, 8>;
using Prism = std::array<Index, 6>;
using Pyramid = std::array<Index, 5>;

/// The same vertices in increasing order: equal for two elements exactly if they span the same vertices.
template <std::size_t N>
constexpr std::array<Index, N> sortedVertices(std::array<Index, N> e)
{
    for (std::size_t j = 1; j < N; ++j)
        for (std::size_t i = j; i > 0 && e[i - 1] > e[i]; --i) {
            const Index t = e[i];
            e[i] = e[i - 1];
            e[i - 1] = t;
        }
    return e;
}

/// Kinds of elements, by rising dimension; a topology is named after its highest kind.
enum class ElementType
{
    Points,
    Edges,
    Triangles,
    Quads,
    Tetrahedra,
    Pyramids,
    Prisms,
    Hexahedra
};
/// "edge", "tetrahedron", ... for messages.
constexpr const char* elementTypeName(ElementType t)
{
    constexpr const char* names[] = {"point",       "edge",    "triangle", "quad",
                                     "tetrahedron", "pyramid", "prism",    "hexahedron"};
    return names[static_cast<int>(t)];
}

constexpr std::size_t dimensionOf(ElementType t)
{
    return t == ElementType::Points ? 0 : t == ElementType::Edges ? 1 : t <= ElementType::Quads ? 2 : 3;
}

/// Hash of an element's indices, in order (FNV-1a over the words), for sets of `sortedVertices` keys.
template <std::size_t N>
struct ElementHash
{
    std::size_t operator()(const std::array<Index, N>& e) const
    {
        std::size_t h = 1469598103934665603ull;
        for (const Index i : e) h = (h ^ i) * 1099511628211ull;
        return h ^ (h >> 29);
    }
};

}  // namespace sofa::core
