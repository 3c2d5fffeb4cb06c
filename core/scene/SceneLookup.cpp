// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "core/objectmodel/Path.h"
#include "core/scene/OldNames.h"
#include "core/scene/SceneAnalysisContent.h"
#include "core/scene/SceneEditor.h"

namespace sofa::core {

// --- Links -----------------------------------------------------------------------------------------------------------

std::vector<LinkAt> SceneAnalysis::Content::linksIn(std::uint32_t element, const XmlAttribute& a) const
{
    std::vector<LinkAt> out;
    const std::string_view value = std::string_view(text).substr(a.valueBegin, a.valueEnd - a.valueBegin);
    const std::string_view name = xml().name(a);
    const bool isPath = name == "src" || name == "sameAs";  // old scenes leave out the '@'
    const auto first = value.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || (value[first] != '@' && !isPath)) return out;
    for (std::size_t i = first; i < value.size();) {
        const std::size_t end = std::min(value.find_first_of(" \t\r\n", i), value.size());
        std::string p(value.substr(i, end - i));
        if (p[0] != '@') p.insert(0, 1, '@');
        out.push_back({element, &a, {a.valueBegin + i, a.valueBegin + end}, p});
        i = std::min(value.find_first_not_of(" \t\r\n", end), value.size());
    }
    return out;
}

std::optional<LinkAt> SceneAnalysis::Content::linkAt(std::size_t at) const
{
    const std::uint32_t e = elementAt(at);
    if (e == XmlItem::none || at > item(e).tagEnd) return {};
    for (const XmlAttribute& a : xml().attributes(item(e)))
        if (at >= a.valueBegin && at <= a.valueEnd)
            for (LinkAt& l : linksIn(e, a))
                if (l.range.contains(at)) return std::move(l);
    return {};
}

std::pair<Base*, BaseData*> SceneAnalysis::Content::target(const LinkAt& l) const
{
    const Base* from = nullptr;
    for (std::uint32_t e = l.item; !from && e != XmlItem::none; e = item(e).parent) from = objectOf(e);
    if (!from || !m_session) return {};
    // A node that is another one (sameAs) is seen from its parent.
    if (xml().name(*l.attribute) == "sameAs") from = nodeAround(l.item);
    if (!from) return {};
    const auto session = scope();
    const MessageCapture silence;
    std::string ignored;
    const auto slash = l.path.rfind('/'), dot = l.path.rfind('.');
    const bool mayHaveData = dot != std::string::npos && dot + 1 < l.path.size() && l.path[dot - 1] != '.' &&
                             (slash == std::string::npos || dot > slash);
    if (mayHaveData)
        if (BaseData* d = findDataByPath(*from, l.path, ignored)) return {d->owner(), d};
    const std::vector<Base*> found = findByPath(*from, l.path, ignored);
    return {found.empty() ? nullptr : found.front(), nullptr};
}

namespace {

/// The link as far as the name under the cursor: "@../body" of "@../body/dofs.position".
LinkAt upTo(LinkAt l, std::size_t at)
{
    const std::size_t inserted = l.path.size() - (l.range.end - l.range.begin);
    const std::size_t i = at - l.range.begin + inserted;
    if (const auto slash = l.path.find('/', std::max<std::size_t>(i, 1)); slash != std::string::npos) {
        if (slash > 1) l.path.resize(slash);
        return l;
    }
    const auto dot = l.path.rfind('.'), lastSlash = l.path.rfind('/');
    const bool isData = dot != std::string::npos && dot > 0 && l.path[dot - 1] != '.' && l.path[dot - 1] != '@' &&
                        (lastSlash == std::string::npos || dot > lastSlash + 1);
    if (isData && i <= dot) l.path.resize(dot);
    return l;
}

TextRange tagName(const XmlItem& e) { return {e.begin + std::size_t{1}, e.nameEnd}; }

}  // namespace

std::optional<FileRange> SceneAnalysis::Content::placeOf(const Base& object, const BaseData* data) const
{
    const auto in = [&](const XmlDocument& x, const XmlItem& e) {
        if (data)
            for (const XmlAttribute& a : x.attributes(e))
                if (object.findData(x.name(a)) == data) return FileRange{x.path(), {a.begin, a.nameEnd}};
        return FileRange{x.path(), tagName(e)};
    };
    const auto own = std::ranges::find(objects, &object);
    if (own != objects.end()) return in(xml(), item(static_cast<std::uint32_t>(own - objects.begin())));
    const auto document = root ? root->scene().document : nullptr;
    const SceneOrigin* o = document ? document->origin(object) : nullptr;
    if (!o || o->place.file == 0) return {};
    const XmlDocument& x = document->xml(o->place.file);
    return in(x, x.items()[x.find(o->place.element)]);
}

