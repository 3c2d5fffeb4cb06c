// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QMainWindow>

#include "applications/modeler/Document.h"

class QAction;
class QLabel;
class QTabWidget;

namespace sofa::modeler {

class DocumentView;
class HistoryPanel;
class LibraryPanel;
class LinkGraphPanel;
class LinksPanel;
class MeshWizard;
class MessagesPanel;
class PreviewPanel;
class PropertiesPanel;
class Recovery;

/// The Modeler's window: documents in tabs, panels around them. Its layout is remembered (QSettings).
class ModelerWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit ModelerWindow(QWidget* parent = nullptr);
    ~ModelerWindow() override;

    /// Opens a file in a tab, or shows the tab where it is open. False if it cannot be read; the window says why.
    bool open(const QString& path);
    /// A new document with a text.
    void openNew(std::string text, const QString& title);
    /// A new document with the text of a preset: a file of share/presets, or of the user's own folder.
    void openPreset(const QString& name);
    /// Opens the wizard that makes a scene of a mesh file.
    void openMeshWizard();
    /// Names of the presets, in order.
    static QStringList presets();
    /// Opens what was open when the program ended last, and what was not saved when it ended by force.
    void restoreSession();
    /// nullptr while none is open.
    DocumentView* current() const;
    Document* document() const;
    QTabWidget& tabs() const { return *m_tabs; }
    LibraryPanel& library() const { return *m_library; }
    PropertiesPanel& properties() const { return *m_properties; }
    MessagesPanel& messages() const { return *m_messages; }
    PreviewPanel& preview() const { return *m_preview; }
    HistoryPanel& history() const { return *m_history; }
    LinkGraphPanel& graph() const { return *m_graph; }

    /// Writes the document that is shown to its file, or asks for one. False if it was not written.
    bool save();
    bool saveAs(const QString& path);
    /// The selection becomes a file that is included in its place. False if it cannot be; the window says why.
    bool makePrefab(const QString& path);
    /// Starts runSofa with the document as it is now.
    void runInRunSofa();
    /// Closes a tab; asks if it has changes that were not saved. False if the user does not want to.
    bool closeTab(int index);

protected:
    void closeEvent(QCloseEvent* e) override;
    void dragEnterEvent(QDragEnterEvent* e) override;
    void dropEvent(QDropEvent* e) override;
    bool eventFilter(QObject* object, QEvent* e) override;

private:
    QAction* action(const char* name, const QString& text, const QKeySequence& keys, const QString& help,
                    const std::function<void()>& act);
    void makeActions();
    void makeMenus();
    void makePanels();
    void makeToolBar();
    void showContextMenu(const QPoint& global);
    DocumentView* add(std::unique_ptr<Document> document);
    DocumentView* view(int index) const;
    void documentChanged();
    void currentChanged();
    void updateTitles();
    void updateActions();
    bool chooseAndSave();
    void chooseAndOpen();
    void openPreferences();
    void say(const QString& text);
    void askWhatFits();
    void modernise();
    void openAt(const QString& file, std::size_t byte);
    // Includes and prefabs: ModelerIncludes.cpp.
    void takeFromMesh(const MeshWizard& wizard);
    void makeIncludeActions();
    void updateIncludeActions();
    void openIncluded();
    void inlineSelection();
    void chooseAndMakePrefab();
    // Commands of the selection.
    void copySelection();
    void cutSelection();
    void paste();
    void removeSelection();
    void toggleComment();
    /// Puts a component, node or prefab in or behind the selection.
    void insert(const QString& name);
    /// Moves the selection among its neighbours by `by`, or a level out (0, -1) or in (0, 1).
    void moveSelection(int by, int level);

    QTabWidget* m_tabs;
    QLabel* m_place;
    HistoryPanel* m_history = nullptr;
    LinksPanel* m_links = nullptr;
    LinkGraphPanel* m_graph = nullptr;
    LibraryPanel* m_library = nullptr;
    PropertiesPanel* m_properties = nullptr;
    MessagesPanel* m_messages = nullptr;
    PreviewPanel* m_preview = nullptr;
    std::unique_ptr<Recovery> m_recovery;
    QAction *m_new, *m_open, *m_save, *m_saveAs, *m_close, *m_undo, *m_redo, *m_cut, *m_copy, *m_paste, *m_duplicate,
        *m_rename, *m_remove, *m_comment, *m_up, *m_down, *m_out, *m_in, *m_find, *m_findInText, *m_complete,
        *m_followLink, *m_modernise, *m_run, *m_openIncluded, *m_inline, *m_makePrefab, *m_fromMesh;
    XmlId m_fitsIn = 0;  ///< the node of what the library shows first
    int m_newDocuments = 0;
};

}  // namespace sofa::modeler
