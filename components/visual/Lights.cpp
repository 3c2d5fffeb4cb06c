// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"
#include "core/visual/Color.h"

namespace sofa::component {

using namespace core;

namespace {

/// What all lights have. A scene without lights gets one white light.
class Light : public Component
{
public:
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the light"}};
    Data<unsigned> d_shadowTextureSize{
        this, {.name = "shadowTextureSize", .help = "Side of the shadow map [pixels]; 0: as large as the view"}, 0};
    Data<bool> d_drawSource{this, {.name = "drawSource", .help = "Show where the light is"}, false};
    Data<double> d_zNear{this, {.name = "zNear", .help = "Near plane of the shadow map", .unit = "m"}, 0.};
    Data<double> d_zFar{this, {.name = "zFar", .help = "Far plane of the shadow map", .unit = "m"}, 0.};
    Data<bool> d_shadowsEnabled{this, {.name = "shadowsEnabled", .help = "Whether this light casts shadows"}, true};
    Data<bool> d_softShadows{
        this, {.name = "softShadows", .help = "Shadows have soft borders (variance shadow maps)"}, false};
    Data<double> d_shadowFactor{this, {.name = "shadowFactor", .help = "Darkness of shadows", .unit = "1"}, 1.};
    Data<double> d_lightBleeding{
        this, {.name = "VSMLightBleeding", .help = "Reduction of light bleeding in soft shadows", .unit = "1"}, 0.05};
    Data<double> d_minVariance{
        this, {.name = "VSMMinVariance", .help = "Smallest variance in soft shadows", .unit = "1"}, 0.001};
    Data<unsigned> d_textureUnit{this, {.name = "textureUnit", .help = "Texture unit of the shadow map"}, 1};
    Data<bool> d_turnOn{this, {.name = "turnOn", .help = "Whether the light is lit"}, true};
};

class DirectionalLight final : public Light
{
public:
    Data<Vec3> d_direction{this,
                           {.name = "direction", .help = "Direction towards which the light comes from", .unit = "1"},
                           Vec3{0., 0., -1.}};
};

class PositionalLight : public Light
{
public:
    Data<bool> d_fixed{this, {.name = "fixed", .help = "The light moves with the camera"}, false};
    Data<Vec3> d_position{
        this, {.name = "position", .help = "Position of the light", .unit = "m"}, Vec3{-0.7, 0.3, 0.}};
    Data<double> d_attenuation{
        this, {.name = "attenuation", .help = "Linear attenuation with distance", .unit = "1/m"}, 0.};
};

class SpotLight final : public PositionalLight
{
public:
    Data<Vec3> d_direction{this, {.name = "direction", .help = "Axis of the cone", .unit = "1"}, Vec3{0., 0., -1.}};
    Data<double> d_cutoff{this, {.name = "cutoff", .help = "Half angle of the cone, in degrees", .unit = "deg"}, 30.};
    Data<double> d_exponent{
        this, {.name = "exponent", .help = "How fast the light fades towards the border of the cone", .unit = "1"}, 1.};
    Data<bool> d_lookAt{this, {.name = "lookat", .help = "direction is the point that the light is turned to"}, false};
};

class LightManager final : public Component
{
public:
    Data<bool> d_shadows{this, {.name = "shadows", .help = "Whether lights cast shadows"}, false};
    Data<bool> d_softShadows{this, {.name = "softShadows", .help = "Whether shadows have soft borders"}, false};
    Data<Color> d_ambient{
        this, {.name = "ambient", .help = "Light that comes from everywhere"}, Color(0.f, 0.f, 0.f, 0.f)};
    Data<bool> d_debugDraw{this, {.name = "debugDraw", .help = "Show the shadow maps"}, false};
};

const char* const module = "Sofa.GL.Component.Shader";
const char* const example = "component/visual/Lights.scn";

const RegisterComponent manager = RegisterComponent("LightManager", "Light", module)
                                      .help("Settings that all lights share. It acts only in a GUI")
                                      .example(example)
                                      .add<LightManager>();
const RegisterComponent directional = RegisterComponent("DirectionalLight", "Light", module)
                                          .help("Parallel light from one direction. It shines only in a GUI")
                                          .example(example)
                                          .add<DirectionalLight>();
const RegisterComponent positional = RegisterComponent("PositionalLight", "Light", module)
                                         .help("Light from a point. It shines only in a GUI")
                                         .example(example)
                                         .add<PositionalLight>();
const RegisterComponent spot = RegisterComponent("SpotLight", "Light", module)
                                   .help("Light from a point in a cone. It shines only in a GUI")
                                   .example(example)
                                   .add<SpotLight>();

}  // namespace

}  // namespace sofa::component
