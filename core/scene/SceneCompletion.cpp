// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <filesystem>
#include <set>

#include "core/factory/PluginManager.h"
#include "core/io/DataRepository.h"
#include "core/objectmodel/Path.h"
#include "core/scene/SceneAnalysisContent.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

using Kind = SceneCompletion::Kind;

constexpr std::size_t mostLinks = 200;

bool isNameByte(char c)
{
    const auto b = static_cast<unsigned char>(c);
    return std::isalnum(b) || c == '_' || c == '-' || c == '.' || c == ':' || b >= 128;
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Names of files in a folder; folders end with '/'.
void listFolder(const fs::path& folder, std::set<std::string>& out)
{
    std::error_code ignored;
    for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end; it.increment(ignored)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with('.')) out.insert(it->is_directory(ignored) ? name + '/' : name);
    }
}

/// What may be written at a place of a text.
class Completer
{
public:
    Completer(const SceneAnalysis::Content& c, std::size_t at) : m_content(c), m_text(c.text), m_at(at) {}

    std::vector<SceneCompletion> run()
    {
        if (m_content.isReadable() && !tagBegins()) inElement(m_content.elementAt(m_at));
        std::ranges::stable_sort(m_out, std::greater(), &SceneCompletion::fits);
        return std::move(m_out);
    }

private:
    void add(Kind kind, const std::string& label, TextRange replaced, std::string detail = {}, std::string help = {},
             bool fits = true)
    {
        m_out.push_back({kind, label, label, label.size(), replaced, std::move(detail), std::move(help), fits});
    }
    /// Text to write in place of the label, and where the cursor is in it.
    void writes(std::string text, std::size_t cursor)
    {
        m_out.back().insert = std::move(text);
        m_out.back().cursor = cursor;
    }

    const XmlItem& item(std::uint32_t e) const { return m_content.item(e); }
    std::size_t nameBegin(std::size_t at) const
    {
        while (at > 0 && isNameByte(m_text[at - 1])) --at;
        return at;
    }
    std::size_t nameEnd(std::size_t at) const
    {
        while (at < m_text.size() && isNameByte(m_text[at])) ++at;
        return at;
    }

    // --- Elements -------------------------------------------------------------------------------------------------
    /// Behind '<' or '</'. False if the place is none such.
    bool tagBegins()
    {
        const std::size_t begin = nameBegin(m_at);
        const bool closes = begin > 1 && m_text[begin - 1] == '/' && m_text[begin - 2] == '<';
        if (!closes && (begin == 0 || m_text[begin - 1] != '<')) return false;
        const std::size_t tag = begin - (closes ? 2 : 1);
        const TextAnchor here = m_content.anchorAt(tag);
        if (here.item != XmlItem::none) {
            const XmlItem& i = item(here.item);
            const bool inside = tag > i.begin && tag < (i.isElement() ? i.tagEnd : i.end);
            if (inside && i.kind != XmlItem::Kind::Text) return !i.isElement();  // a comment, or in a value
        }
        const std::uint32_t around = m_content.elementAt(tag);
        const TextRange name{begin, std::max(nameEnd(m_at), m_at)};
        if (closes) {
            for (std::uint32_t e = around; e != XmlItem::none; e = item(e).parent) {
                add(Kind::Node, std::string(m_content.xml().name(item(e))), name);
                if (name.end >= m_text.size() || m_text[name.end] != '>')
                    writes(m_out.back().label + '>', m_out.back().label.size() + 1);
            }
            return true;
        }
        // Does the tag go on already?
        const std::size_t line = std::min(m_text.find('\n', name.end), m_text.size());
        const std::string_view rest = std::string_view(m_text).substr(name.end, line - name.end);
        const auto stop = rest.find_first_of("<>");
        elements(around, name, stop == std::string_view::npos || rest[stop] == '<');
        return true;
    }

