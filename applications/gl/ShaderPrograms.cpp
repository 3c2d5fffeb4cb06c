// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/ShaderPrograms.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <iterator>
#include <numbers>

#include "applications/gl/Shaders.h"
#include "applications/gl/ShadowMaps.h"

namespace sofa::gl {

namespace {

constexpr int maxLights = 8, maxPlanes = 8, maxUnits = 16;

Matrix transposed(const Matrix& m)
{
    Matrix t;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) t[4 * j + i] = m[4 * i + j];
    return t;
}

constexpr Matrix identity{1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.};

}  // namespace

ShaderPrograms::ShaderPrograms(const Functions& gl, TextureCache& textures) : m_gl(gl), m_textures(textures) {}

ShaderPrograms::~ShaderPrograms()
{
    if (m_screen) m_gl.DeleteVertexArrays(1, &m_screen);
    if (m_corners) m_gl.DeleteBuffers(1, &m_corners);
}

void ShaderPrograms::beginFrame()
{
    std::erase_if(m_programs, [](const auto& p) { return p->written != CompiledShader::timeOf(p->files); });
}

const CompiledShader* ShaderPrograms::find(const ShaderDescription& shader, std::span<const VertexAttribute> attributes)
{
    if (shader.programs.empty()) return nullptr;
    const int active = std::clamp(shader.active, 0, static_cast<int>(shader.programs.size()) - 1);
    const auto& files = shader.programs[static_cast<std::size_t>(active)];
    const auto isActive = [active](const ShaderDescription::Macro& m) { return m.shader == active; };
    const auto hasMacros = [&](const CompiledShader& p) {
        auto next = p.macros.begin();
        for (const auto& m : shader.macros)
            if (isActive(m) && (next == p.macros.end() || !(*next++ == m))) return false;
        return next == p.macros.end();
    };
    const std::array<int, 3> geometry{shader.geometryInput, shader.geometryOutput, shader.geometryVertices};
    for (const auto& p : m_programs)
        if (p->files == files && p->geometry == geometry && hasMacros(*p) &&
            std::ranges::equal(p->attributes, attributes, {}, {}, &VertexAttribute::name))
            return p->id ? p.get() : nullptr;
    auto program = std::make_unique<CompiledShader>(m_gl);
    program->files = files;
    std::ranges::copy_if(shader.macros, std::back_inserter(program->macros), isActive);
    program->geometry = geometry;
    for (const VertexAttribute& a : attributes) program->attributes.push_back(a.name);
    program->active = active;
    program->written = CompiledShader::timeOf(files);
    program->compile(shader.path);
    m_programs.push_back(std::move(program));
    return m_programs.back()->id ? m_programs.back().get() : nullptr;
}

void ShaderPrograms::beginView(const DrawList& list, const Camera& camera, const std::optional<Vec<4, float>>& clip)
{
    m_clip = clip;
    m_list = &list;
    m_camera = camera;
}

void ShaderPrograms::setMatrices(const CompiledShader& p, const Matrix& modelView, const Matrix& projection) const
{
    const Matrix both = projection * modelView;
    constexpr std::array<const char*, 3> names[] = {
        {"sofa_ModelViewMatrix", "sofa_ModelViewMatrixInverse", "sofa_ModelViewMatrixTranspose"},
        {"sofa_ProjectionMatrix", "sofa_ProjectionMatrixInverse", "sofa_ProjectionMatrixTranspose"},
        {"sofa_ModelViewProjectionMatrix", "sofa_ModelViewProjectionMatrixInverse",
         "sofa_ModelViewProjectionMatrixTranspose"}};
    const Matrix* matrices[] = {&modelView, &projection, &both};
    for (std::size_t i = 0; i < std::size(names); ++i) {
        p.set(names[i][0], *matrices[i]);
        if (p.find(names[i][1])) p.set(names[i][1], inverse(*matrices[i]));
        if (p.find(names[i][2])) p.set(names[i][2], transposed(*matrices[i]));
    }
    const Matrix t = transposed(inverse(modelView));
    p.set("sofa_ModelViewMatrixInverseTranspose", t);
    if (const auto* u = p.find("sofa_NormalMatrix")) {
        std::array<float, 9> n;
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t i = 0; i < 3; ++i) n[3 * j + i] = static_cast<float>(t[4 * j + i]);
        m_gl.UniformMatrix3fv(u->location, 1, GL_FALSE, n.data());
    }
    if (const auto* u = p.find("sofa_TextureMatrix")) {
        std::array<std::array<float, 16>, 8> units;
        units.fill(singlePrecision(identity));
        m_gl.UniformMatrix4fv(u->location, std::min(u->size, 8), GL_FALSE, units[0].data());
    }
}

