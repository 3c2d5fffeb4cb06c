// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/XmlText.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace sofa::core {

SceneError::SceneError(SourceLocation where, const std::string& text)
    : std::runtime_error(where.known() ? where.str() + ": " + text : text), m_where(std::move(where)), m_reason(text)
{
}

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& text, int line = 0)
{
    throw SceneError({std::make_shared<const std::string>(path), line, 0}, text);
}

/// The encoding that the XML declaration names, in lower case; empty if there is none.
std::string declaredEncoding(std::string_view text)
{
    if (!text.starts_with("<?xml")) return {};
    const std::string_view declaration = text.substr(0, text.find("?>"));
    auto i = declaration.find("encoding");
    if (i == std::string_view::npos) return {};
    i = declaration.find_first_of("\"'", i);
    if (i == std::string_view::npos) return {};
    const auto end = declaration.find(declaration[i], i + 1);
    if (end == std::string_view::npos) return {};
    std::string name(declaration.substr(i + 1, end - i - 1));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
}

std::string fromLatin1(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (const char c : text) {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x80) {
            out += c;
        } else {
            out += static_cast<char>(0xC0 | (u >> 6));
            out += static_cast<char>(0x80 | (u & 0x3F));
        }
    }
    return out;
}

}  // namespace

std::string normalizedXml(std::string text, const std::string& path)
{
    const auto startsWith = [&](std::initializer_list<unsigned char> bytes) {
        return text.size() >= bytes.size() && std::equal(bytes.begin(), bytes.end(), text.begin(), [](auto a, char b) {
                   return a == static_cast<unsigned char>(b);
               });
    };
    if (startsWith({0xFF, 0xFE}) || startsWith({0xFE, 0xFF}) || startsWith({'<', 0}) || startsWith({0, '<'}))
        fail(path, "the file is encoded in UTF-16 or UTF-32; expected UTF-8");
    if (startsWith({0xEF, 0xBB, 0xBF})) text.erase(0, 3);
    if (const auto zero = text.find('\0'); zero != std::string::npos)
        fail(path, "the file contains a zero byte; it is no XML text",
             1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n')));
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) fail(path, "the file is empty");
    const std::string encoding = declaredEncoding(text);
    if (encoding == "iso-8859-1" || encoding == "latin1" || encoding == "windows-1252") return fromLatin1(text);
    if (!encoding.empty() && encoding != "utf-8" && encoding != "utf8" && encoding != "us-ascii" && encoding != "ascii")
        fail(path, "the encoding '" + encoding + "' is not supported; expected UTF-8 or ISO-8859-1", 1);
    return text;
}

std::string readXmlFile(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) fail(path, "this is a folder; expected a scene file");
    std::ifstream in(path, std::ios::binary);
    if (!in) fail(path, std::string("cannot open the file: ") + std::strerror(errno));
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad()) fail(path, "cannot read the file");
    return normalizedXml(std::move(text), path);
}

namespace {

/// Walks through the text, counting lines.
class Walker
{
public:
    explicit Walker(std::string_view text) : m_text(text) {}
    bool atEnd() const { return m_i >= m_text.size(); }
    char peek() const { return m_text[m_i]; }
    bool startsWith(std::string_view s) const { return m_text.substr(m_i).starts_with(s); }
    TextPosition position() const { return {m_line, static_cast<int>(m_i - m_lineStart) + 1}; }
    std::size_t index() const { return m_i; }
    void next()
    {
        if (m_text[m_i++] == '\n') {
            ++m_line;
            m_lineStart = m_i;
        }
    }
    void skip(std::size_t n)
    {
        for (; n > 0 && !atEnd(); --n) next();
    }
    /// Past the next occurrence of `s`.
    void skipPast(std::string_view s)
    {
        while (!atEnd() && !startsWith(s)) next();
        skip(s.size());
    }

private:
    std::string_view m_text;
    std::size_t m_i = 0, m_lineStart = 0;
    int m_line = 1;
};

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The rest of a start tag behind its name: attribute after attribute.
void readAttributes(Walker& w, TagPosition& tag)
{
    while (!w.atEnd()) {
        if (w.peek() == '>') return;
        if (isSpace(w.peek()) || w.peek() == '/') {
            w.next();
            continue;
        }
        tag.attributes.push_back(w.position());
        while (!w.atEnd() && w.peek() != '=' && w.peek() != '>') w.next();
        while (!w.atEnd() && w.peek() != '"' && w.peek() != '\'' && w.peek() != '>') w.next();
        if (w.atEnd() || w.peek() == '>') return;
        const char quote = w.peek();
        w.next();
        while (!w.atEnd() && w.peek() != quote) w.next();
        w.skip(1);
    }
}

/// A document type may hold declarations in brackets.
void skipDocumentType(Walker& w)
{
    int depth = 0;
    for (; !w.atEnd(); w.next()) {
        if (w.peek() == '<') ++depth;
        if (w.peek() == '>' && --depth == 0) return;
    }
}

}  // namespace

std::string withoutDeclarations(std::string xml)
{
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    for (Walker w(xml); !w.atEnd();) {
        const std::size_t start = w.index();
        if (w.startsWith("<!--")) {
            w.skip(4);
            w.skipPast("-->");
        } else if (w.startsWith("<![CDATA[")) {
            w.skipPast("]]>");
        } else if (w.startsWith("<?")) {
            w.skipPast("?>");
            if (!w.atEnd()) parts.emplace_back(start, w.index());
        } else if (w.startsWith("<!")) {
            skipDocumentType(w);
            if (!w.atEnd()) parts.emplace_back(start, w.index() + 1);
        } else {
            w.next();
        }
    }
    for (const auto& [first, last] : parts)
        std::replace_if(
            xml.begin() + static_cast<std::ptrdiff_t>(first), xml.begin() + static_cast<std::ptrdiff_t>(last),
            [](char c) { return c != '\n'; }, ' ');
    return xml;
}

std::vector<TagPosition> findTags(std::string_view xml)
{
    std::vector<TagPosition> tags;
    for (Walker w(xml); !w.atEnd();) {
        if (w.peek() != '<') {
            w.next();
        } else if (w.startsWith("<!--")) {
            w.skip(4);
            w.skipPast("-->");
        } else if (w.startsWith("<![CDATA[")) {
            w.skipPast("]]>");
        } else if (w.startsWith("<?")) {
            w.skipPast("?>");
        } else if (w.startsWith("<!")) {
            skipDocumentType(w);
        } else if (w.startsWith("</")) {
            w.skipPast(">");
        } else {
            TagPosition tag;
            tag.at = w.position();
            w.next();
            const std::size_t start = w.index();
            while (!w.atEnd() && !isSpace(w.peek()) && w.peek() != '>' && w.peek() != '/') w.next();
            tag.name = xml.substr(start, w.index() - start);
            readAttributes(w, tag);
            tags.push_back(std::move(tag));
        }
    }
    return tags;
}

}  // namespace sofa::core
