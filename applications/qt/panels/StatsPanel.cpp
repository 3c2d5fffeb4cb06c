// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/StatsPanel.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>

#include "applications/qt/Widgets.h"
#include "applications/qt/panels/TimerUse.h"
#include "core/io/OutputFile.h"

namespace sofa::qt {

using core::Simulation;
using core::SimulationThread;

namespace {

/// One line about a step for the console: its time, and that of the phases right below it.
void logStep(const Simulation& s, double seconds)
{
    static thread_local std::map<std::string, double> before;
    std::string line = "step " + std::to_string(s.stepCount()) + ", " + core::toText(s.root().time()) + " s: ";
    char number[64];
    std::snprintf(number, sizeof number, "%.3f ms", 1e3 * seconds);
    line += number;
    for (const core::Timers::Row& r : core::Timers::rows()) {
        double& old = before[r.path];
        const double now = r.seconds - (r.seconds < old ? 0. : old);
        old = r.seconds;
        if (r.depth > 1 || now <= 0.) continue;
        std::snprintf(number, sizeof number, "%s%s %.3f", r.depth == 0 ? "; " : ", ", r.phase.c_str(), 1e3 * now);
        line += number;
    }
    std::cout << line << std::endl;
}

/// Lets the first columns share what the others, which are as wide as their texts, leave.
void fitColumns(QTreeWidget* tree, int wide)
{
    tree->setTextElideMode(Qt::ElideMiddle);
    tree->header()->setStretchLastSection(false);
    for (int c = 0; c < tree->columnCount(); ++c)
        tree->header()->setSectionResizeMode(c, c < wide ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
}

}  // namespace

StatsPanel::StatsPanel(QWidget* parent) : Panel(parent)
{
    auto* layout = new QVBoxLayout(this);

    auto* inventory = new QGroupBox(tr("Collision models"));
    auto* inventoryLayout = new QVBoxLayout(inventory);
    m_summary = new QLabel(tr("no scene"));
    m_summary->setObjectName("statsSummary");
    m_summary->setWordWrap(true);
    inventoryLayout->addWidget(m_summary);
    m_models = new QTreeWidget;
    m_models->setObjectName("statsModels");
    m_models->setAccessibleName(tr("Collision models"));
    m_models->setRootIsDecorated(false);
    m_models->setUniformRowHeights(true);
    m_models->setHeaderLabels({tr("Model"), tr("Parts"), tr("Contacts"), tr("State")});
    fitColumns(m_models, 1);
    inventoryLayout->addWidget(m_models, 2);
    m_pairs = new QTreeWidget;
    m_pairs->setObjectName("statsPairs");
    m_pairs->setAccessibleName(tr("Pairs in contact"));
    m_pairs->setRootIsDecorated(false);
    m_pairs->setUniformRowHeights(true);
    m_pairs->setHeaderLabels({tr("In contact"), tr("with"), tr("Contacts"), tr("Nearest [m]")});
    fitColumns(m_pairs, 2);
    inventoryLayout->addWidget(m_pairs, 1);
    layout->addWidget(inventory, 3);

    auto* exports = new QGroupBox(tr("Export"));
    auto* exportLayout = new QVBoxLayout(exports);
    auto* folderRow = new QHBoxLayout;
    exportLayout->addLayout(folderRow);
    auto* folderLabel = new QLabel(tr("&Folder"));
    folderRow->addWidget(folderLabel);
    m_folder = new QLineEdit(QDir::currentPath());
    m_folder->setObjectName("statsFolder");
    folderLabel->setBuddy(m_folder);
    folderRow->addWidget(m_folder);
    auto* browse = new QPushButton(tr("Choose…"));
    browse->setObjectName("statsBrowse");
    folderRow->addWidget(browse);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder of exported files"), folder());
        if (chosen.isEmpty()) return;
        setFolder(chosen);
        if (onFolder) onFolder(chosen);
    });
    connect(m_folder, &QLineEdit::textEdited, this, [this](const QString& folder) {
        if (onFolder) onFolder(folder);
    });
    auto* row = new QHBoxLayout;
    exportLayout->addLayout(row);
    auto* dump = new QPushButton(tr("&Dump state"));
    dump->setObjectName("statsDump");
    dump->setToolTip(tr("Write positions and velocities of all states to dumpState.data"));
    row->addWidget(dump);
    connect(dump, &QPushButton::clicked, this, [this] {
        const std::string file = QDir(folder()).filePath("dumpState.data").toStdString();
        fetch(
            [file](Simulation& s) -> std::string {
                try {
                    core::writeFile(file, core::stateText(s));
                } catch (const std::exception& e) {
                    return e.what();
                }
                return {};
            },
            [this, file](const std::string& error) {
                say(error.empty() ? tr("State written to %1").arg(text(file)) : text(error));
            });
    });
    m_logTime =
        addCheckBox(row, "statsLogTime", tr("&Log time"), tr("Print the time spent in each step to the console"));
    connect(m_logTime, &QCheckBox::toggled, this, [this](bool on) {
        m_wantLog = on;
        useTimers(thread(), on);
    });
    m_gnuplot = addCheckBox(row, "statsGnuplot", tr("&Gnuplot"),
                            tr("Write positions, velocities and energies of each step to files for gnuplot"));
    row->addStretch();
    connect(m_gnuplot, &QCheckBox::toggled, this, [this](bool on) {
        m_folder->setEnabled(!on);
        const std::string where = folder().toStdString();
        fetch(
            [this, on, where](Simulation& s) -> std::string {
                m_exporter.reset();
                try {
                    if (on) m_exporter.emplace(where).write(s);
                } catch (const std::exception& e) {
                    m_exporter.reset();
                    return e.what();
                }
                return {};
            },
            [this, on, where](const std::string& error) {
                if (error.empty()) {
                    say(on ? tr("Files for gnuplot are written to %1").arg(text(where))
                           : tr("Files for gnuplot are complete in %1").arg(text(where)));
                } else {
                    say(text(error));
                    m_gnuplot->setChecked(false);
                }
            });
    });
    layout->addWidget(exports);

