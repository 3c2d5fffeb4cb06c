// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/visual/VisualComponent.h"

namespace sofa::component {

/// Switches the lights of the scene on: without it, viewers use a light of their own.
class LightManager final : public VisualComponent
{
public:
    Data<bool> d_shadows{this, {.name = "shadows", .help = "Cast shadows"}, false};
    Data<bool> d_softShadows{this, {.name = "softShadows", .help = "Cast soft shadows"}, false};
    Data<Color> d_ambient{this, {.name = "ambient", .help = "Ambient light"}, Color(0.f, 0.f, 0.f, 0.f)};
    Data<bool> d_debugDraw{this, {.name = "debugDraw", .help = "Draw the shadow textures"}, false};

    void draw(DrawTool& tool) override;
};

/// What all lights share. A light shines if there is a LightManager in its node or above, which also says whether
/// lights cast shadows at all; lights with a place of their own draw it with `drawSource`.
class Light : public VisualComponent
{
public:
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the light"}};
    Data<Index> d_shadowTextureSize{
        this, {.name = "shadowTextureSize", .help = "Size of the shadow texture [pixel]; 0: that of the view"}, 0};
    Data<bool> d_drawSource{this, {.name = "drawSource", .help = "Draw the light source"}, false};
    Data<double> d_zNear{this, {.name = "zNear", .help = "Least distance that casts shadows", .unit = "m"}, 0.};
    Data<double> d_zFar{this, {.name = "zFar", .help = "Greatest distance that casts shadows", .unit = "m"}, 0.};
    Data<bool> d_shadowsEnabled{this, {.name = "shadowsEnabled", .help = "This light casts shadows"}, true};
    Data<bool> d_softShadows{this, {.name = "softShadows", .help = "Its shadows are soft"}, false};
    Data<float> d_shadowFactor{
        this,
        {.name = "shadowFactor", .help = "Darkness of its shadows", .unit = "1", .range = Range::nonNegative()},
        1.f};
    Data<float> d_lightBleeding{
        this,
        {.name = "VSMLightBleeding", .help = "Variance shadow maps: reduction of light bleeding", .unit = "1"},
        0.05f};
    Data<float> d_minVariance{
        this, {.name = "VSMMinVariance", .help = "Variance shadow maps: least variance", .unit = "1"}, 0.001f};
    Data<Vector<float>> d_modelViewMatrix{
        this,
        {.name = "modelViewMatrix",
         .help = "World to light, row after row, for shaders; of lights that cast shadows",
         .unit = "1",
         .readOnly = true},
        Vector<float>(16, 0.f)};
    Data<Vector<float>> d_projectionMatrix{this,
                                           {.name = "projectionMatrix",
                                            .help = "Light to shadow texture as the cube [-1, 1]^3, row after row",
                                            .unit = "1",
                                            .readOnly = true},
                                           Vector<float>(16, 0.f)};

    Light()
    {
        addAlias(d_enable, "turnOn");
        ignoreAttribute("textureUnit", "the viewer has the texture units");
    }
    static std::string_view typeLabel() { return "light"; }
    void init() override;
    void draw(DrawTool& tool) override;

protected:
    /// What is particular of the kind of light.
    virtual void describe(LightDescription& light) const = 0;

private:
    /// What shaders of the scene may link to: the matrices of the shadow map.
    void updateMatrices(LightDescription light, const BoundingBox& scene);
};

/// Parallel rays.
///
/// The direction is that towards the light, as fixed-function OpenGL has it; in scenes with shadows it is that of the
/// rays, as SOFA's shadow maps have it.
class DirectionalLight final : public Light
{
public:
    Data<Vec3> d_direction{
        this,
        {.name = "direction", .help = "Direction towards the light; with shadows, of its rays", .unit = "1"},
        Vec3{0., 0., -1.}};

protected:
    void describe(LightDescription& light) const override;
};

/// Rays from one place in all directions.
class PositionalLight : public Light
{
public:
    Data<bool> d_fixed{this, {.name = "fixed", .help = "The place is relative to the camera"}, false};
    Data<Vec3> d_position{this, {.name = "position", .help = "Place of the light", .unit = "m"}, Vec3{-0.7, 0.3, 0.}};
    Data<float> d_attenuation{
        this, {.name = "attenuation", .help = "Decay with distance: linear coefficient", .unit = "1/m"}, 0.f};

protected:
    void describe(LightDescription& light) const override;
};

/// Rays from one place in a cone.
class SpotLight final : public PositionalLight
{
public:
    Data<Vec3> d_direction{
        this,
        {.name = "direction", .help = "Axis of the cone; with lookat, the point that it passes through", .unit = "1"},
        Vec3{0., 0., -1.}};
    Data<float> d_cutoff{
        this,
        {.name = "cutoff", .help = "Half angle of the cone", .unit = "deg", .range = Range::closed(0., 180.)},
        30.f};
    Data<float> d_exponent{
        this, {.name = "exponent", .help = "Concentration of the light at the axis", .unit = "1"}, 1.f};
    Data<bool> d_lookat{this, {.name = "lookat", .help = "The direction is a point"}, false};

protected:
    void describe(LightDescription& light) const override;
};

}  // namespace sofa::component