namespace {

/// Names of the members of a light, and of its products with a material.
struct LightNames
{
    std::string ambient, diffuse, specular, position, halfVector, spotDirection, spotExponent, spotCutoff,
        spotCosCutoff, constantAttenuation, linearAttenuation, quadraticAttenuation;
    std::array<std::array<std::string, 3>, 2> products;  ///< front and back: ambient, diffuse, specular
};

const std::array<LightNames, maxLights>& lightNames()
{
    static const auto all = [] {
        std::array<LightNames, maxLights> names;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string number = "[" + std::to_string(i) + "].", light = "sofa_LightSource" + number;
            names[i] = {light + "ambient",
                        light + "diffuse",
                        light + "specular",
                        light + "position",
                        light + "halfVector",
                        light + "spotDirection",
                        light + "spotExponent",
                        light + "spotCutoff",
                        light + "spotCosCutoff",
                        light + "constantAttenuation",
                        light + "linearAttenuation",
                        light + "quadraticAttenuation",
                        {}};
            for (const bool back : {false, true}) {
                const std::string product = std::string("sofa_") + (back ? "Back" : "Front") + "LightProduct" + number;
                names[i].products[back] = {product + "ambient", product + "diffuse", product + "specular"};
            }
        }
        return names;
    }();
    return all;
}

}  // namespace

/// As fixed-function OpenGL has it: ambient, diffuse and specular light of one colour, in the camera's frame.
void ShaderPrograms::setLights(const CompiledShader& p, const SurfaceDescription* surface) const
{
    LightDescription viewers;  // at the camera
    viewers.direction = m_camera.orientation.rotate({0., 0., 1.});
    const bool own = m_list->lights.empty();
    const auto lights = own ? std::span<const LightDescription>(&viewers, 1) : std::span(m_list->lights);
    const Color given = m_list->lighting ? m_list->lighting->ambient : Color(0.2f, 0.2f, 0.2f);
    p.set("sofa_LightModel.ambient", given.rgba);
    static const SurfaceDescription plain;
    const SurfaceDescription& s = surface ? *surface : plain;
    const auto times = [](const Color& a, const Color& b) {
        return Vec<4, float>{a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
    };
    Vec<4, float> scene = times(given, s.ambient);
    if (s.useEmissive) scene += s.emissive.rgba;
    for (const char* name : {"sofa_FrontLightModelProduct.sceneColor", "sofa_BackLightModelProduct.sceneColor"})
        p.set(name, Vec<4, float>{scene[0], scene[1], scene[2], s.diffuse[3]});
    const Matrix view = m_camera.view();
    for (std::size_t i = 0; i < static_cast<std::size_t>(maxLights); ++i) {
        const LightNames& names = lightNames()[i];
        LightDescription light;
        const bool there = i < lights.size();
        if (there) light = lights[i];
        const Color color = there ? light.color : Color(0.f, 0.f, 0.f);
        const Color ambient = there && !own ? color : Color(0.f, 0.f, 0.f);
        const auto rotated = [&](const Vec3& d) {
            if (light.fixedToCamera) return d;
            const Vec4 a = transform(view, d), b = transform(view, Vec3{});
            return Vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
        };
        Vec<4, float> position{0.f, 0.f, 1.f, 0.f};
        const bool directional = light.kind == LightDescription::Kind::Directional;
        if (directional) {
            const Vec3 d = rotated(light.direction);
            position = {static_cast<float>(d[0]), static_cast<float>(d[1]), static_cast<float>(d[2]), 0.f};
        } else {
            const Vec4 x = light.fixedToCamera ? Vec4{light.position[0], light.position[1], light.position[2], 1.}
                                               : transform(view, light.position);
            position = {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2]), 1.f};
        }
        const bool spot = light.kind == LightDescription::Kind::Spot;
        const float cutoff = spot ? light.cutoff : 180.f;
        p.set(names.ambient, ambient.rgba);
        p.set(names.diffuse, color.rgba);
        p.set(names.specular, color.rgba);
        p.set(names.position, position);
        // Between the direction to the light and that to a viewer at infinity.
        Vec3 half{static_cast<double>(position[0]), static_cast<double>(position[1]), static_cast<double>(position[2])};
        half = normalized(normalized(half, {0., 0., 1.}) + Vec3{0., 0., 1.}, {0., 0., 1.});
        p.set(names.halfVector, Vec<4, float>{static_cast<float>(half[0]), static_cast<float>(half[1]),
                                              static_cast<float>(half[2]), 0.f});
        p.set(names.spotDirection, Vec3f(spot ? rotated(light.direction) : Vec3{0., 0., -1.}));
        p.set(names.spotExponent, spot ? light.exponent : 0.f);
        p.set(names.spotCutoff, cutoff);
        p.set(names.spotCosCutoff, spot ? std::cos(cutoff * std::numbers::pi_v<float> / 180.f) : -1.f);
        p.set(names.constantAttenuation, 1.f);
        p.set(names.linearAttenuation, directional ? 0.f : light.attenuation);
        p.set(names.quadraticAttenuation, 0.f);
        for (const auto& product : names.products) {
            p.set(product[0], times(ambient, s.ambient));
            p.set(product[1], times(color, s.diffuse));
            p.set(product[2], s.useSpecular ? times(color, s.specular) : Vec<4, float>{0.f, 0.f, 0.f, 1.f});
        }
    }
}

