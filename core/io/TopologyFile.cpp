// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/TopologyFile.h"

#include <utility>

#include "core/io/CompressedFile.h"

namespace sofa::core::io {

namespace {

/// The vertices of `count` elements, on this line.
template <class Element>
void readElements(TextScanner& in, std::size_t count, Vector<Element>& list)
{
    list.resize(count);
    for (Element& e : list)
        for (Index& v : e) {
            const std::int64_t n = in.integer("a vertex");
            if (n < 0 || n > std::int64_t{0x7fffffff}) in.fail("the number of a vertex", in.found());
            v = static_cast<Index>(n);
        }
}

}  // namespace

std::vector<TopologyFrame> readTopologyFile(const std::filesystem::path& path)
{
    const SourceText source = loadCompressed(path);
    TextScanner in(source);
    in.stayOnLine(true);
    std::vector<TopologyFrame> frames;
    std::size_t line = 1;
    const auto endLine = [&] {
        if (!in.atLineEnd()) in.failAt(in.offset(), "the end of the line", in.tokenOnLine().empty() ? "" : in.found());
        in.skipLine();
        ++line;
    };
    while (!in.atEnd()) {
        const std::string_view key = in.tokenOnLine();
        if (key == "T=") {
            const double time = in.finite("the time");
            if (!frames.empty() && !(time > frames.back().time)) in.fail("a time after the one before", in.found());
            frames.emplace_back();
            frames.back().time = time;
            frames.back().line = line;
        } else if (!key.empty()) {
            if (frames.empty()) in.fail("'T= time' before the first list", in.found());
            bool known = false;
            auto given = frames.back().given.begin();
            forEachList(frames.back(), [&](std::string_view name, auto& list) {
                bool& isGiven = *given++;
                if (key.size() != name.size() + 1 || !key.starts_with(name) || key.back() != '=') return;
                known = true;
                if (std::exchange(isGiven, true)) in.fail("one list of each kind for a time", in.found());
                const std::size_t count = in.count(
                    "the number of elements", 2 * std::tuple_size_v<typename std::decay_t<decltype(list)>::value_type>);
                endLine();
                readElements(in, count, list);
            });
            if (!known)
                in.fail("'T= time', 'Edges= count', 'Triangles= ', 'Quads= ', 'Tetrahedra= ' or 'Hexahedra= '",
                        in.found());
        }
        endLine();
    }
    return frames;
}

void appendTopologyFrame(std::string& out, const TopologyFrame& frame, bool lists)
{
    out += "T= ";
    appendNumber(out, frame.time);
    out += '\n';
    if (!lists) return;
    forEachList(frame, [&out](std::string_view name, const auto& list) {
        out += "  ";
        out += name;
        out += "= ";
        appendNumber(out, std::uint64_t{list.size()});
        out += '\n';
        const std::size_t start = out.size();
        for (const auto& e : list)
            for (const Index v : e) {
                if (out.size() > start) out += ' ';
                appendNumber(out, std::uint64_t{v});
            }
        out += '\n';
    });
}

}  // namespace sofa::core::io
