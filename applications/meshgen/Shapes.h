// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "applications/meshgen/LatticeMesher.h"

namespace meshgen {

/// A smooth blob with a large and a small lobe and a waist, about 6 × 4 × 3 around the origin: the zero set of a sum of
/// Gaussian bells. It is star-shaped about the origin.
ImplicitSolid organ();
/// Ball of radius 1 about the origin.
ImplicitSolid ball();
/// Torus about the z axis: radius of the centre line 1, of the tube 0.4.
ImplicitSolid torus();
/// Tied-arch bridge, 12 × 3 × 2, along x with y up: a deck 0.4 thick from y = 0 on, two parabolic ribs above its edges
/// whose crowns reach y = 3, hangers every 2 from the deck to the ribs, and three beams that join the ribs. No member
/// is thinner than 0.3.
ImplicitSolid bridge();

/// Points of an axis-aligned grid of nx × ny × nz cells over the box.
MeshData gridPoints(const Vec3& lower, const Vec3& upper, std::size_t nx, std::size_t ny, std::size_t nz);
/// Its hexahedra; and five tetrahedra for each, in alternating orientation so that diagonals agree.
void addGridHexahedra(MeshData& mesh, std::size_t nx, std::size_t ny, std::size_t nz);
void addGridTetrahedra(MeshData& mesh, std::size_t nx, std::size_t ny, std::size_t nz);

/// Quads over the surface of a box with n[k] cells along axis k; texture coordinates per face, normals per face.
MeshData boxSurface(const Vec3& lower, const Vec3& upper, const std::array<std::size_t, 3>& n);
/// Horizontal square of n × n quads in the plane y = 0, edge length `size`, about the origin, facing +y.
MeshData floorSurface(double size, std::size_t n);
/// Triangles of the torus, regular in both angles, with normals and texture coordinates (with a seam).
MeshData torusSurface(std::size_t around, std::size_t across);
/// Geodesic sphere: an icosahedron whose triangles are divided in four `levels` times.
MeshData sphereSurface(int levels);
/// Ball of the second order: a tetrahedron from the centre to each triangle of an icosahedron, with midside nodes,
/// which lie on the sphere where their edge does.
MeshData curvedBall();

/// Triangles of a plate in the plane z = 0: nx × ny square tiles of edge 1 with a round hole of radius 0.25 in the
/// middle of each; the lower corner is at the origin.
MeshData plateTriangles(std::size_t nx, std::size_t ny);
/// The plate of the given triangles with thickness from z = 0 in `layers` layers of tetrahedra.
MeshData extrude(const MeshData& flat, double thickness, std::size_t layers);

/// Moves the vertex nearest to each half of the z axis onto it, along the solid's surface: the poles of
/// addSphericalTexture are then vertices, as a clean texture needs.
void pinPoles(MeshData& mesh, const ImplicitSolid& solid);
/// Longitude and latitude about the origin (z up) as texture coordinates of each corner of each triangle, with a clean
/// seam: fills texCoordDefinitions, normalDefinitions (from `normals`) and faceCorners.
void addSphericalTexture(MeshData& mesh);
/// faceCorners from the triangles and quads, with the vertices' own texture coordinates and normals.
void addFaceCorners(MeshData& mesh);

}  // namespace meshgen
