// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>

#include "core/io/MeshData.h"

namespace meshgen {

using sofa::core::Index;
using sofa::core::Vec2;
using sofa::core::Vec3;
using sofa::core::Vector;
using sofa::core::io::MeshData;

/// A solid given by a function that is positive inside, negative outside and smooth at its zero set.
struct ImplicitSolid
{
    std::function<double(const Vec3&)> value;
    Vec3 lower, upper;  ///< a box that holds the solid

    /// Gradient of `value` by central differences.
    Vec3 gradient(const Vec3& x) const;
    /// Point of the surface near `x`, by Newton steps along the gradient.
    Vec3 project(const Vec3& x) const;
};

/// Tetrahedra that fill the solid, after Labelle and Shewchuk, "Isosurface stuffing: fast tetrahedral meshes with good
/// dihedral angles", SIGGRAPH 2007. A body-centred cubic lattice of cubes of edge `h` covers the box; lattice points
/// nearer to the surface than a fraction of their edges (0.24999 on long, 0.41189 on short ones) are moved onto it,
/// which bounds all dihedral angles below by 10.7°; tetrahedra that the surface still cuts are clipped by stencils
/// whose diagonals agree between neighbours. Then `passes` smoothing passes move vertices, surface vertices along the
/// surface, where that makes the worst tetrahedron around them better. All orientations are positive.
MeshData fillSolid(const ImplicitSolid& solid, double h, int passes);

/// Hexahedra that fill the solid: the cubes of edge `h` of a grid, aligned to the lower corner of the box, whose
/// centres are inside. Of parts that do not share faces only the largest is kept.
MeshData fillVoxels(const ImplicitSolid& solid, double h);

/// Surface triangles of a solid, from the boundary of its tetrahedra of lattice size `h`, evened out along the surface;
/// with normals from the gradient. Oriented outwards.
MeshData coverSolid(const ImplicitSolid& solid, double h);

/// Triangles of the tetrahedra that belong to one tetrahedron only, oriented outwards.
Vector<sofa::core::Triangle> boundaryTriangles(const Vector<sofa::core::Tetrahedron>& tetrahedra);

/// Six times the signed volume; the smallest dihedral angle [rad].
double orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
double smallestDihedralAngle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Rounds coordinates to multiples of 1e-6, so that files stay small.
void roundCoordinates(MeshData& mesh);

}  // namespace meshgen
