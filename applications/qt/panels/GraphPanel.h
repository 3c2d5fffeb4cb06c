// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QTimer>
#include <map>
#include <set>

#include "applications/qt/panels/Panel.h"
#include "core/scene/SceneSnapshot.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QTreeWidget;
class QTreeWidgetItem;

namespace sofa::qt {

class PropertyWindow;

/// The tree of the running scene: it follows nodes and components that come and go, finds and filters them, opens their
/// properties, and changes the graph.
class GraphPanel : public Panel
{
    Q_OBJECT

public:
    explicit GraphPanel(QWidget* parent = nullptr);
    ~GraphPanel() override;

    /// Called with a text for the user: what was done, or why not.
    std::function<void(const QString&)> onMessage;
    /// Called when an object is selected, with its path; empty when none is any more.
    std::function<void(const std::string&)> onSelection;
    /// Called when the user wants to see the properties of an object; default: openProperties.
    std::function<void(const std::string&)> onProperties;
    /// Called with the path of an object and the name of a value that the user gave it.
    std::function<void(const std::string& path, const std::string& name)> onEdited;
    /// Called with the path of an object and the name of a value that is to be plotted.
    std::function<void(const std::string& path, const std::string& name)> onPlot;
    /// Called when an object is to be hidden in the view or shown again, with its path; all hidden ones, when it is
    /// empty.
    std::function<void(const std::string& path, bool hidden)> onHidden;
    /// Whether an object is hidden; of an empty path: whether any is.
    std::function<bool(const std::string& path)> isHidden;
    /// Called when the view shall show an object as large as it can.
    std::function<void(const std::string& path)> onLookAt;
    /// Called when an object was removed so that it can be brought back, by undo().
    std::function<void(const std::string& path)> onRemoved;
    /// Reads the scene in a file for "Add node". Throws std::runtime_error. Default: core::loadScene.
    std::function<std::shared_ptr<core::Node>(const std::string& file)> load;
    /// Files that are offered first for "Add node" (those of object.txt).
    void setFavourites(QStringList files) { m_favourites = std::move(files); }

    /// Selects the object at a path, opening the nodes above it; nothing if it is empty. False if it is not there:
    /// then it is selected when it comes with the next look at the scene.
    bool select(const std::string& path);
    /// Opens the property window of the object at a path; an open one comes to the front.
    void openProperties(const std::string& path);
    std::vector<PropertyWindow*> propertyWindows() const;

    // What the menu of a node does.
    void setActive(const std::string& path, bool on);
    void saveNode(const std::string& path, const QString& file);
    void addNode(const std::string& path, const QString& file);
    void removeNode(const std::string& path);
    /// Takes a component out of the scene and of its file, when that is saved.
    void removeComponent(const std::string& path);
    /// Takes the last edit of the scene back (SceneEditor::undo).
    void undo();
    /// Shows the line of the scene's file that made an object.
    void showSource(const std::string& path);
    /// Writes the whole graph for Graphviz; with a name that ends in .svg, .png or .pdf through the program dot.
    void exportGraph(const QString& file);

    QTreeWidget* tree() const { return m_tree; }
    /// Asks for the present graph now; a timer does so, too.
    void refresh();

protected:
    void simulationChanged() override;
    void showEvent(QShowEvent*) override;
    void hideEvent(QHideEvent*) override;

private:
    void display(core::GraphSnapshot graph);
    void filter();
    void menu(const QPoint& at);
    void addViewEntries(QMenu& menu, const std::string& path);
    void addPlots(QMenu& menu, const std::string& path);
    void report(const std::string& error, const QString& success);
    QTreeWidgetItem* itemOf(const std::string& path) const;
    const core::GraphEntry* entryOf(const QTreeWidgetItem* item) const;

    QTreeWidget* m_tree;
    QLineEdit* m_search;
    QComboBox* m_kind;
    QLabel* m_summary;
    QTimer m_timer;
    QStringList m_favourites;
    core::GraphSnapshot m_graph;
    std::vector<QTreeWidgetItem*> m_items;  ///< of the entries
    std::set<core::ObjectId> m_closed;      ///< nodes that the user closed
    std::map<std::string, QPointer<PropertyWindow>> m_windows;
    bool m_filling = false, m_asked = false;
    std::string m_wanted;  ///< to be selected
};

}  // namespace sofa::qt
