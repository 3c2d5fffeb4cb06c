// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"
#include "core/mesh/Elements.h"
#include "core/objectmodel/Component.h"

/// Measures of points and elements in space. Lengths come in the unit of the positions (SI: [m]), areas and volumes in
/// its square and cube, angles in radians.
namespace sofa::core::geometry {

// --- Measures -----------------------------------------------------------------------------------------------------
double edgeLength(const Vec3& a, const Vec3& b);
/// Half the cross product of two sides: normal to the triangle, as long as its area is large.
Vec3 triangleAreaVector(const Vec3& a, const Vec3& b, const Vec3& c);
double triangleArea(const Vec3& a, const Vec3& b, const Vec3& c);
/// Area of the two triangles (a b c) and (a c d): exact for a plane quad.
double quadArea(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// det(b − a, c − a, d − a) / 6: positive for the orientation that Elements.h describes.
double tetrahedronVolume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// Volume of the image of the unit cube under the trilinear map of the eight corners, exactly: three determinants, J.
/// Grandy, "Efficient computation of volume of hexahedral cells", LLNL UCRL-ID-128886 (1997), its form for curved
/// faces.
double hexahedronVolume(const std::array<Vec3, 8>& x);

// --- Directions and angles ----------------------------------------------------------------------------------------
/// Unit normal by the right-hand rule; zero for a triangle without area.
Vec3 triangleNormal(const Vec3& a, const Vec3& b, const Vec3& c);
/// Unit normal of the mean plane of a quad: direction of the cross product of its diagonals.
Vec3 quadNormal(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// Angle at b between the directions to a and c, in [0, π].
double angle(const Vec3& a, const Vec3& b, const Vec3& c);
/// Angle between the half planes that the edge a–b bounds, one through c and one through d, in [0, π]: for c and d the
/// other two corners of a tetrahedron, the dihedral angle at that edge; π when the triangles continue each other.
double dihedralAngle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// --- Centres ------------------------------------------------------------------------------------------------------
/// Mean of points.
template <std::size_t N>
Vec3 centroid(const std::array<Vec3, N>& x)
{
    Vec3 sum;
    for (const Vec3& p : x) sum += p;
    return sum / static_cast<double>(N);
}
/// Point of the triangle's plane at the same distance of its corners. Not finite for a triangle without area.
Vec3 circumcentre(const Vec3& a, const Vec3& b, const Vec3& c);
/// Point at the same distance of four corners. Not finite for a tetrahedron without volume.
Vec3 circumcentre(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// --- Nearest points and coordinates -------------------------------------------------------------------------------
/// Barycentric coordinates of p in a tetrahedron: weights that sum to 1 and reproduce p. Not finite without volume.
Vec4 barycentric(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// Barycentric coordinates of the orthogonal projection of p on the plane of a triangle. Not finite without area.
Vec3 barycentric(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Nearest point of an element, as the weights of its corners (non-negative, sum 1), and its distance.
template <std::size_t N>
struct Nearest
{
    Vec3 point;
    Vec<N> weights;
    double distance = 0.;
};
Nearest<2> nearestOnSegment(const Vec3& p, const Vec3& a, const Vec3& b);
/// C. Ericson, Real-Time Collision Detection (2005), section 5.1.5. Triangles without area are treated as their sides.
Nearest<3> nearestOnTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);
/// p itself where it lies inside. Either orientation.
Nearest<4> nearestOnTetrahedron(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// --- Meshes -------------------------------------------------------------------------------------------------------
BoundingBox boundingBox(const Vector<Vec3>& x);
/// Sums over all elements; volumes are signed.
double totalLength(const Vector<Vec3>& x, const Vector<Edge>& edges);
double totalArea(const Vector<Vec3>& x, const Vector<Triangle>& triangles);
double totalArea(const Vector<Vec3>& x, const Vector<Quad>& quads);
double totalVolume(const Vector<Vec3>& x, const Vector<Tetrahedron>& tetrahedra);
double totalVolume(const Vector<Vec3>& x, const Vector<Hexahedron>& hexahedra);
/// Volume that a closed surface of triangles encloses, positive if their normals point outwards (divergence theorem).
double enclosedVolume(const Vector<Vec3>& x, const Vector<Triangle>& triangles);
/// What the mass of a homogeneous body follows from: its volume V, its centre c = ∫ x dV / V and ∫ (x − c)(x − c)ᵀ dV.
struct SolidMoments
{
    double volume = 0.;
    Vec3 center;
    Mat3 spread;

    /// Inertia about the centre for density 1: ∫ (r² 1 − r rᵀ) dV with r = x − c.
    Mat3 inertia() const { return Mat3::identity() * trace(spread) - spread; }
};
/// Those of the body that a closed surface of triangles encloses, by the tetrahedra between the triangles and a point.
/// All but the centre change their sign if the normals point inwards; the centre is not finite without volume.
SolidMoments enclosedMoments(const Vector<Vec3>& x, const Vector<Triangle>& triangles);
/// How far a surface is from being closed: |Σ a| / Σ |a| of the area vectors of its triangles. 0 for closed surfaces,
/// and exactly then the volume does not depend on the origin; 0 too without triangles.
double openness(const Vector<Vec3>& x, const Vector<Triangle>& triangles);
/// Unit normal at each point: the direction of the sum of the area vectors of its triangles and quads; zero without
/// any.
Vector<Vec3> pointNormals(const Vector<Vec3>& x, const Vector<Triangle>& triangles, const Vector<Quad>& quads);

}  // namespace sofa::core::geometry
