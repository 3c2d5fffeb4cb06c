// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/InformationOverlay.h"

#include <QPainter>
#include <algorithm>

namespace sofa::qt {

QStringList solverLines(const Node& root)
{
    QStringList lines;
    for (const Node* n : root.descendants())
        for (const auto& c : n->components())
            if (const BaseData* d = c->findData("lastIterations"))
                lines << QString::fromStdString(c->pathName() + ": " + d->text() + " iterations");
    return lines;
}

void drawNote(QPainter& painter, const QPointF& at, const QString& text, const QRect& view)
{
    const QFontMetrics metrics(painter.font());
    QRectF box(at.x(), at.y() - metrics.height() / 2. - 3., metrics.horizontalAdvance(text) + 14.,
               metrics.height() + 6.);
    box.moveLeft(std::clamp(box.left(), 2., std::max(2., view.width() - box.width() - 2.)));
    box.moveTop(std::clamp(box.top(), 2., std::max(2., view.height() - box.height() - 2.)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(20, 24, 32, 210));
    painter.drawRoundedRect(box, 4., 4.);
    painter.setPen(Qt::white);
    painter.drawText(box, Qt::AlignCenter, text);
}

void drawOverlay(QPainter& painter, const QStringList& lines, int width)
{
    QFont font = painter.font();
    font.setStyleHint(QFont::Monospace);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    int widest = 0;
    // Letters may stand between whole pixels: a line is a little longer than its letters' sum.
    for (const QString& l : lines) widest = std::max(widest, metrics.horizontalAdvance(l) + metrics.averageCharWidth());
    const QRect box(10, 10, std::min(widest + 20, width - 20),
                    static_cast<int>(lines.size()) * metrics.lineSpacing() + 14);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(20, 24, 32, 190));
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(Qt::white);
    int y = box.top() + 7 + metrics.ascent();
    for (const QString& l : lines) {
        painter.drawText(box.left() + 10, y, metrics.elidedText(l, Qt::ElideRight, box.width() - 20));
        y += metrics.lineSpacing();
    }
}

}  // namespace sofa::qt
