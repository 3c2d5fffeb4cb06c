// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/scene/XmlDocument.h"

namespace sofa::core {

/// One word of an attribute that leads to an object.
struct TextLink
{
    XmlId element = 0;
    std::string attribute;
    std::size_t word = 0;  ///< number of the word in the value
    std::string path;      ///< "@../a/b.data"
    XmlId target = 0;      ///< 0: not known
};

/// The objects that the text of one scene file describes, and the links between them, as far as the text alone tells:
/// nothing is loaded. What an include or a prefab brings is not known; a path that may lead into one leads nowhere
/// here. It refers to the document, which must not change meanwhile.
class TextLinks
{
public:
    explicit TextLinks(const XmlDocument& x);

    std::vector<TextLink> links() const;
    /// Those of an element, and of what is in it.
    std::vector<TextLink> linksIn(std::uint32_t element) const;

    /// Name of a node or component, also of one that gets a name of its class; empty for other elements.
    const std::string& nameOf(std::uint32_t element) const { return m_names[element]; }
    /// "/body/mass", "/" for the root.
    std::string pathOf(std::uint32_t element) const;
    /// Class of a component as it is registered today, else as it is written; "Node" for nodes.
    std::string classOf(std::uint32_t element) const;
    /// Whether an element is a node of the scene's text.
    bool isNode(std::uint32_t element) const;
    /// Whether it stands for another file: an include, or no component that is known (a prefab, perhaps).
    bool isOpaque(std::uint32_t element) const { return m_opaque[element]; }

    /// Where a path leads, seen from an element; 0 if that is not known.
    XmlId target(std::uint32_t from, std::string_view path) const;
    /// The path of a link in the form in which it leads to `target`: with another name on its way if that is enough,
    /// else from the root; as it is where neither helps.
    std::string corrected(const TextLink& link, XmlId target, const std::string& oldName,
                          const std::string& newName) const;
    /// Whether a name is taken in a node.
    bool isTaken(std::uint32_t node, const std::string& name) const;
    /// A name like this one that is free in a node.
    std::string freeName(std::uint32_t node, const std::string& name) const;

private:
    struct Scope
    {
        std::unordered_map<std::string, std::uint32_t> children, components;
        std::vector<std::uint32_t> order;  ///< components
        bool opaque = false;               ///< holds an include or prefab
    };
    static constexpr std::uint32_t unknown = XmlItem::none;
    const Scope* scope(std::uint32_t node) const;
    std::uint32_t nodeOf(std::uint32_t element) const;
    std::uint32_t find(std::uint32_t from, std::string_view path) const;

    const XmlDocument& m_x;
    std::vector<std::string> m_names;
    std::vector<bool> m_opaque;
    std::unordered_map<std::uint32_t, Scope> m_scopes;  ///< looked up only
};

/// A name like this one, with another number at its end if it is taken.
std::string freeName(const std::string& name, const std::function<bool(const std::string&)>& isTaken);

/// Edits that give links other paths, sorted by place: each link that has another path in `to` than in the document.
std::vector<TextEdit> linkEdits(const XmlDocument& x, const std::vector<TextLink>& to);

}  // namespace sofa::core
