// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>

#include "core/scene/SceneText.h"
#include "core/scene/TextLinks.h"

namespace sofa::modeler {

using namespace sofa::core;

/// A scene file that is open: its text, and which elements of it are selected. All panels change the text through
/// perform(), and follow the signals.
class Document : public QObject
{
    Q_OBJECT

public:
    /// A file, or a new document (empty path) that is named `title` until it is saved.
    Document(std::string bytes, const QString& path, const QString& title = {}, QObject* parent = nullptr);
    /// Reads a file. Throws SceneError if it cannot be read.
    static std::unique_ptr<Document> open(const QString& path);

    const SceneText& text() const { return m_text; }
    /// Links and names of the tree; nullptr if there is no tree.
    const TextLinks* links() const;
    /// Empty for a document that was never saved.
    const QString& path() const { return m_path; }
    /// Name of the file, or of the new document.
    QString title() const;
    bool isEdited() const { return m_text.isEdited(); }

    /// Calls `f` with the text. If it throws EditError, nothing has changed, refused() says why, and the result is
    /// false.
    bool perform(const std::function<void(SceneText&)>& f);
    void undo();
    void redo();
    void goTo(std::size_t step);

    /// Elements and comments; the last one is the one that panels show.
    const std::vector<XmlId>& selection() const { return m_selection; }
    XmlId current() const { return m_selection.empty() ? 0 : m_selection.back(); }
    void select(std::vector<XmlId> elements);
    /// Index of the innermost part that holds a byte; XmlItem::none if there is none.
    std::uint32_t partAt(std::size_t byte) const;
    /// The node into which something new comes where an element is selected, and the element behind it (0: none).
    std::pair<XmlId, XmlId> placeForNew() const;

    /// Writes the bytes. False if the file cannot be written.
    bool save(const QString& path, QString& error);
    /// Whether another program has changed the file since it was read or written.
    bool changedOnDisk() const;

Q_SIGNALS:
    /// The text, or whether it is that of the file.
    void changed();
    void selectionChanged();
    void refused(const QString& reason);

private:
    void noteChange();

    SceneText m_text;
    QString m_path, m_title;
    std::vector<XmlId> m_selection;
    std::uint64_t m_onDisk = 0;  ///< hash of what the file held
    mutable std::unique_ptr<TextLinks> m_links;
    mutable std::size_t m_linksOf = 0;  ///< revision
};

}  // namespace sofa::modeler
