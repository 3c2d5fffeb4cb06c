// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/TextLinks.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "core/factory/Registry.h"
#include "core/scene/OldNames.h"

namespace sofa::core {

namespace {

constexpr std::string_view spaces = " \t\r\n";

/// Words of a value, as places in it.
std::vector<std::pair<std::size_t, std::size_t>> words(std::string_view text)
{
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t i = text.find_first_not_of(spaces); i != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(spaces, i), text.size());
        out.emplace_back(i, end);
        i = text.find_first_not_of(spaces, end);
    }
    return out;
}

bool isLinkText(std::string_view text)
{
    const auto first = text.find_first_not_of(spaces);
    return first != std::string_view::npos && text[first] == '@';
}

/// Attributes of old scenes that lead to objects without '@'.
bool isOldPath(std::string_view attribute)
{
    return attribute == "object1" || attribute == "object2" || attribute == "src";
}

/// ".data" at the end of a path; empty if there is none.
std::string_view dataOf(std::string_view path)
{
    const auto slash = path.rfind('/');
    const auto begin = slash == std::string_view::npos ? 1 : slash + 1;
    const std::string_view last = path.substr(std::min(begin, path.size()));
    if (last == "." || last == "..") return {};
    const auto dot = last.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : last.substr(dot);
}

}  // namespace

TextLinks::TextLinks(const XmlDocument& x) : m_x(x), m_names(x.items().size()), m_opaque(x.items().size(), false)
{
    std::unordered_map<std::uint32_t, std::map<std::string, int>> counters;
    for (std::uint32_t i = 0; i < x.items().size(); ++i) {
        const XmlItem& e = x.items()[i];
        if (!e.isElement()) continue;
        const bool isRoot = e.parent == XmlItem::none;
        const bool node = isNode(i);
        if (!isRoot && !isNode(e.parent)) continue;  // an <Attribute> of a component
        const XmlAttribute* given = x.attribute(e, "name");
        std::string name = given ? x.value(*given) : std::string();
        m_opaque[i] = !node && (x.name(e) == "include" || !Registry::instance().find(classOf(i)));
        if (node) m_scopes[i];
        if (isRoot) {
            m_names[i] = name.empty() ? "root" : name;
            continue;
        }
        Scope& scope = m_scopes[e.parent];
        if (m_opaque[i]) scope.opaque = true;
        if (x.attribute(e, "sameAs")) continue;
        if (name.empty() && m_opaque[i]) continue;
        auto& names = node ? scope.children : scope.components;
        if (name.empty()) {
            const std::string base = classOf(i);
            do name = base + std::to_string(++counters[e.parent][base]);
            while (names.contains(name));
        }
        names.try_emplace(name, i);
        if (!node) scope.order.push_back(i);
        m_names[i] = std::move(name);
    }
}

bool TextLinks::isNode(std::uint32_t element) const { return m_x.name(m_x.items()[element]) == "Node"; }

std::string TextLinks::classOf(std::uint32_t element) const
{
    const XmlItem& e = m_x.items()[element];
    std::string type(m_x.name(e));
    if (type == "Object")
        if (const XmlAttribute* a = m_x.attribute(e, "type")) type = m_x.value(*a);
    if (const ComponentEntryPtr entry = Registry::instance().find(type)) return entry->name;
    const std::string_view now = currentComponentName(type);
    return now.empty() ? type : std::string(now);
}

const TextLinks::Scope* TextLinks::scope(std::uint32_t node) const
{
    const auto it = m_scopes.find(node);
    return it == m_scopes.end() ? nullptr : &it->second;
}

std::uint32_t TextLinks::nodeOf(std::uint32_t element) const
{
    while (element != XmlItem::none && !m_scopes.contains(element)) element = m_x.items()[element].parent;
    return element;
}

std::string TextLinks::pathOf(std::uint32_t element) const
{
    std::string path;
    for (; element != XmlItem::none && m_x.items()[element].parent != XmlItem::none;
         element = m_x.items()[element].parent)
        path = '/' + m_names[element] + path;
    return path.empty() ? "/" : path;
}

std::uint32_t TextLinks::find(std::uint32_t from, std::string_view path) const
{
    if (!path.empty() && path.front() == '@') path.remove_prefix(1);
    std::uint32_t node = nodeOf(from);
    if (node == unknown) return unknown;
    if (path.empty()) return from;
    bool anchored = path.front() == '/';
    if (anchored)
        while (m_x.items()[node].parent != XmlItem::none) node = m_x.items()[node].parent;
    while (!path.empty()) {
        const auto slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
        if (part.empty()) continue;
        if (part == "." || part == "..") {
            anchored = true;
            if (part == ".." && m_x.items()[node].parent != XmlItem::none) node = m_x.items()[node].parent;
            continue;
        }
        const Scope* here = scope(node);
        if (!here) return unknown;
        if (part.front() == '[') {
            std::string_view number = part.substr(1, part.find(']') - 1);
            const bool relative = number.starts_with('-') || number.starts_with('+');
            if (number.starts_with('+')) number.remove_prefix(1);
            int index = 0;
            const auto r = std::from_chars(number.data(), number.data() + number.size(), index);
            if (here->opaque || !path.empty() || r.ec != std::errc()) return unknown;
            if (relative) index += static_cast<int>(std::ranges::find(here->order, from) - here->order.begin());
            if (index < 0 || index >= static_cast<int>(here->order.size())) return unknown;
            return here->order[static_cast<std::size_t>(index)];
        }
        const std::string name(part);
        std::uint32_t next = unknown;
        for (std::uint32_t search = node; search != XmlItem::none && next == unknown;
             search = m_x.items()[search].parent) {
            const Scope* s = scope(search);
            if (!s) return unknown;
            if (const auto child = s->children.find(name); child != s->children.end()) {
                next = child->second;
            } else if (const auto c = s->components.find(name); c != s->components.end()) {
                return path.empty() ? c->second : unknown;
            } else if (s->opaque) {
                return unknown;
            }
            if (anchored) break;
        }
        if (next == unknown) return unknown;
        node = next;
        anchored = true;
    }
    return node;
}

