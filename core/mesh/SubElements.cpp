// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/mesh/SubElements.h"

#include <algorithm>

#include "core/mesh/Adjacency.h"

namespace sofa::core {

namespace {

Edge ascending(const Edge& e) { return e[0] < e[1] ? e : Edge{e[1], e[0]}; }
const Edge& unchanged(const Edge& e) { return e; }

/// The same face, turned so that its lowest vertex comes first.
template <std::size_t N>
std::array<Index, N> lowestFirst(std::array<Index, N> f)
{
    std::rotate(f.begin(), std::min_element(f.begin(), f.end()), f.end());
    return f;
}

/// The distinct sub-elements met so far, and how many elements have each.
template <std::size_t M>
struct Collector
{
    explicit Collector(std::size_t expected) : finder(expected) { elements.reserve(expected); }

    template <class Elements, class Local, class Normalise>
    void add(const Elements& all, const Local& localSubElements, Normalise normalise)
    {
        for (const auto& element : all) {
            for (const auto& local : localSubElements) {
                const std::array<Index, M> sub = subElement(element, local);
                const auto [index, isNew] = finder.insert(sub, static_cast<Index>(elements.size()));
                if (isNew) {
                    elements.push_back(normalise(sub));
                    uses.push_back(0);
                }
                ++uses[index];
            }
        }
    }
    Vector<std::array<Index, M>> usedOnce() const
    {
        Vector<std::array<Index, M>> once;
        for (std::size_t i = 0; i < elements.size(); ++i)
            if (uses[i] == 1) once.push_back(elements[i]);
        return once;
    }

    ElementFinder<M> finder;
    Vector<std::array<Index, M>> elements;
    Vector<Index> uses;
};

Collector<2> collectEdges(const Vector<Triangle>& triangles, const Vector<Quad>& quads)
{
    Collector<2> c(triangles.size() * 3 / 2 + quads.size() * 2 + 16);
    c.add(triangles, triangleEdges, unchanged);
    c.add(quads, quadEdges, ascending);
    return c;
}

Collector<3> collectTriangles(const Vector<Tetrahedron>& tetrahedra)
{
    Collector<3> c(tetrahedra.size() * 5 / 2 + 16);
    c.add(tetrahedra, tetrahedronFaces, lowestFirst<3>);
    return c;
}

Collector<4> collectQuads(const Vector<Hexahedron>& hexahedra)
{
    Collector<4> c(hexahedra.size() * 4 + 16);
    c.add(hexahedra, hexahedronFaces, lowestFirst<4>);
    return c;
}

}  // namespace

Vector<Edge> edgesOf(const Vector<Triangle>& triangles, const Vector<Quad>& quads)
{
    return collectEdges(triangles, quads).elements;
}

Vector<Edge> edgesOf(const Vector<Tetrahedron>& tetrahedra, const Vector<Hexahedron>& hexahedra)
{
    Collector<2> c(tetrahedra.size() * 3 / 2 + hexahedra.size() * 4 + 16);
    c.add(tetrahedra, tetrahedronEdges, ascending);
    c.add(hexahedra, hexahedronEdges, ascending);
    return std::move(c.elements);
}

Vector<Triangle> trianglesOf(const Vector<Tetrahedron>& tetrahedra) { return collectTriangles(tetrahedra).elements; }
Vector<Quad> quadsOf(const Vector<Hexahedron>& hexahedra) { return collectQuads(hexahedra).elements; }
Vector<Triangle> borderOf(const Vector<Tetrahedron>& tetrahedra) { return collectTriangles(tetrahedra).usedOnce(); }
Vector<Quad> borderOf(const Vector<Hexahedron>& hexahedra) { return collectQuads(hexahedra).usedOnce(); }
Vector<Edge> borderOf(const Vector<Triangle>& triangles, const Vector<Quad>& quads)
{
    return collectEdges(triangles, quads).usedOnce();
}

}  // namespace sofa::core
