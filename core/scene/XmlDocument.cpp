// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/XmlDocument.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/io/InputLimit.h"
#include "core/scene/TextSplice.h"
#include "core/scene/XmlScanner.h"

namespace sofa::core {

SceneError::SceneError(SourceLocation where, const std::string& text)
    : std::runtime_error(where.known() ? where.str() + ": " + text : text), m_where(std::move(where)), m_reason(text)
{
}

namespace {

[[noreturn]] void failFile(const std::shared_ptr<const std::string>& path, const std::string& text, int line = 0)
{
    throw SceneError({path, line, 0}, text);
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

void appendUtf8(std::string& out, std::uint32_t c)
{
    const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) {
        add(c);
    } else if (c < 0x800) {
        add(0xC0 | (c >> 6));
        add(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        add(0xE0 | (c >> 12));
        add(0x80 | ((c >> 6) & 0x3F));
        add(0x80 | (c & 0x3F));
    } else {
        add(0xF0 | (c >> 18));
        add(0x80 | ((c >> 12) & 0x3F));
        add(0x80 | ((c >> 6) & 0x3F));
        add(0x80 | (c & 0x3F));
    }
}

/// Takes one character of UTF-8 off the text; a byte that belongs to none is taken as it is.
std::uint32_t takeUtf8(std::string_view& text)
{
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    std::uint32_t c = n == 1 ? first : first & (0x7Fu >> n);
    bool good = n <= text.size();
    for (std::size_t i = 1; good && i < n; ++i) {
        good = (byte(i) & 0xC0) == 0x80;
        c = (c << 6) | (byte(i) & 0x3F);
    }
    text.remove_prefix(good ? n : 1);
    return good ? c : first;
}

/// The character that "&...;" at the beginning of the text stands for, and its length; 0 if it is no reference.
std::pair<std::uint32_t, std::size_t> reference(std::string_view text)
{
    static constexpr std::pair<std::string_view, char> named[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (const auto& [entity, c] : named)
        if (text.starts_with(entity)) return {static_cast<unsigned char>(c), entity.size()};
    if (!text.starts_with("&#")) return {0, 0};
    std::size_t i = 2;
    const std::uint32_t base = i < text.size() && (text[i] == 'x' || text[i] == 'X') ? 16 : 10;
    if (base == 16) ++i;
    std::uint32_t c = 0;
    const std::size_t digits = i;
    for (; i < text.size() && text[i] != ';'; ++i) {
        const char d = text[i];
        std::uint32_t v = base;
        if (d >= '0' && d <= '9') v = static_cast<std::uint32_t>(d - '0');
        if (d >= 'a' && d <= 'f') v = static_cast<std::uint32_t>(d - 'a') + 10;
        if (d >= 'A' && d <= 'F') v = static_cast<std::uint32_t>(d - 'A') + 10;
        if (v >= base) return {0, 0};
        c = c * base + v;
        if (c > 0x10FFFF) return {0, 0};
    }
    const bool surrogate = c >= 0xD800 && c < 0xE000;
    if (i >= text.size() || i == digits || c == 0 || surrogate) return {0, 0};
    return {c, i + 1};
}

}  // namespace

std::string readBytes(const std::string& path)
{
    const auto name = std::make_shared<const std::string>(path);
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) failFile(name, "this is a folder; expected a scene file");
    std::ifstream in(path, std::ios::binary);
    if (!in) failFile(name, std::string("cannot open the file: ") + std::strerror(errno));
    std::string bytes;
    const auto requireSize = [&](std::uint64_t size) {
        try {
            io::requireInputSize(path, size);
        } catch (const std::runtime_error& e) {
            failFile(name, e.what());
        }
    };
    if (const auto size = std::filesystem::file_size(path, error); !error) {
        requireSize(size);
        bytes.reserve(size + 1);
    }
    std::array<char, 1 << 16> piece;
    while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
        requireSize(bytes.size() + static_cast<std::uint64_t>(in.gcount()));  // a pipe does not say how much it has
        bytes.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (in.bad()) failFile(name, "cannot read the file");
    return bytes;
}

XmlDocument::XmlDocument(std::string bytes, const std::string& path)
    : m_bytes(std::move(bytes)), m_path(std::make_shared<const std::string>(path))
{
    scan();
    number();
}

XmlDocument::XmlDocument(std::string text, const std::string& path, std::vector<XmlProblem>& problems)
    : m_bytes(std::move(text)), m_path(std::make_shared<const std::string>(path))
{
    try {
        scan();
    } catch (const SceneError& e) {
        scan(&problems);
        if (problems.empty()) problems.push_back({m_textBegin, e.reason()});
    }
    m_encoding = Encoding::Utf8;
    number();
}

void XmlDocument::number()
{
    XmlId id = 0;
    for (XmlItem& item : m_items) item.id = ++id;
    index();
}

void XmlDocument::fail(std::size_t offset, const std::string& reason) const
{
    throw SceneError(where(offset), "this is no well-formed XML: " + reason);
}

void XmlDocument::scan(std::vector<XmlProblem>* problems)
{
    m_items.clear();
    m_attributes.clear();
    m_lineStarts.clear();
    const auto startsWith = [this](std::initializer_list<unsigned char> bytes) {
        return m_bytes.size() >= bytes.size() &&
               std::equal(bytes.begin(), bytes.end(), m_bytes.begin(),
                          [](auto a, char b) { return a == static_cast<unsigned char>(b); });
    };
    if (m_bytes.size() >= std::numeric_limits<std::uint32_t>::max()) failFile(m_path, "the file has more than 4 GB");
    if (startsWith({0xFF, 0xFE}) || startsWith({0xFE, 0xFF}) || startsWith({'<', 0}) || startsWith({0, '<'}))
        failFile(m_path, "the file is encoded in UTF-16 or UTF-32; expected UTF-8");
    m_textBegin = startsWith({0xEF, 0xBB, 0xBF}) ? 3 : 0;
    if (const auto zero = m_bytes.find('\0'); zero != std::string::npos)
        failFile(m_path, "the file contains a zero byte; it is no XML text", position(zero).line);
    if (m_bytes.find_first_not_of(" \t\r\n", m_textBegin) == std::string::npos) failFile(m_path, "the file is empty");
    const std::string encoding = declaredEncoding(std::string_view(m_bytes).substr(m_textBegin));
    if (problems || encoding.empty() || encoding == "utf-8" || encoding == "utf8")
        m_encoding = Encoding::Utf8;
    else if (encoding == "iso-8859-1" || encoding == "latin1" || encoding == "windows-1252")
        m_encoding = Encoding::Latin1;
    else if (encoding == "us-ascii" || encoding == "ascii")
        m_encoding = Encoding::Ascii;
    else
        failFile(m_path, "the encoding '" + encoding + "' is not supported; expected UTF-8 or ISO-8859-1", 1);
    XmlScanner(*this, problems).run();
}

void XmlDocument::index()
{
    XmlId last = 0;
    for (const XmlItem& item : m_items) last = std::max(last, item.id);
    m_indices.assign(std::max<std::size_t>(m_indices.size(), std::size_t{last} + 1), XmlItem::none);
    for (std::uint32_t i = 0; i < m_items.size(); ++i) m_indices[m_items[i].id] = i;
}

std::uint32_t XmlDocument::elementAtTop(std::uint32_t i) const
{
    for (; i < m_items.size(); i = m_items[i].next)
        if (m_items[i].isElement()) return i;
    return XmlItem::none;
}

std::string_view XmlDocument::name(const XmlItem& e) const { return slice(e.begin + 1, e.nameEnd); }

const XmlAttribute* XmlDocument::attribute(const XmlItem& e, std::string_view wanted) const
{
    for (const XmlAttribute& a : attributes(e))
        if (name(a) == wanted) return &a;
    return nullptr;
}

std::string XmlDocument::decoded(std::string_view raw) const
{
    const bool latin = m_encoding == Encoding::Latin1 &&
                       std::ranges::any_of(raw, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (!latin && raw.find('&') == std::string_view::npos && raw.find('\r') == std::string_view::npos)
        return std::string(raw);
    std::string out;
    out.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const char c = raw[i];
        if (c == '&') {
            const auto [character, length] = reference(raw.substr(i));
            if (length == 0) {
                out += c;
            } else {
                appendUtf8(out, character);
                i += length - 1;
            }
        } else if (c == '\r') {
            out += '\n';
            if (i + 1 < raw.size() && raw[i + 1] == '\n') ++i;
        } else if (latin) {
            appendUtf8(out, static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out;
}

std::string XmlDocument::utf8(std::string_view raw) const
{
    if (m_encoding != Encoding::Latin1) return std::string(raw);
    std::string out;
    for (const char c : raw) appendUtf8(out, static_cast<unsigned char>(c));
    return out;
}

std::string XmlDocument::transcoded(std::string_view utf8) const
{
    if (m_encoding == Encoding::Utf8) return std::string(utf8);
    const std::uint32_t end = m_encoding == Encoding::Latin1 ? 0x100 : 0x80;
    std::string out;
    out.reserve(utf8.size());
    while (!utf8.empty()) {
        const std::uint32_t c = takeUtf8(utf8);
        if (c < end)
            out += static_cast<char>(c);
        else
            out += "&#" + std::to_string(c) + ';';
    }
    return out;
}

std::string escapedXml(std::string_view value, char quote)
{
    std::string out;
    out.reserve(value.size());
    for (const char c : value) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '\n':
                out += "&#10;";
                break;
            case '\r':
                out += "&#13;";
                break;
            case '\t':
                out += "&#9;";
                break;
            default:
                if (c == quote)
                    out += c == '"' ? "&quot;" : "&apos;";
                else
                    out += c;
        }
    }
    return out;
}

TextPosition XmlDocument::position(std::size_t offset) const
{
    if (m_lineStarts.empty()) {
        m_lineStarts.push_back(m_textBegin);
        const char* const begin = m_bytes.data();
        const char* const end = begin + m_bytes.size();
        for (const char* p = begin; (p = static_cast<const char*>(std::memchr(p, '\n', std::size_t(end - p))));)
            m_lineStarts.push_back(static_cast<std::uint32_t>(++p - begin));
    }
    const auto line = std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), offset) - 1;
    return {static_cast<int>(line - m_lineStarts.begin()) + 1, static_cast<int>(offset - *line) + 1};
}

SourceLocation XmlDocument::where(std::size_t offset) const
{
    const TextPosition p = position(offset);
    return {m_path, p.line, p.column};
}

std::string_view XmlDocument::lineEnd() const
{
    const auto first = m_bytes.find('\n');
    return first != std::string::npos && first > 0 && m_bytes[first - 1] == '\r' ? "\r\n" : "\n";
}

std::pair<std::string, std::vector<TextEdit>> spliced(const std::string& bytes, const std::vector<TextEdit>& edits)
{
    std::string out;
    std::vector<TextEdit> back;
    std::size_t from = 0;
    for (const TextEdit& e : edits) {
        if (e.at < from || e.at + e.length > bytes.size()) throw std::logic_error("edits of a text overlap");
        out.append(bytes, from, e.at - from);
        back.push_back({out.size(), e.text.size(), bytes.substr(e.at, e.length), {}});
        out += e.text;
        from = e.at + e.length;
    }
    out.append(bytes, from);
    return {std::move(out), std::move(back)};
}

std::vector<TextEdit> XmlDocument::apply(const std::vector<TextEdit>& edits)
{
    auto [bytes, back] = spliced(m_bytes, edits);
    const XmlId last = m_indices.empty() ? 0 : static_cast<XmlId>(m_indices.size() - 1);
    const std::vector<XmlItem> before = m_items;
    std::swap(m_bytes, bytes);
    try {
        scan();
        if (root() == XmlItem::none) fail(0, "there is no element left");
    } catch (...) {
        m_bytes = std::move(bytes);
        scan();
        for (std::size_t i = 0; i < m_items.size(); ++i) m_items[i].id = before[i].id;
        throw;
    }
    // What stands outside of the edits is there before and after, in the same order.
    XmlId fresh = last;
    std::size_t edit = 0, old = 0, given = 0;
    for (XmlItem& item : m_items) {
        while (edit < edits.size() && item.begin >= back[edit].at + back[edit].length) {
            ++edit;
            given = 0;
        }
        if (edit < edits.size() && item.begin >= back[edit].at) {
            item.id = given < edits[edit].ids.size() ? edits[edit].ids[given++] : ++fresh;
            continue;
        }
        const std::size_t shift = edit == 0 ? 0 : back[edit - 1].at + back[edit - 1].length;
        const std::size_t then =
            edit == 0 ? item.begin : item.begin - shift + edits[edit - 1].at + edits[edit - 1].length;
        while (old < before.size() && before[old].begin < then) ++old;
        item.id = old < before.size() && before[old].begin == then ? before[old].id : ++fresh;
    }
    edit = 0;
    for (const XmlItem& item : before) {
        while (edit < edits.size() && item.begin >= edits[edit].at + edits[edit].length) ++edit;
        if (edit < edits.size() && item.begin >= edits[edit].at) back[edit].ids.push_back(item.id);
    }
    m_indices.resize(std::size_t{fresh} + 1);
    index();
    return back;
}

}  // namespace sofa::core
