// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/GlslTranslator.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "applications/gl/GlslTokens.h"

namespace sofa::gl {

namespace {

/// Words that older shaders use as names and that are reserved now, or hide a function.
const std::set<std::string, std::less<>> reservedSince = {
    "sample",  "smooth",  "flat",      "noperspective", "patch",      "layout", "buffer", "shared", "common",
    "active",  "filter",  "partition", "resource",      "subroutine", "uint",   "uvec2",  "uvec3",  "uvec4",
    "texture", "precise", "lowp",      "mediump",       "highp",      "switch", "case",   "default"};

/// Functions that have new names, as long as the arguments are the same.
const std::map<std::string, std::string, std::less<>> functions = {
    {"texture1D", "texture"},
    {"texture2D", "texture"},
    {"texture3D", "texture"},
    {"textureCube", "texture"},
    {"texture2DRect", "texture"},
    {"texture1DArray", "texture"},
    {"texture2DArray", "texture"},
    {"texture1DProj", "textureProj"},
    {"texture2DProj", "textureProj"},
    {"texture3DProj", "textureProj"},
    {"texture2DRectProj", "textureProj"},
    {"texture1DLod", "textureLod"},
    {"texture2DLod", "textureLod"},
    {"texture3DLod", "textureLod"},
    {"textureCubeLod", "textureLod"},
    {"texture1DProjLod", "textureProjLod"},
    {"texture2DProjLod", "textureProjLod"},
    {"texture3DProjLod", "textureProjLod"},
    {"texture2DLodEXT", "textureLod"},
    {"texture1DGradARB", "textureGrad"},
    {"texture2DGradARB", "textureGrad"},
    {"texture3DGradARB", "textureGrad"},
    {"textureCubeGradARB", "textureGrad"},
    {"texture2DGrad", "textureGrad"},
    {"texelFetch1D", "texelFetch"},
    {"texelFetch2D", "texelFetch"},
    {"texelFetch3D", "texelFetch"},
    {"texelFetch2DRect", "texelFetch"},
    {"texelFetchBuffer", "texelFetch"},
    {"textureSize1D", "textureSize"},
    {"textureSize2D", "textureSize"},
    {"textureSize3D", "textureSize"},
    {"textureSizeCube", "textureSize"},
    {"ftransform", "sofa_ftransform"},
};

/// Functions on depth textures, whose results had four components.
struct ShadowFunction
{
    const char* name;
    const char* definition;
};
const ShadowFunction shadowFunctions[] = {
    {"shadow1D", "vec4 shadow1D(sampler1DShadow s, vec3 c) { return vec4(texture(s, c)); }"},
    {"shadow2D", "vec4 shadow2D(sampler2DShadow s, vec3 c) { return vec4(texture(s, c)); }"},
    {"shadow2DRect", "vec4 shadow2DRect(sampler2DRectShadow s, vec3 c) { return vec4(texture(s, c)); }"},
    {"shadow1DProj", "vec4 shadow1DProj(sampler1DShadow s, vec4 c) { return vec4(textureProj(s, c)); }"},
    {"shadow2DProj", "vec4 shadow2DProj(sampler2DShadow s, vec4 c) { return vec4(textureProj(s, c)); }"},
    {"shadow1DLod", "vec4 shadow1DLod(sampler1DShadow s, vec3 c, float l) { return vec4(textureLod(s, c, l)); }"},
    {"shadow2DLod", "vec4 shadow2DLod(sampler2DShadow s, vec3 c, float l) { return vec4(textureLod(s, c, l)); }"},
};

/// State of fixed-function OpenGL: name after the prefixes gl_ and sofa_, declaration.
struct FixedState
{
    const char* name;
    const char* declaration;
    const char* type = nullptr;  ///< name of its structure after the prefix
};
const FixedState fixedState[] = {
    {"ModelViewMatrix", "uniform mat4 sofa_ModelViewMatrix;"},
    {"ProjectionMatrix", "uniform mat4 sofa_ProjectionMatrix;"},
    {"ModelViewProjectionMatrix", "uniform mat4 sofa_ModelViewProjectionMatrix;"},
    {"ModelViewMatrixInverse", "uniform mat4 sofa_ModelViewMatrixInverse;"},
    {"ProjectionMatrixInverse", "uniform mat4 sofa_ProjectionMatrixInverse;"},
    {"ModelViewProjectionMatrixInverse", "uniform mat4 sofa_ModelViewProjectionMatrixInverse;"},
    {"ModelViewMatrixTranspose", "uniform mat4 sofa_ModelViewMatrixTranspose;"},
    {"ProjectionMatrixTranspose", "uniform mat4 sofa_ProjectionMatrixTranspose;"},
    {"ModelViewProjectionMatrixTranspose", "uniform mat4 sofa_ModelViewProjectionMatrixTranspose;"},
    {"ModelViewMatrixInverseTranspose", "uniform mat4 sofa_ModelViewMatrixInverseTranspose;"},
    {"NormalMatrix", "uniform mat3 sofa_NormalMatrix;"},
    {"NormalScale", "const float sofa_NormalScale = 1.0;"},
    {"TextureMatrix", "uniform mat4 sofa_TextureMatrix[8];"},
    {"LightSource", "uniform sofa_LightSourceParameters sofa_LightSource[8];", "LightSourceParameters"},
    {"FrontMaterial", "uniform sofa_MaterialParameters sofa_FrontMaterial;", "MaterialParameters"},
    {"BackMaterial", "uniform sofa_MaterialParameters sofa_BackMaterial;", "MaterialParameters"},
    {"LightModel", "uniform sofa_LightModelParameters sofa_LightModel;", "LightModelParameters"},
    {"FrontLightModelProduct", "uniform sofa_LightModelProducts sofa_FrontLightModelProduct;", "LightModelProducts"},
    {"BackLightModelProduct", "uniform sofa_LightModelProducts sofa_BackLightModelProduct;", "LightModelProducts"},
    {"FrontLightProduct", "uniform sofa_LightProducts sofa_FrontLightProduct[8];", "LightProducts"},
    {"BackLightProduct", "uniform sofa_LightProducts sofa_BackLightProduct[8];", "LightProducts"},
    {"Fog", "uniform sofa_FogParameters sofa_Fog;", "FogParameters"},
    {"ClipPlane", "uniform vec4 sofa_ClipPlane[8];"},
};
const FixedState structures[] = {
    {"LightSourceParameters",
     "struct sofa_LightSourceParameters { vec4 ambient; vec4 diffuse; vec4 specular; vec4 position; vec4 halfVector; "
     "vec3 spotDirection; float spotExponent; float spotCutoff; float spotCosCutoff; float constantAttenuation; "
     "float linearAttenuation; float quadraticAttenuation; };"},
    {"MaterialParameters",
     "struct sofa_MaterialParameters { vec4 emission; vec4 ambient; vec4 diffuse; vec4 specular; float shininess; };"},
    {"LightModelParameters", "struct sofa_LightModelParameters { vec4 ambient; };"},
    {"LightModelProducts", "struct sofa_LightModelProducts { vec4 sceneColor; };"},
    {"LightProducts", "struct sofa_LightProducts { vec4 ambient; vec4 diffuse; vec4 specular; };"},
    {"FogParameters", "struct sofa_FogParameters { vec4 color; float density; float start; float end; float scale; };"},
};
const std::map<std::string, std::string, std::less<>> constants = {
    {"gl_MaxLights", "8"},
    {"gl_MaxClipPlanes", "8"},
    {"gl_MaxTextureUnits", "8"},
    {"gl_MaxTextureCoords", "8"},
    {"gl_SecondaryColor", "vec4(0.0, 0.0, 0.0, 1.0)"},
    {"gl_FogCoord", "0.0"},
    {"gl_VerticesIn", "gl_in.length()"},
};

/// Values that go from stage to stage under OpenGL's names: members of one block.
struct Varying
{
    const char* name;         ///< after gl_ in the stage that writes it
    const char* declaration;  ///< in the block
    int components;
};
const Varying varyings[] = {
    {"TexCoord", "vec4 TexCoord[8];", 32},
    {"FrontColor", "vec4 FrontColor;", 4},
    {"BackColor", "vec4 BackColor;", 4},
    {"FrontSecondaryColor", "vec4 FrontSecondaryColor;", 4},
    {"BackSecondaryColor", "vec4 BackSecondaryColor;", 4},
    {"FogFragCoord", "float FogFragCoord;", 1},
};

/// Extensions that are part of the language now.
const std::set<std::string, std::less<>> absorbed = {
    "GL_EXT_geometry_shader4",  "GL_ARB_geometry_shader4",    "GL_EXT_gpu_shader4",        "GL_ARB_texture_rectangle",
    "GL_EXT_texture_array",     "GL_ARB_shader_texture_lod",  "GL_ATI_shader_texture_lod", "GL_ARB_draw_instanced",
    "GL_EXT_texture_rectangle", "GL_ARB_tessellation_shader", "GL_EXT_bindable_uniform"};

/// One stage while it is translated.
struct Stage
{
    GlslStage stage;
    std::vector<GlslToken> tokens;
    int version = 110;
    std::vector<std::string> extensions;
    std::set<std::string, std::less<>> used;  ///< words of the text
    bool layouts = false;                     ///< it says its primitives itself

