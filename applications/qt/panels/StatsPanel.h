// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QTimer>
#include <atomic>
#include <mutex>
#include <optional>

#include "applications/qt/panels/Panel.h"
#include "applications/qt/panels/PlotWidget.h"
#include "core/simulation/SceneStatistics.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QTreeWidget;

namespace sofa::qt {

/// Inventory of what collides, exports of the state, and plots of energies and of the time that steps take.
class StatsPanel : public Panel
{
    Q_OBJECT

public:
    explicit StatsPanel(QWidget* parent = nullptr);
    ~StatsPanel() override;

    /// Called with a text for the user: what was written, or why not.
    std::function<void(const QString&)> onMessage;
    /// Called with the folder that the user chose here.
    std::function<void(const QString&)> onFolder;
    /// Folder of the exported files; the present one by default.
    void setFolder(const QString& folder);
    QString folder() const;

    const PlotWidget& energyPlot() const { return *m_energy; }
    const PlotWidget& timePlot() const { return *m_time; }

protected:
    void simulationChanged() override;
    bool listens() const override { return true; }
    void sceneChanged(core::Simulation&, core::SimulationThread::Change) override;
    void showEvent(QShowEvent*) override;
    void hideEvent(QHideEvent*) override;

private:
    /// A step as it is plotted.
    struct Sample
    {
        double time = 0., kinetic = 0., potential = 0., seconds = 0.;
    };
    void refresh();
    void showInventory(const core::CollisionInventory& inventory);
    void say(const QString& what);
    /// Does what a StatsSetting of the scene says.
    void followScene();

    QTreeWidget* m_models;
    QTreeWidget* m_pairs;
    QLabel* m_summary;
    QLineEdit* m_folder;
    QCheckBox *m_logTime, *m_gnuplot, *m_plotEnergy;
    PlotWidget *m_energy, *m_time;
    QTimer m_timer;

    // Touched in the thread of the simulation.
    std::optional<core::GnuplotExporter> m_exporter;
    std::string m_dumpFile;  ///< to which the state is appended after each step; empty: none
    std::chrono::steady_clock::time_point m_lastChange;
    std::atomic<bool> m_wantEnergy{false}, m_wantLog{false};

    std::mutex m_mutex;
    std::vector<Sample> m_samples;
};

}  // namespace sofa::qt
