// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/ModelerWindow.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSettings>
#include <QStatusBar>
#include <QTabWidget>
#include <QTextBlock>
#include <QTreeView>
#include <algorithm>

#include "applications/modeler/DocumentView.h"
#include "applications/modeler/HistoryPanel.h"
#include "applications/modeler/LibraryPanel.h"
#include "applications/modeler/LinkGraphPanel.h"
#include "applications/modeler/LinksPanel.h"
#include "applications/modeler/MessagesPanel.h"
#include "applications/modeler/PreviewPanel.h"
#include "applications/modeler/PropertiesPanel.h"
#include "applications/modeler/Recovery.h"
#include "applications/modeler/SourceEditor.h"
#include "applications/modeler/TreeModel.h"
#include "applications/modeler/TreePanel.h"
#include "applications/qt/CoreTexts.h"
#include "applications/qt/RecentMenu.h"

namespace sofa::modeler {

ModelerWindow::ModelerWindow(QWidget* parent) : QMainWindow(parent), m_tabs(new QTabWidget), m_place(new QLabel)
{
    setObjectName("modeler");
    resize(1280, 800);
    setAcceptDrops(true);
    m_tabs->setObjectName("documents");
    m_tabs->setAccessibleName(tr("Documents"));
    m_tabs->setTabsClosable(true);
    m_tabs->setMovable(true);
    m_tabs->setDocumentMode(true);
    setCentralWidget(m_tabs);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ModelerWindow::currentChanged);
    connect(m_tabs, &QTabWidget::tabCloseRequested, this, &ModelerWindow::closeTab);
    statusBar()->addPermanentWidget(m_place);
    m_recovery = std::make_unique<Recovery>();
    makePanels();
    makeActions();
    makeMenus();
    makeToolBar();
    qApp->installEventFilter(this);
    restoreGeometry(QSettings().value("modeler/geometry").toByteArray());
    restoreState(QSettings().value("modeler/state").toByteArray());
    currentChanged();
}

ModelerWindow::~ModelerWindow()
{
    qApp->removeEventFilter(this);
    m_tabs->disconnect(this);
    // What looks at documents goes before them.
    m_preview->setDocument(nullptr, nullptr);
    while (m_tabs->count() > 0) {
        DocumentView* v = view(0);
        m_tabs->removeTab(0);
        delete v;
    }
}

void ModelerWindow::makePanels()
{
    const auto dock = [this](const char* name, const QString& title, QWidget* panel, Qt::DockWidgetArea area) {
        auto* d = new QDockWidget(title, this);
        d->setObjectName(name);
        d->setWidget(panel);
        addDockWidget(area, d);
        return d;
    };
    m_history = new HistoryPanel;
    m_links = new LinksPanel;
    m_graph = new LinkGraphPanel;
    m_library = new LibraryPanel;
    m_properties = new PropertiesPanel;
    dock("libraryDock", tr("Library"), m_library, Qt::LeftDockWidgetArea);
    m_messages = new MessagesPanel;
    m_preview = new PreviewPanel;
    QDockWidget* view = dock("viewDock", tr("View"), m_preview, Qt::RightDockWidgetArea);
    QDockWidget* properties = dock("propertiesDock", tr("Properties"), m_properties, Qt::RightDockWidgetArea);
    QDockWidget* messages = dock("messagesDock", tr("Messages"), m_messages, Qt::BottomDockWidgetArea);
    QDockWidget* links = dock("linksDock", tr("Links"), m_links, Qt::BottomDockWidgetArea);
    QDockWidget* history = dock("historyDock", tr("History"), m_history, Qt::BottomDockWidgetArea);
    tabifyDockWidget(messages, links);
    tabifyDockWidget(links, dock("graphDock", tr("Graph"), m_graph, Qt::BottomDockWidgetArea));
    splitDockWidget(messages, history, Qt::Horizontal);
    messages->raise();
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    resizeDocks({view, properties}, {360, 460}, Qt::Vertical);
    resizeDocks({messages, history}, {500, 160}, Qt::Horizontal);
    resizeDocks({messages}, {150}, Qt::Vertical);
    resizeDocks({view, properties}, {380, 380}, Qt::Horizontal);
    connect(m_messages, &MessagesPanel::goTo, this, [this](std::size_t byte) {
        if (current()) current()->source().goTo(byte);
    });
    connect(m_messages, &MessagesPanel::goToFile, this, [this](const QString& file, int line) {
        if (!open(file)) return;
        const QTextBlock block = current()->source().QPlainTextEdit::document()->findBlockByNumber(line - 1);
        current()->source().setTextCursor(QTextCursor(block));
    });
    connect(m_messages, &MessagesPanel::counted, messages, [messages](int errors, int warnings) {
        messages->setWindowTitle(errors + warnings == 0
                                     ? tr("Messages")
                                     : tr("Messages (%1 errors, %2 warnings)").arg(errors).arg(warnings));
    });
    connect(m_properties, &PropertiesPanel::pickAsked, m_preview, &PreviewPanel::pickPoints);
    connect(m_library, &LibraryPanel::insertAsked, this, &ModelerWindow::insert);
    connect(m_library, &LibraryPanel::exampleAsked, this, &ModelerWindow::open);
}

