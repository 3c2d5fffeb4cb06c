// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/TopologicalMapping.h"

namespace sofa::component {

using namespace sofa::core;

/// Divides each element of the input into elements of the output, by itself.
class DividingTopologicalMapping : public TopologicalMapping
{
public:
    bool translates() const override { return true; }
    Translation translate(const TopologyChange& change) override;

protected:
    using Emit = std::function<void(std::span<const Index>)>;
    /// Calls `emit` with the vertices of each part of element i.
    virtual void divide(const BaseMeshTopology& input, Index i, const Emit& emit) = 0;
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// Divides each hexahedron into six tetrahedra around its diagonal 0–6, or into five: one in the middle, on the corners
/// 0 2 5 7 or 1 3 4 6, and four at the other corners.
///
/// With `swapping`, every hexahedron is mirrored along x, y and z by the parity of its place in the grid, so that the
/// diagonals of neighbours alternate and no direction is stiffer than others; this needs a grid as input (another input
/// is taken as a row of pairs, as in SOFA). Five tetrahedra alternate anyhow, in any mesh where that is possible: each
/// closed way along edges has an even number of them. `swapping` begins with the other corners then.
class Hexa2TetraTopologicalMapping : public DividingTopologicalMapping
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

    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Tetrahedra; }
    bool translates() const override { return d_tetrahedraPerHexahedron.value() == 6; }

protected:
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
    void divide(const BaseMeshTopology& input, Index i, const Emit& emit) override;

private:
    /// Which hexahedra are divided by the corners 1 3 4 6. Throws std::runtime_error if they cannot alternate.
    Vector<char> alternating(const BaseMeshTopology& input);

    Vector<char> m_mirrored;   ///< by the numbers of the beginning
    Vector<char> m_alternate;  ///< by the present numbers, for five
};

/// Divides each hexahedron into two prisms.
class Hexa2PrismTopologicalMapping : public DividingTopologicalMapping
{
public:
    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Prisms; }

protected:
    void divide(const BaseMeshTopology& input, Index i, const Emit& emit) override;
};

/// Takes the sides that belong to exactly one element: the border of the mesh, in the order of the input's sides. They
/// are turned as the input lists them; those that came to light later, as the element that has them.
class BorderTopologicalMapping : public TopologicalMapping
{
public:
    ElementType sourceType() const override { return outputType(); }
    bool translates() const override { return true; }
    Translation translate(const TopologyChange& change) override;
    void undoInit() override
    {
        TopologicalMapping::undoInit();
        m_wasBorder.clear();
        m_noted = false;
    }

protected:
    /// Whether sides that are on the border from the beginning, or came to light later, are left out.
    virtual bool leavesOut(bool /*new*/) const { return false; }
    /// Whether sides are turned over.
    virtual bool flips() const { return false; }
    using Emit = std::function<void(std::span<const Index>)>;
    /// Calls `emit` with the vertices of each element that a side gives.
    virtual void divide(std::span<const Index> side, const Emit& emit) const { emit(side); }
    void map(const BaseMeshTopology& input, StoredTopology& output) override;

private:
    bool isNew(const BaseMeshTopology& input, Index side) const;
    /// Calls `emit` with the vertices of each element that a side of the border gives.
    void emitSide(std::span<const Index> side, std::span<const Index> owner, bool isNew, const Emit& emit) const;

    Vector<bool> m_wasBorder;  ///< at the beginning, by the numbers of then
    bool m_noted = false;
};

/// The border quads of hexahedra.
class Hexa2QuadTopologicalMapping : public BorderTopologicalMapping
{
public:
    Data<bool> d_flipNormals{this, {.name = "flipNormals", .help = "Reverse the quads"}, false};

    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Quads; }

protected:
    bool flips() const override { return d_flipNormals.value(); }
};

/// The border quads of hexahedra, each (0 1 2 3) as two triangles on both sides of its diagonal 0–2.
class Hexa2TriangleTopologicalMapping : public BorderTopologicalMapping
{
public:
    Data<bool> d_flipNormals{this, {.name = "flipNormals", .help = "Reverse the triangles"}, false};

    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Triangles; }
    ElementType sourceType() const override { return ElementType::Quads; }

protected:
    bool flips() const override { return d_flipNormals.value(); }
    void divide(std::span<const Index> side, const Emit& emit) const override;
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

    Tetra2TriangleTopologicalMapping() { ignoreAttribute("modifier", "the output changes without one"); }

    ElementType inputType() const override { return ElementType::Tetrahedra; }
    ElementType outputType() const override { return ElementType::Triangles; }

protected:
    bool leavesOut(bool isNew) const override
    {
        return isNew ? d_noNewTriangles.value() : d_noInitialTriangles.value();
    }
    bool flips() const override { return d_flipNormals.value(); }
};

/// Divides each quad (0 1 2 3) into two triangles: by the diagonal 0–2, or, with `swapping`, by 1–3 in every other cell
/// of the checkerboard that a grid of quads forms (another input is taken as a row of pairs, as in SOFA).
class Quad2TriangleTopologicalMapping : public DividingTopologicalMapping
{
public:
    Data<bool> d_swapping{
        this, {.name = "swapping", .help = "Alternate the diagonal in a checkerboard pattern, against bias"}, true};

    ElementType inputType() const override { return ElementType::Quads; }
    ElementType outputType() const override { return ElementType::Triangles; }

protected:
    void divide(const BaseMeshTopology& input, Index i, const Emit& emit) override;
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// The border edges of triangles.
class Triangle2EdgeTopologicalMapping : public BorderTopologicalMapping
{
public:
    ElementType inputType() const override { return ElementType::Triangles; }
    ElementType outputType() const override { return ElementType::Edges; }
};

}  // namespace sofa::component
