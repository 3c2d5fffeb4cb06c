// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/setting/Settings.h"

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"

namespace sofa::component {

void BackgroundSetting::draw(DrawTool& tool)
{
    if (tool.list().background) return;
    const std::uint64_t version = d_color.counter() + d_image.counter();
    if (!m_background || m_version != version) {
        BackgroundDescription background{d_color.value(), {}};
        if (!d_image.value().text.empty()) background.image = findFile(d_image.value().text, d_image).value_or("");
        m_background = std::make_shared<const BackgroundDescription>(std::move(background));
        m_version = version;
    }
    tool.list().background = m_background;
}

void ViewerSetting::draw(DrawTool& tool)
{
    if (tool.list().viewer) return;
    ViewerDescription viewer;
    const auto [width, height] = std::pair(d_resolution.value()[0], d_resolution.value()[1]);
    if (d_resolution.isSet() && width > 0 && height > 0) viewer.size = {width, height};
    if (d_fullscreen.isSet()) viewer.fullScreen = d_fullscreen.value();
    if (d_cameraMode.isSet()) viewer.orthographic = d_cameraMode.value().index() == 1;
    viewer.picksOnlyCollisionModels = d_objectPickingMethod.value().index() == 1;
    viewer.selection = {d_nodeBox.value(), d_objectBox.value(), d_positions.value(),    d_surfaces.value(),
                        d_volumes.value(), d_indices.value(),   d_visualScaling.value()};
    tool.list().viewer = viewer;
}

void MouseOperationButtonSetting::init()
{
    try {
        const auto kind = performers().get(d_operation.value());
        if (d_strength.isSet() && !kind->strength)
            fail("strength: the operation '" + d_operation.value() + "' has none");
    } catch (const std::runtime_error& e) {
        fail(std::string("operation: ") + e.what());
    }
}

MouseInteractor::Binding MouseOperationButtonSetting::binding() const
{
    MouseInteractor::Binding b{d_operation.value(), {}};
    const auto kind = performers().find(b.performer);
    if (kind && kind->strength)
        b.settings.*kind->strength->value = d_strength.isSet() ? d_strength.value() : kind->strength->usual;
    return b;
}

namespace {

RegisterComponent setting(const char* name, const char* module, const char* help, const char* scene = "Settings")
{
    return RegisterComponent(name, "Setting", module)
        .help(std::string(help) + " It has an effect only in a viewer.")
        .example(std::string("component/setting/") + scene + ".scn");
}

constexpr const char* settings = "Sofa.Component.Setting";
constexpr const char* gui = "Sofa.GUI.Component";

const RegisterComponent registeredSettings[] = {
    setting("BackgroundSetting", settings, "Background of the view.").alias("Background").add<BackgroundSetting>(),
    setting("ViewerSetting", settings, "Window and selection of the viewer.").alias("Viewer").add<ViewerSetting>(),
    setting("StatsSetting", settings, "What the viewer records.").alias("Stats").add<StatsSetting>(),
    setting("SofaDefaultPathSetting", settings, "Folders where the viewer writes.", "CameraSettings")
        .alias("SofaDefaultPath")
        .add<SofaDefaultPathSetting>(),
    setting("AttachBodyButtonSetting", gui, "A mouse button pulls bodies by a spring.")
        .alias("AttachBodyButton")
        .add<AttachBodyButtonSetting>(),
    setting("ConstraintAttachButtonSetting", gui, "A mouse button pulls bodies by a constraint.",
            "ConstraintAttachButton")
        .add<ConstraintAttachButtonSetting>(),
    setting("FixPickedParticleButtonSetting", gui, "A mouse button fixes points.")
        .alias("FixPickedParticleButton")
        .add<FixPickedParticleButtonSetting>(),
    setting("AddFrameButtonSetting", gui, "A mouse button adds a frame to the skinned body under the mouse.")
        .alias("AddFrameButton")
        .example("demos/frames.scn")
        .add<AddFrameButtonSetting>(),
    setting("AddRecordedCameraButtonSetting", gui, "A mouse button adds the view to a recorded camera.",
            "CameraSettings")
        .alias("AddRecordedCameraButton")
        .add<AddRecordedCameraButtonSetting>(),
    setting("StartNavigationButtonSetting", gui, "A mouse button starts the path of a recorded camera.",
            "CameraSettings")
        .alias("StartNavigationButton")
        .add<StartNavigationButtonSetting>(),
    setting("MouseOperationButtonSetting", gui, "A mouse button does an operation of the window, by its name.")
        .add<MouseOperationButtonSetting>(),
};

}  // namespace

}  // namespace sofa::component
