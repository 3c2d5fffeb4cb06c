// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The commands of the Modeler's window, its menus and its tool bar.
#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>
#include <QToolBar>

#include "applications/modeler/DocumentView.h"
#include "applications/modeler/EditingPreferences.h"
#include "applications/modeler/LibraryPanel.h"
#include "applications/modeler/ModelerWindow.h"
#include "applications/modeler/PreviewPanel.h"
#include "applications/modeler/SourceEditor.h"
#include "applications/modeler/TreePanel.h"
#include "applications/qt/HelpMenu.h"
#include "applications/qt/Icons.h"
#include "applications/qt/PreferencesDialog.h"
#include "applications/qt/RecentMenu.h"
#include "core/Version.h"

namespace sofa::modeler {

QAction* ModelerWindow::action(const char* name, const QString& text, const QKeySequence& keys, const QString& help,
                               const std::function<void()>& act)
{
    auto* a = new QAction(text, this);
    a->setObjectName(name);
    a->setShortcut(keys);
    a->setToolTip(keys.isEmpty() ? help : help + " (" + keys.toString(QKeySequence::NativeText) + ')');
    a->setStatusTip(help);
    connect(a, &QAction::triggered, this, act);
    addAction(a);
    return a;
}

void ModelerWindow::makeActions()
{
    m_new = action("new", tr("&New"), QKeySequence::New, tr("A new scene with what collisions need"),
                   [this] { openPreset(presets().value(0)); });
    m_open = action("open", tr("&Open..."), QKeySequence::Open, tr("Open scenes"), [this] { chooseAndOpen(); });
    m_save = action("save", tr("&Save"), QKeySequence::Save, tr("Write the scene to its file"), [this] { save(); });
    m_saveAs = action("saveAs", tr("Save &As..."), QKeySequence("Ctrl+Shift+S"), tr("Write the scene to another file"),
                      [this] { chooseAndSave(); });
    m_close = action("close", tr("&Close"), QKeySequence("Ctrl+W"), tr("Close the document"),
                     [this] { closeTab(m_tabs->currentIndex()); });
    m_open->setIcon(qt::icon(qt::Icon::Open));
    m_save->setIcon(qt::icon(qt::Icon::Save));
    m_undo = action("undo", tr("&Undo"), QKeySequence::Undo, tr("Take the last step back"), [this] {
        if (document()) document()->undo();
    });
    m_redo = action("redo", tr("&Redo"), QKeySequence("Ctrl+Shift+Z"), tr("Do again what was taken back"), [this] {
        if (document()) document()->redo();
    });
    m_redo->setShortcuts({QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")});
    m_cut = action("cut", tr("Cu&t"), QKeySequence::Cut, tr("Remove the selection, to paste it elsewhere"),
                   [this] { cutSelection(); });
    m_copy = action("copy", tr("&Copy"), QKeySequence::Copy, tr("Copy the selection"), [this] { copySelection(); });
    m_paste = action("paste", tr("&Paste"), QKeySequence::Paste,
                     tr("Insert what was copied, in or behind the selection"), [this] { paste(); });
    m_duplicate = action("duplicate", tr("&Duplicate"), QKeySequence("Ctrl+D"),
                         tr("A copy of the selection behind it; links within lead to the copy"), [this] {
                             std::vector<XmlId> made;
                             Document* d = document();
                             if (d && d->perform([&](SceneText& t) { made = t.duplicate(d->selection()); }))
                                 d->select(made);
                         });
    m_rename = action("rename", tr("Re&name"), Qt::Key_F2, tr("Another name; links follow"), [this] {
        if (current()) current()->tree().rename();
    });
    m_remove = action("remove", tr("Re&move"), QKeySequence::Delete, tr("Remove the selection"),
                      [this] { removeSelection(); });
    m_comment = action("comment", tr("C&omment Out or In"), QKeySequence("Ctrl+/"),
                       tr("Switch the selection off by making it a comment, or on again"), [this] { toggleComment(); });
    m_up = action("moveUp", tr("Move &Up"), QKeySequence("Alt+Up"), tr("Before the element before it"),
                  [this] { moveSelection(-1, 0); });
    m_down = action("moveDown", tr("Move Do&wn"), QKeySequence("Alt+Down"), tr("Behind the element behind it"),
                    [this] { moveSelection(1, 0); });
    m_out = action("moveOut", tr("Move Ou&t"), QKeySequence("Alt+Left"), tr("Out of its node, behind that"),
                   [this] { moveSelection(0, -1); });
    m_in = action("moveIn", tr("Move &In"), QKeySequence("Alt+Right"), tr("Into the node before it"),
                  [this] { moveSelection(0, 1); });
    m_find = action("find", tr("&Find"), QKeySequence::Find, tr("Search in the tree"), [this] {
        if (!current()) return;
        current()->tree().search().setFocus();
        current()->tree().search().selectAll();
    });
    m_findInText = action("findInText", tr("Find in the Te&xt"), Qt::Key_F3,
                          tr("The next place in the text of what stands in the search field"), [this] {
                              if (!current()) return;
                              const QString wanted = current()->tree().search().text();
                              if (wanted.isEmpty()) return m_find->trigger();
                              if (!current()->source().findNext(wanted)) say(tr("'%1' is nowhere.").arg(wanted));
                          });
    m_complete = action("complete", tr("Com&plete"), QKeySequence("Ctrl+Space"),
                        tr("What may be written at the cursor of the text"), [this] {
                            if (!current()) return;
                            current()->source().setFocus();
                            current()->source().complete();
                        });
    m_followLink =
        action("followLink", tr("Follow &Link"), Qt::Key_F12, tr("To what the link at the cursor leads to"), [this] {
            if (current()) current()->source().followLink();
        });
    m_modernise = action("modernise", tr("&Old Names to Today's"), {},
                         tr("Components and attributes of older scenes get the names that they have today"),
                         [this] { modernise(); });
    m_run = action("run", tr("&Run in runSofa"), QKeySequence("Ctrl+R"), tr("Open the scene, as it is now, in runSofa"),
                   [this] { runInRunSofa(); });
    m_run->setIcon(qt::icon(qt::Icon::Play));
    makeIncludeActions();
    m_fromMesh = action("fromMesh", tr("From &Mesh to Simulation..."), {},
                        tr("Make a body, an obstacle or a cloth of a mesh file"), [this] { openMeshWizard(); });
}

void ModelerWindow::makeMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_new);
    QMenu* presetMenu = file->addMenu(tr("New from &Preset"));
    connect(presetMenu, &QMenu::aboutToShow, this, [this, presetMenu] {
        presetMenu->clear();
        for (const QString& name : presets()) presetMenu->addAction(name, this, [this, name] { openPreset(name); });
    });
    file->addAction(m_fromMesh);
    file->addAction(m_open);
    auto* recent = new qt::RecentMenu(tr("Open &Recent"), file);
    file->addMenu(recent);
    connect(recent, &qt::RecentMenu::chosen, this, [this](const QString& path) { open(path); });
    file->addSeparator();
    file->addAction(m_save);
    file->addAction(m_saveAs);
    file->addAction(m_close);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence(QKeySequence::Quit), this, &QWidget::close);

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    edit->addActions({m_undo, m_redo});
    edit->addSeparator();
    edit->addAction(action("insert", tr("&Insert from the Library"), QKeySequence("Ctrl+I"),
                           tr("Type what it is called in the library's search; Return inserts it"), [this] {
                               m_library->parentWidget()->show();
                               m_library->parentWidget()->raise();
                               m_library->search().setFocus();
                               m_library->search().selectAll();
                           }));
    edit->addActions({m_cut, m_copy, m_paste, m_duplicate, m_remove});
    edit->addSeparator();
    edit->addActions({m_rename, m_comment, m_up, m_down, m_out, m_in});
    edit->addSeparator();
    edit->addActions({m_find, m_findInText, m_followLink, m_complete});
    edit->addSeparator();
    edit->addActions({m_openIncluded, m_inline, m_makePrefab});
    edit->addSeparator();
    edit->addAction(m_modernise);
    edit->addSeparator();
    edit->addAction(action("preferences", tr("Pre&ferences..."), QKeySequence("Ctrl+,"),
                           tr("Colours, letters, the view, the text and its safety copies"),
                           [this] { openPreferences(); }));

