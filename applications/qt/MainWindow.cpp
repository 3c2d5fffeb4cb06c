// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/MainWindow.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <limits>
#include <utility>

#include "applications/qt/DisplayTab.h"
#include "applications/qt/Icons.h"
#include "applications/qt/MouseTab.h"
#include "applications/qt/Notification.h"
#include "applications/qt/PlayerBar.h"
#include "applications/qt/Viewer.h"
#include "applications/qt/Widgets.h"
#include "applications/qt/panels/GraphPanel.h"
#include "applications/qt/panels/LogPanel.h"
#include "applications/qt/panels/ProfilerPanel.h"
#include "applications/qt/panels/StatsPanel.h"
#include "core/Version.h"
#include "core/io/DataRepository.h"
#include "core/scene/SceneWriter.h"
#include "core/simulation/Checkpoint.h"

namespace sofa::qt {

namespace {

constexpr int recentLimit = 10;

/// Seconds of the scene in a second of the clock.
constexpr double speeds[] = {0.1, 0.2, 0.5, 1., 2., 5., 10., std::numeric_limits<double>::infinity()};

/// Sizes at which recordings end [MB]; 0: never.
constexpr int recordLimits[] = {100, 1000, 10'000, 0};
constexpr int usualRecordLimit = 1000;

/// A text that gives way when there is no room, and then shows its beginning.
class ElidedLabel final : public QLabel
{
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return {20, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter p(this);
        p.setPen(palette().color(foregroundRole()));
        p.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(text(), Qt::ElideRight, width()));
    }
};

/// Name of a setting.
QString keyOf(MainWindow::Folder which)
{
    return which == MainWindow::Folder::Recordings ? QStringLiteral("folder") : QStringLiteral("exportFolder");
}

/// The files that object.txt, in the scene's folder or the repository, names: one a line, '#' begins a comment.
QStringList favouritesOf(const QString& scene)
{
    const std::string folder = QFileInfo(scene).absolutePath().toStdString();
    const DataRepository& repository = DataRepository::instance();
    const auto list = repository.find("object.txt", folder);
    QFile file(QString::fromStdString(list.value_or("")));
    if (!list || !file.open(QIODevice::ReadOnly)) return {};
    const std::string beside = QFileInfo(file.fileName()).absolutePath().toStdString();
    QStringList found;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        const QString name = line.trimmed();
        if (name.isEmpty() || name.startsWith('#')) continue;
        if (const auto path = repository.find(name.toStdString(), beside)) found << QString::fromStdString(*path);
    }
    return found;
}

bool canOpen(const QString& path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    return sceneEndings().contains(ending) || meshEndings().contains(ending);
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

    m_moment = new QLabel;
    m_moment->setObjectName("moment");
    m_pace = new QLabel;
    m_pace->setObjectName("pace");
    m_pace->setToolTip(tr("Seconds of the scene in a second of the clock"));
    m_rates = new QLabel;
    m_rates->setObjectName("rates");
    m_rates->setToolTip(tr("Frames shown and steps done in a second, and the duration of a step"));
    statusBar()->addPermanentWidget(m_moment);
    statusBar()->addPermanentWidget(m_pace);
    statusBar()->addPermanentWidget(m_rates);
    statusBar()->setSizeGripEnabled(true);

    connect(&m_session, &Session::opened, this, &MainWindow::sceneOpened);
    connect(m_viewer, &Viewer::frameShown, this, &MainWindow::refresh);
    connect(&m_session, &Session::pictureReady, this, &MainWindow::refresh);
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
    connect(m_viewer, &Viewer::underCursorChanged, this, [this] {
        const QString text = m_viewer->underCursor().text();
        m_under->setText(text.isEmpty() ? tr("Nothing under the cursor") : text);
        m_under->setToolTip(text);
        if (!text.isEmpty()) m_copy->setProperty("copied", text);
        m_copy->setEnabled(!m_copy->property("copied").toString().isEmpty());
    });
    connect(m_player, &PlayerBar::problem, this, [this](const QString& text) { m_notification->tell(text); });
    connect(m_player, &PlayerBar::recorded, this,
            [this](const QString& file) { statusBar()->showMessage(tr("Recorded %1").arg(file), 8000); });
    // A click on a button or in a list leaves the keys to the view.
    for (auto* button : findChildren<QAbstractButton*>()) button->setFocusPolicy(Qt::TabFocus);
    for (auto* list : m_tabs->findChildren<QAbstractItemView*>()) list->installEventFilter(this);
    for (const auto* number : findChildren<QAbstractSpinBox*>())
        connect(number->findChild<QLineEdit*>(), &QLineEdit::returnPressed, m_viewer, [this] { m_viewer->setFocus(); });
    auto* rates = new QTimer(this);
    connect(rates, &QTimer::timeout, this, &MainWindow::refreshRates);
    rates->start(500);

    restoreLayout();
    refresh();
    refreshRates();
}

MainWindow::~MainWindow()
{
    // Everything that listens to the session goes before it does.
    m_session.close();
    delete m_tabs;
    delete m_player;
    delete m_viewer;
}

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
        action("reload", Icon::Reload, tr("&Reload"), QKeySequence("Ctrl+R"),
               tr("Load the file again: the scene as it is written there; the view stays"), [this] { reload(); });
    m_saveAs = action("saveAs", Icon::Save, tr("Save &As..."), QKeySequence("Ctrl+Shift+S"),
                      tr("Write the scene to another file, and its state beside it"), [this] { chooseAndSave(); });
    m_save = action("save", Icon::Save, tr("&Save"), QKeySequence("Ctrl+S"),
                    tr("Write what was edited to the file of the scene"), [this] { save(); });
    m_fit = action("fit", Icon::ResetView, tr("See &Whole Scene"), Qt::Key_F, tr("Move back until everything is seen"),
                   [this] { m_viewer->fitView(); });
    // These keys mean something else in texts and on buttons: they are for the view, and for the window where nothing
    // else wants them (keyPressEvent).
    for (QAction* a : {m_animate, m_step, m_resetView, m_fit}) a->setShortcutContext(Qt::WidgetShortcut);
}

