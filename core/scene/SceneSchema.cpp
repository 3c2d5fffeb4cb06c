// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneSchema.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/objectmodel/Node.h"
#include "core/scene/OldNames.h"
#include "core/scene/XmlDocument.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

/// How the text of an attribute is read.
struct ValueKind
{
    enum Form
    {
        Text,
        Bool,
        Choice,
        Integers,
        Reals,
        Link
    };
    Form form = Text;
    bool isList = false, hasUnit = false;
    std::vector<std::string> choices = {};

    /// Takes what another kind takes too.
    void widen(const ValueKind& other)
    {
        if (form != other.form || choices != other.choices) {
            *this = {};
            return;
        }
        isList = isList || other.isList;
        hasUnit = hasUnit || other.hasUnit;
    }

    /// Name of the pattern for all attributes of this kind; empty for one of its own.
    std::string pattern() const
    {
        switch (form) {
            case Bool:
                return "bool";
            case Choice:
                return {};
            case Integers:
                return isList ? "integers" : "integer";
            case Reals:
                return std::string(hasUnit ? "quantit" : "number") + (isList    ? (hasUnit ? "ies" : "s")
                                                                      : hasUnit ? "y"
                                                                                : "");
            case Link:
                return "link";
            case Text:
                break;
        }
        return "anything";
    }
};

ValueKind kindOf(const BaseData& d)
{
    ValueKind k;
    std::string type = d.typeName();
    k.hasUnit = !d.unit().empty() && d.unit() != "1";
    k.choices = d.choices();
    if (!k.choices.empty()) {
        k.form = ValueKind::Choice;
        return k;
    }
    if (type.starts_with("list of ")) {
        k.isList = true;
        type.erase(0, 8);
    }
    const bool isVector =
        type.starts_with("Vec") && type.size() > 3 && std::isdigit(static_cast<unsigned char>(type[3]));
    if (type == "bool" && !k.isList) k.form = ValueKind::Bool;
    if (type == "double" || type == "float" || (isVector && !type.ends_with('i')) || type == "Quat" ||
        type.starts_with("RigidCoord"))
        k.form = ValueKind::Reals;
    if (type == "int" || type == "unsigned int" || (isVector && type.ends_with('i'))) k.form = ValueKind::Integers;
    if (type.ends_with(" x unsigned int") || type.ends_with(" x int")) {
        k.form = ValueKind::Integers;
        k.isList = true;
    }
    if (type.starts_with("RigidCoord")) k.hasUnit = false;  // its numbers are of two kinds
    k.isList = k.isList || isVector || type == "Quat" || type.starts_with("RigidCoord");
    return k;
}

struct SchemaAttribute
{
    std::vector<std::string> names;  ///< the first is today's
    ValueKind kind;
    std::string help, unit, range;
    bool isOld = false;
};

/// Something that scenes write as an element.
struct SchemaElement
{
    std::string name;
    std::vector<std::string> names;  ///< under which scenes write it, with those of old scenes
    std::string help;
    std::vector<SchemaAttribute> attributes;
};

std::vector<std::string> allNames(const Base& b, std::string name)
{
    std::vector<std::string> names = b.aliasesOf(name);
    names.insert(names.begin(), std::move(name));
    return names;
}

