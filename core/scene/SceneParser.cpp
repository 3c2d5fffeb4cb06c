// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneParser.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

constexpr int maximalIncludeDepth = 50;
constexpr int maximalIncludes = 10'000;  // files that include the next one twice grow without bound

/// How an included root joins the element that includes it.
enum class Joining
{
    Child,   ///< as a child node
    Inline,  ///< its content takes the place of the include
    Merge    ///< its content is merged with elements of the same name and type
};

Joining joiningOf(const std::string& rootName)
{
    if (rootName == "Group" || rootName == "_Group_") return Joining::Inline;
    if (rootName == "_Merge_") return Joining::Merge;
    return Joining::Child;
}

bool carries(const SceneElement& e, std::string_view attribute) { return e.description.find(attribute) != nullptr; }

/// Sets an attribute that the element has; components only, as SOFA does, unless the element was named.
int overrideIn(SceneElement& e, const std::string& attribute, const Attribute& with, const std::string* element,
               const ElementPlace& by)
{
    int hits = 0;
    if ((element ? e.name() == *element : !e.isNode) && carries(e, attribute)) {
        e.description.set(attribute, with.value, with.where);
        e.elsewhere.push_back({attribute, by, with.name});
        ++hits;
    }
    for (SceneElement& c : e.children) hits += overrideIn(c, attribute, with, element, by);
    return hits;
}

void listAttributes(const SceneElement& e, std::vector<std::string>& out)
{
    if (!e.isNode)
        for (const Attribute& a : e.description.attributes) out.push_back(a.name);
    for (const SceneElement& c : e.children) listAttributes(c, out);
}

void mergeInto(SceneElement& target, SceneElement source)
{
    for (const Attribute& a : source.description.attributes) {
        if (a.name == "name") continue;
        target.description.set(a.name, a.value, a.where);
        target.elsewhere.push_back({a.name, source.place, a.name});
    }
    for (GivenElsewhere& g : source.elsewhere)
        if (g.name != "name") target.elsewhere.push_back(std::move(g));
    for (SceneElement& s : source.children) {
        const std::string name = s.name();
        const auto same = std::find_if(target.children.begin(), target.children.end(), [&](const SceneElement& t) {
            return !name.empty() && t.name() == name && t.description.type == s.description.type;
        });
        if (same == target.children.end())
            target.children.push_back(std::move(s));
        else
            mergeInto(*same, std::move(s));
    }
}

/// One file being parsed.
class FileParser
{
public:
    struct Shared
    {
        ParseOptions options;
        SceneDocument& document;
        bool places = true;                   ///< the document is kept
        std::vector<std::string> files = {};  ///< files open now, each included by the one before
        int includes = 0;
    };

    /// `include` is the one through which the file came.
    FileParser(Shared& shared, std::uint32_t file, std::uint32_t include)
        : m_shared(shared), m_file(file), m_include(include), m_xml(shared.document.xml(file))
    {
    }

    /// The root element with all below it.
    SceneElement parse(int depth)
    {
        const std::uint32_t root = m_xml.root();
        if (root == XmlItem::none) throw SceneError(m_xml.where(0), "the file has no element; expected a scene");
        SceneElement result;
        std::vector<SceneElement> out = element(root, depth, result);
        if (out.size() != 1) throw SceneError(at(root), "the root of a scene must be an element of its own");
        if (const std::uint32_t second = m_xml.elementBehind(root); second != XmlItem::none)
            report(
                Severity::Error,
                "a second root element <" + nameOf(second) + ">: a scene has one root, and what follows it is ignored",
                at(second));
        for (std::uint32_t i = m_xml.endIn(root); i < m_xml.items().size(); i = item(i).next)
            if (item(i).kind == XmlItem::Kind::Text) reportText(item(i));
        return std::move(out.front());
    }

