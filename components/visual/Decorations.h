// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/visual/VisualComponent.h"
#include "core/objectmodel/ActiveNodes.h"

namespace sofa::component {

/// The axes of the scene's frame, drawn in a corner of the view.
class OglSceneFrame final : public VisualComponent
{
public:
    Data<bool> d_draw{this, {.name = "draw", .help = "Draw the frame"}, true};
    Data<Options> d_style{this,
                          {.name = "style", .help = "Shape of the axes: Arrows, Cylinders, CubeCones"},
                          Options({"Arrows", "Cylinders", "CubeCones"}, 1)};
    Data<Options> d_alignment{this,
                              {.name = "alignment", .help = "Corner of the view"},
                              Options({"BottomLeft", "BottomRight", "TopRight", "TopLeft"}, 1)};
    Data<int> d_viewportSize{
        this, {.name = "viewportSize", .help = "Size of the corner [pixel]", .range = Range::nonNegative()}, 150};

    void draw(DrawTool& tool) override;
};

/// Text at a fixed place of the view; `label` may be linked to any Data.
class OglLabel final : public VisualComponent
{
public:
    Data<std::string> d_prefix{this, {.name = "prefix", .help = "Text in front of the label"}};
    Data<std::string> d_label{this, {.name = "label", .help = "Text, or a link to the value to show"}};
    Data<std::string> d_suffix{this, {.name = "suffix", .help = "Text behind the label"}};
    Data<Index> d_x{this, {.name = "x", .help = "Distance from the left [pixel]"}, 10};
    Data<Index> d_y{this, {.name = "y", .help = "Distance from the top [pixel]"}, 10};
    Data<Index> d_fontsize{this, {.name = "fontsize", .help = "Size of the font [pixel]"}, 14};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the text"}, Color(0.5f, 0.5f, 0.5f)};
    Data<bool> d_selectContrastingColor{
        this, {.name = "selectContrastingColor", .help = "Choose the colour against the background"}, false};
    Data<Index> d_updateEvery{
        this, {.name = "updateLabelEveryNbSteps", .help = "Steps between updates of the text; 0: at every frame"}, 0};

    OglLabel()
    {
        d_listening.setDefault(true);
        addAlias(d_enable, "visible");
    }
    /// Old scenes write color="contrast" for selectContrastingColor="1".
    void parse(ComponentDescription& desc) override
    {
        if (Attribute* a = desc.find("color"); a && a->value == "contrast") {
            a->used = true;
            d_selectContrastingColor.setValue(true);
        }
        VisualComponent::parse(desc);
    }
    void draw(DrawTool& tool) override;
    void handleEvent(const Event& e) override;

private:
    std::string m_shown;          ///< the label when it was updated last
    std::uint64_t m_changes = 0;  ///< of it
    Index m_steps = 0;            ///< since then
    bool m_first = true;
};

/// Square grid of lines in a coordinate plane.
class VisualGrid final : public VisualComponent
{
public:
    Data<Options> d_plane{
        this, {.name = "plane", .help = "Axis that is normal to the grid"}, Options({"x", "y", "z"}, 2)};
    Data<float> d_size{
        this, {.name = "size", .help = "Side of the square", .unit = "m", .range = Range::nonNegative()}, 10.f};
    Data<int> d_nbSubdiv{this, {.name = "nbSubdiv", .help = "Cells along a side", .range = Range::nonNegative()}, 16};
    Data<Color> d_color{
        this, {.name = "color", .help = "Colour of the lines"}, Color(87.f / 255.f, 87.f / 255.f, 87.f / 255.f)};
    Data<float> d_thickness{
        this, {.name = "thickness", .help = "Width of the lines", .unit = "pixel", .range = Range::positive()}, 1.f};
    Data<int> d_nbLineSegments{
        this,
        {.name = "nbLineSegments", .help = "Segments of which each line is drawn", .range = Range::atLeast(1)},
        1};

    VisualGrid() { addAlias(d_enable, "draw"); }
    BoundingBox boundingBox() const override;
    void draw(DrawTool& tool) override;
};

/// Coordinate axes through the origin.
class LineAxis final : public VisualComponent
{
public:
    Data<std::string> d_axis{this, {.name = "axis", .help = "Axes to draw: any of x, y and z"}, "xyz"};
    Data<float> d_size{
        this, {.name = "size", .help = "Length of an axis", .unit = "m", .range = Range::nonNegative()}, 10.f};
    Data<bool> d_infinite{this, {.name = "infinite", .help = "Draw the axes without end"}, false};
    Data<float> d_thickness{
        this, {.name = "thickness", .help = "Width of the lines", .unit = "pixel", .range = Range::positive()}, 1.f};
    Data<bool> d_vanishing{this, {.name = "vanishing", .help = "Let the axes fade with distance"}, false};
    Data<int> d_nbLineSegments{
        this,
        {.name = "nbLineSegments", .help = "Segments of which each line is drawn", .range = Range::atLeast(1)},
        1};

