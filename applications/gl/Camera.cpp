// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Camera.h"

#include <tinyxml2.h>

#include <algorithm>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "core/io/TextScanner.h"
#include "core/objectmodel/DataText.h"
#include "core/visual/ViewMatrices.h"

namespace sofa::gl {

namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180.; }

Vec3 corner(const BoundingBox& b, unsigned i)
{
    return {i & 1 ? b.high[0] : b.low[0], i & 2 ? b.high[1] : b.low[1], i & 4 ? b.high[2] : b.low[2]};
}

/// Orientation of a camera of these axes.
Quat fromAxes(const Vec3& x, const Vec3& y, const Vec3& z)
{
    Mat3 r;
    for (std::size_t i = 0; i < 3; ++i) r[i] = {x[i], y[i], z[i]};
    return Quat::fromMatrix(r);
}

/// Point of the trackball under a place of the view, in [−1, 1] where the view is square.
Vec3 onBall(double x, double y)
{
    constexpr double radius = 0.8;
    const double d = std::hypot(x, y);
    const double z =
        d < radius * std::numbers::sqrt2 / 2. ? std::sqrt(radius * radius - d * d) : radius * radius / 2. / d;
    return {x, y, z};
}

[[noreturn]] void fail(const std::string& path, int line, const std::string& what)
{
    throw std::runtime_error(path + (line > 0 ? ":" + std::to_string(line) : "") + ": " + what);
}

/// Reads the attribute `value` of a child; what is not there stays.
template <class T>
void read(const std::string& path, const tinyxml2::XMLElement& root, const char* name, T& value)
{
    const tinyxml2::XMLElement* e = root.FirstChildElement(name);
    if (!e) return;
    const char* text = e->Attribute("value");
    if (!text) fail(path, e->GetLineNum(), std::string("<") + name + "> needs an attribute 'value'");
    std::string error;
    if (!parseText(text, value, error)) fail(path, e->GetLineNum(), std::string(name) + ": " + error);
}

}  // namespace

Matrix operator*(const Matrix& a, const Matrix& b)
{
    Matrix c{};
    for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < 4; ++k)
            for (std::size_t i = 0; i < 4; ++i) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
    return c;
}

Matrix inverse(const Matrix& m)
{
    // Gauss-Jordan elimination with the largest pivot of each column.
    double a[4][8]{};
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) a[i][j] = m[4 * j + i];
        a[i][4 + i] = 1.;
    }
    for (std::size_t c = 0; c < 4; ++c) {
        std::size_t p = c;
        for (std::size_t i = c + 1; i < 4; ++i)
            if (std::abs(a[i][c]) > std::abs(a[p][c])) p = i;
        std::swap(a[p], a[c]);
        const double d = 1. / a[c][c];
        for (double& x : a[c]) x *= d;
        for (std::size_t i = 0; i < 4; ++i)
            if (i != c && a[i][c] != 0.) {
                const double f = a[i][c];
                for (std::size_t j = 0; j < 8; ++j) a[i][j] -= f * a[c][j];
            }
    }
    Matrix r;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) r[4 * j + i] = a[i][4 + j];
    return r;
}

Vec4 transform(const Matrix& m, const Vec3& x)
{
    Vec4 r;
    for (std::size_t i = 0; i < 4; ++i) r[i] = m[i] * x[0] + m[4 + i] * x[1] + m[8 + i] * x[2] + m[12 + i];
    return r;
}

void Camera::lookAt(const Vec3& from, const Vec3& to, const Vec3& upwards)
{
    position = from;
    target = to;
    Vec3 z = from - to;
    const double length = norm(z);
    if (!(length > 0.)) return;
    z *= 1. / length;
    Vec3 x = cross(upwards, z);
    if (norm(x) < 1e-9 * std::max(1e-300, norm(upwards)))
        x = cross(std::abs(z[0]) < 0.9 ? Vec3{1., 0., 0.} : Vec3{0., 0., 1.}, z);
    x *= 1. / norm(x);
    orientation = fromAxes(x, cross(z, x), z);
}

