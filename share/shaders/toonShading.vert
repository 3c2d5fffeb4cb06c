// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#version 120
// Toon shading: hands the normal and the place in the camera's frame on.

varying vec3 normal;
varying vec3 place;

void main()
{
    normal = gl_NormalMatrix * gl_Normal;
    place = vec3(gl_ModelViewMatrix * gl_Vertex);
    gl_TexCoord[0] = gl_MultiTexCoord0;
    gl_FrontColor = gl_Color;
    gl_Position = ftransform();
}
