// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/geometry/Aabb.h"
#include "core/geometry/Solids.h"

/// Convex bodies of any of the shapes that collide.
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

}  // namespace sofa::core::geometry
