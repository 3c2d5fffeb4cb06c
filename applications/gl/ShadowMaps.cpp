// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/ShadowMaps.h"

#include <algorithm>

#include "applications/gl/Shaders.h"
#include "core/visual/ViewMatrices.h"

namespace sofa::gl {

namespace {

constexpr const char* depthAttributes = "layout(location = 0) in vec3 aPosition;\n";
constexpr const char* depthVertex = R"(
#ifdef INSTANCED
layout(location = 6) in vec3 iAxisX;
layout(location = 7) in vec3 iAxisY;
layout(location = 8) in vec3 iAxisZ;
layout(location = 9) in vec3 iCenter;
#endif
uniform mat4 uLight;
void main()
{
    vec3 p = aPosition;
#ifdef INSTANCED
    p = iAxisX * p.x + iAxisY * p.y + iAxisZ * p.z + iCenter;
#endif
    gl_Position = uLight * vec4(p, 1.0);
}
)";
constexpr const char* depthFragment = "#version 330 core\nvoid main() {}\n";

/// Of curved triangles as the viewer sees them: their shadows have the same flat parts.
constexpr const char* depthPixel = R"(
uniform mat4 uSeen;
uniform float uPixel;
vec2 pixelAt(vec3 p)
{
    float depth = (uSeen * vec4(p, 1.0)).w;
    return vec2(depth, uPixel * depth);
}
)";

/// Which part of the pixels of the map around a point are farther from the light than its face would be there: the
/// plane of the face goes on over them (J. Isidoro, "Shadow mapping: GPU-based tips and techniques", GDC 2006), so that
/// no surface shadows itself however wide the edge is. What is left is less than a pixel; by that much the point is
/// moved along its normal. Pixels count by a bell around the point; a fetch takes two by two of them in their
/// proportions (I. Castaño, "Shadow mapping summary", 2013), so that edges have no steps.
constexpr const char* shadowFunction = R"(
uniform mat4 uShadowMatrix[4];
uniform vec4 uShadowShape[4];  // size of a pixel [m], at 1 m of a spot; 1: spot; half width of the edge [pixel]; 1 / size
uniform sampler2DShadow uShadow0, uShadow1, uShadow2, uShadow3;
float lit(int map, vec3 at)
{
    return map == 0 ? texture(uShadow0, at)
         : map == 1 ? texture(uShadow1, at)
         : map == 2 ? texture(uShadow2, at)
                    : texture(uShadow3, at);
}
float bell(float x)
{
    float y = max(1.0 - x * x, 0.0);
    return y * y;
}
float shadowOf(int light, vec3 world, vec3 normal, vec3 face)
{
    int map = int(floor(uLights[light].falloff.z + 0.5));
    if (map < 0) return 1.0;
    vec4 shape = uShadowShape[map];
    vec3 l = uLights[light].position.xyz;
    float range = 1.0;
    if (uLights[light].position.w > 0.5) {
        l -= (uView * vec4(world, 1.0)).xyz;
        range = length(l);
        l /= max(range, 1e-30);
    }
    float facing = max(dot(normal, l), 0.0);
    float shift = shape.x * (shape.y > 0.5 ? range : 1.0) * (0.5 + 1.5 * (1.0 - facing));
    mat3 toWorld = transpose(mat3(uView));
    vec3 n = toWorld * normal;
    l = toWorld * l;
    vec4 p = uShadowMatrix[map] * vec4(world + n * shift, 1.0);
    if (p.w <= 0.0) return 1.0;
    vec3 q = p.xyz / p.w * 0.5 + 0.5;
    if (any(lessThan(q, vec3(0.0))) || any(greaterThan(q, vec3(1.0)))) return 1.0;
    // The plane of the face in the map: how much deeper it is for each unit across and up. Faces that hardly see the
    // light, or not at all, are taken for steep ones.
    if (dot(face, n) < 0.0) face = -face;
    face += l * max(0.15 - dot(face, l), 0.0);
    vec3 a = cross(face, abs(face.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)), b = cross(face, a);
    vec4 pa = uShadowMatrix[map] * vec4(a, 0.0), pb = uShadowMatrix[map] * vec4(b, 0.0);
    vec3 u = pa.xyz * p.w - p.xyz * pa.w, v = pb.xyz * p.w - p.xyz * pb.w;
    float area = u.x * v.y - u.y * v.x;
    vec2 slope = area != 0.0 ? vec2(u.z * v.y - v.z * u.y, v.z * u.x - u.z * v.x) / area : vec2(0.0);
    vec2 place = q.xy / shape.w - 0.5, base = floor(place), part = place - base;
    float sum = 0.0, all = 0.0;
    for (int j = -4; j <= 4; j += 2) {
        float y = bell((float(j + 1) - part.y) / shape.z), wy = y + bell((float(j) - part.y) / shape.z);
        if (wy <= 0.0) continue;
        for (int i = -4; i <= 4; i += 2) {
            float x = bell((float(i + 1) - part.x) / shape.z), wx = x + bell((float(i) - part.x) / shape.z);
            if (wx <= 0.0) continue;
            vec2 at = (base + 0.5 + vec2(float(i) + x / wx, float(j) + y / wy)) * shape.w;
            sum += wx * wy * lit(map, vec3(at, q.z + dot(slope, at - q.xy)));
            all += wx * wy;
        }
    }
    sum /= all;
    // Where a smooth surface turns away from the light, its flat faces do so one by one: the shadow begins before.
    sum *= smoothstep(0.0, 0.3, facing);
    return clamp(1.0 - uLights[light].falloff.w * (1.0 - sum), 0.0, 1.0);
}
)";

}  // namespace

