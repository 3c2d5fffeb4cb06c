// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#version 400 compatibility
// Curved point-normal triangles (Vlachos et al., "Curved PN Triangles", 2001): each triangle becomes a cubic patch through its
// corners that meets their normals, divided by the GPU. All stages are in this file.
//
// level  parts of each side of a triangle
// Sides of the triangles of the mesh are dark.

#ifdef VertexShader
out vec3 vertexPlace;
out vec3 vertexNormal;

void main()
{
    vertexPlace = gl_Vertex.xyz;
    vertexNormal = normalize(gl_Normal);
}
#endif

#ifdef TessellationControlShader
layout(vertices = 3) out;
uniform float level;
in vec3 vertexPlace[];
in vec3 vertexNormal[];
out vec3 corner[];       // b300, b030, b003
out vec3 cornerNormal[];
out vec3 afterCorner[];  // control point at a third of the side that begins at this corner: b210, b021, b102
out vec3 beforeNext[];   // at two thirds: b120, b012, b201
out vec3 sideNormal[];   // n110, n011, n101

// A third of the way from a to b, moved into the plane of the normal at a.
vec3 third(vec3 a, vec3 b, vec3 normal)
{
    return (2.0 * a + b - dot(b - a, normal) * normal) / 3.0;
}

void main()
{
    int i = gl_InvocationID, j = (i + 1) % 3;
    vec3 a = vertexPlace[i], b = vertexPlace[j];
    corner[gl_InvocationID] = a;
    cornerNormal[gl_InvocationID] = vertexNormal[i];
    afterCorner[gl_InvocationID] = third(a, b, vertexNormal[i]);
    beforeNext[gl_InvocationID] = third(b, a, vertexNormal[j]);
    // The mean of both normals, mirrored at the plane across the side: the surface may bend both ways.
    vec3 side = b - a, both = vertexNormal[i] + vertexNormal[j];
    sideNormal[gl_InvocationID] = normalize(both - 2.0 * dot(side, both) / dot(side, side) * side);
    gl_TessLevelOuter[gl_InvocationID] = level;
    if (i == 0) gl_TessLevelInner[0] = level;
}
#endif

#ifdef TessellationEvaluationShader
layout(triangles, equal_spacing, ccw) in;
in vec3 corner[];
in vec3 cornerNormal[];
in vec3 afterCorner[];
in vec3 beforeNext[];
in vec3 sideNormal[];
out vec3 normal;
out vec3 place;
out vec3 inTriangle;

void main()
{
    float u = gl_TessCoord.x, v = gl_TessCoord.y, w = gl_TessCoord.z;
    vec3 sides = afterCorner[0] + beforeNext[0] + afterCorner[1] + beforeNext[1] + afterCorner[2] + beforeNext[2];
    vec3 corners = corner[0] + corner[1] + corner[2];
    vec3 middle = sides / 4.0 - corners / 6.0;
    vec3 p = u * u * u * corner[0] + v * v * v * corner[1] + w * w * w * corner[2] +
             3.0 * (u * u * v * afterCorner[0] + u * v * v * beforeNext[0] + v * v * w * afterCorner[1] +
                    v * w * w * beforeNext[1] + w * w * u * afterCorner[2] + w * u * u * beforeNext[2]) +
             6.0 * u * v * w * middle;
    vec3 n = u * u * cornerNormal[0] + v * v * cornerNormal[1] + w * w * cornerNormal[2] + u * v * sideNormal[0] +
             v * w * sideNormal[1] + w * u * sideNormal[2];
    normal = gl_NormalMatrix * normalize(n);
    place = vec3(gl_ModelViewMatrix * vec4(p, 1.0));
    inTriangle = gl_TessCoord;
    gl_Position = gl_ModelViewProjectionMatrix * vec4(p, 1.0);
}
#endif

#ifdef FragmentShader
in vec3 normal;
in vec3 place;
in vec3 inTriangle;

void main()
{
    vec4 source = gl_LightSource[0].position;
    vec3 toLight = normalize(source.xyz - source.w * place);
    float light = max(dot(normalize(normal), toLight), 0.0);
    float toSide = min(inTriangle.x, min(inTriangle.y, inTriangle.z));
    float inside = smoothstep(0.01, 0.03, toSide);
    gl_FragColor = vec4(gl_FrontMaterial.diffuse.rgb * (0.25 + 0.75 * light) * (0.3 + 0.7 * inside), 1.0);
}
#endif
