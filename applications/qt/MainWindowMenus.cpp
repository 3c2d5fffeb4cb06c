// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The commands of the window, and its menus.
#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QProcess>
#include <QSettings>

#include "applications/qt/HelpMenu.h"
#include "applications/qt/Icons.h"
#include "applications/qt/MainWindow.h"
#include "applications/qt/MouseTab.h"
#include "applications/qt/Notification.h"
#include "applications/qt/PlayerBar.h"
#include "applications/qt/RecentMenu.h"
#include "applications/qt/Viewer.h"
#include "core/Installation.h"
#include "core/Version.h"

namespace sofa::qt {

namespace {

/// Sizes at which recordings end [MB]; 0: never.
constexpr int recordLimits[] = {100, 1000, 10'000, 0};
constexpr int usualRecordLimit = 1000;

/// Starts the Modeler with the file of the scene, or with that which could not be opened. Returns why not.
QString openInModeler(const Session& session)
{
    const QString path = QFileInfo(session.path()).isFile() ? session.path() : session.failedPath();
    if (!QFileInfo(path).isFile()) return MainWindow::tr("There is no file of a scene to edit.");
    const QString program = QString::fromStdString((core::installationDirectory() / "bin" / "modeler").string());
    if (QProcess::startDetached(program, {path})) return {};
    return MainWindow::tr("The Modeler cannot be started: '%1'").arg(program);
}

}  // namespace

void MainWindow::makeActions()
{
    const auto action = [this](const char* name, Icon which, const QString& text, const QKeySequence& keys,
                               const QString& help, auto&& act) {
        auto* a = new QAction(icon(which), text, this);
        a->setObjectName(name);
        a->setShortcut(keys);
        a->setToolTip(keys.isEmpty() ? help : help + " (" + keys.toString(QKeySequence::NativeText) + ')');
        a->setStatusTip(help);
        connect(a, &QAction::triggered, this, act);
        addAction(a);
        return a;
    };
    m_animate = action("animate", Icon::Animate, tr("&Animate"), Qt::Key_Space,
                       tr("Run the simulation until it is pressed again"), [this](bool on) { setAnimating(on); });
    m_animate->setCheckable(true);
    m_step = action("step", Icon::Step, tr("S&tep"), Qt::Key_N, tr("One step of the simulation"), [this] {
        if (m_session.isOpen()) m_session.thread()->step();
    });
    m_resetScene = action("resetScene", Icon::ResetScene, tr("&Reset Scene"), QKeySequence("Ctrl+Backspace"),
                          tr("Back to the beginning; values that were edited stay. Reload forgets them"),
                          [this] { resetScene(); });
    m_resetView = action("resetView", Icon::ResetView, tr("Reset &View"), Qt::Key_Home,
                         tr("The camera back to its first place"), [this] { m_viewer->resetView(); });
    m_saveView = action("saveView", Icon::SaveView, tr("&Save View"), {},
                        tr("The scene begins with the present view from now on"), [this] { saveView(); });
    m_screenshot = action("screenshot", Icon::Screenshot, tr("S&creenshot"), QKeySequence("Ctrl+P"),
                          tr("Save an image of the view"), [this] { screenshot(); });
    m_open = action("open", Icon::Open, tr("&Open..."), QKeySequence::Open, tr("Open a scene, a mesh or a recording"),
                    [this] { chooseAndOpen(); });
    m_reload =
        action("reload", Icon::Reload, tr("Re&load"), QKeySequence("Ctrl+R"),
               tr("Load the file again: the scene as it is written there; the view stays"), [this] { reload(); });
    m_saveAs = action("saveAs", Icon::Save, tr("Save &As..."), QKeySequence("Ctrl+Shift+S"),
                      tr("Write the scene to another file, and its state beside it"), [this] { chooseAndSave(); });
    m_save = action("save", Icon::Save, tr("&Save"), QKeySequence("Ctrl+S"),
                    tr("Write what was edited to the file of the scene"), [this] { save(); });
    m_fit = action("fit", Icon::ResetView, tr("See Select&ion"), Qt::Key_F,
                   tr("Move until what is selected fills the view; the whole scene if nothing is"),
                   [this] { m_viewer->fitSelection(); });
    m_fitAll = action("fitAll", Icon::ResetView, tr("See &Whole Scene"), QKeySequence("Shift+F"),
                      tr("Move back until everything is seen"), [this] { m_viewer->fitView(); });
    // These keys mean something else in texts and on buttons: they are for the view, and for the window where nothing
    // else wants them (keyPressEvent).
    for (QAction* a : {m_animate, m_step, m_resetView, m_fit, m_fitAll}) a->setShortcutContext(Qt::WidgetShortcut);
}

void MainWindow::setRecordLimit(int megabytes)
{
    QSettings().setValue("recordLimit", megabytes);
    m_player->setLimit(static_cast<std::uint64_t>(megabytes) * 1'000'000);
}

void MainWindow::makeMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_open);
    auto* recent = new RecentMenu(tr("Open &Recent"), file);
    file->addMenu(recent);
    connect(recent, &RecentMenu::chosen, this, [this](const QString& path) { open(path); });
    file->addAction(m_reload);
    file->addAction(m_save);
    file->addAction(m_saveAs);
    file->addSeparator();
    file->addAction(m_screenshot);
    file->addAction(tr("Screenshot As..."), this, [this] {
        const QString name =
            QFileDialog::getSaveFileName(this, tr("Save image as"), folder(), tr("Images (*.png *.jpg *.bmp)"));
        if (!name.isEmpty()) screenshot(name);
    });
    addVideo(*file);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence(QKeySequence::Quit), this, &QWidget::close);

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    edit->addAction(tr("Folder of &Recordings and Images..."), this,
                    [this] { chooseFolder(Folder::Recordings, tr("Folder of recordings and images")); });
    edit->addAction(tr("Folder of &Exports (Gnuplot)..."), this,
                    [this] { chooseFolder(Folder::Exports, tr("Folder of exports")); });
    edit->addAction(tr("Use the Folder of the &Scene for Both"), this, [this] {
        setFolder({}, Folder::Recordings);
        setFolder({}, Folder::Exports);
    });

    edit->addSeparator();
    edit->addAction(tr("Open in the &Modeler"), QKeySequence("Ctrl+E"), this,
                    [this] {
                        const QString problem = openInModeler(m_session);
                        if (!problem.isEmpty()) m_notification->tell(problem);
                    })
        ->setObjectName("openInModeler");

    edit->addSeparator();
    QAction* every = edit->addAction(tr("Record E&very Step"), this, [this](bool on) {
        QSettings().setValue("recordEveryStep", on);
        m_player->setEveryStep(on);
    });
    every->setCheckable(true);
    every->setChecked(QSettings().value("recordEveryStep", false).toBool());
    m_player->setEveryStep(every->isChecked());
    QMenu* limits = edit->addMenu(tr("&Limit of Recordings"));
    auto* group = new QActionGroup(this);
    const int chosen = QSettings().value("recordLimit", usualRecordLimit).toInt();
    for (const int megabytes : recordLimits) {
        QAction* a = limits->addAction(megabytes == 0     ? tr("&None")
                                       : megabytes < 1000 ? tr("%1 MB").arg(megabytes)
                                                          : tr("%1 GB").arg(megabytes / 1000),
                                       this, [this, megabytes] { setRecordLimit(megabytes); });
        a->setCheckable(true);
        a->setChecked(megabytes == chosen);
        group->addAction(a);
    }
    setRecordLimit(chosen);
    edit->addSeparator();
    edit->addAction(tr("&Preferences..."), QKeySequence("Ctrl+,"), this, &MainWindow::openPreferences)
        ->setObjectName("preferences");

    QMenu* simulation = menuBar()->addMenu(tr("&Simulation"));
    for (QAction* a : {m_animate, m_step, m_resetScene, m_reload}) simulation->addAction(a);
    addMoments(*simulation);

    makeCameraMenu(*menuBar()->addMenu(tr("&Camera")));
    QMenu* windowMenu = menuBar()->addMenu(tr("&Window"));
    for (QDockWidget* panel : m_panels) windowMenu->addAction(panelAction(panel));
    windowMenu->addSeparator();
    m_panel = windowMenu->addAction(tr("All &Panels"), QKeySequence("F9"), this, &MainWindow::setPanelsShown);
    m_panel->setCheckable(true);
    m_panel->setChecked(true);
    addColorsMenu(*windowMenu);
    m_fullScreen = windowMenu->addAction(tr("&Full Screen"), QKeySequence("F11"), this,
                                         [this](bool on) { on ? showFullScreen() : showNormal(); });
    m_fullScreen->setCheckable(true);
    auto* resetLayoutAction = windowMenu->addAction(tr("Reset &Layout"), this, &MainWindow::resetLayout);
    resetLayoutAction->setObjectName("resetLayout");

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    const std::pair<QString, QString> pages[] = {{tr("&The Window"), "gui.md"},
                                                 {tr("&Components"), "components.md"},
                                                 {tr("&Scene Files"), "scene-format.md"},
                                                 {tr("&Results"), "results.md"}};
    for (const auto& each : pages) {
        const QString page = each.second;
        QAction* a = help->addAction(each.first, this, [this, page] {
            if (!showDocumentation(this, page))
                m_notification->tell(tr("The documentation (docs/%1) is not installed.").arg(page));
        });
        if (page == "gui.md") a->setShortcut(QKeySequence("Shift+F1"));
    }
    auto* examples = new ExamplesMenu(tr("&Examples"), help);
    help->addMenu(examples);
    connect(examples, &ExamplesMenu::chosen, this, [this](const QString& path) { open(path); });
    help->addSeparator();
    help->addAction(tr("&Mouse and Keys"), this, [this] { showPanel(findChild<MouseTab*>()); });
    help->addAction(tr("&About"), this, [this] {
        auto* box =
            new QMessageBox(QMessageBox::Information, tr("About runSofa"),
                            tr("runSofa %1\n%2\n\nDrawn with: %3")
                                .arg(QString::fromUtf8(core::version()),
                                     QString::fromStdString(core::buildDescription()), m_viewer->rendererText()),
                            QMessageBox::Close, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
}

}  // namespace sofa::qt
