// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#version 120
// Toon shading: the light of the first source in a few steps, and a dark outline where the surface turns away.
//
// LEVELS       number of steps; 4 if it is not defined
// USE_TEXTURE  the image colorTexture colours the surface

#ifndef LEVELS
#define LEVELS 4
#endif

varying vec3 normal;
varying vec3 place;
uniform vec4 tint;
#ifdef USE_TEXTURE
uniform sampler2D colorTexture;
#endif

void main()
{
    vec3 n = normalize(normal), toEye = normalize(-place);
    if (dot(n, toEye) < 0.0) n = -n;
    vec4 source = gl_LightSource[0].position;
    vec3 toLight = normalize(source.xyz - source.w * place);
    float light = ceil(max(dot(n, toLight), 0.0) * float(LEVELS)) / float(LEVELS);
    vec4 color = gl_FrontMaterial.diffuse;
    // Uniforms are zero until a scene gives them a value.
    if (tint.a > 0.0) color *= tint;
#ifdef USE_TEXTURE
    color *= texture2D(colorTexture, gl_TexCoord[0].st);
#endif
    color.rgb *= 0.25 + 0.75 * light;
    if (dot(n, toEye) < 0.25) color.rgb *= 0.2;
    gl_FragColor = color;
}
