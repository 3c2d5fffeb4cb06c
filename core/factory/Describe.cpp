// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/Describe.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/factory/ClassHierarchy.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Quantity.h"

namespace sofa::core {

namespace {

using Json = nlohmann::ordered_json;

Json describeData(const Base& b, const BaseData& d)
{
    Json j = {
        {"name", d.name()}, {"type", d.typeName()}, {"default", d.defaultText()}, {"help", std::string(d.help())}};
    if (!d.unit().empty()) j["unit"] = std::string(d.unit());
    if (const std::string r = d.range().str(); !r.empty()) j["range"] = r;
    if (!d.group().empty()) j["group"] = std::string(d.group());
    if (d.isRequired()) j["required"] = true;
    if (d.isReadOnly()) j["readOnly"] = true;
    if (const auto c = d.choices(); !c.empty()) j["choices"] = c;
    if (const auto a = b.aliasesOf(d.name()); !a.empty()) j["aliases"] = a;
    return j;
}

Json describeEntry(const ComponentEntry& e)
{
    Json j = {
        {"class", e.name}, {"module", e.module}, {"category", e.category}, {"help", e.help}, {"license", e.license}};
    if (!e.authors.empty()) j["authors"] = e.authors;
    if (!e.example.empty()) j["example"] = e.example;
    j["aliases"] = e.aliases;
    j["bases"] = e.base.empty() && !e.creators.empty() && e.creators.front().type
                     ? baseNames(*e.creators.front().type)
                     : Registry::instance().basesOf(e.name);
    j["templates"] = Json::array();
    for (const auto& c : e.creators)
        if (!c.templ.empty()) j["templates"].push_back(c.templ);
    j["data"] = Json::array();
    j["links"] = Json::array();
    j["quantities"] = Json::array();
    j["attributes"] = Json::array();
    if (e.creators.empty()) return j;
    const auto object = e.creators.front().create();
    for (const BaseData* d : object->data()) j["data"].push_back(describeData(*object, *d));
    for (const BaseLink* l : object->links()) {
        Json k = {{"name", std::string(l->name())}, {"target", l->targetTypeName()}, {"help", std::string(l->help())}};
        if (l->isMultiple()) k["multiple"] = true;
        if (const auto a = object->aliasesOf(l->name()); !a.empty()) k["aliases"] = a;
        j["links"].push_back(k);
    }
    for (const auto& q : quantitiesOf(*object))
        j["quantities"].push_back({{"name", q->name}, {"unit", q->unit}, {"help", q->help}});
    for (const auto& [name, x] : object->extraAttributes())
        j["attributes"].push_back({{"name", name}, {"help", x.help}, {"effect", !x.ignored}});
    return j;
}

std::string joined(const Json& list)
{
    std::string s;
    for (const auto& i : list) s += (s.empty() ? "" : ", ") + i.get<std::string>();
    return s;
}

Json namesOf(const Json& list)
{
    Json names = Json::array();
    for (const auto& i : list) names.push_back(i["name"]);
    return names;
}

std::string shortened(std::string s, std::size_t n) { return s.size() > n ? s.substr(0, n) + "..." : s; }

std::string asText(const Json& list)
{
    std::string s;
    for (const auto& c : list) {
        s += c["class"].get<std::string>() + "  [" + c["module"].get<std::string>() + "]\n  " +
             c["help"].get<std::string>() + '\n';
        if (!c["aliases"].empty()) s += "  aliases: " + joined(c["aliases"]) + '\n';
        if (!c["templates"].empty()) s += "  templates: " + joined(c["templates"]) + '\n';
        for (const auto& d : c["data"]) {
            s += "    " + d["name"].get<std::string>() + " (" + d["type"].get<std::string>();
            if (d.contains("unit") && d["unit"] != "1") s += ", " + d["unit"].get<std::string>();
            if (d.contains("range")) s += ", " + d["range"].get<std::string>();
            s += ')';
            if (const std::string v = d["default"]; !v.empty()) s += " = " + shortened(v, 40);
            s += ": " + d["help"].get<std::string>() + '\n';
        }
        for (const auto& l : c["links"])
            s += "    @" + l["name"].get<std::string>() + " (" + l["target"].get<std::string>() +
                 "): " + l["help"].get<std::string>() + '\n';
        for (const auto& a : c["attributes"])
            s += "    " + a["name"].get<std::string>() + (a["effect"] ? ": " : ": has no effect: ") +
                 a["help"].get<std::string>() + '\n';
        if (!c["quantities"].empty()) s += "    tells: " + joined(namesOf(c["quantities"])) + '\n';
        s += '\n';
    }
    return s;
}

/// Text that stands in a cell of a Markdown table.
std::string cell(const std::string& s)
{
    std::string out;
    for (char c : s) {
        if (c == '|' || c == '*' || c == '_') out += '\\';
        if (c == '<')
            out += "&lt;";
        else
            out += c == '\n' ? ' ' : c;
    }
    return out;
}

/// The same, as code.
std::string code(const std::string& s)
{
    if (s.find_first_not_of(' ') == std::string::npos) return {};
    std::string out = "`";
    for (char c : s) {
        if (c == '|') out += '\\';
        out += c == '`' ? '\'' : c == '\n' ? ' ' : c;
    }
    return out + '`';
}

std::string codes(const Json& list)
{
    std::string s;
    for (const auto& i : list) s += (s.empty() ? "" : ", ") + code(i.get<std::string>());
    return s;
}

/// Anchor that Markdown viewers give to a title.
std::string anchor(const std::string& title)
{
    std::string s = "#";
    for (char c : title)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '-') s += static_cast<char>(std::tolower(c));
    return s;
}

std::string row(std::initializer_list<std::string> cells)
{
    std::string s = "|";
    for (const std::string& c : cells) s += ' ' + c + (c.empty() ? "|" : " |");
    return s + '\n';
}

std::string withAliases(const Json& attribute)
{
    std::string s = code(attribute["name"]);
    if (attribute.contains("aliases")) s += ", " + codes(attribute["aliases"]);
    return s;
}

std::string helpOf(const Json& d)
{
    std::string s = cell(d["help"]);
    if (d.contains("choices")) s += ". One of " + codes(d["choices"]);
    if (d.value("required", false)) s += ". **Required**";
    if (d.value("readOnly", false)) s += ". *Result*";
    return s;
}

/// Names of Data that every component has.
std::vector<std::string> sharedData(const Json& list)
{
    std::vector<std::string> shared;
    for (const auto& d : list.front()["data"]) {
        const bool everywhere = std::all_of(list.begin(), list.end(), [&](const Json& c) {
            return std::any_of(c["data"].begin(), c["data"].end(),
                               [&](const Json& k) { return k["name"] == d["name"]; });
        });
        if (everywhere) shared.push_back(d["name"]);
    }
    return shared;
}

std::string dataRows(const Json& c, const std::function<bool(const std::string&)>& wanted)
{
    std::string s;
    for (const auto& d : c["data"]) {
        if (!wanted(d["name"])) continue;
        const std::string unit = d.value("unit", "");
        s += row({withAliases(d), cell(d["type"]), cell(unit), cell(d.value("range", "")),
                  code(shortened(d["default"], 40)), helpOf(d)});
    }
    return s;
}

const char* const tableHead = "| attribute | type | unit | range | default | meaning |\n|---|---|---|---|---|---|\n";

std::string componentSection(const Json& c, const std::vector<std::string>& shared)
{
    std::string s = "\n### " + c["class"].get<std::string>() + "\n\n" + c["help"].get<std::string>() + "\n\n";
    s += "- Category: " + c["category"].get<std::string>() + '\n';
    if (!c["aliases"].empty()) s += "- Other names: " + codes(c["aliases"]) + '\n';
    if (!c["templates"].empty()) s += "- Templates: " + codes(c["templates"]) + '\n';
    if (c.contains("authors")) s += "- Authors: " + c["authors"].get<std::string>() + '\n';
    if (c["license"] != "LGPL-2.1-or-later") s += "- Licence: " + c["license"].get<std::string>() + '\n';
    if (c.contains("example")) {
        const std::string e = c["example"];
        s += "- Example: [scenes/" + e + "](../scenes/" + e + ")\n";
    }
    if (!c["quantities"].empty()) s += "- Tells: " + codes(namesOf(c["quantities"])) + '\n';
    std::string without;
    for (const auto& a : c["attributes"])
        if (!a["effect"]) without += (without.empty() ? "" : "; ") + code(a["name"]) + ": " + cell(a["help"]);
    if (!without.empty()) s += "- Understood, without effect: " + without + '\n';
    std::string rows =
        dataRows(c, [&](const std::string& n) { return std::find(shared.begin(), shared.end(), n) == shared.end(); });
    for (const auto& l : c["links"])
        rows += row({withAliases(l),
                     std::string(l.value("multiple", false) ? "links" : "link") + " to " + cell(l["target"]), "", "",
                     "", cell(l["help"])});
    for (const auto& a : c["attributes"])
        if (a["effect"]) rows += row({code(a["name"]), "old", "", "", "", cell(a["help"])});
    return rows.empty() ? s : s + '\n' + tableHead + rows;
}

/// One component as a section, or all of them as a page: by module, with a table of contents, and what they share once.
std::string asMarkdown(const Json& list)
{
    if (list.empty()) return {};
    if (list.size() == 1) return componentSection(list.front(), {}).substr(1);
    std::map<std::string, std::vector<const Json*>> modules;
    for (const auto& c : list) modules[c["module"]].push_back(&c);
    const auto shared = sharedData(list);

    std::string s =
        "# Components\n\nGenerated by `runSofa --list-components --format markdown`; not to be edited.\n\n"
        "An attribute is a value of the unit given (`1`: a number without dimension), a link to another "
        "object, or both: `\"@path.data\"` makes any value follow another one (docs/scene-format.md). What is "
        "marked *Result* is computed and can only be read. Attributes of other or older scenes that have no effect "
        "here "
        "are understood, and a message says so.\n\n## Contents\n\n";
    for (const auto& [module, components] : modules) {
        s += "- [" + module + "](" + anchor(module) + "): ";
        for (const Json* c : components) {
            const std::string name = (*c)["class"];
            s += (c == components.front() ? "[" : ", [") + name + "](" + anchor(name) + ')';
        }
        s += '\n';
    }
    s += std::string("\n## Attributes of every component\n\n") + tableHead;
    s += dataRows(list.front(),
                  [&](const std::string& n) { return std::find(shared.begin(), shared.end(), n) != shared.end(); });
    s += "\n## Quantities\n\nWhat components tell beside their attributes: for links, `--probe` and exports, under "
         "their path (`@FEM.vonMises`). Nodes tell `kineticEnergy`, `potentialEnergy` and `energy`. Values are those "
         "of the end of the last step.\n\n| name | unit | meaning |\n|---|---|---|\n";
    std::set<std::array<std::string, 3>> known;
    for (const auto& c : list)
        for (const auto& q : c["quantities"])
            known.insert(std::array<std::string, 3>{q["name"].get<std::string>(), q["unit"].get<std::string>(),
                                                    q["help"].get<std::string>()});
    for (const auto& [name, unit, help] : known) s += row({code(name), cell(unit), cell(help)});
    for (const auto& [module, components] : modules) {
        s += "\n## " + module + '\n';
        for (const Json* c : components) s += componentSection(*c, shared);
    }
    return s;
}

}  // namespace

std::optional<DescribeFormat> describeFormat(std::string_view name)
{
    if (name == "text") return DescribeFormat::Text;
    if (name == "json") return DescribeFormat::Json;
    if (name == "markdown") return DescribeFormat::Markdown;
    return {};
}

std::string describeComponents(DescribeFormat format, const std::string& only)
{
    Json list = Json::array();
    const Registry& r = Registry::instance();
    if (only.empty()) {
        for (const auto& e : r.entries()) list.push_back(describeEntry(*e));
    } else {
        const auto e = r.find(only);
        if (!e) throw std::runtime_error("there is no component '" + only + "'" + didYouMean(only, r.names()));
        list.push_back(describeEntry(*e));
    }
    switch (format) {
        case DescribeFormat::Text:
            return asText(list);
        case DescribeFormat::Json:
            return list.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
        case DescribeFormat::Markdown:
            return asMarkdown(list);
    }
    return {};
}

}  // namespace sofa::core