void Camera::fit(const BoundingBox& box)
{
    if (!box.valid()) return;
    target = (box.low + box.high) * 0.5;
    const double aspect = static_cast<double>(width) / std::max(1, height);
    const double ty = std::tan(0.5 * radians(fieldOfView)), tx = ty * aspect;
    double d = 0.;
    const Vec3 x = right(), y = up(), z = forward();
    for (unsigned i = 0; i < 8; ++i) {
        const Vec3 c = corner(box, i) - target;
        const double wide = std::max(std::abs(dot(c, x)) / tx, std::abs(dot(c, y)) / ty);
        d = std::max(d, orthographic ? wide : wide - dot(c, z));
    }
    // A little room at the sides.
    d *= 1.1;
    position = target - z * (d > 0. ? d : 1.);
    computeClipping(box);
}

void Camera::setDefaultView(const BoundingBox& box, const Vec3& gravity)
{
    Vec3 y = -gravity;
    const double g = norm(y);
    y = g > 0. ? y * (1. / g) : Vec3{0., 1., 0.};
    Vec3 x{1., 0., 0.};
    if (1. - std::abs(dot(x, y)) < 0.001) x = {0., 1., 0.};
    Vec3 z = cross(x, y);
    z *= 1. / norm(z);
    orientation = fromAxes(cross(y, z), y, z);
    position = target + z;
    fit(box);
}

void Camera::apply(const CameraDescription& d)
{
    position = d.position;
    orientation = d.orientation;
    target = d.lookAt;
    if (!(norm(target - position) > 0.)) target = position + forward();
    fieldOfView = d.fieldOfView;
    orthographic = d.orthographic;
    computeClip = d.computeClip;
    zNear = d.zNear;
    zFar = d.zFar;
}

void Camera::computeClipping(const BoundingBox& box)
{
    if (!computeClip || !box.valid()) return;
    const Vec3 f = forward();
    double nearest = dot(corner(box, 0) - position, f), farthest = nearest;
    for (unsigned i = 1; i < 8; ++i) {
        const double z = dot(corner(box, i) - position, f);
        nearest = std::min(nearest, z);
        farthest = std::max(farthest, z);
    }
    // Room for what boxes do not hold: arrows, labels, widths.
    const double size = std::max(norm(box.high - box.low), 1e-6);
    farthest += 0.5 * size;
    nearest -= 0.5 * size;
    if (orthographic) {
        zNear = nearest;
        zFar = farthest;
        return;
    }
    zFar = std::max(farthest, 1e-3 * size);
    zNear = std::max(nearest, 1e-3 * zFar);
}

void Camera::rotate(double fromX, double fromY, double toX, double toY, const Vec3& pivot)
{
    const double half = 0.5 * std::max(1, std::min(width, height));
    const auto ball = [&](double x, double y) { return onBall((x - 0.5 * width) / half, (0.5 * height - y) / half); };
    const Vec3 a = ball(fromX, fromY), b = ball(toX, toY);
    const Vec3 axis = cross(a, b);
    if (!(norm(axis) > 0.)) return;
    const double angle = 2. * std::asin(std::clamp(norm(a - b) / 1.6, -1., 1.));
    // The scene turns by the angle, so the camera turns back.
    const Quat q = Quat::fromAxisAngle(orientation.rotate(axis), -angle);
    position = pivot + q.rotate(position - pivot);
    target = pivot + q.rotate(target - pivot);
    orientation = (q * orientation).normalized();
}

void Camera::roll(double angle) { orientation = (Quat::fromAxisAngle(forward(), angle) * orientation).normalized(); }

void Camera::pan(double dx, double dy)
{
    const double s = pixelSize(target);
    const Vec3 d = right() * (-dx * s) + up() * (dy * s);
    position += d;
    target += d;
}

void Camera::zoom(double factor)
{
    if (!(factor > 0.)) return;
    position = target - (target - position) * (1. / factor);
}

void Camera::advance(double length)
{
    position += forward() * length;
    target += forward() * length;
}

Matrix Camera::view() const { return viewMatrix(position, orientation); }

Matrix Camera::projection() const
{
    const double aspect = static_cast<double>(width) / std::max(1, height);
    if (!orthographic) return perspectiveMatrix(fieldOfView, aspect, zNear, zFar);
    const double h = std::max(1e-12, std::tan(0.5 * radians(fieldOfView)) * distance());
    return orthographicMatrix({-h * aspect, -h, -zFar}, {h * aspect, h, -zNear});
}

double Camera::pixelSize(const Vec3& point) const
{
    const double depth = orthographic ? distance() : std::max(std::abs(dot(point - position, forward())), 1e-12);
    return 2. * depth * std::tan(0.5 * radians(fieldOfView)) / std::max(1, height);
}