    const Node* nodeOf(std::uint32_t e) const
    {
        return e == XmlItem::none ? nullptr : dynamic_cast<const Node*>(m_content.objectOf(e));
    }

    /// `whole`: with the end of the tag.
    void elements(std::uint32_t around, TextRange name, bool whole)
    {
        if (around == XmlItem::none) {
            add(Kind::Node, "Node", name, "root of a scene");
            if (whole) writes("Node name=\"root\">\n</Node>", 17);
            return;
        }
        const std::string_view parent = m_content.xml().name(item(around));
        if (parent != "Node") {
            if (nodeOf(item(around).parent)) add(Kind::Node, "Attribute", name, "attribute as an element", {}, false);
            return;
        }
        components(nodeOf(around), name, whole, true);
        add(Kind::Node, "Node", name, "node", "Holds components and other nodes.");
        if (whole) writes("Node name=\"\">" + lineEnd(name.begin) + "</Node>", 11);
        add(Kind::Node, "include", name, "the root of another file");
        if (whole) writes("include href=\"\"/>", 14);
        prefabs(name, whole);
    }

    /// The line end, and the indentation of the line of a place.
    std::string lineEnd(std::size_t at) const
    {
        std::size_t begin = m_text.rfind('\n', at);
        begin = begin == std::string::npos ? 0 : begin + 1;
        std::size_t end = begin;
        while (end < at && (m_text[end] == ' ' || m_text[end] == '\t')) ++end;
        return std::string(m_content.xml().lineEnd()) + m_text.substr(begin, end - begin);
    }

    void components(const Node* node, TextRange name, bool whole, bool tags)
    {
        const MessageCapture silence;
        for (const ComponentEntryPtr& e : Registry::instance().entries()) {
            const bool fits = fitsIn(*e, node);
            std::vector<std::string> names = e->aliases;
            names.insert(names.begin(), e->name);
            for (const std::string& n : names) {
                const bool isAlias = n != e->name;
                add(Kind::Component, n, name, isAlias ? "another name of " + e->name : e->category,
                    isAlias ? std::string() : SceneAnalysis::Content::helpOf(*e), fits && !isAlias);
                if (whole && tags) writes(n + " />", n.size() + 1);
            }
        }
    }

    static bool fitsIn(const ComponentEntry& e, const Node* node)
    {
        if (!node) return true;  // the node could not be made: nothing is known
        ComponentDescription d;
        d.type = e.name;
        return std::ranges::any_of(e.creators, [&](const ComponentCreator& c) {
            std::string ignored;
            try {
                return c.fits(node, d, ignored);
            } catch (const std::exception&) {
                return false;
            }
        });
    }

    std::vector<fs::path> folders() const
    {
        std::vector<fs::path> all{fs::path(m_content.path).parent_path()};
        for (const std::string& p : DataRepository::instance().paths()) all.emplace_back(p);
        return all;
    }

    void prefabs(TextRange name, bool whole)
    {
        std::set<std::string> files;
        for (const fs::path& folder : folders()) listFolder(folder / "Objects", files);
        for (const std::string& f : files) {
            if (!f.ends_with(".xml")) continue;
            const std::string prefab = f.substr(0, f.size() - 4);
            if (Registry::instance().find(prefab)) continue;
            add(Kind::Component, prefab, name, "prefab");
            if (whole) writes(prefab + " />", prefab.size() + 1);
        }
    }

