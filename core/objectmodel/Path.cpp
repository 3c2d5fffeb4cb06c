// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Path.h"

#include <algorithm>
#include <charconv>

#include "core/objectmodel/Node.h"
#include "core/objectmodel/Quantity.h"

namespace sofa::core {

namespace {

std::string_view withoutAt(std::string_view p)
{
    if (!p.empty() && p.front() == '@') p.remove_prefix(1);
    return p;
}

std::vector<Base*> withComponents(Node& n)
{
    std::vector<Base*> out{&n};
    for (const auto& c : n.components()) out.push_back(c.get());
    return out;
}

std::vector<std::string> namesIn(const Node& n)
{
    std::vector<std::string> names;
    for (const auto& c : n.children()) names.push_back(c->name());
    for (const auto& c : n.components()) names.push_back(c->name());
    return names;
}

/// The component that "[i]" names: relative to `from` with a sign, else counted from the first of the node.
Component* byIndex(const Base& from, const Node& n, std::string_view text, std::string& error)
{
    const auto close = text.find(']');
    std::string_view number = text.substr(1, close == std::string_view::npos ? text.npos : close - 1);
    const bool relative = !number.empty() && (number[0] == '-' || number[0] == '+');
    if (!number.empty() && number[0] == '+') number.remove_prefix(1);
    int i = 0;
    const auto r = std::from_chars(number.data(), number.data() + number.size(), i);
    if (close == std::string_view::npos || r.ec != std::errc() || r.ptr != number.data() + number.size()) {
        error = "expected an index such as [-1], found '" + std::string(text) + "'";
        return nullptr;
    }
    const auto& list = n.components();
    int base = 0;
    if (relative) {
        // A component that is being created is not in its node yet: it stands after the last.
        const auto it = std::find_if(list.begin(), list.end(), [&](const auto& c) { return c.get() == &from; });
        base = static_cast<int>(it - list.begin());
    }
    const int index = base + i;
    if (index < 0 || index >= static_cast<int>(list.size())) {
        error = "index " + std::to_string(i) + " is outside the " + std::to_string(list.size()) +
                " components of node '" + n.pathName() + "'";
        return nullptr;
    }
    return list[static_cast<std::size_t>(index)].get();
}

}  // namespace

std::vector<Base*> findByPath(const Base& from, std::string_view fullPath, std::string& error)
{
    std::string_view path = withoutAt(fullPath);
    Node* node = from.linkContext();
    if (!node) {
        error = "the object is in no node";
        return {};
    }
    if (path.empty()) return {const_cast<Base*>(&from)};
    bool anchored = false;  // after '.', '..' or '/', names are not looked for in ancestors any more
    if (path.front() == '/') {
        node = &node->root();
        anchored = true;
    }
    while (!path.empty()) {
        const auto slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
        if (part.empty()) continue;
        if (part == ".") {
            anchored = true;
            continue;
        }
        if (part == "..") {
            anchored = true;
            // Above the root is nothing: the path goes on from there, as in SOFA.
            if (node->parents().empty())
                from.msgWarning() << "'" << fullPath << "': one '..' leads above the root";
            else
                node = node->parents().front();
            continue;
        }
        if (part.front() == '[') {
            Component* c = byIndex(from, *node, part, error);
            if (!c) return {};
            if (!path.empty()) {
                error = "'" + c->name() + "' is a component and contains nothing";
                return {};
            }
            return {c};
        }
        Node* next = nullptr;
        for (Node* search : anchored ? std::vector<Node*>{node} : node->ancestors()) {
            if ((next = search->child(part))) break;
            if (Component* c = search->component(part)) {
                if (path.empty()) return {c};
                error = "'" + c->name() + "' is a component and contains nothing";
                return {};
            }
        }
        if (!next) {
            error = "there is no '" + std::string(part) + "' in node '" + node->pathName() + "'" +
                    (anchored ? "" : " or above it") + didYouMean(part, namesIn(*node));
            return {};
        }
        node = next;
        anchored = true;
    }
    return withComponents(*node);
}

Base* findAbove(const Base& node, const std::function<bool(Base&)>& condition)
{
    const auto* n = dynamic_cast<const Node*>(&node);
    if (!n) return nullptr;
    for (const Node* a : n->ancestors())
        for (const auto& c : a->components())
            if (condition(*c)) return c.get();
    return nullptr;
}

BaseData* findDataByPath(const Base& from, std::string_view fullPath, std::string& error)
{
    const std::string_view path = withoutAt(fullPath);
    const auto slash = path.rfind('/');
    const auto dot = path.rfind('.');
    if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash) || dot + 1 == path.size()) {
        error = "expected \"@path.data\"";
        return nullptr;
    }
    const std::string_view name = path.substr(dot + 1);
    const auto objects = findByPath(from, dot == 0 ? std::string_view("@") : path.substr(0, dot), error);
    for (Base* b : objects)
        if (BaseData* d = b->findReadable(name)) return d;
    if (!objects.empty()) {
        const Base& first = *objects.front();
        error = "'" + first.pathName() + "' (" + first.className() + ") has no data '" + std::string(name) + "'" +
                didYouMean(name, first.readableNames());
        const char* separator = "; besides its Data it has ";
        for (const auto& q : quantitiesOf(first)) {
            error += separator + q->name;
            separator = ", ";
        }
    }
    return nullptr;
}

}  // namespace sofa::core
