// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QTimer>

#include "applications/qt/panels/Panel.h"
#include "core/log/Timer.h"

class QLabel;
class QPushButton;
class QTreeWidget;

namespace sofa::qt {

/// Where the time of steps goes: phases and components in a tree, averaged over the steps since the last reset.
class ProfilerPanel : public Panel
{
    Q_OBJECT

public:
    explicit ProfilerPanel(QWidget* parent = nullptr);
    ~ProfilerPanel() override;

    /// Called with a text for the user.
    std::function<void(const QString&)> onMessage;
    /// Whether it measures.
    bool isOn() const { return m_on; }
    void setOn(bool on);
    /// Writes the intervals that were recorded for chrome://tracing.
    void exportTrace(const QString& file);

protected:
    void simulationChanged() override;
    void showEvent(QShowEvent*) override;
    void hideEvent(QHideEvent*) override;

private:
    struct Figures
    {
        std::vector<core::Timers::Row> rows;
        std::size_t steps = 0;
    };
    void refresh();
    void display(const Figures& figures);
    void restart();

    QPushButton* m_switch;
    QLabel* m_summary;
    QTreeWidget* m_tree;
    QTimer m_timer;
    bool m_on = false;
    std::size_t m_firstStep = 0;  ///< only touched in the thread of the simulation
    std::vector<std::string> m_paths;
};

}  // namespace sofa::qt