    // --- In a tag -------------------------------------------------------------------------------------------------
    void inElement(std::uint32_t e)
    {
        if (e == XmlItem::none) return;
        const XmlItem& element = item(e);
        const TextAnchor last = m_content.anchorAt(m_at == 0 ? 0 : m_at - 1);
        if (last.item != XmlItem::none && !item(last.item).isElement() && m_at < item(last.item).end &&
            item(last.item).kind != XmlItem::Kind::Text)
            return;  // a comment
        std::size_t end = element.tagEnd;
        if (end > 0 && m_text[end - 1] == '>') end -= end > 1 && m_text[end - 2] == '/' ? 2 : 1;
        if (m_at > end) {
            // Between tags: what begins here is a whole one.
            if (m_at > element.closeBegin || nameBegin(m_at) != m_at) return;
            elements(e, {m_at, m_at}, true);
            for (SceneCompletion& c : m_out) {
                c.insert.insert(0, 1, '<');
                ++c.cursor;
            }
            return;
        }
        for (const XmlAttribute& a : m_content.xml().attributes(element)) {
            if (m_at >= a.valueBegin && m_at <= a.valueEnd) return value(e, a);
            if (m_at >= a.begin && m_at <= a.nameEnd) return attributes(e, {a.begin, a.nameEnd}, true);
        }
        const std::size_t begin = nameBegin(m_at);
        if (begin == 0 || !isSpace(m_text[begin - 1])) return;
        const std::size_t stop = nameEnd(m_at);
        const auto next = m_text.find_first_not_of(" \t\r\n", stop);
        attributes(e, {begin, stop}, next != std::string::npos && m_text[next] == '=');
    }

    void attribute(const std::string& name, TextRange replaced, bool nameOnly, std::string detail, std::string help,
                   bool fits = true)
    {
        add(Kind::Attribute, name, replaced, std::move(detail), std::move(help), fits);
        if (!nameOnly) writes(name + "=\"\"", name.size() + 2);
    }

    void attributes(std::uint32_t e, TextRange replaced, bool nameOnly)
    {
        const XmlDocument& x = m_content.xml();
        const std::string_view tag = x.name(item(e));
        const Base* object = m_content.prototype(e);
        // What is given, but for the one that is being written.
        std::set<const void*> given;
        std::set<std::string> names;
        for (const XmlAttribute& a : x.attributes(item(e))) {
            if (a.begin == replaced.begin) continue;
            names.emplace(x.name(a));
            if (!object) continue;
            given.insert(object->findData(x.name(a)));
            given.insert(object->findLink(x.name(a)));
        }
        const auto other = [&](const char* name, std::string detail) {
            if (!names.contains(name)) attribute(name, replaced, nameOnly, std::move(detail), {});
        };
        if (tag == "include") {
            other("href", "file");
            other("name", "name of the included root");
            return;
        }
        if (tag == "Object") other("type", "class");
        if (!object) return;
        std::vector<const BaseData*> data(object->data().begin(), object->data().end());
        const auto isCommon = [](const BaseData* d) {
            static constexpr std::string_view common[] = {"tags", "printLog", "listening",
                                                          "bbox", "time",     "checkpoint"};
            return std::ranges::find(common, d->name()) != std::end(common) || !d->isDisplayed();
        };
        std::ranges::stable_sort(data, {}, [&](const BaseData* d) {
            return d->isRequired() ? 0 : isCommon(d) ? 2 : 1;
        });
        for (const BaseLink* l : object->links())
            if (!given.contains(l))
                attribute(std::string(l->name()), replaced, nameOnly, SceneAnalysis::Content::summary(*l),
                          std::string(l->help()));
        for (const BaseData* d : data)
            if (!given.contains(d) && !d->isReadOnly())
                attribute(d->name(), replaced, nameOnly, SceneAnalysis::Content::summary(*d),
                          SceneAnalysis::Content::helpOf(*object, d->name()), !isCommon(d));
        if (tag != "Node") {
            other("src", "link to a component that has Data of the same names");
            if (const auto entry = Registry::instance().find(m_content.classOf(e)); entry && entry->creators.size() > 1)
                other("template", "types that it works on");
        } else {
            other("sameAs", "link to a node that is a child here too");
        }
        for (const auto& [name, extra] : object->extraAttributes())
            if (!extra.ignored && !names.contains(name))
                attribute(name, replaced, nameOnly, "of old scenes", extra.help, false);
    }

