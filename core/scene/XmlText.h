// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/log/Message.h"

namespace sofa::core {

/// Thrown when a scene cannot be read at all; the text starts with the place, "file:line:column: ".
class SceneError : public std::runtime_error
{
public:
    SceneError(SourceLocation where, const std::string& text);
    const SourceLocation& where() const { return m_where; }
    /// The text without the place.
    const std::string& reason() const { return m_reason; }

private:
    SourceLocation m_where;
    std::string m_reason;
};

/// Content of an XML file as UTF-8. A byte order mark is dropped and ISO-8859-1 (as the XML declaration names it) is
/// converted. Throws SceneError for a file that cannot be read, is a folder or is empty, and for other encodings.
std::string readXmlFile(const std::string& path);
/// The same for a text in memory, of which `path` is the name for messages.
std::string normalizedXml(std::string text, const std::string& path);

/// The text with processing instructions and the document type replaced by spaces, so that places stay: the parser
/// knows neither beyond the first line.
std::string withoutDeclarations(std::string xml);

/// Line and column, both counted from 1; columns count bytes.
struct TextPosition
{
    int line = 0;
    int column = 0;
};

/// Where a start tag and its attributes stand.
struct TagPosition
{
    std::string_view name;
    TextPosition at;
    std::vector<TextPosition> attributes;
};

/// Places of all start tags of a well-formed XML text, in order. XML parsers report lines at best; editors need
/// columns.
std::vector<TagPosition> findTags(std::string_view xml);

}  // namespace sofa::core