std::optional<FileRange> SceneAnalysis::definition(std::size_t at) const
{
    const auto l = m_content->linkAt(at);
    if (!l) return {};
    const auto [object, data] = m_content->target(upTo(*l, at));
    if (!object) return {};
    return m_content->placeOf(*object, data);
}

// --- References and names --------------------------------------------------------------------------------------------

namespace {

/// The object that a place is about: that of the link there, or that of the element.
Base* objectMeant(const SceneAnalysis::Content& c, std::size_t at)
{
    if (const auto l = c.linkAt(at)) return c.target(upTo(*l, at)).first;
    const std::uint32_t e = c.elementAt(at);
    return e == XmlItem::none ? nullptr : c.objectOf(e);
}

/// Where an element gives its name; the name of the element if it does not.
TextRange nameIn(const XmlDocument& x, const XmlItem& e)
{
    if (const XmlAttribute* a = x.attribute(e, "name")) return {a->valueBegin, a->valueEnd};
    return tagName(e);
}

}  // namespace

std::vector<FileRange> SceneAnalysis::references(std::size_t at, bool withDeclaration) const
{
    const Content& c = *m_content;
    const Base* wanted = objectMeant(c, at);
    std::vector<FileRange> out;
    if (!wanted) return out;
    const auto add = [&out](FileRange r) {
        if (std::ranges::find(out, r) == out.end()) out.push_back(std::move(r));
    };
    if (withDeclaration)
        if (const auto own = std::ranges::find(c.objects, wanted); own != c.objects.end())
            add({c.path, nameIn(c.xml(), c.item(static_cast<std::uint32_t>(own - c.objects.begin())))});
    const auto& items = c.xml().items();
    for (std::uint32_t i = 0; i < items.size(); ++i)
        for (const XmlAttribute& a : c.xml().attributes(items[i]))
            for (const LinkAt& l : c.linksIn(i, a))
                if (c.target(l).first == wanted) add({c.path, l.range});
    // Those of objects that came from included files.
    const auto document = c.root->scene().document;
    const auto look = [&](const Base& b) {
        const SceneOrigin* o = document ? document->origin(b) : nullptr;
        if (!o || o->place.include == 0) return;
        for (const auto& [name, value] : b.givenAttributes()) {
            const auto first = value.find_first_not_of(" \t\r\n");
            if (first == std::string::npos || value[first] != '@') continue;
            std::string ignored;
            const MessageCapture silence;
            const BaseData* d = b.findData(name) ? findDataByPath(b, value.substr(first), ignored) : nullptr;
            const std::vector<Base*> found = findByPath(b, value.substr(first), ignored);
            if ((d ? d->owner() : found.empty() ? nullptr : found.front()) != wanted) continue;
            const GivenElsewhere g = document->giver(b, name);
            if (!g.by.known() || g.by.file == 0) continue;
            const XmlDocument& x = document->xml(g.by.file);
            const XmlAttribute* a = x.attribute(x.items()[x.find(g.by.element)], g.spelling);
            if (a) add({x.path(), {a->valueBegin, a->valueEnd}});
        }
    };
    for (const Node* n : c.root->descendants(true)) {
        look(*n);
        for (const auto& component : n->components()) look(*component);
    }
    return out;
}

std::optional<TextRange> SceneAnalysis::renamed(std::size_t at) const
{
    const Content& c = *m_content;
    if (const auto l = c.linkAt(at)) {
        const LinkAt part = upTo(*l, at);
        const auto [object, data] = c.target(part);
        if (!object || data) return {};
        const auto from = part.path.find_last_of("/@");
        if (part.path.compare(from + 1, std::string::npos, object->name()) != 0) return {};
        const std::size_t inserted = l->path.size() - (l->range.end - l->range.begin);
        const std::size_t begin = l->range.begin + from + 1 - inserted;
        return TextRange{begin, begin + object->name().size()};
    }
    const std::uint32_t e = c.elementAt(at);
    if (e == XmlItem::none || !c.objectOf(e) || at > c.item(e).tagEnd) return {};
    return nameIn(c.xml(), c.item(e));
}

