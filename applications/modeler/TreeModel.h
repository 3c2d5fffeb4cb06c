// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QAbstractItemModel>
#include <QTimer>

#include "applications/modeler/Document.h"

namespace sofa::modeler {

/// The elements of a document as a tree: nodes, components, includes, and comments that hold an element. Its indices
/// stay with their elements through all edits.
class TreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Class,
        columns
    };

    explicit TreeModel(Document& document, QObject* parent = nullptr);

    QModelIndex indexOf(XmlId id) const;
    XmlId idOf(const QModelIndex& index) const { return static_cast<XmlId>(index.internalId()); }
    /// Whether the name, class or path of an element has a text in it.
    bool matches(XmlId id, const QString& text) const;
    /// The elements, in the order of the text.
    std::vector<XmlId> all() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Renames.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction | Qt::CopyAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indices) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

private:
    struct Item
    {
        XmlId id = 0;
        std::uint32_t part = 0;  ///< in the tree of the text
        int parent = -1, row = 0;
        std::vector<int> children;
    };
    void follow();
    std::vector<Item> itemsNow() const;
    const Item* item(const QModelIndex& index) const;
    QString className(const Item& item) const;

    Document& m_document;
    std::vector<Item> m_items;
    std::vector<int> m_numbers;  ///< index in m_items by XmlId; -1 for none
    QTimer m_named;
};

/// What is dragged and copied: the text of elements.
inline constexpr const char* sceneMimeType = "application/x-sofa-scene";

}  // namespace sofa::modeler
