// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/Icons.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace sofa::qt {

namespace {

const QColor green(46, 155, 86), blue(40, 112, 190), red(205, 52, 52), amber(214, 140, 20);

/// Draws in a square of 24 × 24.
class Engine final : public QIconEngine
{
public:
    explicit Engine(Icon which) : m_which(which) {}
    QIconEngine* clone() const override { return new Engine(m_which); }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap map(size);
        map.fill(Qt::transparent);
        QPainter p(&map);
        paint(&p, QRect(QPoint(0, 0), size), mode, state);
        return map;
    }
    void paint(QPainter* p, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        p->save();
        p->setRenderHint(QPainter::Antialiasing);
        const double side = std::min(rect.width(), rect.height());
        p->translate(rect.x() + (rect.width() - side) / 2., rect.y() + (rect.height() - side) / 2.);
        p->scale(side / 24., side / 24.);
        m_disabled = mode == QIcon::Disabled;
        m_ink = QApplication::palette().color(m_disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
        draw(*p, state == QIcon::On);
        p->restore();
    }

private:
    QColor tint(const QColor& c) const { return m_disabled ? m_ink : c; }
    void fill(QPainter& p, const QPolygonF& shape, const QColor& c) const
    {
        p.setPen(QPen(tint(c), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        p.setBrush(tint(c));
        p.drawPolygon(shape);
    }
    void bar(QPainter& p, double x, const QColor& c, double width = 3.) const
    {
        p.setPen(Qt::NoPen);
        p.setBrush(tint(c));
        p.drawRoundedRect(QRectF(x, 5., width, 14.), 1., 1.);
    }
    void line(QPainter& p, const QColor& c, double width = 2.) const
    {
        p.setPen(QPen(tint(c), width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        p.setBrush(Qt::NoBrush);
    }
    void turn(QPainter& p, const QColor& c) const
    {
        line(p, c, 2.2);
        p.drawArc(QRectF(5., 5., 14., 14.), 60 * 16, 280 * 16);
        fill(p, {{12.5, 2.}, {18., 5.8}, {12.5, 9.}}, c);
    }
    void eye(QPainter& p) const
    {
        line(p, m_ink, 1.8);
        QPainterPath lid(QPointF(2.5, 12.));
        lid.quadTo(12., 2.5, 21.5, 12.);
        lid.quadTo(12., 21.5, 2.5, 12.);
        p.drawPath(lid);
        p.setBrush(tint(blue));
        p.setPen(Qt::NoPen);
        p.drawEllipse(QPointF(12., 12.), 3.4, 3.4);
    }
    void disk(QPainter& p) const
    {
        line(p, m_ink, 1.8);
        QPainterPath body(QPointF(4., 4.));
        for (const QPointF& q : {QPointF(16., 4.), QPointF(20., 8.), QPointF(20., 20.), QPointF(4., 20.)})
            body.lineTo(q);
        body.closeSubpath();
        p.drawPath(body);
        p.drawRect(QRectF(8., 13., 8., 7.));
        p.setBrush(tint(blue));
        p.setPen(Qt::NoPen);
        p.drawRect(QRectF(8., 4.8, 6., 4.2));
    }
    void draw(QPainter& p, bool on) const
    {
        switch (m_which) {
            case Icon::Animate:
                if (on) {
                    bar(p, 6.5, amber, 4.);
                    bar(p, 13.5, amber, 4.);
                } else {
                    fill(p, {{7., 5.}, {19., 12.}, {7., 19.}}, green);
                }
                break;
            case Icon::Pause:
                bar(p, 6.5, m_ink, 4.);
                bar(p, 13.5, m_ink, 4.);
                break;
            case Icon::Play:
                fill(p, {{7., 5.}, {19., 12.}, {7., 19.}}, m_ink);
                break;
            case Icon::Step:
            case Icon::StepForward: {
                const QColor c = m_which == Icon::Step ? green : m_ink;
                bar(p, 5., c);
                fill(p, {{11., 6.}, {19.5, 12.}, {11., 18.}}, c);
                break;
            }
            case Icon::StepBackward:
                bar(p, 16., m_ink);
                fill(p, {{13., 6.}, {4.5, 12.}, {13., 18.}}, m_ink);
                break;
            case Icon::ToBegin:
                bar(p, 4., m_ink, 2.5);
                fill(p, {{13., 6.}, {8., 12.}, {13., 18.}}, m_ink);
                fill(p, {{20., 6.}, {15., 12.}, {20., 18.}}, m_ink);
                break;
            case Icon::ToEnd:
                bar(p, 17.5, m_ink, 2.5);
                fill(p, {{4., 6.}, {9., 12.}, {4., 18.}}, m_ink);
                fill(p, {{11., 6.}, {16., 12.}, {11., 18.}}, m_ink);
                break;
            case Icon::ResetScene:
                bar(p, 4., red, 3.);
                fill(p, {{20., 5.5}, {9.5, 12.}, {20., 18.5}}, red);
                break;
            case Icon::Reload:
                turn(p, green);
                break;
            case Icon::ResetView:
                eye(p);
                break;
            case Icon::SaveView:
            case Icon::Save:
                disk(p);
                break;
            case Icon::Screenshot:
                line(p, m_ink, 1.8);
                p.drawRoundedRect(QRectF(2.5, 7., 19., 13.), 2., 2.);
                p.drawPolyline(QPolygonF{{8., 7.}, {9.5, 4.}, {14.5, 4.}, {16., 7.}});
                p.setBrush(tint(blue));
                p.drawEllipse(QPointF(12., 13.5), 3.6, 3.6);
                break;
            case Icon::Open:
                line(p, m_ink, 1.8);
                p.drawPolyline(QPolygonF{{3., 19.}, {3., 5.}, {9., 5.}, {11., 8.}, {19., 8.}, {19., 10.}});
                p.setBrush(tint(QColor(242, 200, 110)));
                p.drawPolygon(QPolygonF{{3., 19.}, {6.5, 11.}, {22., 11.}, {18.5, 19.}});
                break;
            case Icon::Record:
                p.setPen(Qt::NoPen);
                p.setBrush(tint(red));
                if (on)
                    p.drawRoundedRect(QRectF(6., 6., 12., 12.), 1.5, 1.5);
                else
                    p.drawEllipse(QPointF(12., 12.), 7., 7.);
                break;
            case Icon::Copy:
                line(p, m_ink, 1.6);
                p.drawRoundedRect(QRectF(4., 4., 11., 13.), 1.5, 1.5);
                p.setBrush(QApplication::palette().color(QPalette::Button));
                p.drawRoundedRect(QRectF(9., 8., 11., 13.), 1.5, 1.5);
                break;
            case Icon::Move:
                for (int i = 0; i < 4; ++i) {
                    line(p, m_ink, 1.8);
                    p.drawLine(QPointF(12., 12.), QPointF(12., 5.));
                    fill(p, {{12., 3.}, {14.4, 6.}, {9.6, 6.}}, m_ink);
                    p.translate(12., 12.);
                    p.rotate(90.);
                    p.translate(-12., -12.);
                }
                break;
            case Icon::Turn:
                turn(p, blue);
                break;
            case Icon::Scale:
                line(p, m_ink, 1.6);
                p.drawRect(QRectF(4., 4., 16., 16.));
                p.setBrush(tint(blue));
                p.drawRect(QRectF(4., 12., 8., 8.));
                p.drawLine(QPointF(13., 11.), QPointF(17., 7.));
                break;
            case Icon::Warning:
                fill(p, {{12., 4.}, {21., 20.}, {3., 20.}}, amber);
                p.setPen(QPen(Qt::white, 2.2, Qt::SolidLine, Qt::RoundCap));
                p.drawLine(QPointF(12., 10.), QPointF(12., 14.));
                p.drawPoint(QPointF(12., 17.5));
                break;
        }
    }

    Icon m_which;
    mutable bool m_disabled = false;
    mutable QColor m_ink;
};

}  // namespace

QIcon icon(Icon which) { return QIcon(new Engine(which)); }

QIcon countIcon(std::size_t count, bool errors)
{
    QIcon made;
    for (const int size : {16, 32, 64}) {
        QPixmap map(size, size);
        map.fill(Qt::transparent);
        if (count > 0) {
            QPainter p(&map);
            p.setRenderHint(QPainter::Antialiasing);
            p.setPen(Qt::NoPen);
            p.setBrush(errors ? red : amber);
            p.drawRoundedRect(map.rect(), size * 0.25, size * 0.25);
            const QString text = count > 99 ? QStringLiteral("99+") : QString::number(count);
            QFont font = p.font();
            font.setBold(true);
            font.setPixelSize(static_cast<int>(size * (text.size() > 2 ? 0.5 : 0.66)));
            p.setFont(font);
            p.setPen(Qt::white);
            p.drawText(map.rect(), Qt::AlignCenter, text);
        }
        made.addPixmap(map);
    }
    return made;
}

}  // namespace sofa::qt