// --- Documents -------------------------------------------------------------------------------------------------------

DocumentView* ModelerWindow::view(int index) const { return qobject_cast<DocumentView*>(m_tabs->widget(index)); }
DocumentView* ModelerWindow::current() const { return view(m_tabs->currentIndex()); }
Document* ModelerWindow::document() const { return current() ? &current()->document() : nullptr; }

DocumentView* ModelerWindow::add(std::unique_ptr<Document> made)
{
    auto* v = new DocumentView(std::move(made));
    Document& d = v->document();
    connect(&d, &Document::changed, this, &ModelerWindow::documentChanged);
    connect(&d, &Document::selectionChanged, this, &ModelerWindow::updateActions);
    connect(&d, &Document::refused, this, [this](const QString& reason) { say(qt::coreText(reason.toStdString())); });
    connect(&v->tree(), &TreePanel::contextMenuAsked, this, &ModelerWindow::showContextMenu);
    connect(&v->source(), &QPlainTextEdit::cursorPositionChanged, this, &ModelerWindow::updateActions);
    connect(&v->source(), &SourceEditor::goToFile, this, &ModelerWindow::openAt);
    connect(&v->tree(), &TreePanel::includedActivated, this, &ModelerWindow::openAt);
    connect(&v->tree(), &TreePanel::includedSelected, this, [this](const QString& file) {
        say(tr("This stands in %1: a double click, or Return, opens it there.").arg(QFileInfo(file).fileName()));
        updateIncludeActions();
    });
    connect(&d, &Document::selectionChanged, this, &ModelerWindow::askWhatFits);
    connect(&v->analyser(), &Analyser::analysed, this, [this] {
        m_library->refresh();  // the scene may have loaded a plugin
        m_fitsIn = 0;
        askWhatFits();
    });
    m_recovery->add(d);
    m_tabs->setCurrentIndex(m_tabs->addTab(v, d.title()));
    updateTitles();
    v->tree().view().setFocus();
    return v;
}

bool ModelerWindow::open(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    for (int i = 0; i < m_tabs->count(); ++i)
        if (view(i)->document().path() == absolute) {
            m_tabs->setCurrentIndex(i);
            return true;
        }
    try {
        add(Document::open(absolute));
    } catch (const SceneError& e) {
        say(QString::fromUtf8(e.what()));
        return false;
    }
    qt::RecentMenu::remember(absolute);
    return true;
}

void ModelerWindow::openNew(std::string text, const QString& title)
{
    ++m_newDocuments;
    const QString name = m_newDocuments == 1 ? title : tr("%1 %2").arg(title).arg(m_newDocuments);
    add(std::make_unique<Document>(std::move(text), QString(), name));
}

