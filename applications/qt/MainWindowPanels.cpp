// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The panels of the window: what they hold, how they are placed, hidden and remembered.
#include <QAction>
#include <QDockWidget>
#include <QMouseEvent>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "applications/qt/DisplayTab.h"
#include "applications/qt/Icons.h"
#include "applications/qt/MainWindow.h"
#include "applications/qt/MouseTab.h"
#include "applications/qt/Notification.h"
#include "applications/qt/PlayerBar.h"
#include "applications/qt/Preferences.h"
#include "applications/qt/TimeLine.h"
#include "applications/qt/UnderCursorBar.h"
#include "applications/qt/VideoExport.h"
#include "applications/qt/Viewer.h"
#include "applications/qt/Widgets.h"
#include "applications/qt/panels/GraphPanel.h"
#include "applications/qt/panels/LogPanel.h"
#include "applications/qt/panels/MeasurePanel.h"
#include "applications/qt/panels/PlotsPanel.h"
#include "applications/qt/panels/ProfilerPanel.h"
#include "applications/qt/panels/PropertiesPanel.h"
#include "applications/qt/panels/StatsPanel.h"

namespace sofa::qt {

namespace {

constexpr int layoutVersion = 1;  // layouts of other versions are not restored

}  // namespace

void MainWindow::makeBody()
{
    m_viewer = new Viewer(m_session);
    for (QAction* a : {m_animate, m_step, m_resetView, m_fit, m_fitAll}) {
        removeAction(a);
        m_viewer->addAction(a);
    }
    m_notification = new Notification;
    m_player = new PlayerBar(m_session);
    m_timeLine = new TimeLine(m_session);
    m_video = new VideoExport(m_session, *m_viewer, this);

    auto* under = new UnderCursorBar(*m_viewer);
    connect(under, &UnderCursorBar::copied, this,
            [this](const QString& text) { statusBar()->showMessage(tr("Copied: %1").arg(text), 4000); });

    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_notification);
    column->addWidget(m_viewer, 1);
    column->addWidget(under);
    column->addWidget(m_player);
    column->addWidget(m_timeLine);

    setCentralWidget(middle);
    makePanels();
    connect(m_viewer, &Viewer::clicked, this, &MainWindow::select);
}

QDockWidget* MainWindow::addPanel(const char* name, const QString& title, QWidget* widget)
{
    auto* panel = new QDockWidget(title, this);
    panel->setObjectName(name);
    panel->setWidget(widget);
    if (widget->accessibleName().isEmpty()) widget->setAccessibleName(title);
    m_panels << panel;
    // Tab bars are made and filled by the layout, after this.
    const auto later = [this] { QTimer::singleShot(0, this, &MainWindow::markLog); };
    connect(panel, &QDockWidget::visibilityChanged, this, later);
    connect(panel, &QDockWidget::dockLocationChanged, this, later);
    return panel;
}