const char* ShadowMaps::function() { return shadowFunction; }

ShadowMaps::~ShadowMaps()
{
    for (Buffer& b : m_buffers) {
        if (b.framebuffer) m_gl.DeleteFramebuffers(1, &b.framebuffer);
        if (b.texture) m_gl.DeleteTextures(1, &b.texture);
    }
}

void ShadowMaps::resize(Buffer& b, int size) const
{
    if (b.size == size) return;
    b.size = size;
    if (!b.texture) m_gl.GenTextures(1, &b.texture);
    m_gl.BindTexture(GL_TEXTURE_2D, b.texture);
    m_gl.TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                    nullptr);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    m_gl.BindTexture(GL_TEXTURE_2D, 0);
    if (!b.framebuffer) m_gl.GenFramebuffers(1, &b.framebuffer);
    m_gl.BindFramebuffer(GL_FRAMEBUFFER, b.framebuffer);
    m_gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, b.texture, 0);
    m_gl.DrawBuffer(GL_NONE);
    m_gl.ReadBuffer(GL_NONE);
    if (m_gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw GlError("the driver refuses a shadow map of " + std::to_string(size) + 'x' + std::to_string(size) +
                      " pixels");
}

void ShadowMaps::place(const DrawList& list, const Camera& camera, const BoundingBox& box)
{
    m_maps.clear();
    m_seen = camera.projection() * camera.view();
    m_pixel = static_cast<float>(2. / (camera.projection()[5] * std::max(1, camera.height)));
    if (!list.lighting || !list.lighting->shadows || !box.valid()) return;
    // Without a size: the largest power of two that fits into the view, from 128 to 1,024.
    int automatic = 128;
    while (automatic < 1024 && 2 * automatic <= std::min(camera.width, camera.height)) automatic *= 2;
    for (std::size_t i = 0; i < list.lights.size() && count() < most; ++i) {
        const LightDescription& light = list.lights[i];
        if (!light.shadows || light.kind == LightDescription::Kind::Positional) continue;
        Map map;
        map.light = i;
        map.size = std::clamp(light.shadowTextureSize > 0 ? light.shadowTextureSize : automatic, 16, 4096);
        map.soft = light.softShadows;
        map.spot = light.kind == LightDescription::Kind::Spot;
        const auto world = [&](const Vec3& v) { return light.fixedToCamera ? camera.orientation.rotate(v) : v; };
        LightDescription placed = light;
        placed.direction = world(light.direction);
        if (light.fixedToCamera) placed.position = camera.position + world(light.position);
        const auto view = lightView(placed, box);
        if (!view) continue;  // it shines away from the scene
        map.toLight = view->projection * view->modelView;
        // Of a spot: at a distance of 1 m.
        map.texel = static_cast<float>(2. / (std::min(view->projection[0], view->projection[5]) * map.size));
        resize(m_buffers[count()], map.size);
        m_maps.push_back(map);
    }
}

