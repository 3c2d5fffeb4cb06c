// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Program.h"

namespace sofa::gl {

Program::Program(const Functions& gl, const std::vector<ShaderStage>& stages,
                 const std::vector<std::pair<std::string, unsigned>>& attributes)
    : m_gl(gl)
{
    const auto log = [](auto length, auto read) {
        std::string text(static_cast<std::size_t>(std::max(length, 1)), '\0');
        GLsizei used = 0;
        read(length, &used, text.data());
        text.resize(static_cast<std::size_t>(used));
        return text;
    };
    m_id = gl.CreateProgram();
    std::vector<GLuint> shaders;
    const auto discard = [&] {
        for (const GLuint s : shaders) gl.DeleteShader(s);
    };
    for (const ShaderStage& stage : stages) {
        const GLuint s = gl.CreateShader(stage.type);
        shaders.push_back(s);
        const char* text = stage.source.c_str();
        gl.ShaderSource(s, 1, &text, nullptr);
        gl.CompileShader(s);
        GLint good = 0, length = 0;
        gl.GetShaderiv(s, GL_COMPILE_STATUS, &good);
        if (!good) {
            gl.GetShaderiv(s, GL_INFO_LOG_LENGTH, &length);
            const std::string said =
                log(length, [&](GLint n, GLsizei* used, char* out) { gl.GetShaderInfoLog(s, n, used, out); });
            discard();
            gl.DeleteProgram(m_id);
            throw GlError(stage.name + ": " + said);
        }
        gl.AttachShader(m_id, s);
    }
    for (const auto& [name, number] : attributes) gl.BindAttribLocation(m_id, number, name.c_str());
    gl.LinkProgram(m_id);
    discard();
    GLint good = 0, length = 0;
    gl.GetProgramiv(m_id, GL_LINK_STATUS, &good);
    if (!good) {
        gl.GetProgramiv(m_id, GL_INFO_LOG_LENGTH, &length);
        const std::string said =
            log(length, [&](GLint n, GLsizei* used, char* out) { gl.GetProgramInfoLog(m_id, n, used, out); });
        gl.DeleteProgram(m_id);
        std::string names;
        for (const ShaderStage& stage : stages) names += (names.empty() ? "" : ", ") + stage.name;
        throw GlError("linking " + names + ": " + said);
    }
}

Program::~Program() { m_gl.DeleteProgram(m_id); }

GLint Program::location(std::string_view name) const
{
    const auto known = m_locations.find(name);
    if (known != m_locations.end()) return known->second;
    std::string text(name);
    const GLint l = m_gl.GetUniformLocation(m_id, text.c_str());
    m_locations.emplace(std::move(text), l);
    return l;
}

void Program::set(std::string_view name, const Matrix& m) const
{
    float f[16];
    for (std::size_t i = 0; i < 16; ++i) f[i] = static_cast<float>(m[i]);
    m_gl.UniformMatrix4fv(location(name), 1, GL_FALSE, f);
}

}  // namespace sofa::gl
