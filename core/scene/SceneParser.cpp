// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneParser.h"

#include <tinyxml2.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/factory/Registry.h"
#include "core/scene/DataRepository.h"

namespace fs = std::filesystem;
namespace xml = tinyxml2;

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
int overrideIn(SceneElement& e, const std::string& attribute, const Attribute& with, const std::string* element)
{
    int hits = 0;
    if ((element ? e.name() == *element : !e.isNode) && carries(e, attribute)) {
        e.description.set(attribute, with.value, with.where);
        ++hits;
    }
    for (SceneElement& c : e.children) hits += overrideIn(c, attribute, with, element);
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
    for (const Attribute& a : source.description.attributes)
        if (a.name != "name") target.description.set(a.name, a.value, a.where);
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

/// One file being parsed. Walks the tree of TinyXML2 and the list of tag positions side by side.
class FileParser
{
public:
    struct Shared
    {
        ParseOptions options;
        std::vector<std::string> files;  ///< files open now, each included by the one before
        int includes = 0;
    };

    FileParser(Shared& shared, std::string text, const std::string& path)
        : m_shared(shared),
          m_text(withoutDeclarations(std::move(text))),
          m_tags(findTags(m_text)),
          m_path(std::make_shared<const std::string>(path))
    {
        if (m_document.Parse(m_text.data(), m_text.size()) != xml::XML_SUCCESS) failToParse();
    }

    /// The root element with all below it.
    SceneElement parse(int depth)
    {
        const xml::XMLElement* root = m_document.RootElement();
        if (!root) throw SceneError(at({1, 0}), "the file has no element; expected a scene");
        SceneElement result;
        std::vector<SceneElement> out = element(*root, depth, result);
        if (out.size() != 1)
            throw SceneError(at({root->GetLineNum(), 0}), "the root of a scene must be an element of its own");
        if (const xml::XMLElement* second = root->NextSiblingElement())
            report(Severity::Error,
                   "a second root element <" + std::string(second->Name()) +
                       ">: a scene has one root, and what follows it is ignored",
                   second->GetLineNum());
        return std::move(out.front());
    }

private:
    SourceLocation at(TextPosition p) const { return {m_path, p.line, p.column}; }
    std::string folder() const { return fs::path(*m_path).parent_path().string(); }
    void report(Severity s, const std::string& text, SourceLocation where) const
    {
        if (m_shared.options.strict && s == Severity::Warning) s = Severity::Error;
        MessageLog::emit(s, text, std::move(where));
    }
    void report(Severity s, const std::string& text, int line) const { report(s, text, at({line, 0})); }

    [[noreturn]] void failToParse() const
    {
        const int line = m_document.ErrorLineNum();
        std::string reason;
        switch (m_document.ErrorID()) {
            case xml::XML_ELEMENT_DEPTH_EXCEEDED:
                reason = "the elements are nested too deeply";
                break;
            case xml::XML_ERROR_MISMATCHED_ELEMENT:
                reason = "an element is not closed, or closed by the tag of another";
                break;
            case xml::XML_ERROR_PARSING_ATTRIBUTE:
                reason = "an attribute is malformed or given twice; expected name=\"value\"";
                break;
            case xml::XML_ERROR_PARSING_ELEMENT:
                reason = "a tag is malformed";
                break;
            case xml::XML_ERROR_PARSING_COMMENT:
                reason = "a comment is not closed; expected '-->'";
                break;
            case xml::XML_ERROR_PARSING_CDATA:
                reason = "a CDATA section is not closed; expected ']]>'";
                break;
            case xml::XML_ERROR_PARSING_TEXT:
                reason = "text is malformed or the file ends too early";
                break;
            case xml::XML_ERROR_PARSING_DECLARATION:
                reason = "the XML declaration is not closed or not at the top; expected '?>'";
                break;
            case xml::XML_ERROR_PARSING:
                reason = "a tag is malformed, or the file ends before an element is closed";
                break;
            default:
                reason = m_document.ErrorName();
        }
        throw SceneError(at({line, 0}), "this is no well-formed XML: " + reason);
    }

    /// Positions of this element's tag. The lists run in parallel; should the lenient parser have seen other tags than
    /// we did, its own lines are used from there on.
    const TagPosition* nextTag(const xml::XMLElement& e)
    {
        if (m_nextTag >= m_tags.size() || m_tags[m_nextTag].name != e.Name()) {
            m_nextTag = m_tags.size();
            return nullptr;
        }
        return &m_tags[m_nextTag++];
    }

    ComponentDescription describe(const xml::XMLElement& e)
    {
        const TagPosition* tag = nextTag(e);
        ComponentDescription d;
        d.type = e.Name();
        d.where = at(tag ? tag->at : TextPosition{e.GetLineNum(), 0});
        std::size_t i = 0;
        for (const xml::XMLAttribute* a = e.FirstAttribute(); a; a = a->Next(), ++i) {
            const bool known = tag && i < tag->attributes.size();
            const SourceLocation where = at(known ? tag->attributes[i] : TextPosition{a->GetLineNum(), 0});
            d.set(a->Name(), a->Value(), where);
        }
        return d;
    }

    static SceneElement wrap(ComponentDescription d, bool isNode)
    {
        SceneElement e;
        e.isNode = isNode;
        e.description = std::move(d);
        return e;
    }

    /// The elements that `e` stands for in `parent`: one, or those of an included file; none if something is wrong.
    std::vector<SceneElement> element(const xml::XMLElement& e, int depth, SceneElement& parent)
    {
        if (depth > maximalSceneDepth)
            throw SceneError(at({e.GetLineNum(), 0}),
                             "nodes are nested more than " + std::to_string(maximalSceneDepth) + " levels deep");
        ComponentDescription d = describe(e);
        if (d.type == "include") {
            skipContent(e);
            return include(std::move(d), depth, parent);
        }
        if (d.type == "Node") {
            SceneElement node = wrap(std::move(d), true);
            content(e, node, depth);
            return one(std::move(node));
        }
        if (d.type == "Object") {
            const Attribute* type = d.find("type");
            if (!type || type->value.empty()) {
                report(Severity::Error, "<Object> without type; expected <Object type=\"ComponentName\" .../>",
                       d.where);
                skipContent(e);
                return {};
            }
            d.type = type->value;
            std::erase_if(d.attributes, [](const Attribute& a) { return a.name == "type"; });
        }
        if (!Registry::instance().find(d.type)) {
            if (const auto file = findPrefab(d.type)) {
                skipContent(e);
                return includeFile(*file, d, true, depth, parent);
            }
        }
        SceneElement component = wrap(std::move(d), false);
        componentContent(e, component);
        return one(std::move(component));
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

    void reportText(const xml::XMLNode& n) const
    {
        if (!n.ToText()) return;
        std::string text = n.Value();
        text.erase(0, text.find_first_not_of(" \t\r\n"));
        text.erase(text.find_last_not_of(" \t\r\n") + 1);
        if (text.size() > 30) text = text.substr(0, 27) + "...";
        report(Severity::Warning, "text between the tags is ignored: \"" + text + "\"", n.GetLineNum());
    }

    void content(const xml::XMLElement& e, SceneElement& node, int depth)
    {
        for (const xml::XMLNode* n = e.FirstChild(); n; n = n->NextSibling()) {
            reportText(*n);
            if (const xml::XMLElement* child = n->ToElement())
                for (SceneElement& s : element(*child, depth + 1, node)) node.children.push_back(std::move(s));
        }
    }

    /// Old scenes may set attributes by elements: <Attribute type="box"><Data value="0 0 0 1 1 1"/></Attribute>.
    void componentContent(const xml::XMLElement& e, SceneElement& component)
    {
        for (const xml::XMLNode* n = e.FirstChild(); n; n = n->NextSibling()) {
            reportText(*n);
            const xml::XMLElement* child = n->ToElement();
            if (!child) continue;
            const ComponentDescription a = describe(*child);
            if (a.type != "Attribute") {
                report(Severity::Error,
                       "<" + a.type + "> inside <" + component.description.type +
                           ">: a component contains no elements; does it lack '/>' or a closing tag?",
                       a.where);
                skipContent(*child);
                continue;
            }
            const std::string name = a.get("type", a.get("name"));
            std::string value = a.get("value");
            for (const xml::XMLElement* d = child->FirstChildElement(); d; d = d->NextSiblingElement()) {
                const ComponentDescription data = describe(*d);
                skipContent(*d);
                value = data.get("value", value);
            }
            if (name.empty())
                report(Severity::Error, "<Attribute> without type; expected the name of an attribute", a.where);
            else
                component.description.set(name, value, a.where);
        }
    }

    /// Passes over the tags inside an element whose content has no meaning.
    void skipContent(const xml::XMLElement& e)
    {
        for (const xml::XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
            nextTag(*c);
            skipContent(*c);
        }
    }

    std::vector<SceneElement> include(ComponentDescription d, int depth, SceneElement& parent)
    {
        const Attribute* href = d.find("href");
        if (!href || href->value.empty()) {
            report(Severity::Error, "<include> without href; expected the name of a file", d.where);
            return {};
        }
        std::string file;
        try {
            file = DataRepository::instance().require(href->value, folder());
        } catch (const std::runtime_error& e) {
            report(m_shared.options.lenient ? Severity::Warning : Severity::Error, std::string("include: ") + e.what(),
                   href->where);
            return {};
        }
        std::erase_if(d.attributes, [](const Attribute& a) { return a.name == "href"; });
        return includeFile(file, d, false, depth, parent);
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

    std::vector<SceneElement> includeFile(const std::string& path, const ComponentDescription& d, bool prefab,
                                          int depth, SceneElement& parent)
    {
        const std::string file = fs::canonical(path).string();
        if (refuses(file, d.where)) return {};
        if (++m_shared.includes > maximalIncludes)
            throw SceneError(d.where, "more than " + std::to_string(maximalIncludes) + " includes; do they multiply?");
        SceneElement root;
        m_shared.files.push_back(file);
        try {
            root = FileParser(m_shared, readXmlFile(path), path).parse(depth);
        } catch (const SceneError& e) {
            m_shared.files.pop_back();
            if (m_shared.includes > maximalIncludes) throw;
            report(Severity::Error, e.reason() + " (included from " + d.where.str() + ")", e.where());
            return {};
        }
        m_shared.files.pop_back();

        Joining joining = root.isNode ? joiningOf(root.name()) : Joining::Child;
        for (const Attribute& a : d.attributes) {
            if (a.name == "name")
                rename(root, a, prefab, joining);
            else
                applyOverride(root, a, prefab, d);
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
    static void rename(SceneElement& root, const Attribute& name, bool prefab, Joining& joining)
    {
        if (joining == Joining::Inline && prefab) return;
        root.description.set("name", name.value, name.where);
        if (root.isNode) joining = joiningOf(name.value);
    }

    void applyOverride(SceneElement& root, const Attribute& a, bool prefab, const ComponentDescription& by) const
    {
        if (const auto separator = a.name.find("__"); separator != std::string::npos && separator > 0) {
            const std::string element = a.name.substr(0, separator);
            if (overrideIn(root, a.name.substr(separator + 2), a, &element) > 0) return;
        } else {
            if (overrideIn(root, a.name, a, nullptr) > 0) return;
            // The older form, component_parameter; either may contain underscores itself.
            for (auto i = a.name.find('_', 1); i != std::string::npos; i = a.name.find('_', i + 1)) {
                const std::string element = a.name.substr(0, i);
                if (overrideIn(root, a.name.substr(i + 1), a, &element) > 0) return;
            }
        }
        if (a.name.starts_with('_') || a.name.starts_with("NO")) return;
        std::vector<std::string> known;
        listAttributes(root, known);
        report(Severity::Warning,
               "'" + a.name + "' has no effect: no element of " +
                   (prefab ? "the prefab " + by.type : "the included file") + " has this attribute" +
                   didYouMean(a.name, known),
               a.where);
    }

    Shared& m_shared;
    std::string m_text;
    std::vector<TagPosition> m_tags;
    std::size_t m_nextTag = 0;
    std::shared_ptr<const std::string> m_path;
    xml::XMLDocument m_document;
};

}  // namespace

SceneElement parseSceneText(std::string text, const std::string& path, ParseOptions options)
{
    FileParser::Shared shared;
    shared.options = options;
    shared.files.push_back(path);
    return FileParser(shared, normalizedXml(std::move(text), path), path).parse(0);
}

SceneElement parseSceneFile(const std::string& path, ParseOptions options)
{
    const std::string full = fs::absolute(path).lexically_normal().string();
    if (full.ends_with(".py") || full.ends_with(".pyscn") || full.ends_with(".pscn"))
        throw SceneError(
            {std::make_shared<const std::string>(path), 0, 0},
            "a scene written in Python: Python scenes are not read, only XML (.scn, .xml); SOFA can save what "
            "a Python scene builds in that form");
    std::string text = readXmlFile(full);
    FileParser::Shared shared;
    shared.options = options;
    shared.files.push_back(fs::canonical(full).string());
    return FileParser(shared, std::move(text), full).parse(0);
}

}  // namespace sofa::core
