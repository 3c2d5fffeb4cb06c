// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QAbstractItemModel>
#include <QTimer>

#include "applications/modeler/Document.h"
#include "applications/modeler/IncludedLines.h"

namespace sofa::modeler {

/// The elements of a document as a tree: nodes, components, includes, and comments that hold an element. Its indices
/// stay with their elements through all edits. Below includes and prefabs are the lines of their files, once they were
/// fetched; these cannot be edited here.
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
    /// 0 for a line of an included file.
    XmlId idOf(const QModelIndex& index) const
    {
        return IncludedLines::isLine(index.internalId()) ? 0 : static_cast<XmlId>(index.internalId());
    }
    /// Where a line of an included file stands.
    struct IncludedPlace
    {
        QString file;
        std::size_t byte = 0;
    };
    /// Nothing for elements of the document.
    std::optional<IncludedPlace> includedPlace(const QModelIndex& index) const;
    /// Whether the line stands for another file.
    bool isInclude(const QModelIndex& index) const;
    /// Reads included files again that have changed.
    void refreshIncluded();
    /// Whether the name, class or path of an element has a text in it.
    bool matches(XmlId id, const QString& text) const;
    /// The elements, in the order of the text.
    std::vector<XmlId> all() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
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
    /// What an index shows: a part of the document, or of an included file.
    struct Shown
    {
        const XmlDocument* x = nullptr;  ///< nullptr: nothing
        const TextLinks* names = nullptr;
        std::uint32_t part = 0;
        bool isIncluded = false;
    };
    void follow();
    std::vector<Item> itemsNow() const;
    const Item* item(const QModelIndex& index) const;
    Shown shown(const QModelIndex& index) const;
    QModelIndex indexOfLine(IncludedLines::Number line) const;
    QModelIndex indexOfAny(quintptr number) const;
    int ownRows(quintptr number) const;
    std::string includedPath(const QModelIndex& index) const;
    void readIncluded(const QModelIndex& include, const std::string& path);
    static QString className(const XmlDocument& x, std::uint32_t part);

    Document& m_document;
    std::vector<Item> m_items;
    std::vector<int> m_numbers;  ///< index in m_items by XmlId; -1 for none
    IncludedLines m_included;
    QTimer m_named;
};

/// What is dragged and copied: the text of elements.
inline constexpr const char* sceneMimeType = "application/x-sofa-scene";

}  // namespace sofa::modeler
