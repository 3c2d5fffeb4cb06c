// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/PlotWidget.h"

#include <QPainter>
#include <QPainterPath>
#include <cmath>
#include <limits>

namespace sofa::qt {

PlotWidget::PlotWidget(QString title, QString unit, std::vector<Curve> curves, QWidget* parent)
    : QWidget(parent), m_title(std::move(title)), m_unit(std::move(unit)), m_curves(std::move(curves))
{
    setAccessibleName(m_title);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PlotWidget::append(double time, const std::vector<double>& values)
{
    if (!m_points.empty() && !(time > m_points.back().time)) m_points.clear();
    m_points.push_back({time, values});
    while (m_points.size() > m_capacity) m_points.pop_front();
    update();
}

void PlotWidget::clear()
{
    m_points.clear();
    update();
}

double PlotWidget::last(std::size_t curve) const
{
    return m_points.empty() ? std::numeric_limits<double>::quiet_NaN() : m_points.back().values[curve];
}

double PlotWidget::tickStep(double range, int count)
{
    if (!(range > 0.) || !std::isfinite(range) || count < 1) return 1.;
    const double raw = range / count;
    const double power = std::pow(10., std::floor(std::log10(raw)));
    for (const double factor : {1., 2., 5.})
        if (factor * power >= raw * (1. - 1e-12)) return factor * power;
    return 10. * power;
}

void PlotWidget::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QColor ink = palette().color(QPalette::WindowText), faint = palette().color(QPalette::Mid);
    p.fillRect(rect(), palette().color(QPalette::Base));
    const QFontMetrics fm(font());
    const int line = fm.height();

    // Title and legend.
    int x = 6;
    p.setPen(ink);
    const QString title = m_unit.isEmpty() ? m_title : m_title + " [" + m_unit + "]";
    p.drawText(x, fm.ascent() + 2, title);
    x += fm.horizontalAdvance(title) + 14;
    for (const Curve& c : m_curves) {
        if (m_curves.size() < 2) break;
        p.setPen(QPen(c.color, 2.));
        p.drawLine(x, 2 + line / 2, x + 12, 2 + line / 2);
        p.setPen(ink);
        p.drawText(x + 16, fm.ascent() + 2, c.name);
        x += 16 + fm.horizontalAdvance(c.name) + 10;
    }

    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Point& point : m_points)
        for (const double v : point.values)
            if (std::isfinite(v)) {
                low = std::min(low, v);
                high = std::max(high, v);
            }
    if (!(low <= high)) {
        p.setPen(faint);
        p.drawText(rect(), Qt::AlignCenter, QStringLiteral("no data yet"));
        return;
    }
    if (low > 0. && low < 0.5 * high) low = 0.;
    if (high - low <= 1e-12 * std::max(std::abs(high), std::abs(low))) {
        const double pad = high == 0. ? 1. : 0.1 * std::abs(high);
        low -= pad;
        high += pad;
    }
    const double t0 = m_points.front().time, t1 = std::max(m_points.back().time, t0 + 1e-9);
    const double step = tickStep(high - low, std::max(2, (height() - 3 * line) / (2 * line)));
    int left = 0;
    for (double v = std::ceil(low / step) * step; v <= high + 1e-9 * step; v += step)
        left = std::max(left, fm.horizontalAdvance(QString::number(std::abs(v) < 1e-9 * step ? 0. : v, 'g', 5)));
    const QRectF area(left + 12, line + 6, width() - left - 22, height() - 2 * line - 12);
    if (area.width() < 10 || area.height() < 10) return;
    const auto px = [&](double t) { return area.left() + (t - t0) / (t1 - t0) * area.width(); };
    const auto py = [&](double v) { return area.bottom() - (v - low) / (high - low) * area.height(); };
    for (double v = std::ceil(low / step) * step; v <= high + 1e-9 * step; v += step) {
        p.setPen(QPen(faint, 0.5));
        p.drawLine(QPointF(area.left(), py(v)), QPointF(area.right(), py(v)));
        p.setPen(ink);
        p.drawText(QRectF(0, py(v) - line / 2., area.left() - 5, line), Qt::AlignRight | Qt::AlignVCenter,
                   QString::number(std::abs(v) < 1e-9 * step ? 0. : v, 'g', 5));
    }
    const double tick = tickStep(t1 - t0, std::max(2, static_cast<int>(area.width()) / 80));
    for (double t = std::ceil(t0 / tick) * tick; t <= t1 + 1e-9 * tick; t += tick) {
        p.setPen(QPen(faint, 0.5));
        p.drawLine(QPointF(px(t), area.top()), QPointF(px(t), area.bottom()));
        p.setPen(ink);
        const QString label = QString::number(std::abs(t) < 1e-9 * tick ? 0. : t, 'g', 5) + " s";
        const double w = fm.horizontalAdvance(label);
        p.drawText(QRectF(std::min(px(t) - w / 2., width() - w - 2.), area.bottom() + 3, w + 2, line), Qt::AlignLeft,
                   label);
    }
    p.setPen(QPen(ink, 1.));
    p.drawRect(area);
    p.setClipRect(area.adjusted(-1, -1, 1, 1));
    for (std::size_t c = 0; c < m_curves.size(); ++c) {
        QPainterPath path;
        bool pen = false;
        for (const Point& point : m_points) {
            const double v = c < point.values.size() ? point.values[c] : std::numeric_limits<double>::quiet_NaN();
            if (!std::isfinite(v)) {
                pen = false;
                continue;
            }
            const QPointF at(px(point.time), py(v));
            pen ? path.lineTo(at) : path.moveTo(at);
            pen = true;
        }
        p.setPen(QPen(m_curves[c].color, 1.5));
        p.drawPath(path);
    }
}

}  // namespace sofa::qt
