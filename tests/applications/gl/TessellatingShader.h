// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

namespace sofa::test {

/// All stages of a shader that divides triangles, in one file: `evaluation` are statements that move the new point x,
/// and `fragment` is the text of the fragment shader.
inline std::string tessellatingShader(const std::string& evaluation, const std::string& fragment)
{
    return "#version 400 compatibility\n"
           "#ifdef VertexShader\n"
           "out vec3 p;\n"
           "void main() { p = gl_Vertex.xyz; }\n"
           "#endif\n"
           "#ifdef TessellationControlShader\n"
           "layout(vertices = 3) out;\n"
           "in vec3 p[];\n"
           "out vec3 q[];\n"
           "uniform float TessellationLevel;\n"
           "void main()\n"
           "{\n"
           "    q[gl_InvocationID] = p[gl_InvocationID];\n"
           "    barrier();\n"  // allowed in main() only
           "    gl_TessLevelInner[0] = TessellationLevel;\n"
           "    gl_TessLevelOuter[gl_InvocationID] = TessellationLevel;\n"
           "}\n"
           "#endif\n"
           "#ifdef TessellationEvaluationShader\n"
           "layout(triangles) in;\n"
           "in vec3 q[];\n"
           "void main()\n"
           "{\n"
           "    vec3 x = gl_TessCoord.x * q[0] + gl_TessCoord.y * q[1] + gl_TessCoord.z * q[2];\n" +
           evaluation +
           "    gl_Position = gl_ModelViewProjectionMatrix * vec4(x, 1.0);\n"
           "}\n"
           "#endif\n"
           "#ifdef FragmentShader\n" +
           fragment + "#endif\n";
}

}  // namespace sofa::test
