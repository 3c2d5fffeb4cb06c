// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/GlslLog.h"
#include "applications/gl/GlslTranslator.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "applications/gl/Functions.h"
#include "applications/gl/OffscreenContext.h"
#include "tests/applications/gl/TessellatingShader.h"

namespace glsl_translator_test {

using namespace sofa::gl;

namespace {

GlslProgram program(std::string vertex, std::string fragment, std::string geometry = {})
{
    GlslProgram p;
    p.source[static_cast<std::size_t>(GlslStage::Vertex)] = std::move(vertex);
    p.source[static_cast<std::size_t>(GlslStage::Fragment)] = std::move(fragment);
    p.source[static_cast<std::size_t>(GlslStage::Geometry)] = std::move(geometry);
    return p;
}

std::string translated(const GlslProgram& p, GlslStage s)
{
    return translateGlsl(p).source[static_cast<std::size_t>(s)];
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Line of the original text at which a compiler says it is.
long lineOf(const std::string& text, const std::string& part)
{
    const std::size_t start = text.find("#line 1\n") + 8, at = text.find(part, start);
    return at == std::string::npos
               ? -1
               : 1 + std::count(text.begin() + static_cast<long>(start), text.begin() + static_cast<long>(at), '\n');
}

/// Compiles and links with the OpenGL that is there: the log, empty where all is well.
std::string compile(const GlslProgram& p)
{
    static OffscreenContext context;
    context.makeCurrent();
    static const Functions gl(context.procAddress());
    const GlslTranslation t = translateGlsl(p);
    constexpr GLenum kinds[] = {GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER,
                                GL_FRAGMENT_SHADER};
    std::string log;
    const GLuint linked = gl.CreateProgram();
    for (std::size_t i = 0; i < glslStages; ++i) {
        if (t.source[i].empty()) continue;
        const GLuint shader = gl.CreateShader(kinds[i]);
        const char* text = t.source[i].c_str();
        gl.ShaderSource(shader, 1, &text, nullptr);
        gl.CompileShader(shader);
        GLint good = 0;
        gl.GetShaderiv(shader, GL_COMPILE_STATUS, &good);
        if (!good) {
            char buffer[4096] = {};
            gl.GetShaderInfoLog(shader, sizeof buffer, nullptr, buffer);
            log += locateGlslLog(buffer, std::string(glslStageName(static_cast<GlslStage>(i))));
        }
        gl.AttachShader(linked, shader);
        gl.DeleteShader(shader);
    }
    if (log.empty()) {
        gl.LinkProgram(linked);
        GLint good = 0;
        gl.GetProgramiv(linked, GL_LINK_STATUS, &good);
        if (!good) {
            char buffer[4096] = {};
            gl.GetProgramInfoLog(linked, sizeof buffer, nullptr, buffer);
            log = buffer;
        }
    }
    gl.DeleteProgram(linked);
    return log;
}

const char* const phong =
    "#version 120\n"
    "varying vec3 normal, eye;\n"
    "void main()\n"
    "{\n"
    "    normal = gl_NormalMatrix * gl_Normal;\n"
    "    eye = vec3(gl_ModelViewMatrix * gl_Vertex);\n"
    "    gl_TexCoord[0] = gl_TextureMatrix[0] * gl_MultiTexCoord0;\n"
    "    gl_FrontColor = gl_Color;\n"
    "    gl_BackColor = vec4(1.0) - gl_Color;\n"
    "    gl_Position = ftransform();\n"
    "}\n";
const char* const phongFragment =
    "varying vec3 normal, eye;\n"
    "uniform sampler2D texture; // a name that is a function now\n"
    "uniform sampler2DShadow depth;\n"
    "uniform samplerCube sky;\n"
    "void main(void)\n"
    "{\n"
    "    vec3 n = normalize(normal);\n"
    "    vec4 c = gl_FrontLightModelProduct.sceneColor;\n"
    "    for (int i = 0; i < gl_MaxLights; ++i) {\n"
    "        vec3 l = normalize(gl_LightSource[i].position.xyz - eye);\n"
    "        c += max(dot(n, l), 0.0) * gl_LightSource[i].diffuse * gl_FrontMaterial.diffuse\n"
    "             + pow(max(dot(n, l), 0.0), gl_FrontMaterial.shininess) * gl_FrontLightProduct[i].specular;\n"
    "    }\n"
    "    c *= texture2D(texture, gl_TexCoord[0].st) * textureCube(sky, n) * shadow2D(depth, eye).r;\n"
    "    gl_FragColor = c * gl_Color;\n"
    "}\n";

}  // namespace

TEST_CASE("Old vertex and fragment shaders become OpenGL 3.3", "[gl]")
{
    const GlslProgram p = program(phong, phongFragment);
    const std::string v = translated(p, GlslStage::Vertex), f = translated(p, GlslStage::Fragment);
    CHECK(v.rfind("#version 330 core\n", 0) == 0);
    CHECK(contains(v, "out vec3 normal, eye;"));
    CHECK(contains(f, "in vec3 normal, eye;"));
    CHECK(contains(v, "sofa_NormalMatrix * sofa_Normal"));
    CHECK(contains(v, "in vec3 sofa_Normal;"));
    CHECK(contains(v, "sofa_out.TexCoord[0] = sofa_TextureMatrix[0] * sofa_MultiTexCoord0"));
    CHECK(contains(f, "texture(sofa_user_texture, sofa_in.TexCoord[0].st)"));
    CHECK(contains(f, "sofa_FragData[0] = c * sofa_Color"));
    CHECK(contains(f, "// a name that is a function now"));
    CHECK_FALSE(contains(f, "gl_LightSource"));
    // Lines stay.
    CHECK(lineOf(v, "sofa_ftransform()") == 10);
    CHECK(lineOf(f, "sofa_FragData[0]") == 15);
    CHECK(compile(p) == "");
}

TEST_CASE("What only one of the stages knows is there all the same", "[gl]")
{
    // The vertex shader does not write what the fragment shader reads.
    CHECK(compile(program("void main() { gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; }",
                          "void main() { gl_FragColor = gl_Color + gl_TexCoord[1] + gl_SecondaryColor; }")) == "");
    CHECK(compile(program("", "void main() { gl_FragColor = gl_TexCoord[0]; }")) == "");
    CHECK(
        compile(program("attribute float heat; varying float h; void main() { h = heat; gl_Position = ftransform(); }",
                        "varying float h; void main() { gl_FragData[1] = vec4(h); gl_FragDepth = 0.5; }")) == "");
    CHECK(compile(program(phong, "")) == "");
}

TEST_CASE("Macros are defined before the text, after the version and extensions", "[gl]")
{
    GlslProgram p = program("",
                            "#extension GL_ARB_texture_rectangle : enable\n"
                            "#extension GL_ARB_shading_language_packing : enable\n"
                            "#version 110\n"
                            "#ifndef FragmentShader\n#error stage\n#endif\n"
                            "void main() { gl_FragColor = VALUE; }\n");
    p.macros = {{"VALUE", "(gl_Color * 0.5)"}, {"USE_TEXTURE", ""}};
    const std::string f = translated(p, GlslStage::Fragment);
    CHECK(contains(f, "#define VALUE (sofa_Color * 0.5)\n"));
    CHECK(contains(f, "#define USE_TEXTURE \n"));
    CHECK_FALSE(contains(f, "rectangle"));
    CHECK(f.find("#extension GL_ARB_shading_language_packing : enable") < f.find("#define"));
    CHECK_FALSE(contains(f, "#version 110"));
    CHECK(lineOf(f, "sofa_FragData[0]") == 7);
    CHECK(compile(p) == "");
}

TEST_CASE("Geometry shaders of the old extension have primitives in their text", "[gl]")
{
    GlslProgram p = program(phong, "varying vec3 side; void main() { gl_FragColor = vec4(side, 1.0) * gl_Color; }",
                            "#version 120\n"
                            "#extension GL_EXT_geometry_shader4 : enable\n"
                            "varying in vec3 normal[];\n"
                            "varying out vec3 side;\n"
                            "void main()\n"
                            "{\n"
                            "    for (int i = 0; i < gl_VerticesIn; ++i) {\n"
                            "        side = normal[i];\n"
                            "        gl_FrontColor = gl_FrontColorIn[i] * gl_TexCoordIn[i][0].x;\n"
                            "        gl_Position = gl_PositionIn[(i + 1) % gl_VerticesIn];\n"
                            "        EmitVertex();\n"
                            "    }\n"
                            "    EndPrimitive();\n"
                            "}\n");
    std::string g = translated(p, GlslStage::Geometry);
    CHECK(contains(g, "layout(triangles) in;"));
    CHECK(contains(g, "sofa_out.FrontColor = sofa_in[i].FrontColor * sofa_in[i].TexCoord[0].x;"));
    CHECK(contains(g, "gl_in[(i + 1) % gl_in.length()].gl_Position"));
    CHECK(lineOf(g, "EmitVertex") == 11);
    CHECK_FALSE(translateGlsl(p).clips);
    CHECK(compile(p) == "");

    p.geometryInput = 10;
    p.geometryOutput = 3;
    p.geometryVertices = 6;
    g = translated(p, GlslStage::Geometry);
    CHECK(contains(g, "layout(lines_adjacency) in;\nlayout(line_strip, max_vertices = 6) out;"));
    CHECK(compile(p) == "");
}

TEST_CASE("Newer shaders stay as they are, but for OpenGL's old state", "[gl]")
{
    const char* v =
        "#version 400\n"
        "out vec4 smoothed;\n"
        "smooth out vec2 uv;\n"
        "void main() { smoothed = gl_Vertex; uv = gl_MultiTexCoord0.xy; gl_Position = gl_ModelViewProjectionMatrix * "
        "gl_Vertex; }\n";
    const char* f =
        "#version 400\n"
        "in vec4 smoothed;\n"
        "smooth in vec2 uv;\n"
        "layout(location = 0) out vec4 colour;\n"
        "uniform sampler2D image;\n"
        "void main() { colour = smoothed + texture(image, uv); }\n";
    const std::string out = translated(program(v, f), GlslStage::Vertex);
    CHECK(out.rfind("#version 400 core\n", 0) == 0);
    CHECK(contains(out, "smooth out vec2 uv;"));
    CHECK(compile(program(v, f)) == "");
}

TEST_CASE("Tessellation needs OpenGL 4, with all stages in one file", "[gl]")
{
    const std::string all =
        sofa::test::tessellatingShader("", "out vec4 colour;\nvoid main() { colour = gl_FrontMaterial.diffuse; }\n");
    GlslProgram p = program(all, all);
    p.source[static_cast<std::size_t>(GlslStage::TessellationControl)] = all;
    p.source[static_cast<std::size_t>(GlslStage::TessellationEvaluation)] = all;
    CHECK(compile(p) == "");
}

TEST_CASE("Levels of tessellation that take several lines keep the lines below where they were", "[gl]")
{
    const char* text =
        "#version 400 compatibility\n"
        "layout(vertices = 3) out;\n"
        "void main()\n"
        "{\n"
        "    gl_TessLevelOuter\n"
        "        [gl_InvocationID]\n"
        "        =\n"
        "        2.0;\n"
        "    marked();\n"
        "}\n";
    GlslProgram p;
    p.source[static_cast<std::size_t>(GlslStage::TessellationControl)] = text;
    CHECK(lineOf(translated(p, GlslStage::TessellationControl), "marked") == 9);
}

TEST_CASE("Faults are named by their line in the file", "[gl]")
{
    CHECK(locateGlslLog("0:12(5): error: `x' undeclared\n", "a.frag") == "a.frag:12: error: `x' undeclared\n");
    CHECK(locateGlslLog("0(7) : error C1008: undefined variable\n", "a.frag") ==
          "a.frag:7: error C1008: undefined variable\n");
    CHECK(locateGlslLog("ERROR: 0:3: 'x' : undeclared identifier\nERROR: 1 compilation errors.\n", "a.frag") ==
          "a.frag:3: ERROR: 'x' : undeclared identifier\nERROR: 1 compilation errors.\n");
    const std::string log = compile(program("", "// one\n\nvoid main()\n{\n    gl_FragColor = wrong;\n}\n"));
    CHECK(contains(log, "FragmentShader:5: "));
    CHECK(contains(log, "wrong"));
}

TEST_CASE("Names that became words of the language are changed in old shaders only", "[gl]")
{
    CHECK(glslRenamed("texture") == "sofa_user_texture");
    CHECK(glslRenamed("heat") == "heat");
    CHECK(compile(program("varying vec4 sample; void main() { sample = gl_Vertex; gl_Position = ftransform(); }",
                          "varying vec4 sample; uniform float flat; struct A { float smooth; };"
                          "void main() { A a; a.smooth = flat; gl_FragColor = sample * a.smooth; }")) == "");
}

}  // namespace glsl_translator_test
