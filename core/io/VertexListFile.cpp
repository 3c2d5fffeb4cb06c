// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VertexListFile.h"

#include <algorithm>

#include "core/io/DataLines.h"

namespace sofa::core::io {

namespace {

/// The pieces of a value at its colons, which are pieces themselves: "3:5" gives 3, :, 5.
std::vector<std::string_view> atColons(std::string_view s)
{
    std::vector<std::string_view> out;
    while (!s.empty()) {
        const std::size_t n = s.front() == ':' ? 1 : std::min(s.find(':'), s.size());
        out.push_back(s.substr(0, n));
        s.remove_prefix(n);
    }
    return out;
}

}  // namespace

Vector<Index> parseVertexList(const SourceText& source, std::size_t vertexCount, int base)
{
    const auto high = static_cast<std::int64_t>(vertexCount) - 1 + base;
    const std::string expected =
        "a vertex number from " + std::to_string(base) + " to " + std::to_string(high) + ", or a range a:b";
    std::vector<bool> chosen;
    const auto add = [&](std::int64_t a, std::int64_t b) {
        const auto first = static_cast<std::size_t>(a - base), end = static_cast<std::size_t>(b - base) + 1;
        if (chosen.size() < end) chosen.resize(end);
        for (std::size_t i = first; i < end; ++i) chosen[i] = true;
    };
    DataLines lines(source);
    for (DataLine line; lines.next(line);) {
        std::int64_t last = 0;
        bool hasLast = false, range = false;
        LineValues values(line);
        while (!values.atEnd()) {
            for (const std::string_view piece : atColons(values.next())) {
                if (piece == ":") {
                    if (!hasLast || range) values.fail(expected);
                    range = true;
                    continue;
                }
                std::int64_t v = 0;
                if (!parseInteger(piece, v) || v < base || v > high || (range && v < last)) values.fail(expected);
                add(range ? last : v, v);
                last = v;
                hasLast = !range;
                range = false;
            }
        }
        if (range) values.fail("the end of the range");
    }
    Vector<Index> out;
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i]) out.push_back(static_cast<Index>(i));
    return out;
}

Vector<Index> readVertexList(const std::filesystem::path& path, std::size_t vertexCount, int base)
{
    return parseVertexList(loadBytes(path), vertexCount, base);
}

void writeVertexList(const std::filesystem::path& path, const Vector<Index>& vertices, int base)
{
    std::string out;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        out += std::to_string(std::int64_t{vertices[i]} + base);
        out += i % 8 == 7 || i + 1 == vertices.size() ? ",\n" : ",";
    }
    saveText(path, out);
}

}  // namespace sofa::core::io
