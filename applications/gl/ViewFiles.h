// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <string>

#include "applications/gl/Camera.h"
#include "core/visual/DrawList.h"

namespace sofa::gl {

/// File of a view that was saved for a scene: SCENE.view ("organ.scn.view"), else that with .view for the scene's own
/// extension, else those that SOFA's viewers wrote (SCENE.qt.view, SCENE.qglviewer.view).
std::optional<std::string> savedView(const std::string& scene);
/// Where "save view" puts it: SCENE.view.
std::string viewFileFor(const std::string& scene);

/// Whether something that is drawn may be seen by a camera: not all of it is beside the view or behind the camera.
bool seesSomething(const Camera& camera, const DrawList& list);

/// The first view of a scene, of the camera's size: of the file `view`; else the saved one; else that of the scene's
/// camera; else everything is seen, against gravity is up. The last two have the projection that the scene chooses for
/// its viewer. Where a saved view or the scene's camera would show nothing of what there is, everything is seen
/// instead. Returns whether everything is. Throws std::runtime_error if a file is wrong.
bool firstView(Camera& camera, const DrawList& list, const Vec3& gravity, const std::string& scene,
               const std::string& view = {});

}  // namespace sofa::gl