void ShaderPrograms::setMaterial(const CompiledShader& p, const SurfaceDescription& s) const
{
    const Vec<4, float> black{0.f, 0.f, 0.f, 1.f};
    constexpr std::array<const char*, 5> names[] = {
        {"sofa_FrontMaterial.emission", "sofa_FrontMaterial.ambient", "sofa_FrontMaterial.diffuse",
         "sofa_FrontMaterial.specular", "sofa_FrontMaterial.shininess"},
        {"sofa_BackMaterial.emission", "sofa_BackMaterial.ambient", "sofa_BackMaterial.diffuse",
         "sofa_BackMaterial.specular", "sofa_BackMaterial.shininess"}};
    for (const auto& name : names) {
        p.set(name[0], s.useEmissive ? s.emissive.rgba : black);
        p.set(name[1], s.ambient.rgba);
        p.set(name[2], s.diffuse.rgba);
        p.set(name[3], s.useSpecular ? s.specular.rgba : black);
        p.set(name[4], s.shininess);
    }
}

/// Values of the scene's elements, and images: each sampler has a unit that fits its kind.
void ShaderPrograms::setValues(const CompiledShader& p, const ShaderDescription& shader,
                               std::span<const PassImage> images)
{
    for (const UniformDescription& u : shader.uniforms) {
        if (u.shader != p.active) continue;
        const CompiledShader::Uniform* to = p.given(u.name);
        if (!to) continue;
        const int count = std::min(u.count, to->size);
        if (to->isInteger()) {
            m_integers.assign(u.integers.begin(), u.integers.end());
            if (m_integers.empty()) m_integers.assign(u.values.begin(), u.values.end());
            const std::vector<int>& v = m_integers;
            switch (u.rows) {
                case 1:
                    m_gl.Uniform1iv(to->location, count, v.data());
                    break;
                case 2:
                    m_gl.Uniform2iv(to->location, count, v.data());
                    break;
                case 3:
                    m_gl.Uniform3iv(to->location, count, v.data());
                    break;
                default:
                    m_gl.Uniform4iv(to->location, count, v.data());
            }
            continue;
        }
        m_numbers.assign(u.values.begin(), u.values.end());
        if (m_numbers.empty()) m_numbers.assign(u.integers.begin(), u.integers.end());
        const std::vector<float>& v = m_numbers;
        const GLboolean turned = u.transpose ? GL_TRUE : GL_FALSE;
        if (u.columns == 1) {
            const decltype(m_gl.Uniform1fv) vectors[] = {m_gl.Uniform1fv, m_gl.Uniform2fv, m_gl.Uniform3fv,
                                                         m_gl.Uniform4fv};
            vectors[u.rows - 1](to->location, count, v.data());
        } else {
            const decltype(m_gl.UniformMatrix2fv) matrices[][3] = {
                {m_gl.UniformMatrix2fv, m_gl.UniformMatrix2x3fv, m_gl.UniformMatrix2x4fv},
                {m_gl.UniformMatrix3x2fv, m_gl.UniformMatrix3fv, m_gl.UniformMatrix3x4fv},
                {m_gl.UniformMatrix4x2fv, m_gl.UniformMatrix4x3fv, m_gl.UniformMatrix4fv}};
            matrices[u.columns - 2][u.rows - 2](to->location, count, turned, v.data());
        }
    }
    std::bitset<maxUnits> taken(1);
    m_told.clear();
    const auto bind = [&](std::string_view name, int unit, GLenum target, GLuint id) {
        if (unit >= maxUnits) return;
        m_gl.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        m_gl.BindTexture(target, id);
        taken.set(static_cast<std::size_t>(unit));
        if (const CompiledShader::Uniform* u = p.given(name)) {
            if (u->isInteger()) m_gl.Uniform1i(u->location, unit);
            m_told.push_back(u->location);
        }
    };
    int next = 0;
    for (const auto& [name, id] : images) bind(name, next++, GL_TEXTURE_2D, id);
    for (const TextureDescription& t : shader.textures) {
        if (t.shader != p.active || t.unit < 0 || t.unit >= maxUnits) continue;
        const Texture image = m_textures.get(t);
        int unit = t.unit;
        if (!images.empty())
            while (taken[static_cast<std::size_t>(unit)] && unit < maxUnits - 1) ++unit;
        bind(t.uniform, unit, image.target, image.id);
    }
    // What nobody told samples unit 0, as in OpenGL; two kinds of samplers cannot share a unit.
    int free = maxUnits - 1;
    for (const auto& [name, u] : p.uniforms) {
        if (!u.isSampler() || std::ranges::find(m_told, u.location) != m_told.end()) continue;
        if (u.type == GL_SAMPLER_2D) {
            m_gl.Uniform1i(u.location, 0);
            continue;
        }
        while (free > 0 && taken[static_cast<std::size_t>(free)]) --free;
        m_gl.Uniform1i(u.location, free);
        taken.set(static_cast<std::size_t>(free));
    }
    m_gl.ActiveTexture(GL_TEXTURE0);
}

