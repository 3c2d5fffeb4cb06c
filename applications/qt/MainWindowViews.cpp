// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The menu of the camera, and the colours of the window.
#include <QAction>
#include <QActionGroup>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>
#include <QStatusBar>

#include "applications/qt/MainWindow.h"
#include "applications/qt/Notification.h"
#include "applications/qt/Preferences.h"
#include "applications/qt/Theme.h"
#include "applications/qt/TimeLine.h"
#include "applications/qt/VideoExport.h"
#include "applications/qt/Viewer.h"

namespace sofa::qt {

void MainWindow::makeCameraMenu(QMenu& menu)
{
    for (QAction* a : {m_resetView, m_fit, m_fitAll, m_saveView}) menu.addAction(a);
    menu.addSeparator();
    // Keys of the view: in texts they are letters (keyPressEvent).
    const auto add = [&](const char* name, const QString& text, const QKeySequence& key, const QString& help,
                         auto&& act) {
        QAction* a = menu.addAction(text, this, act);
        a->setObjectName(name);
        a->setShortcut(key);
        a->setShortcutContext(Qt::WidgetShortcut);
        a->setStatusTip(help);
        m_viewer->addAction(a);
        return a;
    };
    struct Side
    {
        const char* name;
        QString text;
        Qt::Key key;
        Vec3 from;
    };
    const Side sides[] = {{"viewFront", tr("&Front"), Qt::Key_1, {0., 0., 1.}},
                          {"viewBack", tr("&Back"), Qt::Key_2, {0., 0., -1.}},
                          {"viewLeft", tr("&Left"), Qt::Key_3, {-1., 0., 0.}},
                          {"viewRight", tr("&Right"), Qt::Key_4, {1., 0., 0.}},
                          {"viewTop", tr("&Top"), Qt::Key_5, {0., 1., 0.}},
                          {"viewBottom", tr("Botto&m"), Qt::Key_6, {0., -1., 0.}},
                          {"viewCorner", tr("Slantin&g"), Qt::Key_7, {1., 1., 1.}}};
    for (const Side& side : sides)
        add(side.name, side.text, side.key, tr("Look at the scene from there; up is against gravity"),
            [this, from = side.from] { m_viewer->lookFrom(from); });
    menu.addSeparator();
    add("hide", tr("&Hide the Selection"), Qt::Key_H, tr("What is selected in the graph or the view is not drawn"),
        [this] {
            if (!m_viewer->selection().isEmpty()) m_viewer->setHidden(m_viewer->selection(), true);
        });
    add("showHidden", tr("Show All That Is Hi&dden"), QKeySequence("Shift+H"), tr("Draws what was hidden"),
        [this] { m_viewer->showHidden(); });
    menu.addSeparator();
    QAction* parallel =
        add("orthographic", tr("&Orthographic"), Qt::Key_O, tr("What is farther away is as large as what is near"),
            [this](bool on) { m_viewer->setOrthographic(on); });
    parallel->setCheckable(true);
    connect(m_viewer, &Viewer::cameraChanged, parallel,
            [this, parallel] { parallel->setChecked(m_viewer->camera().orthographic); });
    add("pivot", tr("Turn &Around the Place Under the Mouse"), Qt::Key_C,
        tr("The camera turns around this place from now on, as after a double click on it"),
        [this] { m_viewer->setPivotAt(m_viewer->mouse()); });
    QAction* cube =
        add("viewCube", tr("View &Cube"), QKeySequence("Shift+C"),
            tr("The cube in the upper right corner, which is clicked to look from a side"), [this](bool on) {
                QSettings().setValue("viewCube", on);
                m_viewer->setViewCube(on);
            });
    cube->setCheckable(true);
    cube->setChecked(QSettings().value("viewCube", true).toBool());
    m_viewer->setViewCube(cube->isChecked());
}

void MainWindow::addMoments(QMenu& menu)
{
    menu.addSeparator();
    menu.addAction(tr("&Keep This Moment"), QKeySequence("Ctrl+K"), m_timeLine, &TimeLine::keep)
        ->setStatusTip(tr("The scene can go back to it, by the time line below the view"));
    menu.addAction(tr("&Back to a Kept Moment"), QKeySequence("Alt+Left"), m_timeLine, &TimeLine::goBack)
        ->setStatusTip(tr("To the last one before the present"));
    menu.addAction(tr("F&orward to a Kept Moment"), QKeySequence("Alt+Right"), m_timeLine, &TimeLine::goForward)
        ->setStatusTip(tr("To the first one after the present"));
    QAction* automatic = menu.addAction(tr("Keep &Moments by Themselves"), this, [this](bool on) {
        QSettings().setValue("keepMoments", on);
        m_timeLine->setAutomatic(on);
    });
    automatic->setCheckable(true);
    automatic->setChecked(QSettings().value("keepMoments", true).toBool());
    m_timeLine->setAutomatic(automatic->isChecked());
    connect(m_timeLine, &TimeLine::problem, this, [this](const QString& text) { m_notification->tell(text); });
    connect(m_timeLine, &TimeLine::wentTo, this,
            [this](double time) { statusBar()->showMessage(tr("Back at %1 s").arg(time, 0, 'f', 3), 5000); });
}

void MainWindow::addVideo(QMenu& menu)
{
    QAction* video = menu.addAction(tr("&Make a Video..."), QKeySequence("Ctrl+Shift+P"), this, [this] {
        if (m_video->isOn()) {
            m_video->stop();
            return;
        }
        const QString name =
            QDir(folder(Folder::Videos)).filePath(QFileInfo(m_session.path()).completeBaseName() + ".mp4");
        const QString file =
            QFileDialog::getSaveFileName(this, tr("Make a video"), name, tr("Videos (*.mp4 *.mkv *.webm *.avi)"));
        if (!file.isEmpty()) m_video->start(file);
    });
    video->setStatusTip(tr("What the view shows from now on, as fast as the time of the scene; once more ends it"));
    connect(m_video, &VideoExport::changed, video, [this, video](bool on) {
        video->setText(on ? tr("End the &Video") : tr("&Make a Video..."));
        if (on) statusBar()->showMessage(tr("A video is made of what the view shows; Ctrl+Shift+P ends it"));
    });
    connect(m_video, &VideoExport::written, this,
            [this](const QString& file) { statusBar()->showMessage(tr("Written: %1").arg(file), 8000); });
    connect(m_video, &VideoExport::problem, this, [this](const QString& text) { m_notification->tell(text); });
}

void MainWindow::addColorsMenu(QMenu& menu)
{
    QMenu* colors = menu.addMenu(tr("&Colours"));
    auto* group = new QActionGroup(this);
    const std::pair<Theme, QString> all[] = {
        {Theme::System, tr("As the &Desktop")}, {Theme::Light, tr("&Light")}, {Theme::Dark, tr("D&ark")}};
    for (const auto& each : all) {
        const int theme = static_cast<int>(each.first);
        QAction* a = colors->addAction(each.second, this, [theme] { Preferences::set(Preferences::theme, theme); });
        a->setCheckable(true);
        group->addAction(a);
        const auto follow = [a, theme] { a->setChecked(theme == Preferences::value(Preferences::theme).toInt()); };
        connect(&Preferences::instance(), &Preferences::changed, a, follow);
        follow();
    }
}

}  // namespace sofa::qt
