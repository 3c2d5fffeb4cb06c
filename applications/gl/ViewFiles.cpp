// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/ViewFiles.h"

#include <filesystem>

namespace sofa::gl {

std::string viewFileFor(const std::string& scene) { return scene + ".view"; }

std::optional<std::string> savedView(const std::string& scene)
{
    const std::string plain = std::filesystem::path(scene).replace_extension(".view").string();
    for (const std::string& file : {viewFileFor(scene), plain, scene + ".qt.view", scene + ".qglviewer.view"})
        if (std::filesystem::is_regular_file(file)) return file;
    return {};
}

void firstView(Camera& camera, const DrawList& list, const Vec3& gravity, const std::string& scene,
               const std::string& view)
{
    camera.setDefaultView(list.box, gravity);
    if (list.camera) camera.apply(*list.camera);
    if (list.viewer && list.viewer->orthographic) {
        camera.orthographic = *list.viewer->orthographic;
        if (!list.camera) camera.fit(list.box);  // what is near is no larger then
    }
    if (!view.empty())
        camera.load(view);
    else if (const auto saved = savedView(scene))
        camera.load(*saved);
    camera.computeClipping(list.box);
}

}  // namespace sofa::gl
