// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "core/factory/Registry.h"
#include "core/log/Session.h"
#include "core/scene/SceneAnalysis.h"
#include "core/scene/SceneDocument.h"
#include "core/scene/SceneLoader.h"

namespace sofa::core {

/// Part of a text that a message is about: an item of its XML, and an attribute of that.
struct TextAnchor
{
    std::uint32_t item = XmlItem::none;
    std::uint32_t attribute = XmlItem::none;  ///< counted in the item
};

/// A link in the text of an attribute: a path with '@', and what it leads to.
struct LinkAt
{
    std::uint32_t item = XmlItem::none;
    const XmlAttribute* attribute = nullptr;
    TextRange range;  ///< of the path
    std::string path;
};

/// What an analysis knows of its text.
class SceneAnalysis::Content
{
public:
    explicit Content(std::string p) : path(std::move(p)) {}
    ~Content() { clear(); }
    Content(const Content&) = delete;
    Content& operator=(const Content&) = delete;

    // --- Analysis (SceneAnalysis.cpp) -----------------------------------------------------------------------------
    void load(std::string text);
    void setText(std::string text);
    void check(const Initialise& initialise);

    /// What is done to the graph belongs to its session.
    std::unique_ptr<Session::Scope> scope() const
    {
        return m_session ? std::make_unique<Session::Scope>(*m_session) : nullptr;
    }

    // --- What there is --------------------------------------------------------------------------------------------
    const XmlDocument& xml() const { return source->xml(0); }
    bool isReadable() const { return source != nullptr; }
    const XmlItem& item(std::uint32_t i) const { return xml().items()[i]; }
    Base* objectOf(std::uint32_t i) const { return i < objects.size() ? objects[i] : nullptr; }
    /// The node in whose element an item stands; nullptr if there is none.
    Node* nodeAround(std::uint32_t i) const;
    /// The innermost element around a place, also one whose start tag does not end; XmlItem::none if there is none.
    std::uint32_t elementAt(std::size_t at) const;
    /// The class that an element names, `type` of <Object> included; of old scenes under today's name.
    std::string classOf(std::uint32_t element) const;
    /// An object of a class, to be asked what attributes it has; nullptr if there is no such class.
    const Base* prototype(std::uint32_t element) const;
    const Base* prototype(const std::string& type, const std::string& templ) const;
    TextAnchor anchorAt(std::size_t at) const;
    /// The indentation of an item and the line end before it, where it begins its line.
    std::string indentationOf(std::uint32_t i) const;
    TextRange rangeOf(const TextAnchor& a, const Message& m) const;

    /// The link under the cursor; none if there is none.
    std::optional<LinkAt> linkAt(std::size_t at) const;
    /// The paths with '@' in the text of an attribute.
    std::vector<LinkAt> linksIn(std::uint32_t element, const XmlAttribute& a) const;
    /// What a path of an element leads to: an object, and its Data if the path names one.
    std::pair<Base*, BaseData*> target(const LinkAt& l) const;
    /// The element of an object in one of the files, or the attribute that gives one of its Data.
    std::optional<FileRange> placeOf(const Base& object, const BaseData* data = nullptr) const;

    // In words.
    static std::string summary(const BaseData& d);
    static std::string summary(const BaseLink& l);
    static std::string helpOf(const Base& object, std::string_view attribute);
    static std::string helpOf(const ComponentEntry& e);

    std::string path, text;
    std::unique_ptr<SceneDocument> source;  ///< the text; none if nothing can be read
    std::vector<XmlProblem> malformed;
    std::shared_ptr<Node> root;
    std::vector<Base*> objects;  ///< by item: the first that its element made
    std::vector<SceneProblem> problems;
    std::vector<TextAnchor> anchors;  ///< of the problems
    bool provisional = false;
    double patience = 0.04;  ///< [s]

private:
    void clear();
    void readText(std::string text);
    std::shared_ptr<Node> build(std::vector<Message>& messages) const;
    void mapObjects();
    void take(const std::vector<Message>& messages);
    void finishProblems();
    bool tryChanges(const SceneDocument& before, const std::string& textBefore,
                    const std::vector<XmlProblem>& malformedBefore);
    std::string nameAmongOthers(std::uint32_t element) const;
    void tryElementAt(std::uint32_t element, Base* old, bool ownOnly);

    std::shared_ptr<Session> m_session;
    double m_loadTime = 0.;
    mutable std::map<std::pair<ComponentEntryPtr, std::string>, std::shared_ptr<Component>> m_prototypes;
    friend class SceneAnalysis;
};

}  // namespace sofa::core
