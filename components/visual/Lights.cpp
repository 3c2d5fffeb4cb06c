// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/Lights.h"

#include <numbers>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/visual/ViewMatrices.h"

namespace sofa::component {

void LightManager::draw(DrawTool& tool)
{
    if (!d_enable.value() || tool.list().lighting) return;
    tool.list().lighting =
        LightingDescription{d_shadows.value(), d_softShadows.value(), d_ambient.value(), d_debugDraw.value()};
}

void Light::init()
{
    if (!node()->get<LightManager>(Search::Up))
        msgWarning() << "there is no LightManager in its node or above: this light does not shine";
}

void Light::draw(DrawTool& tool)
{
    const auto* manager = node() ? node()->get<LightManager>(Search::Up) : nullptr;
    if (!d_enable.value() || !manager || !manager->d_enable.value()) return;
    LightDescription light;
    light.color = d_color.value();
    light.shadows = manager->d_shadows.value() && d_shadowsEnabled.value();
    light.softShadows = manager->d_softShadows.value() || d_softShadows.value();
    light.shadowFactor = d_shadowFactor.value();
    light.lightBleeding = d_lightBleeding.value();
    light.minVariance = d_minVariance.value();
    light.shadowTextureSize = static_cast<int>(d_shadowTextureSize.value());
    light.zNear = d_zNear.value();
    light.zFar = d_zFar.value();
    light.drawSource = d_drawSource.value();
    describe(light);
    updateMatrices(light, tool.sceneBox());
    tool.list().lights.push_back(light);

    if (!light.drawSource || light.kind == LightDescription::Kind::Directional || !isShown(tool)) return;
    const double size = 0.01 * tool.sceneSize();
    DrawStyle style;
    style.color = light.color;
    style.lit = false;
    if (light.kind == LightDescription::Kind::Positional) {
        tool.spheres({&light.position, 1}, {&size, 1}, style);
        return;
    }
    // The cone, open towards where it shines.
    const double length = 4. * size;
    const double angle = std::min(static_cast<double>(light.cutoff), 60.) * std::numbers::pi / 180.;
    tool.geometry(style, [&](Geometry& g) {
        constexpr Index sides = 24;
        const Vec3 z = light.direction;
        const Vec3 x = normalized(cross(std::abs(z[0]) < 0.6 ? Vec3{1., 0., 0.} : Vec3{0., 1., 0.}, z));
        const Vec3 y = cross(z, x);
        g.positions.push_back(Vec3f(light.position));
        for (Index i = 0; i < sides; ++i) {
            const double t = 2. * std::numbers::pi * i / sides;
            const Vec3 out = (x * std::cos(t) + y * std::sin(t)) * (length * std::tan(angle));
            g.positions.push_back(Vec3f(light.position + z * length + out));
            g.triangles.push_back({0, 1 + i, 1 + (i + 1) % sides});
        }
    });
}

/// A light that is fixed to the camera has matrices relative to it.
void Light::updateMatrices(LightDescription light, const BoundingBox& scene)
{
    if (!light.shadows) return;
    if (const auto view = lightView(light, scene)) {
        setMatrix(d_modelViewMatrix, view->modelView);
        setMatrix(d_projectionMatrix, view->projection);
    }
}

void DirectionalLight::describe(LightDescription& light) const
{
    light.kind = LightDescription::Kind::Directional;
    light.direction = normalized(d_direction.value(), {0., 0., 1.});
    if (light.shadows) light.direction = -light.direction;
}

void PositionalLight::describe(LightDescription& light) const
{
    light.kind = LightDescription::Kind::Positional;
    light.position = d_position.value();
    light.fixedToCamera = d_fixed.value();
    light.attenuation = d_attenuation.value();
    light.shadows = false;
}

void SpotLight::describe(LightDescription& light) const
{
    const bool shadows = light.shadows;
    PositionalLight::describe(light);
    light.kind = LightDescription::Kind::Spot;
    light.shadows = shadows;
    light.direction = d_lookat.value() ? d_direction.value() - d_position.value() : d_direction.value();
    light.direction = normalized(light.direction, {0., 0., -1.});
    light.cutoff = d_cutoff.value();
    light.exponent = d_exponent.value();
}

namespace {

RegisterComponent light(const char* name, const char* help)
{
    return RegisterComponent(name, "Light", "Sofa.GL.Component.Shader")
        .help(std::string(help) + " It has an effect only in a viewer.")
        .example("component/visual/Lights.scn");
}

const RegisterComponent registeredLightManager =
    light("LightManager", "Switches the lights of the scene on, and shadows.").add<LightManager>();
const RegisterComponent registeredDirectionalLight =
    light("DirectionalLight", "Light of parallel rays.").add<DirectionalLight>();
const RegisterComponent registeredPositionalLight =
    light("PositionalLight", "Light from one place in all directions.").add<PositionalLight>();
const RegisterComponent registeredSpotLight = light("SpotLight", "Light from one place in a cone.").add<SpotLight>();

}  // namespace

}  // namespace sofa::component
