// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/GraphPanel.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QShortcut>
#include <QStandardPaths>
#include <QStyle>
#include <QTemporaryFile>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "applications/qt/CoreTexts.h"
#include "applications/qt/panels/PropertyWindow.h"
#include "core/scene/GraphvizWriter.h"
#include "core/scene/SceneEditor.h"
#include "core/scene/SceneLoader.h"
#include "core/scene/SceneWriter.h"

namespace sofa::qt {

using core::GraphEntry;
using core::GraphSnapshot;
using core::Node;
using core::Simulation;

namespace {

/// Runs an action on the node at a path; the reason if it is not there or the action throws.
std::string onNode(Simulation& s, const std::string& path, const std::function<void(Node&)>& action)
{
    auto* node = dynamic_cast<Node*>(core::findObject(s.root(), path));
    if (!node) return "there is no node '" + path + "' any more";
    try {
        action(*node);
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}

}  // namespace

GraphPanel::GraphPanel(QWidget* parent) : Panel(parent)
{
    onProperties = [this](const std::string& path) { openProperties(path); };
    load = [](const std::string& file) { return core::loadScene(file, {.addDefaultLoops = false}); };
    auto* layout = new QVBoxLayout(this);
    auto* bar = new QHBoxLayout;
    layout->addLayout(bar);
    m_search = new QLineEdit;
    m_search->setObjectName("graphSearch");
    m_search->setAccessibleName(tr("Search in the graph"));
    m_search->setPlaceholderText(tr("Search by name, class or path"));
    m_search->setClearButtonEnabled(true);
    bar->addWidget(m_search, 2);
    connect(m_search, &QLineEdit::textChanged, this, [this] { filter(); });
    m_kind = new QComboBox;
    m_kind->setObjectName("graphKind");
    m_kind->setToolTip(tr("Show components of one kind only"));
    m_kind->addItems({tr("All kinds"), tr("With messages")});
    bar->addWidget(m_kind, 1);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling) filter();
    });

    m_tree = new QTreeWidget;
    m_tree->setObjectName("graphTree");
    m_tree->setAccessibleName(tr("Graph of the scene"));
    m_tree->setHeaderLabels({tr("Object"), tr("Class")});
    m_tree->setUniformRowHeights(true);
    fitColumnsToTexts(m_tree);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->setExpandsOnDoubleClick(false);
    layout->addWidget(m_tree);
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const GraphEntry* e = entryOf(item)) onProperties(e->path);
    });
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, [this] {
        if (m_filling || !onSelection) return;
        const auto items = m_tree->selectedItems();
        const GraphEntry* e = items.isEmpty() ? nullptr : entryOf(items.front());
        onSelection(e ? e->path : std::string());
    });
    auto* none = new QShortcut(QKeySequence(Qt::Key_Escape), m_tree, nullptr, nullptr, Qt::WidgetShortcut);
    connect(none, &QShortcut::activated, m_tree, &QTreeWidget::clearSelection);
    connect(m_tree, &QTreeWidget::itemCollapsed, this, [this](QTreeWidgetItem* item) {
        const GraphEntry* e = entryOf(item);
        if (e && !m_filling) m_closed.insert(e->id);
    });
    connect(m_tree, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem* item) {
        const GraphEntry* e = entryOf(item);
        if (e && !m_filling) m_closed.erase(e->id);
    });
    connect(m_tree, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) { menu(at); });

    auto* bottom = new QHBoxLayout;
    layout->addLayout(bottom);
    m_summary = new QLabel;
    bottom->addWidget(m_summary);
    bottom->addStretch();
    auto* exportButton = new QPushButton(tr("E&xport graph…"));
    exportButton->setObjectName("graphExport");
    exportButton->setToolTip(tr("Write the graph for Graphviz, or as an image where dot is installed"));
    bottom->addWidget(exportButton);
    connect(exportButton, &QPushButton::clicked, this, [this] {
        const QString file = QFileDialog::getSaveFileName(this, tr("Export graph"), "scene.dot",
                                                          tr("Graphviz (*.dot);;Images (*.svg *.png *.pdf)"));
        if (!file.isEmpty()) exportGraph(file);
    });
    connect(&m_timer, &QTimer::timeout, this, [this] { refresh(); });
    m_timer.setInterval(300);
}

GraphPanel::~GraphPanel()
{
    for (auto& [path, window] : m_windows) delete window.data();
}

void GraphPanel::simulationChanged()
{
    for (auto& [path, window] : m_windows)
        if (window) window->close();
    m_windows.clear();
    m_closed.clear();
    m_wanted.clear();
    m_asked = false;
    display({});
    refresh();
}

