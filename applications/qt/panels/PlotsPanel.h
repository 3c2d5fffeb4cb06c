// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QTimer>
#include <list>
#include <mutex>
#include <set>

#include "applications/qt/panels/Panel.h"

class QLabel;
class QMimeData;
class QVBoxLayout;

namespace sofa::core {
class BaseData;
}

namespace sofa::qt {

class PlotWidget;

/// What a plot shows of a Data.
struct PlottedNumbers
{
    std::vector<double> values;  ///< one for each curve; empty if it is no number
    bool summary = false;        ///< they are the least, the mean and the largest of many
};
PlottedNumbers plottedNumbers(const core::BaseData& data);

/// Plots of values over the time of the scene, one for each Data that was dropped here or chosen from a menu. Up to
/// four numbers are a curve each; of longer lists, least, mean and largest are: of their numbers, or of the lengths of
/// their vectors.
class PlotsPanel : public Panel
{
    Q_OBJECT

public:
    explicit PlotsPanel(QWidget* parent = nullptr);
    ~PlotsPanel() override;

    /// Called with a text for the user.
    std::function<void(const QString&)> onMessage;

    /// Plots a Data of the object at a path from now on. Tells why not where it has no numbers.
    void add(const std::string& path, const std::string& data);
    void remove(const std::string& path, const std::string& data);
    /// "/body/dofs.position" of each plot.
    QStringList plotted() const;
    PlotWidget* plot(const std::string& path, const std::string& data) const;

    /// What a Data is dragged as.
    static QMimeData* mimeOf(const std::string& path, const std::string& data);
    static QString mimeType() { return QStringLiteral("application/x-sofa-data"); }

protected:
    void simulationChanged() override;
    void sceneChanged(core::Simulation& s, core::SimulationThread::Change change) override;
    bool listens() const override { return true; }
    void dragEnterEvent(QDragEnterEvent* e) override;
    void dropEvent(QDropEvent* e) override;

private:
    struct Source
    {
        std::string path, data;
        std::size_t curves = 0;
        PlotWidget* plot = nullptr;
        QWidget* row = nullptr;
        std::vector<std::pair<double, std::vector<double>>> arrived;  ///< times [s] and values; under the mutex
    };
    void drain();
    void show(const std::string& path, const std::string& data, const QString& unit, const PlottedNumbers& numbers);

    QVBoxLayout* m_column;
    QLabel* m_hint;
    QTimer m_timer;
    mutable std::mutex m_mutex;
    std::list<Source> m_sources;  ///< changed under the mutex
};

}  // namespace sofa::qt
