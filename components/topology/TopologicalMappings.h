// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/TopologicalMapping.h"

namespace sofa::component {

using namespace sofa::core;

/// Divides each hexahedron into six tetrahedra around its diagonal 0–6, or into five: one in the middle, on the corners
/// 0 2 5 7 or 1 3 4 6, and four at the other corners.
///
/// With `swapping`, every hexahedron is mirrored along x, y and z by the parity of its place in the grid, so that the
/// diagonals of neighbours alternate and no direction is stiffer than others; this needs a grid as input (another input
/// is taken as a row of pairs, as in SOFA). Five tetrahedra alternate anyhow, in any mesh where that is possible: each
/// closed way along edges has an even number of them. `swapping` begins with the other corners then.
class Hexa2TetraTopologicalMapping : public TopologicalMapping
{
public:
    Data<bool> d_swapping{
        this, {.name = "swapping", .help = "Alternate the diagonals from cell to cell of a grid, against bias"}, false};
    Data<Index> d_tetrahedraPerHexahedron{
        this, {.name = "tetrahedraPerHexahedron", .help = "Tetrahedra of each hexahedron: 6 or 5"}, 6};

    void undoInit() override
    {
        TopologicalMapping::undoInit();
        m_mirrored.clear();
    }

protected:
    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Tetrahedra; }
    void map(const BaseMeshTopology& input, StoredTopology& output) override;

private:
    /// Which hexahedra are divided by the corners 1 3 4 6. Throws std::runtime_error if they cannot alternate.
    Vector<char> alternating(const BaseMeshTopology& input);

    Vector<char> m_mirrored;  ///< by the numbers of the beginning
};

/// Divides each hexahedron into two prisms.
class Hexa2PrismTopologicalMapping : public TopologicalMapping
{
protected:
    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Prisms; }
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// Takes the sides that belong to exactly one element: the border of the mesh, in the order of the input's sides. They
/// are turned as the input lists them; those that came to light later, as the element that has them.
class BorderTopologicalMapping : public TopologicalMapping
{
public:
    void undoInit() override
    {
        TopologicalMapping::undoInit();
        m_wasBorder.clear();
        m_noted = false;
    }

protected:
    /// Calls f(i, whether it came to light later) for each side of the border.
    void forEachBorder(const BaseMeshTopology& input, ElementType sides, std::size_t count,
                       const std::function<std::size_t(Index)>& elementsAround,
                       const std::function<void(Index, bool)>& f);
    /// Calls f(i, the quad turned) for each quad of the border of hexahedra.
    void forEachBorderQuad(const BaseMeshTopology& input, const std::function<void(Index, const Quad&)>& f);

private:
    Vector<bool> m_wasBorder;  ///< at the beginning, by the numbers of then
    bool m_noted = false;
};

/// The border quads of hexahedra.
class Hexa2QuadTopologicalMapping : public BorderTopologicalMapping
{
public:
    Data<bool> d_flipNormals{this, {.name = "flipNormals", .help = "Reverse the quads"}, false};

protected:
    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Quads; }
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// The border quads of hexahedra, each (0 1 2 3) as two triangles on both sides of its diagonal 0–2.
class Hexa2TriangleTopologicalMapping : public BorderTopologicalMapping
{
public:
    Data<bool> d_flipNormals{this, {.name = "flipNormals", .help = "Reverse the triangles"}, false};

protected:
    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Triangles; }
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// The border triangles of tetrahedra.
class Tetra2TriangleTopologicalMapping : public BorderTopologicalMapping
{
public:
    Data<bool> d_flipNormals{this, {.name = "flipNormals", .help = "Reverse the triangles"}, false};
    Data<bool> d_noNewTriangles{
        this, {.name = "noNewTriangles", .help = "Leave out triangles that changes uncover"}, false};
    Data<bool> d_noInitialTriangles{
        this,
        {.name = "noInitialTriangles", .help = "Start without triangles: only those that changes uncover"},
        false};
    Link<Component> l_modifier{this, {"modifier", "Modifier of the output, for changes at run time"}};

protected:
    ElementType inputType() const override { return ElementType::Tetrahedra; }
    ElementType outputType() const override { return ElementType::Triangles; }
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// Divides each quad (0 1 2 3) into two triangles: by the diagonal 0–2, or, with `swapping`, by 1–3 in every other cell
/// of the checkerboard that a grid of quads forms (another input is taken as a row of pairs, as in SOFA).
class Quad2TriangleTopologicalMapping : public TopologicalMapping
{
public:
    Data<bool> d_swapping{
        this, {.name = "swapping", .help = "Alternate the diagonal in a checkerboard pattern, against bias"}, true};

protected:
    ElementType inputType() const override { return ElementType::Quads; }
    ElementType outputType() const override { return ElementType::Triangles; }
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// The border edges of triangles.
class Triangle2EdgeTopologicalMapping : public BorderTopologicalMapping
{
protected:
    ElementType inputType() const override { return ElementType::Triangles; }
    ElementType outputType() const override { return ElementType::Edges; }
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

}  // namespace sofa::component