bool ModelerWindow::save()
{
    Document* d = document();
    if (!d) return false;
    return d->path().isEmpty() ? chooseAndSave() : saveAs(d->path());
}

bool ModelerWindow::saveAs(const QString& path)
{
    Document* d = document();
    if (!d) return false;
    if (path == d->path() && d->changedOnDisk()) {
        const auto answer = QMessageBox::question(
            this, tr("Save"),
            tr("Another program has changed '%1' since it was opened. Write over what is there now?").arg(path),
            QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel);
        if (answer != QMessageBox::Save) return false;
    }
    QString error;
    if (!d->save(path, error)) {
        QMessageBox::warning(this, tr("Save"), error);
        return false;
    }
    qt::RecentMenu::remember(d->path());
    say(tr("Saved: %1").arg(d->path()));
    return true;
}

bool ModelerWindow::chooseAndSave()
{
    const Document* d = document();
    if (!d) return false;
    const QString start = d->path().isEmpty() ? d->title() + ".scn" : d->path();
    const QString path = QFileDialog::getSaveFileName(this, tr("Save scene as"), start, tr("Scenes (*.scn *.xml)"));
    return !path.isEmpty() && saveAs(path);
}

void ModelerWindow::chooseAndOpen()
{
    const QString folder = document() ? QFileInfo(document()->path()).absolutePath() : QString();
    const QStringList paths =
        QFileDialog::getOpenFileNames(this, tr("Open scenes"), folder, tr("Scenes (*.scn *.xml);;All files (*)"));
    for (const QString& path : paths) open(path);
}

bool ModelerWindow::closeTab(int index)
{
    DocumentView* v = view(index);
    if (!v) return false;
    if (v->document().isEdited()) {
        m_tabs->setCurrentIndex(index);
        const auto answer = QMessageBox::question(
            this, tr("Close"), tr("'%1' has changes that were not saved.").arg(v->document().title()),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
        if (answer == QMessageBox::Cancel || (answer == QMessageBox::Save && !save())) return false;
    }
    m_recovery->remove(v->document());
    m_tabs->removeTab(index);
    delete v;
    return true;
}

void ModelerWindow::closeEvent(QCloseEvent* e)
{
    QStringList files;
    for (int i = 0; i < m_tabs->count(); ++i)
        if (!view(i)->document().path().isEmpty()) files << view(i)->document().path();
    const QString shown = document() ? document()->path() : QString();
    for (int i = m_tabs->count() - 1; i >= 0; --i)
        if (view(i)->document().isEdited() && !closeTab(i)) {
            e->ignore();
            return;
        }
    while (m_tabs->count() > 0) closeTab(0);
    QSettings().setValue("modeler/open", files);
    QSettings().setValue("modeler/shown", shown);
    QSettings().setValue("modeler/geometry", saveGeometry());
    QSettings().setValue("modeler/state", saveState());
    e->accept();
}

void ModelerWindow::dragEnterEvent(QDragEnterEvent* e)
{
    if (e->mimeData()->hasUrls()) e->acceptProposedAction();
}

void ModelerWindow::dropEvent(QDropEvent* e)
{
    for (const QUrl& url : e->mimeData()->urls())
        if (url.isLocalFile()) open(url.toLocalFile());
}

bool ModelerWindow::eventFilter(QObject* object, QEvent* e)
{
    // Undo and redo are those of the document, wherever the focus is.
    if (e->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(e);
        const auto* widget = qobject_cast<QWidget*>(object);
        if (widget && widget->window() == this &&
            (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))) {
            e->ignore();
            return true;
        }
    }
    return QMainWindow::eventFilter(object, e);
}

// --- What is shown ---------------------------------------------------------------------------------------------------