    auto* plots = new QGroupBox(tr("Plots"));
    auto* plotLayout = new QVBoxLayout(plots);
    m_plotEnergy = addCheckBox(plotLayout, "statsPlotEnergy", tr("Plot &energies"),
                               tr("Kinetic and potential energy of each step: takes a little time"));
    m_plotEnergy->setChecked(true);
    connect(m_plotEnergy, &QCheckBox::toggled, this, [this](bool on) { m_wantEnergy = on && isVisible(); });
    m_energy = new PlotWidget(tr("Energy"), "J",
                              {{tr("kinetic"), QColor(200, 60, 40)},
                               {tr("potential"), QColor(40, 100, 200)},
                               {tr("mechanical"), QColor(60, 140, 60)}});
    plotLayout->addWidget(m_energy);
    m_time = new PlotWidget(tr("Time of a step"), "ms", {{tr("step"), QColor(150, 80, 170)}});
    plotLayout->addWidget(m_time);
    layout->addWidget(plots, 4);

    connect(&m_timer, &QTimer::timeout, this, [this] { refresh(); });
    m_timer.setInterval(250);
}

StatsPanel::~StatsPanel() { setSimulation(nullptr); }

void StatsPanel::setFolder(const QString& folder)
{
    if (m_folder->text() != folder) m_folder->setText(folder);
}
QString StatsPanel::folder() const { return m_folder->text(); }

void StatsPanel::say(const QString& what)
{
    if (onMessage) onMessage(what);
}

void StatsPanel::simulationChanged()
{
    {
        const std::lock_guard lock(m_mutex);
        m_samples.clear();
    }
    m_exporter.reset();  // the thread that used it has ended, or does not call this panel any more
    m_gnuplot->setChecked(false);
    m_energy->clear();
    m_time->clear();
    showInventory({});
    m_dumpFile.clear();
    if (m_wantLog) useTimers(thread(), true);
    followScene();
    refresh();
}

void StatsPanel::followScene()
{
    struct Wanted
    {
        bool logTime = false, exportState = false;
        std::string error;
    };
    const std::string file = QDir(folder()).filePath("dumpState.data").toStdString();
    fetch(
        [this, file](Simulation& s) {
            Wanted wanted;
            bool dump = false;
            for (const core::Node* n : s.root().descendants(true))
                for (const auto& c : n->components()) {
                    if (c->className() != "StatsSetting") continue;
                    const auto says = [&c](const char* name) {
                        const auto* d = dynamic_cast<const core::Data<bool>*>(c->findData(name));
                        return d && d->value();
                    };
                    wanted.logTime = wanted.logTime || says("logTime");
                    wanted.exportState = wanted.exportState || says("exportState");
                    dump = dump || says("dumpState");
                }
            try {
                if (dump) core::writeFile(file, core::stateText(s));
                if (dump) m_dumpFile = file;
            } catch (const std::exception& e) {
                wanted.error = e.what();
            }
            return wanted;
        },
        [this](const Wanted& wanted) {
            if (wanted.logTime) m_logTime->setChecked(true);
            if (wanted.exportState) m_gnuplot->setChecked(true);
            if (!wanted.error.empty()) say(text(wanted.error));
        });
}

