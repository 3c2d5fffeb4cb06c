// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QColor>
#include <QWidget>
#include <deque>
#include <vector>

namespace sofa::qt {

/// Curves over time that grow to the right; the oldest points are dropped. Axes follow the values, with round ticks.
class PlotWidget : public QWidget
{
public:
    struct Curve
    {
        QString name;
        QColor color;
    };
    PlotWidget(QString title, QString unit, std::vector<Curve> curves, QWidget* parent = nullptr);

    /// Appends a value of each curve at a time [s]. A time that is not after the last one begins the plot anew.
    void append(double time, const std::vector<double>& values);
    void clear();
    std::size_t pointCount() const { return m_points.size(); }
    /// Last value of a curve; NaN without points.
    double last(std::size_t curve) const;
    /// Highest number of points that are kept; default 2,000.
    void setCapacity(std::size_t n) { m_capacity = n; }

    QSize sizeHint() const override { return {320, 150}; }
    QSize minimumSizeHint() const override { return {160, 90}; }

    /// Round distance of ticks so that about `count` fit into a range.
    static double tickStep(double range, int count);

protected:
    void paintEvent(QPaintEvent*) override;

private:
    struct Point
    {
        double time;
        std::vector<double> values;
    };
    QString m_title, m_unit;
    std::vector<Curve> m_curves;
    std::deque<Point> m_points;
    std::size_t m_capacity = 2000;
};

}  // namespace sofa::qt