    bool uses(std::string_view word) const { return used.count(word) > 0; }
};

Stage readStage(GlslStage which, const std::string& text)
{
    Stage s{which, splitGlsl(text), 110, {}, {}, false};
    // Directives that must come first are taken out; their lines stay, empty.
    for (std::size_t i = 0; i < s.tokens.size(); ++i) {
        if (s.tokens[i].kind == GlslToken::Word) s.used.insert(s.tokens[i].text);
        const bool lineBegins = [&] {
            std::size_t k = i;
            while (k > 0 && s.tokens[k - 1].kind == GlslToken::Space) --k;
            return k == 0 || s.tokens[k - 1].kind == GlslToken::EndOfLine;
        }();
        if (s.tokens[i].text != "#" || !lineBegins) continue;
        std::size_t end = i;
        std::vector<std::string> words;
        for (; end < s.tokens.size() && s.tokens[end].kind != GlslToken::EndOfLine; ++end)
            if (s.tokens[end].kind != GlslToken::Space) words.push_back(s.tokens[end].text);
        const bool version = words.size() > 2 && words[1] == "version";
        const bool extension = words.size() > 2 && words[1] == "extension";
        const bool line = words.size() > 1 && words[1] == "line";
        if (!version && !extension && !line) continue;
        if (version) s.version = std::atoi(words[2].c_str());
        if (extension && absorbed.count(words[2]) == 0 && words[2] != "all")
            s.extensions.push_back("#extension " + words[2] + " : " + words.back());
        s.tokens.erase(s.tokens.begin() + static_cast<std::ptrdiff_t>(i),
                       s.tokens.begin() + static_cast<std::ptrdiff_t>(end));
        --i;
    }
    s.layouts = s.version >= 150 && s.uses("layout");
    return s;
}

/// What the stages have in common.
struct Program
{
    bool geometry = false, tessellation = false;
    int version = 330;
    std::vector<const Varying*> passed;  ///< members of the block
};

class Translator
{
public:
    Translator(const Stage& stage, const Program& program, const GlslProgram& given)
        : m_stage(stage), m_program(program), m_given(given)
    {
    }