    /// The elements that element `e` stands for in `parent`: one, or those of an included file; none if something is
    /// wrong.
    std::vector<SceneElement> element(std::uint32_t e, int depth, SceneElement& parent)
    {
        if (depth > maximalSceneDepth)
            throw SceneError(at(e), "nodes are nested more than " + std::to_string(maximalSceneDepth) + " levels deep");
        ComponentDescription d = describe(e);
        if (d.type == "include") return include(std::move(d), e, depth, parent);
        if (d.type == "Node") {
            SceneElement node = wrap(std::move(d), e, true);
            content(e, node, depth);
            return one(std::move(node));
        }
        if (d.type == "Object") {
            const Attribute* type = d.find("type");
            if (!type || type->value.empty()) {
                report(Severity::Error, "<Object> without type; expected <Object type=\"ComponentName\" .../>",
                       d.where);
                return {};
            }
            d.type = type->value;
            std::erase_if(d.attributes, [](const Attribute& a) { return a.name == "type"; });
        }
        if (!Registry::instance().find(d.type))
            if (const auto file = findPrefab(d.type)) return includeFile(*file, d, e, true, depth, parent);
        SceneElement component = wrap(std::move(d), e, false);
        componentContent(e, component);
        return one(std::move(component));
    }

private:
    const XmlItem& item(std::uint32_t e) const { return m_xml.items()[e]; }
    std::string nameOf(std::uint32_t e) const { return std::string(m_xml.name(item(e))); }
    ElementPlace placeOf(std::uint32_t e) const
    {
        return m_shared.places ? ElementPlace{m_file, item(e).id, m_include} : ElementPlace();
    }
    SourceLocation at(std::uint32_t e) const { return m_xml.where(item(e).begin); }
    std::string folder() const { return fs::path(m_xml.path()).parent_path().string(); }
    void report(Severity s, const std::string& text, SourceLocation where) const
    {
        if (m_shared.options.strict && s == Severity::Warning) s = Severity::Error;
        MessageLog::emit(s, text, std::move(where));
    }

    ComponentDescription describe(std::uint32_t e) const
    {
        ComponentDescription d;
        d.type = nameOf(e);
        d.where = at(e);
        const auto list = m_xml.attributes(item(e));
        d.attributes.reserve(list.size());
        for (const XmlAttribute& a : list)
            d.attributes.push_back({std::string(m_xml.name(a)), m_xml.value(a), m_xml.where(a.begin), false});
        return d;
    }

    SceneElement wrap(ComponentDescription d, std::uint32_t e, bool isNode) const
    {
        SceneElement s;
        s.isNode = isNode;
        s.description = std::move(d);
        s.place = placeOf(e);
        return s;
    }

    /// Objects/<name>.xml beside this file, beside a file that includes it, or in the data repository.
    std::optional<std::string> findPrefab(const std::string& name) const
    {
        const std::string file = "Objects/" + name + ".xml";
        std::error_code ignored;
        for (auto open = m_shared.files.rbegin(); open != m_shared.files.rend(); ++open) {
            const fs::path beside = fs::path(*open).parent_path() / file;
            if (fs::is_regular_file(beside, ignored)) return beside.string();
        }
        return DataRepository::instance().find(file, folder());
    }

    static std::vector<SceneElement> one(SceneElement e)
    {
        std::vector<SceneElement> v;
        v.push_back(std::move(e));
        return v;
    }

    /// Calls `f` with the elements in an element, and reports what else is there.
    template <class F>
    void forElementsIn(std::uint32_t e, const F& f) const
    {
        for (std::uint32_t i = m_xml.firstIn(e); i < m_xml.endIn(e); i = item(i).next) {
            const XmlItem& part = item(i);
            if (part.isElement())
                f(i);
            else if (part.kind == XmlItem::Kind::Text || part.kind == XmlItem::Kind::CData)
                reportText(part);
        }
    }

    void reportText(const XmlItem& part) const
    {
        std::string text = m_xml.decoded(m_xml.text(part));
        text.erase(text.find_last_not_of(" \t\r\n") + 1);
        if (text.size() > 30) text = text.substr(0, 27) + "...";
        report(Severity::Warning, "text between the tags is ignored: \"" + text + "\"", m_xml.where(part.begin));
    }

