// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <span>
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

/// The bytes of a file. Throws SceneError for one that cannot be read, and for a folder.
std::string readBytes(const std::string& path);

/// UTF-8 as an attribute value for these quotes. Line ends and tabs become character references, so that every XML
/// reader gives them back.
std::string escapedXml(std::string_view value, char quote = '"');

/// Line and column, both counted from 1; columns count bytes.
struct TextPosition
{
    int line = 0;
    int column = 0;
};

/// Number of a part of an XML document, the same through all edits: 1, 2, ... 0: none.
using XmlId = std::uint32_t;

/// An attribute of a start tag: places in the bytes of the document.
struct XmlAttribute
{
    std::uint32_t begin, nameEnd;        ///< of the name
    std::uint32_t valueBegin, valueEnd;  ///< of the value between its quotes
    std::uint32_t end() const { return valueEnd + 1; }
};

/// A part of an XML document: places in its bytes, and in its list of parts, where an element comes before what is in
/// it.
struct XmlItem
{
    enum class Kind : std::uint8_t
    {
        Element,
        Text,  ///< between tags, other than white space alone
        CData,
        Comment,
        Instruction,  ///< also the XML declaration
        DocumentType
    };
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    Kind kind = Kind::Element;
    XmlId id = 0;
    std::uint32_t begin = 0, end = 0;  ///< of the whole
    std::uint32_t nameEnd = 0;         ///< of an element: its name begins behind the '<'
    std::uint32_t tagEnd = 0;          ///< behind the '>' of the start tag
    std::uint32_t closeBegin = 0;      ///< of the end tag; `end` of an empty-element tag
    std::uint32_t parent = none;       ///< index of the element around it
    std::uint32_t next = 0;            ///< index of the part behind this one and all in it
    std::uint32_t firstAttribute = 0, attributeCount = 0;

    bool isElement() const { return kind == Kind::Element; }
    /// `<a/>`.
    bool isEmptyTag() const { return closeBegin == end; }
};

/// What is wrong in a text that is no well-formed XML.
struct XmlProblem
{
    std::size_t at = 0;
    std::string text;
};

/// A change of the bytes of a document.
struct TextEdit
{
    std::size_t at = 0, length = 0;  ///< what is replaced
    std::string text;                ///< what comes there
    /// Numbers of the parts that begin in the new text, in their order; those beyond the list get new ones.
    std::vector<XmlId> ids = {};
};

/// An XML file: its bytes, and a flat tree of parts that refer to places in them. Nothing is lost: a document that was
/// not edited has the bytes of its file. Edits replace pieces of the bytes; what is not in them stays as it is, and
/// keeps its number.
///
/// The encoding may be UTF-8, with or without byte order mark, or ISO-8859-1, where the XML declaration says so. As
/// scenes of SOFA need it, attributes need no white space between them, and may hold '<'. Entities are those of XML
/// itself. Elements may be nested `deepest` levels.
class XmlDocument
{
public:
    static constexpr int deepest = 500;

    /// `path` is the name in messages. Throws SceneError for what is no well-formed XML, is empty, contains zero bytes
    /// or has another encoding.
    XmlDocument(std::string bytes, const std::string& path);
    /// A text that is being written, in UTF-8 whatever its declaration says. What is no well-formed XML is listed, and
    /// the rest is read as far as it makes sense: a tag that does not end is an empty one, a value ends at the end of
    /// its line. Throws SceneError where there is nothing to read.
    XmlDocument(std::string text, const std::string& path, std::vector<XmlProblem>& problems);

    const std::string& bytes() const { return m_bytes; }
    const std::string& path() const { return *m_path; }

    // --- Tree -----------------------------------------------------------------------------------------------------
    const std::vector<XmlItem>& items() const { return m_items; }
    /// Index of the root element, or of the first element behind an element at the top; XmlItem::none if there is none.
    std::uint32_t root() const { return elementAtTop(0); }
    std::uint32_t elementBehind(std::uint32_t atTop) const { return elementAtTop(m_items[atTop].next); }
    /// Indices of the parts in an element: from firstIn while they are below endIn, by `next`.
    std::uint32_t firstIn(std::uint32_t element) const { return element + 1; }
    std::uint32_t endIn(std::uint32_t element) const { return m_items[element].next; }
    /// Index of a part by its number; XmlItem::none if there is none any more.
    std::uint32_t find(XmlId id) const { return id < m_indices.size() ? m_indices[id] : XmlItem::none; }

    std::string_view name(const XmlItem& element) const;
    std::span<const XmlAttribute> attributes(const XmlItem& element) const
    {
        return std::span(m_attributes).subspan(element.firstAttribute, element.attributeCount);
    }
    const XmlAttribute* attribute(const XmlItem& element, std::string_view name) const;
    std::string_view name(const XmlAttribute& a) const { return slice(a.begin, a.nameEnd); }
    /// The value as UTF-8, with entities replaced and line ends as "\n".
    std::string value(const XmlAttribute& a) const { return decoded(slice(a.valueBegin, a.valueEnd)); }
    /// The bytes of a part.
    std::string_view text(const XmlItem& item) const { return slice(item.begin, item.end); }
    /// A piece of the bytes as UTF-8, and nothing else changed.
    std::string utf8(std::string_view raw) const;
    /// The same with entities replaced and line ends as "\n".
    std::string decoded(std::string_view raw) const;
    /// UTF-8 as an attribute value in the encoding of the document, for these quotes.
    std::string encoded(std::string_view value, char quote) const { return transcoded(escapedXml(value, quote)); }
    /// UTF-8 of a piece of a scene in the encoding of the document: what it lacks becomes character references.
    std::string transcoded(std::string_view utf8) const;

    TextPosition position(std::size_t offset) const;
    SourceLocation where(std::size_t offset) const;

    // --- Edits ----------------------------------------------------------------------------------------------------
    /// Makes edits at once, sorted by place and apart from each other, of which the places are those before. Returns
    /// the edits that take them back. Throws SceneError, and changes nothing, where the result is no well-formed XML.
    std::vector<TextEdit> apply(const std::vector<TextEdit>& edits);

    /// "\r\n" if the first line ends so, else "\n".
    std::string_view lineEnd() const;

private:
    friend class XmlScanner;
    enum class Encoding : std::uint8_t
    {
        Utf8,
        Latin1,
        Ascii
    };

    std::string_view slice(std::uint32_t begin, std::uint32_t end) const
    {
        return std::string_view(m_bytes).substr(begin, end - begin);
    }
    std::uint32_t elementAtTop(std::uint32_t from) const;
    void scan(std::vector<XmlProblem>* problems = nullptr);
    void number();
    void index();
    [[noreturn]] void fail(std::size_t offset, const std::string& reason) const;

    std::string m_bytes;
    std::shared_ptr<const std::string> m_path;
    std::vector<XmlItem> m_items;
    std::vector<XmlAttribute> m_attributes;
    std::vector<std::uint32_t> m_indices;             ///< by number
    mutable std::vector<std::uint32_t> m_lineStarts;  ///< empty until a place is asked for
    std::uint32_t m_textBegin = 0;                    ///< behind the byte order mark
    Encoding m_encoding = Encoding::Utf8;
};

}  // namespace sofa::core
