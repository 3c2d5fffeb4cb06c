// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/Gizmo.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sofa::modeler {

namespace {

/// Length of the arrows, how near the mouse must be, and where the planes begin and end along the arrows [pixel].
constexpr double reach = 80., near = 8., planeBegin = 22., planeEnd = 40.;
constexpr int corners = 64;  ///< of a ring

std::optional<QPointF> pixel(const gl::Camera& camera, const Vec3& x)
{
    const auto p = camera.project(x);
    return p ? std::optional(QPointF((*p)[0], (*p)[1])) : std::nullopt;
}

/// Where the ray under a point of the view meets a plane.
std::optional<Vec3> onPlane(const gl::Camera& camera, const QPointF& p, const Vec3& point, const Vec3& normal)
{
    const gl::Ray ray = camera.ray(p.x(), p.y());
    const double slope = dot(ray.direction, normal);
    if (std::abs(slope) < 1e-3) return {};
    return ray.origin + ray.direction * (dot(point - ray.origin, normal) / slope);
}

/// How far along a line its nearest point to the ray under a point of the view lies [m].
double alongLine(const gl::Camera& camera, const QPointF& p, const Vec3& point, const Vec3& direction)
{
    const gl::Ray ray = camera.ray(p.x(), p.y());
    const Vec3 w = point - ray.origin;
    const double b = dot(direction, ray.direction), square = std::max(1. - b * b, 1e-4);
    return (b * dot(ray.direction, w) - dot(direction, w)) / square;
}

/// The power of ten below a number.
double decade(double x) { return std::pow(10., std::floor(std::log10(std::max(x, 1e-300)))); }

/// 1, 2 or 5 times a power of ten: the first that is not below a number.
double roundStep(double x)
{
    const double d = decade(x);
    for (const double f : {1., 2., 5.})
        if (f * d >= x * (1. - 1e-9)) return f * d;
    return 10. * d;
}

double toStep(double x, double step)
{
    // Powers of ten below one are not exact, but what they divide is.
    return step < 1. ? std::round(x / step) / std::round(1. / step) : std::round(x / step) * step;
}

double distance(const QPointF& p, const QPointF& a, const QPointF& b)
{
    const QPointF d = b - a, w = p - a;
    const double square = QPointF::dotProduct(d, d);
    const double t = square > 0. ? std::clamp(QPointF::dotProduct(w, d) / square, 0., 1.) : 0.;
    const QPointF r = w - t * d;
    return std::hypot(r.x(), r.y());
}

double distance(const QPointF& a, const QPointF& b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

/// The points of a ring that are before its centre, seen from the camera, in one piece: the half that is drawn.
std::vector<QPointF> ring(const gl::Camera& camera, const Vec3& centre, const Vec3& axis, double radius)
{
    const Vec3 toCamera = camera.orthographic ? -camera.forward() : normalized(camera.position - centre);
    Vec3 u = cross(axis, toCamera);
    // A ring that is seen from its front is whole.
    const bool isWhole = norm(u) < 0.3;
    if (norm(u) < 1e-6) u = cross(axis, std::abs(axis[0]) < 0.9 ? Vec3::unit(0) : Vec3::unit(1));
    u = normalized(u);
    const Vec3 v = cross(u, axis);  // towards the camera
    std::vector<QPointF> out;
    for (int k = 0; k <= corners; ++k) {
        const double a = (isWhole ? 2. : 1.) * std::numbers::pi * k / corners;
        if (const auto p = pixel(camera, centre + (u * std::cos(a) + v * std::sin(a)) * radius)) out.push_back(*p);
    }
    return out;
}

}  // namespace

double Gizmo::length(const gl::Camera& camera) const { return reach * camera.pixelSize(centre); }

std::optional<QPointF> Gizmo::place(Handle handle, const gl::Camera& camera) const
{
    if (handle == all) return pixel(camera, centre);
    const double l = length(camera);
    if (tool == Tool::Turn) {
        const auto points = ring(camera, centre, axis(handle), l);
        if (points.empty()) return {};
        return points[3 * points.size() / 16];  // at its quarters it may cross another one
    }
    if (handle < 3) return pixel(camera, centre + axis(handle) * l);
    return pixel(camera, centre + (axis(handle + 1) + axis(handle + 2)) * (l * (planeBegin + planeEnd) / (2. * reach)));
}

std::optional<Gizmo::Handle> Gizmo::at(const QPointF& p, const gl::Camera& camera) const
{
    const auto middle = pixel(camera, centre);
    if (tool == Tool::None || !middle) return {};
    std::optional<Handle> found;
    double least = near;
    const auto offer = [&](Handle h, double d) {
        if (d < least) least = d, found = h;
    };
    if (tool == Tool::Turn) {
        for (Handle h = 0; h < 3; ++h) {
            const auto points = ring(camera, centre, axis(h), length(camera));
            for (std::size_t k = 1; k < points.size(); ++k) offer(h, distance(p, points[k - 1], points[k]));
        }
        return found;
    }
    if (distance(p, *middle) < near + 2.) return all;
    if (tool == Tool::Move)
        for (Handle h = 3; h < 6; ++h)
            if (const auto c = place(h, camera)) offer(h, distance(p, *c));
    for (Handle h = 0; h < 3 && !(tool == Tool::Scale && onlyUniform); ++h)
        if (const auto end = place(h, camera)) offer(h, distance(p, *middle, *end));
    return found;
}

Motion Gizmo::motion(Handle handle, const QPointF& from, const QPointF& to, const gl::Camera& camera, bool snaps) const
{
    Motion m;
    m.pivot = centre;
    const double pixelSize = camera.pixelSize(centre);
    if (tool == Tool::Move) {
        const double step = snaps ? roundStep(10. * pixelSize) : decade(0.5 * pixelSize);
        if (handle < 3) {
            const double s =
                alongLine(camera, to, centre, axis(handle)) - alongLine(camera, from, centre, axis(handle));
            m.shift = axis(handle) * toStep(s, step);
        } else {
            const Vec3 normal = handle == all ? -camera.forward() : axis(handle);
            const auto a = onPlane(camera, from, centre, normal), b = onPlane(camera, to, centre, normal);
            if (a && b)
                for (std::size_t k = 0; k < 3; ++k) m.shift[k] = toStep((*b)[k] - (*a)[k], step);
        }
    } else if (tool == Tool::Turn) {
        const Vec3 n = axis(handle % 3);
        const Vec3 toCamera = camera.orthographic ? -camera.forward() : normalized(camera.position - centre);
        double angle = 0.;
        const auto a = onPlane(camera, from, centre, n), b = onPlane(camera, to, centre, n);
        if (std::abs(dot(n, toCamera)) > 0.25 && a && b) {
            const Vec3 u = *a - centre, v = *b - centre;
            angle = std::atan2(dot(n, cross(u, v)), dot(u, v));
        } else {
            // Nearly from its side, a ring turns as far as the mouse goes along it.
            const Vec3 tangent = normalized(cross(n, toCamera));
            const auto begin = pixel(camera, centre), end = pixel(camera, centre + tangent * length(camera));
            if (begin && end) {
                const QPointF d = *end - *begin;
                angle = QPointF::dotProduct(to - from, d) / std::max(QPointF::dotProduct(d, d), 1.);
            }
        }
        const double degrees = toStep(angle * 180. / std::numbers::pi, snaps ? 15. : 0.1);
        m.turn = Quat::fromAxisAngle(n, degrees * std::numbers::pi / 180.);
    } else if (tool == Tool::Scale) {
        m.axes = axes;
        double factor = 1.;
        if (handle == all) {
            factor = std::exp((to.x() - from.x() + from.y() - to.y()) / 150.);
        } else {
            const double begin = alongLine(camera, from, centre, axis(handle));
            if (std::abs(begin) > 0.) factor = alongLine(camera, to, centre, axis(handle)) / begin;
        }
        const double step = snaps ? 0.1 : 0.001;
        factor = std::max(toStep(factor, step), step);
        if (handle == all)
            m.scale = Vec3::filled(factor);
        else
            m.scale[static_cast<std::size_t>(handle)] = factor;
    }
    return m;
}

QString Gizmo::text(const Motion& m)
{
    const auto number = [](double v) { return QString::number(std::abs(v) < 1e-12 ? 0. : v, 'g', 6); };
    if (m.shift != Vec3{}) return tr("%1 %2 %3 m").arg(number(m.shift[0]), number(m.shift[1]), number(m.shift[2]));
    if (norm(m.turn.imaginary()) > 0.)
        return tr("%1°").arg(number(norm(m.turn.toRotationVector()) * 180. / std::numbers::pi));
    if (m.isUniform()) return tr("× %1").arg(number(m.scale[0]));
    return tr("× %1 %2 %3").arg(number(m.scale[0]), number(m.scale[1]), number(m.scale[2]));
}

// --- Drawing ---------------------------------------------------------------------------------------------------------

void Gizmo::draw(QPainter& p, const gl::Camera& camera) const
{
    const auto middle = pixel(camera, centre);
    if (tool == Tool::None || !middle) return;
    p.setRenderHint(QPainter::Antialiasing);
    const QColor colors[] = {QColor(225, 60, 60), QColor(60, 170, 60), QColor(60, 110, 235)};
    const auto color = [&](Handle h) {
        if (active == h) return QColor(255, 190, 30);
        return h == all ? QColor(235, 235, 235) : colors[h % 3];
    };
    // A dark rim makes them seen on every ground.
    const auto line = [&](const QPolygonF& points, const QColor& c, double width) {
        p.setBrush(Qt::NoBrush);
        for (const auto& [pen, wide] : {std::pair(QColor(0, 0, 0, 110), width + 2.), std::pair(c, width)}) {
            p.setPen(QPen(pen, wide, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            p.drawPolyline(points);
        }
    };
    const auto fill = [&](const QPolygonF& points, const QColor& c) {
        p.setPen(QPen(QColor(0, 0, 0, 110), 1.));
        p.setBrush(c);
        p.drawPolygon(points);
    };
    if (tool == Tool::Turn) {
        for (Handle h = 0; h < 3; ++h) {
            QPolygonF points;
            for (const QPointF& x : ring(camera, centre, axis(h), length(camera))) points << x;
            line(points, color(h), 2.5);
        }
        return;
    }
    const auto box = [&](const QPointF& at, double half, const QColor& c) {
        fill(QPolygonF(QRectF(at.x() - half, at.y() - half, 2. * half, 2. * half)), c);
    };
    if (tool == Tool::Move)
        for (Handle h = 3; h < 6; ++h) {
            QPolygonF plane;
            const double unit = length(camera) / reach;
            for (const auto& [a, b] : {std::pair(planeBegin, planeBegin), std::pair(planeEnd, planeBegin),
                                       std::pair(planeEnd, planeEnd), std::pair(planeBegin, planeEnd)})
                if (const auto x = pixel(camera, centre + (axis(h + 1) * a + axis(h + 2) * b) * unit)) plane << *x;
            QColor c = color(h);
            c.setAlpha(active == h ? 220 : 130);
            if (plane.size() == 4) fill(plane, c);
        }
    for (Handle h = 0; h < 3 && !(tool == Tool::Scale && onlyUniform); ++h) {
        const auto end = place(h, camera);
        if (!end) continue;
        const QPointF d = *end - *middle;
        const double seen = std::hypot(d.x(), d.y());
        if (seen < 4.) continue;  // it points to the viewer
        line(QPolygonF{*middle, *end}, color(h), 2.5);
        if (tool == Tool::Scale) {
            box(*end, 5.5, color(h));
        } else {
            const QPointF along = d / seen, across(-along.y(), along.x());
            fill(QPolygonF{*end + 12. * along, *end + 6. * across, *end - 6. * across}, color(h));
        }
    }
    if (tool == Tool::Scale)
        box(*middle, 6.5, color(all));
    else
        box(*middle, 4.5, color(all));
}

}  // namespace sofa::modeler
