// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/TreeModel.h"

#include <QApplication>
#include <QFont>
#include <QMimeData>
#include <QPalette>
#include <QStyle>

#include "applications/qt/panels/Panel.h"
#include "core/factory/Registry.h"
#include "core/scene/ElementEdits.h"
#include "core/scene/OldNames.h"
#include "core/scene/SceneIncludes.h"

namespace sofa::modeler {

namespace {

/// Which elements are dragged, within a document.
constexpr const char* idsMimeType = "application/x-sofa-elements";

}  // namespace

TreeModel::TreeModel(Document& document, QObject* parent) : QAbstractItemModel(parent), m_document(document)
{
    m_named.setSingleShot(true);
    m_named.setInterval(200);
    connect(&m_named, &QTimer::timeout, this, [this] {
        if (!m_items.empty()) Q_EMIT dataChanged(index(0, 0), index(0, columns - 1));
    });
    connect(&document, &Document::changed, this, &TreeModel::follow);
    follow();
}

std::vector<TreeModel::Item> TreeModel::itemsNow() const
{
    std::vector<Item> out;
    const XmlDocument* x = m_document.text().tree();
    if (!x) return out;
    std::vector<int> numbers(x->items().size(), -1);
    for (std::uint32_t i = 0; i < x->items().size(); ++i) {
        const XmlItem& p = x->items()[i];
        if (!isShownInTrees(*x, i)) continue;
        Item item{p.id, i, -1, 0, {}};
        const int number = static_cast<int>(out.size());
        if (p.parent != XmlItem::none) {
            item.parent = numbers[p.parent];
            Item& above = out[static_cast<std::size_t>(item.parent)];
            item.row = static_cast<int>(above.children.size());
            above.children.push_back(number);
        } else {
            for (const Item& other : out) item.row += other.parent < 0 ? 1 : 0;
        }
        numbers[i] = number;
        out.push_back(std::move(item));
    }
    return out;
}

void TreeModel::follow()
{
    std::vector<Item> now = itemsNow();
    const bool same = std::ranges::equal(now, m_items, [](const Item& a, const Item& b) {
        return a.id == b.id && a.parent == b.parent && a.row == b.row;
    });
    if (same) {
        m_items = std::move(now);
        // Names may have changed anywhere, as those of components without one are counted: the view, which paints all
        // again at once, measures its columns when nothing was changed for a moment.
        m_named.start();
        return refreshIncluded();
    }
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    m_items = std::move(now);
    XmlId last = 0;
    for (const Item& i : m_items) last = std::max(last, i.id);
    m_numbers.assign(std::size_t{last} + 1, -1);
    for (std::size_t i = 0; i < m_items.size(); ++i) m_numbers[m_items[i].id] = static_cast<int>(i);
    // What was brought by elements that are gone.
    for (const IncludedLines::Number n : m_included.includes())
        if (!IncludedLines::isLine(n) && !indexOf(static_cast<XmlId>(n)).isValid()) m_included.forget(n);
    QModelIndexList after;
    for (const QModelIndex& i : before) {
        const QModelIndex there = indexOfAny(i.internalId());
        after << (there.isValid() ? there.siblingAtColumn(i.column()) : QModelIndex());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
    refreshIncluded();
}

// --- Included files --------------------------------------------------------------------------------------------------

TreeModel::Shown TreeModel::shown(const QModelIndex& index) const
{
    if (const Item* i = item(index)) return {m_document.text().tree(), m_document.links(), i->part, false};
    const IncludedLines::Line* line = index.isValid() ? m_included.find(index.internalId()) : nullptr;
    return line ? Shown{&line->text->xml, &line->text->names, line->part, true} : Shown();
}

std::optional<TreeModel::IncludedPlace> TreeModel::includedPlace(const QModelIndex& index) const
{
    const Shown s = shown(index);
    if (!s.isIncluded) return std::nullopt;
    return IncludedPlace{QString::fromStdString(s.x->path()), s.x->items()[s.part].begin};
}

/// The file for which a line stands; empty if it stands for none, or the file is not there.
std::string TreeModel::includedPath(const QModelIndex& index) const
{
    const Shown s = shown(index);
    if (!s.x || !s.names || !s.x->items()[s.part].isElement() || !s.names->isOpaque(s.part)) return {};
    const auto file = includedFile(*s.x, s.part);
    return file ? file->path : std::string();
}

bool TreeModel::isInclude(const QModelIndex& index) const { return !includedPath(index).empty(); }

/// Rows of an element or line that its own text has; those of the file for which it stands come behind them.
int TreeModel::ownRows(quintptr number) const
{
    if (const IncludedLines::Line* line = m_included.find(number)) return static_cast<int>(line->children.size());
    const Item* i = item(indexOf(static_cast<XmlId>(number)));
    return i ? static_cast<int>(i->children.size()) : 0;
}

QModelIndex TreeModel::indexOfLine(IncludedLines::Number number) const
{
    const IncludedLines::Line* line = m_included.find(number);
    return line ? createIndex(line->row + (line->isTop ? ownRows(line->above) : 0), 0, number) : QModelIndex();
}

QModelIndex TreeModel::indexOfAny(quintptr number) const
{
    return IncludedLines::isLine(number) ? indexOfLine(number) : indexOf(static_cast<XmlId>(number));
}

bool TreeModel::canFetchMore(const QModelIndex& parent) const
{
    return parent.isValid() && parent.column() == 0 && !m_included.file(parent.internalId()) && isInclude(parent);
}

bool TreeModel::hasChildren(const QModelIndex& parent) const { return rowCount(parent) > 0 || canFetchMore(parent); }

void TreeModel::fetchMore(const QModelIndex& parent)
{
    if (canFetchMore(parent)) readIncluded(parent, includedPath(parent));
}

void TreeModel::readIncluded(const QModelIndex& include, const std::string& path)
{
    const quintptr number = include.internalId();
    const int first = ownRows(number);
    IncludedLines::File file = m_included.read(number, path);
    if (file.lines.empty()) return m_included.attach(number, std::move(file));
    beginInsertRows(include, first, first + static_cast<int>(file.lines.size()) - 1);
    m_included.attach(number, std::move(file));
    endInsertRows();
}

void TreeModel::refreshIncluded()
{
    for (const IncludedLines::Number number : m_included.includes()) {
        const IncludedLines::File* file = m_included.file(number);
        if (!file) continue;  // it was within another one
        const QModelIndex include = indexOfAny(number);
        const std::string path = includedPath(include);
        if (!IncludedLines::isStale(*file, path)) continue;
        const int first = ownRows(number), count = static_cast<int>(file->lines.size());
        if (count > 0) beginRemoveRows(include, first, first + count - 1);
        m_included.forget(number);
        if (count > 0) endRemoveRows();
        if (!path.empty()) readIncluded(include, path);
    }
}

const TreeModel::Item* TreeModel::item(const QModelIndex& index) const
{
    const XmlId id = idOf(index);
    const int n = index.isValid() && id < m_numbers.size() ? m_numbers[id] : -1;
    return n < 0 ? nullptr : &m_items[static_cast<std::size_t>(n)];
}

QModelIndex TreeModel::indexOf(XmlId id) const
{
    const int n = id < m_numbers.size() ? m_numbers[id] : -1;
    return n < 0 ? QModelIndex() : createIndex(m_items[static_cast<std::size_t>(n)].row, 0, quintptr{id});
}

std::vector<XmlId> TreeModel::all() const
{
    std::vector<XmlId> out;
    for (const Item& i : m_items) out.push_back(i.id);
    return out;
}

bool TreeModel::matches(XmlId id, const QString& wanted) const
{
    const QModelIndex i = indexOf(id);
    for (int column = 0; column < columns; ++column)
        if (i.siblingAtColumn(column).data().toString().contains(wanted, Qt::CaseInsensitive)) return true;
    return i.data(Qt::ToolTipRole).toString().section('\n', 0, 0).contains(wanted, Qt::CaseInsensitive);
}

QModelIndex TreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (column < 0 || column >= columns || row < 0) return {};
    if (parent.isValid()) {
        if (row >= rowCount(parent)) return {};
        const int own = ownRows(parent.internalId());
        const auto at = static_cast<std::size_t>(row < own ? row : row - own);
        if (row >= own) return createIndex(row, column, m_included.file(parent.internalId())->lines[at]);
        if (const IncludedLines::Line* line = m_included.find(parent.internalId()))
            return createIndex(row, column, line->children[at]);
        const int child = item(parent)->children[at];
        return createIndex(row, column, quintptr{m_items[static_cast<std::size_t>(child)].id});
    }
    for (const Item& i : m_items)
        if (i.parent < 0 && i.row == row) return createIndex(row, column, quintptr{i.id});
    return {};
}

QModelIndex TreeModel::parent(const QModelIndex& index) const
{
    if (const IncludedLines::Line* line = index.isValid() ? m_included.find(index.internalId()) : nullptr)
        return indexOfAny(line->above);
    const Item* i = item(index);
    return i && i->parent >= 0 ? indexOf(m_items[static_cast<std::size_t>(i->parent)].id) : QModelIndex();
}

int TreeModel::rowCount(const QModelIndex& parent) const
{
    if (parent.column() > 0) return 0;
    if (parent.isValid()) {
        const IncludedLines::File* file = m_included.file(parent.internalId());
        return ownRows(parent.internalId()) + (file ? static_cast<int>(file->lines.size()) : 0);
    }
    int n = 0;
    for (const Item& i : m_items) n += i.parent < 0 ? 1 : 0;
    return n;
}

int TreeModel::columnCount(const QModelIndex&) const { return columns; }

QString TreeModel::className(const XmlDocument& x, std::uint32_t part)
{
    const XmlItem& p = x.items()[part];
    if (!p.isElement())
        return QString::fromStdString(elementIn(x, p)).section(QRegularExpression("[\\s/>]"), 0, 0).mid(1);
    std::string name(x.name(p));
    if (name == "Object")
        if (const XmlAttribute* a = x.attribute(p, "type")) name = x.value(*a);
    return QString::fromStdString(name);
}

QVariant TreeModel::data(const QModelIndex& index, int role) const
{
    const auto [x, names, part, isIncluded] = shown(index);
    if (!x || !names) return {};
    const XmlItem& p = x->items()[part];
    const bool element = p.isElement();
    const auto attribute = [&p, element, x = x](const char* name) {
        const XmlAttribute* a = element ? x->attribute(p, name) : nullptr;
        return a ? QString::fromStdString(x->value(*a)) : QString();
    };
    const QString type = className(*x, part);
    const ComponentEntryPtr entry = element ? Registry::instance().find(type.toStdString()) : nullptr;
    const bool isNode = element && names->isNode(part);
    const bool isInclude = type == "include";
    const auto file = element && !entry && !isNode ? includedFile(*x, part) : std::nullopt;
    const bool inComponent = p.parent != XmlItem::none && !names->isNode(p.parent);
    const std::string_view now = element && !entry ? currentComponentName(type.toStdString()) : std::string_view();
    const bool isUnknown =
        file ? file->path.empty()
             : element && !entry && !isNode && !inComponent && now.empty() && !findOldComponent(type.toStdString());
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole: {
            if (index.column() == Class) return isInclude ? attribute("href") : type;
            const QString name = QString::fromStdString(names->nameOf(part));
            if (!element) return tr("(commented out)");
            if (role == Qt::EditRole || !name.isEmpty()) return name;
            return isInclude ? tr("include") : attribute("type").isEmpty() ? type : attribute("type");
        }
        case Qt::DecorationRole:
            if (index.column() != Name) return {};
            if (isNode) return qt::categoryIcon("Node");
            if (entry) return qt::categoryIcon(entry->category);
            if (!now.empty())
                if (const auto current = Registry::instance().find(now)) return qt::categoryIcon(current->category);
            if (isUnknown) return QApplication::style()->standardIcon(QStyle::SP_MessageBoxWarning);
            return QApplication::style()->standardIcon(file ? QStyle::SP_FileLinkIcon : QStyle::SP_FileIcon);
        case Qt::ForegroundRole: {
            QColor ink = QApplication::palette().color(QPalette::Text);
            const bool off =
                !element || (isNode && (attribute("activated") == "0" || attribute("activated") == "false"));
            if (off || isIncluded) ink.setAlphaF(off ? 0.5F : 0.65F);
            if (isUnknown && index.column() == Class)
                ink = ink.lightness() < 128 ? QColor(170, 20, 30) : QColor(255, 130, 130);
            return ink;
        }
        case Qt::FontRole: {
            QFont font = QApplication::font();
            // Names that the scene does not give.
            font.setItalic(!element || (index.column() == Name && attribute("name").isEmpty()));
            return font;
        }
        case Qt::ToolTipRole: {
            QString tip = isIncluded ? tr("in %1; a double click opens it there").arg(QString::fromStdString(x->path()))
                                     : QString::fromStdString(names->pathOf(part));
            if (entry) tip += '\n' + QString::fromStdString(entry->help);
            if (!now.empty())
                tip += '\n' +
                       tr("an old name of %1").arg(QString::fromUtf8(now.data(), static_cast<qsizetype>(now.size())));
            if (file && !file->path.empty())
                tip += '\n' +
                       (file->isPrefab ? tr("prefab: %1") : tr("includes %1")).arg(QString::fromStdString(file->path));
            if (isUnknown)
                tip += '\n' + (file ? tr("The file is not found.")
                                    : tr("This is no component that is known; perhaps a prefab or of a plugin."));
            return tip;
        }
        case Qt::AccessibleDescriptionRole:
            return isIncluded ? tr("in %1").arg(QString::fromStdString(x->path())) : QVariant();
        default:
            return {};
    }
}