XmlId TextLinks::target(std::uint32_t from, std::string_view path) const
{
    std::uint32_t found = find(from, path);
    if (const std::string_view data = dataOf(path); found == unknown && !data.empty())
        found = find(from, path.substr(0, path.size() - data.size()));
    return found == unknown ? 0 : m_x.items()[found].id;
}

std::vector<TextLink> TextLinks::linksIn(std::uint32_t element) const
{
    std::vector<TextLink> out;
    const std::uint32_t end =
        element == XmlItem::none ? static_cast<std::uint32_t>(m_x.items().size()) : m_x.items()[element].next;
    for (std::uint32_t i = element == XmlItem::none ? 0 : element; i < end; ++i) {
        const XmlItem& e = m_x.items()[i];
        if (!e.isElement() || m_x.name(e) == "include") continue;
        for (const XmlAttribute& a : m_x.attributes(e)) {
            const std::string value = m_x.value(a);
            const std::string_view name = m_x.name(a);
            const bool isOld = isOldPath(name) && !value.empty() && !isLinkText(value);
            if (!isOld && !isLinkText(value)) continue;
            const std::uint32_t from = name == "sameAs" ? e.parent : i;
            const auto all = words(value);
            for (std::size_t w = 0; w < all.size(); ++w) {
                std::string path = value.substr(all[w].first, all[w].second - all[w].first);
                if (isOld) path = name == "src" ? '@' + path : currentPath(path);
                if (path.empty() || path[0] != '@' || from == XmlItem::none) continue;
                out.push_back({e.id, std::string(name), w, path, target(from, path)});
            }
        }
    }
    return out;
}

std::vector<TextLink> TextLinks::links() const { return linksIn(XmlItem::none); }

std::string TextLinks::corrected(const TextLink& link, XmlId wanted, const std::string& oldName,
                                 const std::string& newName) const
{
    const std::uint32_t element = m_x.find(link.element), to = m_x.find(wanted);
    if (element == XmlItem::none || to == XmlItem::none) return link.path;
    const std::uint32_t from = link.attribute == "sameAs" ? m_x.items()[element].parent : element;
    const auto leads = [&](const std::string& p) { return target(from, p) == wanted; };
    if (leads(link.path)) return link.path;
    const std::string data(dataOf(link.path));
    const std::string steps = link.path.substr(0, link.path.size() - data.size());
    for (std::size_t at = 1; !oldName.empty() && at < steps.size();) {
        const std::size_t end = std::min(steps.find('/', at), steps.size());
        if (steps.substr(at, end - at) == oldName) {
            const std::string now = steps.substr(0, at) + newName + steps.substr(end) + data;
            if (leads(now)) return now;
        }
        at = end + 1;
    }
    const std::string whole = '@' + pathOf(to) + data;
    return leads(whole) ? whole : link.path;
}

bool TextLinks::isTaken(std::uint32_t node, const std::string& name) const
{
    const Scope* s = scope(node);
    return s && (s->children.contains(name) || s->components.contains(name));
}

std::string TextLinks::freeName(std::uint32_t node, const std::string& name) const
{
    return core::freeName(name, [&](const std::string& n) { return isTaken(node, n); });
}

std::string freeName(const std::string& name, const std::function<bool(const std::string&)>& isTaken)
{
    if (!isTaken(name)) return name;
    const std::string base = name.substr(0, name.find_last_not_of("0123456789") + 1);
    const std::string stem = base.empty() ? name + '_' : base;
    int number = 2;
    while (isTaken(stem + std::to_string(number))) ++number;
    return stem + std::to_string(number);
}

std::vector<TextEdit> linkEdits(const XmlDocument& x, const std::vector<TextLink>& to)
{
    // By attribute: its value with all its words.
    std::map<std::uint32_t, TextEdit> edits;
    std::map<std::uint32_t, std::string> values;
    for (const TextLink& l : to) {
        const std::uint32_t index = x.find(l.element);
        const XmlAttribute* a = index == XmlItem::none ? nullptr : x.attribute(x.items()[index], l.attribute);
        if (!a) continue;
        const std::string& value = values.try_emplace(a->valueBegin, x.value(*a)).first->second;
        const auto all = words(value);
        if (l.word >= all.size()) continue;
        const auto [begin, end] = all[l.word];
        if (value.substr(begin, end - begin) == l.path) continue;
        std::string now = value;
        now.replace(begin, end - begin, l.path);
        edits[a->valueBegin] = {a->valueBegin, a->valueEnd - a->valueBegin, x.encoded(now, x.bytes()[a->valueEnd])};
        values[a->valueBegin] = std::move(now);
    }
    std::vector<TextEdit> out;
    out.reserve(edits.size());
    for (auto& [at, e] : edits) out.push_back(std::move(e));
    return out;
}

}  // namespace sofa::core
