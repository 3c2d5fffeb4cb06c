// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/ViewCube.h"

#include <QPainter>
#include <cmath>

namespace sofa::qt {

namespace {

constexpr double halfEdge = 26.;   // [pixel]
constexpr double margin = 14.;     // beside the cube when it stands on a corner [pixel]
constexpr double inner = 0.6;      // part of a face that is neither edge nor corner
constexpr double smallest = 220.;  // size of views that have room for it [pixel]

const std::array<const char*, 6> names{QT_TRANSLATE_NOOP("ViewCube", "Right"), QT_TRANSLATE_NOOP("ViewCube", "Left"),
                                       QT_TRANSLATE_NOOP("ViewCube", "Top"),   QT_TRANSLATE_NOOP("ViewCube", "Bottom"),
                                       QT_TRANSLATE_NOOP("ViewCube", "Front"), QT_TRANSLATE_NOOP("ViewCube", "Back")};

}  // namespace

SceneSides SceneSides::of(const Vec3& gravity)
{
    // The axes of the view that shows everything.
    gl::Camera camera;
    camera.setDefaultView({{-1., -1., -1.}, {1., 1., 1.}}, gravity);
    return {camera.right(), camera.up(), -camera.forward()};
}

void ViewCube::place(const gl::Camera& camera, const SceneSides& sides, QSize view)
{
    m_size = std::min(view.width(), view.height()) < smallest ? 0. : halfEdge;
    const double reach = halfEdge * std::sqrt(3.) + margin;
    m_centre = QPointF(view.width() - reach, reach);
    const auto seen = [&](const Vec3& v) { return camera.orientation.inverseRotate(sides.direction(v)); };
    for (std::size_t i = 0; i < 6; ++i) {
        Face& f = m_faces[i];
        const double sign = i % 2 == 0 ? 1. : -1.;
        f.normal = Vec3::unit(i / 2) * sign;
        // Texts of the sides stand upright; those of top and bottom as one reads them coming from the front.
        f.v = i / 2 == 1 ? Vec3{0., 0., -sign} : Vec3{0., 1., 0.};
        f.u = cross(f.v, f.normal);
        const Vec3 n = seen(f.normal), u = seen(f.u), v = seen(f.v);
        f.towards = n[2];
        // Pixels go down.
        f.toView = QTransform(u[0] * m_size, -u[1] * m_size, v[0] * m_size, -v[1] * m_size,
                              m_centre.x() + n[0] * m_size, m_centre.y() - n[1] * m_size);
    }
}

bool ViewCube::contains(const QPointF& at) const
{
    const QPointF d = at - m_centre;
    return m_size > 0. && std::hypot(d.x(), d.y()) < m_size * std::sqrt(3.);
}

std::optional<Vec3> ViewCube::sideAt(const QPointF& at) const
{
    if (m_size <= 0.) return {};
    for (const Face& f : m_faces) {
        if (f.towards < 0.05) continue;
        const QPointF p = f.toView.inverted().map(at);
        if (std::abs(p.x()) > 1. || std::abs(p.y()) > 1.) continue;
        const auto part = [](double x) { return std::abs(x) <= inner ? 0. : x > 0. ? 1. : -1.; };
        return f.normal + f.u * part(p.x()) + f.v * part(p.y());
    }
    return {};
}

void ViewCube::draw(QPainter& p, const QPointF& mouse) const
{
    if (m_size <= 0.) return;
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    const std::optional<Vec3> hot = sideAt(mouse);
    QFont font = p.font();
    font.setPixelSize(40);
    font.setBold(true);
    const QFontMetricsF metrics(font);
    for (std::size_t i = 0; i < 6; ++i) {
        const Face& f = m_faces[i];
        if (f.towards < 0.02) continue;
        p.setTransform(f.toView);
        const int shade = 205 + static_cast<int>(45. * f.towards);
        p.setPen(QPen(QColor(70, 76, 88), 0.05));
        p.setBrush(QColor(shade, shade, shade, 225));
        p.drawRect(QRectF(-1., -1., 2., 2.));
        if (hot && dot(*hot, f.normal) > 0.) {
            // The part of this face that would be clicked.
            const auto range = [](double side) {
                return side == 0.  ? std::pair(-inner, inner)
                       : side > 0. ? std::pair(inner, 1.)
                                   : std::pair(-1., -inner);
            };
            const auto [x0, x1] = range(dot(*hot, f.u));
            const auto [y0, y1] = range(dot(*hot, f.v));
            p.setPen(Qt::NoPen);
            p.setBrush(QColor(80, 150, 240, 170));
            p.drawRect(QRectF(QPointF(x0, y0), QPointF(x1, y1)));
        }
        if (f.towards < 0.25) continue;
        const QString text = tr(names[i]);
        const double wide = std::max(metrics.horizontalAdvance(text), 90.);
        p.setTransform(QTransform::fromScale(1.7 / wide, -1.7 / wide) * f.toView);
        p.setFont(font);
        p.setPen(QColor(40, 46, 58));
        p.drawText(QRectF(-wide, -50., 2. * wide, 100.), Qt::AlignCenter, text);
    }
    p.restore();
}

}  // namespace sofa::qt
