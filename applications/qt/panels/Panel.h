// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QTreeView>
#include <QWidget>
#include <functional>
#include <memory>

#include "core/simulation/SimulationThread.h"

namespace sofa::qt {

/// Columns as wide as their texts: where all of them need more room than there is, the list scrolls instead of cutting
/// names off.
void fitColumnsToTexts(QTreeView* tree);

/// A part of the window that shows something of the scene. It never touches the scene itself: it asks the thread of the
/// simulation for copies between two steps and shows them when they arrive.
class Panel : public QWidget
{
public:
    using QWidget::QWidget;
    ~Panel() override;

    /// The simulation to show from now on, or nullptr for none. The one before must have been stopped: nothing that was
    /// asked of it may be under way any more.
    void setSimulation(core::SimulationThread* thread);

protected:
    /// Another simulation was set; forget what was shown.
    virtual void simulationChanged() {}
    /// Called in the simulation's thread after each step, reset or edit. By default nothing.
    virtual void sceneChanged(core::Simulation&, core::SimulationThread::Change) {}
    /// Whether sceneChanged is to be called.
    virtual bool listens() const { return false; }

    core::SimulationThread* thread() const { return m_thread; }

    /// Has `take` called between two steps, and then `show` with its result in the thread of the window, unless another
    /// simulation was set or the panel is gone by then.
    template <class Take, class Show>
    void fetch(Take take, Show show)
    {
        if (m_thread) m_thread->inspect(shown(std::move(take), std::move(show)));
    }
    /// Has `change` called between two steps; what it returns is shown by `done` as fetch does.
    template <class Change, class Done>
    void edit(Change change, Done done)
    {
        if (m_thread) m_thread->post(shown(std::move(change), std::move(done)));
    }
    /// Runs a function in the thread of the window, unless the panel is gone. May be called from any thread that holds
    /// a pointer to the panel alive.
    static void later(const QPointer<Panel>& self, std::function<void()> f);

private:
    /// What calls `take` in the simulation's thread, and then `show` in that of the window.
    template <class Take, class Show>
    auto shown(Take take, Show show)
    {
        return [self = QPointer<Panel>(this), number = m_number, take = std::move(take),
                show = std::move(show)](core::Simulation& s) mutable {
            using Result = decltype(take(s));
            auto result = std::make_shared<Result>(take(s));
            QMetaObject::invokeMethod(
                qApp,
                [self, number, result, show = std::move(show)]() mutable {
                    if (self && self->m_number == number) show(*result);
                },
                Qt::QueuedConnection);
        };
    }

    core::SimulationThread* m_thread = nullptr;
    int m_listener = 0;
    int m_number = 0;  ///< of the simulation: answers of older ones are dropped
};

/// Text of a std::string in UTF-8.
inline QString text(const std::string& s) { return QString::fromStdString(s); }

/// A small image for a category of components ("ForceField", ...) or "Node".
QIcon categoryIcon(const std::string& category);

}  // namespace sofa::qt