std::optional<Vec3> Camera::project(const Vec3& point) const
{
    const Vec4 c = transform(projection() * view(), point);
    if (!(c[3] > 0.)) return {};
    return Vec3{0.5 * width * (c[0] / c[3] + 1.), 0.5 * height * (1. - c[1] / c[3]), 0.5 * (c[2] / c[3] + 1.)};
}

Vec3 Camera::unproject(const Vec3& p) const
{
    const Vec4 x =
        transform(inverse(projection() * view()), {2. * p[0] / width - 1., 1. - 2. * p[1] / height, 2. * p[2] - 1.});
    return Vec3{x[0], x[1], x[2]} * (1. / x[3]);
}

Ray Camera::ray(double x, double y) const
{
    const Vec3 from = unproject({x, y, 0.});
    if (orthographic) return {from, forward()};
    const Vec3 d = from - position;
    return {from, d * (1. / norm(d))};
}

void Camera::load(const std::string& path)
{
    std::string text;
    try {
        text = io::loadBytes(path).text;
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(std::string("the view cannot be read: ") + e.what());
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    Camera c = *this;
    double d = 0.;
    if (first != std::string::npos && text[first] == '<') {
        tinyxml2::XMLDocument doc;
        if (doc.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
            fail(path, doc.ErrorLineNum(), doc.ErrorStr());
        const tinyxml2::XMLElement* root = doc.RootElement();
        if (!root || std::string_view(root->Name()) != "Camera")
            fail(path, root ? root->GetLineNum() : 1, "expected the element <Camera>");
        d = c.distance();
        Vec4 q = c.orientation.q;
        read(path, *root, "position", c.position);
        read(path, *root, "orientation", q);
        c.orientation = Quat(q[0], q[1], q[2], q[3]).normalized();
        read(path, *root, "fieldOfView", c.fieldOfView);
        read(path, *root, "distance", d);
        read(path, *root, "zNear", c.zNear);
        read(path, *root, "zFar", c.zFar);
        std::string type;
        read(path, *root, "projectionType", type);
        if (type == "1" || type == "Orthographic")
            c.orthographic = true;
        else if (type == "0" || type == "Perspective")
            c.orthographic = false;
        else if (!type.empty())
            fail(path, root->FirstChildElement("projectionType")->GetLineNum(),
                 "projectionType: expected 0, 1, Perspective or Orthographic, not '" + type + "'");
        if (!(c.fieldOfView > 0. && c.fieldOfView < 180.))
            fail(path, root->GetLineNum(), "fieldOfView: expected an angle between 0 and 180 degrees");
    } else {
        std::stringstream numbers(text);
        Vec3 t;
        Vec4 q;
        for (std::size_t i = 0; i < 3; ++i) numbers >> t[i];
        for (std::size_t i = 0; i < 4; ++i) numbers >> q[i];
        if (!numbers) fail(path, 1, "expected <Camera> or the seven numbers of a translation and a rotation");
        const Quat r = Quat(q[0], q[1], q[2], q[3]).normalized();
        if (path.ends_with(".qglviewer.view")) {
            c.position = t;
            c.orientation = r;
        } else {
            c.orientation = r.inverse();
            c.position = -c.orientation.rotate(t);
        }
        // Where the axis comes nearest to the present target.
        d = dot(target - c.position, c.forward());
    }
    c.target = c.position + c.forward() * (d > 0. ? d : 1.);
    *this = c;
}

void Camera::save(const std::string& path) const
{
    tinyxml2::XMLDocument doc;
    doc.InsertEndChild(doc.NewDeclaration());
    tinyxml2::XMLElement* root = doc.NewElement("Camera");
    root->SetAttribute("version", "1.0");
    doc.InsertEndChild(root);
    const auto add = [&](const char* name, const auto& value) {
        std::string text;
        writeValue(text, value);
        tinyxml2::XMLElement* e = doc.NewElement(name);
        e->SetAttribute("value", text.c_str());
        root->InsertEndChild(e);
    };
    add("position", position);
    add("orientation", orientation.q);
    add("fieldOfView", fieldOfView);
    add("distance", distance());
    add("zNear", zNear);
    add("zFar", zFar);
    add("projectionType", std::string(orthographic ? "Orthographic" : "Perspective"));
    if (doc.SaveFile(path.c_str()) != tinyxml2::XML_SUCCESS) fail(path, 0, "cannot be written");
}

}  // namespace sofa::gl
