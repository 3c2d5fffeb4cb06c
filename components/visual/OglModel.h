// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/visual/VisualModelImpl.h"

namespace sofa::component {

/// Surface that is shown, with the choices that concern OpenGL. It draws only in a viewer.
class OglModel : public VisualModelImpl
{
public:
    Data<bool> d_blendTransparency{this, {.name = "blendTranslucency", .help = "Blend transparent parts"}, true};
    Data<bool> d_premultipliedAlpha{
        this, {.name = "premultipliedAlpha", .help = "Colours are multiplied by their opacity already"}, false};
    Data<bool> d_writeZTransparent{this, {.name = "writeZTransparent", .help = "Transparent parts write depth"}, false};
    Data<bool> d_alphaBlend{this, {.name = "alphaBlend", .help = "Blend by opacity"}, false};
    Data<bool> d_depthTest{this, {.name = "depthTest", .help = "Hide what lies behind"}, true};
    Data<int> d_cullFace{
        this, {.name = "cullFace", .help = "Faces left out: 0 none, 1 those seen from behind, 2 from the front"}, 0};
    Data<float> d_lineWidth{
        this, {.name = "lineWidth", .help = "Width of lines", .unit = "pixel", .range = Range::positive()}, 1.f};
    Data<float> d_pointSize{
        this, {.name = "pointSize", .help = "Size of points", .unit = "pixel", .range = Range::positive()}, 1.f};
    Data<Options> d_primitiveType{this,
                                  {.name = "primitiveType", .help = "Primitives sent to the GPU"},
                                  Options({"DEFAULT", "LINES_ADJACENCY", "PATCHES", "POINTS"}, 0)};
    Data<Options> d_blendEquation{this,
                                  {.name = "blendEquation", .help = "How blended colours are combined"},
                                  Options({"GL_FUNC_ADD", "GL_FUNC_SUBTRACT", "GL_MIN", "GL_MAX"}, 0)};
    Data<Options> d_sourceFactor{this,
                                 {.name = "sfactor", .help = "Factor of the new colour when blending"},
                                 Options({"GL_ZERO", "GL_ONE", "GL_SRC_ALPHA", "GL_ONE_MINUS_SRC_ALPHA"}, 2)};
    Data<Options> d_destFactor{this,
                               {.name = "dfactor", .help = "Factor of the old colour when blending"},
                               Options({"GL_ZERO", "GL_ONE", "GL_SRC_ALPHA", "GL_ONE_MINUS_SRC_ALPHA"}, 3)};

    OglModel();

protected:
    void finishStyle(DrawStyle& style, SurfaceDescription& surface, bool transparent) const override;
    std::uint64_t styleVersion() const override;
    SurfaceDescription::Primitive primitive() const override;
};

/// Surface that is shown by a shader of its own (see OglShader).
class OglShaderVisualModel final : public OglModel
{
};

}  // namespace sofa::component
