// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/UnderCursor.h"

#include <QStringList>

namespace sofa::qt {

UnderCursor UnderCursor::of(const Picked& p)
{
    UnderCursor u;
    u.position = p.point;
    if (p.model) {
        u.path = QString::fromStdString(p.model->pathName());
        const auto v = p.model->vertices(p.index);
        u.primitive = QString::fromStdString(p.model->shape().info().name) + ' ' + QString::number(p.index);
        if (v.size() > 1) {
            QStringList corners;
            for (const Index i : v) corners << QString::number(i);
            u.primitive += QStringLiteral(" (points ") + corners.join(' ') + ')';
        }
    } else if (p.surface) {
        u.path = QString::fromStdString(p.surface->pathName());
        u.primitive = QStringLiteral("triangle %1 (points %2 %3 %4)")
                          .arg(p.triangleIndex)
                          .arg(p.triangle[0])
                          .arg(p.triangle[1])
                          .arg(p.triangle[2]);
    } else if (p.state) {
        u.path = QString::fromStdString(p.state->pathName());
        u.primitive = QStringLiteral("point ") + QString::number(p.index);
    }
    return u;
}

UnderCursor UnderCursor::of(const gl::Pick& pick, const DrawList& list)
{
    using P = gl::Pick::Primitive;
    UnderCursor u;
    u.position = pick.position;
    u.primitive = (pick.primitive == P::Point      ? QStringLiteral("point ")
                   : pick.primitive == P::Line     ? QStringLiteral("line ")
                   : pick.primitive == P::Triangle ? QStringLiteral("triangle ")
                                                   : QStringLiteral("solid ")) +
                  QString::number(pick.index);
    const DrawItem& item = list.items[pick.item];
    u.path = QString::fromStdString(list.scopes[item.scope].path);
    return u;
}

QString fieldText(BodyField field, double value)
{
    // "Velocity [m/s]"
    const std::string_view title = titleOf(field);
    const QString all = QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
    const QString unit = all.section('[', 1).section(']', 0, 0);
    return QStringLiteral("%1 %2").arg(all.section('[', 0, 0).trimmed()).arg(value, 0, 'g', 4) +
           (unit.isEmpty() || unit == "1" ? QString() : ' ' + unit);
}

QString UnderCursor::text() const
{
    if (path.isEmpty()) return {};
    const QString where = QStringLiteral("%1 of %2 at (%3, %4, %5) m")
                              .arg(primitive, path)
                              .arg(position[0], 0, 'g', 6)
                              .arg(position[1], 0, 'g', 6)
                              .arg(position[2], 0, 'g', 6);
    return value.isEmpty() ? where : value + QStringLiteral(", ") + where;
}

}  // namespace sofa::qt
