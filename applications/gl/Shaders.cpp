// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Shaders.h"

#include "applications/gl/ShadowMaps.h"

namespace sofa::gl {

namespace {

/// What holds for all draw calls of a layer; FrameUniforms has the same layout.
constexpr const char* frameBlock = R"(
struct Light
{
    vec4 position;   // in the camera's frame; w = 0: direction towards it
    vec4 color;
    vec4 direction;  // of a spot, in the camera's frame; w: cosine of its half angle, −2: no spot
    vec4 falloff;    // linear attenuation, exponent of a spot, number of its shadow or −1, strength of the shadow
};
layout(std140) uniform Frame
{
    mat4 uView;
    mat4 uProjection;
    vec4 uViewport;  // width, height and their inverses
    vec4 uAmbient;   // w: number of lights
    vec4 uEye;       // x: 1 if orthographic; y: scale of depths for transparency
    Light uLights[16];
};
)";

constexpr const char* surfaceAttributes = R"(
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec4 aColor;
layout(location = 3) in vec2 aTexCoord;
layout(location = 4) in vec3 aTangent;
layout(location = 5) in vec3 aBitangent;
)";

/// Control points: three corners, then those of the edges 01, 12, 20 (bezierTriangleEdges).
constexpr const char* curvedVertex = R"(
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec4 aColor;
out C
{
    vec3 position, normal;
    vec4 color;
} c;
void main()
{
    c.position = aPosition;
    c.normal = aNormal;
    c.color = aColor;
}
)";

constexpr const char* curvedControl = R"(
layout(vertices = 6) out;
in C
{
    vec3 position, normal;
    vec4 color;
} c[];
out D
{
    vec3 position, normal;
    vec4 color;
} d[];
// The same for both faces at an edge, so that they have the same points there.
float divisions(int a, int b, int middle)
{
    float bend = length((c[a].position + c[b].position) - 2.0 * c[middle].position);
    vec2 atA = pixelAt(c[a].position), atB = pixelAt(c[b].position);
    float pixel = atA.x > 0.0 && atB.x > 0.0 ? min(atA.y, atB.y) : max(atA.y, atB.y);
    return pixel > 0.0 ? clamp(ceil(sqrt(bend / (0.75 * pixel))), 1.0, 64.0) : 1.0;
}
void main()
{
    d[gl_InvocationID].position = c[gl_InvocationID].position;
    d[gl_InvocationID].normal = c[gl_InvocationID].normal;
    d[gl_InvocationID].color = c[gl_InvocationID].color;
    if (gl_InvocationID != 0) return;
    gl_TessLevelOuter[0] = divisions(1, 2, 4);
    gl_TessLevelOuter[1] = divisions(2, 0, 5);
    gl_TessLevelOuter[2] = divisions(0, 1, 3);
    gl_TessLevelInner[0] = max(max(gl_TessLevelOuter[0], gl_TessLevelOuter[1]), gl_TessLevelOuter[2]);
}
)";

constexpr const char* curvedEvaluation = R"(
layout(triangles, equal_spacing, ccw) in;
in D
{
    vec3 position, normal;
    vec4 color;
} d[];
vec3 aPosition, aNormal, aTangent = vec3(0.0), aBitangent = vec3(0.0);
vec4 aColor;
vec2 aTexCoord = vec2(0.0);
void vertexMain();
void main()
{
    vec3 a = gl_TessCoord, e = 2.0 * a.xyz * a.yzx;
    a *= a;
    aPosition = a.x * d[0].position + a.y * d[1].position + a.z * d[2].position + e.x * d[3].position +
                e.y * d[4].position + e.z * d[5].position;
    vec3 n = a.x * d[0].normal + a.y * d[1].normal + a.z * d[2].normal + e.x * d[3].normal + e.y * d[4].normal +
             e.z * d[5].normal;
    float l = length(n);
    aNormal = l > 0.0 ? n / l : vec3(0.0, 0.0, 1.0);
    aColor = a.x * d[0].color + a.y * d[1].color + a.z * d[2].color + e.x * d[3].color + e.y * d[4].color +
             e.z * d[5].color;
    vertexMain();
}
#define main vertexMain
)";

