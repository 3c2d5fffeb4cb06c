// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/Document.h"

#include <QFileInfo>
#include <QSaveFile>

#include "core/scene/SceneFile.h"

namespace sofa::modeler {

Document::Document(std::string bytes, const QString& path, const QString& title, QObject* parent)
    : QObject(parent),
      m_text(std::move(bytes), path.isEmpty() ? title.toStdString() : path.toStdString()),
      m_path(path),
      m_title(title),
      m_onDisk(textHash(m_text.bytes()))
{
    if (const XmlDocument* x = m_text.tree()) m_selection = {x->items()[x->root()].id};
}

std::unique_ptr<Document> Document::open(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    return std::make_unique<Document>(readBytes(absolute.toStdString()), absolute);
}

const TextLinks* Document::links() const
{
    if (!m_text.tree()) return nullptr;
    if (!m_links || m_linksOf != m_text.revision()) m_links = std::make_unique<TextLinks>(*m_text.tree());
    m_linksOf = m_text.revision();
    return m_links.get();
}

QString Document::title() const { return m_path.isEmpty() ? m_title : QFileInfo(m_path).fileName(); }

void Document::noteChange()
{
    const XmlDocument* x = m_text.tree();
    std::erase_if(m_selection, [&](XmlId id) { return !x || x->find(id) == XmlItem::none; });
    Q_EMIT changed();
    Q_EMIT selectionChanged();
}

bool Document::perform(const std::function<void(SceneText&)>& f)
{
    const std::size_t before = m_text.revision();
    QString reason;
    try {
        f(m_text);
    } catch (const EditError& e) {
        reason = QString::fromUtf8(e.what());
    }
    if (m_text.revision() != before) noteChange();
    if (!reason.isNull()) Q_EMIT refused(reason);
    return reason.isNull();
}

void Document::undo() { goTo(m_text.historyPosition() == 0 ? 0 : m_text.historyPosition() - 1); }
void Document::redo() { goTo(m_text.historyPosition() + 1); }

void Document::goTo(std::size_t step)
{
    const std::size_t before = m_text.revision();
    m_text.goTo(step);
    if (m_text.revision() == before) return;
    noteChange();
    if (!m_text.wellFormed()) return;
    const std::uint32_t at = partAt(m_text.lastPlace());
    if (at != XmlItem::none) select({m_text.tree()->items()[at].id});
}

void Document::select(std::vector<XmlId> elements)
{
    if (elements == m_selection) return;
    m_selection = std::move(elements);
    Q_EMIT selectionChanged();
}

std::uint32_t Document::partAt(std::size_t byte) const
{
    const XmlDocument* x = m_text.tree();
    if (!x) return XmlItem::none;
    std::uint32_t found = XmlItem::none;
    const auto& items = x->items();
    for (std::uint32_t i = 0; i < items.size();) {
        const XmlItem& item = items[i];
        if (item.begin > byte) break;
        if (byte >= item.end) {
            i = item.next;
            continue;
        }
        found = i++;
    }
    return found;
}

std::pair<XmlId, XmlId> Document::placeForNew() const
{
    const XmlDocument* x = m_text.tree();
    if (!x) return {0, 0};
    const TextLinks& names = *links();
    std::uint32_t i = current() == 0 ? XmlItem::none : x->find(current());
    if (i == XmlItem::none) i = x->root();
    if (x->items()[i].isElement() && names.isNode(i)) return {x->items()[i].id, 0};
    // Beside a component: behind it.
    while (x->items()[i].parent != XmlItem::none && !names.isNode(x->items()[i].parent)) i = x->items()[i].parent;
    const std::uint32_t parent = x->items()[i].parent;
    if (parent == XmlItem::none) return {x->items()[i].id, 0};
    const std::uint32_t next = x->items()[i].next;
    return {x->items()[parent].id, next < x->endIn(parent) ? x->items()[next].id : 0};
}

bool Document::save(const QString& path, QString& error)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QSaveFile file(absolute);
    const std::string& bytes = m_text.bytes();
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(bytes.data(), static_cast<qint64>(bytes.size())) != static_cast<qint64>(bytes.size()) ||
        !file.commit()) {
        error = tr("'%1' cannot be written: %2").arg(absolute, file.errorString());
        return false;
    }
    m_path = absolute;
    m_onDisk = textHash(bytes);
    m_text.setPath(absolute.toStdString());
    m_text.markSaved();
    m_text.endMerging();
    Q_EMIT changed();
    return true;
}

bool Document::changedOnDisk() const
{
    if (m_path.isEmpty() || !QFileInfo::exists(m_path)) return false;
    try {
        return textHash(readBytes(m_path.toStdString())) != m_onDisk;
    } catch (const SceneError&) {
        return true;
    }
}

}  // namespace sofa::modeler
