// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/LinkCorrections.h"

#include <algorithm>

#include "core/objectmodel/Link.h"
#include "core/objectmodel/Path.h"
#include "core/scene/GraphPlace.h"

namespace sofa::core {

namespace {

bool isLinkText(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '@';
}

std::vector<std::string> words(const std::string& text)
{
    std::vector<std::string> out;
    TextCursor c(text);
    while (!c.atEnd()) out.emplace_back(c.token());
    return out;
}

}  // namespace

GivenLinks::GivenLinks(Node& root)
{
    for (Node* n : root.descendants(true)) {
        look(*n);
        for (const auto& c : n->components()) look(*c);
    }
}

LinkCorrections GivenLinks::corrections(const std::string& oldName, const std::string& newName) const
{
    LinkCorrections out;
    for (const One& l : m_links) {
        std::string text;
        for (std::size_t i = 0; i < l.paths.size(); ++i) text += (i > 0 ? " " : "") + corrected(l, i, oldName, newName);
        if (words(l.text) != words(text)) out.push_back({l.object, l.name, l.given, l.text, text});
    }
    return out;
}

void GivenLinks::write(Base& b, const std::string& name, const std::string& before, const std::string& after,
                       const std::string& given)
{
    const auto linked = [&](BaseData& d) {
        if (d.linkPath() == before) d.setLinkPath(after);
        if (name == "src" && d.linkPath().starts_with(before + '.'))
            d.setLinkPath(after + d.linkPath().substr(before.size()));
    };
    for (BaseData* d : b.data())
        if (d->name() == name || name == "src") linked(*d);
    if (BaseLink* l = b.findLink(name)) {
        std::string ignored;
        l->setPath(after, l->location);
        l->resolve(ignored);
    }
    b.recordAttribute(name, given);
}

std::pair<const void*, Base*> GivenLinks::target(const Base& from, const std::string& path, bool isData)
{
    std::string ignored;
    if (isData) {
        const BaseData* d = findDataByPath(from, path, ignored);
        return {d, d ? d->owner() : nullptr};
    }
    const std::vector<Base*> found = findByPath(from, path, ignored);
    return {found.empty() ? nullptr : found.front(), found.empty() ? nullptr : found.front()};
}

void GivenLinks::look(Base& b)
{
    for (const auto& [name, given] : b.givenAttributes()) {
        // Old scenes write sources without '@'.
        const bool isBare = name == "src" && !given.empty() && !isLinkText(given);
        const std::string text = isBare ? '@' + given : given;
        if (!isLinkText(text)) continue;
        One l{&b, name, given, text, b.findData(name) != nullptr, words(text), {}, {}};
        for (const std::string& p : l.paths) {
            const auto [t, object] = target(b, p, l.isData);
            l.targets.push_back(t);
            l.objects.push_back(object);
        }
        m_links.push_back(std::move(l));
    }
}

std::string GivenLinks::corrected(const One& l, std::size_t i, const std::string& oldName, const std::string& newName)
{
    const std::string& path = l.paths[i];
    const auto leads = [&](const std::string& p) { return target(*l.object, p, l.isData).first == l.targets[i]; };
    if (!l.targets[i] || !l.objects[i]->linkContext() || leads(path)) return path;
    // In the same form, if only a name on the way has changed.
    const auto dot = l.isData ? path.rfind('.') : std::string::npos;
    const std::string data = dot == std::string::npos ? "" : path.substr(dot);
    const std::string steps = path.substr(0, dot);
    for (std::size_t at = 1; !oldName.empty() && at < steps.size();) {
        const std::size_t end = std::min(steps.find('/', at), steps.size());
        if (steps.substr(at, end - at) == oldName) {
            const std::string now = steps.substr(0, at) + newName + steps.substr(end) + data;
            if (leads(now)) return now;
        }
        at = end + 1;
    }
    const std::string whole = '@' + l.objects[i]->pathName() + data;
    return leads(whole) ? whole : path;
}

NodeReferences::NodeReferences(const SceneDocument& document, Node& root)
{
    for (Node* n : root.descendants(true))
        if (n->parents().size() > 1)
            for (const ElementPlace& place : document.references(root, *n)) m_all.emplace_back(n, place);
}

void NodeReferences::correct(SceneDocument& document, const Node& root) const
{
    for (const auto& [node, place] : m_all) {
        const auto now = document.references(root, *node);
        const auto isThis = [&p = place](const ElementPlace& other) { return other.isSameElement(p); };
        if (std::ranges::none_of(now, isThis)) document.setAttribute(place, "sameAs", '@' + node->pathName());
    }
}

std::vector<HeldLinkCorrection> correctLinks(SceneDocument& document, Node& root, const LinkCorrections& corrections,
                                             EditWhere where)
{
    std::vector<HeldLinkCorrection> held;
    for (const auto& c : corrections) {
        GivenLinks::write(*c.object, c.name, c.before, c.after, c.after);
        held.push_back({holdObject(*c.object), c.name, c.given, c.before, c.after});
    }
    for (const auto& c : corrections) {
        const SceneOrigin* o = document.origin(*c.object);
        if (!o) continue;
        const GivenElsewhere g = document.giver(*c.object, c.name);
        if (!g.by.known()) continue;
        const XmlDocument& x = document.xml(g.by.file);
        const XmlAttribute* a = x.attribute(x.items()[x.find(g.by.element)], g.spelling);
        if (a && x.value(*a) == c.after) continue;  // of another object from the same text
        document.give(root, *c.object, c.name, c.after, where);
    }
    for (const auto& c : corrections) document.settle(*c.object);
    return held;
}

void writeLinks(SceneDocument& document, const std::vector<HeldLinkCorrection>& held, bool forward)
{
    for (const HeldLinkCorrection& h : held) {
        if (forward)
            GivenLinks::write(*h.object, h.name, h.before, h.after, h.after);
        else
            GivenLinks::write(*h.object, h.name, h.after, h.before, h.given);
        document.settle(*h.object);
    }
}

}  // namespace sofa::core
