// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "core/factory/Registry.h"
#include "core/objectmodel/OutputFileName.h"
#include "tests/harness/Paths.h"

namespace coverage_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

std::string textOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// Sources of the component tests, or of all tests, each as one text.
std::vector<std::string> testSources(const std::string& folder = "tests/components")
{
    std::vector<std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(sofa::test::sourceDirectory() / folder))
        if (const auto kind = entry.path().extension(); kind == ".cpp" || kind == ".h" || kind == ".py")
            texts.push_back(textOf(entry.path()));
    REQUIRE_FALSE(texts.empty());
    return texts;
}

/// Names in the markers HARNESS_<kind>("Name") of the test sources.
std::set<std::string> covered(const std::string& kind)
{
    const std::regex marker("(^|\\n)HARNESS_" + kind + "\\(\"([^\"]+)\"\\)");
    std::set<std::string> names;
    for (const std::string& text : testSources())
        for (std::sregex_iterator it(text.begin(), text.end(), marker), end; it != end; ++it) names.insert((*it)[2]);
    return names;
}

/// Whether values of a type are floating-point numbers or made of them.
bool isReal(const BaseData& d)
{
    static const std::regex real("\\b(double|float|Vec\\d|Mat\\d+x\\d+|Quat|RigidCoord\\d|mass in)\\b");
    return std::regex_search(d.typeName(), real);
}

/// Calls f on one object of each registered component class, in each of its templates.
void forEachComponent(const std::function<void(const ComponentEntry&, Component&)>& f)
{
    for (const auto& entry : Registry::instance().entries())
        for (const auto& creator : entry->creators) f(*entry, *creator.create());
}

/// One line for each finding; empty when all is well.
struct Findings
{
    std::set<std::string> lines;
    ~Findings()
    {
        std::string text;
        for (const std::string& l : lines) text += "\n  " + l;
        INFO(lines.size() << " findings:" << text);
        CHECK(lines.empty());
    }
};

}  // namespace

TEST_CASE("every force field, mass, mapping and engine of the registry has a conformance test")
{
    Findings missing;
    for (const auto& [category, kind] : {std::pair<std::string, std::string>{"ForceField", "FORCE_FIELD"},
                                         std::pair<std::string, std::string>{"Mass", "MASS"},
                                         std::pair<std::string, std::string>{"Mapping", "MAPPING"},
                                         std::pair<std::string, std::string>{"Engine", "ENGINE"}}) {
        const auto names = covered(kind);
        for (const auto& entry : Registry::instance().entries())
            if (entry->category == category && names.count(entry->name) == 0 &&
                (category != "Engine" || Registry::instance().derives(entry->name, "Engine")))
                missing.lines.insert(entry->name + ": no HARNESS_" + kind + "(\"" + entry->name +
                                     "\") in tests/components");
        for (const std::string& name : names)
            if (!Registry::instance().find(name)) missing.lines.insert(name + ": tested, but not registered");
    }
}

TEST_CASE("every component says what it does and names an example scene that exists")
{
    Findings findings;
    const fs::path scenes = sofa::test::sourceDirectory() / "scenes";
    for (const auto& shared : Registry::instance().entries()) {
        const ComponentEntry& entry = *shared;
        const std::string& name = entry.name;
        if (entry.help.empty()) findings.lines.insert(name + ": no help");
        if (entry.module.empty()) findings.lines.insert(name + ": no module");
        if (entry.category.empty()) findings.lines.insert(name + ": no category");
        if (entry.example.empty())
            findings.lines.insert(name + ": no example scene");
        else if (!fs::is_regular_file(scenes / entry.example))
            findings.lines.insert(name + ": its example scenes/" + entry.example + " does not exist");
    }
}

TEST_CASE("names of files that a component writes are of a type of their own, which nobody looks for as an input")
{
    Findings findings;
    std::size_t outputs = 0;
    forEachComponent([&](const ComponentEntry& entry, Component& c) {
        for (const BaseData* d : c.data()) {
            const std::string help(d->help());
            const bool writes = help.starts_with("File to write") || help.find("ritten to this file") != help.npos;
            outputs += d->typeName() == TypeName<OutputFileName>::get();
            if (writes && d->typeName() != TypeName<OutputFileName>::get())
                findings.lines.insert(entry.name + "." + d->name() + " is a " + d->typeName() + ": " + help);
        }
        if (entry.category != "Exporter") return;
        const BaseData* file = c.findData(entry.name == "Monitor" ? "fileName" : "filename");
        if (!file || file->typeName() != TypeName<OutputFileName>::get())
            findings.lines.insert(entry.name + ": its filename is no OutputFileName");
    });
    CHECK(outputs >= 10);
}

TEST_CASE("the example scene of every component holds it")
{
    Findings findings;
    const fs::path scenes = sofa::test::sourceDirectory() / "scenes";
    for (const auto& entry : Registry::instance().entries()) {
        const std::string text = textOf(scenes / entry->example);
        const auto holds = [&text](const std::string& name) {
            return std::regex_search(text, std::regex("(<|type=\"|type=')" + name + "\\b"));
        };
        if (holds(entry->name) || std::ranges::any_of(entry->aliases, holds)) continue;
        findings.lines.insert(entry->name + ": it is not in its example scenes/" + entry->example);
    }
}

TEST_CASE("every component is named in a test")
{
    Findings findings;
    std::set<std::string> words;
    static const std::regex word("\\w+");
    for (const std::string& text : testSources("tests"))
        for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) words.insert(it->str());
    for (const auto& entry : Registry::instance().entries())
        if (!words.contains(entry->name) &&
            std::ranges::none_of(entry->aliases, [&words](const std::string& a) { return words.contains(a); }))
            findings.lines.insert(entry->name + ": no file in tests/ names it");
}

TEST_CASE("every Data has help, and a unit where its values are floating-point numbers")
{
    Findings findings;
    forEachComponent([&](const ComponentEntry& entry, Component& c) {
        for (const BaseData* d : c.data()) {
            if (d->help().empty()) findings.lines.insert(entry.name + '.' + d->name() + ": no help");
            if (isReal(*d) && d->unit().empty())
                findings.lines.insert(entry.name + '.' + d->name() + ": no unit (\"1\" for a pure number)");
        }
        for (const BaseLink* l : c.links())
            if (l->help().empty()) findings.lines.insert(entry.name + '.' + std::string(l->name()) + ": no help");
    });
}

TEST_CASE("no Data begins with the largest number that there is, which nobody means")
{
    Findings findings;
    forEachComponent([&](const ComponentEntry& entry, Component& c) {
        for (const BaseData* d : c.data())
            if (d->defaultText().find("e+308") != std::string::npos)
                findings.lines.insert(entry.name + '.' + d->name());
    });
}

TEST_CASE("no name of a component's attributes is used twice")
{
    Findings findings;
    forEachComponent([&](const ComponentEntry& entry, Component& c) {
        std::set<std::string> seen;
        for (const std::string& a : c.attributeNames())
            if (!seen.insert(a).second) findings.lines.insert(entry.name + ": attribute " + a + " twice");
    });
}

}  // namespace coverage_test
