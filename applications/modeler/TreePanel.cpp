// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/TreePanel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "applications/qt/panels/Panel.h"

namespace sofa::modeler {

TreePanel::TreePanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new TreeModel(document, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_search = new QLineEdit;
    m_search->setObjectName("treeSearch");
    m_search->setAccessibleName(tr("Search in the scene"));
    m_search->setPlaceholderText(tr("Search by name, class or path; Return: the next one"));
    m_search->setClearButtonEnabled(true);
    layout->addWidget(m_search);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { find(false); });
    connect(m_search, &QLineEdit::textChanged, this, [this] { find(false); });
    m_broken = new QLabel;
    m_broken->setObjectName("treeBroken");
    m_broken->setWordWrap(true);
    m_broken->setMargin(6);
    m_broken->hide();
    layout->addWidget(m_broken);
    m_view = new QTreeView;
    m_view->setObjectName("tree");
    m_view->setAccessibleName(tr("Tree of the scene"));
    m_view->setModel(m_model);
    m_view->setUniformRowHeights(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setDragDropMode(QAbstractItemView::DragDrop);
    m_view->setDefaultDropAction(Qt::MoveAction);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    qt::fitColumnsToTexts(m_view);
    layout->addWidget(m_view);
    // The root and its children are open at the beginning, but for what is in other files.
    const QModelIndex root = m_model->index(0, 0);
    m_view->expand(root);
    for (int row = 0; row < m_model->rowCount(root); ++row)
        if (const QModelIndex i = m_model->index(row, 0, root); !m_model->isInclude(i)) m_view->expand(i);
    connect(m_view, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& at) { Q_EMIT contextMenuAsked(m_view->viewport()->mapToGlobal(at)); });
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& i) {
        if (const auto there = m_model->includedPlace(i))
            Q_EMIT includedActivated(there->file, there->byte);
        else
            Q_EMIT activated(m_model->idOf(i));
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_following) return;
        const QScopedValueRollback following(m_following, true);
        std::vector<XmlId> ids;
        for (const QModelIndex& i : m_view->selectionModel()->selectedRows())
            if (m_model->idOf(i) != 0) ids.push_back(m_model->idOf(i));
        // The one that was chosen last is last.
        const XmlId current = m_model->idOf(m_view->currentIndex());
        if (const auto it = std::ranges::find(ids, current); it != ids.end()) std::rotate(it, it + 1, ids.end());
        m_document.select(std::move(ids));
        if (const auto there = includedPlace()) Q_EMIT includedSelected(there->file);
    });
    connect(&document, &Document::changed, this, &TreePanel::followDocument);
    connect(&document, &Document::selectionChanged, this, &TreePanel::followSelection);
    followDocument();
    followSelection();
}

void TreePanel::followDocument()
{
    const auto& error = m_document.text().error();
    m_broken->setVisible(error.has_value());
    if (error)
        m_broken->setText(tr("The text is broken in line %1; the tree waits until it is mended.\n%2")
                              .arg(error->where().line)
                              .arg(QString::fromStdString(error->reason())));
    m_view->setEnabled(!error);
    m_view->viewport()->update();
}

void TreePanel::followSelection()
{
    if (m_following || (m_document.selection().empty() && includedPlace())) return;
    const QScopedValueRollback following(m_following, true);
    QItemSelection selection;
    QModelIndex last;
    for (const XmlId id : m_document.selection()) {
        const QModelIndex i = m_model->indexOf(id);
        if (!i.isValid()) continue;
        selection.select(i, i.siblingAtColumn(TreeModel::columns - 1));
        last = i;
    }
    m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (!last.isValid()) return;
    m_view->selectionModel()->setCurrentIndex(last, QItemSelectionModel::NoUpdate);
    m_view->scrollTo(last);
}

void TreePanel::find(bool backwards)
{
    const QString wanted = m_search->text();
    if (wanted.isEmpty()) return;
    std::vector<XmlId> all = m_model->all();
    if (backwards) std::ranges::reverse(all);
    const auto current = std::ranges::find(all, m_document.current());
    // What is selected counts while the text is being typed.
    const bool next = current != all.end() && m_model->matches(*current, wanted) && !m_search->isModified();
    if (current != all.end()) std::rotate(all.begin(), current + (next ? 1 : 0), all.end());
    m_search->setModified(false);
    const auto found = std::ranges::find_if(all, [&](XmlId id) { return m_model->matches(id, wanted); });
    if (found != all.end()) m_document.select({*found});
}

std::optional<TreeModel::IncludedPlace> TreePanel::includedPlace() const
{
    return m_model->includedPlace(m_view->currentIndex());
}

void TreePanel::rename()
{
    const QModelIndex i = m_model->indexOf(m_document.current());
    if (i.isValid()) m_view->edit(i);
}

}  // namespace sofa::modeler