/// For programs that know the block Frame.
constexpr const char* framePixel = R"(
vec2 pixelAt(vec3 p)
{
    float depth = (uProjection * uView * vec4(p, 1.0)).w;
    return vec2(depth, 2.0 * depth * uViewport.w / uProjection[1][1]);
}
)";

constexpr const char* surfaceVertex = R"(
#ifdef INSTANCED
layout(location = 6) in vec3 iAxisX;
layout(location = 7) in vec3 iAxisY;
layout(location = 8) in vec3 iAxisZ;
layout(location = 9) in vec3 iCenter;
layout(location = 10) in vec4 iColor;
#endif
out V
{
    vec3 world, eye, normal, tangent, bitangent;
    vec4 color;
    vec2 texCoord;
    flat int instance;
} v;
uniform float uSize;
void main()
{
    vec3 p = aPosition, n = aNormal;
    v.color = aColor;
    v.instance = 0;
#ifdef INSTANCED
    p = iAxisX * p.x + iAxisY * p.y + iAxisZ * p.z + iCenter;
    // The inverse transpose of the axes, but for its length; mirrored axes turn it around.
    n = cross(iAxisY, iAxisZ) * n.x + cross(iAxisZ, iAxisX) * n.y + cross(iAxisX, iAxisY) * n.z;
    n *= sign(dot(cross(iAxisX, iAxisY), iAxisZ));
    v.color = iColor;
    v.instance = gl_InstanceID;
#endif
    vec4 eye = uView * vec4(p, 1.0);
    v.world = p;
    v.eye = eye.xyz;
    v.normal = mat3(uView) * n;
    v.tangent = mat3(uView) * aTangent;
    v.bitangent = mat3(uView) * aBitangent;
    v.texCoord = aTexCoord;
    gl_Position = uProjection * eye;
    gl_PointSize = uSize;
}
)";

/// Lines of any width as rectangles.
constexpr const char* lineGeometry = R"(
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;
in V
{
    vec3 world, eye, normal, tangent, bitangent;
    vec4 color;
    vec2 texCoord;
    flat int instance;
} g[];
out V
{
    vec3 world, eye, normal, tangent, bitangent;
    vec4 color;
    vec2 texCoord;
    flat int instance;
} v;
uniform float uSize;
void corner(vec4 at, vec2 shift, float t)
{
    v.world = mix(g[0].world, g[1].world, t);
    v.eye = mix(g[0].eye, g[1].eye, t);
    v.color = mix(g[0].color, g[1].color, t);
    v.normal = v.tangent = v.bitangent = vec3(0.0);
    v.texCoord = vec2(0.0);
    v.instance = 0;
    gl_Position = vec4(at.xy + shift * at.w, at.zw);
    gl_PrimitiveID = gl_PrimitiveIDIn;
    EmitVertex();
}
void main()
{
    vec4 a = gl_in[0].gl_Position, b = gl_in[1].gl_Position;
    // Cut at the near plane: beyond it the ends have no place on the screen.
    float da = a.z + a.w, db = b.z + b.w;
    if (da <= 0.0 && db <= 0.0) return;
    float ta = da < 0.0 ? da / (da - db) : 0.0, tb = db < 0.0 ? da / (da - db) : 1.0;
    vec4 p = mix(a, b, ta), q = mix(a, b, tb);
    vec2 along = (q.xy / q.w - p.xy / p.w) * uViewport.xy;
    float l = length(along);
    if (l < 1e-6) return;
    vec2 shift = vec2(-along.y, along.x) / l * uSize * uViewport.zw;
    corner(p, shift, ta);
    corner(p, -shift, ta);
    corner(q, shift, tb);
    corner(q, -shift, tb);
    EndPrimitive();
}
)";

