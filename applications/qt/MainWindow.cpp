// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/MainWindow.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QTimer>
#include <utility>

#include "applications/qt/ControlBar.h"
#include "applications/qt/Notification.h"
#include "applications/qt/PlayerBar.h"
#include "applications/qt/PreferencesDialog.h"
#include "applications/qt/RecentMenu.h"
#include "applications/qt/StatusFigures.h"
#include "applications/qt/TimeLine.h"
#include "applications/qt/TrustedPlugins.h"
#include "applications/qt/VideoExport.h"
#include "applications/qt/Viewer.h"
#include "applications/qt/panels/GraphPanel.h"
#include "applications/qt/panels/LogPanel.h"
#include "applications/qt/panels/ProfilerPanel.h"
#include "applications/qt/panels/StatsPanel.h"
#include "core/Trust.h"
#include "core/scene/SceneWriter.h"
#include "core/simulation/Checkpoint.h"

namespace sofa::qt {

namespace {

const Preference& preferenceOf(MainWindow::Folder which)
{
    switch (which) {
        case MainWindow::Folder::Exports:
            return Preferences::exports;
        case MainWindow::Folder::Videos:
            return Preferences::videos;
        default:
            return Preferences::recordings;
    }
}

}  // namespace

MainWindow::MainWindow(const SceneLoad& load, QWidget* parent) : QMainWindow(parent), m_session(load)
{
    setObjectName("mainWindow");
    setWindowTitle(QStringLiteral("runSofa"));
    setAcceptDrops(true);
    makeActions();
    makeBody();
    makeToolBar();
    makeMenus();
    m_figures = std::make_unique<StatusFigures>(*statusBar(), m_session, *m_viewer, *m_notification);
    statusBar()->setSizeGripEnabled(true);

    connect(&m_session, &Session::opened, this, &MainWindow::sceneOpened);
    connect(m_viewer, &Viewer::frameShown, this, &MainWindow::refresh);
    connect(&m_session, &Session::frameReady, this, &MainWindow::refresh);
    connect(&m_session, &Session::failed, this, [this](const QString& reason) {
        m_notification->tell(tr("The simulation stopped."), reason, {{tr("&Reset scene"), [this] { resetScene(); }}});
        refresh();
    });
    connect(&m_session, &Session::fileChanged, this, [this](const QString& path) {
        const bool here = m_session.isOpen() && path == m_session.path();
        m_notification->tell(
            tr("%1 changed on disk.").arg(QFileInfo(path).fileName()), {},
            {{here ? tr("&Reload") : tr("&Open"), [this, here, path] { here ? reload() : open(path); }}});
    });
    connect(&m_session, &Session::opening, m_log, &LogPanel::beginScene);
    connect(&m_session, &Session::opened, m_log, &LogPanel::keepScene);
    connect(m_viewer, &Viewer::windowWanted, this, [this](const ViewerDescription& wanted) {
        if (std::exchange(m_keepSize, false)) return;
        if (wanted.size) resizeView((*wanted.size)[0], (*wanted.size)[1]);
        if (!wanted.fullScreen || *wanted.fullScreen == isFullScreen()) return;
        m_fullScreen->setChecked(*wanted.fullScreen);
        *wanted.fullScreen ? showFullScreen() : showNormal();
    });
    connect(m_viewer, &Viewer::interactionRefused, this,
            [this](const QString& reason) { statusBar()->showMessage(reason, 5000); });
    connect(m_player, &PlayerBar::problem, this, [this](const QString& text) { m_notification->tell(text); });
    connect(m_player, &PlayerBar::recorded, this,
            [this](const QString& file) { statusBar()->showMessage(tr("Recorded %1").arg(file), 8000); });
    // A click on a button or in a list leaves the keys to the view.
    for (auto* button : findChildren<QAbstractButton*>()) button->setFocusPolicy(Qt::TabFocus);
    for (const QDockWidget* panel : m_panels)
        for (auto* list : panel->findChildren<QAbstractItemView*>()) list->installEventFilter(this);
    for (const auto* number : findChildren<QAbstractSpinBox*>())
        connect(number->findChild<QLineEdit*>(), &QLineEdit::returnPressed, m_viewer, [this] { m_viewer->setFocus(); });
    connect(&Preferences::instance(), &Preferences::changed, this, &MainWindow::preferenceChanged);
    auto* rates = new QTimer(this);
    connect(rates, &QTimer::timeout, this, [this] { m_figures->refreshRates(); });
    rates->start(500);

    restoreLayout();
    refresh();
    m_figures->refreshRates();
}

MainWindow::~MainWindow()
{
    // Everything that listens to the session goes before it does.
    m_session.close();
    for (QDockWidget* panel : m_panels) delete panel;
    delete m_video;
    delete m_timeLine;
    delete m_player;
    delete m_viewer;
}

void MainWindow::makeToolBar()
{
    m_controls = new ControlBar({m_animate, m_step, m_resetScene}, {m_resetView, m_saveView, m_screenshot});
    addToolBar(m_controls);
    connect(m_controls, &ControlBar::dtChosen, this, [this](double dt) {
        if (!m_session.isOpen()) return;
        m_session.thread()->setDt(dt);
        noteEdited(tr("time step"));
    });
    connect(m_controls, &ControlBar::speedChosen, this, [this](double speed) {
        if (m_session.isOpen()) m_session.thread()->setSpeed(speed);
        m_player->setSpeed(speed);
    });
    connect(m_controls, &ControlBar::endTimeChosen, this, [this](double time) {
        if (m_session.isOpen()) m_session.thread()->setEndTime(time);
    });
}

// --- Scenes ---------------------------------------------------------------------------------------------------------

bool MainWindow::open(const QString& path, bool lenient)
{
    QApplication::setOverrideCursor(Qt::WaitCursor);
    QString error;
    bool good = false;
    Trust::instance().takeRefused();  // of scenes before
    std::shared_ptr<const SimuRecording> recording;
    QString scene = path;
    try {
        if (QFileInfo(path).suffix().toLower() == "simu") {
            recording = std::make_shared<const SimuRecording>(path.toStdString());
            scene = QString::fromStdString(recording->scene());
        }
        good = m_session.open(scene, error, lenient);
    } catch (const std::exception& e) {
        error = e.what();
    }
    QApplication::restoreOverrideCursor();
    if (!good) {
        notOpened(path, error, !lenient);
        return false;
    }
    m_notification->hide();
    RecentMenu::remember(QFileInfo(path).absoluteFilePath());
    if (recording) {
        m_player->setPlayed(recording);
        m_player->show(0);
    }
    return true;
}

void MainWindow::notOpened(const QString& path, const QString& problems, bool offerLenient)
{
    m_session.setFailedPath(QFileInfo(path).absoluteFilePath());
    QList<Notification::Action> actions{{tr("&Try again"), [this, path] { open(path); }}};
    QStringList refused;
    for (const std::string& library : Trust::instance().takeRefused()) refused << QString::fromStdString(library);
    if (!refused.isEmpty())
        actions << Notification::Action{tr("&Trust..."), [this, path, refused] {
                                            if (TrustedPlugins::ask(refused, this)) open(path);
                                        }};
    else if (offerLenient)
        actions << Notification::Action{tr("&Open anyway"), [this, path] { open(path, true); }};
    m_notification->tell(tr("%1 was not opened.").arg(QFileInfo(path).fileName()), problems, actions);
    refresh();
}

bool MainWindow::reload()
{
    if (!m_session.isOpen()) return !m_session.failedPath().isEmpty() && open(QString(m_session.failedPath()));
    if (m_session.path().isEmpty()) return false;
    m_viewer->keepView(true);
    const bool animating = m_session.thread()->isAnimating();
    if (!open(QString(m_session.path()), m_session.isLenient())) {
        m_viewer->keepView(false);
        return false;
    }
    if (animating) m_session.thread()->setAnimating(true);
    return true;
}

void MainWindow::setAnimating(bool on)
{
    if (!m_session.isOpen()) return;
    const SimulationThread::Frame& f = m_viewer->frame();
    if (on && f.drawList && SimulationThread::reaches(f.time, m_controls->endTime(), f.dt))
        statusBar()->showMessage(tr("The scene is at its end, %1: choose a later one in Until, or reset the scene")
                                     .arg(m_controls->endText()),
                                 8000);
    m_session.thread()->setAnimating(on);
}

void MainWindow::noteEdited(const QString& value)
{
    if (!m_edited.contains(value)) m_edited << value;
}

void MainWindow::resetScene()
{
    if (!m_session.isOpen()) return;
    m_session.thread()->reset();
    if (m_edited.isEmpty() || m_session.path().isEmpty()) return;
    const bool few = m_edited.size() <= 3;
    m_notification->tell(tr("The scene is at its beginning. What was edited stays: %1. Reload takes the values of the "
                            "file.")
                             .arg(few ? m_edited.join(", ") : tr("%1 values").arg(m_edited.size())),
                         few ? QString() : m_edited.join('\n'), {{tr("&Reload"), [this] { reload(); }}});
}

void MainWindow::chooseAndSave()
{
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Save scene as"), m_session.path(), tr("Scenes (*.scn *.xml)"));
    if (!file.isEmpty()) saveAs(file);
}

bool MainWindow::save()
{
    if (!m_session.isOpen()) return false;
    const QString path = m_session.path();
    if (!path.endsWith(".scn") && !path.endsWith(".xml")) {
        chooseAndSave();
        return true;
    }
    return write(path, [](Simulation& s, const std::string& file, const SaveOptions& options) {
        saveScene(s.root(), file, options);
    });
}

bool MainWindow::saveAs(const QString& path) { return m_session.isOpen() && write(path, saveSceneAndState); }

bool MainWindow::write(const QString& path, const SceneSave& how, bool overwrite)
{
    try {
        m_session.thread()->call(
            [&](Simulation& s) { how(s, path.toStdString(), SaveOptions{.overwrite = overwrite}); });
        m_session.noteSaved(path);
        statusBar()->showMessage(tr("Saved %1").arg(path), 5000);
        return true;
    } catch (const FileChanged& e) {
        QMessageBox box(QMessageBox::Question, tr("Save scene"),
                        tr("%1 was changed by another program since the scene was opened.")
                            .arg(QFileInfo(QString::fromStdString(e.path())).fileName()),
                        QMessageBox::Cancel, this);
        const QPushButton* over = box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole);
        const QPushButton* elsewhere = box.addButton(tr("Save &As..."), QMessageBox::AcceptRole);
        box.exec();
        if (box.clickedButton() == over) return write(path, how, true);
        if (box.clickedButton() == elsewhere) chooseAndSave();
        return false;
    } catch (const std::exception& e) {
        m_notification->tell(tr("The scene was not saved: %1").arg(e.what()));
        return false;
    }
}