std::vector<SchemaAttribute> attributesOf(const Base& b, std::string_view type)
{
    std::vector<SchemaAttribute> all;
    std::set<std::string> taken;
    const auto add = [&](SchemaAttribute a) {
        std::erase_if(a.names, [&](const std::string& n) { return !taken.insert(n).second; });
        if (!a.names.empty()) all.push_back(std::move(a));
    };
    for (const BaseData* d : b.data())
        add({allNames(b, d->name()), kindOf(*d), std::string(d->help()), std::string(d->unit()), d->range().str()});
    for (const BaseLink* l : b.links())
        add({allNames(b, std::string(l->name())), {.form = ValueKind::Link}, std::string(l->help()), {}, {}});
    for (const auto& [name, x] : b.extraAttributes())
        add({{name}, {}, x.ignored ? "Has no effect: " + x.help : x.help, {}, {}, x.ignored});
    for (const std::string_view name : oldAttributeNames(type)) {
        const OldAttribute* old = findOldAttribute(type, name);
        // Those of any class are only meant where it has what they are called today.
        if (old->component.empty() && !old->now.empty() && !taken.contains(std::string(old->now))) continue;
        const BaseData* now = old->now.empty() ? nullptr : b.findData(old->now);
        add({{std::string(name)}, now ? kindOf(*now) : ValueKind(), "of old scenes", {}, {}, true});
    }
    return all;
}

/// Of an engine with numbered inputs as many as scenes may reasonably have.
void numberSeries(Base& object)
{
    const std::size_t own = object.data().size();
    for (std::size_t i = 0; i < own; ++i) {
        BaseData* d = object.data()[i];
        if (d->typeName() != "unsigned int") continue;
        const std::size_t before = object.data().size();
        std::string ignored;
        if (d->read("20", ignored) && object.data().size() == before) d->resetToDefault();
    }
}

/// Attributes of any name.
bool takesAnything(std::string_view component) { return component == "RuleBasedContactManager"; }

std::vector<SchemaElement> componentElements()
{
    std::map<std::string, std::vector<std::string>> old;
    for (const auto& [before, now] : renamedComponents())
        if (!Registry::instance().find(before)) old[now].push_back(before);
    std::vector<SchemaElement> all;
    for (const ComponentEntryPtr& e : Registry::instance().entries()) {
        if (e->creators.empty() || takesAnything(e->name)) continue;
        SchemaElement s{e->name, e->aliases, e->help, {}};
        s.names.insert(s.names.begin(), e->name);
        for (const std::string& name : old[e->name]) s.names.push_back(name);
        // Templates may differ in what they have, and in how it is read.
        std::set<std::string> taken;
        for (const ComponentCreator& c : e->creators) {
            const auto object = c.create();
            numberSeries(*object);
            for (SchemaAttribute& a : attributesOf(*object, e->name)) {
                const auto same = std::ranges::find_if(s.attributes, [&a](const SchemaAttribute& other) {
                    return std::ranges::find(other.names, a.names.front()) != other.names.end();
                });
                if (same != s.attributes.end()) same->kind.widen(a.kind);
                std::erase_if(a.names, [&](const std::string& n) { return !taken.insert(n).second; });
                if (!a.names.empty()) s.attributes.push_back(std::move(a));
            }
        }
        for (const char* other : {"src", "template"})
            if (!taken.contains(other)) s.attributes.push_back({{other}, {}, {}, {}, {}});
        all.push_back(std::move(s));
    }
    return all;
}

SchemaElement nodeElement()
{
    const auto node = std::make_shared<Node>("node");
    SchemaElement s{"Node", {"Node"}, "Holds components and other nodes", attributesOf(*node, "Node")};
    s.attributes.push_back({{"sameAs"}, {.form = ValueKind::Link}, "The node that is a child here too", {}, {}});
    return s;
}

/// Elements with any attributes: prefabs, classes without a single successor, and components that take any.
std::vector<std::string> looseElements()
{
    std::set<std::string> names{"MeshLoader"};
    for (const OldComponent& c : oldComponentsWithoutSuccessor()) names.emplace(c.name);
    for (const std::string& folder : DataRepository::instance().paths()) {
        std::error_code ignored;
        for (fs::directory_iterator it(fs::path(folder) / "Objects", ignored), end; !ignored && it != end;
             it.increment(ignored))
            if (it->path().extension() == ".xml") names.insert(it->path().stem().string());
    }
    std::erase_if(names, [](const std::string& n) { return Registry::instance().find(n) != nullptr; });
    for (const ComponentEntryPtr& e : Registry::instance().entries())
        if (takesAnything(e->name)) {
            names.insert(e->name);
            names.insert(e->aliases.begin(), e->aliases.end());
        }
    return {names.begin(), names.end()};
}

