// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/DataText.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "core/log/Message.h"

namespace sofa::core {

namespace {

/// White space as in the C locale, without a call.
constexpr bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

void TextCursor::skipSpace()
{
    while (m_pos < m_text.size() && isSpace(m_text[m_pos])) ++m_pos;
}

bool TextCursor::accept(char c)
{
    skipSpace();
    if (m_pos >= m_text.size() || m_text[m_pos] != c) return false;
    ++m_pos;
    return true;
}

std::string_view TextCursor::token(std::string_view ends)
{
    skipSpace();
    if (m_pos < m_text.size() && (m_text[m_pos] == '"' || m_text[m_pos] == '\'')) {
        const std::size_t end = m_text.find(m_text[m_pos], m_pos + 1);
        if (end != std::string_view::npos) {
            const auto t = m_text.substr(m_pos + 1, end - m_pos - 1);
            m_pos = end + 1;
            return t;
        }
    }
    const std::size_t start = m_pos;
    while (m_pos < m_text.size() && !isSpace(m_text[m_pos]) && ends.find(m_text[m_pos]) == std::string_view::npos)
        ++m_pos;
    return m_text.substr(start, m_pos - start);
}

bool TextCursor::fail(std::string_view expected)
{
    if (!m_error.empty()) return false;
    skipSpace();
    m_error = "expected " + std::string(expected);
    if (m_pos >= m_text.size()) {
        m_error += ", found the end of the text";
    } else {
        const std::string_view found = m_text.substr(m_pos);
        std::size_t n = 0;
        while (n < found.size() && n < 24 && !isSpace(found[n])) ++n;
        m_error += ", found '" + std::string(found.substr(0, n)) + "' at character " + std::to_string(m_pos + 1);
    }
    return false;
}

void TextCursor::note(std::string text)
{
    if (!m_notes.empty()) m_notes += "; ";
    m_notes += text;
}

const std::string& Options::selected() const
{
    static const std::string none;
    return m_selected < m_names.size() ? m_names[m_selected] : none;
}

namespace {

bool equalIgnoringCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

bool Options::select(std::string_view name)
{
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        if (equalIgnoringCase(m_names[i], name)) {
            m_selected = i;
            return true;
        }
    }
    std::size_t index = 0;
    const auto r = std::from_chars(name.data(), name.data() + name.size(), index);
    if (r.ec != std::errc() || r.ptr != name.data() + name.size() || index >= m_names.size()) return false;
    m_selected = index;
    return true;
}

namespace {

/// from_chars with the leading '+' that scenes use now and then; the number must end where a value may end.
template <class T>
bool readNumber(TextCursor& c, T& v, std::string_view what)
{
    c.skipSpace();
    const std::string_view s = c.rest();
    const char* const last = s.data() + s.size();
    const char* first = s.data() + (!s.empty() && s[0] == '+' ? 1 : 0);
    const auto r = std::from_chars(first, last, v);
    if (r.ec == std::errc::result_out_of_range) {
        if constexpr (std::is_floating_point_v<T>) {
            // Underflow reads as zero; overflow is an error.
            const std::string_view t(first, static_cast<std::size_t>(r.ptr - first));
            if (t.find("e-") != std::string_view::npos || t.find("E-") != std::string_view::npos) {
                v = T(0);
                c.advance(static_cast<std::size_t>(r.ptr - s.data()));
                return true;
            }
        }
        return c.fail(std::string(what) + " within the range of its type");
    }
    if (r.ec != std::errc()) return c.fail(what);
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(v)) return c.fail("a finite number");
    const char* end = r.ptr;
    const auto endsValue = [](char ch) {
        return isSpace(ch) || ch == ',' || ch == ']' || ch == '[' || ch == ';' || ch == '-' ||
               (std::is_floating_point_v<T> && ch == '+');  // "0-0.7": a stream reads two numbers
    };
    if (end != last && !endsValue(*end)) {
        if constexpr (std::is_floating_point_v<T>) {
            if (*end == 'f' || *end == 'd') ++end;  // "1.0f"
        } else if (*end == '.') {
            // An integer written as a real with a zero fraction, "3.0", is accepted.
            const char* p = end + 1;
            while (p != last && *p == '0') ++p;
            end = p;
        }
        if constexpr (std::is_integral_v<T>) {
            if (c.lenient() && end != last && !endsValue(*end)) {
                double real = 0.;
                const auto whole = std::from_chars(first, last, real);
                if (whole.ec == std::errc() && whole.ptr > end && (whole.ptr == last || endsValue(*whole.ptr))) {
                    end = whole.ptr;
                    c.note("'" + std::string(first, end) + "' is no integer and reads as " + std::to_string(v));
                }
            }
        }
        if (end != last && !endsValue(*end)) return c.fail(what);
    }
    c.advance(static_cast<std::size_t>(end - s.data()));
    return true;
}

template <class T>
bool readUnsigned(TextCursor& c, T& v)
{
    long long wide = 0;
    if (!readNumber(c, wide, "a non-negative integer")) return false;
    // SOFA writes its invalid index as -1.
    if (wide < -1 || (wide > 0 && static_cast<unsigned long long>(wide) > std::numeric_limits<T>::max()))
        return c.fail("a non-negative integer");
    v = static_cast<T>(wide);
    return true;
}

}  // namespace

bool readValue(TextCursor& c, bool& v)
{
    c.skipSpace();
    const std::size_t before = c.position();
    TextCursor probe = c;
    const std::string_view t = probe.token();
    static constexpr std::array<std::string_view, 5> yes{"true", "t", "yes", "on", "y"};
    static constexpr std::array<std::string_view, 5> no{"false", "f", "no", "off", "n"};
    const auto isOneOf = [t](const auto& words) {
        return std::any_of(words.begin(), words.end(), [t](auto w) { return equalIgnoringCase(t, w); });
    };
    if (isOneOf(yes) || isOneOf(no)) {
        v = isOneOf(yes);
        c.advance(probe.position() - before);
        return true;
    }
    double number = 0.;
    if (!readNumber(c, number, "a boolean (true, false, 1, 0, yes, no, on, off)")) return false;
    v = number != 0.;
    return true;
}

bool readValue(TextCursor& c, int& v) { return readNumber(c, v, "an integer"); }
bool readValue(TextCursor& c, long long& v) { return readNumber(c, v, "an integer"); }
bool readValue(TextCursor& c, float& v) { return readNumber(c, v, "a number"); }
bool readValue(TextCursor& c, double& v) { return readNumber(c, v, "a number"); }
bool readValue(TextCursor& c, unsigned int& v) { return readUnsigned(c, v); }
bool readValue(TextCursor& c, unsigned long& v) { return readUnsigned(c, v); }
bool readValue(TextCursor& c, unsigned char& v) { return readUnsigned(c, v); }

bool readValue(TextCursor& c, std::string& v)
{
    // A lone string takes the whole text, spaces included.
    v = std::string(c.rest());
    c.advance(v.size());
    return true;
}

bool readValue(TextCursor& c, FileName& v) { return readValue(c, v.text); }

bool readValue(TextCursor& c, Options& v)
{
    c.skipSpace();
    std::string_view t = c.rest();
    while (!t.empty() && isSpace(t.back())) t.remove_suffix(1);
    if (!v.select(t)) {
        std::string list;
        for (const auto& n : v.names()) list += (list.empty() ? "" : ", ") + n;
        return c.fail("one of: " + list + didYouMean(t, v.names()));
    }
    c.advance(c.rest().size());
    return true;
}

bool readValue(TextCursor& c, Quat& v) { return readValue(c, v.q); }
bool readValue(TextCursor& c, RigidCoord3& v) { return readValue(c, v.center) && readValue(c, v.orientation); }
bool readValue(TextCursor& c, RigidCoord2& v) { return readValue(c, v.center) && readValue(c, v.angle); }

bool opensNestedList(TextCursor& c)
{
    c.skipSpace();
    if (c.peek() != '[') return false;
    const auto next = c.rest().find_first_not_of(" \t\r\n", 1);
    return next != std::string_view::npos && c.rest()[next] == '[';
}

bool TextCursor::expand(std::size_t integers)
{
    constexpr std::size_t most = std::size_t{1} << 24;
    if (integers > most - m_expanded) return fail("at most " + std::to_string(most) + " integers from ranges");
    m_expanded += integers;
    return true;
}

bool readIntegerRange(TextCursor& c, Vector<long long>& out)
{
    long long first = 0;
    if (!readNumber(c, first, "an integer")) return false;
    const auto inRange = [](long long i) { return i >= -(1LL << 31) && i < (1LL << 32); };
    if (!inRange(first)) return c.fail("a 32-bit integer");
    if (c.rest().empty() || c.peek() != '-') {
        out.push_back(first);
        return true;
    }
    c.advance(1);
    long long last = 0, step = 1;
    if (!readNumber(c, last, "the end of a range")) return false;
    if (!c.rest().empty() && c.peek() == '-') {
        c.advance(1);
        if (!readNumber(c, step, "the step of a range")) return false;
    }
    if (step <= 0) return c.fail("a positive step of a range");
    if (!inRange(last)) return c.fail("a 32-bit integer as the end of a range");
    const auto count = static_cast<std::size_t>(std::abs(last - first) / step) + 1;
    if (!c.expand(count)) return false;
    for (std::size_t k = 0; k < count; ++k, first += first <= last ? step : -step) out.push_back(first);
    return true;
}

namespace {

template <class T>
void writeNumber(std::string& out, T v)
{
    char buffer[40];
    const auto r = std::to_chars(buffer, buffer + sizeof buffer, v);
    out.append(buffer, r.ptr);
}

}  // namespace

void writeValue(std::string& out, bool v) { out += v ? '1' : '0'; }
void writeValue(std::string& out, int v) { writeNumber(out, v); }
void writeValue(std::string& out, unsigned int v) { writeNumber(out, v); }
void writeValue(std::string& out, long long v) { writeNumber(out, v); }
void writeValue(std::string& out, unsigned long v) { writeNumber(out, v); }
void writeValue(std::string& out, unsigned char v) { writeNumber(out, static_cast<unsigned int>(v)); }
void writeValue(std::string& out, float v) { writeNumber(out, v); }
void writeValue(std::string& out, double v) { writeNumber(out, v); }
void writeValue(std::string& out, const std::string& v) { out += v; }
void writeWord(std::string& out, const std::string& word, bool isFirst)
{
    const bool quoted = word.empty() || word.front() == '"' || word.front() == '\'' ||
                        (isFirst && word.front() == '[') || std::ranges::any_of(word, isSpace);
    // There is no escape: a word that has both kinds of quotes and needs some does not read back.
    const char quote = word.find('\'') == std::string::npos ? '\'' : '"';
    if (quoted) out += quote;
    out += word;
    if (quoted) out += quote;
}
void writeValue(std::string& out, const Options& v) { out += v.selected(); }
void writeValue(std::string& out, const FileName& v) { out += v.text; }
void writeValue(std::string& out, const Quat& v) { writeValue(out, v.q); }
void writeValue(std::string& out, const RigidCoord3& v)
{
    writeValue(out, v.center);
    out += ' ';
    writeValue(out, v.orientation);
}
void writeValue(std::string& out, const RigidCoord2& v)
{
    writeValue(out, v.center);
    out += ' ';
    writeValue(out, v.angle);
}

}  // namespace sofa::core