void MainWindow::makeBody()
{
    m_viewer = new Viewer(m_session);
    for (QAction* a : {m_animate, m_step, m_resetView, m_fit}) {
        removeAction(a);
        m_viewer->addAction(a);
    }
    m_notification = new Notification;
    m_player = new PlayerBar(m_session);

    m_copy = new QToolButton;
    m_copy->setObjectName("copyUnderCursor");
    m_copy->setIcon(icon(Icon::Copy));
    m_copy->setAutoRaise(true);
    m_copy->setEnabled(false);
    m_copy->setFocusPolicy(Qt::TabFocus);
    m_copy->setToolTip(tr("Copy what was last under the cursor (Ctrl+Shift+C)"));
    m_copy->setAccessibleName(tr("Copy what is under the cursor"));
    m_copy->setShortcut(QKeySequence("Ctrl+Shift+C"));
    connect(m_copy, &QToolButton::clicked, this, [this] {
        const QString text = m_copy->property("copied").toString();
        QApplication::clipboard()->setText(text);
        statusBar()->showMessage(tr("Copied: %1").arg(text), 4000);
    });
    m_under = new ElidedLabel(tr("Nothing under the cursor"));
    m_under->setObjectName("underCursor");
    auto* under = new QHBoxLayout;
    under->setContentsMargins(6, 0, 6, 0);
    under->addWidget(m_copy);
    under->addWidget(m_under, 1);

    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_notification);
    column->addWidget(m_viewer, 1);
    column->addLayout(under);
    column->addWidget(m_player);

    makeTabs();
    m_splitter = new QSplitter(Qt::Horizontal);
    m_splitter->setObjectName("splitter");
    m_splitter->setHandleWidth(6);
    m_splitter->addWidget(m_tabs);
    m_splitter->addWidget(right);
    m_splitter->setCollapsible(0, true);
    m_splitter->setCollapsible(1, false);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    setCentralWidget(m_splitter);
}

int MainWindow::tabOf(const QWidget* panel) const
{
    for (int i = 0; i < m_tabs->count(); ++i)
        if (m_tabs->widget(i) == panel || m_tabs->widget(i)->isAncestorOf(panel)) return i;
    return -1;
}