QVariant TreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == Name ? tr("Object") : tr("Class");
}

Qt::ItemFlags TreeModel::flags(const QModelIndex& index) const
{
    const Item* i = item(index);
    if (!i) return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::ItemIsDropEnabled;
    const XmlItem& p = m_document.text().tree()->items()[i->part];
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
    if (!m_document.text().wellFormed()) return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (p.isElement()) flags |= Qt::ItemIsDropEnabled;
    if (p.isElement() && index.column() == Name) flags |= Qt::ItemIsEditable;
    return flags;
}

bool TreeModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !item(index)) return false;
    const XmlId id = idOf(index);
    const std::string name = value.toString().toStdString();
    if (index.data(Qt::EditRole) == value) return false;
    return m_document.perform([&](SceneText& t) { t.rename(id, name); });
}

QStringList TreeModel::mimeTypes() const { return {sceneMimeType, idsMimeType}; }

QMimeData* TreeModel::mimeData(const QModelIndexList& indices) const
{
    std::vector<XmlId> ids;
    QStringList numbers{QString::number(reinterpret_cast<quintptr>(&m_document))};
    for (const QModelIndex& i : indices)
        if (i.column() == Name && idOf(i) != 0) ids.push_back(idOf(i)), numbers << QString::number(idOf(i));
    auto* data = new QMimeData;
    try {
        const QByteArray piece = QByteArray::fromStdString(m_document.text().copied(ids));
        data->setData(sceneMimeType, piece);
        data->setText(QString::fromUtf8(piece));
    } catch (const EditError&) {
        // The text is broken at the moment: nothing can be dragged.
    }
    data->setData(idsMimeType, numbers.join(' ').toLatin1());
    return data;
}

