// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <optional>

#include "core/objectmodel/Component.h"
#include "core/visual/ShaderDescription.h"

/// Matrices of cameras and lights. Eyes look along their −z axis, y up; what they see is mapped to the cube [−1, 1]³,
/// the nearest to −1, as OpenGL has it.
namespace sofa::core {

/// Four columns one after the other.
using ViewMatrix = std::array<double, 16>;

/// World to eye.
ViewMatrix viewMatrix(const Vec3& position, const Quat& orientation);
/// Eye to cube: a pyramid of a vertical angle [deg] between two distances [m]; `aspect` is width / height.
ViewMatrix perspectiveMatrix(double fieldOfView, double aspect, double zNear, double zFar);
/// Eye to cube: a box in the eye's frame [m].
ViewMatrix orthographicMatrix(const Vec3& low, const Vec3& high);
/// The same numbers row after row, as SOFA has matrices in Data.
ViewMatrix rowsOf(const ViewMatrix& m);

/// What a light sees when it casts shadows.
struct LightView
{
    ViewMatrix modelView;   ///< world to light
    ViewMatrix projection;  ///< light to shadow map, as the cube [−1, 1]³
};
/// Of a directional light, the box of the scene along its rays; of a spot, a little more than its cone, from the
/// nearest to the farthest corner of the box unless the light says so itself. None for other lights, for an empty box,
/// and for a spot that shines away from it. Places and directions are those of the world.
std::optional<LightView> lightView(const LightDescription& light, const BoundingBox& box);

}  // namespace sofa::core
