// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QString>
#include <cstddef>
#include <string_view>
#include <vector>

namespace sofa::modeler {

/// The bytes of a file as a text editor shows them, and which place in one is which in the other.
///
/// Lines end with "\n" here, whatever they end with in the file. A byte that is no part of UTF-8, or a character that
/// an editor would take for the end of a line, is one U+FFFD. A byte order mark is not shown.
class TextMap
{
public:
    TextMap() = default;
    /// `latin1`: each byte is a character. The bytes must outlive the map, and stay as they are.
    TextMap(std::string_view bytes, bool latin1);

    const QString& text() const { return m_text; }
    bool isLatin1() const { return m_latin1; }
    std::size_t byteAt(qsizetype position) const;
    qsizetype positionAt(std::size_t byte) const;

private:
    struct Line
    {
        std::size_t byte;
        qsizetype position;
    };
    std::string_view m_bytes;
    bool m_latin1 = false;
    QString m_text;
    std::vector<Line> m_lines;
};

/// Whether the bytes are UTF-8.
bool isUtf8(std::string_view bytes);

}  // namespace sofa::modeler