void GraphPanel::showEvent(QShowEvent*)
{
    m_timer.start();
    refresh();
}
void GraphPanel::hideEvent(QHideEvent*) { m_timer.stop(); }

void GraphPanel::refresh()
{
    if (m_asked || !thread()) return;
    m_asked = true;
    fetch(
        [known = m_graph.version](const Simulation& s) {
            return s.root().changeCount() == known ? std::nullopt : std::optional(core::takeGraph(s.root()));
        },
        [this](std::optional<GraphSnapshot>& g) {
            m_asked = false;
            if (g) display(std::move(*g));
        });
}

void GraphPanel::display(GraphSnapshot graph)
{
    const auto same = [](const GraphEntry& a, const GraphEntry& b) {
        return a.id == b.id && a.parent == b.parent && a.name == b.name;
    };
    const bool structure = graph.entries.size() != m_graph.entries.size() ||
                           !std::equal(graph.entries.begin(), graph.entries.end(), m_graph.entries.begin(), same);
    m_filling = true;
    if (structure) {
        const GraphEntry* current = entryOf(m_tree->currentItem());
        const core::ObjectId selected = current ? current->id : 0;
        m_tree->clear();
        m_items.assign(graph.entries.size(), nullptr);
        std::set<std::string> kinds;
        for (std::size_t i = 0; i < graph.entries.size(); ++i) {
            const GraphEntry& e = graph.entries[i];
            auto* item = e.parent < 0 ? new QTreeWidgetItem(m_tree)
                                      : new QTreeWidgetItem(m_items[static_cast<std::size_t>(e.parent)]);
            m_items[i] = item;
            item->setData(0, Qt::UserRole, static_cast<int>(i));
            item->setText(0, e.name.empty() && e.parent < 0 ? tr("root") : text(e.name));
            item->setIcon(0, categoryIcon(e.category));
            if (!e.isNode) {
                item->setText(1, text(e.templateName.empty() ? e.className : e.className + "<" + e.templateName + ">"));
                if (!e.category.empty()) kinds.insert(e.category);
            }
            item->setToolTip(0, text(e.path));
            item->setToolTip(1, text(e.category));
            if (e.isNode) item->setExpanded(!m_closed.count(e.id));
        }
        m_graph = graph;
        for (std::size_t i = 0; i < m_items.size(); ++i)
            if (selected && m_graph.entries[i].id == selected) {
                m_tree->setCurrentItem(m_items[i]);
                break;
            }
        const QString kind = m_kind->currentText();
        m_kind->clear();
        m_kind->addItems({tr("All kinds"), tr("With messages")});
        for (const std::string& k : kinds) m_kind->addItem(categoryIcon(k), text(k));
        m_kind->setCurrentIndex(std::max(0, m_kind->findText(kind)));
    } else {
        m_graph = std::move(graph);
    }
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const GraphEntry& e = m_graph.entries[i];
        nodes += e.isNode;
        QFont font = m_tree->font();
        font.setItalic(e.transient);
        font.setStrikeOut(!e.active);
        if (m_items[i]->font(0) != font) m_items[i]->setFont(0, font);
        const QIcon badge = e.errors > 0     ? style()->standardIcon(QStyle::SP_MessageBoxCritical)
                            : e.warnings > 0 ? style()->standardIcon(QStyle::SP_MessageBoxWarning)
                                             : QIcon();
        const int count = static_cast<int>(e.errors + e.warnings);
        if (m_items[i]->data(1, Qt::UserRole).toInt() != count) {
            m_items[i]->setData(1, Qt::UserRole, count);
            m_items[i]->setIcon(1, badge);
            m_items[i]->setToolTip(1, tr("%1 errors, %2 warnings").arg(e.errors).arg(e.warnings));
        }
    }
    m_summary->setText(m_items.empty() ? tr("no scene")
                                       : tr("%1 nodes, %2 components").arg(nodes).arg(m_items.size() - nodes));
    m_filling = false;
    if (structure) filter();
    if (const std::string wanted = std::exchange(m_wanted, {}); !wanted.empty() && itemOf(wanted)) select(wanted);
}

