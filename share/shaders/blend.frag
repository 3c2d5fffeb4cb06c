// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#version 120
// A pass over the images of two others (VisualManagerSecondaryPass): what `glass` holds shows through `solid` a little.

uniform sampler2D solid;
uniform sampler2D glass;
uniform sampler2D glass_Z;

void main()
{
    vec2 place = gl_TexCoord[0].st;
    vec4 back = texture2D(solid, place);
    bool there = texture2D(glass_Z, place).r < 1.0;
    gl_FragColor = vec4(there ? mix(back.rgb, texture2D(glass, place).rgb, 0.5) : back.rgb, 1.0);
}
