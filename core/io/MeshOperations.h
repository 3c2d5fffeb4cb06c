// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/math/Mat.h"

namespace sofa::core::io {

/// Affine map x ↦ linear x + translation.
struct AffineTransform
{
    Mat3 linear = Mat3::identity();
    Vec3 translation;
    Vec3 operator()(const Vec3& x) const { return linear * x + translation; }
};

/// T R S: scale along the axes, then rotation by Euler angles [degrees] about x, then y, then z (R = Rz Ry Rx), then
/// translation, the order of SOFA's mesh loaders.
AffineTransform makeTransform(const Vec3& scale, const Vec3& rotationDegrees, const Vec3& translation);

/// Maps positions by `t`, and normals by the inverse transpose of its linear part (they stay of unit length). Normals
/// are left as they are where the linear part is singular. Radii of spheres are not scaled, as in SOFA.
void applyTransform(MeshData& mesh, const AffineTransform& t);

/// Reverses the corners of triangles, quads and polygons, and given normals.
void flipNormals(MeshData& mesh);

/// Replaces each quad (0 1 2 3) by the triangles (0 1 2) and (0 2 3), appended after the existing triangles; ranges
/// and groups follow.
void triangulate(MeshData& mesh);

/// Adds the missing boundary cells of all cells, each once, in the order of SOFA's loaders: quads of hexahedra, quads
/// and triangles of prisms, of pyramids, triangles of tetrahedra, then edges of quads and of triangles. Existing cells
/// keep their place and are not repeated, whatever the order of their vertices.
void createSubelements(MeshData& mesh);

/// The midside nodes in the form of SOFA's loaders: node, index of the edge, and the numerators 1 1 of the weights of
/// its ends. Appends the edges that the mesh lacks.
Vector<std::array<Index, 4>> highOrderEdgePositions(MeshData& mesh);

/// The mesh with the faces of its volumes that no other volume has, turned outwards, if it has no faces of its own:
/// what formats of surfaces hold of it.
MeshData withBorder(const MeshData& mesh);

/// Throws MeshError, naming the cell and the file, if a cell of a mesh that is to be written has a point that is not
/// there.
void requirePoints(const std::filesystem::path& path, const MeshData& mesh);

/// Removes positions that no cell refers to (spheres apart: `radii` non-empty leaves the mesh as it is), keeping the
/// order of the others; normals, texture coordinates and point data follow. Returns the old index of each position.
Vector<Index> removeUnattachedPoints(MeshData& mesh);

/// Sets `normals` to the normalised sum, per position, of the unit normals of its triangles and of the corner normals
/// of its quads; zero where there are none or they cancel.
void computeNormals(MeshData& mesh);

/// Calls f(cell array) for every array of fixed-size cells: edges, triangles, quads, tetrahedra, hexahedra, prisms,
/// pyramids.
template <class Mesh, class F>
void forEachCellArray(Mesh& mesh, F f)
{
    f(mesh.edges);
    f(mesh.triangles);
    f(mesh.quads);
    f(mesh.tetrahedra);
    f(mesh.hexahedra);
    f(mesh.prisms);
    f(mesh.pyramids);
}

}  // namespace sofa::core::io
