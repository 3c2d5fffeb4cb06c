// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <optional>

#include "core/math/Vec.h"

/// Nearest points of points, segments, triangles and tetrahedra, and where rays meet them.
///
/// Conventions: a primitive is given by its corners; points of it by the weights of the corners (barycentric
/// coordinates), which are not negative and sum to 1. Functions are named after both primitives, the first is A, the
/// second B. Distances are at least 0 and right to a few units of the last place of the extent of the two primitives
/// and their gap. Where the nearest points are not unique (parallel segments, parallel faces), which of them is
/// returned depends on the arguments alone.
///
/// Degenerate primitives (segments without length, triangles without area, tetrahedra without volume) are treated as
/// the point set that they are; results are finite for finite corners whose squared extents neither overflow nor
/// underflow.
///
/// Sources: C. Ericson, Real-Time Collision Detection (2005), chapter 5; P. J. Schneider and D. H. Eberly, Geometric
/// Tools for Computer Graphics (2003), chapter 10.
namespace sofa::core::geometry {

/// Nearest points of two primitives of M and N corners.
template <std::size_t M, std::size_t N>
struct Proximity
{
    Vec<M> weightsA;
    Vec<N> weightsB;
    Vec3 pointA, pointB;
    /// pointB − pointA, computed from differences of corners: more precise than the difference of the points where
    /// these are far from the origin.
    Vec3 delta;
    double distance2 = 0.;  ///< squared length of delta

    double distance() const { return std::sqrt(distance2); }
};

Proximity<1, 1> pointPoint(const Vec3& p, const Vec3& q);

/// Ericson, section 5.1.2.
Proximity<1, 2> pointSegment(const Vec3& p, const Vec3& a, const Vec3& b);

/// Inside the prism over the triangle: projection on its plane, with one step of iterative refinement, so that narrow
/// triangles do not spoil the distance. Outside: on one of the sides that face the point (Ericson, section 5.1.5, puts
/// the same regions differently).
Proximity<1, 3> pointTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

struct TetrahedronProximity : Proximity<1, 4>
{
    bool inside = false;  ///< the point lies in the tetrahedron: distance 0
};
/// Either orientation. Ericson, section 5.1.6.
TetrahedronProximity pointTetrahedron(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Segments a0–a1 and b0–b1. Ericson, section 5.1.9; for directions that are nearly parallel, where its determinant
/// cancels, the interior solution comes from cross products, and all four ends are candidates (D. Eberly, "Robust
/// computation of distance between line segments", 2015, discusses the same difficulty).
Proximity<2, 2> segmentSegment(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

/// Where the segment p–q meets a triangle that is not in a plane with it, decided exactly
/// (core/geometry/Orientation.h). Segments in the triangle's own plane meet it at ends and sides.
struct Crossing
{
    double s = 0.;  ///< p + s (q − p)
    Vec3 weights;   ///< of the triangle's corners
    Vec3 point;
};
std::optional<Crossing> segmentCrossesTriangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b,
                                               const Vec3& c);

struct CrossingProximity
{
    bool crossing = false;  ///< the segment, or a side of a triangle, passes through the (other) triangle
};
struct SegmentTriangleProximity : Proximity<2, 3>, CrossingProximity
{
};
/// Segment p–q and a triangle: the crossing if there is one (distance 0), else the least of two ends and three sides.
SegmentTriangleProximity segmentTriangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

struct TriangleTriangleProximity : Proximity<3, 3>, CrossingProximity
{
};
/// Two triangles: a point of their intersection if sides cross the other triangle (distance 0), else the nearest of six
/// pairs of a corner and a triangle and nine pairs of sides, in that order.
TriangleTriangleProximity triangleTriangle(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

// --- Rays -------------------------------------------------------------------------------------------------------
// A ray is origin + t direction with t ≥ 0; the direction need not be of unit length, and t counts in its lengths.

struct RayHit
{
    double t = 0.;
    Vec3 weights;        ///< of the triangle's corners
    bool front = false;  ///< it comes from the side to which the triangle's normal (b − a) × (c − a) points
};
/// Both sides; nothing for a ray in the triangle's plane. Two triangles with a common side leave no gap: S. Woop, C.
/// Benthin, I. Wald, "Watertight ray/triangle intersection", Journal of Computer Graphics Techniques 2(1), 2013.
std::optional<RayHit> rayTriangle(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b,
                                  const Vec3& c);

/// The part [enter, leave] of a ray that lies in a solid; enter is 0 for rays that begin inside. A ray with direction
/// zero is its origin: [0, ∞) inside.
struct RaySpan
{
    double enter = 0., leave = 0.;
};
/// E. Haines, J. Günther, T. Akenine-Möller, "Precision improvements for ray/sphere intersection", Ray Tracing Gems
/// (2019), chapter 7: the discriminant from the distance of the line, the nearer root without cancellation.
std::optional<RaySpan> raySphere(const Vec3& origin, const Vec3& direction, const Vec3& center, double radius);
/// Closed axis-aligned box, by slabs (Ericson, section 5.3.3).
std::optional<RaySpan> rayBox(const Vec3& origin, const Vec3& direction, const Vec3& lower, const Vec3& upper);

}  // namespace sofa::core::geometry
