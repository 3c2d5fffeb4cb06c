// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Registry.h"

namespace sofa::component {

using namespace core;

namespace {

/// Point of view. Position, orientation, point looked at and distance to it determine each other: the scene gives what
/// it likes.
class Camera : public Component
{
public:
    Data<Vec3> d_position{this, {.name = "position", .help = "Position of the camera", .unit = "m"}};
    Data<Quat> d_orientation{
        this, {.name = "orientation", .help = "Orientation of the camera; it looks along its -z axis", .unit = "1"}};
    Data<Vec3> d_lookAt{this, {.name = "lookAt", .help = "Point that the camera looks at", .unit = "m"}};
    Data<double> d_distance{
        this, {.name = "distance", .help = "Distance from the camera to that point", .unit = "m"}, 0.};
    Data<double> d_fieldOfView{
        this, {.name = "fieldOfView", .help = "Vertical angle of view, in degrees", .unit = "deg"}, 45.};
    Data<double> d_zNear{this, {.name = "zNear", .help = "Distance of the near clipping plane", .unit = "m"}, 0.01};
    Data<double> d_zFar{this, {.name = "zFar", .help = "Distance of the far clipping plane", .unit = "m"}, 100.};
    Data<bool> d_computeZClip{
        this, {.name = "computeZClip", .help = "Set the clipping planes from the bounding box of the scene"}, true};
    Data<Vec3> d_minBBox{this, {.name = "minBBox", .help = "Lower corner of what the view must show", .unit = "m"}};
    Data<Vec3> d_maxBBox{
        this, {.name = "maxBBox", .help = "Upper corner of what the view must show", .unit = "m"}, Vec3{1., 1., 1.}};
    Data<unsigned> d_width{this, {.name = "widthViewport", .help = "Width of the view [pixels]"}, 800};
    Data<unsigned> d_height{this, {.name = "heightViewport", .help = "Height of the view [pixels]"}, 600};
    Data<Options> d_projection{
        this, {.name = "projectionType", .help = "Kind of projection"}, Options({"Perspective", "Orthographic"})};
    Data<bool> d_activated{this, {.name = "activated", .help = "Whether this camera is used"}, true};
    Data<bool> d_fixedLookAt{
        this, {.name = "fixedLookAt", .help = "The point looked at stays while the camera moves"}, false};
};

/// Camera that the mouse moves.
class InteractiveCamera final : public Camera
{
public:
    Data<double> d_zoomSpeed{this, {.name = "zoomSpeed", .help = "Speed of zooming", .unit = "1"}, 250.};
    Data<double> d_panSpeed{this, {.name = "panSpeed", .help = "Speed of panning", .unit = "1"}, 0.1};
    Data<int> d_pivot{
        this,
        {.name = "pivot", .help = "Centre of rotation: 0 the scene, 1 the origin, 2 the point looked at, 3 the camera"},
        2};
};

const RegisterComponent camera = RegisterComponent("Camera", "Camera", "Sofa.Component.Visual")
                                     .help("Point of view of the scene. It acts only in a GUI")
                                     .alias("BaseCamera")
                                     .example("component/visual/Decorations.scn")
                                     .add<Camera>();
const RegisterComponent interactive = RegisterComponent("InteractiveCamera", "Camera", "Sofa.Component.Visual")
                                          .help("Point of view that the mouse moves. It acts only in a GUI")
                                          .example("component/visual/Decorations.scn")
                                          .add<InteractiveCamera>();

}  // namespace

}  // namespace sofa::component