void ModelerWindow::say(const QString& text) { statusBar()->showMessage(text, 10'000); }

void ModelerWindow::currentChanged()
{
    if (current()) current()->tree().model().refreshIncluded();
    m_history->setDocument(document());
    m_links->setDocument(document());
    m_graph->setDocument(document());
    m_properties->setDocument(document());
    Analyser* analyser = current() ? &current()->analyser() : nullptr;
    m_messages->setAnalyser(analyser);
    m_preview->setDocument(document(), analyser);
    m_fitsIn = 0;
    askWhatFits();
    updateTitles();
    updateActions();
}

void ModelerWindow::documentChanged()
{
    updateTitles();
    updateActions();
}

void ModelerWindow::updateTitles()
{
    for (int i = 0; i < m_tabs->count(); ++i) {
        const Document& d = view(i)->document();
        m_tabs->setTabText(i, d.title().replace('&', "&&") + (d.isEdited() ? " *" : ""));
        m_tabs->setTabToolTip(i, d.path());
    }
    const Document* d = document();
    setWindowTitle(d ? tr("%1[*] – Modeler").arg(d->title()) : tr("Modeler"));
    setWindowModified(d && d->isEdited());
    setWindowFilePath(d ? d->path() : QString());
}

void ModelerWindow::updateActions()
{
    const Document* d = document();
    const bool any = d && d->text().wellFormed() && d->current() != 0;
    m_undo->setEnabled(d && d->text().canUndo());
    m_redo->setEnabled(d && d->text().canRedo());
    m_undo->setText(m_undo->isEnabled() ? tr("&Undo: %1").arg(qt::coreText(d->text().undoLabel())) : tr("&Undo"));
    m_redo->setText(m_redo->isEnabled() ? tr("&Redo: %1").arg(qt::coreText(d->text().redoLabel())) : tr("&Redo"));
    for (QAction* a : {m_save, m_saveAs, m_close, m_find, m_findInText}) a->setEnabled(d != nullptr);
    for (QAction* a : {m_cut, m_copy, m_duplicate, m_rename, m_remove, m_comment, m_up, m_down, m_out, m_in})
        a->setEnabled(any);
    m_paste->setEnabled(d && d->text().wellFormed());
    updateIncludeActions();
    if (!d) return m_place->clear();
    const QTextCursor c = current()->source().textCursor();
    m_place->setText(tr("Line %1, column %2").arg(c.blockNumber() + 1).arg(c.positionInBlock() + 1));
}

void ModelerWindow::askWhatFits()
{
    const Document* d = document();
    const XmlId node = d ? d->placeForNew().first : 0;
    if (node == m_fitsIn) return;
    m_fitsIn = node;
    if (node == 0) return m_library->setFitting({});
    const XmlDocument& x = *d->text().tree();
    const std::size_t place = x.items()[x.find(node)].tagEnd;
    Analyser& analyser = current()->analyser();
    analyser.ask(
        [at = analyser.analysedAt(place)](SceneAnalysis& a) {
            std::vector<std::string> names;
            for (const SceneCompletion& c : a.completions(at))
                if (c.kind == SceneCompletion::Kind::Component && c.fits) names.push_back(c.label);
            return names;
        },
        [this, node](const std::vector<std::string>& names) {
            if (m_fitsIn == node) m_library->setFitting(names);
        });
}

// --- Commands --------------------------------------------------------------------------------------------------------

void ModelerWindow::copySelection()
{
    if (auto* editor = qobject_cast<QPlainTextEdit*>(focusWidget())) return editor->copy();
    if (auto* line = qobject_cast<QLineEdit*>(focusWidget())) return line->copy();
    Document* d = document();
    if (!d) return;
    try {
        const QString piece = QString::fromStdString(d->text().copied(d->selection()));
        QGuiApplication::clipboard()->setText(piece);
    } catch (const EditError& e) {
        say(qt::coreText(e.what()));
    }
}

void ModelerWindow::cutSelection()
{
    if (auto* editor = qobject_cast<QPlainTextEdit*>(focusWidget())) return editor->cut();
    if (auto* line = qobject_cast<QLineEdit*>(focusWidget())) return line->cut();
    copySelection();
    removeSelection();
}

void ModelerWindow::paste()
{
    if (auto* editor = qobject_cast<QPlainTextEdit*>(focusWidget())) return editor->paste();
    if (auto* line = qobject_cast<QLineEdit*>(focusWidget())) return line->paste();
    Document* d = document();
    if (!d) return;
    const auto [parent, before] = d->placeForNew();
    std::vector<XmlId> made;
    const std::string piece = QGuiApplication::clipboard()->text().toStdString();
    const XmlId to = parent, at = before;
    if (d->perform([&](SceneText& t) { made = t.insert(to, at, piece, true); })) d->select(made);
}

void ModelerWindow::insert(const QString& name)
{
    Document* d = document();
    if (!d || name.isEmpty()) return;
    const auto [parent, before] = d->placeForNew();
    const XmlId to = parent, at = before;
    std::vector<XmlId> made;
    const std::string piece = LibraryPanel::elementOf(name).toStdString();
    if (!d->perform([&](SceneText& t) { made = t.insert(to, at, piece, true); })) return;
    d->select(made);
    m_library->noteUsed(name);
}

void ModelerWindow::removeSelection()
{
    Document* d = document();
    if (!d || d->selection().empty()) return;
    // What stands behind, or before, or around, is selected next.
    const TreeModel& model = current()->tree().model();
    const QModelIndex last = model.indexOf(d->current());
    XmlId next = 0;
    for (const QModelIndex& i : {last.siblingAtRow(last.row() + 1), last.siblingAtRow(last.row() - 1), last.parent()})
        if (next == 0 && i.isValid() && std::ranges::find(d->selection(), model.idOf(i)) == d->selection().end())
            next = model.idOf(i);
    if (d->perform([&](SceneText& t) { t.remove(d->selection()); }) && next != 0) d->select({next});
}

void ModelerWindow::toggleComment()
{
    Document* d = document();
    if (!d || !d->text().wellFormed()) return;
    std::vector<XmlId> elements, comments;
    const XmlDocument& x = *d->text().tree();
    for (const XmlId id : d->selection())
        (x.items()[x.find(id)].kind == XmlItem::Kind::Comment ? comments : elements).push_back(id);
    const std::size_t place =
        comments.empty() ? x.items()[x.find(elements.front())].begin : x.items()[x.find(comments.front())].begin;
    const bool done = d->perform([&](SceneText& t) {
        if (comments.empty())
            t.commentOut(elements);
        else
            t.commentIn(comments);
    });
    if (!done || !d->text().wellFormed()) return;
    if (const std::uint32_t i = d->partAt(place); i != XmlItem::none) d->select({d->text().tree()->items()[i].id});
}

void ModelerWindow::moveSelection(int by, int level)
{
    Document* d = document();
    if (!d || d->current() == 0) return;
    const TreeModel& model = current()->tree().model();
    const QModelIndex i = model.indexOf(d->current());
    const QModelIndex parent = i.parent();
    if (!parent.isValid()) return;
    QModelIndex to = parent, before;
    if (by < 0) before = i.siblingAtRow(i.row() - 1);
    if (by > 0) before = i.siblingAtRow(i.row() + 2);
    if (level < 0) {
        to = parent.parent();
        before = parent.siblingAtRow(parent.row() + 1);
    }
    if (level > 0) to = i.siblingAtRow(i.row() - 1);
    const bool atEnd = by > 0 && i.row() + 1 >= model.rowCount(parent);
    const bool isNode = to.isValid() && d->links()->isNode(d->text().tree()->find(model.idOf(to)));
    if (!isNode || atEnd || (by < 0 && !before.isValid())) return say(tr("It cannot be moved there."));
    const XmlId id = d->current();
    const XmlId toId = model.idOf(to), beforeId = before.isValid() ? model.idOf(before) : 0;
    if (d->perform([&](SceneText& t) { t.move({id}, toId, beforeId); })) {
        d->select({});
        d->select({id});
    }
}

}  // namespace sofa::modeler
