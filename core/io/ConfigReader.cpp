// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/ConfigReader.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/io/MeshError.h"
#include "core/log/Message.h"

namespace sofa::core::io {

namespace {

int readInteger(const DataLine& line, const std::string& key)
{
    LineValues v(line);
    double d = 0.;
    if (!parseReal(v.next(), d) || d != std::floor(d) || std::abs(d) > std::numeric_limits<int>::max())
        v.fail(key + " (an integer)");
    return static_cast<int>(d);
}

bool readBool(const DataLine& line, const std::string& key)
{
    const auto starts = [&](std::string_view s) { return equalsIgnoringCase(line.text.substr(0, s.size()), s); };
    if (starts("true")) return true;
    if (starts("false")) return false;
    LineValues v(line);
    double d = 0.;
    if (!parseReal(v.next(), d) || d != std::floor(d)) v.fail(key + " (true, false or an integer)");
    return d != 0.;
}

Vec3 readVector(const DataLine& line, const std::string& key)
{
    DataLine inner = line;
    const char open = line.text.front();
    if (open == '(' || open == '[') {
        const std::size_t close = line.text.find(open == '(' ? ')' : ']');
        if (close == std::string_view::npos) line.fail(key + " with a closing bracket", TextScanner::quoted(line.text));
        inner.text = line.text.substr(1, close - 1);
    }
    LineValues v(inner);
    Vec3 x;
    for (double& c : x)
        if (!parseReal(v.next(), c) || !std::isfinite(c)) v.fail(key + " (three numbers)");
    return x;
}

}  // namespace

void ConfigReader::add(std::string name, Destination destination, bool required)
{
    for (const Option& o : m_options)
        if (equalsIgnoringCase(o.name, name)) throw std::logic_error("the key '" + name + "' is added twice");
    m_options.push_back({std::move(name), destination, required, {}, {}, 0});
}

const ConfigReader::Option& ConfigReader::find(std::string_view name) const
{
    for (const Option& o : m_options)
        if (equalsIgnoringCase(o.name, name)) return o;
    throw std::logic_error("the key '" + std::string(name) + "' was not added");
}

void ConfigReader::parse(const SourceText& source, std::vector<std::string>& notes)
{
    DataLines lines(source);
    DataLine line, key;
    Option* option = nullptr;
    bool hasValue = true;
    const auto checkValue = [&](const DataLine& at, const std::string& found) {
        if (!hasValue) at.fail("the value of " + std::string(key.text), found);
    };
    std::vector<std::string> names;
    for (const Option& o : m_options) names.push_back(o.name);

    while (lines.next(line) && line.text != "**EOF") {
        if (line.text.front() != '*') {
            if (!key.source) line.fail("a key such as *" + names.front(), TextScanner::quoted(line.text));
            if (option) assign(*option, line);
            hasValue = true;
            continue;
        }
        checkValue(line, TextScanner::quoted(line.text));
        const std::string_view name = line.text.substr(1);
        if (name.empty()) line.fail("the name of a key after '*'", "the end of the line");
        key = line;
        option = nullptr;
        for (Option& o : m_options)
            if (equalsIgnoringCase(o.name, name)) option = &o;
        hasValue = !option;
        if (!option) {
            notes.push_back(line.place() + ": the key " + TextScanner::quoted(name) + " is not known and passed over" +
                            didYouMean(name, names));
        } else if (std::holds_alternative<std::vector<std::string>*>(option->destination)) {
            // A list may be empty. The values of a later key of this name are added.
            note(*option, line);
            hasValue = true;
        }
    }
    checkValue(line, "the end of the file");
    m_file = source.path;
    m_lastLine = line.number;
    for (const Option& o : m_options)
        if (o.required && o.file.empty()) line.fail("the key *" + o.name, "the end of the file without it");
}

void ConfigReader::note(Option& option, const DataLine& line)
{
    option.file = line.source->path;
    option.line = line.number;
    option.text = line.text;
}

void ConfigReader::assign(Option& option, const DataLine& line)
{
    note(option, line);
    const std::string key = "*" + option.name;
    if (auto* const* b = std::get_if<bool*>(&option.destination)) **b = readBool(line, key);
    if (auto* const* i = std::get_if<int*>(&option.destination)) **i = readInteger(line, key);
    if (auto* const* d = std::get_if<double*>(&option.destination)) **d = LineValues(line).finite(key.c_str());
    if (auto* const* s = std::get_if<std::string*>(&option.destination)) **s = std::string(line.text);
    if (auto* const* x = std::get_if<Vec3*>(&option.destination)) **x = readVector(line, key);
    if (auto* const* l = std::get_if<std::vector<std::string>*>(&option.destination)) (*l)->emplace_back(line.text);
}

std::vector<ConfigKey> ConfigReader::given() const
{
    std::vector<ConfigKey> keys;
    for (const Option& o : m_options)
        if (!o.file.empty()) keys.push_back({o.name, o.file, o.line});
    return keys;
}

void ConfigReader::failAt(const Option& o, const std::string& expected, const std::string& found) const
{
    const bool set = !o.file.empty();
    throw MeshError(set ? o.file : m_file, set ? o.line : m_lastLine, MeshError::None, expected, found);
}

void ConfigReader::fail(std::string_view name, const std::string& expected) const
{
    const Option& o = find(name);
    failAt(o, expected, o.file.empty() ? "no *" + o.name : TextScanner::quoted(o.text));
}

std::size_t ConfigReader::choice(std::string_view name, const std::vector<std::string>& choices) const
{
    const Option& o = find(name);
    const auto* const* value = std::get_if<std::string*>(&o.destination);
    if (!value) throw std::logic_error("the key '" + o.name + "' is not a string");
    std::string all;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (equalsIgnoringCase(choices[i], **value)) return i;
        all += (i ? ", " : "") + choices[i];
    }
    failAt(o, "*" + o.name + " to be one of " + all, TextScanner::quoted(**value) + didYouMean(**value, choices));
}

}  // namespace sofa::core::io
