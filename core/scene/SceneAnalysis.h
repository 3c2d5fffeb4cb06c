// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/log/Message.h"
#include "core/log/Session.h"
#include "core/objectmodel/Node.h"
#include "core/scene/XmlDocument.h"

/// What editors of scenes ask about the text of one: the language server of runSofa, and the Modeler.
namespace sofa::core {

/// A piece of a text: places of bytes.
struct TextRange
{
    std::size_t begin = 0, end = 0;
    bool contains(std::size_t at) const { return at >= begin && at <= end; }
    friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// A piece of a file of a scene.
struct FileRange
{
    std::string file;  ///< absolute path
    TextRange range;
    friend bool operator==(const FileRange&, const FileRange&) = default;
};

/// A change of the text that mends what a message is about.
struct SceneFix
{
    std::string title;            ///< "Change 'raduis' to 'radius'"
    std::vector<TextEdit> edits;  ///< of the analysed text, sorted and apart from each other
};

/// A message about a scene, as runSofa prints it.
struct SceneProblem
{
    Message message;
    bool inText = true;  ///< false: it is about an included file, in which `message.where` says the place
    TextRange range;     ///< in the text
};

/// Something to write at a place of the text.
struct SceneCompletion
{
    enum class Kind
    {
        Component,
        Node,  ///< <Node>, <include>, an end tag, ...
        Attribute,
        Value,
        Link,
        File
    };
    Kind kind = Kind::Value;
    std::string label;   ///< what lists show
    std::string insert;  ///< what takes the place of `replaced`
    /// Where the cursor is then, counted from the beginning of `insert`: between the quotes of a new attribute.
    std::size_t cursor = 0;
    TextRange replaced;
    std::string detail;  ///< in a line: category or type, unit, default
    std::string help;
    bool fits = true;  ///< false for a component that cannot work at this place, and what is rarely written
};

/// What is under the cursor.
struct SceneHover
{
    TextRange range;
    std::string title;  ///< "youngModulus: double [Pa], > 0"
    std::string text;   ///< help, aliases, default, ...: lines
};

/// An element of the text with those in it.
struct SceneSymbol
{
    std::string name;  ///< of the object
    std::string type;  ///< its class, "Node"
    TextRange range;   ///< of the whole element
    TextRange tag;     ///< of the name in the start tag
    std::vector<SceneSymbol> children;
};

/// The edits of a file.
struct FileEdits
{
    std::string file;  ///< absolute path
    std::vector<TextEdit> edits;
};

/// Thrown where what was asked for cannot be done.
struct AnalysisError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// A text of a scene that is being written, and what the loader says about it.
///
/// The text need not be well-formed. It is in UTF-8, and places in it count bytes from its beginning. The loader itself
/// reads it, into a graph that is never simulated: messages have the words and places that runSofa prints. Plugins that
/// the scene names are loaded. In a large scene an edit is provisional at first: only the elements that it changed are
/// tried, in the graph that there is.
///
/// Not thread safe, but different analyses may be used in different threads.
class SceneAnalysis
{
public:
    /// `path` names the text; files that it refers to are looked for from its folder.
    explicit SceneAnalysis(std::string path);
    ~SceneAnalysis();
    SceneAnalysis(const SceneAnalysis&) = delete;
    SceneAnalysis& operator=(const SceneAnalysis&) = delete;

    const std::string& path() const;
    const std::string& text() const;
    /// Analyses another text. Included files are read anew if they have changed.
    void setText(std::string text);
    /// The same for the text with this edit.
    void edit(const TextEdit& edit);
    /// Whether it is not known yet what the last edit means for elements that it did not change: refresh() finds out,
    /// best when nothing was typed for a moment.
    bool isProvisional() const;
    /// Analyses the whole text anew; also after another file was changed.
    void refresh();
    /// For tests: loads that take less [s] are not worth being provisional.
    void setPatience(double seconds);

    /// All messages about the text, in the order of their places; those about included files come last.
    const std::vector<SceneProblem>& problems() const;
    /// What mends a problem, the likeliest first; the problem is one of the list.
    std::vector<SceneFix> fixes(const SceneProblem& problem) const;
    /// What is done with a root in the session in which it was built. Who keeps a simulation of it keeps the session
    /// too.
    using Initialise = std::function<void(const std::shared_ptr<Node>& root, const std::shared_ptr<Session>& session)>;
    /// Builds the scene once more and lets `initialise` do with it what a simulation does before its first step (what
    /// is missing is found only then). The messages are among the problems until the text changes. Nothing is done if
    /// the text has errors.
    void check(const Initialise& initialise);

    /// What may be written at a place, what fits first.
    std::vector<SceneCompletion> completions(std::size_t at) const;
    std::optional<SceneHover> hover(std::size_t at) const;
    /// What the link at a place leads to: the element of an object, or the attribute that gives a Data.
    std::optional<FileRange> definition(std::size_t at) const;
    /// The links, in all files of the scene, that lead to the object whose element, or a link to which, is at a place;
    /// with the name of the object itself, where it has one.
    std::vector<FileRange> references(std::size_t at, bool withDeclaration = true) const;
    /// The name, at this place, that `rename` changes; none if there is no object.
    std::optional<TextRange> renamed(std::size_t at) const;
    /// Gives the object at a place another name, and makes all links follow. Throws AnalysisError, also while the text
    /// is not well-formed, and for a name that cannot be one.
    std::vector<FileEdits> rename(std::size_t at, const std::string& name) const;
    /// The elements of the text: its root.
    std::vector<SceneSymbol> symbols() const;

    /// The object that the element at a place made; nullptr if there is none.
    Base* objectAt(std::size_t at) const;
    /// The root of the graph; nullptr if nothing could be made of the text.
    Node* root() const;

    class Content;

private:
    std::unique_ptr<Content> m_content;
};

}  // namespace sofa::core
