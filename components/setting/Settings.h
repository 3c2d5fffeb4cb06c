// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/interaction/MouseInteractor.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

using namespace sofa::core;

/// Background of the view. Of several, the first one holds.
class BackgroundSetting final : public Component
{
public:
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the background"}};
    Data<FileName> d_image{this, {.name = "image", .help = "Image file of the background"}};

    void draw(DrawTool& tool) override;

private:
    std::shared_ptr<const BackgroundDescription> m_background;
    std::uint64_t m_version = 0;  ///< of the Data that it was made from
};

/// Window of the viewer, and what it shows of the node or component that is selected. Of several, the first one holds.
/// What is not given leaves the window as it is.
class ViewerSetting final : public Component
{
public:
    Data<Vec<2, int>> d_resolution{
        this,
        {.name = "resolution", .help = "Width and height of the view [pixel]", .group = "Viewport"},
        Vec<2, int>{800, 600}};
    Data<bool> d_fullscreen{this, {.name = "fullscreen", .help = "Fill the screen", .group = "Viewport"}, false};
    Data<Options> d_cameraMode{this,
                               {.name = "cameraMode", .help = "Perspective or Orthographic", .group = "Camera"},
                               Options({"Perspective", "Orthographic"}, 0)};
    Data<Options> d_objectPickingMethod{
        this,
        {.name = "objectPickingMethod",
         .help =
             "Ray casting: what a ray through the pixel, or near it, meets; Selection buffer: only collision models, "
             "exactly at the pixel",
         .group = "Selection"},
        Options({"Ray casting", "Selection buffer"}, 0)};
    Data<bool> d_nodeBox{this, selection("showSelectedNodeBoundingBox", "Show the bounding box of selected nodes"),
                         true};
    Data<bool> d_objectBox{
        this, selection("showSelectedObjectBoundingBox", "Show the bounding box of selected components"), true};
    Data<bool> d_positions{this, selection("showSelectedObjectPositions", "Show the points of selected components"),
                           true};
    Data<bool> d_surfaces{this, selection("showSelectedObjectSurfaces", "Show the faces of selected components"), true};
    Data<bool> d_volumes{this, selection("showSelectedObjectVolumes", "Show the volumes of selected components"), true};
    Data<bool> d_indices{this, selection("showSelectedObjectIndices", "Show the indices of selected components"), true};
    Data<double> d_visualScaling{this,
                                 {.name = "showSelectedVisualScaling",
                                  .help = "Height of the indices relative to the size of the scene",
                                  .unit = "1",
                                  .group = "Selection"},
                                 0.02};

    void draw(DrawTool& tool) override;

private:
    static DataInfo selection(std::string_view name, std::string_view help)
    {
        return {.name = name, .help = help, .group = "Selection"};
    }
};

/// What the window records while the simulation runs, from the beginning: what the Stats tab does when it is asked. Its
/// folder of exports gets the files.
class StatsSetting final : public Component
{
public:
    Data<bool> d_dumpState{
        this,
        {.name = "dumpState", .help = "Write the state at the beginning and after each step to dumpState.data"},
        false};
    Data<bool> d_logTime{this, {.name = "logTime", .help = "Print the time that each step takes"}, false};
    Data<bool> d_exportState{
        this,
        {.name = "exportState", .help = "Write positions, velocities and energies of each step to files for gnuplot"},
        false};

    StatsSetting() { addAlias(d_dumpState, "dumpVisitor"); }
};

/// Folders where the viewer writes.
class SofaDefaultPathSetting final : public Component
{
public:
    Data<FileName> d_gnuplotPath{this, {.name = "gnuplotPath", .help = "Folder for files of gnuplot"}};
};

/// What a button of the mouse does.
class MouseButtonSetting : public Component
{
public:
    Data<Options> d_button{
        this, {.name = "button", .help = "Left, Middle or Right"}, Options({"Left", "Middle", "Right"}, 0)};

protected:
    MouseButton button() const { return static_cast<MouseButton>(d_button.value().index()); }
};

/// A button pulls the body under the mouse by a spring.
class AttachBodyButtonSetting : public MouseButtonSetting, public ButtonSetting
{
public:
    AttachBodyButtonSetting()
    {
        ignoreAttribute("arrowSize", "the spring is drawn as a line");
        ignoreAttribute("showFactorSize", "the spring is drawn as a line");
    }
    MouseButton mouseButton() const override { return button(); }
    MouseInteractor::Binding binding() const override { return {"AttachBody", {.stiffness = d_stiffness.value()}}; }

    Data<double> d_stiffness{
        this,
        {.name = "stiffness", .help = "Stiffness of the spring", .unit = "N/m", .range = Range::nonNegative()},
        1000.};
};

/// A button pulls the body under the mouse by a constraint.
class ConstraintAttachButtonSetting final : public MouseButtonSetting, public ButtonSetting
{
public:
    MouseButton mouseButton() const override { return button(); }
    MouseInteractor::Binding binding() const override { return {"ConstraintAttachBody", {}}; }
};

/// A button fixes the point under the mouse by a spring.
class FixPickedParticleButtonSetting final : public MouseButtonSetting, public ButtonSetting
{
public:
    MouseButton mouseButton() const override { return button(); }
    MouseInteractor::Binding binding() const override { return {"FixParticle", {.stiffness = d_stiffness.value()}}; }

    Data<double> d_stiffness{
        this,
        {.name = "stiffness", .help = "Stiffness of the spring", .unit = "N/m", .range = Range::nonNegative()},
        10000.};
};

/// A button adds a frame to the skinned body under the mouse, where it is touched (SkinningMapping).
class AddFrameButtonSetting final : public MouseButtonSetting, public ButtonSetting
{
public:
    MouseButton mouseButton() const override { return button(); }
    MouseInteractor::Binding binding() const override { return {"AddFrame", {}}; }
};

/// A button adds the present view to the path of the first RecordedCamera of the scene, with its orientation.
class AddRecordedCameraButtonSetting final : public MouseButtonSetting, public ButtonSetting
{
public:
    MouseButton mouseButton() const override { return button(); }
    MouseInteractor::Binding binding() const override { return {"AddRecordedCamera", {}}; }
};

/// A button starts the flight along the path of the first RecordedCamera of the scene, or ends it: from now on, as long
/// as from its startTime to its endTime.
class StartNavigationButtonSetting final : public MouseButtonSetting, public ButtonSetting
{
public:
    MouseButton mouseButton() const override { return button(); }
    MouseInteractor::Binding binding() const override { return {"StartNavigation", {}}; }
};

/// A button does one of the operations that the window offers, by its name: Refine, Carve, SuturePoints,
/// RemovePrimitive, AddForce, ... SOFA has no such component.
class MouseOperationButtonSetting final : public MouseButtonSetting, public ButtonSetting
{
public:
    Data<std::string> d_operation{this, {.name = "operation", .help = "Name of the operation"}, "AttachBody"};
    Data<double> d_strength{this,
                            {.name = "strength",
                             .help = "How strongly it works: stiffness [N/m], force [N], radius or size [m], as the "
                                     "operation has it; default: the usual one",
                             .unit = "N/m, N or m",
                             .range = Range::positive()},
                            1.};

    /// Fails for an operation that does not exist, and for a strength where it has none.
    void init() override;
    MouseButton mouseButton() const override { return button(); }
    MouseInteractor::Binding binding() const override;
};

}  // namespace sofa::component
