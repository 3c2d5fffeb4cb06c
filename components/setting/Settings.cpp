// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/setting/Settings.h"

#include "core/factory/Registry.h"
#include "core/scene/DataRepository.h"

namespace sofa::component {

void BackgroundSetting::draw(DrawTool& tool)
{
    if (tool.list().background) return;
    BackgroundDescription background{d_color.value(), {}};
    if (!d_image.value().text.empty()) background.image = findFile(d_image.value().text, d_image).value_or("");
    tool.list().background = std::move(background);
}

namespace {

RegisterComponent setting(const char* name, const char* module, const char* help)
{
    return RegisterComponent(name, "Setting", module)
        .help(std::string(help) + " It has an effect only in a viewer.")
        .example("component/setting/Settings.scn");
}

constexpr const char* settings = "Sofa.Component.Setting";
constexpr const char* gui = "Sofa.GUI.Component";

const RegisterComponent registered[] = {
    setting("BackgroundSetting", settings, "Background of the view.").alias("Background").add<BackgroundSetting>(),
    setting("ViewerSetting", settings, "Window and selection of the viewer.").alias("Viewer").add<ViewerSetting>(),
    setting("StatsSetting", settings, "What the viewer records.").alias("Stats").add<StatsSetting>(),
    setting("SofaDefaultPathSetting", settings, "Folders where the viewer writes.")
        .alias("SofaDefaultPath")
        .add<SofaDefaultPathSetting>(),
    setting("AttachBodyButtonSetting", gui, "A mouse button pulls bodies by a spring.")
        .alias("AttachBodyButton")
        .add<AttachBodyButtonSetting>(),
    setting("ConstraintAttachButtonSetting", gui, "A mouse button pulls bodies by a constraint.")
        .add<ConstraintAttachButtonSetting>(),
    setting("FixPickedParticleButtonSetting", gui, "A mouse button fixes points.")
        .alias("FixPickedParticleButton")
        .add<FixPickedParticleButtonSetting>(),
    setting("AddFrameButtonSetting", gui, "A mouse button adds a frame to a skinned body.")
        .alias("AddFrameButton")
        .add<AddFrameButtonSetting>(),
    setting("AddRecordedCameraButtonSetting", gui, "A mouse button adds the view to a recorded camera.")
        .alias("AddRecordedCameraButton")
        .add<AddRecordedCameraButtonSetting>(),
    setting("StartNavigationButtonSetting", gui, "A mouse button starts the path of a recorded camera.")
        .alias("StartNavigationButton")
        .add<StartNavigationButtonSetting>(),
};

}  // namespace

}  // namespace sofa::component
