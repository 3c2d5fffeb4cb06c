// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The commands of SceneText: steps made of edits of elements.
#include <algorithm>
#include <map>

#include "core/scene/ElementEdits.h"
#include "core/scene/SceneText.h"
#include "core/scene/TextLinks.h"

namespace sofa::core {

namespace {

/// The links that lead elsewhere than they should, with paths that are right.
std::vector<TextLink> corrections(const XmlDocument& x, const std::vector<TextLink>& wanted,
                                  const std::string& oldName = {}, const std::string& newName = {})
{
    const TextLinks now(x);
    std::vector<TextLink> out;
    for (const TextLink& l : wanted) {
        if (l.target == 0) continue;
        std::string path = now.corrected(l, l.target, oldName, newName);
        if (path != l.path) out.push_back({l.element, l.attribute, l.word, std::move(path), l.target});
    }
    return out;
}

/// Numbers of the parts of an element, itself first.
std::vector<XmlId> partsOf(const XmlDocument& x, XmlId element)
{
    std::vector<XmlId> out;
    const std::uint32_t first = x.find(element);
    for (std::uint32_t i = first; i < x.items()[first].next; ++i) out.push_back(x.items()[i].id);
    return out;
}

std::string labelOf(const XmlDocument& x, const char* what, const std::vector<std::uint32_t>& elements)
{
    if (elements.size() != 1) return what + (' ' + std::to_string(elements.size())) + " elements";
    const XmlItem& e = x.items()[elements.front()];
    std::string name(e.isElement() ? x.name(e) : "comment");
    if (e.isElement())
        if (const XmlAttribute* a = x.attribute(e, "name")) name += " '" + x.value(*a) + "'";
    return what + (' ' + name);
}

/// Gives elements new names where others have theirs in the node to which they come, and the links between them.
void giveFreshNames(XmlDocument& piece, const TextLinks& others, std::uint32_t node)
{
    std::vector<XmlId> tops;
    for (std::uint32_t i = 1; i < piece.items().size(); i = piece.items()[i].next) tops.push_back(piece.items()[i].id);
    for (const XmlId top : tops) {
        const std::uint32_t i = piece.find(top);
        const XmlItem& e = piece.items()[i];
        const XmlAttribute* a = e.isElement() ? piece.attribute(e, "name") : nullptr;
        if (!a || !others.isTaken(node, piece.value(*a))) continue;
        const std::string old = piece.value(*a);
        std::vector<TextLink> wanted;
        std::string fresh = old;
        {
            const TextLinks inner(piece);
            wanted = inner.links();
            fresh =
                freeName(fresh, [&](const std::string& n) { return others.isTaken(node, n) || inner.isTaken(0, n); });
        }
        piece.apply({*attributeEdit(piece, i, "name", fresh)});
        piece.apply(linkEdits(piece, corrections(piece, wanted, old, fresh)));
    }
}

/// Whether a text can be the name of an object in paths.
void checkName(const std::string& name)
{
    if (name.empty()) throw EditError("a name cannot be empty");
    if (name.find_first_of("/@[] \t\r\n") != std::string::npos || name == "." || name == "..")
        throw EditError("'" + name + "' cannot be a name: paths need '/', '@', '[', ']' and spaces for themselves");
}

}  // namespace

std::uint32_t SceneText::index(XmlId id) const
{
    const std::uint32_t i = treeToEdit().find(id);
    if (i == XmlItem::none) throw EditError("the element is not in the text any more");
    return i;
}

std::uint32_t SceneText::elementIndex(XmlId id) const
{
    const std::uint32_t i = index(id);
    if (!m_tree->items()[i].isElement()) throw EditError("only elements have names and attributes");
    return i;
}

/// In the order of the text, without those inside of others.
std::vector<std::uint32_t> SceneText::outermost(const std::vector<XmlId>& elements) const
{
    std::vector<std::uint32_t> all(elements.size());
    std::ranges::transform(elements, all.begin(), [this](XmlId id) { return index(id); });
    std::ranges::sort(all);
    std::vector<std::uint32_t> out;
    for (const std::uint32_t i : all)
        if (out.empty() || i >= m_tree->items()[out.back()].next) out.push_back(i);
    return out;
}

std::vector<XmlId> SceneText::insert(XmlId parent, XmlId before, const std::string& text, bool freshNames)
{
    std::unique_ptr<XmlDocument> piece;
    try {
        piece = std::make_unique<XmlDocument>("<Node>" + text + "</Node>", "the text to insert");
    } catch (const SceneError& e) {
        throw EditError(e.what());
    }
    std::vector<std::uint32_t> tops;
    for (std::uint32_t i = 1; i < piece->items().size(); i = piece->items()[i].next)
        if (piece->items()[i].isElement()) tops.push_back(i);
    if (tops.empty()) throw EditError("there is no element to insert");
    const XmlDocument& x = treeToEdit();
    const std::uint32_t to = index(parent);
    if (!x.items()[to].isElement()) throw EditError("only elements hold others");
    if (freshNames) giveFreshNames(*piece, TextLinks(x), to);
    const XmlItem& around = piece->items().front();
    const std::string now = piece->bytes().substr(around.tagEnd, around.closeBegin - around.tagEnd);
    std::vector<XmlId> made;
    step(labelOf(*piece, "insert", tops), [&] {
        TextEdit e = insertion(x, to, before == 0 ? XmlItem::none : index(before), now);
        const std::size_t begin = e.at, end = begin + e.text.size();
        change({std::move(e)}, {});
        made = elementsBetween(*m_tree, begin, end);
    });
    return made;
}

void SceneText::remove(const std::vector<XmlId>& elements)
{
    const std::vector<std::uint32_t> all = outermost(elements);
    if (all.empty()) return;
    step(labelOf(*m_tree, "remove", all), [&] {
        std::vector<TextEdit> edits;
        for (const std::uint32_t i : all) {
            TextEdit e = removal(*m_tree, i);
            const bool meets = !edits.empty() && edits.back().at + edits.back().length > e.at;
            if (!meets) edits.push_back(std::move(e));
        }
        change(std::move(edits), {});
    });
}

void SceneText::move(const std::vector<XmlId>& elements, XmlId parent, XmlId before)
{
    const std::vector<std::uint32_t> all = outermost(elements);
    if (all.empty()) return;
    std::vector<XmlId> ids(all.size());
    std::ranges::transform(all, ids.begin(), [this](std::uint32_t i) { return m_tree->items()[i].id; });
    step(labelOf(*m_tree, "move", all), [&] {
        const std::vector<TextLink> wanted = TextLinks(*m_tree).links();
        // Before an element that moves itself is before the next one that stays.
        std::uint32_t at = before == 0 ? XmlItem::none : index(before);
        const std::uint32_t end = m_tree->endIn(index(parent));
        while (at != XmlItem::none && std::ranges::find(all, at) != all.end())
            at = m_tree->items()[at].next < end ? m_tree->items()[at].next : XmlItem::none;
        const XmlId stays = at == XmlItem::none ? 0 : m_tree->items()[at].id;
        for (const XmlId id : ids)
            change(motion(*m_tree, index(id), index(parent), stays == 0 ? XmlItem::none : index(stays)), {});
        change(linkEdits(*m_tree, corrections(*m_tree, wanted)), {});
    });
}

std::string SceneText::copied(const std::vector<XmlId>& elements) const
{
    std::string out;
    for (const std::uint32_t i : outermost(elements)) {
        if (!out.empty()) out += '\n';
        out += unindented(*m_tree, i);
    }
    return out;
}

std::vector<XmlId> SceneText::duplicate(const std::vector<XmlId>& elements)
{
    const std::vector<std::uint32_t> all = outermost(elements);
    std::vector<XmlId> ids, copies;
    for (const std::uint32_t i : all) {
        if (m_tree->items()[i].parent == XmlItem::none) throw EditError("the root cannot be there twice");
        ids.push_back(m_tree->items()[i].id);
    }
    if (ids.empty()) return {};
    step(labelOf(*m_tree, "duplicate", all), [&] {
        std::map<XmlId, XmlId> copyOf;
        std::vector<TextLink> wanted;
        std::vector<std::pair<std::string, std::string>> renamed;
        {
            const TextLinks before(*m_tree);
            for (const XmlId id : ids)
                for (TextLink& l : before.linksIn(m_tree->find(id))) wanted.push_back(std::move(l));
        }
        for (const XmlId id : ids) {
            const std::uint32_t i = index(id), parent = m_tree->items()[i].parent;
            const XmlId parentId = m_tree->items()[parent].id;
            const std::uint32_t next = m_tree->items()[i].next;
            const std::uint32_t at = next < m_tree->endIn(parent) ? next : XmlItem::none;
            TextEdit e = insertion(*m_tree, parent, at, unindented(*m_tree, i));
            const std::size_t begin = e.at, end = begin + e.text.size();
            change({std::move(e)}, {});
            const std::vector<XmlId> made = elementsBetween(*m_tree, begin, end);
            if (made.size() != 1) throw EditError("this cannot be duplicated");
            copies.push_back(made.front());
            const std::vector<XmlId> from = partsOf(*m_tree, id), to = partsOf(*m_tree, made.front());
            for (std::size_t k = 0; k < std::min(from.size(), to.size()); ++k) copyOf[from[k]] = to[k];
            const std::uint32_t copy = m_tree->find(made.front());
            if (const XmlAttribute* a = m_tree->attribute(m_tree->items()[copy], "name")) {
                const std::string old = m_tree->value(*a);
                const std::string fresh = TextLinks(*m_tree).freeName(m_tree->find(parentId), old);
                if (fresh == old) continue;  // in no node
                change({*attributeEdit(*m_tree, copy, "name", fresh)}, {});
                renamed.emplace_back(old, fresh);
            }
        }
        for (TextLink& l : wanted) {
            l.element = copyOf.at(l.element);
            if (const auto copy = copyOf.find(l.target); copy != copyOf.end()) l.target = copy->second;
        }
        renamed.emplace_back();
        for (const auto& [old, fresh] : renamed)
            change(linkEdits(*m_tree, corrections(*m_tree, wanted, old, fresh)), {});
    });
    return copies;
}

void SceneText::rename(XmlId element, const std::string& name)
{
    checkName(name);
    const std::uint32_t i = elementIndex(element);
    const XmlAttribute* a = m_tree->attribute(m_tree->items()[i], "name");
    if (a && m_tree->value(*a) == name) return;
    step("rename to '" + name + "'", [&] {
        const TextLinks before(*m_tree);
        const std::string& old = before.nameOf(i);
        const std::uint32_t parent = m_tree->items()[i].parent;
        if (parent != XmlItem::none && before.isTaken(parent, name))
            throw EditError("there is a '" + name + "' in this node already");
        const std::vector<TextLink> wanted = before.links();
        change({*attributeEdit(*m_tree, i, "name", name)}, {});
        change(linkEdits(*m_tree, corrections(*m_tree, wanted, old, name)), {});
    });
}

void SceneText::setAttribute(XmlId element, const std::string& name, const std::string& value, bool merge)
{
    const std::uint32_t i = elementIndex(element);
    if (auto e = attributeEdit(*m_tree, i, name, value))
        change({*std::move(e)}, "set " + name, merge ? "set " + std::to_string(element) + ' ' + name : std::string());
}

void SceneText::clearAttribute(XmlId element, const std::string& name)
{
    if (auto e = attributeRemoval(treeToEdit(), elementIndex(element), name)) change({*std::move(e)}, "reset " + name);
}

void SceneText::commentOut(const std::vector<XmlId>& elements)
{
    const std::vector<std::uint32_t> all = outermost(elements);
    if (all.empty()) return;
    std::vector<TextEdit> edits;
    for (const std::uint32_t i : all) {
        const XmlItem& e = m_tree->items()[i];
        if (e.parent == XmlItem::none) throw EditError("the root cannot be a comment");
        if (!e.isElement()) throw EditError("only elements are commented out");
        const std::string text = m_tree->utf8(m_tree->text(e));
        if (text.find("--") != std::string::npos)
            throw EditError("<" + std::string(m_tree->name(e)) +
                            "> holds a comment or \"--\", which cannot stand in a comment");
        edits.push_back({e.begin, 0, "<!-- "});
        edits.push_back({e.end, 0, " -->"});
    }
    change(std::move(edits), labelOf(*m_tree, "comment out", all));
}

void SceneText::commentIn(const std::vector<XmlId>& comments)
{
    const std::vector<std::uint32_t> all = outermost(comments);
    std::vector<TextEdit> edits;
    for (const std::uint32_t i : all) {
        const XmlItem& e = m_tree->items()[i];
        if (e.kind != XmlItem::Kind::Comment || elementIn(*m_tree, e).empty())
            throw EditError("there is no element in the comment");
        // The bytes of the element stay; only what makes a comment of them goes.
        const std::string_view bytes = m_tree->bytes();
        const std::size_t first = bytes.find_first_not_of(" \t\r\n", e.begin + 4);
        const std::size_t last = bytes.find_last_not_of(" \t\r\n", e.end - 4) + 1;
        edits.push_back({e.begin, first - e.begin, {}});
        edits.push_back({last, e.end - last, {}});
    }
    if (!edits.empty()) change(std::move(edits), "comment in");
}

}  // namespace sofa::core
