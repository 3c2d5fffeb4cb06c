// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/CompiledShader.h"

#include <sys/stat.h>

#include <algorithm>
#include <stdexcept>

#include "applications/gl/GlslLog.h"
#include "applications/gl/GlslTranslator.h"
#include "applications/gl/Shaders.h"
#include "core/io/TextScanner.h"
#include "core/log/Message.h"

namespace sofa::gl {

std::array<float, 16> singlePrecision(const Matrix& m)
{
    std::array<float, 16> out;
    for (std::size_t i = 0; i < 16; ++i) out[i] = static_cast<float>(m[i]);
    return out;
}

bool CompiledShader::Uniform::isSampler() const
{
    switch (type) {
        case GL_SAMPLER_1D:
        case GL_SAMPLER_2D:
        case GL_SAMPLER_3D:
        case GL_SAMPLER_CUBE:
        case GL_SAMPLER_1D_SHADOW:
        case GL_SAMPLER_2D_SHADOW:
        case GL_SAMPLER_2D_RECT:
        case GL_SAMPLER_2D_RECT_SHADOW:
        case GL_SAMPLER_1D_ARRAY:
        case GL_SAMPLER_2D_ARRAY:
            return true;
        default:
            return false;
    }
}

bool CompiledShader::Uniform::isInteger() const
{
    switch (type) {
        case GL_INT:
        case GL_INT_VEC2:
        case GL_INT_VEC3:
        case GL_INT_VEC4:
        case GL_BOOL:
        case GL_BOOL_VEC2:
        case GL_BOOL_VEC3:
        case GL_BOOL_VEC4:
            return true;
        default:
            return isSampler();
    }
}

void CompiledShader::set(std::string_view name, float v) const
{
    if (const Uniform* u = find(name))
        u->isInteger() ? gl.Uniform1i(u->location, static_cast<int>(v)) : gl.Uniform1f(u->location, v);
}

void CompiledShader::set(std::string_view name, int v) const
{
    if (const Uniform* u = find(name))
        u->isInteger() ? gl.Uniform1i(u->location, v) : gl.Uniform1f(u->location, static_cast<float>(v));
}

void CompiledShader::set(std::string_view name, const Vec<2, float>& v) const
{
    if (const Uniform* u = find(name)) gl.Uniform2fv(u->location, 1, v.data());
}

void CompiledShader::set(std::string_view name, const Vec3f& v) const
{
    if (const Uniform* u = find(name)) gl.Uniform3fv(u->location, 1, v.data());
}

void CompiledShader::set(std::string_view name, const Vec<4, float>& v) const
{
    if (const Uniform* u = find(name)) gl.Uniform4fv(u->location, 1, v.data());
}

void CompiledShader::set(std::string_view name, const Matrix& m) const
{
    if (const Uniform* u = find(name)) gl.UniformMatrix4fv(u->location, 1, GL_FALSE, singlePrecision(m).data());
}

const CompiledShader::Uniform* CompiledShader::given(std::string_view name) const
{
    const auto known = m_given.find(name);
    if (known != m_given.end()) return known->second;
    const Uniform* u = find(glslRenamed(name));
    m_given.emplace(std::string(name), u);
    return u;
}

std::uint64_t CompiledShader::timeOf(const ShaderDescription::Program& files)
{
    std::uint64_t sum = 0;
    for (const std::string* file :
         {&files.vertex, &files.tessellationControl, &files.tessellationEvaluation, &files.geometry, &files.fragment}) {
        struct ::stat info;
        if (file->empty() || ::stat(file->c_str(), &info) != 0) continue;
        const auto time = static_cast<std::uint64_t>(info.st_mtim.tv_sec) * 1000000000u +
                          static_cast<std::uint64_t>(info.st_mtim.tv_nsec);
        sum = (sum ^ time) * 1099511628211u + static_cast<std::uint64_t>(info.st_size);
    }
    return sum;
}

void CompiledShader::compile(const std::string& path)
{
    const auto report = [&](const std::string& text) {
        MessageLog::emit(Severity::Error, text + "the default shading is used instead", {}, path);
    };
    using Files = ShaderDescription::Program;
    constexpr std::string Files::*stages[] = {&Files::vertex, &Files::tessellationControl,
                                              &Files::tessellationEvaluation, &Files::geometry, &Files::fragment};
    constexpr GLenum kinds[] = {GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER,
                                GL_FRAGMENT_SHADER};
    GlslProgram source;
    for (std::size_t i = 0; i < glslStages; ++i) {
        const std::string& file = files.*stages[i];
        if (file.empty()) continue;
        try {
            source.source[i] = io::loadBytes(file).text;
        } catch (const std::runtime_error& e) {
            return report(std::string("the shader file cannot be read: ") + e.what() + "; ");
        }
        std::erase(source.source[i], '\r');
    }
    tessellates = !source.source[2].empty();
    if (tessellates && !gl.PatchParameteri) return report("the OpenGL that is used here has no tessellation shaders; ");
    for (const auto& m : macros) source.macros.push_back({m.name, m.value});
    source.geometryInput = geometry[0];
    source.geometryOutput = geometry[1];
    source.geometryVertices = geometry[2];
    const GlslTranslation translation = translateGlsl(source);
    clips = translation.clips;

    const GLuint made = gl.CreateProgram();
    std::string faults;
    for (std::size_t i = 0; i < glslStages; ++i) {
        if (translation.source[i].empty()) continue;
        const GLuint shader = gl.CreateShader(kinds[i]);
        const char* text = translation.source[i].c_str();
        gl.ShaderSource(shader, 1, &text, nullptr);
        gl.CompileShader(shader);
        GLint good = 0, length = 0;
        gl.GetShaderiv(shader, GL_COMPILE_STATUS, &good);
        if (!good) {
            gl.GetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
            std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
            gl.GetShaderInfoLog(shader, length, nullptr, log.data());
            faults += locateGlslLog(log.c_str(), files.*stages[i]);
        }
        gl.AttachShader(made, shader);
        gl.DeleteShader(shader);
    }
    if (!faults.empty()) {
        gl.DeleteProgram(made);
        return report("the shader does not compile:\n" + faults);
    }
    constexpr std::pair<const char*, unsigned> places[] = {{"sofa_Vertex", PositionAttribute},
                                                           {"sofa_Normal", NormalAttribute},
                                                           {"sofa_Color", ColorAttribute},
                                                           {"sofa_MultiTexCoord0", TexCoordAttribute},
                                                           {"sofa_MultiTexCoord1", TangentAttribute},
                                                           {"sofa_MultiTexCoord2", BitangentAttribute}};
    for (const auto& [name, place] : places) gl.BindAttribLocation(made, place, name);
    for (std::size_t i = 0; i < attributes.size(); ++i)
        gl.BindAttribLocation(made, FirstCustomAttribute + static_cast<unsigned>(i),
                              glslRenamed(attributes[i]).c_str());
    gl.LinkProgram(made);
    GLint good = 0, count = 0;
    gl.GetProgramiv(made, GL_LINK_STATUS, &good);
    if (!good) {
        GLint length = 0;
        gl.GetProgramiv(made, GL_INFO_LOG_LENGTH, &length);
        std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
        gl.GetProgramInfoLog(made, length, nullptr, log.data());
        gl.DeleteProgram(made);
        return report("the stages of the shader (" + files.vertex + ", " + files.fragment + ") do not fit together:\n" +
                      log.c_str() + "\n");
    }
    id = made;
    gl.GetProgramiv(id, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; ++i) {
        char name[256] = {};
        Uniform u;
        gl.GetActiveUniform(id, static_cast<GLuint>(i), sizeof name, nullptr, &u.size, &u.type, name);
        u.location = gl.GetUniformLocation(id, name);
        std::string key = name;
        if (key.size() > 3 && key.compare(key.size() - 3, 3, "[0]") == 0) key.resize(key.size() - 3);
        if (u.location >= 0) uniforms[key] = u;
    }
}

}  // namespace sofa::gl