constexpr const char* surfaceFragment = R"(
in V
{
    vec3 world, eye, normal, tangent, bitangent;
    vec4 color;
    vec2 texCoord;
    flat int instance;
} v;
uniform vec4 uDiffuse, uAmbientColor, uSpecular;  // ambient w: that much of the diffuse colour; specular w: exponent
uniform vec3 uEmissive;
uniform int uClipCount;
uniform vec4 uClip[8];
uniform int uItem;
uniform int uPremultiplied;
uniform int uEdges;  // 1: lines stand for faces, which have no front here
uniform sampler2D uTexture, uNormalMap;
#ifdef PICK
layout(location = 0) out uvec2 oNumbers;
#elif defined(WEIGHTED)
layout(location = 0) out vec4 oSum;
layout(location = 1) out vec4 oWeight;
#else
layout(location = 0) out vec4 oColor;
#endif
#ifdef SHADOWED
float shadowOf(int light, vec3 world, vec3 normal, vec3 face);
#else
float shadowOf(int light, vec3 world, vec3 normal, vec3 face) { return 1.0; }
#endif

vec3 surfaceNormal()
{
#ifdef FLAT
    vec3 n = cross(dFdx(v.eye), dFdy(v.eye));
    float l = length(n);
    return l > 0.0 ? n / l : vec3(0.0, 0.0, 1.0);
#else
    vec3 n = v.normal;
#ifdef NORMALMAPPED
    vec3 m = texture(uNormalMap, v.texCoord).xyz * 2.0 - 1.0;
    n = v.tangent * m.x + v.bitangent * m.y + n * m.z;
#endif
    float l = length(n);
    n = l > 0.0 ? n / l : vec3(0.0, 0.0, 1.0);
    if (uEdges != 0) return dot(n, uEye.x > 0.5 ? vec3(0.0, 0.0, 1.0) : -v.eye) < 0.0 ? -n : n;
    return gl_FrontFacing ? n : -n;
#endif
}

// Phong's reflection of all lights: the sum of a colour that the surface's own is multiplied by, and of highlights.
// Each light comes from everywhere a little too, as SOFA's lights do: what the surface reflects of that is its ambient colour.
void illuminate(vec3 n, out vec3 diffuse, out vec3 specular, out vec3 around)
{
    diffuse = specular = vec3(0.0);
    around = uAmbient.rgb;
    vec3 toEye = uEye.x > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-v.eye);
    int count = int(uAmbient.w + 0.5);
    vec3 face = cross(dFdx(v.world), dFdy(v.world));
    face = dot(face, face) > 0.0 ? normalize(face) : transpose(mat3(uView)) * n;
    for (int i = 0; i < count; ++i) {
        Light light = uLights[i];
        vec3 l = light.position.xyz;
        float strength = 1.0;
        if (light.position.w > 0.5) {
            l -= v.eye;
            float d = length(l);
            l /= max(d, 1e-30);
            strength = 1.0 / (1.0 + light.falloff.x * d);
        }
        if (light.direction.w > -1.5) {
            float c = dot(-l, light.direction.xyz);
            if (c < light.direction.w) continue;
            strength *= pow(max(c, 0.0), light.falloff.y);
        }
        around += light.color.rgb * strength;
        float cosine = dot(n, l);
        if (cosine <= 0.0) continue;
        strength *= shadowOf(i, v.world, n, face);
        diffuse += light.color.rgb * (strength * cosine);
        if (uSpecular.w > 0.0) {
            float r = max(dot(reflect(-l, n), toEye), 0.0);
            specular += light.color.rgb * (strength * pow(r, uSpecular.w));
        }
    }
}

