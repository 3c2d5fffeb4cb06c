// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/geometry/Aabb.h"
#include "core/geometry/Solids.h"

/// Convex bodies of any of the shapes that collide, and where two of them touch: one contact, or several that hold one
/// body on the other.
///
/// Sources: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the distance between complex
/// objects in three-dimensional space", IEEE Journal of Robotics and Automation 4(2), 1988; G. van den Bergen,
/// Collision Detection in Interactive 3D Environments (2003), chapter 4, for the expanding polytope.
namespace sofa::core::geometry {

struct ConvexFace;

/// A convex core of any form, given by what is farthest in it, in axes of its own. One object serves all bodies of its
/// form, from several threads at once; it must outlive them.
class ConvexForm
{
public:
    virtual ~ConvexForm() = default;
    /// The point that is farthest along d (not zero); of several, always the same one.
    virtual Vec3 support(const Vec3& d) const = 0;
    /// Radius of a ball around the origin that holds the core [m].
    virtual double reach() const = 0;
    /// The part of it that lies farthest along the unit vector n (faceAlong); by default one point, number 0.
    virtual ConvexFace faceAlong(const Vec3& n, double sine) const;
};

/// A point, segment, triangle, tetrahedron, box, cylinder or any other form: the core; with everything that is within
/// `radius` of it.
struct ConvexBody
{
    enum class Kind
    {
        Point,
        Segment,
        Triangle,
        Tetrahedron,
        Box,
        Cylinder,
        Form  ///< what a ConvexForm says; pairs with it have no closed form
    };
    Kind kind = Kind::Point;
    /// Corners; of a cylinder, the two ends of its axis; of a form, its origin.
    std::array<Vec3, 8> points;
    std::size_t count = 0;
    Obb box;                     ///< of a box; of a form, its axes, and in `center` its origin
    double cylinderRadius = 0.;  ///< of a cylinder; of a form, its reach
    double radius = 0.;
    const ConvexForm* form = nullptr;

    /// One to four points: point, segment, triangle, tetrahedron.
    static ConvexBody of(std::span<const Vec3> points, double radius = 0.);
    static ConvexBody of(const Obb& box);
    static ConvexBody of(const Cylinder& cylinder);
    /// A form with its origin at `center`; `axes` turns its directions into those of the world.
    static ConvexBody of(const ConvexForm& form, const Vec3& center, const Mat3& axes, double radius = 0.);

    /// Mean of the points.
    Vec3 center() const;
    /// The point of the core that is farthest along d.
    Vec3 support(const Vec3& d) const;
    /// Smallest box of the body, its radius included.
    Aabb bounds() const;
};

/// The part of a core that lies farthest in a direction: one point, two, or the corners of a flat polygon in order.
struct ConvexFace
{
    static constexpr std::size_t maxCount = 8;
    std::array<Vec3, maxCount> points;
    /// Which corner of the body each one is; of a cylinder, 0 … 7 around its end a, 8 … 15 around b.
    std::array<unsigned, maxCount> corners{};
    std::size_t count = 0;
};
/// What of a body may touch first in a direction, whatever the angle: its corners; of a round one, the part that lies
/// farthest.
ConvexFace cornersTowards(const ConvexBody& body, const Vec3& d, double sine);
/// The corners that lie within the angle asin(`sine`) of the plane through the farthest point across d. The round end
/// of a cylinder has eight, beginning at the lowest one.
ConvexFace faceAlong(const ConvexBody& body, const Vec3& d, double sine);

/// Nearest points of the cores, or the deepest ones: the contact of Solids.h for those pairs that it has, as exact as
/// rounding allows; others by the iteration of Gilbert, Johnson and Keerthi, overlaps by an expanding polytope, to
/// about 1e-12 of the size of the bodies. With cylinders, distances are right to 5e-9 of it, and depths, of which the
/// polytope has 160 corners at most, to 1e-4 in the worst case; the normal of bodies nearer than 1e-9 to 1e-3. With
/// other round forms, distances are right to about 1e-7 of it.
Contact coreContact(const ConvexBody& a, const ConvexBody& b);

/// Contacts that all have the same normal. `code` tells them apart while the same corners touch.
struct ConvexPatch
{
    static constexpr std::size_t maxCount = 16;
    std::array<Contact, maxCount> contacts;
    std::array<unsigned, maxCount> codes{};
    std::size_t count = 0;
};
/// Contacts of the cores within `limit`: where faces or edges that look at each other lie before each other, at the
/// corners of their overlap; otherwise the nearest points alone.
ConvexPatch coreContacts(const ConvexBody& a, const ConvexBody& b, double limit);

/// Part of a ray in a body, its radius included; conventions as in Proximity.h. Flat bodies without a radius: a
/// triangle is met in a point (enter = leave), points and segments never.
std::optional<RaySpan> rayConvex(const Vec3& origin, const Vec3& direction, const ConvexBody& body);

/// Whether the foot of p, along n, lies in the polygon (count ≥ 3, flat or nearly so, not seen edge-on along n).
bool insidePolygon(std::span<const Vec3> polygon, const Vec3& n, const Vec3& p);

}  // namespace sofa::core::geometry
