// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QPointer>
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "applications/qt/Viewer.h"
#include "applications/qt/panels/Panel.h"

class QLabel;
class QToolButton;
class QTreeWidget;

namespace sofa::qt {

/// Measures between places that are picked in the view: their positions, the distance of two, the angle of three. They
/// follow what they lie on; what is measured is drawn over the scene, too.
class MeasurePanel : public Panel
{
    Q_OBJECT

public:
    enum class Kind
    {
        Position,  ///< one place
        Distance,  ///< of two [m]
        Angle      ///< of three, at the second [deg]
    };
    explicit MeasurePanel(Viewer& viewer, QWidget* parent = nullptr);
    ~MeasurePanel() override;

    /// Clicks in the view pick places for this, until stop().
    void start(Kind kind);
    void stop();
    /// Forgets all that was measured.
    void clear();
    /// What was measured, a line each.
    QStringList results() const;

protected:
    void simulationChanged() override;
    void sceneChanged(core::Simulation& s, core::SimulationThread::Change change) override;
    bool listens() const override { return true; }

private:
    struct Measure
    {
        Kind kind;
        std::vector<Viewer::Place> places;     ///< called in the thread of the simulation
        std::vector<std::optional<Vec3>> now;  ///< where they are; under the mutex
    };
    static std::size_t placesOf(Kind kind) { return static_cast<std::size_t>(kind) + 1; }
    static QString textOf(const Measure& m, bool unit = true);
    void add(const Viewer::Place& place, const Vec3& now);
    void refresh();
    void removeSelected();

    QPointer<Viewer> m_viewer;
    std::array<QToolButton*, 3> m_buttons{};
    QLabel* m_hint;
    QTreeWidget* m_list;
    std::optional<Kind> m_kind;
    mutable std::mutex m_mutex;
    std::vector<std::shared_ptr<Measure>> m_measures;  ///< under the mutex
    std::shared_ptr<Measure> m_begun;                  ///< the last one, as long as places are missing
};

}  // namespace sofa::qt