void ShaderPrograms::setClipping(const CompiledShader& p, std::uint32_t scope, const Matrix& view)
{
    if (!p.clips) return;
    const auto* u = p.find("sofa_ClipEquations");
    if (!u) return;
    // A plane of the world, times the inverse of the view, is the plane of the camera's frame.
    const Matrix back = inverse(view);
    std::array<float, 4 * maxPlanes> equations{};
    m_list->clipPlanesOf(scope, m_planes);
    if (m_clip) m_planes.insert(m_planes.begin(), *m_clip);
    m_clipping = std::min(static_cast<int>(m_planes.size()), maxPlanes);
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_clipping); ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            double sum = 0.;
            for (std::size_t k = 0; k < 4; ++k) sum += static_cast<double>(m_planes[i][k]) * back[4 * j + k];
            equations[4 * i + j] = static_cast<float>(sum);
        }
    m_gl.Uniform4fv(u->location, maxPlanes, equations.data());
    for (int i = 0; i < m_clipping; ++i) m_gl.Enable(GL_CLIP_DISTANCE0 + static_cast<GLenum>(i));
}

bool ShaderPrograms::use(const DrawItem& item)
{
    const ShaderDescription* shader = m_list->shaderOf(item.scope);
    if (!shader || !item.geometry) return false;
    const CompiledShader* p = find(*shader, item.geometry->attributes);
    if (!p) return false;
    m_current = p;
    m_gl.UseProgram(p->id);
    const Matrix view = m_camera.view();
    const auto frame = m_list->frameOf(item.scope);
    setMatrices(*p, frame ? view * matrixOf(*frame) : view, m_camera.projection());
    setLights(*p, item.style.surface.get());
    SurfaceDescription plain;
    plain.diffuse = item.style.color;
    setMaterial(*p, item.style.surface ? *item.style.surface : plain);
    setClipping(*p, item.scope, view);
    p->set("sofa_TwoSide", shader->backfaceWriting ? 1 : 0);
    p->set("sofa_ClampColor", shader->clampVertexColor ? 1 : 0);
    // The model's own image is at unit 0, where samplers look that nobody told.
    m_gl.ActiveTexture(GL_TEXTURE0);
    const auto* image = item.style.surface ? item.style.surface->texture.get() : nullptr;
    m_gl.BindTexture(GL_TEXTURE_2D, image ? m_textures.get(item.style.surface->texture).id : 0);
    setValues(*p, *shader, {});
    if (item.geometry->colors.empty()) m_gl.VertexAttrib4f(ColorAttribute, 1.f, 1.f, 1.f, 1.f);
    if (p->tessellates) {
        m_gl.PatchParameteri(GL_PATCH_VERTICES, 3);
        if (m_gl.PatchParameterfv) {
            std::array<float, 4> levels;
            levels.fill(shader->tessellationOuter);
            m_gl.PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels.data());
            levels.fill(shader->tessellationInner);
            m_gl.PatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels.data());
        }
    }
    return true;
}

