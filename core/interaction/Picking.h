// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/collision/CollisionModel.h"

namespace sofa::core {

/// A ray from a viewer into the scene.
struct PickRay
{
    Vec3 origin;     ///< [m]
    Vec3 direction;  ///< any length but zero
    Vec3 at(double distance) const { return origin + direction * (distance / norm(direction)); }
};

/// What a ray meets first: a primitive of a collision model, or a point of a state.
struct Picked
{
    CollisionModel* model = nullptr;  ///< nullptr if a point of a state was picked
    BaseState* state = nullptr;       ///< state of the model, or of the point
    Index index = 0;                  ///< of the primitive, or of the point
    Vec3 point;                       ///< where the ray meets it [m]
    double distance = 0.;             ///< from the origin of the ray [m]
};

/// What a ray meets first: the nearest primitive of all active collision models below `scene`; if there is none, the
/// nearest point of a mechanical state that nothing maps. Points and lines, which have no surface, are met within
/// `tolerance` [m] of the ray. Positions are the present ones; models and their boxes are not changed. Of several
/// things at the same distance, the first in the order of the scene is taken.
std::optional<Picked> pick(Node& scene, const PickRay& ray, double tolerance = 0.);

/// The first primitive of one model that a ray meets.
std::optional<Picked> pick(CollisionModel& model, const PickRay& ray, double tolerance = 0.);

}  // namespace sofa::core
