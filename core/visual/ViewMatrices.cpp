// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/ViewMatrices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sofa::core {

namespace {

/// World to an eye at `position` with these axes.
ViewMatrix worldTo(const Vec3& position, const std::array<Vec3, 3>& axes)
{
    ViewMatrix m{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) m[4 * j + i] = axes[i][j];
        m[12 + i] = -dot(axes[i], position);
    }
    m[15] = 1.;
    return m;
}

Vec3 corner(const BoundingBox& b, unsigned i)
{
    return {i & 1 ? b.high[0] : b.low[0], i & 2 ? b.high[1] : b.low[1], i & 4 ? b.high[2] : b.low[2]};
}

}  // namespace

ViewMatrix viewMatrix(const Vec3& position, const Quat& orientation)
{
    return worldTo(position, {orientation.rotate(Vec3::unit(0)), orientation.rotate(Vec3::unit(1)),
                              orientation.rotate(Vec3::unit(2))});
}

ViewMatrix perspectiveMatrix(double fieldOfView, double aspect, double zNear, double zFar)
{
    const double t = std::tan(0.5 * fieldOfView * std::numbers::pi / 180.);
    ViewMatrix m{};
    m[0] = 1. / (t * aspect);
    m[5] = 1. / t;
    m[10] = -(zFar + zNear) / (zFar - zNear);
    m[11] = -1.;
    m[14] = -2. * zFar * zNear / (zFar - zNear);
    return m;
}

ViewMatrix orthographicMatrix(const Vec3& low, const Vec3& high)
{
    ViewMatrix m{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double sign = k == 2 ? -1. : 1., length = high[k] - low[k];
        m[5 * k] = sign * 2. / length;
        m[12 + k] = -sign * (low[k] + high[k]) / length;
    }
    m[15] = 1.;
    return m;
}

ViewMatrix rowsOf(const ViewMatrix& m)
{
    ViewMatrix t;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) t[4 * i + j] = m[4 * j + i];
    return t;
}

std::optional<LightView> lightView(const LightDescription& light, const BoundingBox& box)
{
    using Kind = LightDescription::Kind;
    if (!box.valid() || light.kind == Kind::Positional) return {};
    const bool spot = light.kind == Kind::Spot;
    // A directional light's direction is that towards it; the eye's −z axis is that of the rays.
    const Vec3 z = normalized(light.direction, {0., 0., 1.}) * (spot ? -1. : 1.);
    const Vec3 x = normalized(cross(std::abs(z[1]) < 0.9 ? Vec3{0., 1., 0.} : Vec3{1., 0., 0.}, z));
    const std::array<Vec3, 3> axes{x, cross(z, x), z};
    LightView view;
    view.modelView = worldTo(spot ? light.position : (box.low + box.high) * 0.5, axes);
    // The box of the scene in the light's frame.
    Vec3 low = Vec3::filled(std::numeric_limits<double>::infinity()), high = -low;
    for (unsigned i = 0; i < 8; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            const double at = dot(axes[k], corner(box, i)) + view.modelView[12 + k];
            low[k] = std::min(low[k], at);
            high[k] = std::max(high[k], at);
        }
    if (spot) {
        const double farthest = -low[2];
        if (!(farthest > 0.)) return {};
        const double zFar = light.zFar > 0. ? light.zFar : 1.01 * farthest;
        const double zNear = light.zNear > 0. ? light.zNear : std::max(-0.99 * high[2], 0.01 * zFar);
        // A little more than the cone, so that its edge has neighbours.
        const double angle = std::clamp(2.1 * static_cast<double>(light.cutoff), 1., 150.);
        view.projection = perspectiveMatrix(angle, 1., zNear, zFar);
    } else {
        const Vec3 margin = Vec3::filled(0.01 * norm(high - low) + 1e-9);
        view.projection = orthographicMatrix(low - margin, high + margin);
    }
    return view;
}

}  // namespace sofa::core