void MainWindow::sceneOpened()
{
    m_edited.clear();
    m_viewer->setFocus();
    const QString name = QFileInfo(m_session.path()).fileName();
    setWindowTitle(name.isEmpty() ? QStringLiteral("runSofa") : name + QStringLiteral(" - runSofa"));
    // What the scene says about the folder of exports holds for this scene.
    QString exports = folder(Folder::Exports);
    bool animate = false;
    m_session.thread()->call([&](Simulation& s) {
        animate = s.root().d_animate.value();
        for (const auto* c : s.root().getAll<Component>(Search::Down)) {
            const BaseData* path = c->className() == "SofaDefaultPathSetting" ? c->findData("gnuplotPath") : nullptr;
            if (path && !path->text().empty())
                exports = QFileInfo(m_session.path()).dir().absoluteFilePath(QString::fromStdString(path->text()));
        }
    });
    m_session.thread()->setSpeed(m_controls->speed());
    m_session.thread()->setEndTime(m_controls->endTime());
    if (screen()) m_session.thread()->setFrameRate(std::max(30., screen()->refreshRate()));
    m_stats->setFolder(exports);
    m_graph->setFavourites(favouritesOf(m_session.path()));
    refresh();
    if (animate) startWhenShown();
}

void MainWindow::chooseAndOpen()
{
    QStringList patterns, meshes;
    for (const QString& e : sceneExtensions()) patterns << "*." + e;
    for (const QString& e : meshExtensions()) meshes << "*." + e;
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open"), m_session.path(),
                                     tr("Scenes, meshes and recordings (%1)").arg((patterns + meshes).join(' ')) +
                                         ";;" + tr("Scenes and recordings (%1)").arg(patterns.join(' ')) + ";;" +
                                         tr("Meshes (%1)").arg(meshes.join(' ')) + ";;" + tr("All files (*)"));
    if (!file.isEmpty()) open(file);
}

