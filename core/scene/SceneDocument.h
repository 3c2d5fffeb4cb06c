// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "core/objectmodel/Node.h"
#include "core/scene/SceneFile.h"
#include "core/scene/XmlDocument.h"

namespace sofa::core {

struct SceneElement;

/// An element of a scene: the file in which it stands, its number there, and the include through which that file came.
struct ElementPlace
{
    std::uint32_t file = 0;     ///< index in SceneDocument
    XmlId element = 0;          ///< 0: none
    std::uint32_t include = 0;  ///< index in SceneDocument::includes; 0: the scene itself

    bool known() const { return element != 0; }
    bool isSameElement(const ElementPlace& o) const { return file == o.file && element == o.element; }
    friend bool operator==(const ElementPlace&, const ElementPlace&) = default;
};

/// A file put in the place of an <include>, or of an element that names a prefab.
struct SceneInclude
{
    ElementPlace by;
    std::uint32_t file = 0;
    bool isPrefab = false;
};

/// An attribute of an object that another element gives: an include, a merged element, or an <Attribute> inside.
struct GivenElsewhere
{
    std::string name;      ///< of the attribute of the object
    ElementPlace by;       ///< the element that gives it
    std::string spelling;  ///< and the name that the attribute has there
};

/// What made an object of the graph.
struct SceneOrigin
{
    ElementPlace place;
    std::vector<GivenElsewhere> elsewhere;  ///< the last of a name counts
};

/// Where an edit of an object that came from an include goes.
enum class EditWhere
{
    InInclude,  ///< into the included file, for all who include it
    AsOverride  ///< as an attribute of the outermost include
};

/// Thrown when an edit cannot be made; nothing has changed then.
struct EditError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

struct SaveOptions
{
    bool overwrite = false;  ///< also files that others have changed meanwhile
    /// Attributes that the scene gives are written with the present values of their Data, where these have changed.
    bool presentValues = false;
    /// State with which the saved scene begins, in place of one that its root names (Node::d_checkpoint).
    std::string checkpoint = {};
};

/// The files of which a scene is made, the scene file first, and what of the graph each of their elements made.
///
/// A document belongs to its graph (SceneState::document). It is made by loadScene and edited by SceneEditor; every
/// edit is a step that can be undone. Files keep all bytes that no edit was about. An included file is there once,
/// however often it is included.
class SceneDocument
{
public:
    SceneDocument();
    ~SceneDocument();

    // --- Files ----------------------------------------------------------------------------------------------------
    /// Reads a file, unless that was done before; returns its index. Throws SceneError.
    std::uint32_t open(const std::string& path);
    /// A text that stands for a file of this name.
    std::uint32_t openText(std::string text, const std::string& path);
    /// The same for a text that is being written (XmlDocument).
    std::uint32_t openText(std::string text, const std::string& path, std::vector<XmlProblem>& problems);
    std::size_t fileCount() const { return m_files.size(); }
    const XmlDocument& xml(std::uint32_t file) const;
    /// Whether a file has edits that were not saved.
    bool isEdited(std::uint32_t file) const;
    bool isEdited() const;
    /// Files that others have changed on the disk since they were read or saved.
    std::vector<std::string> changedOnDisk() const;

    // --- Origins --------------------------------------------------------------------------------------------------
    const std::vector<SceneInclude>& includes() const { return m_includes; }
    std::uint32_t addInclude(SceneInclude include);
    /// What made an object; nullptr for one that code made.
    const SceneOrigin* origin(const Base& object) const;
    /// Where the element of an object stands now; unknown if there is none.
    SourceLocation where(const Base& object) const;
    /// The includes that led to an object, the outermost first.
    std::vector<SceneInclude> chain(const Base& object) const;
    /// The element and the name by which an object got an attribute; no element if the scene does not give it.
    GivenElsewhere giver(const Base& object, std::string_view attribute) const;
    /// The objects that an element made, in whatever include; those that are in the graph of `root` now.
    std::vector<Base*> objectsOf(const Node& root, const ElementPlace& place) const;
    /// The references to a node (`sameAs`) below its other parents.
    std::vector<ElementPlace> references(const Node& root, const Node& node) const;
    /// The element with its whole text.
    std::string text(const ElementPlace& place) const;

    /// For the loader: `object` comes from this element.
    void note(const Base& object, const SceneElement& element);
    /// The object is as its element says: only later changes are taken into the document.
    void settle(const Base& object);
    /// An attribute was given by others than the scene, such as the command line: update takes it into the document.
    void unsettle(const Base& object, std::string_view attribute);
    /// Objects made from `first` to now (Base::serial) are no part of the scene's text: components make them again.
    void leaveOut(std::uint64_t first);

