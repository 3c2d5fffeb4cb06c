// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/collision/CollisionModel.h"
#include "core/mesh/Elements.h"

namespace sofa::core {

/// A ray from a viewer into the scene.
struct PickRay
{
    Vec3 origin;     ///< [m]
    Vec3 direction;  ///< any length but zero
    /// Place and orientation of the viewer's camera, which looks along its −z axis; nothing where there is none.
    std::optional<RigidCoord3> camera = {};
    Vec3 at(double distance) const { return origin + direction * (distance / norm(direction)); }
};

/// A component that shows a surface (a visual model): what is picked where nothing collides.
class PickableSurface
{
public:
    virtual ~PickableSurface() = default;
    /// Present vertices [m] and triangles; none if it is not shown.
    virtual void surface(Vector<Vec3>& vertices, Vector<Triangle>& triangles) const = 0;
};

/// What a ray meets first: a primitive of a collision model, a triangle of a surface that is shown, or a point of a
/// state.
struct Picked
{
    Tracked<CollisionModel> model = {};  ///< nullptr if a surface or a point of a state was picked, or if it has gone
    /// State of the model, or of the point. Of a surface: the state that moves it; nullptr if nothing does.
    Tracked<BaseState> state = {};
    Index index = 0;       ///< of the primitive, or of the point. Of a surface: the point of the state that is nearest
    Vec3 point;            ///< where the ray meets it [m]
    double distance = 0.;  ///< from the origin of the ray [m]
    Vec3 direction;        ///< unit vector of the ray
    Tracked<const Component> surface = {};  ///< the surface that was picked
    Triangle triangle{};                    ///< vertices of its triangle
    Index triangleIndex = 0;                ///< number of its triangle
};

/// What a ray meets first: the nearest primitive of all active collision models below `scene`; if there is none, the
/// nearest triangle of a surface that is shown and that moves; if there is none, the nearest point of a mechanical
/// state that nothing maps; at last, a surface that nothing moves. Points and lines, which have no surface, are met
/// within `tolerance` [m] of the ray. Positions are the present ones; models and their boxes are not changed. Of
/// several things at the same distance, the first in the order of the scene is taken.
std::optional<Picked> pick(Node& scene, const PickRay& ray, double tolerance = 0.);

/// The nearest primitive of all active collision models below `scene` that a ray meets; nothing else is picked.
std::optional<Picked> pickColliding(Node& scene, const PickRay& ray, double tolerance = 0.);

/// The first primitive of one model that a ray meets.
std::optional<Picked> pick(CollisionModel& model, const PickRay& ray, double tolerance = 0.);

}  // namespace sofa::core
