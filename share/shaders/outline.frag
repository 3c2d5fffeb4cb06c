// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#version 120
// A pass over the finished image (PostProcessManager): dark lines where the depth jumps.

uniform sampler2D colorTexture;
uniform sampler2D depthTexture;
uniform vec2 pixelSize;
uniform float zNear;
uniform float zFar;

/// Distance [m] from the camera.
float distanceAt(vec2 place)
{
    float d = texture2D(depthTexture, place).r * 2.0 - 1.0;
    return 2.0 * zNear * zFar / (zFar + zNear - d * (zFar - zNear));
}

void main()
{
    vec2 place = gl_TexCoord[0].st;
    float here = distanceAt(place);
    float jump = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 side = i == 0 ? vec2(1.0, 0.0) : i == 1 ? vec2(-1.0, 0.0) : i == 2 ? vec2(0.0, 1.0) : vec2(0.0, -1.0);
        jump = max(jump, distanceAt(place + 1.5 * side * pixelSize) - here);
    }
    float line = smoothstep(0.02, 0.06, jump / here);
    gl_FragColor = vec4(texture2D(colorTexture, place).rgb * (1.0 - 0.85 * line), 1.0);
}
