// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sofa::core {

/// What something says about how it works and why, for people: headings with their texts, and the memory that it holds.
class Explanation
{
public:
    struct Line
    {
        std::string heading, text;
    };
    void add(std::string_view heading, std::string text) { m_lines.push_back({std::string(heading), std::move(text)}); }
    void addMemory(std::size_t bytes) { m_bytes += bytes; }
    /// Another object, such as the preconditioner of a solver, has been explained here too.
    void include(const void* object) { m_included.push_back(object); }
    bool includes(const void* object) const
    {
        return std::find(m_included.begin(), m_included.end(), object) != m_included.end();
    }

    const std::vector<Line>& lines() const { return m_lines; }
    /// The text of a heading; empty if there is none.
    std::string_view text(std::string_view heading) const
    {
        for (const Line& l : m_lines)
            if (l.heading == heading) return l.text;
        return {};
    }
    std::size_t bytes() const { return m_bytes; }

private:
    std::vector<Line> m_lines;
    std::vector<const void*> m_included;
    std::size_t m_bytes = 0;
};

}  // namespace sofa::core