// --- RELAX NG --------------------------------------------------------------------------------------------------------

constexpr std::string_view realPattern = R"([+\-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-]?[0-9]+)?[fd]?)";
// A word of a unit begins with no digit; it may stand directly behind a number.
constexpr std::string_view unitPattern = R"([^0-9\s@+\-.,;\[\]&#34;'][^\s@,;\[\]&#34;']*)";
constexpr std::string_view integerPattern = R"([+\-]?[0-9]+(\.0*)?)";
constexpr std::string_view rangePattern = R"([+\-]?[0-9]+(\.0*)?(-[0-9]+){0,2})";

/// "exact" or "EXACT": names of options in any case.
std::string anyCase(const std::string& word)
{
    std::string out;
    for (const char c : word) {
        const auto b = static_cast<unsigned char>(c);
        if (std::isalpha(b))
            out += {'[', static_cast<char>(std::toupper(b)), static_cast<char>(std::tolower(b)), ']'};
        else if (std::string_view("\\|.?*+(){}-[]^").find(c) != std::string_view::npos)
            out += {'\\', c};
        else
            out += c;
    }
    return out;
}

class RngWriter
{
public:
    std::string run()
    {
        m_text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Generated by runSofa (schema rng); not to be edited. "
            "-->\n"
            "<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\" "
            "datatypeLibrary=\"http://www.w3.org/2001/XMLSchema-datatypes\">\n"
            "<start><choice><ref name=\"Node\"/><ref name=\"component\"/></choice></start>\n";
        patterns();
        const std::vector<SchemaElement> components = componentElements();
        const SchemaElement node = nodeElement();
        attributes(node);
        define("Node",
               "<element name=\"Node\"><ref name=\"of.Node\"/><zeroOrMore><choice><ref name=\"Node\"/>"
               "<ref name=\"include\"/><ref name=\"component\"/></choice></zeroOrMore></element>");
        define("include", "<element name=\"include\"><attribute name=\"href\"/>" + othersThan("href") + "</element>");
        std::string all = "<ref name=\"loose\"/>";
        for (const SchemaElement& c : components) {
            component(c, attributes(c));
            all += "<ref name=\"" + c.name + "\"/>";
        }
        define("component", "<choice>" + all + "</choice>");
        loose();
        return std::move(m_text) + "</grammar>\n";
    }

private:
    void define(const std::string& name, const std::string& content)
    {
        m_text += "<define name=\"" + name + "\">" + content + "</define>\n";
    }
    static std::string data(std::string_view pattern)
    {
        return "<data type=\"token\"><param name=\"pattern\">" + std::string(pattern) + "</param></data>";
    }
    static std::string ref(const std::string& name) { return "<ref name=\"" + name + "\"/>"; }
    static std::string othersThan(const std::string& name)
    {
        return "<zeroOrMore><attribute><anyName><except><name>" + name +
               "</name></except></anyName></attribute></zeroOrMore>";
    }
    /// An empty text counts as not given, and any value may follow another one.
    static std::string orLink(const std::string& content)
    {
        return "<choice><value></value>" + ref("path") + content + "</choice>";
    }

