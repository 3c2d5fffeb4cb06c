// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/TextScanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <system_error>

#include "core/io/InputLimit.h"
#include "core/io/MeshError.h"
#include "core/io/OutputFile.h"

namespace sofa::core::io {

namespace {

/// Refuses encodings whose characters are wider than a byte; drops a UTF-8 byte order mark.
void checkEncoding(SourceText& s)
{
    const auto starts = [&](std::string_view mark) { return std::string_view(s.text).substr(0, mark.size()) == mark; };
    if (starts("\xEF\xBB\xBF")) {
        s.text.erase(0, 3);
        return;
    }
    const bool wideMark = starts("\xFF\xFE") || starts("\xFE\xFF") || starts(std::string_view("\0\0\xFE\xFF", 4));
    // UTF-16 without a mark: every other byte of the first few is NUL, in a file that starts with printable text.
    const auto zeros = [&](std::size_t first) {
        if (s.text.size() < 16) return false;
        for (std::size_t i = 0; i < 16; ++i)
            if ((s.text[i] == '\0') != (i % 2 == first)) return false;
        return true;
    };
    if (wideMark || zeros(0) || zeros(1))
        throw MeshError(s.path, 1, MeshError::None, "text in ASCII or UTF-8", "UTF-16 or UTF-32 text");
}

}  // namespace

SourceText loadBytes(const std::filesystem::path& path)
{
    namespace fs = std::filesystem;
    SourceText s{path.string(), {}};
    std::error_code ec;
    const auto status = fs::status(path, ec);
    if (!fs::exists(status)) throw MeshError(s.path, "no such file");
    if (fs::is_directory(status)) throw MeshError(s.path, "is a directory, not a file");
    if (!fs::is_regular_file(status)) throw MeshError(s.path, "is no plain file");  // a pipe would be waited for
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) throw MeshError(s.path, "the file cannot be opened for reading");
    const std::streamoff size = in.tellg();
    if (size < 0) throw MeshError(s.path, "the file cannot be read");
    requireInputSize(s.path, static_cast<std::uint64_t>(size));
    s.text.resize(static_cast<std::size_t>(size));
    in.seekg(0);
    if (size > 0 && !in.read(s.text.data(), size)) throw MeshError(s.path, "the file cannot be read to its end");
    return s;
}

SourceText loadSource(const std::filesystem::path& path)
{
    SourceText s = loadBytes(path);
    checkEncoding(s);
    if (s.text.empty()) throw MeshError(s.path, "the file is empty");
    return s;
}

TextScanner::TextScanner(const SourceText& source)
    : m_source(&source), m_begin(source.text.data()), m_cur(m_begin), m_end(m_begin + source.text.size())
{
}

void TextScanner::seek(std::size_t offset) { m_cur = m_begin + std::min(offset, m_source->text.size()); }

std::size_t TextScanner::lineAt(std::size_t offset) const
{
    const char* to = m_begin + std::min(offset, m_source->text.size());
    return 1 + static_cast<std::size_t>(std::count(m_begin, to, '\n'));
}

std::string_view TextScanner::restOfLine()
{
    const char* start = m_cur;
    const void* nl = m_cur == m_end ? nullptr : std::memchr(m_cur, '\n', static_cast<std::size_t>(m_end - m_cur));
    const char* stop = nl ? static_cast<const char*>(nl) : m_end;
    m_cur = nl ? stop + 1 : m_end;
    while (stop != start && isBlank(stop[-1])) --stop;
    return {start, static_cast<std::size_t>(stop - start)};
}

std::string_view TextScanner::token()
{
    if (!m_stayOnLine) skipSpace();
    return tokenOnLine();
}

std::string_view TextScanner::tokenOnLine()
{
    skipBlanks();
    const char* start = m_cur;
    while (m_cur != m_end && !isBlank(*m_cur) && *m_cur != '\n') ++m_cur;
    m_tokenOffset = static_cast<std::size_t>(start - m_begin);
    return m_token = {start, static_cast<std::size_t>(m_cur - start)};
}

std::string_view TextScanner::peek()
{
    const char* keep = m_cur;
    const auto t = token();
    m_cur = keep;
    return t;
}

void TextScanner::expect(std::string_view word)
{
    if (token() != word) fail("'" + std::string(word) + "'", found());
}

double TextScanner::real(const char* what)
{
    double v = 0.;
    if (!parseReal(token(), v)) {
        const bool comma = m_token.find(',') != std::string_view::npos;
        fail(std::string(what) + " (a number" + (comma ? " with a decimal point" : "") + ")", found());
    }
    return v;
}

double TextScanner::finite(const char* what)
{
    const double v = real(what);
    if (!std::isfinite(v)) fail(std::string(what) + " (a finite number)", found());
    return v;
}