    std::string run(bool& clips)
    {
        const std::string body = translate(m_stage.tokens);
        std::string macros;
        for (const auto& [name, value] : m_given.macros)
            macros += "#define " + name + ' ' + translate(splitGlsl(value)) + '\n';
        const std::string main = wrapper(clips);
        std::string out = "#version " + std::to_string(m_program.version) + " core\n";
        for (const std::string& e : m_stage.extensions) out += e + '\n';
        out += declarations();
        out += "#define " + std::string(glslStageName(m_stage.stage)) + '\n' + macros;
        out += "#line 1\n" + body;
        if (out.back() != '\n') out += '\n';
        return out + main;
    }

private:
    bool is(GlslStage s) const { return m_stage.stage == s; }
    /// Whether something is done before or after the text's own main(). In tessellation control there is nothing, and
    /// barrier() must stand in main() itself.
    bool wraps() const { return !is(GlslStage::TessellationControl); }
    bool writesBlock() const
    {
        return is(GlslStage::Vertex) || is(GlslStage::Geometry) || is(GlslStage::TessellationEvaluation);
    }

    /// The word that stands for one of the text, which is followed by `next`.
    std::string word(const std::string& w, std::string_view next)
    {
        if (w == "attribute") return "in";
        if (w == "varying") {
            // Geometry shaders say "varying in" and "varying out".
            if (is(GlslStage::Geometry)) return "";
            return is(GlslStage::Fragment) ? "in" : "out";
        }
        if (m_stage.version < 130 && reservedSince.count(w) > 0 && !(w == "texture" && next == "("))
            return glslRenamed(w);
        if (const auto f = functions.find(w); f != functions.end() && next == "(") return f->second;
        if (w == "main" && next == "(" && wraps()) return "sofa_main";
        if (w == "gl_FragColor") return "sofa_FragData[0]";
        if (w == "gl_FragData") return "sofa_FragData";
        if (w.size() < 4 || w.compare(0, 3, "gl_") != 0) return w;
        const std::string name = w.substr(3);
        if (const auto c = constants.find(w); c != constants.end()) return c->second;
        if (is(GlslStage::Fragment) && (name == "Color" || name == "SecondaryColor")) return "sofa_" + name;
        if (is(GlslStage::Vertex) &&
            (name == "Vertex" || name == "Normal" || name == "Color" || name.compare(0, 13, "MultiTexCoord") == 0))
            return "sofa_" + name;
        if (name == "ClipVertex") return "sofa_ClipVertex";
        for (const Varying& v : varyings)
            if (name == v.name) return (is(GlslStage::Fragment) ? "sofa_in." : "sofa_out.") + name;
        for (const auto& table : {std::span<const FixedState>(fixedState), std::span<const FixedState>(structures)})
            for (const FixedState& s : table)
                if (name == s.name) return "sofa_" + name;
        return w;
    }