void main()
{
    for (int i = 0; i < uClipCount; ++i)
        if (dot(vec4(v.world, 1.0), uClip[i]) < 0.0) discard;
#ifdef POINTS
    if (length(gl_PointCoord - 0.5) > 0.5) discard;
#endif
#ifdef PICK
#ifdef INSTANCED
    oNumbers = uvec2(uint(uItem) + 1u, uint(v.instance));
#else
    oNumbers = uvec2(uint(uItem) + 1u, uint(gl_PrimitiveID));
#endif
#else
    vec4 color = v.color * uDiffuse;
    vec3 ambient = uAmbientColor.rgb + color.rgb * uAmbientColor.w;
#ifdef TEXTURED
    vec4 texel = texture(uTexture, v.texCoord);
    color *= texel;
    ambient *= texel.rgb;
#endif
#ifdef LIT
    vec3 diffuse, specular, around;
    illuminate(surfaceNormal(), diffuse, specular, around);
    color.rgb = uEmissive + ambient * around + color.rgb * diffuse + uSpecular.rgb * specular;
#endif
    color = clamp(color, 0.0, 1.0);
#ifdef WEIGHTED
    // M. McGuire, L. Bavoil, "Weighted blended order-independent transparency", JCGT 2(2), 2013, with the depth of the
    // camera's frame in units that the scene chooses.
    float depth = -v.eye.z * uEye.y * 50.0;
    float w = color.a * clamp(0.03 / (1e-5 + pow(abs(depth), 4.0)), 0.01, 3000.0);
    oSum = vec4(color.rgb * color.a * w, color.a);
    oWeight = vec4(color.a * w, 0.0, 0.0, color.a);
#else
    if (uPremultiplied != 0) color.rgb *= color.a;
    oColor = color;
#endif
#endif
}
)";

constexpr const char* textVertex = R"(
layout(location = 0) in vec3 aAnchor;
layout(location = 1) in vec3 aOffset;  // x, y: pixels, or metres where z = 1
layout(location = 2) in vec4 aColor;
layout(location = 3) in vec2 aTexCoord;
out vec4 vColor;
out vec2 vTexCoord;
void main()
{
    vec4 eye = uView * vec4(aAnchor, 1.0);
    if (aOffset.z > 0.5) eye.xy += aOffset.xy;
    gl_Position = uProjection * eye;
    if (aOffset.z < 0.5) {
        // Letters stand on whole pixels, so that they are as sharp as they were drawn.
        vec2 at = floor((gl_Position.xy / gl_Position.w * 0.5 + 0.5) * uViewport.xy + 0.5);
        gl_Position.xy = ((at + aOffset.xy) * uViewport.zw * 2.0 - 1.0) * gl_Position.w;
    }
    gl_Position.z -= 1e-4 * gl_Position.w;  // before the surface that its point lies on
    vColor = aColor;
    vTexCoord = aTexCoord;
}
)";

constexpr const char* textFragment = R"(
in vec4 vColor;
in vec2 vTexCoord;
uniform sampler2D uAtlas;
out vec4 oColor;
void main()
{
    float a = texture(uAtlas, vTexCoord).r * vColor.a;
    if (a < 0.02) discard;
    oColor = vec4(vColor.rgb, a);
}
)";

/// One triangle over the whole view, without buffers.
constexpr const char* screenVertex = R"(
out vec2 vPlace;
void main()
{
    vPlace = vec2((gl_VertexID & 1) * 2, (gl_VertexID >> 1) * 2);
    gl_Position = vec4(vPlace * 2.0 - 1.0, 0.0, 1.0);
}
)";

constexpr const char* backgroundFragment = R"(
in vec2 vPlace;
uniform sampler2D uTexture;
uniform vec4 uPart;  // scale and shift
out vec4 oColor;
void main() { oColor = vec4(texture(uTexture, vPlace * uPart.xy + uPart.zw).rgb, 1.0); }
)";

/// From a pale blue above to almost white, a little uneven so that no bands are seen.
constexpr const char* skyFragment = R"(
in vec2 vPlace;
out vec4 oColor;
void main()
{
    float t = smoothstep(0.0, 1.0, vPlace.y);
    vec3 color = mix(vec3(0.955, 0.96, 0.97), vec3(0.70, 0.79, 0.89), t);
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    oColor = vec4(color + (noise - 0.5) / 255.0, 1.0);
}
)";

