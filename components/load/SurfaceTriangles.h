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

/// Derivatives by its vertices of the normal (b − a) × (c − a) of a triangle: ∂n/∂a = [(c − b) ×], and so on.
inline std::array<core::Mat3, 3> normalDerivatives(const core::Vec3& a, const core::Vec3& b, const core::Vec3& c)
{
    return {crossMatrix(c - b), crossMatrix(a - c), crossMatrix(b - a)};
}

}  // namespace sofa::component
