// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QMainWindow>

#include "applications/qt/Session.h"
#include "core/scene/SceneDocument.h"

class QAction;
class QDockWidget;
class QMenu;
class QTabBar;

namespace sofa::qt {

class ControlBar;
class GraphPanel;
class LogPanel;
class Notification;
class PlayerBar;
class ProfilerPanel;
class MeasurePanel;
class PlotsPanel;
class PropertiesPanel;
class StatsPanel;
class TimeLine;
class VideoExport;
class StatusFigures;
class Viewer;

/// runSofa's window: the view in the middle, the basic controls above, the player and recorder below, and panels around
/// it, which can be moved, stacked, torn off and hidden. Its layout is remembered (QSettings).
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const SceneLoad& load, QWidget* parent = nullptr);
    ~MainWindow() override;

    Session& session() { return m_session; }
    Viewer& viewer() { return *m_viewer; }
    PlayerBar& player() { return *m_player; }
    Notification& notification() { return *m_notification; }
    /// The panels, in the order of their keys (Alt+1, ...).
    const QList<QDockWidget*>& panels() const { return m_panels; }
    /// The tabs of the panels that are stacked with one; nullptr if it stands alone.
    QTabBar* tabsOf(const QDockWidget* panel) const;
    /// Brings the panel that holds a widget to the front.
    void showPanel(const QWidget* widget);
    /// Hides all panels that are docked, or brings them back.
    void setPanelsShown(bool on);
    bool arePanelsShown() const;
    GraphPanel& graph() { return *m_graph; }
    StatsPanel& stats() { return *m_stats; }
    LogPanel& log() { return *m_log; }
    ProfilerPanel& profiler() { return *m_profiler; }
    PropertiesPanel& properties() { return *m_properties; }
    MeasurePanel& measuring() { return *m_measuring; }
    PlotsPanel& plots() { return *m_plots; }
    TimeLine& timeLine() { return *m_timeLine; }
    VideoExport& video() { return *m_video; }

    /// Opens a scene, a mesh or a recording. Problems are shown, and "Open anyway" is offered, which is `lenient`
    /// (LoadOptions::lenient); false then, and what was open stays.
    bool open(const QString& path, bool lenient = false);
    /// Says that a file could not be opened, and why; reload() tries it again where nothing else is open. "Open anyway"
    /// makes sense for scenes with problems only.
    void notOpened(const QString& path, const QString& problems, bool offerLenient);
    /// Loads the scene's file again; the view stays.
    bool reload();
    /// Writes the scene to its file: what was edited. Asks if another program has changed it meanwhile.
    bool save();
    /// Writes the scene, and its state beside it (saveSceneAndState).
    bool saveAs(const QString& path);
    /// Writes the view to a file; without one, to the next free NAME_0001.png in the folder of images. Returns the
    /// file; empty if it failed.
    QString screenshot(QString file = {});
    void saveView();
    void resetLayout();
    /// Makes the window as large as is needed for a view of this size [pixel].
    void resizeView(int width, int height);
    /// Scenes that say how large they want the view do not get it before another one is opened (--size).
    void keepSize() { m_keepSize = true; }
    /// The animation starts when the scene has been seen as it is now.
    void startWhenShown();
    /// The animation stops after this many steps.
    void stopAfter(std::size_t steps);

    /// What a folder holds that the user chooses.
    enum class Folder
    {
        Recordings,  ///< and images
        Exports,     ///< states and files for gnuplot
        Videos
    };
    /// The folder that was chosen; else that of the scene, or the present one if nothing can be written there.
    QString folder(Folder which = Folder::Recordings) const;
    /// Empty: that of the scene.
    void setFolder(const QString& folder, Folder which = Folder::Recordings);

protected:
    void closeEvent(QCloseEvent* e) override;
    void dragEnterEvent(QDragEnterEvent* e) override;
    void dropEvent(QDropEvent* e) override;
    void keyPressEvent(QKeyEvent* e) override;
    void showEvent(QShowEvent* e) override;
    bool event(QEvent* e) override;
    bool eventFilter(QObject* object, QEvent* e) override;

private:
    using SceneSave = std::function<void(Simulation&, const std::string& file, const SaveOptions&)>;
    bool write(const QString& path, const SceneSave& how, bool overwrite = false);
    void chooseAndSave();
    void makeActions();
    void makeToolBar();
    void makeMenus();
    void makeCameraMenu(QMenu& menu);
    void addColorsMenu(QMenu& menu);
    void addMoments(QMenu& menu);
    void addVideo(QMenu& menu);
    void makeBody();
    void makePanels();
    QDockWidget* addPanel(const char* name, const QString& title, QWidget* widget);
    QAction* panelAction(QDockWidget* panel);
    void arrangePanels();
    bool isRight(const QDockWidget* panel) const;
    int usualPanelWidth() const;
    void connectGraph();
    void markLog();
    void select(const QString& path);
    void sceneOpened();
    void refresh();
    void setAnimating(bool on);
    void resetScene();
    void noteEdited(const QString& value);
    void setRecordLimit(int megabytes);
    void restoreLayout();
    void chooseAndOpen();
    void openPreferences();
    void preferenceChanged(const QString& key);
    void chooseFolder(Folder which, const QString& title);

    Session m_session;
    Viewer* m_viewer = nullptr;
    PlayerBar* m_player = nullptr;
    TimeLine* m_timeLine = nullptr;
    VideoExport* m_video = nullptr;
    Notification* m_notification = nullptr;
    QList<QDockWidget*> m_panels;
    QByteArray m_hiddenPanels;   ///< the layout with those that setPanelsShown() has hidden
    bool m_usualLayout = false;  ///< none was restored
    bool m_bordering = false;    ///< the border of the panels is being dragged
    std::size_t m_errors = 0, m_warnings = 0;
    GraphPanel* m_graph = nullptr;
    StatsPanel* m_stats = nullptr;
    LogPanel* m_log = nullptr;
    ProfilerPanel* m_profiler = nullptr;
    PropertiesPanel* m_properties = nullptr;
    MeasurePanel* m_measuring = nullptr;
    PlotsPanel* m_plots = nullptr;
    QAction *m_animate, *m_step, *m_resetScene, *m_resetView, *m_saveView, *m_screenshot, *m_open, *m_reload, *m_save,
        *m_saveAs, *m_fit, *m_fitAll, *m_panel, *m_fullScreen;
    ControlBar* m_controls = nullptr;
    std::unique_ptr<StatusFigures> m_figures;
    bool m_keepSize = false;
    QStringList m_edited;  ///< values of the scene that were edited here
};

}  // namespace sofa::qt