std::int64_t TextScanner::integer(const char* what)
{
    std::int64_t v = 0;
    if (!parseInteger(token(), v)) fail(std::string(what) + " (an integer)", found());
    return v;
}

std::size_t TextScanner::count(const char* what, std::size_t minimumBytes)
{
    const std::int64_t n = integer(what);
    if (n < 0) fail(std::string(what) + " (not negative)", found());
    // One separator may be missing at the very end of a file.
    if (static_cast<std::uint64_t>(n) > (remaining() + 1) / std::max<std::size_t>(1, minimumBytes))
        fail(std::string(what) + " that the remaining " + std::to_string(remaining()) + " bytes of the file can hold",
             found());
    return static_cast<std::size_t>(n);
}

double TextScanner::finiteBinary(const char* what)
{
    const std::size_t at = offset();
    const double v = binary<double>(what);
    if (!std::isfinite(v)) failBinary(at, std::string(what) + " (a finite number)", std::isnan(v) ? "NaN" : "infinity");
    return v;
}

const char* TextScanner::bytes(std::size_t n, const char* what)
{
    if (n > remaining())
        failBinary(offset(), std::string(what) + " (" + std::to_string(n) + " bytes)",
                   "the end of the file after " + std::to_string(remaining()) + " bytes");
    const char* p = m_cur;
    m_cur += n;
    return p;
}

std::size_t TextScanner::checkCount(std::uint64_t n, std::size_t minimumBytes, const char* what) const
{
    if (n > remaining() / std::max<std::size_t>(1, minimumBytes))
        failBinary(
            offset(),
            std::string(what) + " that the remaining " + std::to_string(remaining()) + " bytes of the file can hold",
            std::to_string(n));
    return static_cast<std::size_t>(n);
}

void TextScanner::fail(const std::string& expected, const std::string& found) const
{
    failAt(m_tokenOffset, expected, found);
}

void TextScanner::failAt(std::size_t offset, const std::string& expected, const std::string& found) const
{
    throw MeshError(path(), lineAt(offset), offset, expected, found);
}

void TextScanner::failBinary(std::size_t offset, const std::string& expected, const std::string& found) const
{
    throw MeshError(path(), MeshError::None, offset, expected, found);
}

std::string TextScanner::quoted(std::string_view s)
{
    if (s.empty()) return "the end of the line or file";
    std::string r = "'";
    for (const char c : s.substr(0, 40)) {
        const auto u = static_cast<unsigned char>(c);
        if (u >= 0x20 && u < 0x7F) {
            r += c;
        } else {
            static const char* hex = "0123456789abcdef";
            r += "\\x";
            r += hex[u >> 4];
            r += hex[u & 15];
        }
    }
    return r + (s.size() > 40 ? "...'" : "'");
}

bool parseReal(std::string_view s, double& value)
{
    if (s.size() > 1 && s[0] == '+' && s[1] != '-' && s[1] != '+') s.remove_prefix(1);
    const char* end = s.data() + s.size();
    const auto [p, ec] = std::from_chars(s.data(), end, value);
    if (p != end || s.empty()) return false;
    if (ec == std::errc::result_out_of_range) {
        // from_chars does not tell overflow from underflow: a negative exponent, or none at all with a leading "0.",
        // means that the value is below the smallest double.
        const auto e = s.find_first_of("eE");
        const bool tiny = e != std::string_view::npos && e + 1 < s.size() && s[e + 1] == '-';
        const bool negative = s[0] == '-';
        const bool fraction = e == std::string_view::npos && s.substr(negative, 1) == "0";
        value = tiny || fraction ? 0. : (negative ? -HUGE_VAL : HUGE_VAL);
        return true;
    }
    return ec == std::errc();
}

bool parseInteger(std::string_view s, std::int64_t& value)
{
    if (s.size() > 1 && s[0] == '+' && s[1] != '-') s.remove_prefix(1);
    const char* end = s.data() + s.size();
    const auto [p, ec] = std::from_chars(s.data(), end, value);
    return ec == std::errc() && p == end;
}

void appendNumber(std::string& out, double value)
{
    char b[32];
    const auto r = std::to_chars(b, b + sizeof b, value);
    out.append(b, r.ptr);
}

void appendNumber(std::string& out, std::uint64_t value)
{
    char b[24];
    const auto r = std::to_chars(b, b + sizeof b, value);
    out.append(b, r.ptr);
}

void saveText(const std::filesystem::path& path, std::string_view text)
{
    try {
        writeFile(path, text);
    } catch (const std::runtime_error& e) {
        throw MeshError(path.string(), e.what());
    }
}

}  // namespace sofa::core::io