// --- Images and views ---------------------------------------------------------------------------------------------

QString MainWindow::folder(Folder which) const
{
    QString chosen = Preferences::value(preferenceOf(which)).toString();
    if (chosen.isEmpty() && which == Folder::Videos) return folder(Folder::Recordings);
    if (chosen.isEmpty()) chosen = QFileInfo(m_session.path()).absolutePath();
    return QFileInfo(chosen).isWritable() ? chosen : QDir::currentPath();
}

void MainWindow::setFolder(const QString& chosen, Folder which) { Preferences::set(preferenceOf(which), chosen); }

void MainWindow::preferenceChanged(const QString& key)
{
    if (key == Preferences::recordings.key)
        m_player->setFolder(Preferences::value(Preferences::recordings).toString());
    else if (key == Preferences::exports.key && m_stats->folder() != Preferences::value(Preferences::exports))
        m_stats->setFolder(folder(Folder::Exports));  // it was not typed there
}

void MainWindow::openPreferences()
{
    auto* page = new PreferencesPage;
    const QString scene = tr("that of the scene");
    page->addFolder(Preferences::recordings, tr("&Recordings and images"), scene,
                    tr("Where recordings and images of the view are written"));
    page->addFolder(Preferences::exports, tr("&Exports"), scene,
                    tr("Where states and files for gnuplot are written; a scene may name another one"));
    page->addFolder(Preferences::videos, tr("V&ideos"), tr("that of recordings and images"),
                    tr("The folder that is offered for a video"));
    auto* dialog = new PreferencesDialog(this);
    dialog->addPage(tr("&Folders"), page);
    dialog->open();
}

