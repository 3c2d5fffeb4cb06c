// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <string>

namespace sofa::core {

/// What detection, picking and images need to know of a shape.
struct CollisionShapeInfo
{
    std::string name;    ///< of one of them: "triangle"
    std::string plural;  ///< "triangles"
    /// A convex body with an inside, that a frame carries or that stands on vertices: CollisionModel::body() has its
    /// form, and that is all that the tests for CollisionShape::Solid ask for.
    bool solid = false;
    /// Part of the surface of an object, which can be taken hold of; rays and boxes around other models are not.
    bool surface = true;
};

/// What the primitives of a collision model are: a number that stands for a registered shape. The set is open: a shape
/// registers beside the class of its models, in the core and in plugins alike, and the tests for it do so beside it
/// (RegisterContactTests).
///
///     CollisionShape ellipsoidShape()
///     {
///         static const CollisionShape shape =
///             registerCollisionShape({.name = "ellipsoid", .plural = "ellipsoids", .solid = true});
///         return shape;
///     }
class CollisionShape
{
public:
    constexpr explicit CollisionShape(std::uint16_t number) : m_number(number) {}
    constexpr std::size_t number() const { return m_number; }
    friend constexpr bool operator==(CollisionShape, CollisionShape) = default;

    /// Those of meshes, and spheres.
    static const CollisionShape Sphere, Point, Line, Triangle, Tetrahedron;
    /// Any solid, in tables of tests: no model has this shape.
    static const CollisionShape Solid;

    /// Of a registered shape; references stay valid.
    const CollisionShapeInfo& info() const;

private:
    std::uint16_t m_number;
};

inline constexpr CollisionShape CollisionShape::Sphere{0}, CollisionShape::Point{1}, CollisionShape::Line{2},
    CollisionShape::Triangle{3}, CollisionShape::Tetrahedron{4}, CollisionShape::Solid{5};

/// Registers a shape. A name that is taken is reported as an error; the shape that is returned then has another name,
/// and nothing in common with the first one.
CollisionShape registerCollisionShape(CollisionShapeInfo info);
/// Number of registered shapes: CollisionShape::number() is less.
std::size_t collisionShapeCount();

/// "spheres", "triangles": for messages.
inline const std::string& nameOf(CollisionShape s) { return s.info().plural; }

}  // namespace sofa::core
