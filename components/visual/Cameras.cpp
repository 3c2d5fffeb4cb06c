// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/Cameras.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/factory/Registry.h"
#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Node.h"
#include "core/visual/ViewMatrices.h"

namespace sofa::component {

BaseCamera::BaseCamera()
{
    addAlias(d_projectionType, "type");
    ignoreAttribute("fixedLookAt", "what the camera looks at moves with it in the viewer");
}

Quat BaseCamera::lookAt(const Vec3& position, const Vec3& target, const Vec3& up)
{
    const Vec3 back = normalized(position - target, {0., 0., 1.});
    Vec3 right = cross(up, back);
    if (norm2(right) < 1e-20) right = cross(std::abs(back[0]) < 0.9 ? Vec3{1., 0., 0.} : Vec3{0., 0., 1.}, back);
    right = normalized(right);
    return Quat::fromMatrix(Mat3::fromColumns(right, cross(back, right), back));
}

void BaseCamera::init()
{
    if (!d_position.isSet()) return;
    if (d_orientation.isSet()) {
        if (d_lookAt.isSet()) {
            d_distance.setValue(norm(d_lookAt.value() - d_position.value()));
        } else {
            if (!d_distance.isSet()) d_distance.setValue(10.);
            d_lookAt.setValue(d_position.value() + d_orientation.value().rotate({0., 0., -1.}) * d_distance.value());
        }
    } else {
        // Without a point to look at, SOFA's cameras look at the origin.
        d_distance.setValue(norm(d_lookAt.value() - d_position.value()));
        d_orientation.setValue(lookAt(d_position.value(), d_lookAt.value()));
    }
}

CameraDescription BaseCamera::describe() const
{
    CameraDescription c;
    c.placed = d_position.isSet();
    c.position = d_position.value();
    c.orientation = d_orientation.value();
    c.lookAt = d_lookAt.value();
    c.fieldOfView = d_fieldOfView.value();
    c.orthographic = d_projectionType.value().index() == 1;
    c.computeClip = d_computeZClip.value();
    c.zNear = d_zNear.value();
    c.zFar = d_zFar.value();
    return c;
}

void BaseCamera::draw(DrawTool& tool)
{
    const CameraDescription camera = describe();
    updateMatrices(camera, tool.sceneBox());
    if (d_activated.value() && !tool.list().camera) tool.list().camera = camera;
}

/// Near and far planes as in SOFA: the sphere around the box is between them, and the near one is not closer than a
/// twentieth of its radius.
void BaseCamera::updateMatrices(const CameraDescription& camera, const BoundingBox& scene)
{
    setMatrix(d_modelViewMatrix, viewMatrix(camera.position, camera.orientation));
    double zNear = camera.zNear, zFar = camera.zFar;
    if (scene.valid()) {
        setIfOther(d_minBBox, scene.low);
        setIfOther(d_maxBBox, scene.high);
        if (camera.computeClip) {
            const double radius = 0.5 * norm(scene.high - scene.low);
            const double nearest = norm(camera.position - (scene.low + scene.high) * 0.5) - radius;
            zNear = std::max({0.01 * nearest, 0.05 * radius, 1e-9});
            zFar = std::max((nearest + 2. * radius) * 1.1, 2. * zNear);
        }
    }
    if (!(zFar > zNear)) return;
    const double aspect = static_cast<double>(d_widthViewport.value()) / std::max<Index>(1, d_heightViewport.value());
    if (camera.orthographic) {
        const double t = std::tan(camera.fieldOfView * std::numbers::pi / 360.);
        const double half = std::max(t * norm(camera.lookAt - camera.position), 1e-12);
        const Vec3 corner{half * std::max(1., aspect), half * std::max(1., 1. / aspect), 0.};
        setMatrix(d_projectionMatrix, orthographicMatrix(-corner - Vec3{0., 0., zFar}, corner - Vec3{0., 0., zNear}));
    } else {
        setMatrix(d_projectionMatrix, perspectiveMatrix(camera.fieldOfView, aspect, zNear, zFar));
    }
}

void RecordedCamera::init()
{
    BaseCamera::init();
    if (!d_rotationCenter.isSet()) d_rotationCenter.setDefault({0., 10., 0.});
    if (!d_rotationStartPoint.isSet()) d_rotationStartPoint.setDefault({0., 10., 50.});
}

CameraDescription RecordedCamera::describe() const
{
    CameraDescription c = BaseCamera::describe();
    c.scripted = d_rotationMode.value() ||
                 ((d_translationMode.value() || d_navigationMode.value()) && !d_cameraPositions.value().empty());
    if (!c.scripted) return c;
    const RigidCoord3 pose = poseAt(node() ? node()->time() : 0.);
    c.placed = true;
    c.position = pose.center;
    c.orientation = pose.orientation;
    c.lookAt = d_rotationMode.value() ? d_rotationLookAt.value()
                                      : pose.center + pose.orientation.rotate({0., 0., -1.}) * d_distance.value();
    return c;
}

void RecordedCamera::draw(DrawTool& tool)
{
    BaseCamera::draw(tool);
    DrawStyle style;
    style.color = {0.f, 1.f, 0.5f};
    if (d_drawRotation.value()) {
        constexpr int n = 100;
        auto ends = tool.scratch<Vec3>();
        const Vec3 center = d_rotationCenter.value(), arm = d_rotationStartPoint.value() - center;
        for (int i = 0; i < n; ++i)
            for (const int k : {i, i + 1}) {
                const Quat turn = Quat::fromAxisAngle(d_rotationAxis.value(), 2. * std::numbers::pi * k / n);
                ends.push_back(center + turn.rotate(arm));
            }
        tool.lines(ends, style);
    }
    if (d_drawTranslation.value()) {
        auto ends = tool.scratch<Vec3>();
        const Vector<Vec3>& x = d_cameraPositions.value();
        for (std::size_t i = 0; i + 1 < x.size(); ++i) ends.insert(ends.end(), {x[i], x[i + 1]});
        tool.lines(ends, style);
    }
}

RigidCoord3 RecordedCamera::poseAt(double time) const
{
    const double start = d_startTime.value(), end = d_endTime.value();
    const double t = std::clamp(time, start, std::max(start, end));
    const Vector<Vec3>& x = d_cameraPositions.value();
    if (d_rotationMode.value()) {
        const Quat turn = Quat::fromAxisAngle(d_rotationAxis.value(), d_rotationSpeed.value() * (t - start));
        const Vec3 p = d_rotationCenter.value() + turn.rotate(d_rotationStartPoint.value() - d_rotationCenter.value());
        const Vec3 up = d_cameraUp.value() == Vec3{} ? d_rotationAxis.value() : d_cameraUp.value();
        return {p, lookAt(p, d_rotationLookAt.value(), up)};
    }
    if ((d_translationMode.value() || d_navigationMode.value()) && !x.empty()) {
        const double s = end > start ? (t - start) / (end - start) : 0.;
        const double place = s * static_cast<double>(x.size() - 1);
        const auto i = std::min(static_cast<std::size_t>(place), x.size() - 1);
        const std::size_t j = std::min(i + 1, x.size() - 1);
        const double w = place - static_cast<double>(i);
        RigidCoord3 out{x[i] * (1. - w) + x[j] * w, d_orientation.value()};
        const Vector<Quat>& q = d_cameraOrientations.value();
        if (d_navigationMode.value() && q.size() == x.size()) {
            const Vec3 r = (q[j] * q[i].inverse()).toRotationVector() * w;
            out.orientation = Quat::fromRotationVector(r) * q[i];
        }
        return out;
    }
    return {d_position.value(), d_orientation.value()};
}

void RecordedCamera::addPlace(const RigidCoord3& place)
{
    // Places without an orientation have that of the camera.
    Vector<Quat> orientations = d_cameraOrientations.value();
    orientations.resize(d_cameraPositions.value().size(), d_orientation.value());
    orientations.push_back(place.orientation);
    Vector<Vec3> positions = d_cameraPositions.value();
    positions.push_back(place.center);
    d_cameraPositions.setValue(std::move(positions));
    d_cameraOrientations.setValue(std::move(orientations));
}

void RecordedCamera::startOrEndNavigation(double time)
{
    if (d_navigationMode.value()) return d_navigationMode.setValue(false);
    if (d_cameraPositions.value().size() < 2)
        throw std::runtime_error("'" + pathName() + "': cameraPositions needs two places at least, it has " +
                                 std::to_string(d_cameraPositions.value().size()));
    if (!m_navigated) {
        m_navigated = true;
        m_initialMode = d_navigationMode.value();
        m_initialStart = d_startTime.value();
        m_initialEnd = d_endTime.value();
    }
    d_navigationMode.setValue(true);
    d_startTime.setValue(time);
    d_endTime.setValue(time + m_initialEnd - m_initialStart);
}

void RecordedCamera::reset()
{
    BaseCamera::reset();
    if (!m_navigated) return;
    m_navigated = false;
    d_navigationMode.setValue(m_initialMode);
    d_startTime.setValue(m_initialStart);
    d_endTime.setValue(m_initialEnd);
}

void RecordedCamera::archive(Archive& a)
{
    BaseCamera::archive(a);
    bool mode = d_navigationMode.value();
    double start = d_startTime.value(), end = d_endTime.value();
    a(mode);
    a(start);
    a(end);
    a(m_navigated);
    a(m_initialMode);
    a(m_initialStart);
    a(m_initialEnd);
    if (!a.loading() || (!m_navigated && mode == d_navigationMode.value())) return;
    d_navigationMode.setValue(mode);
    d_startTime.setValue(start);
    d_endTime.setValue(end);
}

namespace {

RegisterComponent camera(const char* name, const char* help)
{
    return RegisterComponent(name, "Camera", "Sofa.Component.Visual")
        .help(std::string(help) + " It is used only in a viewer.")
        .example("component/visual/Cameras.scn");
}

const RegisterComponent registeredCamera =
    camera("Camera", "A camera that stays where the scene puts it.").alias("BaseCamera").add<Camera>();
const RegisterComponent registeredInteractiveCamera =
    camera("InteractiveCamera", "A camera that is moved with the mouse.").add<InteractiveCamera>();
const RegisterComponent registeredRecordedCamera =
    camera("RecordedCamera", "A camera that follows a recorded path.").add<RecordedCamera>();

}  // namespace

}  // namespace sofa::component
