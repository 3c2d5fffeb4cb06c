// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/UnderCursor.h"

#include <QStringList>

#include "applications/qt/CoreTexts.h"

namespace sofa::qt {

UnderCursor UnderCursor::of(const Picked& p)
{
    UnderCursor u;
    u.position = p.point;
    if (p.model) {
        u.path = QString::fromStdString(p.model->pathName());
        const auto v = p.model->vertices(p.index);
        u.primitive = coreText(p.model->shape().info().name) + ' ' + QString::number(p.index);
        QStringList corners;
        for (const Index i : v) corners << QString::number(i);
        if (v.size() > 1) u.primitive = tr("%1 (points %2)").arg(u.primitive, corners.join(' '));
    } else if (p.surface) {
        u.path = QString::fromStdString(p.surface->pathName());
        QStringList corners;
        for (const Index i : p.triangle) corners << QString::number(i);
        u.primitive =
            tr("%1 (points %2)").arg(coreText("triangle") + ' ' + QString::number(p.triangleIndex), corners.join(' '));
    } else if (p.state) {
        u.path = QString::fromStdString(p.state->pathName());
        u.primitive = coreText("point") + ' ' + QString::number(p.index);
    }
    return u;
}

UnderCursor UnderCursor::of(const gl::Pick& pick, const DrawList& list)
{
    using P = gl::Pick::Primitive;
    UnderCursor u;
    u.position = pick.position;
    u.primitive = coreText(pick.primitive == P::Point      ? "point"
                           : pick.primitive == P::Line     ? "line"
                           : pick.primitive == P::Triangle ? "triangle"
                                                           : "solid") +
                  ' ' + QString::number(pick.index);
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
    return QStringLiteral("%1 %2").arg(coreText(all.section('[', 0, 0).trimmed().toStdString())).arg(value, 0, 'g', 4) +
           (unit.isEmpty() || unit == "1" ? QString() : ' ' + unit);
}

QString UnderCursor::text() const
{
    if (path.isEmpty()) return {};
    const QString where = tr("%1 of %2 at (%3, %4, %5) m")
                              .arg(primitive, path)
                              .arg(position[0], 0, 'g', 6)
                              .arg(position[1], 0, 'g', 6)
                              .arg(position[2], 0, 'g', 6);
    return value.isEmpty() ? where : value + QStringLiteral(", ") + where;
}

}  // namespace sofa::qt
