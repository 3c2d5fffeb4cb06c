// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"
#include "core/mesh/Elements.h"

/// What pressures on the triangles of a surface have in common.
namespace sofa::component {

/// Whether each side of each triangle is that of another one, in reverse.
bool isClosed(const core::Vector<core::Triangle>& triangles);

/// Adds the two triangles of a quad, cut between its first and third vertex.
inline void addHalves(core::Vector<core::Triangle>& triangles, const core::Quad& q)
{
    triangles.push_back({q[0], q[1], q[2]});
    triangles.push_back({q[2], q[3], q[0]});
}

/// A triangle with its sides b − a and c − a at some positions; its normal, twice its area long, is their product.
struct TriangleSides
{
    core::Triangle points;
    core::Vec3 ab, ac;

    TriangleSides(const core::Triangle& t, const core::Vec3& a, const core::Vec3& b, const core::Vec3& c)
        : points(t), ab(b - a), ac(c - a)
    {
    }
    core::Vec3 normal() const { return cross(ab, ac); }
    /// Derivatives of the normal by the vertices: ∂n/∂a = [(c − b) ×], and so on.
    std::array<core::Mat3, 3> normalDerivatives() const
    {
        return {crossMatrix(ac - ab), crossMatrix(-ac), crossMatrix(ab)};
    }
    /// Change of the normal with displacements of the vertices.
    core::Vec3 normalChange(const core::Vec3& da, const core::Vec3& db, const core::Vec3& dc) const
    {
        return cross(db - da, ac) + cross(ab, dc - da);
    }
};

}  // namespace sofa::component