namespace {

/// The start tags that are others now, as edits of the text before.
std::vector<TextEdit> changedTags(const XmlDocument& before, const XmlDocument& now)
{
    std::vector<TextEdit> edits;
    for (const XmlItem& e : before.items()) {
        if (!e.isElement()) continue;
        const std::uint32_t k = now.find(e.id);
        if (k == XmlItem::none) continue;
        const XmlItem& other = now.items()[k];
        const auto tag = [](const XmlDocument& x, const XmlItem& i) {
            return std::string_view(x.bytes()).substr(i.begin, i.tagEnd - i.begin);
        };
        if (tag(before, e) != tag(now, other))
            edits.push_back({e.begin, e.tagEnd - std::size_t{e.begin}, std::string(tag(now, other)), {}});
    }
    return edits;
}

}  // namespace

std::vector<FileEdits> SceneAnalysis::rename(std::size_t at, const std::string& name) const
{
    const Content& c = *m_content;
    if (!c.malformed.empty() || !c.root)
        throw AnalysisError("the text is no well-formed scene: nothing can be renamed before that is mended");
    const Base* object = renamed(at) ? objectMeant(c, at) : nullptr;
    if (!object) throw AnalysisError("there is no object here that could be renamed");
    const std::string where = object->pathName();
    const auto session = c.scope();
    const MessageCapture silence;
    const std::shared_ptr<Node> scene = loadSceneText(c.text, c.path);
    std::string error;
    const std::vector<Base*> found = findByPath(*scene, '@' + where, error);
    if (found.empty() || !scene->scene().document) throw AnalysisError(error.empty() ? "nothing to rename" : error);
    const auto document = scene->scene().document;
    std::vector<XmlDocument> before;
    for (std::uint32_t f = 0; f < document->fileCount(); ++f) before.push_back(document->xml(f));
    try {
        SceneEditor(*scene).rename(*found.front(), name, EditWhere::InInclude);
    } catch (const EditError& e) {
        throw AnalysisError(e.what());
    }
    std::vector<FileEdits> out;
    for (std::uint32_t f = 0; f < before.size(); ++f) {
        std::vector<TextEdit> edits = changedTags(before[f], document->xml(f));
        if (!edits.empty()) out.push_back({f == 0 ? c.path : before[f].path(), std::move(edits)});
    }
    return out;
}

// --- Symbols ---------------------------------------------------------------------------------------------------------

std::vector<SceneSymbol> SceneAnalysis::symbols() const
{
    const Content& c = *m_content;
    if (!c.isReadable()) return {};
    const XmlDocument& x = c.xml();
    const std::function<std::vector<SceneSymbol>(std::uint32_t, std::uint32_t)> list = [&](std::uint32_t from,
                                                                                           std::uint32_t to) {
        std::vector<SceneSymbol> out;
        for (std::uint32_t i = from; i < to; i = c.item(i).next) {
            const XmlItem& e = c.item(i);
            if (!e.isElement()) continue;
            SceneSymbol s;
            s.type = x.name(e) == "Object" ? c.classOf(i) : std::string(x.name(e));
            if (const Base* object = c.objectOf(i)) s.name = object->name();
            for (const char* given : {"name", "href", "sameAs"})
                if (const XmlAttribute* a = s.name.empty() ? x.attribute(e, given) : nullptr) s.name = x.value(*a);
            if (s.name.empty()) s.name = s.type;
            s.range = {e.begin, e.end};
            s.tag = tagName(e);
            if (s.type == "Node") s.children = list(x.firstIn(i), x.endIn(i));
            out.push_back(std::move(s));
        }
        return out;
    };
    return list(0, static_cast<std::uint32_t>(x.items().size()));
}

// --- Hover -----------------------------------------------------------------------------------------------------------

namespace {

std::string listed(const std::vector<std::string>& words)
{
    std::string out;
    for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
    return out;
}

std::string shortened(const std::string& text) { return text.size() > 60 ? text.substr(0, 57) + "..." : text; }

}  // namespace

std::string SceneAnalysis::Content::summary(const BaseData& d)
{
    std::string s = d.typeName();
    if (!d.unit().empty() && d.unit() != "1") s += " [" + std::string(d.unit()) + ']';
    if (const std::string r = d.range().str(); !r.empty()) s += ", " + r;
    if (const std::string v = d.defaultText(); !v.empty()) s += " = " + shortened(v);
    if (d.isRequired()) s += ", required";
    if (d.isReadOnly()) s += ", result";
    return s;
}