int ShadowMaps::mapOf(std::size_t light) const
{
    for (std::size_t i = 0; i < m_maps.size(); ++i)
        if (m_maps[i].light == light) return static_cast<int>(i);
    return -1;
}

void ShadowMaps::begin(int i)
{
    const Buffer& b = m_buffers[i];
    m_gl.BindFramebuffer(GL_FRAMEBUFFER, b.framebuffer);
    m_gl.Viewport(0, 0, b.size, b.size);
    m_gl.DepthMask(GL_TRUE);
    m_gl.Enable(GL_DEPTH_TEST);
    m_gl.Disable(GL_BLEND);
    m_gl.Disable(GL_CULL_FACE);
    m_gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    m_gl.Enable(GL_POLYGON_OFFSET_FILL);
    m_gl.PolygonOffset(1.5f, 2.f);
    m_gl.Clear(GL_DEPTH_BUFFER_BIT);
}

void ShadowMaps::bindProgram(int i, Kind kind, const std::optional<RigidCoord3>& frame)
{
    std::unique_ptr<Program>& program = m_programs[static_cast<std::size_t>(kind)];
    if (!program) {
        std::vector<ShaderStage> stages;
        if (kind == Kind::Curved) {
            stages = curvedStages(std::string("#version 400 core\n") + depthPixel, depthVertex, "shadow");
        } else {
            const std::string instanced = kind == Kind::Instanced ? "#define INSTANCED 1\n" : "";
            stages = {{GL_VERTEX_SHADER, "#version 330 core\n" + instanced + depthAttributes + depthVertex,
                       "shadow vertex shader"}};
        }
        stages.push_back({GL_FRAGMENT_SHADER, depthFragment, "shadow fragment shader"});
        program = std::make_unique<Program>(m_gl, stages);
    }
    program->use();
    const Matrix& toLight = m_maps[static_cast<std::size_t>(i)].toLight;
    program->set("uLight", frame ? toLight * matrixOf(*frame) : toLight);
    if (kind != Kind::Curved) return;
    program->set("uSeen", frame ? m_seen * matrixOf(*frame) : m_seen);
    program->set("uPixel", m_pixel);
}

void ShadowMaps::end()
{
    m_gl.Disable(GL_POLYGON_OFFSET_FILL);
    m_gl.BindVertexArray(0);
}

void ShadowMaps::apply(const Program& program) const
{
    constexpr const char* names[][3] = {{"uShadow0", "uShadowMatrix[0]", "uShadowShape[0]"},
                                        {"uShadow1", "uShadowMatrix[1]", "uShadowShape[1]"},
                                        {"uShadow2", "uShadowMatrix[2]", "uShadowShape[2]"},
                                        {"uShadow3", "uShadowMatrix[3]", "uShadowShape[3]"}};
    static_assert(std::size(names) == static_cast<std::size_t>(most));
    for (std::size_t i = 0; i < std::size(names); ++i) {
        program.set(names[i][0], firstUnit + static_cast<int>(i));
        if (i >= m_maps.size()) continue;
        const Map& map = m_maps[i];
        m_gl.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(firstUnit) + static_cast<GLenum>(i));
        m_gl.BindTexture(GL_TEXTURE_2D, m_buffers[i].texture);
        program.set(names[i][1], map.toLight);
        program.set(names[i][2], Vec<4, float>{map.texel, map.spot ? 1.f : 0.f, map.soft ? 5.f : 2.f,
                                               1.f / static_cast<float>(map.size)});
    }
    m_gl.ActiveTexture(GL_TEXTURE0);
}

Matrix matrixOf(const RigidCoord3& frame)
{
    Matrix m{};
    for (std::size_t j = 0; j < 3; ++j) {
        const Vec3 axis = frame.orientation.rotate(Vec3::unit(j));
        for (std::size_t i = 0; i < 3; ++i) m[4 * j + i] = axis[i];
        m[12 + j] = frame.center[j];
    }
    m[15] = 1.;
    return m;
}

}  // namespace sofa::gl