    LineAxis() { addAlias(d_enable, "draw"); }
    BoundingBox boundingBox() const override;
    void draw(DrawTool& tool) override;
};

/// Text at a place in space, facing the viewer.
class Visual3DText final : public VisualComponent
{
public:
    Data<std::string> d_text{this, {.name = "text", .help = "The text"}};
    Data<Vec3> d_position{this, {.name = "position", .help = "Place of the text", .unit = "m"}};
    Data<float> d_scale{
        this, {.name = "scale", .help = "Height of the text", .unit = "m", .range = Range::nonNegative()}, 1.f};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the text"}};
    Data<bool> d_depthTest{this, {.name = "depthTest", .help = "Hide the text behind what is in front of it"}, true};

    BoundingBox boundingBox() const override;
    void draw(DrawTool& tool) override;
};

/// The bounding box of all that the node and those below show.
class VisualBoundingBox final : public VisualComponent
{
public:
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the edges"}, Color(1.f, 1.f, 0.f)};
    Data<float> d_thickness{
        this, {.name = "thickness", .help = "Width of the edges", .unit = "pixel", .range = Range::positive()}, 1.f};

    void draw(DrawTool& tool) override;

private:
    ActiveNodes m_nodes;  ///< at and below its own
};

/// Draws what is in its node (and below, with `recursive`) in another frame; the simulation does not know of it.
class VisualTransform final : public VisualComponent
{
public:
    Data<RigidCoord3> d_transform{
        this, {.name = "transform", .help = "Frame in which the node is drawn: centre, quaternion", .unit = "m"}};
    Data<bool> d_recursive{this, {.name = "recursive", .help = "Transform the nodes below too"}, false};

    void draw(DrawTool& tool) override;
};

/// Half space in which nothing of the node is drawn.
class ClipPlane final : public VisualComponent
{
public:
    Data<Vec3> d_position{this, {.name = "position", .help = "A point of the plane", .unit = "m"}};
    Data<Vec3> d_normal{
        this, {.name = "normal", .help = "Normal, towards what is cut away", .unit = "1"}, Vec3{1., 0., 0.}};
    Data<bool> d_active{this, {.name = "active", .help = "Apply the plane"}, true};

    ClipPlane() { ignoreAttribute("id", "planes of OpenGL are numbered by the viewer"); }

    void draw(DrawTool& tool) override;
};

/// A second view of the scene inside the view.
class OglViewport final : public VisualComponent
{
public:
    Data<Vec<2, int>> d_screenPosition{this, {.name = "screenPosition", .help = "Lower left corner [pixel]"}};
    Data<Vec<2, unsigned int>> d_screenSize{this, {.name = "screenSize", .help = "Width and height [pixel]"}};
    Data<Vec3> d_cameraPosition{this, {.name = "cameraPosition", .help = "Place of the camera", .unit = "m"}};
    Data<Quat> d_cameraOrientation{this,
                                   {.name = "cameraOrientation", .help = "Orientation of the camera", .unit = "1"}};
    Data<RigidCoord3> d_cameraRigid{
        this, {.name = "cameraRigid", .help = "Place and orientation of the camera as a frame", .unit = "m"}};
    Data<double> d_zNear{this, {.name = "zNear", .help = "Distance of the near plane", .unit = "m"}, 0.};
    Data<double> d_zFar{this, {.name = "zFar", .help = "Distance of the far plane", .unit = "m"}, 0.};
    Data<double> d_fovy{this, {.name = "fovy", .help = "Vertical angle of view", .unit = "deg"}, 60.};
    Data<bool> d_enabled{this, {.name = "enabled", .help = "Show the view"}, true};
    Data<bool> d_advancedRendering{
        this, {.name = "advancedRendering", .help = "Show it only with showAdvancedRendering"}, false};
    Data<bool> d_swapMainView{this, {.name = "swapMainView", .help = "Exchange it with the main view"}, false};
    Data<bool> d_drawCamera{this, {.name = "drawCamera", .help = "Draw the camera's frame in the main view"}, false};

    OglViewport() { ignoreAttribute("useFBO", "the view is drawn in its place without a buffer of its own"); }

    void draw(DrawTool& tool) override;
};

}  // namespace sofa::component
