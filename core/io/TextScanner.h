// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/math/Vec.h"

namespace sofa::core::io {

/// The whole content of a file, and the name to use in messages. Content may be text, binary data or both.
struct SourceText
{
    std::string path;
    std::string text;
};

/// Reads a whole file at once. A UTF-8 byte order mark is dropped.
/// \throws MeshError where the file is absent, a directory, unreadable, empty, or encoded in UTF-16 or UTF-32.
SourceText loadSource(const std::filesystem::path& path);

/// Reads the bytes of a file as they are; there may be none. \throws MeshError where it is absent or unreadable.
SourceText loadBytes(const std::filesystem::path& path);

/// Cursor over a SourceText: tokens, lines and locale-independent numbers (std::from_chars), and raw binary values.
/// Every failure throws MeshError with the line (text) or byte offset (binary) of the value concerned.
/// Never reads outside the source; keeps a reference to it, so that it must outlive the scanner.
class TextScanner
{
public:
    explicit TextScanner(const SourceText& source);

    // --- position -------------------------------------------------------------------------------------------------
    bool atEnd() const { return m_cur == m_end; }
    std::size_t offset() const { return static_cast<std::size_t>(m_cur - m_begin); }
    std::size_t remaining() const { return static_cast<std::size_t>(m_end - m_cur); }
    void seek(std::size_t offset);
    /// Line of a byte offset, from 1 (counts line ends up to there: for messages only).
    std::size_t lineAt(std::size_t offset) const;
    std::size_t line() const { return lineAt(offset()); }
    const std::string& path() const { return m_source->path; }
    std::string_view text() const { return m_source->text; }

    // --- text -----------------------------------------------------------------------------------------------------
    /// Skips blanks within the line (space, tab, carriage return, form feed).
    void skipBlanks()
    {
        while (m_cur != m_end && isBlank(*m_cur)) ++m_cur;
    }
    /// Skips blanks and line ends.
    void skipSpace()
    {
        while (m_cur != m_end && (isBlank(*m_cur) || *m_cur == '\n')) ++m_cur;
    }
    /// True at a line end or at the end of the file, after blanks.
    bool atLineEnd()
    {
        skipBlanks();
        return m_cur == m_end || *m_cur == '\n';
    }
    /// Rest of the line without its line end and trailing blanks; the cursor moves to the next line.
    std::string_view restOfLine();
    void skipLine() { restOfLine(); }
    /// Next blank-separated token; empty at the end of the file.
    std::string_view token();
    /// Next token on this line; empty at the line's end.
    std::string_view tokenOnLine();
    /// Whether `token`, and with it the numbers below, stop at the line's end (formats of one statement per line).
    void stayOnLine(bool stay) { m_stayOnLine = stay; }
    /// Next token without consuming it.
    std::string_view peek();
    /// Next token, which must be `word`.
    void expect(std::string_view word);

    /// Next token as a number; `what` names it in messages. Accepts a leading '+'. `real` may be infinite or NaN.
    double real(const char* what);
    /// As `real`, but infinite and not-a-number values are errors.
    double finite(const char* what);
    Vec3 point(const char* what)
    {
        return pointOf([&] { return finite(what); });
    }
    std::int64_t integer(const char* what);
    /// Non-negative integer that counts things of which each takes at least `minimumBytes` of the rest of the file, so
    /// that nothing is ever allocated on the word of a corrupt header.
    std::size_t count(const char* what, std::size_t minimumBytes);

    // --- binary ---------------------------------------------------------------------------------------------------
    /// Byte order of the binary values that follow.
    void setByteSwap(bool swap) { m_swap = swap; }
    bool byteSwap() const { return m_swap; }
    /// Next value in binary form, byte-swapped where `setByteSwap` said so.
    template <class T>
    T binary(const char* what)
    {
        T v;
        const char* p = bytes(sizeof(T), what);
        if (!m_swap) {
            std::memcpy(&v, p, sizeof(T));
        } else {
            char b[sizeof(T)];
            for (std::size_t i = 0; i < sizeof(T); ++i) b[i] = p[sizeof(T) - 1 - i];
            std::memcpy(&v, b, sizeof(T));
        }
        return v;
    }
    double finiteBinary(const char* what);
    Vec3 binaryPoint(const char* what)
    {
        return pointOf([&] { return finiteBinary(what); });
    }
    /// Start of the next `n` bytes, which are consumed.
    const char* bytes(std::size_t n, const char* what);
    /// Checks a count read from binary data as `count` does.
    std::size_t checkCount(std::uint64_t n, std::size_t minimumBytes, const char* what) const;

    // --- errors ---------------------------------------------------------------------------------------------------
    /// Throws a MeshError at the token last read (or at `offset`).
    [[noreturn]] void fail(const std::string& expected, const std::string& found) const;
    [[noreturn]] void failAt(std::size_t offset, const std::string& expected, const std::string& found) const;
    [[noreturn]] void failBinary(std::size_t offset, const std::string& expected, const std::string& found) const;
    /// The token last read, quoted and made printable, or "the end of the file".
    std::string found() const { return quoted(m_token); }
    /// Offset at which the token last read starts.
    std::size_t tokenOffset() const { return m_tokenOffset; }

    /// `s` in quotes, shortened to 40 characters, control bytes escaped; "the end of the file" where it is empty.
    static std::string quoted(std::string_view s);
    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
    /// Without blanks at both ends.
    static std::string_view trimmed(std::string_view s)
    {
        while (!s.empty() && isBlank(s.front())) s.remove_prefix(1);
        while (!s.empty() && isBlank(s.back())) s.remove_suffix(1);
        return s;
    }

private:
    template <class F>
    static Vec3 pointOf(F next)
    {
        const double x = next(), y = next(), z = next();
        return {x, y, z};
    }

    const SourceText* m_source;
    const char *m_begin, *m_cur, *m_end;
    std::string_view m_token;
    std::size_t m_tokenOffset = 0;
    bool m_swap = false, m_stayOnLine = false;
};

/// Parses the whole of `s` as a number with std::from_chars (a leading '+' is accepted; values that underflow are 0).
/// Returns false where `s` is not a number.
bool parseReal(std::string_view s, double& value);
bool parseInteger(std::string_view s, std::int64_t& value);

/// Appends the shortest decimal form that reads back as the same value.
void appendNumber(std::string& out, double value);
void appendNumber(std::string& out, std::uint64_t value);

/// Writes a whole file. \throws MeshError where that fails.
void saveText(const std::filesystem::path& path, std::string_view text);

}  // namespace sofa::core::io