void GraphPanel::filter()
{
    const QString wanted = m_search->text().trimmed();
    const int kind = m_kind->currentIndex();
    const std::string category = kind > 1 ? m_kind->currentText().toStdString() : std::string();
    const bool all = wanted.isEmpty() && kind <= 0;
    // Children come after their parents: from behind, what is shown shows those above it.
    std::vector<char> shown(m_items.size(), all);
    for (std::size_t i = m_items.size(); i-- > 0 && !all;) {
        const GraphEntry& e = m_graph.entries[i];
        const bool byText = wanted.isEmpty() || text(e.name).contains(wanted, Qt::CaseInsensitive) ||
                            text(e.className).contains(wanted, Qt::CaseInsensitive) ||
                            text(e.path).contains(wanted, Qt::CaseInsensitive);
        const bool byKind = kind <= 0 || (kind == 1 ? e.errors + e.warnings > 0 : e.category == category);
        if (byText && byKind) shown[i] = 1;
        if (shown[i] && e.parent >= 0) shown[static_cast<std::size_t>(e.parent)] = 1;
    }
    m_filling = true;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        m_items[i]->setHidden(!shown[i]);
        if (m_graph.entries[i].isNode) m_items[i]->setExpanded(!all || !m_closed.count(m_graph.entries[i].id));
    }
    m_filling = false;
}

const GraphEntry* GraphPanel::entryOf(const QTreeWidgetItem* item) const
{
    if (!item) return nullptr;
    const auto i = static_cast<std::size_t>(item->data(0, Qt::UserRole).toInt());
    return i < m_graph.entries.size() ? &m_graph.entries[i] : nullptr;
}

QTreeWidgetItem* GraphPanel::itemOf(const std::string& path) const
{
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (m_graph.entries[i].path == path) return m_items[i];
    return nullptr;
}

bool GraphPanel::select(const std::string& path)
{
    m_wanted.clear();
    if (path.empty()) {
        m_tree->setCurrentItem(nullptr);
        m_tree->clearSelection();
        return true;
    }
    QTreeWidgetItem* item = itemOf(path);
    if (!item) {
        m_wanted = path;
        refresh();
        return false;
    }
    if (item->isHidden()) {
        m_search->clear();
        m_kind->setCurrentIndex(0);
    }
    for (QTreeWidgetItem* above = item->parent(); above; above = above->parent()) above->setExpanded(true);
    m_tree->setCurrentItem(item);
    m_tree->scrollToItem(item);
    return true;
}

void GraphPanel::openProperties(const std::string& path)
{
    if (!thread()) return;
    QPointer<PropertyWindow>& window = m_windows[path];
    if (!window) {
        window = new PropertyWindow(*thread(), path, this);
        window->onFollow = [this](const std::string& target) {
            select(target);
            openProperties(target);
        };
        window->onEdited = onEdited;
        window->onPlot = onPlot;
        window->setAttribute(Qt::WA_DeleteOnClose);
    }
    window->show();
    window->raise();
    window->activateWindow();
}

std::vector<PropertyWindow*> GraphPanel::propertyWindows() const
{
    std::vector<PropertyWindow*> out;
    for (const auto& [path, window] : m_windows)
        if (window) out.push_back(window);
    return out;
}

void GraphPanel::report(const std::string& error, const QString& success)
{
    if (onMessage) onMessage(error.empty() ? success : coreText(error));
    if (!error.empty()) core::MessageLog::emit(core::Severity::Error, error);
    refresh();
}

void GraphPanel::setActive(const std::string& path, bool on)
{
    edit(
        [path, on](Simulation& s) {
            return onNode(s, path, [&](Node& n) {
                core::editAttributes(s.root(), n, {{"activated", on ? "1" : "0"}});
            });
        },
        [this, path, on](const std::string& error) {
            report(error, (on ? tr("%1 is active") : tr("%1 is not active any more")).arg(text(path)));
        });
}

void GraphPanel::saveNode(const std::string& path, const QString& file)
{
    edit([path, name = file.toStdString()](
             Simulation& s) { return onNode(s, path, [&](Node& n) { core::saveScene(n, name); }); },
         [this, path, file](const std::string& error) {
             report(error, tr("%1 was saved in %2").arg(text(path), file));
         });
}

void GraphPanel::addNode(const std::string& path, const QString& file)
{
    edit(
        [path, name = file.toStdString(), read = load](Simulation& s) {
            return onNode(s, path, [&](Node& n) {
                const std::shared_ptr<Node> added = read(name);
                if (added->name().empty() || added->name() == "root")
                    added->setName(QFileInfo(QString::fromStdString(name)).completeBaseName().toStdString());
                const std::string wanted = added->name();
                for (int i = 2; n.child(added->name()); ++i) added->setName(wanted + "_" + std::to_string(i));
                n.addChild(added);
                if (!s.settle()) {
                    n.removeChild(*added);
                    throw std::runtime_error("'" + name + "' cannot be added: see the log");
                }
            });
        },
        [this, path, file](const std::string& error) {
            report(error, tr("%1 was added below %2").arg(file, text(path)));
        });
}

