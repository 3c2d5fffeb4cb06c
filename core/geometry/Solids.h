// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <span>

#include "core/geometry/Proximity.h"
#include "core/math/Mat.h"

/// Contacts of spheres, capsules, cylinders and oriented boxes with each other and with triangles. Every function takes
/// any gap: the contact tells the signed distance, negative where the solids overlap.
///
/// Of the axes that separate boxes from other bodies, products of edges count only where they need less than the
/// normals of faces by a millionth, for faces give better contacts.
///
/// Sources: C. Ericson, Real-Time Collision Detection (2005), sections 4.4, 4.5 and 5.1; S. Gottschalk, M. C. Lin, D.
/// Manocha, "OBBTree", SIGGRAPH 1996, for the fifteen axes that separate boxes.
namespace sofa::core::geometry {

struct Sphere
{
    Vec3 center;
    double radius = 0.;
};
/// All points within `radius` of the segment a–b.
struct Capsule
{
    Vec3 a, b;
    double radius = 0.;
};
/// All points whose projection on the line a–b falls on the segment, within `radius` of it: flat ends.
struct Cylinder
{
    Vec3 a, b;
    double radius = 0.;
};
/// Box of any orientation. The columns of `axes` are orthonormal: the directions of its sides.
struct Obb
{
    Vec3 center;
    Mat3 axes = Mat3::identity();
    Vec3 halfExtents;  ///< half lengths of the sides, ≥ 0

    Vec3 toLocal(const Vec3& p) const { return transposeTimes(axes, p - center); }
    Vec3 toWorld(const Vec3& p) const { return center + axes * p; }
};

/// Nearest points, or deepest ones where the solids overlap: pointB = pointA + distance · normal.
struct Contact
{
    Vec3 pointA, pointB;
    Vec3 normal;           ///< unit, from A to B: moving B along it separates the two
    double distance = 0.;  ///< negative: depth of the overlap along the normal
};
/// The contact of B with A.
inline Contact swapped(const Contact& c) { return {c.pointB, c.pointA, -c.normal, c.distance}; }

/// Where centres or axes meet, so that the normal is not determined, it is perpendicular to the axes, or along x.
Contact sphereSphere(const Sphere& a, const Sphere& b);
Contact sphereCapsule(const Sphere& a, const Capsule& b);
Contact capsuleCapsule(const Capsule& a, const Capsule& b);
/// A centre on the triangle is pushed out to the side to which the triangle's normal points.
Contact sphereTriangle(const Sphere& a, const Vec3& t0, const Vec3& t1, const Vec3& t2);
/// An axis that crosses the triangle is pushed out along the triangle's normal, to the side where less is missing.
Contact capsuleTriangle(const Capsule& a, const Vec3& t0, const Vec3& t1, const Vec3& t2);
/// A centre inside the cylinder leaves it through the nearest of side and ends.
Contact sphereCylinder(const Sphere& a, const Cylinder& b);

/// A centre inside the box leaves it through the nearest face.
Contact obbSphere(const Obb& a, const Sphere& b);
/// Apart: exact distance of the axis from the box. Axis in the box: least overlap of the three faces' axes and the
/// three products of an edge with the capsule's axis.
Contact obbCapsule(const Obb& a, const Capsule& b);
/// Apart: exact distance. Overlapping: least overlap of the three faces' axes, the triangle's normal and the nine
/// products of edges.
Contact obbTriangle(const Obb& a, const Vec3& t0, const Vec3& t1, const Vec3& t2);
/// Apart: exact distance, by one pair of nearest points. Overlapping: least overlap of the fifteen axes.
Contact obbObb(const Obb& a, const Obb& b);

/// Contacts of two boxes that rest on each other, all with the same normal: the corners of the part of one face that
/// lies before the other (Sutherland–Hodgman clipping), no farther than `limit`.
struct ObbContacts
{
    std::array<Contact, 8> contacts;
    std::size_t count = 0;
    std::span<const Contact> all() const { return {contacts.data(), count}; }
};
/// Up to eight contacts where the boxes overlap or come within `limit`: those of a pair of faces if the direction of
/// the nearest points is about that of a face, the contact of `obbObb` alone otherwise. The first is the deepest.
ObbContacts obbManifold(const Obb& a, const Obb& b, double limit);

/// Parts of rays in solids, as in Proximity.h.
std::optional<RaySpan> rayObb(const Vec3& origin, const Vec3& direction, const Obb& box);

}  // namespace sofa::core::geometry