QAction* MainWindow::panelAction(QDockWidget* panel)
{
    auto* action = new QAction(panel->windowTitle(), this);
    action->setObjectName(panel->objectName() + "Action");
    action->setShortcut(QKeySequence(QStringLiteral("Alt+%1").arg(m_panels.indexOf(panel) + 1)));
    action->setCheckable(true);
    action->setStatusTip(tr("Brings this panel to the front; hides it where it is there already"));
    connect(panel, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
    connect(action, &QAction::triggered, this, [this, panel](bool on) {
        if (on)
            showPanel(panel);
        else
            panel->close();
    });
    return action;
}

void MainWindow::showPanel(const QWidget* widget)
{
    if (!arePanelsShown()) setPanelsShown(true);
    for (QDockWidget* panel : m_panels) {
        if (panel != widget && !panel->isAncestorOf(widget)) continue;
        panel->show();
        panel->raise();
    }
}

bool MainWindow::arePanelsShown() const { return m_hiddenPanels.isEmpty(); }

void MainWindow::setPanelsShown(bool on)
{
    if (on == arePanelsShown()) return;
    m_panel->setChecked(on);
    if (on) {
        restoreState(m_hiddenPanels, layoutVersion);
        m_hiddenPanels.clear();
        return;
    }
    m_hiddenPanels = saveState(layoutVersion);
    for (QDockWidget* panel : m_panels)
        if (!panel->isFloating()) panel->hide();
}

QTabBar* MainWindow::tabsOf(const QDockWidget* panel) const
{
    for (auto* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (int i = 0; i < bar->count(); ++i)
            if (bar->tabText(i) == panel->windowTitle()) return bar;
    return nullptr;
}

/// The number of errors and warnings stands on the tab of the log.
void MainWindow::markLog()
{
    for (const QDockWidget* panel : m_panels) {
        QTabBar* bar = tabsOf(panel);
        if (!bar) continue;
        bar->setElideMode(Qt::ElideNone);
        bar->setUsesScrollButtons(true);
        for (int i = 0; i < bar->count(); ++i) {
            if (!panel->isAncestorOf(m_log) || bar->tabText(i) != panel->windowTitle()) continue;
            bar->setTabIcon(i, countIcon(m_errors + m_warnings, m_errors > 0));
            bar->setTabToolTip(i, tr("%1 errors, %2 warnings").arg(m_errors).arg(m_warnings));
        }
    }
}

void MainWindow::arrangePanels()
{
    QDockWidget *first = nullptr, *behind = nullptr;
    for (QDockWidget* panel : m_panels) {
        panel->setFloating(false);
        const bool right = isRight(panel);
        addDockWidget(right ? Qt::RightDockWidgetArea : Qt::LeftDockWidgetArea, panel);
        QDockWidget*& stack = right ? behind : first;
        if (stack)
            tabifyDockWidget(stack, panel);
        else
            stack = panel;
        panel->setVisible(!right);
    }
    first->raise();
}

/// Whether its usual place is at the right of the view, where it comes when it is asked for.
bool MainWindow::isRight(const QDockWidget* panel) const
{
    return panel->isAncestorOf(m_properties) || panel->isAncestorOf(m_measuring) || panel->isAncestorOf(m_plots);
}

void MainWindow::select(const QString& path) { m_graph->select(path.toStdString()); }

void MainWindow::makePanels()
{
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    m_graph = new GraphPanel;
    m_stats = new StatsPanel;
    m_log = new LogPanel;
    m_profiler = new ProfilerPanel;
    m_properties = new PropertiesPanel;
    m_measuring = new MeasurePanel(*m_viewer);
    m_plots = new PlotsPanel;
    auto* mouseTab = new MouseTab(*m_viewer);
    addPanel("panelDisplay", tr("Display"), scrolled(new DisplayTab(*m_viewer)));
    addPanel("panelGraph", tr("Graph"), scrolled(m_graph));
    addPanel("panelStats", tr("Stats"), scrolled(m_stats));
    addPanel("panelMouse", tr("Mouse"), scrolled(mouseTab));
    addPanel("panelLog", tr("Log"), scrolled(m_log));
    addPanel("panelProfiler", tr("Profiler"), scrolled(m_profiler));
    addPanel("panelProperties", tr("Properties"), m_properties);
    addPanel("panelMeasure", tr("Measure"), m_measuring);
    addPanel("panelPlots", tr("Plots"), scrolled(m_plots));
    arrangePanels();

    connect(mouseTab, &MouseTab::sizeWanted, this, &MainWindow::resizeView);
    const auto say = [this](const QString& text) { statusBar()->showMessage(text, 8000); };
    m_graph->onMessage = say;
    m_stats->onMessage = say;
    m_stats->onFolder = [this](const QString& chosen) { setFolder(chosen, Folder::Exports); };
    m_profiler->onMessage = say;
    m_graph->load = [load = m_session.loader()](const std::string& file) { return load(file, false); };
    m_graph->onSelection = [this](const std::string& path) {
        m_viewer->setSelection(QString::fromStdString(path));
        m_properties->setPath(path);
    };
    m_graph->onProperties = [this](const std::string& path) {
        m_graph->select(path);
        m_properties->setPath(path);
        showPanel(m_properties);
    };
    m_properties->onFollow = [this](const std::string& path) { m_graph->select(path); };
    m_log->onComponent = [this](const std::string& path) {
        showPanel(m_graph);
        if (!m_graph->select(path)) statusBar()->showMessage(tr("%1 is not in the scene").arg(path.c_str()), 5000);
    };
    m_log->onCount = [this](std::size_t errors, std::size_t warnings) {
        m_errors = errors;
        m_warnings = warnings;
        markLog();
    };
    m_graph->onEdited = [this](const std::string& path, const std::string& name) {
        noteEdited(QString::fromStdString(path + '.' + name));
    };
    connectGraph();
    const std::initializer_list<Panel*> panels{m_graph, m_stats, m_log, m_profiler, m_properties, m_measuring, m_plots};
    for (Panel* panel : panels) {
        connect(&m_session, &Session::opened, panel, [this, panel] { panel->setSimulation(m_session.thread()); });
        connect(&m_session, &Session::closed, panel, [panel] { panel->setSimulation(nullptr); });
    }
}

void MainWindow::connectGraph()
{
    m_properties->onEdited = m_graph->onEdited;
    m_plots->onMessage = m_graph->onMessage;
    m_graph->onPlot = [this](const std::string& path, const std::string& name) {
        m_plots->add(path, name);
        showPanel(m_plots);
    };
    m_properties->onPlot = m_graph->onPlot;
    m_graph->onHidden = [this](const std::string& path, bool hidden) {
        if (path.empty())
            m_viewer->showHidden();
        else
            m_viewer->setHidden(QString::fromStdString(path), hidden);
    };
    m_graph->isHidden = [this](const std::string& path) {
        return path.empty() ? m_viewer->hasHidden() : m_viewer->isHidden(QString::fromStdString(path));
    };
    m_graph->onLookAt = [this](const std::string& path) {
        m_graph->select(path);
        m_viewer->fitSelection();
    };
    m_graph->onRemoved = [this](const std::string& path) {
        m_notification->tell(
            tr("%1 was removed. It goes out of the file when the scene is saved.").arg(QString::fromStdString(path)),
            {}, {{tr("&Undo"), [this] {
                      m_notification->hide();
                      m_graph->undo();
                  }}});
    };
}

// --- Layout ---------------------------------------------------------------------------------------------------------

void MainWindow::restoreLayout()
{
    const QSettings settings;
    preferenceChanged(Preferences::recordings.key);
    resetLayout();
    restoreGeometry(settings.value("geometry").toByteArray());
    m_usualLayout = !restoreState(settings.value("state").toByteArray(), layoutVersion);
    const int front = settings.value("tab", -1).toInt();
    if (front >= 0 && front < m_panels.size() && !m_panels[front]->isHidden()) m_panels[front]->raise();
}

int MainWindow::usualPanelWidth() const
{
    // Sizes follow the letters, so that high resolutions are used.
    int tabs = fontMetrics().height();  // the icon of the log
    for (const QDockWidget* panel : m_panels)
        if (!isRight(panel)) tabs += fontMetrics().horizontalAdvance(panel->windowTitle() + "mmm");
    return std::max(fontMetrics().averageCharWidth() * 56, tabs);
}

void MainWindow::resetLayout()
{
    if (isMaximized() || isFullScreen()) showNormal();
    m_hiddenPanels.clear();
    m_panel->setChecked(true);
    const QSize room = screen() ? screen()->availableSize() : QSize(1280, 720);
    const int panel = usualPanelWidth();
    const int most = room.width() <= 1400 ? 100 : 90;  // of a small screen, everything [%]
    const auto part = [most](int whole, int wanted) {
        return std::clamp(wanted, whole * 60 / 100, whole * most / 100);  // nor a stamp on a large one
    };
    resize(part(room.width(), panel * 4), part(room.height(), panel * 5 / 2));
    arrangePanels();
    resizeDocks({m_panels.front()}, {panel}, Qt::Horizontal);
}

void MainWindow::showEvent(QShowEvent* e)
{
    QMainWindow::showEvent(e);
    // Widths of panels hold once they have been laid out.
    if (std::exchange(m_usualLayout, false)) resizeDocks({m_panels.front()}, {usualPanelWidth()}, Qt::Horizontal);
}

void MainWindow::resizeView(int width, int height)
{
    if (isMaximized() || isFullScreen()) showNormal();
    // The panels keep their size.
    resize(size() + QSize(width, height) - m_viewer->size());
}

void MainWindow::closeEvent(QCloseEvent* e)
{
    QSettings settings;
    settings.setValue("geometry", saveGeometry());
    settings.setValue("state", arePanelsShown() ? saveState(layoutVersion) : m_hiddenPanels);
    settings.remove("tab");
    for (int i = 0; i < m_panels.size(); ++i)
        if (m_panels[i]->isVisible() && !m_panels[i]->visibleRegion().isEmpty() && !settings.contains("tab"))
            settings.setValue("tab", i);
    m_session.close();
    QMainWindow::closeEvent(e);
}

bool MainWindow::event(QEvent* e)
{
    // The border between panels and view, pushed to the side of the window, hides the panels.
    if (e->type() == QEvent::MouseButtonPress) {
        const QPoint at = static_cast<QMouseEvent*>(e)->pos();
        m_bordering = !childAt(at) && at.x() < centralWidget()->x() && at.y() > centralWidget()->y();
    }
    const bool done = QMainWindow::event(e);
    if (e->type() == QEvent::MouseButtonRelease && std::exchange(m_bordering, false) &&
        static_cast<QMouseEvent*>(e)->pos().x() < 40)
        setPanelsShown(false);
    return done;
}

}  // namespace sofa::qt