    void patterns()
    {
        const auto list = [](const std::string& content) {
            return "<list><oneOrMore>" + content + "</oneOrMore></list>";
        };
        const std::string real = data(realPattern), unit = data(unitPattern);
        const std::string withUnit = data(std::string(realPattern) + std::string(unitPattern));
        define("anything", "<text/>");
        define("path", data("@.*"));
        define("link", orLink(list(data("@\\S*"))));
        define("bool", orLink(data("[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]|"
                                   "[TtFfYyNn]|" +
                                   std::string(realPattern))));
        define("integer", orLink(data(integerPattern)));
        define("integers", orLink(list(data(rangePattern))));
        define("number", orLink(real));
        define("numbers", orLink(list(real)));
        define("quantity", orLink("<list>" + real + "<zeroOrMore>" + unit + "</zeroOrMore></list>" + "<list>" +
                                  withUnit + "<zeroOrMore>" + unit + "</zeroOrMore></list>"));
        define("quantities", orLink(list("<choice>" + real + withUnit + unit + "</choice>")));
        define("others", "<zeroOrMore><attribute><anyName/></attribute></zeroOrMore>");
        define("parts",
               "<zeroOrMore><element name=\"Attribute\"><ref name=\"others\"/><zeroOrMore><element name=\"Data\">"
               "<ref name=\"others\"/></element></zeroOrMore></element></zeroOrMore>");
    }

    /// Returns the attribute `type`, which <Object> cannot give, if there is one.
    std::string attributes(const SchemaElement& e)
    {
        std::string content, type;
        for (const SchemaAttribute& a : e.attributes) {
            const std::string pattern = a.kind.pattern();
            for (const std::string& name : a.names)
                (name == "type" ? type : content) += "\n<optional><attribute name=\"" + escapedXml(name) + "\">" +
                                                     (pattern.empty() ? choice(a.kind) : ref(pattern)) +
                                                     "</attribute></optional>";
        }
        define("of." + e.name, content.empty() ? "<empty/>" : content);
        return type;
    }

    static std::string choice(const ValueKind& k)
    {
        std::string words = "[0-9]+";
        for (const std::string& c : k.choices) words += '|' + anyCase(c);
        return orLink(data(escapedXml(words)));
    }

    void component(const SchemaElement& e, const std::string& type)
    {
        std::string names, types;
        for (const std::string& n : e.names) {
            names += "<name>" + escapedXml(n) + "</name>";
            types += "<value>" + escapedXml(n) + "</value>";
        }
        const std::string content = ref("of." + e.name) + ref("parts") + "</element>";
        define(e.name, "<choice><element><choice>" + names + "</choice>" + type + content +
                           "<element name=\"Object\"><attribute name=\"type\"><choice>" + types +
                           "</choice></attribute>" + content + "</choice>");
    }

    void loose()
    {
        std::string names, types;
        for (const std::string& n : looseElements()) {
            names += "<name>" + escapedXml(n) + "</name>";
            types += "<value>" + escapedXml(n) + "</value>";
        }
        define("loose", "<choice><element><choice>" + names +
                            "</choice><ref name=\"others\"/></element>"
                            "<element name=\"Object\"><attribute name=\"type\"><choice>" +
                            types + "</choice></attribute>" + othersThan("type") + "</element></choice>");
    }

    std::string m_text;
};

// --- JSON Schema -----------------------------------------------------------------------------------------------------

using Json = nlohmann::ordered_json;

std::string inAnyOf(std::string_view pattern)
{
    std::string p(pattern);
    for (auto i = p.find("&#34;"); i != std::string::npos; i = p.find("&#34;")) p.replace(i, 5, "\"");
    return p;
}

/// A text that is empty, a path, or `pattern` between white space.
Json textOf(const std::string& pattern)
{
    return {{"type", "string"}, {"pattern", "^\\s*(@.*|" + pattern + ")?\\s*$"}};
}

Json listOf(const std::string& pattern) { return textOf(pattern + "(\\s+(" + pattern + "))*"); }