    // --- Values ---------------------------------------------------------------------------------------------------
    void value(std::uint32_t e, const XmlAttribute& a)
    {
        const TextRange whole{a.valueBegin, a.valueEnd};
        const std::string name(m_content.xml().name(a));
        const std::string_view tag = m_content.xml().name(item(e));
        // The word that is being written.
        std::size_t begin = m_at, end = m_at;
        while (begin > whole.begin && !isSpace(m_text[begin - 1])) --begin;
        while (end < whole.end && !isSpace(m_text[end])) ++end;
        const TextRange word{begin, end};
        const std::string written = m_text.substr(begin, m_at - begin);
        const Node* node = m_content.nodeAround(e);
        if (name == "type" && tag == "Object") return components(node, whole, false, false);
        if (name == "template") return templates(e, whole, node);
        if (tag == "include" && name == "href") return files(whole);
        if (tag == "RequiredPlugin" && (name == "pluginName" || name == "name")) return plugins(word);
        const Base* object = m_content.prototype(e);
        const BaseData* data = object ? object->findData(name) : nullptr;
        const BaseLink* link = object ? object->findLink(name) : nullptr;
        const bool isPath = name == "src" || name == "sameAs";
        if (written.starts_with('@') || ((link || isPath) && written.empty()))
            return links(e, word, written, data, link ? name : std::string(), isPath);
        if (!data) return;
        const std::string type = data->typeName();
        if (type == "bool") {
            const std::string standard = data->defaultText() == "1" ? "true" : "false";
            for (const char* v : {"true", "false"}) add(Kind::Value, v, whole, v == standard ? "default" : "");
        } else if (const auto choices = data->choices(); !choices.empty()) {
            for (const std::string& c : choices) add(Kind::Value, c, whole, c == data->defaultText() ? "default" : "");
        } else if (type == "file name" || type == "list of file name") {
            files(whole);
        } else if (const std::string standard = data->defaultText();
                   !standard.empty() && standard.size() < 60 && whole.begin == whole.end) {
            add(Kind::Value, standard, whole, "default");
        }
    }

    void templates(std::uint32_t e, TextRange whole, const Node* node)
    {
        const auto entry = Registry::instance().find(m_content.classOf(e));
        if (!entry) return;
        const MessageCapture silence;
        ComponentDescription d;
        d.type = entry->name;
        for (const ComponentCreator& c : entry->creators) {
            std::string why;
            if (!c.templ.empty()) add(Kind::Value, c.templ, whole, {}, {}, !node || c.fits(node, d, why));
        }
    }

    /// Files beside the scene and in the data repository, one level below what is written.
    void files(TextRange whole)
    {
        const std::string written = m_text.substr(whole.begin, m_at - whole.begin);
        const auto slash = written.rfind('/');
        const std::string below = slash == std::string::npos ? std::string() : written.substr(0, slash + 1);
        std::set<std::string> names;
        if (below.starts_with('/'))
            listFolder(below, names);
        else
            for (const fs::path& folder : folders()) listFolder(folder / below, names);
        for (const std::string& n : names) add(Kind::File, below + n, whole);
    }

    void plugins(TextRange word)
    {
        std::set<std::string> files;
        for (const std::string& folder : PluginManager::instance().searchPaths()) listFolder(folder, files);
        for (const std::string& folder : PluginManager::instance().sceneFolders()) listFolder(folder, files);
        for (const std::string& f : files)
            if (f.starts_with("lib") && f.ends_with(".so") && !f.starts_with("libsofa_"))
                add(Kind::Value, f.substr(3, f.size() - 6), word, "plugin");
    }

