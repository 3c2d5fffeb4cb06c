// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/SceneDocument.h"
#include "core/scene/XmlDocument.h"

namespace sofa::core {

/// The edit that makes one text of another: what is between their common beginning and end. It does not cut characters
/// of UTF-8 in pieces.
TextEdit difference(std::string_view from, std::string_view to);

/// The text of one scene file while somebody edits it, by hand and by commands, with one list of steps to undo.
///
/// The text is the truth, and need be neither a scene that can be loaded nor well-formed XML. tree() is that of the
/// text, or, while the text is not well-formed, of the last one that was. Nothing but the edits changes the bytes.
/// Commands work on elements by their numbers (XmlItem::id) and throw EditError where they cannot be done; nothing has
/// changed then.
class SceneText
{
public:
    /// `path` is the name in messages, and the folder in which names of files are looked for; it may be empty.
    explicit SceneText(std::string bytes, std::string path = {});
    SceneText(const SceneText&) = delete;
    SceneText& operator=(const SceneText&) = delete;

    const std::string& bytes() const { return m_bytes; }
    const std::string& path() const { return m_path; }
    void setPath(std::string path) { m_path = std::move(path); }
    /// nullptr if the text has never been well-formed.
    const XmlDocument* tree() const { return m_tree.get(); }
    /// What is not well-formed; none if the tree is that of the text.
    const std::optional<SceneError>& error() const { return m_error; }
    bool wellFormed() const { return !m_error; }
    /// The tree for commands. Throws EditError if it is not that of the text.
    const XmlDocument& treeToEdit() const;
    /// Grows with every change of the text.
    std::size_t revision() const { return m_revision; }

    /// Whether bytes are not those of the last markSaved(), or of the beginning.
    bool isEdited() const { return m_bytes != m_saved; }
    void markSaved() { m_saved = m_bytes; }

    // --- Steps ----------------------------------------------------------------------------------------------------
    /// Makes edits at once, sorted by place and apart from each other, as a step of its own or part of the open one.
    /// A step with the same `mergeKey` as the last becomes part of that; empty: never.
    void edit(std::vector<TextEdit> edits, std::string label, std::string mergeKey = {});
    /// Calls `f`; all its edits are one step. If it throws, they are taken back, and EditError says why.
    template <class F>
    void step(std::string label, const F& f)
    {
        begin(std::move(label));
        try {
            f();
        } catch (const EditError&) {
            rollBack();
            throw;
        } catch (const std::runtime_error& e) {
            rollBack();
            throw EditError(e.what());
        }
        commit();
    }
    /// The next edit is a step of its own.
    void endMerging();
    bool canUndo() const { return !m_done.empty(); }
    bool canRedo() const { return !m_undone.empty(); }
    /// Label of the step that undo() takes back; empty if there is none.
    std::string undoLabel() const { return m_done.empty() ? std::string() : m_done.back().label; }
    std::string redoLabel() const { return m_undone.empty() ? std::string() : m_undone.back().label; }
    void undo();
    void redo();
    /// Labels of all steps, those to redo at the end.
    std::vector<std::string> history() const;
    /// How many of them are done.
    std::size_t historyPosition() const { return m_done.size(); }
    /// Undoes or does steps until so many of them are done.
    void goTo(std::size_t position);
    /// Where in the bytes the last change was.
    std::size_t lastPlace() const { return m_lastPlace; }

    // --- Commands: core/scene/SceneTextCommands.cpp ------------------------------------------------------------------
    /// Puts elements into another one, before one of its parts or at its end (0). Names of theirs that are taken there
    /// become new ones with `freshNames`, and links between them follow. Returns their numbers.
    std::vector<XmlId> insert(XmlId parent, XmlId before, const std::string& text, bool freshNames = false);
    void remove(const std::vector<XmlId>& elements);
    /// Moves elements of this text; links follow as far as the text says where they lead.
    void move(const std::vector<XmlId>& elements, XmlId parent, XmlId before);
    /// The elements as a text to be inserted, without those inside of others.
    std::string copied(const std::vector<XmlId>& elements) const;
    /// A copy behind each element; links within the copies lead to the copies. Returns the copies.
    std::vector<XmlId> duplicate(const std::vector<XmlId>& elements);
    /// Links to the element, and to what is below it, follow.
    void rename(XmlId element, const std::string& name);
    void setAttribute(XmlId element, const std::string& name, const std::string& value, bool merge = false);
    void clearAttribute(XmlId element, const std::string& name);
    /// The element becomes a comment.
    void commentOut(const std::vector<XmlId>& elements);
    /// What is in a comment becomes an element again.
    void commentIn(const std::vector<XmlId>& comments);

private:
    struct Step
    {
        std::string label, mergeKey;
        std::vector<std::vector<TextEdit>> pieces;  ///< in this order, make the other state
    };
    void begin(std::string label);
    void commit();
    void rollBack();
    std::vector<TextEdit> apply(const std::vector<TextEdit>& edits);
    /// edit() for commands: throws EditError, and changes nothing, where the text would not be well-formed.
    void change(std::vector<TextEdit> edits, std::string label, std::string mergeKey = {});
    void note(std::vector<TextEdit> back, std::string label, std::string mergeKey);
    void swap(Step& step);
    std::uint32_t index(XmlId id) const;
    std::uint32_t elementIndex(XmlId id) const;
    std::vector<std::uint32_t> outermost(const std::vector<XmlId>& elements) const;

    std::string m_bytes, m_saved, m_path;
    std::unique_ptr<XmlDocument> m_tree;
    std::optional<SceneError> m_error;
    std::size_t m_revision = 1, m_lastPlace = 0;
    std::vector<Step> m_done, m_undone;
    std::optional<Step> m_step;
};

}  // namespace sofa::core
