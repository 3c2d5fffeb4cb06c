// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "core/scene/XmlDocument.h"

namespace sofa::core {

/// What a byte may be in a name: 1: its beginning, 2: further on.
inline constexpr std::array<std::uint8_t, 256> xmlNameBytes = [] {
    std::array<std::uint8_t, 256> t{};
    for (unsigned c = 0; c < 256; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c >= 128;
        const bool other = (c >= '0' && c <= '9') || c == '-' || c == '.';
        t[c] = letter ? 3 : other ? 2 : 0;
    }
    return t;
}();

/// Reads the bytes of a document once, from left to right.
class XmlScanner
{
public:
    /// With `problems` it goes on where the text is no well-formed XML.
    XmlScanner(XmlDocument& d, std::vector<XmlProblem>* problems)
        : m_doc(d),
          m_problems(problems),
          m_begin(d.m_bytes.data()),
          m_end(m_begin + d.m_bytes.size()),
          m_p(m_begin + d.m_textBegin)
    {
    }

    void run()
    {
        while (true) {
            skipSpace();
            if (m_p == m_end) break;
            if (*m_p != '<') {
                const char* const begin = m_p;
                const void* tag = std::memchr(m_p, '<', left());
                m_p = tag ? static_cast<const char*>(tag) : m_end;
                add(XmlItem::Kind::Text, begin, m_p);
                continue;
            }
            if (startsWith("</"))
                endTag();
            else if (startsWith("<!--"))
                upTo(XmlItem::Kind::Comment, 4, "-->", "a comment is not closed; expected '-->'");
            else if (startsWith("<![CDATA["))
                upTo(XmlItem::Kind::CData, 9, "]]>", "a CDATA section is not closed; expected ']]>'");
            else if (startsWith("<?"))
                upTo(XmlItem::Kind::Instruction, 2, "?>", "a processing instruction is not closed; expected '?>'");
            else if (startsWith("<!"))
                documentType();
            else
                startTag();
        }
        if (m_open.empty()) return;
        const XmlItem& last = items()[m_open.back()];
        fail(m_begin + last.begin,
             "an element is not closed, or closed by the tag of another: the file ends before </" +
                 std::string(m_doc.name(last)) + ">");
        while (!m_open.empty()) close(m_p, m_p);
    }

private:
    static bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
    static bool beginsName(char c) { return (xmlNameBytes[static_cast<unsigned char>(c)] & 1) != 0; }
    static bool goesOnName(char c) { return (xmlNameBytes[static_cast<unsigned char>(c)] & 2) != 0; }
    std::vector<XmlItem>& items() { return m_doc.m_items; }
    std::size_t left() const { return static_cast<std::size_t>(m_end - m_p); }
    std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - m_begin); }
    bool startsWith(std::string_view s) const { return std::string_view(m_p, left()).starts_with(s); }
    void skipSpace()
    {
        while (m_p != m_end && isSpace(*m_p)) ++m_p;
    }
    void skipName()
    {
        while (m_p != m_end && goesOnName(*m_p)) ++m_p;
    }
    /// Returns only where the scanner goes on.
    void fail(const char* at, const std::string& reason) const
    {
        if (!m_problems) m_doc.fail(offset(at), reason);
        m_problems->push_back({offset(at), "this is no well-formed XML: " + reason});
    }
    /// Ends the innermost element that is open.
    void close(const char* begin, const char* end)
    {
        XmlItem& e = items()[m_open.back()];
        e.closeBegin = offset(begin);
        e.end = offset(end);
        e.next = static_cast<std::uint32_t>(items().size());
        m_open.pop_back();
    }

    XmlItem& add(XmlItem::Kind kind, const char* begin, const char* end)
    {
        XmlItem item;
        item.kind = kind;
        item.begin = offset(begin);
        item.end = offset(end);
        item.parent = m_open.empty() ? XmlItem::none : m_open.back();
        item.firstAttribute = static_cast<std::uint32_t>(m_doc.m_attributes.size());
        items().push_back(item);
        items().back().next = static_cast<std::uint32_t>(items().size());
        return items().back();
    }

    void upTo(XmlItem::Kind kind, std::size_t opening, std::string_view closing, const char* problem)
    {
        const char* const begin = m_p;
        const std::string_view rest(m_p, left());
        const std::size_t found = rest.find(closing, opening);
        if (found == std::string_view::npos) fail(begin, problem);
        m_p = found == std::string_view::npos ? m_end : m_p + found + closing.size();
        add(kind, begin, m_p);
    }

    /// May hold declarations in brackets.
    void documentType()
    {
        const char* const begin = m_p;
        int depth = 0;
        for (; m_p != m_end; ++m_p) {
            if (*m_p == '<') ++depth;
            if (*m_p == '>' && --depth == 0) {
                ++m_p;
                add(XmlItem::Kind::DocumentType, begin, m_p);
                return;
            }
        }
        fail(begin, "a document type is not closed; expected '>'");
    }

    void startTag()
    {
        const char* const begin = m_p++;
        if (m_p == m_end || !beginsName(*m_p))
            return fail(begin, "a tag is malformed; expected the name of an element");
        skipName();
        if (m_open.size() >= XmlDocument::deepest)
            m_doc.fail(offset(begin), "the elements are nested too deeply: more than " +
                                          std::to_string(XmlDocument::deepest) + " levels");
        const auto index = static_cast<std::uint32_t>(items().size());
        add(XmlItem::Kind::Element, begin, m_p).nameEnd = offset(m_p);
        bool empty = true;
        while (true) {
            skipSpace();
            if (m_p == m_end) {
                fail(begin, "a tag is malformed: the file ends before its '>'");
                break;
            }
            if (*m_p == '>') {
                empty = false;
                ++m_p;
                break;
            }
            if (*m_p == '/') {
                if (left() >= 2 && m_p[1] == '>') {
                    m_p += 2;
                    break;
                }
                fail(m_p++, "a tag is malformed; expected '>' behind '/'");
                continue;
            }
            if (*m_p == '<' && m_problems) {
                fail(m_p, malformed);
                break;
            }
            attribute();
        }
        XmlItem& e = items()[index];
        e.tagEnd = e.end = e.closeBegin = offset(m_p);
        e.attributeCount = static_cast<std::uint32_t>(m_doc.m_attributes.size()) - e.firstAttribute;
        checkTwice(e);
        if (!empty) m_open.push_back(index);
    }

    static constexpr const char* malformed = "an attribute is malformed; expected name=\"value\"";

    void attribute()
    {
        XmlAttribute a{};
        const char* const begin = m_p;
        if (!beginsName(*m_p)) {
            fail(begin, malformed);
            ++m_p;
            return skipToSpace();
        }
        skipName();
        a.begin = offset(begin);
        a.nameEnd = offset(m_p);
        skipSpace();
        if (m_p == m_end || *m_p != '=') return fail(begin, malformed);
        ++m_p;
        skipSpace();
        if (m_p == m_end || (*m_p != '"' && *m_p != '\'')) {
            fail(begin, malformed);
            return skipToSpace();
        }
        const char quote = *m_p++;
        a.valueBegin = offset(m_p);
        const void* end = std::memchr(m_p, quote, left());
        if (!end ||
            (m_problems && holdsTags(std::string_view(m_p, std::size_t(static_cast<const char*>(end) - m_p))))) {
            fail(begin, "an attribute is malformed: its value does not end");
            m_p += lengthOfLine();
            a.valueEnd = offset(m_p);
        } else {
            m_p = static_cast<const char*>(end);
            a.valueEnd = offset(m_p++);
        }
        m_doc.m_attributes.push_back(a);
    }

    /// To the next white space or tag.
    void skipToSpace()
    {
        while (m_p != m_end && !isSpace(*m_p) && *m_p != '>' && *m_p != '<' && *m_p != '/') ++m_p;
    }

    /// Whether a line of a value begins with a tag: its quote is that of a later attribute.
    static bool holdsTags(std::string_view value)
    {
        for (auto i = value.find('\n'); i != std::string_view::npos; i = value.find('\n', i + 1)) {
            const auto first = value.find_first_not_of(" \t\r\n", i);
            if (first != std::string_view::npos && value[first] == '<') return true;
        }
        return false;
    }

    /// Of a value without end: the rest of the line, but for the end of the tag.
    std::size_t lengthOfLine() const
    {
        const std::string_view rest(m_p, left());
        std::string_view line = rest.substr(0, rest.find('\n'));
        line = line.substr(0, line.find('<'));
        const auto trim = [&line] {
            while (!line.empty() && isSpace(line.back())) line.remove_suffix(1);
        };
        trim();
        if (line.ends_with('>')) line.remove_suffix(line.ends_with("/>") ? 2 : 1);
        trim();
        return line.size();
    }

    void checkTwice(const XmlItem& e)
    {
        const auto list = m_doc.attributes(e);
        const auto twice = [&](const XmlAttribute& a) {
            fail(m_begin + a.begin, "an attribute is given twice: '" + std::string(m_doc.name(a)) + "'");
        };
        if (list.size() <= 16) {
            for (std::size_t i = 1; i < list.size(); ++i)
                for (std::size_t k = 0; k < i; ++k)
                    if (m_doc.name(list[i]) == m_doc.name(list[k])) twice(list[i]);
            return;
        }
        std::vector<XmlAttribute> sorted(list.begin(), list.end());
        std::ranges::stable_sort(sorted, {}, [this](const XmlAttribute& a) { return m_doc.name(a); });
        for (std::size_t i = 1; i < sorted.size(); ++i)
            if (m_doc.name(sorted[i]) == m_doc.name(sorted[i - 1])) twice(sorted[i]);
    }

    void endTag()
    {
        const char* const begin = m_p;
        m_p += 2;
        const char* const name = m_p;
        skipName();
        const std::string_view closing(name, static_cast<std::size_t>(m_p - name));
        skipSpace();
        if (m_p == m_end || *m_p != '>')
            fail(begin, "an end tag is malformed; expected '>'");
        else
            ++m_p;
        if (m_open.empty() && m_doc.root() != XmlItem::none) {
            // One too many at the end, as some old scenes have it: SOFA passes over it.
            add(XmlItem::Kind::Text, begin, m_p);
            return;
        }
        if (m_open.empty())
            return fail(begin, "an element is not closed, or closed by the tag of another: nothing is open where </" +
                                   std::string(closing) + "> stands");
        const auto named = [&](std::uint32_t e) { return m_doc.name(items()[e]) == closing; };
        if (!named(m_open.back())) {
            const XmlItem& e = items()[m_open.back()];
            fail(m_begin + e.begin, "an element is not closed, or closed by the tag of another: <" +
                                        std::string(m_doc.name(e)) + "> by </" + std::string(closing) + "> in line " +
                                        std::to_string(m_doc.position(offset(begin)).line));
            if (std::ranges::none_of(m_open, named)) return;
            while (!named(m_open.back())) close(begin, begin);
        }
        close(begin, m_p);
    }

    XmlDocument& m_doc;
    std::vector<XmlProblem>* const m_problems;
    const char* const m_begin;
    const char* const m_end;
    const char* m_p;
    std::vector<std::uint32_t> m_open;
};

}  // namespace sofa::core
