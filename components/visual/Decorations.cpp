// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"
#include "core/visual/Color.h"

namespace sofa::component {

using namespace core;

namespace {

/// Frame of the world axes in a corner of the view.
class OglSceneFrame final : public Component
{
public:
    Data<bool> d_draw{this, {.name = "draw", .help = "Whether the frame is shown"}, true};
    Data<Options> d_style{
        this, {.name = "style", .help = "Shape of the axes"}, Options({"Arrows", "Cylinders", "CubeCones"}, 1)};
    Data<Options> d_alignment{this,
                              {.name = "alignment", .help = "Corner of the view"},
                              Options({"BottomLeft", "BottomRight", "TopRight", "TopLeft"}, 1)};
    Data<int> d_viewportSize{this,
                             {.name = "viewportSize",
                              .help = "Side of the square that the frame takes [pixels]",
                              .range = Range::atLeast(1)},
                             150};
};

/// Text at a place of the window.
class OglLabel final : public Component
{
public:
    Data<std::string> d_prefix{this, {.name = "prefix", .help = "Text before the label"}};
    Data<std::string> d_label{this, {.name = "label", .help = "Text; link it to any Data to show its value"}};
    Data<std::string> d_suffix{this, {.name = "suffix", .help = "Text after the label"}};
    Data<unsigned> d_x{this, {.name = "x", .help = "Distance from the left border [pixels]"}, 10};
    Data<unsigned> d_y{this, {.name = "y", .help = "Distance from the upper border [pixels]"}, 10};
    Data<unsigned> d_fontSize{this, {.name = "fontsize", .help = "Height of the letters [pixels]"}, 14};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the text"}, Color(0.5f, 0.5f, 0.5f)};
    Data<bool> d_contrast{
        this,
        {.name = "selectContrastingColor", .help = "Take a colour that stands out from the background instead"},
        false};
    Data<unsigned> d_updateEvery{
        this,
        {.name = "updateLabelEveryNbSteps", .help = "Read the label again every so many steps; 0: at each frame"},
        0};
    Data<bool> d_visible{this, {.name = "visible", .help = "Whether the text is shown"}, true};
};

/// Grid in a coordinate plane.
class VisualGrid final : public Component
{
public:
    Data<bool> d_enable{this, {.name = "enable", .help = "Whether the grid is shown"}, true};
    Data<Options> d_plane{this, {.name = "plane", .help = "Axis normal to the grid"}, Options({"x", "y", "z"}, 2)};
    Data<double> d_size{this, {.name = "size", .help = "Side of the grid", .unit = "m"}, 10.};
    Data<int> d_subdivisions{this, {.name = "nbSubdiv", .help = "Number of squares along a side"}, 16};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the lines"}, Color(0.341176f, 0.341176f, 0.341176f)};
    Data<double> d_thickness{this, {.name = "thickness", .help = "Width of the lines, in pixels", .unit = "1"}, 1.};
    Data<int> d_segments{this, {.name = "nbLineSegments", .help = "Pieces of which each line is drawn"}, 1};
    VisualGrid() { ignoreAttribute("draw", "use enable"); }
    BoundingBox boundingBox() const override
    {
        BoundingBox b;
        if (!d_enable.value()) return b;
        const double h = 0.5 * d_size.value();
        Vec3 corner{h, h, h};
        corner[d_plane.value().index()] = 0.;
        b.include(corner);
        b.include(-corner);
        return b;
    }
};

/// Coordinate axes through the origin.
class LineAxis final : public Component
{
public:
    Data<bool> d_enable{this, {.name = "enable", .help = "Whether the axes are shown"}, true};
    Data<std::string> d_axis{this, {.name = "axis", .help = "Axes to draw: any of the letters x, y, z"}, "xyz"};
    Data<double> d_size{this, {.name = "size", .help = "Length of the axes", .unit = "m"}, 10.};
    Data<bool> d_infinite{this, {.name = "infinite", .help = "The axes cross the whole view"}, false};
    Data<double> d_thickness{this, {.name = "thickness", .help = "Width of the lines, in pixels", .unit = "1"}, 1.};
    Data<bool> d_vanishing{this, {.name = "vanishing", .help = "The lines fade towards their ends"}, false};
    Data<int> d_segments{this, {.name = "nbLineSegments", .help = "Pieces of which each line is drawn"}, 1};
    LineAxis() { ignoreAttribute("draw", "use enable"); }
};

/// Text at a point in space, turned to the viewer.
class Visual3DText final : public Component
{
public:
    Data<bool> d_enable{this, {.name = "enable", .help = "Whether the text is shown"}, true};
    Data<std::string> d_text{this, {.name = "text", .help = "The text"}};
    Data<Vec3> d_position{this, {.name = "position", .help = "Where the text stands", .unit = "m"}};
    Data<double> d_scale{this, {.name = "scale", .help = "Size of the letters", .unit = "m"}, 1.};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the text"}};
    Data<bool> d_depthTest{this, {.name = "depthTest", .help = "Hidden by what stands in front of it"}, true};
    Visual3DText() { addAlias(d_enable, "draw"); }
};

const char* const example = "component/visual/Decorations.scn";

const RegisterComponent frame = RegisterComponent("OglSceneFrame", "Visual", "Sofa.GL.Component.Rendering3D")
                                    .help("Frame of the world axes in a corner of the view. It draws only in a GUI")
                                    .example(example)
                                    .add<OglSceneFrame>();
const RegisterComponent label = RegisterComponent("OglLabel", "Visual", "Sofa.GL.Component.Rendering2D")
                                    .help("Text at a place of the window. It draws only in a GUI")
                                    .example(example)
                                    .add<OglLabel>();
const RegisterComponent grid = RegisterComponent("VisualGrid", "Visual", "Sofa.Component.Visual")
                                   .help("Grid in a coordinate plane. It draws only in a GUI")
                                   .example(example)
                                   .add<VisualGrid>();
const RegisterComponent axis = RegisterComponent("LineAxis", "Visual", "Sofa.Component.Visual")
                                   .help("Coordinate axes through the origin. It draws only in a GUI")
                                   .example(example)
                                   .add<LineAxis>();
const RegisterComponent text = RegisterComponent("Visual3DText", "Visual", "Sofa.Component.Visual")
                                   .help("Text at a point in space, turned to the viewer. It draws only in a GUI")
                                   .example(example)
                                   .add<Visual3DText>();

}  // namespace

}  // namespace sofa::component