    void content(std::uint32_t e, SceneElement& node, int depth)
    {
        forElementsIn(e, [&](std::uint32_t child) {
            for (SceneElement& s : element(child, depth + 1, node)) node.children.push_back(std::move(s));
        });
    }

    /// Old scenes may set attributes by elements: <Attribute type="box"><Data value="0 0 0 1 1 1"/></Attribute>.
    void componentContent(std::uint32_t e, SceneElement& component) const
    {
        forElementsIn(e, [&](std::uint32_t child) {
            const ComponentDescription a = describe(child);
            if (a.type != "Attribute") {
                report(Severity::Error,
                       "<" + a.type + "> inside <" + component.description.type +
                           ">: a component contains no elements; does it lack '/>' or a closing tag?",
                       a.where);
                return;
            }
            const std::string name = a.get("type", a.get("name"));
            std::string value = a.get("value");
            ElementPlace by = placeOf(child);
            for (std::uint32_t i = m_xml.firstIn(child); i < m_xml.endIn(child); i = item(i).next) {
                if (!item(i).isElement()) continue;
                const XmlAttribute* given = m_xml.attribute(item(i), "value");
                if (!given) continue;
                value = m_xml.value(*given);
                by = placeOf(i);
            }
            if (name.empty()) {
                report(Severity::Error, "<Attribute> without type; expected the name of an attribute", a.where);
            } else {
                component.description.set(name, value, a.where);
                component.elsewhere.push_back({name, by, "value"});
            }
        });
    }

    std::vector<SceneElement> include(ComponentDescription d, std::uint32_t e, int depth, SceneElement& parent)
    {
        const Attribute* href = d.find("href");
        if (!href || href->value.empty()) {
            report(Severity::Error, "<include> without href; expected the name of a file", d.where);
            return {};
        }
        std::string file;
        try {
            file = DataRepository::instance().require(href->value, folder());
        } catch (const std::runtime_error& error) {
            report(m_shared.options.lenient ? Severity::Warning : Severity::Error,
                   std::string("include: ") + error.what(), href->where);
            return {};
        }
        std::erase_if(d.attributes, [](const Attribute& a) { return a.name == "href"; });
        return includeFile(file, d, e, false, depth, parent);
    }

    /// True, with an error, if `file` is open already or too many are.
    bool refuses(const std::string& file, const SourceLocation& where) const
    {
        auto& open = m_shared.files;
        const auto again = std::find(open.begin(), open.end(), file);
        if (again != open.end()) {
            std::string chain;
            for (auto it = again; it != open.end(); ++it) chain += *it + " -> ";
            report(Severity::Error, "cyclic include: " + chain + file, where);
            return true;
        }
        if (open.size() >= maximalIncludeDepth) {
            report(Severity::Error, "includes are nested more than " + std::to_string(maximalIncludeDepth) + " deep",
                   where);
            return true;
        }
        return false;
    }

    std::vector<SceneElement> includeFile(const std::string& path, const ComponentDescription& d, std::uint32_t e,
                                          bool prefab, int depth, SceneElement& parent)
    {
        const std::string file = fs::canonical(path).string();
        if (refuses(file, d.where)) return {};
        if (++m_shared.includes > maximalIncludes)
            throw SceneError(d.where, "more than " + std::to_string(maximalIncludes) + " includes; do they multiply?");
        SceneElement root;
        const ElementPlace by = placeOf(e);
        m_shared.files.push_back(file);
        try {
            const std::uint32_t index = m_shared.document.open(path);
            const std::uint32_t number = m_shared.document.addInclude({by, index, prefab});
            root = FileParser(m_shared, index, number).parse(depth);
        } catch (const SceneError& error) {
            m_shared.files.pop_back();
            if (m_shared.includes > maximalIncludes) throw;
            report(Severity::Error, error.reason() + " (included from " + d.where.str() + ")", error.where());
            return {};
        }
        m_shared.files.pop_back();

        Joining joining = root.isNode ? joiningOf(root.name()) : Joining::Child;
        for (const Attribute& a : d.attributes) {
            if (a.name == "name")
                rename(root, a, by, prefab, joining);
            else
                applyOverride(root, a, by, prefab, d);
        }
        if (joining == Joining::Inline) return std::move(root.children);
        if (joining == Joining::Merge) {
            mergeInto(parent, std::move(root));
            return {};
        }
        return one(std::move(root));
    }