void MainWindow::chooseFolder(Folder which, const QString& title)
{
    const QString chosen = QFileDialog::getExistingDirectory(this, title, folder(which));
    if (!chosen.isEmpty()) setFolder(chosen, which);
}

QString MainWindow::screenshot(QString file)
{
    const QImage image = m_viewer->image();
    if (file.isEmpty()) {
        QString base = QFileInfo(m_session.path()).completeBaseName();
        if (base.isEmpty()) base = "image";
        for (int i = 1; file.isEmpty() || QFileInfo::exists(file); ++i)
            file = QDir(folder()).filePath(QStringLiteral("%1_%2.png").arg(base).arg(i, 4, 10, QChar('0')));
    }
    if (!image.save(file)) {
        m_notification->tell(tr("The image '%1' cannot be written.").arg(file));
        return {};
    }
    statusBar()->showMessage(tr("Saved %1").arg(file), 6000);
    return file;
}

void MainWindow::saveView()
{
    try {
        m_viewer->saveView();
        statusBar()->showMessage(tr("Saved %1").arg(m_viewer->viewFile()), 5000);
    } catch (const std::exception& e) {
        m_notification->tell(tr("The view was not saved: %1").arg(e.what()));
    }
}

void MainWindow::startWhenShown()
{
    // Else the first view would be of whichever step the first frame happens to be of.
    const auto waiting = std::make_shared<QMetaObject::Connection>();
    *waiting = connect(m_viewer, &Viewer::frameShown, this, [this, waiting] {
        if (!m_viewer->frame().drawList) return;
        disconnect(*waiting);
        if (m_session.isOpen()) m_session.thread()->setAnimating(true);
    });
}

void MainWindow::stopAfter(std::size_t steps)
{
    if (!m_session.isOpen()) return;
    SimulationThread* thread = m_session.thread();
    const auto left = std::make_shared<std::size_t>(steps);
    thread->addListener([thread, left](Simulation&, SimulationThread::Change c) {
        if (c == SimulationThread::Change::Stepped && *left > 0 && --*left == 0) thread->setAnimating(false);
    });
}

// --- Figures --------------------------------------------------------------------------------------------------------

void MainWindow::refresh()
{
    const bool open = m_session.isOpen();
    for (QAction* a :
         {m_animate, m_step, m_resetScene, m_resetView, m_saveView, m_screenshot, m_save, m_saveAs, m_fit, m_fitAll})
        a->setEnabled(open);
    m_reload->setEnabled(open ? !m_session.path().isEmpty() : !m_session.failedPath().isEmpty());
    m_controls->setDtEnabled(open);
    m_animate->setChecked(open && m_session.thread()->isAnimating());
    if (const SimulationThread::Frame& f = m_viewer->frame(); f.drawList) m_controls->showDt(f.dt);
    m_figures->refreshMoment();
}

// --- Events ---------------------------------------------------------------------------------------------------------

void MainWindow::dragEnterEvent(QDragEnterEvent* e)
{
    for (const QUrl& url : e->mimeData()->urls())
        if (url.isLocalFile() && canOpen(url.toLocalFile())) e->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* e)
{
    for (const QUrl& url : e->mimeData()->urls()) {
        if (!url.isLocalFile() || !canOpen(url.toLocalFile())) continue;
        e->acceptProposedAction();
        const QString path = url.toLocalFile();
        // After the other program knows that the drop was taken.
        QTimer::singleShot(0, this, [this, path] { open(path); });
        return;
    }
}

void MainWindow::keyPressEvent(QKeyEvent* e)
{
    // Keys of the view that whatever has the focus does not want.
    const QKeySequence keys(e->keyCombination());
    for (QAction* a : m_viewer->actions())
        if (a->shortcut() == keys) {
            a->trigger();
            return;
        }
    if (e->key() >= Qt::Key_F1 && e->key() <= Qt::Key_F6)
        m_viewer->pressed(e);
    else
        QMainWindow::keyPressEvent(e);
}

bool MainWindow::eventFilter(QObject* object, QEvent* e)
{
    // Lists would look for lines that begin with the letter.
    if (e->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(e);
        for (const QAction* a : m_viewer->actions())
            if (a->shortcut() == QKeySequence(key->keyCombination())) {
                keyPressEvent(key);
                return true;
            }
    }
    return QMainWindow::eventFilter(object, e);
}

}  // namespace sofa::qt