    // --- Links ----------------------------------------------------------------------------------------------------
    void links(std::uint32_t e, TextRange word, const std::string& written, const BaseData* data,
               const std::string& linkName, bool isPath)
    {
        const Base* from = m_content.objectOf(e);
        if (!from) from = m_content.nodeAround(e);
        if (!from) return;
        const MessageCapture silence;
        const auto dot = written.rfind('.'), slash = written.rfind('/');
        const bool namesData = dot != std::string::npos && dot > 0 && written[dot - 1] != '.' &&
                               (slash == std::string::npos || dot > slash + 1);
        if (namesData && linkName.empty()) return dataOf(*from, written.substr(0, dot), word, data);
        Base* own = m_content.objectOf(e);
        BaseLink* link = own && !linkName.empty() ? own->findLink(linkName) : nullptr;
        const bool toNodes = m_content.xml().name(item(e)) == "Node" && isPath;
        std::size_t count = 0;
        for (Base* b : near(*from)) {
            if (b == own || (toNodes && !dynamic_cast<Node*>(b))) continue;
            const std::string path = pathTo(*from, *b);
            if (path.empty() || (link && !leadsTo(*link, path))) continue;
            if (!link && !toNodes && !dynamic_cast<Component*>(b)) continue;
            add(Kind::Link, path, word, b->className(), b->pathName());
            if (++count == mostLinks) break;
        }
    }

    void dataOf(const Base& from, const std::string& path, TextRange word, const BaseData* data)
    {
        std::string ignored;
        for (Base* b : findByPath(from, path, ignored)) {
            for (const BaseData* d : b->data())
                add(Kind::Link, path + '.' + d->name(), word, SceneAnalysis::Content::summary(*d),
                    std::string(d->help()), !data || d->typeName() == data->typeName());
            if (path != "@." && !path.ends_with("..")) break;  // the object itself
        }
    }

    /// The objects of the scene, the nearest first: of the node, of those above, of those below, the rest.
    std::vector<Base*> near(const Base& from) const
    {
        std::vector<Base*> out;
        std::set<const Node*> seen;
        const auto take = [&](Node& n) {
            if (!seen.insert(&n).second) return;
            for (const auto& c : n.components()) out.push_back(c.get());
            out.push_back(&n);
        };
        Node* const node = from.linkContext();
        if (!node) return out;
        for (Node* n : node->ancestors()) take(*n);
        for (Node* n : node->descendants(true)) take(*n);
        for (Node* n : node->root().descendants(true)) {
            if (out.size() > 20 * mostLinks) break;
            take(*n);
        }
        return out;
    }

    static std::string pathTo(const Base& from, Base& to)
    {
        std::string ignored;
        const auto leads = [&](const std::string& path) {
            const std::vector<Base*> found = findByPath(from, path, ignored);
            return !found.empty() && found.front() == &to;
        };
        if (const std::string path = '@' + to.name(); leads(path)) return path;
        const std::string whole = to.pathName(), here = from.linkContext()->pathName();
        if (here.size() > 1 && whole.starts_with(here + '/'))
            if (const std::string path = '@' + whole.substr(here.size() + 1); leads(path)) return path;
        if (to.linkContext() == &to && !from.linkContext()->parents().empty() &&
            from.linkContext()->parents().front() == &to)
            return "@..";
        return leads('@' + whole) ? '@' + whole : std::string();
    }

    /// Whether a link may lead there; it is as before then.
    static bool leadsTo(BaseLink& link, const std::string& path)
    {
        const std::string before = link.path();
        const SourceLocation where = link.location;
        std::string ignored;
        link.setPath(path, where);
        const bool good = link.resolve(ignored);
        link.setPath(before, where);
        if (!before.empty()) link.resolve(ignored);
        return good;
    }

    const SceneAnalysis::Content& m_content;
    const std::string& m_text;
    const std::size_t m_at;
    std::vector<SceneCompletion> m_out;
};

}  // namespace

std::vector<SceneCompletion> SceneAnalysis::completions(std::size_t at) const
{
    if (at > m_content->text.size()) return {};
    const auto session = m_content->scope();
    return Completer(*m_content, at).run();
}

}  // namespace sofa::core