    /// A name on <include> makes a group a node of that name. A prefab of a group stays a group, whatever its name,
    /// since its components serve the node that it is written in.
    static void rename(SceneElement& root, const Attribute& name, const ElementPlace& by, bool prefab, Joining& joining)
    {
        if (joining == Joining::Inline && prefab) return;
        root.description.set("name", name.value, name.where);
        root.elsewhere.push_back({"name", by, "name"});
        if (root.isNode) joining = joiningOf(name.value);
    }

    void applyOverride(SceneElement& root, const Attribute& a, const ElementPlace& by, bool prefab,
                       const ComponentDescription& d) const
    {
        if (const auto separator = a.name.find("__"); separator != std::string::npos && separator > 0) {
            const std::string element = a.name.substr(0, separator);
            if (overrideIn(root, a.name.substr(separator + 2), a, &element, by) > 0) return;
        } else {
            if (overrideIn(root, a.name, a, nullptr, by) > 0) return;
            // The older form, component_parameter; either may contain underscores itself.
            for (auto i = a.name.find('_', 1); i != std::string::npos; i = a.name.find('_', i + 1)) {
                const std::string element = a.name.substr(0, i);
                if (overrideIn(root, a.name.substr(i + 1), a, &element, by) > 0) return;
            }
        }
        if (a.name.starts_with('_') || a.name.starts_with("NO")) return;
        std::vector<std::string> known;
        listAttributes(root, known);
        report(Severity::Warning,
               "'" + a.name + "' has no effect: no element of " +
                   (prefab ? "the prefab " + d.type : "the included file") + " has this attribute" +
                   didYouMean(a.name, known),
               a.where);
    }

    Shared& m_shared;
    std::uint32_t m_file, m_include;
    const XmlDocument& m_xml;
};

}  // namespace

SceneElement parseSceneText(std::string text, const std::string& path, ParseOptions options, SceneDocument* document)
{
    SceneDocument own;
    FileParser::Shared shared{options, document ? *document : own, document != nullptr, {path}};
    if (!options.draft) return FileParser(shared, shared.document.openText(std::move(text), path), 0).parse(0);
    std::vector<XmlProblem> problems;
    const std::uint32_t file = shared.document.openText(std::move(text), path, problems);
    const XmlDocument& xml = shared.document.xml(file);
    for (const XmlProblem& p : problems) MessageLog::emit(Severity::Error, p.text, xml.where(p.at));
    return FileParser(shared, file, 0).parse(0);
}

SceneElement parseSceneFile(const std::string& path, ParseOptions options, SceneDocument* document)
{
    const std::string full = fs::absolute(path).lexically_normal().string();
    if (full.ends_with(".py") || full.ends_with(".pyscn") || full.ends_with(".pscn"))
        throw SceneError(
            {std::make_shared<const std::string>(path), 0, 0},
            "a scene written in Python: Python scenes are not read, only XML (.scn, .xml); SOFA can save what "
            "a Python scene builds in that form");
    SceneDocument own;
    FileParser::Shared shared{options, document ? *document : own, document != nullptr};
    const std::uint32_t file = shared.document.open(full);
    shared.files.push_back(fs::canonical(full).string());
    return FileParser(shared, file, 0).parse(0);
}

std::vector<SceneElement> parseElement(SceneDocument& document, const ElementPlace& place, ParseOptions options)
{
    FileParser::Shared shared{options, document};
    for (std::uint32_t i = place.include; i != 0; i = document.includes()[i].by.include)
        shared.files.insert(shared.files.begin(), document.xml(document.includes()[i].file).path());
    shared.files.insert(shared.files.begin(), document.xml(0).path());
    SceneElement parent;
    return FileParser(shared, place.file, place.include)
        .element(document.xml(place.file).find(place.element), 1, parent);
}

}  // namespace sofa::core
