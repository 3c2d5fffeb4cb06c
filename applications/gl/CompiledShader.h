// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "applications/gl/Camera.h"
#include "applications/gl/Functions.h"
#include "core/visual/ShaderDescription.h"

namespace sofa::gl {

/// The entries in single precision, as OpenGL takes them.
std::array<float, 16> singlePrecision(const Matrix& m);

/// A program, or the knowledge that it does not work.
struct CompiledShader
{
    struct Uniform
    {
        GLint location = -1;
        GLenum type = 0;
        int size = 1;

        bool isSampler() const;
        bool isInteger() const;
    };

    explicit CompiledShader(const Functions& functions) : gl(functions) {}
    ~CompiledShader() { gl.DeleteProgram(id); }
    CompiledShader(const CompiledShader&) = delete;
    CompiledShader& operator=(const CompiledShader&) = delete;

    /// Reads the files, translates, compiles and links them. What fails is reported at `path`, the shader's in the
    /// scene.
    void compile(const std::string& path);
    /// When the files of a program were written last, as one number: it changes with any of them.
    static std::uint64_t timeOf(const ShaderDescription::Program& files);

    const Uniform* find(std::string_view name) const
    {
        const auto u = uniforms.find(name);
        return u == uniforms.end() ? nullptr : &u->second;
    }
    // Values of uniforms; those that it does not have are left out.
    void set(std::string_view name, float v) const;
    void set(std::string_view name, int v) const;
    void set(std::string_view name, const Vec<2, float>& v) const;
    void set(std::string_view name, const Vec3f& v) const;
    void set(std::string_view name, const Vec<4, float>& v) const;
    void set(std::string_view name, const Matrix& m) const;

    const Functions& gl;
    // What it was made from.
    ShaderDescription::Program files;
    std::vector<ShaderDescription::Macro> macros;
    std::array<int, 3> geometry{};
    std::vector<std::string> attributes;
    int active = 0;
    std::uint64_t written = 0;  ///< when its files were

    GLuint id = 0;  ///< 0: it does not work
    bool clips = false, tessellates = false;
    std::map<std::string, Uniform, std::less<>> uniforms;

    /// The uniform that the scene calls so: names that became words of the language have another one here.
    const Uniform* given(std::string_view name) const;

private:
    mutable std::map<std::string, const Uniform*, std::less<>> m_given;
};

}  // namespace sofa::gl
