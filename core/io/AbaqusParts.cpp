// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/AbaqusParts.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/io/VtkCells.h"

namespace sofa::core::io::abaqus {

namespace {

/// Upper case, each run of blanks as one.
std::string keyOf(std::string_view s)
{
    std::string out;
    for (const char c : TextScanner::trimmed(s)) {
        const bool blank = TextScanner::isBlank(c);
        if (!blank || out.back() != ' ') out += blank ? ' ' : c;
    }
    return upper(out);
}

struct Family
{
    std::string_view prefix;
    int dimension;
};

/// Letters before the number of nodes; longer ones first where one begins another.
constexpr Family families[] = {
    {"AC3D", 3}, {"DCC3D", 3}, {"DC3D", 3}, {"C3D", 3},  {"CSS", 3}, {"SC", 3},  {"COH3D", 3}, {"AC2D", 2},
    {"DC2D", 2}, {"DCAX", 2},  {"CAX", 2},  {"CPEG", 2}, {"CPE", 2}, {"CPS", 2}, {"SFM3D", 2}, {"M3D", 2},
    {"R3D", 2},  {"STRI", 2},  {"DS", 2},   {"S", 2},    {"T2D", 1}, {"T3D", 1}, {"DC1D", 1},
};

struct Shape
{
    int dimension;
    std::size_t nodes;
    int vtk;
};

constexpr Shape shapes[] = {
    {1, 2, VtkLine},
    {1, 3, 21},
    {2, 3, VtkTriangle},
    {2, 4, VtkQuad},
    {2, 6, 22},
    {2, 8, 23},
    {2, 9, 28},
    {3, 4, VtkTetra},
    {3, 5, VtkPyramid},
    {3, 6, VtkWedge},
    {3, 8, VtkHexahedron},
    {3, 10, 24},
    {3, 13, 27},
    {3, 15, 26},
    {3, 20, 25},
};

std::optional<ElementType> shapeOf(int dimension, std::size_t nodes)
{
    for (const Shape& s : shapes)
        if (s.dimension == dimension && s.nodes == nodes) return ElementType{s.vtk, nodes, s.vtk == 21};
    return std::nullopt;
}

}  // namespace

std::string upper(std::string_view s)
{
    std::string out(s);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
    return out;
}

const std::string& Keyword::require(const std::string& parameter) const
{
    const auto it = parameters.find(parameter);
    if (it == parameters.end() || it->second.empty())
        line.fail("the parameter " + parameter + " of *" + name, TextScanner::quoted(line.text));
    return it->second;
}

std::string Keyword::value(const std::string& parameter) const
{
    const auto it = parameters.find(parameter);
    return it == parameters.end() ? std::string() : it->second;
}

Keyword readKeyword(DataLines& lines, DataLine line)
{
    Keyword k;
    k.line = line;
    Fields head(line);
    k.name = keyOf(head.next().substr(1));
    for (Fields fields = head;;) {
        while (!fields.atEnd()) {
            const std::string_view field = fields.next();
            const std::size_t equals = field.find('=');
            if (field.empty()) continue;
            std::string_view value =
                equals == std::string_view::npos ? "" : TextScanner::trimmed(field.substr(equals + 1));
            if (value.size() > 1 && value.front() == '"' && value.back() == '"')
                value = value.substr(1, value.size() - 2);
            k.parameters[keyOf(field.substr(0, equals))] = value;
        }
        if (!line.text.ends_with(',') || !lines.next(line)) return k;
        if (line.text.starts_with('*')) {
            lines.back();
            return k;
        }
        fields = Fields(line);
    }
}

std::string_view Fields::next()
{
    const std::size_t comma = m_rest.find(',');
    m_last = TextScanner::trimmed(m_rest.substr(0, comma));
    m_rest = comma == std::string_view::npos ? std::string_view() : m_rest.substr(comma + 1);
    // A comma at the end of a line ends its last value.
    m_done = comma == std::string_view::npos || TextScanner::trimmed(m_rest).empty();
    return m_last;
}

double Fields::finite(const char* what, std::optional<double> blank)
{
    std::string_view s = m_done ? (m_last = {}) : next();
    if (s.empty() && blank) return *blank;
    double v = 0.;
    // Fortran writes exponents with a D as well.
    std::string other;
    if (const std::size_t d = s.find_first_of("dD"); d != std::string_view::npos) {
        other = s;
        other[d] = 'e';
        s = other;
    }
    if (!parseReal(s, v) || !std::isfinite(v)) fail(std::string(what) + " (a finite number)");
    return v;
}

std::int64_t Fields::integer(const char* what, std::optional<std::int64_t> blank)
{
    const std::string_view s = m_done ? (m_last = {}) : next();
    if (s.empty() && blank) return *blank;
    std::int64_t v = 0;
    if (!parseInteger(s, v) || v < 0 || v > std::numeric_limits<std::int32_t>::max())
        fail(std::string(what) + " (an integer from 0 to " + std::to_string(std::numeric_limits<std::int32_t>::max()) +
             ")");
    return v;
}

void Fields::fail(const std::string& expected) const
{
    m_line.fail(expected, m_last.empty() ? "nothing" : TextScanner::quoted(m_last));
}

std::optional<ElementType> elementType(std::string_view name)
{
    const std::string type = upper(name);
    if (type == "MASS") return ElementType{VtkVertex, 1};
    if (type == "STRI65") return shapeOf(2, 6);
    // Beams: B, the dimension of space, and 2 for those of second order.
    const auto isBeam = [&](std::string_view prefix) {
        return type.starts_with(prefix) && type.size() >= prefix.size() + 2 &&
               (type[prefix.size()] == '2' || type[prefix.size()] == '3') &&
               std::isdigit(static_cast<unsigned char>(type[prefix.size() + 1]));
    };
    for (const std::string_view prefix : {"B", "PIPE"})
        if (isBeam(prefix)) return shapeOf(1, type[prefix.size() + 1] == '2' ? 3 : 2);
    for (const Family& f : families) {
        if (!type.starts_with(f.prefix)) continue;
        const std::string_view rest = std::string_view(type).substr(f.prefix.size());
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        std::int64_t nodes = 0;
        if (parseInteger(rest.substr(0, digits), nodes)) return shapeOf(f.dimension, static_cast<std::size_t>(nodes));
    }
    return std::nullopt;
}

NamedSet& NamedSets::at(const std::string& name, const DataLine& line)
{
    const auto [it, isNew] = m_index.try_emplace(upper(name), m_sets.size());
    if (isNew) m_sets.push_back({name, {}, line});
    return m_sets[it->second];
}

const NamedSet* NamedSets::find(const std::string& upperName) const
{
    const auto it = m_index.find(upperName);
    return it == m_index.end() ? nullptr : &m_sets[it->second];
}

}  // namespace sofa::core::io::abaqus