Json jsonPatterns()
{
    const std::string real(realPattern), unit = inAnyOf(unitPattern), integer(integerPattern), range(rangePattern);
    const std::string word = "(" + real + "|" + real + unit + "|" + unit + ")";
    const auto anyOf = [](std::initializer_list<Json> list) { return Json{{"anyOf", Json(list)}}; };
    const Json number{{"type", "number"}}, whole{{"type", "integer"}};
    const auto array = [](const Json& of) { return Json{{"type", "array"}, {"items", of}}; };
    Json d = Json::object();
    d["anything"] = Json::object();
    d["link"] = anyOf({listOf("@\\S*"), array({{"type", "string"}, {"pattern", "^@\\S*$"}})});
    d["bool"] = anyOf({{{"type", "boolean"}},
                       number,
                       textOf("[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]|"
                              "[TtFfYyNn]|" +
                              real)});
    d["integer"] = anyOf({whole, textOf(integer)});
    d["integers"] = anyOf({whole, array(whole), listOf(range)});
    d["number"] = anyOf({number, textOf(real)});
    d["numbers"] = anyOf({number, array({{"type", {"number", "array"}}}), listOf(real)});
    d["quantity"] = anyOf({number, textOf(real + "(\\s*" + unit + "(\\s+" + unit + ")*)?")});
    d["quantities"] = anyOf({number, array({{"type", {"number", "array"}}}), listOf(word)});
    return d;
}

Json jsonElement(const SchemaElement& e)
{
    Json properties = Json::object();
    properties["type"] = {{"enum", e.names}};
    for (const SchemaAttribute& a : e.attributes) {
        Json j = Json::object();
        if (a.kind.form == ValueKind::Choice) {
            std::string words = "[0-9]+";
            for (const std::string& c : a.kind.choices) words += '|' + anyCase(c);
            j["anyOf"] = {{{"type", "integer"}}, textOf(words)};
        } else if (a.kind.form != ValueKind::Text) {
            j["$ref"] = "#/$defs/" + a.kind.pattern();
        }
        std::string help = a.help;
        if (!a.unit.empty() && a.unit != "1") help += " [" + a.unit + ']';
        if (!a.range.empty()) help += ", " + a.range;
        if (!help.empty()) j["description"] = help;
        if (a.isOld) j["deprecated"] = true;
        for (const std::string& name : a.names)
            if (name != "type") properties[name] = j;
    }
    Json j;
    j["description"] = e.help;
    j["type"] = "object";
    j["properties"] = std::move(properties);
    j["required"] = Json::array({"type"});
    return j;
}

std::string jsonSchema()
{
    Json defs = jsonPatterns(), byType = Json::array();
    std::vector<std::string> known{"Node", "include"};
    const auto add = [&](const std::string& name, const std::vector<std::string>& names, Json element) {
        element["additionalProperties"] = false;
        defs["of." + name] = std::move(element);
        Json rule;
        rule["if"]["properties"]["type"]["enum"] = names;
        rule["then"]["$ref"] = "#/$defs/of." + name;
        byType.push_back(std::move(rule));
    };
    Json node = jsonElement(nodeElement());
    Json& children = node["properties"]["children"];
    children["type"] = "array";
    children["items"]["$ref"] = "#/$defs/element";
    add("Node", {"Node"}, std::move(node));
    for (const SchemaElement& c : componentElements()) {
        known.insert(known.end(), c.names.begin(), c.names.end());
        add(c.name, c.names, jsonElement(c));
    }
    const auto loose = looseElements();
    known.insert(known.end(), loose.begin(), loose.end());
    Json& element = defs["element"];
    element["type"] = "object";
    element["properties"]["type"]["enum"] = known;
    element["required"] = Json::array({"type"});
    element["allOf"] = std::move(byType);
    Json schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "Scene";
    schema["description"] = "Generated by runSofa --schema json; not to be edited.";
    schema["$ref"] = "#/$defs/element";
    schema["$defs"] = std::move(defs);
    return schema.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::optional<SchemaFormat> schemaFormat(std::string_view name)
{
    if (name == "rng") return SchemaFormat::RelaxNg;
    if (name == "json") return SchemaFormat::Json;
    return {};
}

std::string sceneSchema(SchemaFormat format) { return format == SchemaFormat::Json ? jsonSchema() : RngWriter().run(); }

}  // namespace sofa::core
