// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/FrameUniforms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sofa::gl {

namespace {

void put(float (&to)[4], const Vec3& v, double w)
{
    for (std::size_t i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
    to[3] = static_cast<float>(w);
}

void put(float (&to)[16], const Matrix& m)
{
    for (std::size_t i = 0; i < 16; ++i) to[i] = static_cast<float>(m[i]);
}

void put(float (&to)[4], const Color& c, float w)
{
    for (std::size_t i = 0; i < 3; ++i) to[i] = c[i];
    to[3] = w;
}

void putViewport(FrameUniforms& u, int width, int height)
{
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    u.viewport[0] = w;
    u.viewport[1] = h;
    u.viewport[2] = 1.f / w;
    u.viewport[3] = 1.f / h;
}

}  // namespace

FrameUniforms worldUniforms(const DrawList& list, const Camera& camera, int width, int height)
{
    FrameUniforms u{};
    const Matrix view = camera.view();
    put(u.view, view);
    put(u.projection, camera.projection());
    putViewport(u, width, height);
    u.eye[0] = camera.orthographic ? 1.f : 0.f;
    u.eye[1] = list.transparencyDepthScale;
    Color ambient(0.f, 0.f, 0.f);
    if (list.lighting) ambient = list.lighting->ambient;
    std::size_t count = 0;
    const auto eyePoint = [&](const Vec3& x) {
        const Vec4 e = transform(view, x);
        return Vec3{e[0], e[1], e[2]};
    };
    for (const LightDescription& d : list.lights) {
        if (count == FrameUniforms::maxLights) break;
        FrameUniforms::Light& l = u.lights[count++];
        const Vec3 axis = normalized(d.fixedToCamera ? d.direction : camera.orientation.inverseRotate(d.direction),
                                     Vec3{0., 0., -1.});
        if (d.kind == LightDescription::Kind::Directional)
            put(l.position, axis, 0.);
        else
            put(l.position, d.fixedToCamera ? d.position : eyePoint(d.position), 1.);
        put(l.color, d.color, 1.f);
        put(l.direction, axis,
            d.kind == LightDescription::Kind::Spot ? std::cos(d.cutoff * std::numbers::pi / 180.) : -2.);
        l.falloff[0] = d.attenuation;
        l.falloff[1] = d.exponent;
        l.falloff[2] = -1.f;
        l.falloff[3] = d.shadowFactor;
    }
    if (list.lights.empty()) {
        put(u.lights[0].position, normalized(Vec3{-0.3, 0.4, 1.}), 0.);
        put(u.lights[0].color, Color(), 1.f);
        put(u.lights[0].direction, Vec3{0., 0., -1.}, -2.);
        u.lights[0].falloff[2] = -1.f;
        count = 1;
    }
    put(u.ambient, ambient, static_cast<float>(count));
    return u;
}

FrameUniforms screenUniforms(int width, int height, double ratio)
{
    FrameUniforms u{};
    Matrix m{};
    m[0] = m[5] = m[10] = m[15] = 1.;
    put(u.view, m);
    m[0] = 2. * ratio / width;
    m[5] = -2. * ratio / height;
    m[12] = -1.;
    m[13] = 1.;
    m[10] = 0.;
    put(u.projection, m);
    putViewport(u, width, height);
    u.eye[0] = 1.f;
    put(u.ambient, Color(), 0.f);
    return u;
}

}  // namespace sofa::gl