void MainWindow::showPanel(const QWidget* panel)
{
    m_tabs->setCurrentIndex(tabOf(panel));
    if (m_splitter->sizes().front() == 0) m_splitter->setSizes({380, width()});
}

void MainWindow::makeTabs()
{
    m_tabs = new QTabWidget;
    m_tabs->setObjectName("tabs");
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone);
    m_graph = new GraphPanel;
    m_stats = new StatsPanel;
    m_log = new LogPanel;
    m_profiler = new ProfilerPanel;
    auto* mouseTab = new MouseTab(*m_viewer);
    m_tabs->addTab(scrolled(new DisplayTab(*m_viewer)), tr("Display"));
    m_tabs->addTab(scrolled(m_graph), tr("Graph"));
    m_tabs->addTab(scrolled(m_stats), tr("Stats"));
    m_tabs->addTab(scrolled(mouseTab), tr("Mouse"));
    m_tabs->addTab(scrolled(m_log), tr("Log"));
    m_tabs->addTab(scrolled(m_profiler), tr("Profiler"));

    connect(mouseTab, &MouseTab::sizeWanted, this, &MainWindow::resizeView);
    const auto say = [this](const QString& text) { statusBar()->showMessage(text, 8000); };
    m_graph->onMessage = say;
    m_stats->onMessage = say;
    m_stats->onFolder = [](const QString& chosen) { QSettings().setValue(keyOf(Folder::Exports), chosen); };
    m_profiler->onMessage = say;
    m_graph->load = [load = m_session.loader()](const std::string& file) { return load(file, false); };
    m_graph->onSelection = [this](const std::string& path) { m_viewer->setSelection(QString::fromStdString(path)); };
    m_log->onComponent = [this](const std::string& path) {
        showPanel(m_graph);
        if (!m_graph->select(path)) statusBar()->showMessage(tr("%1 is not in the scene").arg(path.c_str()), 5000);
    };
    m_log->onCount = [this](std::size_t errors, std::size_t warnings) {
        const int tab = tabOf(m_log);
        m_tabs->setTabIcon(tab, countIcon(errors + warnings, errors > 0));
        m_tabs->setTabToolTip(tab, tr("%1 errors, %2 warnings").arg(errors).arg(warnings));
    };
    m_log->onCount(0, 0);
    m_graph->onEdited = [this](const std::string& path, const std::string& name) {
        noteEdited(QString::fromStdString(path + '.' + name));
    };
    const std::initializer_list<Panel*> panels{m_graph, m_stats, m_log, m_profiler};
    for (Panel* panel : panels) {
        connect(&m_session, &Session::opened, panel, [this, panel] { panel->setSimulation(m_session.thread()); });
        connect(&m_session, &Session::closed, panel, [panel] { panel->setSimulation(nullptr); });
    }
}