    std::string translate(const std::vector<GlslToken>& tokens) { return translate(tokens, 0, tokens.size()); }

    std::string translate(const std::vector<GlslToken>& tokens, std::size_t from, std::size_t to)
    {
        std::string out;
        for (std::size_t i = from; i < to; ++i) {
            const GlslToken& t = tokens[i];
            if (t.kind != GlslToken::Word) {
                out += t.text;
                continue;
            }
            std::size_t next = i + 1;
            while (next < to && (tokens[next].kind == GlslToken::Space || tokens[next].kind == GlslToken::EndOfLine))
                ++next;
            const std::string_view after = next < to ? std::string_view(tokens[next].text) : std::string_view();
            // x.texture is a member, not a word of the language.
            const bool member = i > from && tokens[i - 1].text == ".";
            // gl_NameIn[i] is a member of the i-th vertex.
            if (is(GlslStage::Geometry) && after == "[" && t.text.size() > 5 && t.text.compare(0, 3, "gl_") == 0 &&
                t.text.compare(t.text.size() - 2, 2, "In") == 0) {
                const std::string name = t.text.substr(3, t.text.size() - 5);
                std::size_t end = next;
                for (int depth = 0; end < to; ++end) {
                    if (tokens[end].text == "[") ++depth;
                    if (tokens[end].text == "]" && --depth == 0) break;
                }
                const std::string index = translate(tokens, next, std::min(end + 1, to));
                out += name == "Position" || name == "PointSize" ? "gl_in" + index + ".gl_" + name
                                                                 : "sofa_in" + index + '.' + name;
                i = std::min(end, to - 1);
                continue;
            }
            if (const std::size_t end = levelAssignment(tokens, i, to, out); end > i) {
                i = end;
                continue;
            }
            out += member && reservedSince.count(t.text) == 0 ? t.text : word(t.text, after);
        }
        return out;
    }

