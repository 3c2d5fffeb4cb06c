// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/ProfilerPanel.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <map>
#include <sstream>

#include "applications/qt/panels/TimerUse.h"
#include "core/io/OutputFile.h"

namespace sofa::qt {

using core::Simulation;
using core::Timers;

ProfilerPanel::ProfilerPanel(QWidget* parent) : Panel(parent)
{
    auto* layout = new QVBoxLayout(this);
    auto* bar = new QHBoxLayout;
    layout->addLayout(bar);
    m_switch = new QPushButton(tr("&Measure"));
    m_switch->setObjectName("profilerOn");
    m_switch->setCheckable(true);
    m_switch->setToolTip(tr("Measure the phases of each step"));
    bar->addWidget(m_switch);
    connect(m_switch, &QPushButton::toggled, this, [this](bool on) { setOn(on); });
    auto* reset = new QPushButton(tr("R&estart"));
    reset->setObjectName("profilerReset");
    reset->setToolTip(tr("Forget what was measured, and measure from now on"));
    bar->addWidget(reset);
    connect(reset, &QPushButton::clicked, this, [this] { restart(); });
    auto* save = new QPushButton(tr("Export &trace…"));
    save->setObjectName("profilerExport");
    save->setToolTip(tr("Write every interval for chrome://tracing or Perfetto"));
    bar->addWidget(save);
    connect(save, &QPushButton::clicked, this, [this] {
        const QString file =
            QFileDialog::getSaveFileName(this, tr("Export trace"), "trace.json", tr("Traces (*.json)"));
        if (!file.isEmpty()) exportTrace(file);
    });
    bar->addStretch();
    m_summary = new QLabel(tr("Press Measure, then animate."));
    m_summary->setObjectName("profilerSummary");
    layout->addWidget(m_summary);
    m_tree = new QTreeWidget;
    m_tree->setObjectName("profilerTree");
    m_tree->setAccessibleName(tr("Times of the phases of a step"));
    m_tree->setUniformRowHeights(true);
    m_tree->setHeaderLabels({tr("Phase"), tr("ms / step"), tr("own ms"), tr("%"), tr("calls")});
    m_tree->header()->setStretchLastSection(false);
    for (int c = 0; c < m_tree->columnCount(); ++c)
        m_tree->header()->setSectionResizeMode(c, c == 0 ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    layout->addWidget(m_tree);
    connect(&m_timer, &QTimer::timeout, this, [this] { refresh(); });
    m_timer.setInterval(500);
}

ProfilerPanel::~ProfilerPanel()
{
    if (m_on) useTimers(thread(), false);
    setSimulation(nullptr);
}

void ProfilerPanel::setOn(bool on)
{
    if (on == m_on) return;
    m_on = on;
    m_switch->setChecked(on);
    useTimers(thread(), on);
    if (on) {
        restart();
        if (thread()) thread()->inspect([](Simulation&) { Timers::enableTrace(true); });
    } else {
        refresh();
    }
}

void ProfilerPanel::restart()
{
    fetch(
        [this](Simulation& s) {
            Timers::reset();
            m_firstStep = s.stepCount();
            return 0;
        },
        [this](int) { refresh(); });
}

void ProfilerPanel::exportTrace(const QString& file)
{
    const std::string name = file.toStdString();
    fetch(
        [name](Simulation&) -> std::string {
            std::ostringstream trace;
            Timers::writeChromeTrace(trace);
            try {
                core::writeFile(name, trace.str());
            } catch (const std::runtime_error& e) {
                return e.what();
            }
            return {};
        },
        [this, file](const std::string& error) {
            if (onMessage)
                onMessage(error.empty() ? tr("Trace written to %1").arg(file) : QString::fromStdString(error));
        });
}

void ProfilerPanel::simulationChanged()
{
    m_tree->clear();
    m_paths.clear();
    if (m_on && thread()) {
        thread()->inspect([](Simulation&) { Timers::enableTrace(true); });
        restart();
    }
}

void ProfilerPanel::showEvent(QShowEvent*)
{
    m_timer.start();
    refresh();
}
void ProfilerPanel::hideEvent(QHideEvent*) { m_timer.stop(); }

void ProfilerPanel::refresh()
{
    fetch(
        [this](Simulation& s) {
            // A reset of the scene counts steps from 0 again.
            if (s.stepCount() < m_firstStep) m_firstStep = 0;
            return Figures{Timers::rows(), s.stepCount() - m_firstStep};
        },
        [this](const Figures& f) { display(f); });
}

void ProfilerPanel::display(const Figures& f)
{
    double total = 0.;
    for (const Timers::Row& r : f.rows)
        if (r.depth == 0) total += r.seconds;
    if (f.rows.empty() || f.steps == 0)
        m_summary->setText(m_on ? tr("Measuring; no step yet.") : tr("Press Measure, then animate."));
    else
        m_summary->setText(
            tr("%1 steps, %2 ms each").arg(f.steps).arg(1e3 * total / static_cast<double>(f.steps), 0, 'g', 4));
    std::vector<std::string> paths;
    for (const Timers::Row& r : f.rows) paths.push_back(r.path);
    if (paths != m_paths) {
        m_tree->clear();
        m_paths = paths;
        std::vector<QTreeWidgetItem*> above;
        for (const Timers::Row& r : f.rows) {
            const auto depth = static_cast<std::size_t>(r.depth);
            auto* item = depth == 0 || above.size() < depth ? new QTreeWidgetItem(m_tree)
                                                            : new QTreeWidgetItem(above[depth - 1]);
            above.resize(depth);
            above.push_back(item);
            item->setText(0, text(r.phase));
            item->setToolTip(0, text(r.path));
            for (const int c : {1, 2, 3, 4}) item->setTextAlignment(c, Qt::AlignRight);
            item->setExpanded(r.depth < 2);
        }
    }
    // The rows stand in the order of the tree, depth first.
    std::size_t i = 0;
    const double perStep = f.steps > 0 ? 1e3 / static_cast<double>(f.steps) : 0.;
    for (QTreeWidgetItemIterator it(m_tree); *it && i < f.rows.size(); ++it, ++i) {
        const Timers::Row& r = f.rows[i];
        (*it)->setText(1, QString::number(r.seconds * perStep, 'f', 3));
        (*it)->setText(2, QString::number(r.ownSeconds * perStep, 'f', 3));
        (*it)->setText(3, total > 0. ? QString::number(100. * r.seconds / total, 'f', 1) : QString());
        (*it)->setText(4, QString::number(static_cast<qulonglong>(r.count)));
    }
}

}  // namespace sofa::qt
