// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/mesh/Elements.h"

namespace sofa::core {

/// Local vertices of the edges and faces of an element. Faces turn their normal outwards; face i of a tetrahedron is
/// opposite to vertex i.
inline constexpr std::array<std::array<Index, 2>, 6> tetrahedronEdges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
inline constexpr std::array<std::array<Index, 3>, 4> tetrahedronFaces{{{1, 2, 3}, {0, 3, 2}, {1, 3, 0}, {0, 2, 1}}};
inline constexpr std::array<std::array<Index, 2>, 12> hexahedronEdges{
    {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}}};
inline constexpr std::array<std::array<Index, 4>, 6> hexahedronFaces{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
/// Edge i of a triangle is opposite to vertex i; edge i of a quad joins vertices i + 1 and i + 2.
inline constexpr std::array<std::array<Index, 2>, 3> triangleEdges{{{1, 2}, {2, 0}, {0, 1}}};
inline constexpr std::array<std::array<Index, 2>, 4> quadEdges{{{1, 2}, {2, 3}, {3, 0}, {0, 1}}};

/// A hexahedron as six tetrahedra of positive volume around its diagonal 0–6. Neighbours that are numbered alike, as in
/// a grid, agree about the diagonals of their common face. The division and its order are SOFA's.
inline constexpr std::array<std::array<Index, 4>, 6> hexahedronTetrahedra{
    {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2}, {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}}};

/// Vertices of a sub-element: `local` are indices in `element`.
template <std::size_t M, std::size_t N>
constexpr std::array<Index, M> subElement(const std::array<Index, N>& element, const std::array<Index, M>& local)
{
    std::array<Index, M> e{};
    for (std::size_t i = 0; i < M; ++i) e[i] = element[local[i]];
    return e;
}

/// Edges of triangles and quads, each once, numbered in the order in which the elements meet them: elements in order,
/// triangles first, and the edges of each in the order of triangleEdges and quadEdges. An edge of a triangle keeps the
/// direction in which its first triangle runs through it, so border edges follow the orientation of the surface; an
/// edge met first in a quad starts at its lower vertex. This is the numbering of SOFA's triangle and quad containers.
Vector<Edge> edgesOf(const Vector<Triangle>& triangles, const Vector<Quad>& quads);

/// Edges of tetrahedra and hexahedra, each once, in the order of the elements (tetrahedra first) and of
/// tetrahedronEdges and hexahedronEdges; every edge starts at its lower vertex. The numbering of SOFA's containers.
Vector<Edge> edgesOf(const Vector<Tetrahedron>& tetrahedra, const Vector<Hexahedron>& hexahedra);

/// Faces of tetrahedra, each once, in the order of the elements and of tetrahedronFaces, oriented outwards from the
/// first tetrahedron that has them and turned so that the lowest vertex comes first. The numbering of SOFA's
/// containers.
Vector<Triangle> trianglesOf(const Vector<Tetrahedron>& tetrahedra);

/// Faces of hexahedra, likewise, in the order of hexahedronFaces.
Vector<Quad> quadsOf(const Vector<Hexahedron>& hexahedra);

/// Faces that belong to exactly one element: the border of the body, outward orientation, in the order of trianglesOf
/// and quadsOf.
Vector<Triangle> borderOf(const Vector<Tetrahedron>& tetrahedra);
Vector<Quad> borderOf(const Vector<Hexahedron>& hexahedra);
/// Edges that belong to exactly one triangle or quad, in the order of edgesOf.
Vector<Edge> borderOf(const Vector<Triangle>& triangles, const Vector<Quad>& quads);

/// One more than the largest vertex of the elements; 0 if there are none. InvalidIndex entries are passed over.
template <std::size_t N>
Index vertexCount(const Vector<std::array<Index, N>>& elements)
{
    Index n = 0;
    for (const auto& e : elements)
        for (const Index v : e)
            if (v != InvalidIndex && v >= n) n = v + 1;
    return n;
}

}  // namespace sofa::core