    /// Levels of tessellation that each invocation writes by its own number, `gl_TessLevelOuter[gl_InvocationID] = x;`,
    /// get lost in Mesa's llvmpipe (22.3), which then draws no patch at all. Writing them by constant numbers works:
    /// such a statement becomes a call. Its last token, after it was put out; `i` if there is no such statement at i.
    std::size_t levelAssignment(const std::vector<GlslToken>& tokens, std::size_t i, std::size_t to, std::string& out)
    {
        if (!is(GlslStage::TessellationControl)) return i;
        const std::string& name = tokens[i].text;
        if (name != "gl_TessLevelOuter" && name != "gl_TessLevelInner") return i;
        const auto skipSpace = [&](std::size_t k) {
            while (k < to && (tokens[k].kind == GlslToken::Space || tokens[k].kind == GlslToken::EndOfLine)) ++k;
            return k;
        };
        const auto isText = [&](std::size_t k, std::string_view text) { return k < to && tokens[k].text == text; };
        const std::size_t open = skipSpace(i + 1);
        if (!isText(open, "[")) return i;
        std::size_t close = open;
        for (int depth = 0; close < to; ++close) {
            if (isText(close, "[")) ++depth;
            if (isText(close, "]") && --depth == 0) break;
        }
        const std::size_t assign = skipSpace(close + 1);
        if (!isText(assign, "=") || isText(assign + 1, "=")) return i;
        std::size_t end = assign + 1;
        while (end < to && !isText(end, ";")) ++end;
        if (end == to) return i;
        out += "sofa_set" + name.substr(3) + "(" + translate(tokens, open + 1, close) + ", ";
        for (const auto& [first, last] : {std::pair(i + 1, open), std::pair(close + 1, assign)})
            out += translate(tokens, first, last);  // lines stay where they were
        out += translate(tokens, assign + 1, end) + ");";
        return end;
    }

    std::string block(const char* direction, const char* instance) const
    {
        if (m_program.passed.empty()) return {};
        std::string out = std::string(direction) + " sofa_Varyings {";
        for (const Varying* v : m_program.passed) out += std::string(" ") + v->declaration;
        return out + " } " + instance + ";\n";
    }

    std::string primitives() const
    {
        const auto name = [](int value, const std::map<int, const char*>& names, const char* otherwise) {
            const auto found = names.find(value);
            return std::string(found == names.end() ? otherwise : found->second);
        };
        int vertices = m_given.geometryVertices;
        if (vertices <= 0) {
            // OpenGL 3.3 lets a geometry shader put out 1,024 components; 16 are left for variables of its own.
            int components = 20;
            for (const Varying* v : m_program.passed) components += v->components;
            vertices = std::min(128, 1024 / components);
        }
        return "layout(" +
               name(m_given.geometryInput,
                    {{0, "points"}, {1, "lines"}, {10, "lines_adjacency"}, {12, "triangles_adjacency"}}, "triangles") +
               ") in;\nlayout(" + name(m_given.geometryOutput, {{0, "points"}, {3, "line_strip"}}, "triangle_strip") +
               ", max_vertices = " + std::to_string(vertices) + ") out;\n";
    }

