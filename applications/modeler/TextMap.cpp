// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/TextMap.h"

#include <algorithm>

namespace sofa::modeler {

namespace {

constexpr char32_t replacement = 0xFFFD;

struct Character
{
    char32_t code = replacement;
    std::size_t length = 1;
};

/// The character at a place, a whole end of a line included.
Character characterAt(std::string_view bytes, std::size_t i, bool latin1)
{
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(bytes[k]); };
    const unsigned char first = byte(i);
    if (first == '\r') return {U'\n', i + 1 < bytes.size() && bytes[i + 1] == '\n' ? 2u : 1u};
    if (first < 0x80 || latin1) return {first == 0 ? replacement : first, 1};
    const std::size_t length = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (length == 0 || i + length > bytes.size()) return {};
    char32_t code = first & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(i + k) & 0xC0) != 0x80) return {};
        code = (code << 6) | (byte(i + k) & 0x3F);
    }
    static constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
    const bool endsLine = code == 0x2028 || code == 0x2029 || code == 0xFDD0 || code == 0xFDD1;
    return {endsLine ? replacement : code, length};
}

int unitsOf(char32_t code) { return code >= 0x10000 ? 2 : 1; }

}  // namespace

bool isUtf8(std::string_view bytes)
{
    for (std::size_t i = 0; i < bytes.size();) {
        const Character c = characterAt(bytes, i, false);
        if (c.length == 1 && static_cast<unsigned char>(bytes[i]) >= 0x80) return false;
        i += c.length;
    }
    return true;
}

TextMap::TextMap(std::string_view bytes, bool latin1) : m_bytes(bytes), m_latin1(latin1)
{
    m_text.reserve(static_cast<qsizetype>(bytes.size()));
    std::size_t i = !latin1 && bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    m_lines.push_back({i, 0});
    while (i < bytes.size()) {
        const Character c = characterAt(bytes, i, latin1);
        i += c.length;
        if (c.code >= 0x10000) {
            m_text += QChar(QChar::highSurrogate(c.code));
            m_text += QChar(QChar::lowSurrogate(c.code));
        } else {
            m_text += QChar(static_cast<char16_t>(c.code));
        }
        if (c.code == U'\n') m_lines.push_back({i, m_text.size()});
    }
}

std::size_t TextMap::byteAt(qsizetype position) const
{
    if (m_lines.empty()) return 0;
    const auto after = std::upper_bound(m_lines.begin(), m_lines.end(), position,
                                        [](qsizetype p, const Line& l) { return p < l.position; });
    const Line& line = *(after - 1);
    std::size_t byte = line.byte;
    for (qsizetype p = line.position; p < position && byte < m_bytes.size();) {
        const Character c = characterAt(m_bytes, byte, m_latin1);
        p += unitsOf(c.code);
        byte += c.length;
    }
    return byte;
}

qsizetype TextMap::positionAt(std::size_t byte) const
{
    if (m_lines.empty() || byte < m_lines.front().byte) return 0;
    const auto after =
        std::upper_bound(m_lines.begin(), m_lines.end(), byte, [](std::size_t b, const Line& l) { return b < l.byte; });
    const Line& line = *(after - 1);
    qsizetype position = line.position;
    for (std::size_t i = line.byte; i < byte && i < m_bytes.size();) {
        const Character c = characterAt(m_bytes, i, m_latin1);
        position += unitsOf(c.code);
        i += c.length;
    }
    return position;
}

}  // namespace sofa::modeler
