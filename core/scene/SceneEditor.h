// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/scene/SceneDocument.h"
#include "core/scene/SceneSnapshot.h"

namespace sofa::core {

/// Edits a scene: its document and, in the same step, its graph. Between two steps of a running simulation; the next
/// one settles the graph (Simulation::settle).
///
/// Each command is one step, which undo takes back to the same bytes and the same objects. A command that cannot be
/// done throws EditError and changes nothing. What an included file says is edited there, and then in all that include
/// it; or as an attribute of the include, which can only set attributes that the file gives (docs/scene-format.md).
/// Objects that are in no file are edited in the graph alone; SceneDocument::update brings them into the document.
class SceneEditor
{
public:
    using Where = EditWhere;

    /// For a scene with this root, which gets a document without files if it has none.
    explicit SceneEditor(Node& root);
    SceneDocument& document() const { return *m_document; }

    /// Sets attributes as the scene would. Returns what was refused; nothing is changed then. With `merge`, the step
    /// becomes part of the one before if that set the same attributes of the same object: one undo for a slider.
    EditErrors setAttributes(Base& object, const Edits& edits, Where where = Where::AsOverride, bool merge = false);
    /// Takes attributes away: the Data has its default again, or the value that the included file gives.
    void clearAttribute(Base& object, const std::string& name, Where where = Where::AsOverride);
    /// The attribute stays in the file, with '_' before its name, and has no effect.
    void switchOffAttribute(Base& object, const std::string& name, Where where = Where::InInclude);
    void switchOnAttribute(Base& object, const std::string& name, Where where = Where::InInclude);

    /// Adds what a piece of a scene ("<Node>...</Node>") describes, before another object of the node or at its end.
    /// Returns the new objects.
    std::vector<Base*> add(Node& parent, const std::string& text, const Base* before = nullptr,
                           Where where = Where::AsOverride);
    void remove(Base& object, Where where = Where::AsOverride);
    /// Within a file.
    void move(Base& object, Node& to, const Base* before = nullptr, Where where = Where::AsOverride);
    /// Links to the object, and to what is below it, follow.
    void rename(Base& object, const std::string& name, Where where = Where::AsOverride);
    /// A component becomes a comment; a node gets activated="0".
    void switchOff(Base& object, Where where = Where::AsOverride);
    /// The comments in a node's element that hold one element, as switchOff leaves them.
    std::vector<XmlId> switchedOff(const Node& node) const;
    /// Brings what is in a comment back. Returns the objects.
    std::vector<Base*> switchOn(Node& node, XmlId comment, Where where = Where::AsOverride);

    bool canUndo() const { return m_document->canUndo(); }
    bool canRedo() const { return m_document->canRedo(); }
    /// False if there was nothing to take back.
    bool undo();
    bool redo();

private:
    std::vector<Base*> build(Node& parent, const std::vector<ElementPlace>& places);
    ElementPlace placeToEdit(const Base& object, Where where) const;
    std::size_t placeBefore(const Node& node, const ElementPlace& place, bool forNode) const;

    Node& m_root;
    std::shared_ptr<SceneDocument> m_document;
};

/// SceneEditor::setAttributes for panels: where no override can set them, the graph alone is edited, and an include is
/// written out when the scene is saved (SceneDocument::update).
EditErrors editAttributes(Node& root, Base& object, const Edits& edits);

}  // namespace sofa::core