    std::string declarations() const
    {
        std::string out;
        std::set<std::string> types;
        for (const FixedState& s : fixedState)
            if (s.type && m_stage.uses(std::string("gl_") + s.name)) types.insert(s.type);
        for (const FixedState& s : structures)
            if (types.count(s.name) > 0 || m_stage.uses(std::string("gl_") + s.name))
                out += std::string(s.declaration) + '\n';
        const bool transforms = m_stage.uses("ftransform");
        const bool vertex = is(GlslStage::Vertex);
        const bool clipping = vertex && !m_program.geometry && !m_program.tessellation && readsVertex();
        for (const FixedState& s : fixedState) {
            const std::string name = s.name;
            if (m_stage.uses("gl_" + name) || (transforms && name == "ModelViewProjectionMatrix") ||
                (clipping && name == "ModelViewMatrix"))
                out += std::string(s.declaration) + '\n';
        }
        if (vertex) {
            if (readsVertex()) out += "in vec4 sofa_Vertex;\n";
            if (m_stage.uses("gl_Normal")) out += "in vec3 sofa_Normal;\n";
            if (m_stage.uses("gl_Color") || passes("FrontColor") || passes("BackColor")) out += "in vec4 sofa_Color;\n";
            for (int i = 0; i < 8; ++i) {
                const std::string name = "MultiTexCoord" + std::to_string(i);
                if (m_stage.uses("gl_" + name)) out += "in vec4 sofa_" + name + ";\n";
            }
            if (transforms) out += "vec4 sofa_ftransform() { return sofa_ModelViewProjectionMatrix * sofa_Vertex; }\n";
        }
        if (clipping) out += "uniform vec4 sofa_ClipEquations[8];\nout float gl_ClipDistance[8];\n";
        if (m_stage.uses("gl_ClipVertex")) out += "vec4 sofa_ClipVertex;\n";
        for (const ShadowFunction& f : shadowFunctions)
            if (m_stage.uses(f.name)) out += std::string(f.definition) + '\n';
        if (is(GlslStage::Geometry)) {
            if (!m_stage.layouts) out += primitives();
            out += block("in", "sofa_in[]") + block("out", "sofa_out");
        } else if (is(GlslStage::Vertex)) {
            out += block("out", "sofa_out");
        } else if (is(GlslStage::TessellationControl)) {
            if (m_stage.uses("gl_TessLevelOuter"))
                out +=
                    "void sofa_setTessLevelOuter(int i, float level) { if (i == 0) gl_TessLevelOuter[0] = level; "
                    "else if (i == 1) gl_TessLevelOuter[1] = level; else if (i == 2) gl_TessLevelOuter[2] = level; "
                    "else gl_TessLevelOuter[3] = level; }\n";
            if (m_stage.uses("gl_TessLevelInner"))
                out +=
                    "void sofa_setTessLevelInner(int i, float level) { if (i == 0) gl_TessLevelInner[0] = level; "
                    "else gl_TessLevelInner[1] = level; }\n";
        } else if (is(GlslStage::TessellationEvaluation)) {
            out += block("out", "sofa_out");
        } else if (is(GlslStage::Fragment)) {
            out += block("in", "sofa_in");
            if (m_stage.uses("gl_Color"))
                out += std::string("vec4 sofa_Color;\n") + (passes("BackColor") ? "uniform bool sofa_TwoSide;\n" : "");
            if (m_stage.uses("gl_SecondaryColor")) out += "vec4 sofa_SecondaryColor;\n";
            if (m_stage.uses("gl_FragData"))
                out += "out vec4 sofa_FragData[8];\n";
            else if (m_stage.uses("gl_FragColor"))
                out += "out vec4 sofa_FragData[1];\n";
        }
        if (writesColors()) out += "uniform bool sofa_ClampColor;\n";
        return out;
    }

    bool readsVertex() const { return m_stage.uses("gl_Vertex") || m_stage.uses("ftransform"); }
    bool writesColors() const { return is(GlslStage::Vertex) && (passes("FrontColor") || passes("BackColor")); }
    bool passes(std::string_view name) const
    {
        return std::any_of(m_program.passed.begin(), m_program.passed.end(),
                           [&](const Varying* v) { return name == v->name; });
    }

