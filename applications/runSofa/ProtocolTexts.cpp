// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/runSofa/ProtocolTexts.h"

#include <filesystem>

namespace fs = std::filesystem;

namespace sofa::application {

using namespace sofa::core;

namespace {

Json positionOf(const Utf16Position& p)
{
    Json j;
    j["line"] = p.line;
    j["character"] = p.character;
    return j;
}

}  // namespace

std::string uriOf(const std::string& path)
{
    std::string uri = "file://";
    for (const char c : path) {
        const auto b = static_cast<unsigned char>(c);
        if (std::isalnum(b) || std::string_view("/-._~").find(c) != std::string_view::npos) {
            uri += c;
        } else {
            static constexpr char digits[] = "0123456789ABCDEF";
            uri += {'%', digits[b / 16], digits[b % 16]};
        }
    }
    return uri;
}

std::string pathOf(const std::string& uri)
{
    static constexpr std::string_view scheme = "file://";
    if (!uri.starts_with(scheme)) return (fs::current_path() / "untitled.scn").string();
    const auto begin = uri.find('/', scheme.size());
    std::string path;
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : std::isxdigit(static_cast<unsigned char>(c)) ? (c | 32) - 'a' + 10 : -1;
    };
    for (std::size_t i = std::min(begin, uri.size()); i < uri.size(); ++i) {
        const bool coded = uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
        path += coded ? static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2])) : uri[i];
        if (coded) i += 2;
    }
    return fs::path(path).lexically_normal().string();
}

Json rangeOf(const TextLines& lines, const TextRange& r)
{
    Json j;
    j["start"] = positionOf(lines.utf16(r.begin));
    j["end"] = positionOf(lines.utf16(r.end));
    return j;
}

Json locationOf(const std::string& uri, const std::string& text, const TextRange& r)
{
    Json j;
    j["uri"] = uri;
    j["range"] = rangeOf(TextLines(text), r);
    return j;
}

void refuse(const std::string& text) { throw RpcError(RpcError::InvalidParams, text); }

const Json& member(const Json& j, const char* name)
{
    const auto it = j.is_object() ? j.find(name) : j.end();
    if (!j.is_object() || it == j.end()) refuse(std::string("expected a member '") + name + "'");
    return *it;
}

std::string textIn(const Json& j, const char* name)
{
    const Json& m = member(j, name);
    if (!m.is_string()) refuse(std::string("expected a text as '") + name + "'");
    return m.get<std::string>();
}

std::size_t offsetIn(const TextLines& lines, const Json& position)
{
    const auto number = [&](const char* name) {
        const Json& n = member(position, name);
        if (!n.is_number_unsigned()) refuse(std::string("expected a number as '") + name + "'");
        return n.get<std::size_t>();
    };
    return lines.offset(Utf16Position{number("line"), number("character")});
}

std::string asSnippet(const std::string& text, std::size_t cursor)
{
    std::string out;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == cursor) out += "$0";
        if (i == text.size()) break;
        if (text[i] == '$' || text[i] == '}' || text[i] == '\\') out += '\\';
        out += text[i];
    }
    return out;
}

Json diagnosticOf(const Message& m, Json range)
{
    const int severity = m.severity == Severity::Error        ? 1
                         : m.severity == Severity::Warning    ? 2
                         : m.severity == Severity::Deprecated ? 4
                                                              : 3;
    Json d;
    d["range"] = std::move(range);
    d["severity"] = severity;
    d["source"] = "runSofa";
    d["message"] = (m.sender.empty() ? "" : m.sender + ": ") + m.text;
    if (m.severity == Severity::Deprecated) d["tags"].push_back(2);
    return d;
}

Json editsOf(const std::string& text, const std::vector<TextEdit>& edits)
{
    const TextLines lines(text);
    Json list = Json::array();
    for (const TextEdit& e : edits) {
        Json one;
        one["range"] = rangeOf(lines, {e.at, e.at + e.length});
        one["newText"] = e.text;
        list.push_back(std::move(one));
    }
    return list;
}

Json symbolOf(const TextLines& lines, const SceneSymbol& s)
{
    Json children = Json::array();
    for (const SceneSymbol& c : s.children) children.push_back(symbolOf(lines, c));
    Json symbol;
    symbol["name"] = s.name;
    symbol["detail"] = s.type;
    symbol["kind"] = s.type == "Node" ? 3 : 5;
    symbol["range"] = rangeOf(lines, s.range);
    symbol["selectionRange"] = rangeOf(lines, s.tag);
    symbol["children"] = std::move(children);
    return symbol;
}

}  // namespace sofa::application
