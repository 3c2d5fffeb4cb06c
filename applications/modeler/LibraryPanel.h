// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QTreeWidget>
#include <map>

#include "core/factory/Registry.h"

class QLineEdit;
class QTextBrowser;
class QToolButton;

namespace sofa::modeler {

/// Everything that can be put into a scene: the components by category, the prefabs, with search, help, favourites and
/// those used last. What fits the selected node stands first.
class LibraryPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LibraryPanel(QWidget* parent = nullptr);

    /// Classes that can work in the selected node, the likeliest first.
    void setFitting(const std::vector<std::string>& classes);
    /// A component was inserted: it is the first of those used last.
    void noteUsed(const QString& name);
    /// Shows what plugins have registered since.
    void refresh();
    QTreeWidget& tree() const { return *m_tree; }
    QLineEdit& search() const { return *m_search; }
    QTextBrowser& help() const { return *m_help; }
    /// The component that is selected; empty if none is.
    QString selected() const;
    /// Element for a component, a node, an include or a prefab.
    static QString elementOf(const QString& name);

Q_SIGNALS:
    void insertAsked(const QString& name);
    void exampleAsked(const QString& path);

private:
    class Tree;
    void fill();
    void showHelp();
    QTreeWidgetItem* group(const QString& title);
    void addTo(QTreeWidgetItem* group, const QString& name);
    int score(const QString& name, const QStringList& words);
    const QString& helpWords(const QString& name);

    QTreeWidget* m_tree;
    QLineEdit* m_search;
    QTextBrowser* m_help;
    QToolButton *m_insert, *m_favourite, *m_example;
    std::vector<core::ComponentEntryPtr> m_all;  ///< as shown
    std::vector<std::string> m_fitting;
    std::map<QString, QString> m_words;  ///< texts in which words are looked for, by name
    QStringList m_prefabs;
    std::map<QString, bool> m_open;  ///< groups that the user opened or closed
    bool m_filling = false;
};

}  // namespace sofa::modeler