    QMenu* scene = menuBar()->addMenu(tr("&Scene"));
    scene->addActions({m_preview->play(), m_preview->step(), m_preview->stop()});
    scene->addSeparator();
    scene->addAction(m_run);

    QMenu* windowMenu = menuBar()->addMenu(tr("&Window"));
    for (QDockWidget* dock : findChildren<QDockWidget*>()) windowMenu->addAction(dock->toggleViewAction());

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    const std::pair<QString, QString> pages[] = {{tr("The &Modeler"), "modeler.md"},
                                                 {tr("&Components"), "components.md"},
                                                 {tr("&Scene Files"), "scene-format.md"}};
    for (const auto& each : pages) {
        const QString page = each.second;
        QAction* a = help->addAction(each.first, this, [this, page] {
            if (!qt::showDocumentation(this, page)) say(tr("The documentation (docs/%1) is not installed.").arg(page));
        });
        if (page == "modeler.md") a->setShortcut(QKeySequence("Shift+F1"));
    }
    auto* examples = new qt::ExamplesMenu(tr("&Examples"), help);
    help->addMenu(examples);
    connect(examples, &qt::ExamplesMenu::chosen, this, [this](const QString& path) { open(path); });
    help->addSeparator();
    help->addAction(tr("&About"), this, [this] {
        auto* box = new QMessageBox(
            QMessageBox::Information, tr("About the Modeler"),
            tr("Modeler %1\n%2")
                .arg(QString::fromUtf8(core::version()), QString::fromStdString(core::buildDescription())),
            QMessageBox::Close, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
}

void ModelerWindow::openPreferences()
{
    auto* page = new qt::PreferencesPage;
    page->addNumber(preferences::textSize, tr("&Size of letters"), {0, 60}, tr("pt"), tr("Letters of the text"),
                    tr("as other letters"));
    page->addNumber(preferences::tabWidth, tr("Width of a &tab"), {1, 16}, tr("letters"),
                    tr("How far a tab goes in the text"));
    page->addSwitch(preferences::tabSpaces, tr("The Tab &key writes spaces"),
                    tr("As many as to the next place of a tab"));
    page->addSwitch(preferences::wrap, tr("&Wrap long lines"), tr("What is longer than the window goes on below"));
    page->addNumber(preferences::copies, tr("Safety &copy every"), {1, 600}, tr("s"),
                    tr("How often what was not saved is copied, for the case that the program ends by force"));
    auto* dialog = new qt::PreferencesDialog(this);
    dialog->addPage(tr("&Editing"), page);
    dialog->open();
}

void ModelerWindow::makeToolBar()
{
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName("tools");
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({m_open, m_save});
    bar->addSeparator();
    bar->addAction(m_run);
}

void ModelerWindow::showContextMenu(const QPoint& global)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({m_cut, m_copy, m_paste, m_duplicate, m_remove});
    menu->addSeparator();
    menu->addActions({m_rename, m_comment, m_up, m_down, m_out, m_in});
    menu->addSeparator();
    menu->addActions({m_openIncluded, m_inline, m_makePrefab});
    menu->popup(global);
}

}  // namespace sofa::modeler