void StatsPanel::sceneChanged(Simulation& s, SimulationThread::Change change)
{
    if (change == SimulationThread::Change::Reset) {
        const std::lock_guard lock(m_mutex);
        m_samples.push_back({s.root().time(), std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()});
        return;
    }
    if (change != SimulationThread::Change::Stepped) return;
    const double seconds = thread()->lastStepSeconds();
    if (m_wantLog) logStep(s, seconds);
    if (m_exporter) {
        try {
            m_exporter->write(s);
        } catch (const std::exception& e) {
            m_exporter.reset();
            core::MessageLog::emit(core::Severity::Error, e.what());
        }
    }
    if (!m_dumpFile.empty() && !(std::ofstream(m_dumpFile, std::ios::app) << core::stateText(s))) {
        core::MessageLog::emit(core::Severity::Error, "cannot write '" + m_dumpFile + "'");
        m_dumpFile.clear();
    }
    Sample sample{s.root().time(), std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(),
                  seconds};
    if (m_wantEnergy) {
        const Simulation::Energy e = s.energy();
        sample.kinetic = e.kinetic;
        sample.potential = e.potential;
    }
    const std::lock_guard lock(m_mutex);
    if (m_samples.size() < 10'000) m_samples.push_back(sample);
}

void StatsPanel::showEvent(QShowEvent*)
{
    m_wantEnergy = m_plotEnergy->isChecked();
    m_timer.start();
    refresh();
}

void StatsPanel::hideEvent(QHideEvent*)
{
    m_wantEnergy = false;
    m_timer.stop();
}

void StatsPanel::refresh()
{
    std::vector<Sample> samples;
    {
        const std::lock_guard lock(m_mutex);
        samples.swap(m_samples);
    }
    for (const Sample& s : samples) {
        m_energy->append(s.time, {s.kinetic, s.potential, s.kinetic + s.potential});
        m_time->append(s.time, {1e3 * s.seconds});
    }
    if (!isVisible()) return;
    fetch([](Simulation& s) { return core::takeCollisionInventory(s.root()); },
          [this](const core::CollisionInventory& i) { showInventory(i); });
}

void StatsPanel::showInventory(const core::CollisionInventory& inventory)
{
    QStringList counts;
    for (const auto& [shape, n] : inventory.primitives) counts += QString("%1 %2").arg(n).arg(text(shape));
    const auto number = [](std::size_t n, const QString& one, const QString& several) {
        return QStringLiteral("%1 %2").arg(n).arg(n == 1 ? one : several);
    };
    m_summary->setText(inventory.models.empty()
                           ? tr("No collision models.")
                           : tr("%1: %2. %3 in %4 of models.")
                                 .arg(number(inventory.models.size(), tr("model"), tr("models")), counts.join(", "),
                                      number(inventory.contacts, tr("contact"), tr("contacts")),
                                      number(inventory.pairs.size(), tr("pair"), tr("pairs"))));
    const auto fill = [](QTreeWidget* tree, std::size_t count, int firstNumber, int numbers, const auto& columns) {
        while (tree->topLevelItemCount() > static_cast<int>(count))
            delete tree->takeTopLevelItem(tree->topLevelItemCount() - 1);
        for (std::size_t i = 0; i < count; ++i) {
            QTreeWidgetItem* item = tree->topLevelItem(static_cast<int>(i));
            if (!item) item = new QTreeWidgetItem(tree);
            const QStringList texts = columns(i);
            for (int c = 0; c < texts.size(); ++c) {
                if (item->text(c) != texts[c]) item->setText(c, texts[c]);
                if (c >= firstNumber && c < firstNumber + numbers) item->setTextAlignment(c, Qt::AlignRight);
                item->setToolTip(c, texts[c]);
            }
        }
    };
    // A model whose name nobody gave ("SphereCollisionModel1") is known by its node.
    std::map<std::string, QString> names;
    for (const core::CollisionModelEntry& m : inventory.models) {
        const std::size_t last = m.path.rfind('/');
        const bool given = m.path.compare(last + 1, m.className.size(), m.className) != 0;
        names[m.path] = text(given || last == 0 ? m.path : m.path.substr(0, last));
    }
    fill(m_models, inventory.models.size(), 2, 1, [&](std::size_t i) {
        const core::CollisionModelEntry& m = inventory.models[i];
        const QString state = !m.active      ? tr("off")
                              : !m.simulated ? tr("obstacle")
                              : !m.moving    ? tr("at rest")
                                             : tr("moving");
        return QStringList{names[m.path], QStringLiteral("%1 %2").arg(m.primitives).arg(text(m.shape)),
                           QString::number(m.contacts), state};
    });
    fill(m_pairs, inventory.pairs.size(), 2, 2, [&](std::size_t i) {
        const core::CollisionPairEntry& p = inventory.pairs[i];
        return QStringList{names[p.first], names[p.second], QString::number(p.contacts),
                           QString::number(p.nearest, 'g', 4)};
    });
}

}  // namespace sofa::qt
