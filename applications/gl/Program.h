// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "applications/gl/Functions.h"

namespace sofa::gl {

/// One stage of a program.
struct ShaderStage
{
    GLenum type;
    std::string source;
    std::string name;  ///< of the file, for messages
};

/// A linked program of the GPU. The numbers of uniforms are looked up once.
class Program
{
public:
    /// Compiles and links. `attributes`: numbers of vertex attributes that the sources do not give themselves. Throws
    /// GlError with the driver's log.
    Program(const Functions& gl, const std::vector<ShaderStage>& stages,
            const std::vector<std::pair<std::string, unsigned>>& attributes = {});
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    GLuint id() const { return m_id; }
    void use() const { m_gl.UseProgram(m_id); }
    /// −1 if the program does not use it.
    GLint location(std::string_view name) const;
    bool has(std::string_view name) const { return location(name) >= 0; }

    // Values of the program in use; those that it does not have are skipped.
    void set(std::string_view name, int v) const { m_gl.Uniform1i(location(name), v); }
    void set(std::string_view name, float v) const { m_gl.Uniform1f(location(name), v); }
    void set(std::string_view name, const Vec<4, float>& v) const { m_gl.Uniform4fv(location(name), 1, v.data()); }
    void set(std::string_view name, const Vec3f& v) const { m_gl.Uniform3fv(location(name), 1, v.data()); }
    void set(std::string_view name, const Color& c) const { set(name, c.rgba); }
    void set(std::string_view name, const Matrix& m) const;

private:
    const Functions& m_gl;
    GLuint m_id = 0;
    mutable std::map<std::string, GLint, std::less<>> m_locations;
};

}  // namespace sofa::gl
