// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/visual/VisualComponent.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

using namespace sofa::core;

/// Place, orientation and lens of the viewer's camera. A camera looks along its own −z axis, y up. Of several, the
/// first that is activated is used; one without a position leaves the place to the viewer.
class BaseCamera : public Component
{
public:
    Data<Vec3> d_position{this, {.name = "position", .help = "Place of the camera", .unit = "m"}};
    Data<Quat> d_orientation{this, {.name = "orientation", .help = "Orientation of the camera", .unit = "1"}};
    Data<Vec3> d_lookAt{this, {.name = "lookAt", .help = "Point that the camera looks at", .unit = "m"}};
    Data<double> d_distance{this, {.name = "distance", .help = "Distance to that point", .unit = "m"}, 0.};
    Data<double> d_fieldOfView{
        this,
        {.name = "fieldOfView", .help = "Vertical angle of view", .unit = "deg", .range = Range::open(0., 180.)},
        45.};
    Data<double> d_zNear{this, {.name = "zNear", .help = "Distance of the near plane", .unit = "m"}, 0.01};
    Data<double> d_zFar{this, {.name = "zFar", .help = "Distance of the far plane", .unit = "m"}, 100.};
    Data<bool> d_computeZClip{
        this, {.name = "computeZClip", .help = "Compute the near and far planes from the scene"}, true};
    Data<Vec3> d_minBBox{this, {.name = "minBBox", .help = "Lower corner of the scene's bounding box", .unit = "m"}};
    Data<Vec3> d_maxBBox{
        this, {.name = "maxBBox", .help = "Upper corner of the scene's bounding box", .unit = "m"}, Vec3{1., 1., 1.}};
    Data<Index> d_widthViewport{this, {.name = "widthViewport", .help = "Width of the view [pixel]"}, 800};
    Data<Index> d_heightViewport{this, {.name = "heightViewport", .help = "Height of the view [pixel]"}, 600};
    Data<Options> d_projectionType{this,
                                   {.name = "projectionType", .help = "Perspective or Orthographic"},
                                   Options({"Perspective", "Orthographic"}, 0)};
    Data<bool> d_activated{this, {.name = "activated", .help = "Use this camera"}, true};
    Data<Vector<double>> d_modelViewMatrix{
        this,
        {.name = "modelViewMatrix", .help = "World to camera, row after row", .unit = "1", .readOnly = true},
        Vector<double>(16, 0.)};
    Data<Vector<double>> d_projectionMatrix{this,
                                            {.name = "projectionMatrix",
                                             .help = "Camera to view as the cube [-1, 1]^3, row after row",
                                             .unit = "1",
                                             .readOnly = true},
                                            Vector<double>(16, 0.)};

    static std::string_view typeLabel() { return "camera"; }
    BaseCamera();
    /// Completes what the scene leaves open: with a position and a point to look at, the orientation and the distance;
    /// with an orientation and a distance, the point.
    void init() override;
    void draw(DrawTool& tool) override;

    /// Orientation of a camera at `position` that looks at `target`, its y axis as near to `up` as possible.
    static Quat lookAt(const Vec3& position, const Vec3& target, const Vec3& up = {0., 1., 0.});

protected:
    virtual CameraDescription describe() const;

private:
    /// The box of the scene and both matrices, of the camera as the scene places it: what the
    /// viewer's mouse does is not known here.
    void updateMatrices(const CameraDescription& camera, const BoundingBox& scene);
};

/// A camera that stays where the scene puts it.
class Camera final : public BaseCamera
{
public:
    Camera() { d_computeZClip.setDefault(false); }
};

/// A camera that is moved with the mouse.
class InteractiveCamera : public BaseCamera
{
public:
    InteractiveCamera()
    {
        ignoreAttribute("zoomSpeed", "the viewer's mouse has speeds and a centre of rotation of its own");
        ignoreAttribute("panSpeed", "the viewer's mouse has speeds and a centre of rotation of its own");
        ignoreAttribute("pivot", "the viewer's mouse has speeds and a centre of rotation of its own");
    }
};

/// A camera that follows a recorded path.
class RecordedCamera final : public BaseCamera
{
public:
    Data<double> d_startTime{this, {.name = "startTime", .help = "Time at which the path begins", .unit = "s"}, 0.};
    Data<double> d_endTime{this, {.name = "endTime", .help = "Time at which the path ends", .unit = "s"}, 200.};
    Data<bool> d_rotationMode{this, {.name = "rotationMode", .help = "Turn around rotationCenter"}, false};
    Data<bool> d_translationMode{this, {.name = "translationMode", .help = "Move along cameraPositions"}, false};
    Data<bool> d_navigationMode{
        this, {.name = "navigationMode", .help = "Move along cameraPositions, turning with cameraOrientations"}, false};
    Data<double> d_rotationSpeed{
        this, {.name = "rotationSpeed", .help = "Speed of the rotation", .unit = "rad/s"}, 0.1};
    Data<Vec3> d_rotationCenter{this, {.name = "rotationCenter", .help = "Centre of the rotation", .unit = "m"}};
    Data<Vec3> d_rotationStartPoint{
        this, {.name = "rotationStartPoint", .help = "Place of the camera at the start", .unit = "m"}};
    Data<Vec3> d_rotationLookAt{this,
                                {.name = "rotationLookAt", .help = "Point looked at during the rotation", .unit = "m"}};
    Data<Vec3> d_rotationAxis{
        this, {.name = "rotationAxis", .help = "Axis of the rotation", .unit = "1"}, Vec3{0., 1., 0.}};
    Data<Vec3> d_cameraUp{this, {.name = "cameraUp", .help = "Direction that is up in the view", .unit = "1"}};
    Data<bool> d_drawRotation{
        this, {.name = "drawRotation", .help = "Draw the path of the rotation", .group = "Visualization"}, false};
    Data<bool> d_drawTranslation{
        this, {.name = "drawTranslation", .help = "Draw the path of the translation", .group = "Visualization"}, false};
    Data<Vector<Vec3>> d_cameraPositions{this, {.name = "cameraPositions", .help = "Path of the camera", .unit = "m"}};
    Data<Vector<Quat>> d_cameraOrientations{
        this, {.name = "cameraOrientations", .help = "Orientations along the path", .unit = "1"}};

    RecordedCamera()
    {
        ignoreAttribute("zoomSpeed", "the viewer's mouse has speeds and a centre of rotation of its own");
        ignoreAttribute("panSpeed", "the viewer's mouse has speeds and a centre of rotation of its own");
        ignoreAttribute("pivot", "the viewer's mouse has speeds and a centre of rotation of its own");
    }

    /// Centre and start of a rotation that the scene does not give: as in SOFA, 10 m up, and 50 m in front of it.
    void init() override;
    void draw(DrawTool& tool) override;
    /// Place of the camera at a time [s] of the path.
    RigidCoord3 poseAt(double time) const;
    /// Adds a place to the end of the path.
    void addPlace(const RigidCoord3& place);
    /// Starts to move along the path at this time [s], for as long as the scene says; or ends that. Throws
    /// std::runtime_error if the path has less than two places. A reset takes it back.
    void startOrEndNavigation(double time);
    void reset() override;
    void archive(Archive& a) override;

protected:
    CameraDescription describe() const override;

private:
    /// Whether `startOrEndNavigation` set the times, and those of the scene [s].
    bool m_navigated = false, m_initialMode = false;
    double m_initialStart = 0., m_initialEnd = 0.;
};

}  // namespace sofa::component