void MainWindow::makeToolBar()
{
    auto* bar = addToolBar(tr("Controls"));
    bar->setObjectName("controls");
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize({20, 20});
    bar->setMovable(false);
    bar->addAction(m_animate);
    bar->addAction(m_step);
    bar->addAction(m_resetScene);
    bar->addSeparator();
    auto* label = new QLabel(tr(" &DT "));
    m_dt = new QDoubleSpinBox;
    m_dt->setObjectName("dt");
    m_dt->setDecimals(6);
    m_dt->setRange(1e-6, 1e3);
    m_dt->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_dt->setSuffix(tr(" s"));
    m_dt->setKeyboardTracking(false);
    m_dt->setToolTip(tr("Time step of the simulation"));
    m_dt->setAccessibleName(tr("Time step"));
    label->setBuddy(m_dt);
    connect(m_dt, &QDoubleSpinBox::valueChanged, this, [this](double dt) {
        if (!m_session.isOpen()) return;
        m_session.thread()->setDt(dt);
        noteEdited(tr("time step"));
    });
    bar->addWidget(label);
    bar->addWidget(m_dt);
    auto* speedLabel = new QLabel(tr("  S&peed "));
    m_speed = new QComboBox;
    m_speed->setObjectName("speed");
    for (const double s : speeds)
        m_speed->addItem(std::isinf(s) ? tr("fastest") : QStringLiteral("×%1").arg(QLocale().toString(s)), s);
    m_speed->setCurrentIndex(m_speed->findData(1.));
    m_speed->setFocusPolicy(Qt::TabFocus);
    m_speed->setToolTip(
        tr("Seconds of the scene in a second of the clock, of Animate and of recordings that are "
           "played; fastest: as fast as possible"));
    m_speed->setAccessibleName(tr("Speed"));
    speedLabel->setBuddy(m_speed);
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this] {
        if (m_session.isOpen()) m_session.thread()->setSpeed(speed());
        m_player->setSpeed(speed());
    });
    bar->addWidget(speedLabel);
    bar->addWidget(m_speed);
    auto* untilLabel = new QLabel(tr("  &Until "));
    m_until = new QDoubleSpinBox;
    m_until->setObjectName("until");
    m_until->setDecimals(3);
    m_until->setRange(0., 1e6);
    m_until->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_until->setSpecialValueText(tr("no end"));
    m_until->setSuffix(tr(" s"));
    m_until->setKeyboardTracking(false);
    m_until->setToolTip(tr("Time of the scene at which the animation stops; 0: no end"));
    m_until->setAccessibleName(tr("Animate until"));
    untilLabel->setBuddy(m_until);
    connect(m_until, &QDoubleSpinBox::valueChanged, this, [this] {
        if (m_session.isOpen()) m_session.thread()->setEndTime(endTime());
    });
    bar->addWidget(untilLabel);
    bar->addWidget(m_until);
    bar->addSeparator();
    bar->addAction(m_resetView);
    bar->addAction(m_saveView);
    bar->addAction(m_screenshot);
    for (QToolButton* b : bar->findChildren<QToolButton*>()) b->setFocusPolicy(Qt::TabFocus);
}