    /// The entry point around that of the text: what it does not write has a value, and planes cut.
    std::string wrapper(bool& clips) const
    {
        if (!wraps()) return {};
        std::string before, after;
        if (is(GlslStage::Vertex)) {
            for (const Varying* v : m_program.passed) {
                const std::string name = v->name;
                if (name == "TexCoord")
                    before += " for (int i = 0; i < 8; ++i) sofa_out.TexCoord[i] = vec4(0.0, 0.0, 0.0, 1.0);";
                else if (name == "FrontColor" || name == "BackColor")
                    before += " sofa_out." + name + " = sofa_Color;";
                else if (name == "FogFragCoord")
                    before += " sofa_out.FogFragCoord = 0.0;";
                else
                    before += " sofa_out." + name + " = vec4(0.0, 0.0, 0.0, 1.0);";
                if (name == "FrontColor" || name == "BackColor")
                    after += " if (sofa_ClampColor) sofa_out." + name + " = clamp(sofa_out." + name + ", 0.0, 1.0);";
            }
            if (readsVertex() && !m_program.geometry && !m_program.tessellation) {
                clips = true;
                const bool own = m_stage.uses("gl_ClipVertex");
                if (own) before += " sofa_ClipVertex = sofa_ModelViewMatrix * sofa_Vertex;";
                after += std::string(" vec4 sofa_eye = ") +
                         (own ? "sofa_ClipVertex" : "sofa_ModelViewMatrix * sofa_Vertex") +
                         "; for (int i = 0; i < 8; ++i) gl_ClipDistance[i] = dot(sofa_ClipEquations[i], sofa_eye);";
            }
        } else if (is(GlslStage::Fragment)) {
            if (m_stage.uses("gl_Color"))
                before +=
                    passes("BackColor")
                        ? " sofa_Color = sofa_TwoSide && !gl_FrontFacing ? sofa_in.BackColor : sofa_in.FrontColor;"
                        : " sofa_Color = sofa_in.FrontColor;";
            if (m_stage.uses("gl_SecondaryColor")) before += " sofa_SecondaryColor = sofa_in.FrontSecondaryColor;";
        }
        return "void main() {" + before + " sofa_main();" + after + " }\n";
    }

    const Stage& m_stage;
    const Program& m_program;
    const GlslProgram& m_given;
};

}  // namespace

std::string_view glslStageName(GlslStage stage)
{
    constexpr std::string_view names[] = {"VertexShader", "TessellationControlShader", "TessellationEvaluationShader",
                                          "GeometryShader", "FragmentShader"};
    return names[static_cast<std::size_t>(stage)];
}

std::string glslRenamed(std::string_view name)
{
    return (reservedSince.count(name) > 0 ? "sofa_user_" : "") + std::string(name);
}

GlslTranslation translateGlsl(const GlslProgram& program)
{
    std::vector<Stage> stages;
    Program common;
    for (std::size_t i = 0; i < glslStages; ++i) {
        const auto which = static_cast<GlslStage>(i);
        std::string text = program.source[i];
        if (text.empty() && which == GlslStage::Vertex)
            text =
                "void main() { gl_TexCoord[0] = gl_MultiTexCoord0; gl_FrontColor = gl_Color; "
                "gl_Position = ftransform(); }\n";
        if (text.empty() && which == GlslStage::Fragment) text = "void main() { gl_FragColor = gl_Color; }\n";
        if (text.empty()) continue;
        stages.push_back(readStage(which, text));
        for (const auto& macro : program.macros)
            for (const GlslToken& t : splitGlsl(macro[1]))
                if (t.kind == GlslToken::Word) stages.back().used.insert(t.text);
        common.version = std::max(common.version, stages.back().version);
        common.geometry |= which == GlslStage::Geometry;
        common.tessellation |= which == GlslStage::TessellationControl || which == GlslStage::TessellationEvaluation;
    }
    if (common.tessellation) common.version = std::max(common.version, 400);
    // Values go through all stages if one of them uses them. A fragment shader reads colours of vertices as gl_Color.
    for (const Varying& v : varyings) {
        const std::string name = std::string("gl_") + v.name;
        const bool passed = std::any_of(stages.begin(), stages.end(), [&](const Stage& s) {
            const bool fragment = s.stage == GlslStage::Fragment;
            return s.uses(name) || s.uses(name + "In") || (fragment && name == "gl_FrontColor" && s.uses("gl_Color")) ||
                   (fragment && name == "gl_FrontSecondaryColor" && s.uses("gl_SecondaryColor"));
        });
        if (passed) common.passed.push_back(&v);
    }
    GlslTranslation out;
    for (const Stage& s : stages)
        out.source[static_cast<std::size_t>(s.stage)] = Translator(s, common, program).run(out.clips);
    return out;
}

}  // namespace sofa::gl