    // --- Saving ---------------------------------------------------------------------------------------------------
    /// Throws FileChanged if saving there would overwrite what others have changed meanwhile; an error if the file is
    /// another one of the scene.
    void checkSave(const std::string& path) const;
    /// Takes into the document what was changed in the graph by other ways than SceneEditor: attributes, names, objects
    /// that were added, removed or moved. It is one step of editing. What came from an include becomes an override
    /// there, or, where none can say it, the include is written out.
    void update(Node& root, bool presentValues = false);
    /// Updates the document and writes it: the scene to `path`, in which the names of files are changed so that they
    /// are found from there, and edited includes to their own files. A scene whose root stands in an include is written
    /// out (writeScene). Throws FileChanged, and std::runtime_error where a file cannot be written; what could not be
    /// written is as before.
    void save(Node& root, const std::string& path, const SaveOptions& options = {});

    // --- Steps of editing: for SceneEditor ------------------------------------------------------------------------
    /// Edits of texts from here to commit or rollBack are one step. Steps do not nest.
    void begin(std::string label);
    void commit(std::function<void()> undo = {}, std::function<void()> redo = {}, std::string mergeKey = {});
    /// Everything since begin is taken back.
    void rollBack();
    void edit(std::uint32_t file, std::vector<TextEdit> edits);
    void setOrigin(const Base& object, SceneOrigin origin);
    bool canUndo() const { return !m_done.empty(); }
    bool canRedo() const { return !m_undone.empty(); }
    std::string undoLabel() const { return m_done.empty() ? std::string() : m_done.back().label; }
    std::string redoLabel() const { return m_undone.empty() ? std::string() : m_undone.back().label; }
    void undo();
    void redo();

    // What an object is given, in its element or where `where` says. Throws EditError.
    void give(const Node& root, const Base& object, const std::string& name, const std::string& value, EditWhere where);
    /// Returns the value that counts then, of the element itself or an inner include; none if there is none.
    std::optional<std::string> takeAway(const Base& object, const std::string& name, EditWhere where);

    // Edits of elements, which keep the indentation around them.
    void setAttribute(const ElementPlace& place, const std::string& name, const std::string& value);
    void clearAttribute(const ElementPlace& place, const std::string& name);
    void renameAttribute(const ElementPlace& place, const std::string& from, const std::string& to);
    /// Puts the text of elements (UTF-8, not indented) into an element, before another one in it or at its end. Returns
    /// the places of those elements.
    std::vector<ElementPlace> insert(const ElementPlace& parent, const ElementPlace& before, const std::string& text);
    void remove(const ElementPlace& place);
    void move(const ElementPlace& place, const ElementPlace& parent, const ElementPlace& before);
    /// Replaces an element, or a comment, with elements, or with a comment; returns the places of the elements.
    std::vector<ElementPlace> replace(const ElementPlace& place, const std::string& text);

private:
    class Updater;

    /// An object of the graph as the document knows it.
    struct Known
    {
        struct Given
        {
            std::uint64_t name, text;  ///< hashes
            std::size_t counter;       ///< of the Data
        };
        std::uint64_t serial = 0;
        SceneOrigin origin;
        std::vector<std::uint64_t> parents;  ///< serials of the nodes that hold it
        std::uint64_t name = 0;              ///< hash
        std::vector<Given> given;
    };

    /// A step: edits of texts, and what they mean for the graph.
    struct Step
    {
        std::string label;
        std::string mergeKey;  ///< steps with the same key that follow each other are merged; empty: never
        struct Piece
        {
            std::uint32_t file;
            std::vector<TextEdit> edits;
        };
        std::vector<Piece> text;           ///< in this order, makes the other state of the text
        std::function<void()> undo, redo;  ///< of the graph
        std::vector<Known> known;  ///< objects in the other state, in the order in which they are to be put back
    };

    std::uint32_t index(const ElementPlace& place) const;
    const XmlItem& item(const ElementPlace& place) const;
    Known* known(const Base& object);
    const Known* known(const Base& object) const;
    void remember(const Known& k);
    void swapStep(Step& step);
    void moveFileNames(Node& root, const std::filesystem::path& folder);
    void moveIncludes(const std::filesystem::path& folder);
    void checkUnchanged(std::uint32_t file) const;
    std::vector<ElementPlace> placesBetween(const ElementPlace& beside, std::size_t begin, std::size_t end) const;
    std::uint32_t outermost(const ElementPlace& place) const;
    /// Notes what an element made, and all below it.
    void noteAll(Base& object, const SceneElement& element);
    bool isLeftOut(const Base& object) const;
    TextEdit insertionAt(const ElementPlace& parent, const ElementPlace& before, const std::string& text) const;

    std::vector<std::unique_ptr<SceneFile>> m_files;
    std::vector<SceneInclude> m_includes;
    std::vector<Known> m_known;  ///< sorted by serial
    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_leftOut;
    std::vector<Step> m_done, m_undone;
    std::optional<Step> m_step;
};

}  // namespace sofa::core
