// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/TextLines.h"

#include <algorithm>

namespace sofa::core {

namespace {

/// Code units of UTF-16 that a character takes, by its first byte in UTF-8; 0 for a byte that continues one.
std::size_t unitsOf(char c)
{
    const auto b = static_cast<unsigned char>(c);
    return (b & 0xC0) == 0x80 ? 0 : b >= 0xF0 ? 2 : 1;
}

}  // namespace

TextLines::TextLines(std::string_view text) : m_text(text), m_starts{0}
{
    for (auto i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) m_starts.push_back(i + 1);
}

std::size_t TextLines::offset(const TextPosition& p) const
{
    if (p.line < 1) return 0;
    const auto line = static_cast<std::size_t>(p.line) - 1;
    if (line >= m_starts.size()) return m_text.size();
    const std::size_t end = line + 1 < m_starts.size() ? m_starts[line + 1] - 1 : m_text.size();
    // Columns of the first line count from behind a byte order mark.
    const std::size_t mark = line == 0 && m_text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    return std::min(m_starts[line] + mark + static_cast<std::size_t>(std::max(p.column, 1)) - 1, end);
}

std::size_t TextLines::offset(const Utf16Position& p) const
{
    if (p.line >= m_starts.size()) return m_text.size();
    std::size_t i = m_starts[p.line], units = 0;
    for (; i < m_text.size() && m_text[i] != '\n'; ++i) {
        const std::size_t more = unitsOf(m_text[i]);
        if (more > 0 && units + more > p.character) break;
        units += more;
    }
    // Not between the two characters that end a line.
    if (i > m_starts[p.line] && i < m_text.size() && m_text[i] == '\n' && m_text[i - 1] == '\r') --i;
    return i;
}

Utf16Position TextLines::utf16(std::size_t offset) const
{
    offset = std::min(offset, m_text.size());
    const auto line = std::ranges::upper_bound(m_starts, offset) - 1;
    std::size_t units = 0;
    for (std::size_t i = *line; i < offset; ++i) units += unitsOf(m_text[i]);
    return {static_cast<std::size_t>(line - m_starts.begin()), units};
}

}  // namespace sofa::core