constexpr const char* compositeFragment = R"(
uniform sampler2D uSum, uWeight;
out vec4 oColor;
void main()
{
    vec4 sum = texelFetch(uSum, ivec2(gl_FragCoord.xy), 0);
    float weight = texelFetch(uWeight, ivec2(gl_FragCoord.xy), 0).r;
    oColor = vec4(sum.rgb / max(weight, 1e-5), 1.0 - sum.a);
}
)";

constexpr const char* version = "#version 330 core\n";

}  // namespace

std::vector<ShaderStage> curvedStages(const std::string& head, const std::string& vertex, const std::string& name)
{
    return {{GL_VERTEX_SHADER, head + curvedVertex, name + " control point shader"},
            {GL_TESS_CONTROL_SHADER, head + curvedControl, name + " tessellation control shader"},
            {GL_TESS_EVALUATION_SHADER, head + curvedEvaluation + vertex, name + " tessellation evaluation shader"}};
}

Program& ShaderLibrary::surface(unsigned features)
{
    std::unique_ptr<Program>& program = m_surfaces[features];
    if (program) return *program;
    const bool curved = features & Curved;
    std::string head = curved ? "#version 400 core\n" : version;
    const std::pair<unsigned, const char*> names[] = {{Lit, "LIT"},
                                                      {Flat, "FLAT"},
                                                      {Textured, "TEXTURED"},
                                                      {NormalMapped, "NORMALMAPPED"},
                                                      {Instanced, "INSTANCED"},
                                                      {Weighted, "WEIGHTED"},
                                                      {Pick, "PICK"},
                                                      {WideLines, "WIDE_LINES"},
                                                      {Points, "POINTS"},
                                                      {Shadowed, "SHADOWED"}};
    for (const auto& [bit, name] : names)
        if (features & bit) head += std::string("#define ") + name + " 1\n";
    head += frameBlock;
    std::vector<ShaderStage> stages;
    if (curved)
        stages = curvedStages(head + framePixel, surfaceVertex, "surface");
    else
        stages.push_back({GL_VERTEX_SHADER, head + surfaceAttributes + surfaceVertex, "surface vertex shader"});
    stages.push_back({GL_FRAGMENT_SHADER, head + surfaceFragment + (features & Shadowed ? ShadowMaps::function() : ""),
                      "surface fragment shader"});
    if (features & WideLines) stages.push_back({GL_GEOMETRY_SHADER, head + lineGeometry, "line geometry shader"});
    program = std::make_unique<Program>(m_gl, stages);
    m_gl.UniformBlockBinding(program->id(), m_gl.GetUniformBlockIndex(program->id(), "Frame"), FrameBlock);
    program->use();
    program->set("uTexture", 0);
    program->set("uNormalMap", 1);
    return *program;
}

Program& ShaderLibrary::fixed(std::unique_ptr<Program>& program, const char* name, const char* vertex,
                              const char* fragment)
{
    if (!program) {
        const std::string head = std::string(version) + frameBlock;
        program = std::make_unique<Program>(
            m_gl,
            std::vector<ShaderStage>{{GL_VERTEX_SHADER, head + vertex, std::string(name) + " vertex shader"},
                                     {GL_FRAGMENT_SHADER, head + fragment, std::string(name) + " fragment shader"}});
        const GLuint block = m_gl.GetUniformBlockIndex(program->id(), "Frame");
        if (block != GL_INVALID_INDEX) m_gl.UniformBlockBinding(program->id(), block, FrameBlock);
    }
    program->use();
    return *program;
}

Program& ShaderLibrary::text() { return fixed(m_text, "text", textVertex, textFragment); }

Program& ShaderLibrary::background() { return fixed(m_background, "background", screenVertex, backgroundFragment); }

Program& ShaderLibrary::sky() { return fixed(m_sky, "sky", screenVertex, skyFragment); }

Program& ShaderLibrary::composite() { return fixed(m_composite, "composite", screenVertex, compositeFragment); }

}  // namespace sofa::gl
