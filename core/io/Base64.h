// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sofa::core::io {

/// Decodes base64 text (RFC 4648, section 4) step by step. Blanks are skipped; padding ends a group of four, after
/// which another stream may follow directly, as in VTK's XML files.
class Base64Reader
{
public:
    explicit Base64Reader(std::string_view text) : m_text(text) {}

    /// Decodes the next `n` bytes, or fewer where the text ends or holds a character that is not base64.
    std::string read(std::size_t n);
    /// Position in the text of the next group.
    std::size_t offset() const { return m_at; }
    /// Whether decoding stopped at a character that is not base64.
    bool bad() const { return m_bad; }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
    char m_pending[3] = {};
    std::size_t m_first = 0, m_count = 0;  // bytes of the last group not handed out yet
    bool m_bad = false;
    bool group();
};

}  // namespace sofa::core::io