void MainWindow::makeMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_open);
    m_recent = file->addMenu(tr("Open &Recent"));
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    fillRecent();
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
    QAction* every = edit->addAction(tr("Record Every &Step"), this, [this](bool on) {
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

    QMenu* simulation = menuBar()->addMenu(tr("&Simulation"));
    for (QAction* a : {m_animate, m_step, m_resetScene, m_reload}) simulation->addAction(a);

    QMenu* camera = menuBar()->addMenu(tr("&Camera"));
    for (QAction* a : {m_resetView, m_fit, m_saveView}) camera->addAction(a);
    QMenu* windowMenu = menuBar()->addMenu(tr("&Window"));
    m_panel = windowMenu->addAction(tr("&Control Panel"), QKeySequence("F9"), this, [this](bool on) {
        m_splitter->setSizes(on ? QList<int>{std::max(360, m_tabs->sizeHint().width()), width()}
                                : QList<int>{0, width()});
    });
    m_panel->setCheckable(true);
    connect(windowMenu, &QMenu::aboutToShow, this, [this] { m_panel->setChecked(m_splitter->sizes().front() > 0); });
    m_fullScreen = windowMenu->addAction(tr("&Full Screen"), QKeySequence("F11"), this,
                                         [this](bool on) { on ? showFullScreen() : showNormal(); });
    m_fullScreen->setCheckable(true);
    auto* resetLayoutAction = windowMenu->addAction(tr("Reset &Layout"), this, &MainWindow::resetLayout);
    resetLayoutAction->setObjectName("resetLayout");

    QMenu* help = menuBar()->addMenu(tr("&Help"));
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

// --- Scenes ---------------------------------------------------------------------------------------------------------

bool MainWindow::open(const QString& path, bool lenient)
{
    QApplication::setOverrideCursor(Qt::WaitCursor);
    QString error;
    bool good = false;
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
    remember(QFileInfo(path).absoluteFilePath());
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
    if (offerLenient) actions << Notification::Action{tr("&Open anyway"), [this, path] { open(path, true); }};
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

void MainWindow::setRecordLimit(int megabytes)
{
    QSettings().setValue("recordLimit", megabytes);
    m_player->setLimit(static_cast<std::uint64_t>(megabytes) * 1'000'000);
}

void MainWindow::setAnimating(bool on)
{
    if (!m_session.isOpen()) return;
    const SimulationThread::Frame& f = m_viewer->frame();
    if (on && f.picture && SimulationThread::reaches(f.time, endTime(), f.dt))
        statusBar()->showMessage(
            tr("The scene is at its end, %1: choose a later one in Until, or reset the scene").arg(m_until->text()),
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

double MainWindow::speed() const { return m_speed->currentData().toDouble(); }

double MainWindow::endTime() const
{
    return m_until->value() > 0. ? m_until->value() : std::numeric_limits<double>::infinity();
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
    m_session.thread()->call([&](Simulation& s) {
        for (const auto* c : s.root().getAll<Component>(Search::Down)) {
            const BaseData* path = c->className() == "SofaDefaultPathSetting" ? c->findData("gnuplotPath") : nullptr;
            if (path && !path->text().empty())
                exports = QFileInfo(m_session.path()).dir().absoluteFilePath(QString::fromStdString(path->text()));
        }
    });
    m_session.thread()->setSpeed(speed());
    m_session.thread()->setEndTime(endTime());
    if (screen()) m_session.thread()->setPictureRate(std::max(30., screen()->refreshRate()));
    m_stats->setFolder(exports);
    m_graph->setFavourites(favouritesOf(m_session.path()));
    refresh();
}

void MainWindow::chooseAndOpen()
{
    QStringList patterns, meshes;
    for (const QString& e : sceneEndings()) patterns << "*." + e;
    for (const QString& e : meshEndings()) meshes << "*." + e;
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open"), m_session.path(),
                                     tr("Scenes, meshes and recordings (%1)").arg((patterns + meshes).join(' ')) +
                                         ";;" + tr("Scenes and recordings (%1)").arg(patterns.join(' ')) + ";;" +
                                         tr("Meshes (%1)").arg(meshes.join(' ')) + ";;" + tr("All files (*)"));
    if (!file.isEmpty()) open(file);
}

void MainWindow::remember(const QString& path)
{
    QSettings settings;
    QStringList recent = settings.value("recent").toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    settings.setValue("recent", QStringList(recent.mid(0, recentLimit)));
}

void MainWindow::fillRecent()
{
    m_recent->clear();
    int number = 0;
    for (const QString& path : QSettings().value("recent").toStringList()) {
        ++number;
        QAction* a =
            m_recent->addAction(QStringLiteral("&%1  %2").arg(number % 10).arg(QString(path).replace('&', "&&")), this,
                                [this, path] { open(path); });
        a->setEnabled(QFileInfo::exists(path));
    }
    if (number == 0) m_recent->addAction(tr("(none)"))->setEnabled(false);
    m_recent->addSeparator();
    m_recent->addAction(tr("&Clear"), this, [] { QSettings().remove("recent"); })->setEnabled(number > 0);
}

// --- Pictures and views ---------------------------------------------------------------------------------------------

QString MainWindow::folder(Folder which) const
{
    QString chosen = QSettings().value(keyOf(which)).toString();
    if (chosen.isEmpty()) chosen = QFileInfo(m_session.path()).absolutePath();
    return QFileInfo(chosen).isWritable() ? chosen : QDir::currentPath();
}

void MainWindow::setFolder(const QString& chosen, Folder which)
{
    QSettings().setValue(keyOf(which), chosen);
    if (which == Folder::Recordings)
        m_player->setFolder(chosen);
    else
        m_stats->setFolder(folder(which));
}

void MainWindow::chooseFolder(Folder which, const QString& title)
{
    const QString chosen = QFileDialog::getExistingDirectory(this, title, folder(which));
    if (!chosen.isEmpty()) setFolder(chosen, which);
}

QString MainWindow::screenshot(QString file)
{
    const QImage image = m_viewer->picture();
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

void MainWindow::resizeView(int width, int height)
{
    if (isMaximized() || isFullScreen()) showNormal();
    // The rest of the window keeps its size; the panel's part is found anew, as the window manager may refuse.
    const int panel = m_splitter->sizes().front();
    resize(size() + QSize(width, height) - m_viewer->size());
    m_splitter->setSizes({panel, m_splitter->width() - panel - m_splitter->handleWidth()});
}

void MainWindow::startWhenShown()
{
    // Else the first view would be of whichever step the first picture happens to be of.
    const auto waiting = std::make_shared<QMetaObject::Connection>();
    *waiting = connect(m_viewer, &Viewer::frameShown, this, [this, waiting] {
        if (!m_viewer->frame().picture) return;
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
    for (QAction* a : {m_animate, m_step, m_resetScene, m_resetView, m_saveView, m_screenshot, m_save, m_saveAs, m_fit})
        a->setEnabled(open);
    m_reload->setEnabled(open ? !m_session.path().isEmpty() : !m_session.failedPath().isEmpty());
    m_dt->setEnabled(open);
    m_animate->setChecked(open && m_session.thread()->isAnimating());
    const SimulationThread::Frame& f = m_viewer->frame();
    if (!f.picture) {
        m_moment->setText({});
        return;
    }
    if (!m_dt->hasFocus()) {
        const QSignalBlocker blocked(m_dt);
        m_dt->setValue(f.dt);
    }
    m_moment->setText(tr("Time %1 s   Step %2").arg(f.time, 0, 'f', 3).arg(f.step));
}

void MainWindow::refreshRates()
{
    const SimulationThread::Frame& f = m_viewer->frame();
    const SimulationThread::Work work = m_session.isOpen() ? m_session.thread()->work() : SimulationThread::Work();
    if (work.seconds > 2. && !work.phases.empty()) {
        m_rates->setText(tr("Step %1: %2 s so far").arg(f.step + 1).arg(work.seconds, 0, 'f', 0));
        m_pace->setText(QString::fromStdString(work.phases));
        if (!m_toldLongStep)
            m_notification->tell(tr("A step takes long. The line below says what it does."), {},
                                 {{tr("&Interrupt it"), [this] {
                                       if (m_session.isOpen()) m_session.thread()->interrupt();
                                   }}});
        m_toldLongStep = true;
        return;
    }
    if (m_toldLongStep && work.seconds < 2.) {
        m_toldLongStep = false;
        if (m_notification->text().startsWith(tr("A step takes long."))) m_notification->hide();
    }
    m_rates->setText(tr("%1 frames/s   %2 steps/s   %3 ms")
                         .arg(m_viewer->pictureRate(), 0, 'f', 0)
                         .arg(f.animating ? f.stepsPerSecond : 0., 0, 'f', 1)
                         .arg(f.stepSeconds * 1e3, 0, 'f', 2));
    QString pace;
    if (f.animating && f.speed > 0.)
        pace = QStringLiteral("×%1").arg(QLocale().toString(f.speed, 'f', f.speed < 10. ? 2 : 0));
    if (f.animating && f.slow) pace += tr(": steps take longer than their time");
    m_pace->setText(pace);
}

// --- Layout and events ----------------------------------------------------------------------------------------------

void MainWindow::restoreLayout()
{
    const QSettings settings;
    m_player->setFolder(settings.value("folder").toString());
    resetLayout();
    restoreGeometry(settings.value("geometry").toByteArray());
    restoreState(settings.value("state").toByteArray());
    m_splitter->restoreState(settings.value("splitter").toByteArray());
    m_tabs->setCurrentIndex(settings.value("tab", 0).toInt());
}

void MainWindow::resetLayout()
{
    if (isMaximized() || isFullScreen()) showNormal();
    const QSize room = screen() ? screen()->availableSize() : QSize(1280, 720);
    // Sizes follow the letters, so that high resolutions are used.
    const int panel = std::max(fontMetrics().averageCharWidth() * 56, m_tabs->tabBar()->sizeHint().width() + 16);
    const int most = room.width() <= 1400 ? 100 : 90;  // of a small screen, everything [%]
    const auto part = [most](int whole, int wanted) {
        return std::clamp(wanted, whole * 60 / 100, whole * most / 100);  // nor a stamp on a large one
    };
    resize(part(room.width(), panel * 4), part(room.height(), panel * 5 / 2));
    m_splitter->setSizes({panel, width() - panel});
    m_tabs->setCurrentIndex(0);
}

void MainWindow::closeEvent(QCloseEvent* e)
{
    QSettings settings;
    settings.setValue("geometry", saveGeometry());
    settings.setValue("state", saveState());
    settings.setValue("splitter", m_splitter->saveState());
    settings.setValue("tab", m_tabs->currentIndex());
    m_session.close();
    QMainWindow::closeEvent(e);
}

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
