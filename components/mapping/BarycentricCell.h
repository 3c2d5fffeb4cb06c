// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/math/DataTypes.h"
#include "core/mesh/Elements.h"

/// Elements and coordinates in them, for what embeds points in meshes.
namespace sofa::component {

using namespace sofa::core;

enum class Shape
{
    Edge,
    Triangle,
    Quad,
    Tetrahedron,
    Hexahedron
};

/// An element with local coordinates as of BarycentricWeights.h; of an edge the first alone.
struct Cell
{
    Shape shape = Shape::Tetrahedron;
    bool valid = false;
    std::array<Index, 8> nodes{};
    std::size_t count = 0;
    Mat3 base;
    Vec3 origin, center;

    Cell() = default;
    /// `x`: positions of the vertices of the mesh.
    Cell(Shape s, std::span<const Index> vertices, const Vector<Vec3>& x);

    std::span<const Index> vertices() const { return {nodes.data(), count}; }
    Vec3 local(const Vec3& x) const { return base * (x - origin); }

    /// Largest violation of the bounds of local coordinates; negative inside.
    double violation(const Vec3& v) const
    {
        const double low = std::max(-v[0], -v[1]);
        switch (shape) {
            case Shape::Edge:
                return std::max(-v[0], v[0] - 1.);
            case Shape::Triangle:
                return std::max(low, std::max(std::abs(v[2]) - 0.01, v[0] + v[1] - 1.));
            case Shape::Quad:
                return std::max(low, std::max(std::max(v[1] - 1., v[0] - 1.), std::abs(v[2]) - 0.01));
            case Shape::Tetrahedron:
                return std::max(low, std::max(-v[2], v[0] + v[1] + v[2] - 1.));
            default:
                return std::max(low, std::max(std::max(-v[2], v[0] - 1.), std::max(v[1] - 1., v[2] - 1.)));
        }
    }

    /// Corners of the region where the violation is not positive: what a box around it has to contain.
    template <class F>
    void forEachCorner(F f) const
    {
        const Mat3 edges = inverse(base);
        const double low = shape == Shape::Triangle || shape == Shape::Quad ? -0.01 : 0.;
        const double high = low < 0. ? 0.01 : 1.;
        for (const double x : {0., 1.})
            for (const double y : {0., 1.})
                for (const double z : {low, high}) f(origin + edges * Vec3{x, y, z});
    }
};

/// Weights of the nodes of a cell at local coordinates v, in the order of its nodes.
std::array<double, 8> shapeWeights(Shape shape, const Vec3& v);

/// Σ weight_k x_k
Vec3 weighted(const Vector<Vec3>& x, std::span<const Index> nodes, std::span<const double> weights);

/// Squared distance [m²] of a point from a cell, 0 inside. The faces of a hexahedron are taken as triangles.
double distance2(const Cell& c, const Vector<Vec3>& x, const Vec3& point);

/// Local coordinates that reproduce a point, on surfaces its projection: in quads and hexahedra that are no
/// parallelepipeds by Newton's method from `Cell::local`, with which it ends where it does not converge.
Vec3 exactLocal(const Cell& c, const Vector<Vec3>& x, const Vec3& point);

}  // namespace sofa::component