GLenum ShaderPrograms::primitive(const DrawItem& item) const
{
    using Primitive = SurfaceDescription::Primitive;
    const Primitive wanted = item.style.surface ? item.style.surface->primitive : Primitive::Triangles;
    if (m_current && m_current->tessellates) return GL_PATCHES;
    if (wanted == Primitive::LinesAdjacency) return GL_LINES_ADJACENCY;
    return GL_TRIANGLES;
}

void ShaderPrograms::done()
{
    for (int i = 0; i < m_clipping; ++i) m_gl.Disable(GL_CLIP_DISTANCE0 + static_cast<GLenum>(i));
    m_clipping = 0;
    m_current = nullptr;
    m_gl.UseProgram(0);
    m_gl.ActiveTexture(GL_TEXTURE0);
}

bool ShaderPrograms::drawPass(const ShaderDescription& shader, std::span<const PassImage> images, int width, int height,
                              double zNear, double zFar)
{
    const CompiledShader* p = find(shader, {});
    if (!p) return false;
    if (m_screen == 0) {
        // Corners and, behind each, where they are in the images.
        constexpr float corners[] = {-1.f, -1.f, 0.f, 0.f, 1.f, -1.f, 1.f, 0.f,
                                     -1.f, 1.f,  0.f, 1.f, 1.f, 1.f,  1.f, 1.f};
        m_gl.GenVertexArrays(1, &m_screen);
        m_gl.GenBuffers(1, &m_corners);
        m_gl.BindVertexArray(m_screen);
        m_gl.BindBuffer(GL_ARRAY_BUFFER, m_corners);
        m_gl.BufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
        for (const unsigned place : {unsigned{PositionAttribute}, unsigned{TexCoordAttribute}}) {
            const std::size_t offset = place == PositionAttribute ? 0 : 2 * sizeof(float);
            m_gl.EnableVertexAttribArray(place);
            m_gl.VertexAttribPointer(place, 2, GL_FLOAT, GL_FALSE, 4 * sizeof(float),
                                     reinterpret_cast<const void*>(offset));
        }
        m_gl.BindBuffer(GL_ARRAY_BUFFER, 0);
    }
    m_gl.UseProgram(p->id);
    setMatrices(*p, identity, identity);
    if (m_list) setLights(*p, nullptr);
    setMaterial(*p, SurfaceDescription{});
    setValues(*p, shader, images);
    p->set("width", width);
    p->set("height", height);
    p->set("pixelSize", Vec<2, float>{1.f / static_cast<float>(width), 1.f / static_cast<float>(height)});
    p->set("zNear", static_cast<float>(zNear));
    p->set("zFar", static_cast<float>(zFar));
    m_gl.BindVertexArray(m_screen);
    m_gl.VertexAttrib4f(ColorAttribute, 1.f, 1.f, 1.f, 1.f);
    m_gl.VertexAttrib3f(NormalAttribute, 0.f, 0.f, 1.f);
    m_gl.Disable(GL_DEPTH_TEST);
    m_gl.Disable(GL_BLEND);
    m_gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    m_gl.BindVertexArray(0);
    m_gl.UseProgram(0);
    for (std::size_t i = images.size(); i-- > 0;) {
        m_gl.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
        m_gl.BindTexture(GL_TEXTURE_2D, 0);
    }
    m_gl.ActiveTexture(GL_TEXTURE0);
    return true;
}

}  // namespace sofa::gl
