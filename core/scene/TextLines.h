// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string_view>
#include <vector>

#include "core/scene/XmlDocument.h"

namespace sofa::core {

/// A place as editors count it: lines and UTF-16 code units from 0.
struct Utf16Position
{
    std::size_t line = 0, character = 0;
    friend bool operator==(const Utf16Position&, const Utf16Position&) = default;
};

/// The lines of a text in UTF-8, which must outlive it: places as bytes from its beginning, as messages count them
/// (TextPosition) and as editors do. Places outside of the text mean its end, those outside of a line the line's.
class TextLines
{
public:
    explicit TextLines(std::string_view text);

    std::size_t offset(const TextPosition& p) const;
    std::size_t offset(const Utf16Position& p) const;
    Utf16Position utf16(std::size_t offset) const;

private:
    std::string_view m_text;
    std::vector<std::size_t> m_starts;
};

}  // namespace sofa::core
