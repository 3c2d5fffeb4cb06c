// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "applications/gl/Camera.h"
#include "core/visual/DrawList.h"

namespace sofa::gl {

/// The uniform block `Frame` of our programs, in the layout std140.
struct FrameUniforms
{
    static constexpr std::size_t maxLights = 16;

    struct Light
    {
        float position[4], color[4], direction[4], falloff[4];
    };
    float view[16], projection[16], viewport[4], ambient[4], eye[4];
    Light lights[maxLights];
};

/// What holds for all that is in space: the camera, and the lights of the scene or one at the camera. A view of `width`
/// times `height` pixels.
FrameUniforms worldUniforms(const DrawList& list, const Camera& camera, int width, int height);
/// Pixels of the screen (`ratio` of the framebuffer's for one) from the upper left corner; no lights.
FrameUniforms screenUniforms(int width, int height, double ratio);

}  // namespace sofa::gl