bool TreeModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int, int, const QModelIndex& parent) const
{
    const Item* i = item(parent);
    return i && data->hasFormat(sceneMimeType) && m_document.text().wellFormed() &&
           m_document.text().tree()->items()[i->part].isElement() && m_document.links()->isNode(i->part);
}

bool TreeModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                             const QModelIndex& parent)
{
    if (!canDropMimeData(data, action, row, column, parent)) return false;
    const Item* to = item(parent);
    const XmlId parentId = to->id;
    XmlId before = 0;
    if (row >= 0 && row < static_cast<int>(to->children.size()))
        before = m_items[static_cast<std::size_t>(to->children[static_cast<std::size_t>(row)])].id;
    const QStringList numbers = QString::fromLatin1(data->data(idsMimeType)).split(' ', Qt::SkipEmptyParts);
    const bool isOwn =
        !numbers.isEmpty() && numbers.front() == QString::number(reinterpret_cast<quintptr>(&m_document));
    std::vector<XmlId> ids;
    const bool done = m_document.perform([&](SceneText& t) {
        if (isOwn && action == Qt::MoveAction) {
            for (const QString& n : numbers.mid(1)) ids.push_back(n.toUInt());
            t.move(ids, parentId, before);
        } else {
            ids = t.insert(parentId, before, data->data(sceneMimeType).toStdString(), true);
        }
    });
    if (done) m_document.select(ids);
    return done;
}

}  // namespace sofa::modeler
