// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QWidget>

#include "applications/modeler/TreeModel.h"

class QLabel;
class QLineEdit;
class QTreeView;

namespace sofa::modeler {

/// The tree of a document, with a search field. Its selection is that of the document.
class TreePanel : public QWidget
{
    Q_OBJECT

public:
    explicit TreePanel(Document& document, QWidget* parent = nullptr);

    QTreeView& view() const { return *m_view; }
    TreeModel& model() const { return *m_model; }
    QLineEdit& search() const { return *m_search; }
    /// Where the current line stands, if it is one of an included file.
    std::optional<TreeModel::IncludedPlace> includedPlace() const;
    /// Edits the name of what is selected.
    void rename();

Q_SIGNALS:
    void contextMenuAsked(const QPoint& global);
    /// A line was activated: a double click, or Return.
    void activated(XmlId element);
    /// The same of a line of an included file.
    void includedActivated(const QString& file, std::size_t byte);
    /// A line of an included file is the current one; nothing of the document is selected then.
    void includedSelected(const QString& file);

private:
    void followDocument();
    void followSelection();
    void find(bool backwards);

    Document& m_document;
    TreeModel* m_model;
    QTreeView* m_view;
    QLineEdit* m_search;
    QLabel* m_broken;
    bool m_following = false;
};

}  // namespace sofa::modeler