void GraphPanel::removeNode(const std::string& path)
{
    edit(
        [path](Simulation& s) {
            return onNode(s, path, [&](Node& n) {
                if (n.parents().empty()) throw std::runtime_error("the root cannot be removed");
                const std::vector<Node*> parents = n.parents();
                for (Node* p : parents) p->removeChild(n);
            });
        },
        [this, path](const std::string& error) { report(error, tr("%1 was removed").arg(text(path))); });
}

void GraphPanel::exportGraph(const QString& file)
{
    fetch([](Simulation& s) { return core::writeGraphviz(s.root()); },
          [this, file](const std::string& dot) {
              const QString kind = QFileInfo(file).suffix().toLower();
              const bool image = kind == "svg" || kind == "png" || kind == "pdf";
              QString error;
              if (image && QStandardPaths::findExecutable("dot").isEmpty()) {
                  error = tr("images need the program dot (package graphviz); write a .dot file instead");
              } else if (image) {
                  QProcess process;
                  process.start("dot", {"-T" + kind, "-o", file});
                  process.write(dot.data(), static_cast<qint64>(dot.size()));
                  process.closeWriteChannel();
                  if (!process.waitForFinished(60'000) || process.exitCode() != 0)
                      error = tr("dot failed: %1").arg(QString::fromUtf8(process.readAllStandardError()).trimmed());
              } else {
                  QFile out(file);
                  if (!out.open(QIODevice::WriteOnly) || out.write(dot.data(), static_cast<qint64>(dot.size())) < 0)
                      error = tr("cannot write '%1': %2").arg(file, out.errorString());
              }
              if (onMessage) onMessage(error.isEmpty() ? tr("The graph was written to %1").arg(file) : error);
          });
}

void GraphPanel::menu(const QPoint& at)
{
    QTreeWidgetItem* item = m_tree->itemAt(at);
    const GraphEntry* e = entryOf(item);
    if (!e) return;
    const std::string path = e->path;
    const bool active = e->active, isRoot = e->parent < 0;
    auto* m = new QMenu(this);
    m->setAttribute(Qt::WA_DeleteOnClose);
    m->setObjectName("graphMenu");
    const auto openAll = [item](bool open) {
        std::vector<QTreeWidgetItem*> rest{item};
        while (!rest.empty()) {
            QTreeWidgetItem* i = rest.back();
            rest.pop_back();
            i->setExpanded(open);
            for (int c = 0; c < i->childCount(); ++c) rest.push_back(i->child(c));
        }
    };
    if (e->isNode) {
        m->addAction(tr("&Collapse"), this, [openAll] { openAll(false); });
        m->addAction(tr("&Expand"), this, [openAll] { openAll(true); });
        m->addSeparator();
        m->addAction(active ? tr("&Deactivate") : tr("&Activate"), this,
                     [this, path, active] { setActive(path, !active); });
        m->addAction(tr("&Save node…"), this, [this, path] {
            const QString file =
                QFileDialog::getSaveFileName(this, tr("Save node"), "node.scn", tr("Scenes (*.scn *.xml)"));
            if (!file.isEmpty()) saveNode(path, file);
        });
        QMenu* add = m_favourites.isEmpty() ? nullptr : m->addMenu(tr("Add &node"));
        const auto ask = [this, path] {
            const QString file =
                QFileDialog::getOpenFileName(this, tr("Add node from file"), {}, tr("Scenes (*.scn *.xml)"));
            if (!file.isEmpty()) addNode(path, file);
        };
        if (add) {
            for (const QString& f : m_favourites)
                add->addAction(QFileInfo(f).completeBaseName(), this, [this, path, f] { addNode(path, f); });
            add->addSeparator();
            add->addAction(tr("From a &file…"), this, ask);
        } else {
            m->addAction(tr("Add &node…"), this, ask);
        }
        QAction* remove = m->addAction(tr("&Remove node"), this, [this, path] { removeNode(path); });
        remove->setEnabled(!isRoot);
        m->addSeparator();
    }
    addViewEntries(*m, path);
    m->addAction(tr("&Modify…"), this, [this, path] { onProperties(path); });
    m->addAction(tr("Modify in a &Window"), this, [this, path] { openProperties(path); });
    addPlots(*m->addMenu(tr("P&lot")), path);
    m->addAction(tr("Show in the scene's &file"), this, [this, path] { showSource(path); });
    if (!e->isNode) m->addAction(tr("&Remove component"), this, [this, path] { removeComponent(path); });
    m->addAction(tr("Co&py path"), this, [path] { QGuiApplication::clipboard()->setText(text(path)); });
    m->popup(m_tree->viewport()->mapToGlobal(at));
}

}  // namespace sofa::qt