std::string SceneAnalysis::Content::summary(const BaseLink& l)
{
    return std::string(l.isMultiple() ? "links" : "link") + " to " + l.targetTypeName();
}

std::string SceneAnalysis::Content::helpOf(const Base& object, std::string_view attribute)
{
    std::string text;
    const auto line = [&text](const std::string& s) { text += (text.empty() ? "" : "\n") + s; };
    std::string known;
    if (const BaseData* d = object.findData(attribute)) {
        known = d->name();
        line(std::string(d->help()));
        if (const auto choices = d->choices(); !choices.empty()) line("One of " + listed(choices) + '.');
    } else if (const BaseLink* l = object.findLink(attribute)) {
        known = std::string(l->name());
        line(std::string(l->help()));
    } else if (const auto x = object.extraAttributes().find(attribute); x != object.extraAttributes().end()) {
        line(x->second.ignored ? "It has no effect: " + x->second.help : x->second.help);
    }
    if (known.empty()) return text;
    if (known != attribute) line("Another name of " + known + '.');
    if (const auto aliases = object.aliasesOf(known); !aliases.empty()) line("Also: " + listed(aliases) + '.');
    return text;
}

std::string SceneAnalysis::Content::helpOf(const ComponentEntry& e)
{
    std::string text = e.help;
    std::vector<std::string> templates;
    for (const ComponentCreator& c : e.creators)
        if (!c.templ.empty()) templates.push_back(c.templ);
    if (!templates.empty()) text += "\nTemplates: " + listed(templates) + '.';
    if (!e.aliases.empty()) text += "\nAlso: " + listed(e.aliases) + '.';
    if (!e.example.empty()) text += "\nExample: scenes/" + e.example;
    return text;
}

std::optional<SceneHover> SceneAnalysis::hover(std::size_t at) const
{
    const Content& c = *m_content;
    if (const auto l = c.linkAt(at)) {
        const LinkAt part = upTo(*l, at);
        const auto [object, data] = c.target(part);
        if (!object) return SceneHover{l->range, part.path, "leads nowhere"};
        SceneHover h{l->range, object->pathName() + " (" + object->className() + ')', {}};
        if (data) {
            h.title = object->pathName() + '.' + data->name() + ": " + Content::summary(*data);
            h.text = std::string(data->help());
        } else if (const auto entry = Registry::instance().find(object->className())) {
            h.text = entry->help;
        }
        return h;
    }
    const std::uint32_t e = c.elementAt(at);
    if (e == XmlItem::none) return {};
    const XmlItem& element = c.item(e);
    const std::string type = c.classOf(e);
    const XmlAttribute* typed = c.xml().name(element) == "Object" ? c.xml().attribute(element, "type") : nullptr;
    const auto ofClass = [&](TextRange range) -> std::optional<SceneHover> {
        if (const auto entry = Registry::instance().find(type)) {
            std::string text = Content::helpOf(*entry);
            const std::string written(typed ? c.xml().value(*typed) : std::string(c.xml().name(element)));
            if (written != type) text = "'" + written + "' is another name of it.\n" + text;
            return SceneHover{range, type + " (" + entry->category + ')', text};
        }
        if (type == "Node") return SceneHover{range, "Node", "Holds components and other nodes."};
        if (type == "include") return SceneHover{range, "include", "Puts the root of another file in this place."};
        return {};
    };
    if (tagName(element).contains(at)) return ofClass(tagName(element));
    for (const XmlAttribute& a : c.xml().attributes(element)) {
        if (at < a.begin || at > a.valueEnd) continue;
        const TextRange range{a.begin, std::min<std::size_t>(a.end(), c.text.size())};
        if (&a == typed) return ofClass(range);
        const std::string name(c.xml().name(a));
        const Base* object = c.prototype(e);
        if (name == "template") return SceneHover{range, name, "Types that the component works on."};
        if (!object) return {};
        std::string title = name, known = name;
        if (const OldAttribute* old = findOldAttribute(type, name); old && !old->now.empty()) known = old->now;
        if (const BaseData* d = object->findData(known)) {
            title += ": " + Content::summary(*d);
        } else if (const BaseLink* l = object->findLink(known)) {
            title += ": " + Content::summary(*l);
        } else if (name == "src") {
            return SceneHover{range, name, "Links every Data of the same name that the element does not mention."};
        }
        const std::string text = Content::helpOf(*object, known);
        if (text.empty() && title == name) return {};
        return SceneHover{range, title, text};
    }
    return {};
}

}  // namespace sofa::core
