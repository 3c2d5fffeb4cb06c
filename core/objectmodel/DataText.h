// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/math/DataTypes.h"
#include "core/objectmodel/NumberArray.h"

/// Text form of the values that scenes hold: one reader and one writer per type, found by overload.
///
/// Readers take a TextCursor, advance it past one value and return false, with the cursor's error set, when the text is
/// not one. Writers append the shortest text that reads back to the same value. Numbers are locale independent.
namespace sofa::core {

/// Reading position in a text, and the reason why reading stopped.
class TextCursor
{
public:
    /// `expanded`: integers that ranges before this text stood for, see expand().
    explicit TextCursor(std::string_view text, std::size_t expanded = 0) : m_text(text), m_expanded(expanded) {}

    void skipSpace();
    bool atEnd()
    {
        skipSpace();
        return m_pos >= m_text.size();
    }
    char peek() const { return m_pos < m_text.size() ? m_text[m_pos] : '\0'; }
    bool accept(char c);
    /// Characters up to the next white space or one of `ends`, or the content of a quoted string.
    std::string_view token(std::string_view ends = {});
    std::string_view rest() const { return m_text.substr(m_pos); }
    void advance(std::size_t n) { m_pos += n; }
    std::size_t position() const { return m_pos; }

    /// Records what was expected at the present position; returns false for use in return statements.
    bool fail(std::string_view expected);
    const std::string& error() const { return m_error; }

    /// Reads as SOFA does: an integer ends where its digits end, and an incomplete last entry of a list is left out.
    void setLenient(bool on) { m_lenient = on; }
    bool lenient() const { return m_lenient; }
    /// Records what a lenient reader passed over.
    void note(std::string text);
    const std::string& notes() const { return m_notes; }
    void clearError() { m_error.clear(); }

    /// Counts integers that a range stands for: few bytes ask for much memory. Fails beyond 2²⁴ of them.
    bool expand(std::size_t integers);
    std::size_t expanded() const { return m_expanded; }

private:
    std::string_view m_text;
    std::size_t m_pos = 0;
    std::string m_error;
    std::string m_notes;
    std::size_t m_expanded = 0;
    bool m_lenient = false;
};

/// A choice from a list of names; reads a name (any case) or an index.
class Options
{
public:
    Options() = default;
    Options(std::vector<std::string> names, std::size_t selected = 0) : m_names(std::move(names)), m_selected(selected)
    {
    }
    const std::vector<std::string>& names() const { return m_names; }
    std::size_t index() const { return m_selected; }
    const std::string& selected() const;
    /// Selects by name (case-insensitive) or index written as text; false if there is no such option.
    bool select(std::string_view name);
    friend bool operator==(const Options&, const Options&) = default;

private:
    std::vector<std::string> m_names;
    std::size_t m_selected = 0;
};

/// A file name as written in the scene; it is looked up in the scene's folder and the data repository when opened.
struct FileName
{
    std::string text;
    friend bool operator==(const FileName&, const FileName&) = default;
};

using TagSet = std::set<std::string>;

bool readValue(TextCursor& c, bool& v);
bool readValue(TextCursor& c, int& v);
bool readValue(TextCursor& c, unsigned int& v);
bool readValue(TextCursor& c, long long& v);
bool readValue(TextCursor& c, unsigned long& v);
bool readValue(TextCursor& c, unsigned char& v);
bool readValue(TextCursor& c, float& v);
bool readValue(TextCursor& c, double& v);
bool readValue(TextCursor& c, std::string& v);
bool readValue(TextCursor& c, Options& v);
bool readValue(TextCursor& c, FileName& v);
bool readValue(TextCursor& c, Quat& v);
bool readValue(TextCursor& c, RigidCoord3& v);
bool readValue(TextCursor& c, RigidCoord2& v);

void writeValue(std::string& out, bool v);
void writeValue(std::string& out, int v);
void writeValue(std::string& out, unsigned int v);
void writeValue(std::string& out, long long v);
void writeValue(std::string& out, unsigned long v);
void writeValue(std::string& out, unsigned char v);
void writeValue(std::string& out, float v);
void writeValue(std::string& out, double v);
void writeValue(std::string& out, const std::string& v);
void writeValue(std::string& out, const Options& v);
void writeValue(std::string& out, const FileName& v);
void writeValue(std::string& out, const Quat& v);
void writeValue(std::string& out, const RigidCoord3& v);
void writeValue(std::string& out, const RigidCoord2& v);

// Declared ahead, since they call each other and argument-dependent look-up does not find them for types of std.
template <class T, std::size_t N>
bool readValue(TextCursor& c, std::array<T, N>& v);
template <class A, class B>
bool readValue(TextCursor& c, std::pair<A, B>& v);
template <class T>
bool readValue(TextCursor& c, Vector<T>& v);
template <class T>
bool readValue(TextCursor& c, std::set<T>& v);
template <class K, class V>
bool readValue(TextCursor& c, std::map<K, V>& v);
template <class T, std::size_t N>
void writeValue(std::string& out, const std::array<T, N>& v);
template <class A, class B>
void writeValue(std::string& out, const std::pair<A, B>& v);
template <class T>
void writeValue(std::string& out, const Vector<T>& v);
template <class T>
void writeValue(std::string& out, const std::set<T>& v);
template <class K, class V>
void writeValue(std::string& out, const std::map<K, V>& v);

template <class T>
struct IsVec : std::false_type
{
};
template <std::size_t N, class T>
struct IsVec<Vec<N, T>> : std::true_type
{
};

template <std::size_t N, class T>
bool readValue(TextCursor& c, Vec<N, T>& v)
{
    for (auto& a : v)
        if (!readValue(c, a)) return false;
    return true;
}
template <class T, std::size_t N>
bool readValue(TextCursor& c, std::array<T, N>& v)
{
    for (auto& a : v)
        if (!readValue(c, a)) return false;
    return true;
}
/// R*C numbers; SOFA also writes rows in brackets separated by commas: "[1 0 0,0 1 0,0 0 1]".
template <std::size_t R, std::size_t C, class T>
bool readValue(TextCursor& c, Mat<R, C, T>& v)
{
    const bool bracket = c.accept('[');
    for (std::size_t i = 0; i < R; ++i) {
        if (i > 0) c.accept(',');
        if (!readValue(c, v[i])) return false;
    }
    if (bracket && !c.accept(']')) return c.fail("']'");
    return true;
}
template <class A, class B>
bool readValue(TextCursor& c, std::pair<A, B>& v)
{
    return readValue(c, v.first) && readValue(c, v.second);
}

/// A word of a list, in quotes where it would not read back as one: with blanks, empty, or as the first one with '['.
void writeWord(std::string& out, const std::string& word, bool isFirst);

template <class It>
void writeSequence(std::string& out, It first, It last)
{
    for (It it = first; it != last; ++it) {
        if (it != first) out += ' ';
        if constexpr (std::is_same_v<typename std::iterator_traits<It>::value_type, std::string>)
            writeWord(out, *it, it == first);
        else
            writeValue(out, *it);
    }
}
template <std::size_t N, class T>
void writeValue(std::string& out, const Vec<N, T>& v)
{
    writeSequence(out, v.begin(), v.end());
}
template <class T, std::size_t N>
void writeValue(std::string& out, const std::array<T, N>& v)
{
    writeSequence(out, v.begin(), v.end());
}
template <std::size_t R, std::size_t C, class T>
void writeValue(std::string& out, const Mat<R, C, T>& v)
{
    out += '[';
    for (std::size_t i = 0; i < R; ++i) {
        if (i > 0) out += ',';
        writeValue(out, v[i]);
    }
    out += ']';
}
template <class A, class B>
void writeValue(std::string& out, const std::pair<A, B>& v)
{
    writeValue(out, v.first);
    out += ' ';
    writeValue(out, v.second);
}

/// Integer lists also take ranges: "0-4" is 0 1 2 3 4, "0-8-2" is 0 2 4 6 8 (first-last-step), as in SOFA.
bool readIntegerRange(TextCursor& c, Vector<long long>& out);
/// True if the text at the cursor opens a list of lists enclosed in one more pair of brackets: "[ [1 2], [3] ]".
bool opensNestedList(TextCursor& c);

template <class T>
bool readValue(TextCursor& c, Vector<T>& v)
{
    v.clear();
    if constexpr (IsList<T>::value) {
        // List of lists: "[1 2] [3 4]", optionally separated by commas, as the items may be: "[1, 2] [3, 4]".
        const bool outer = opensNestedList(c) && c.accept('[');
        std::size_t expanded = 0;
        while (!c.atEnd() && !(outer && c.peek() == ']')) {
            if (!c.accept('[')) return c.fail("'[' opening an inner list");
            const std::size_t end = c.rest().find(']');
            if (end == std::string_view::npos) return c.fail("']' closing an inner list");
            std::string items(c.rest().substr(0, end));
            std::replace(items.begin(), items.end(), ',', ' ');
            TextCursor inner(items, expanded);
            T item;
            if (!readValue(inner, item)) return c.fail(inner.error());
            expanded = inner.expanded();
            c.advance(end + 1);
            v.push_back(std::move(item));
            c.accept(',');
        }
        if (outer && !c.accept(']')) return c.fail("']'");
        return true;
    } else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, unsigned int>) {
        Vector<long long> wide;
        while (!c.atEnd())
            if (!readIntegerRange(c, wide)) return false;
        v.reserve(wide.size());
        for (long long i : wide) v.push_back(static_cast<T>(i));  // −1 becomes SOFA's invalid index
        return true;
    } else if constexpr (std::is_same_v<T, std::string>) {
        const bool bracket = c.accept('[');
        while (!c.atEnd() && !(bracket && c.peek() == ']')) {
            v.emplace_back(c.token(bracket ? ",]" : ""));
            if (bracket) c.accept(',');
        }
        if (bracket && !c.accept(']')) return c.fail("']'");
        return true;
    } else {
        while (!c.atEnd()) {
            T item;
            if (!readValue(c, item)) {
                if (!c.lenient() || !c.atEnd()) return false;
                c.clearError();
                c.note("the last entry of the list is incomplete and is left out");
                return true;
            }
            v.push_back(std::move(item));
        }
        return true;
    }
}
template <class T>
void writeValue(std::string& out, const Vector<T>& v)
{
    if constexpr (IsList<T>::value) {
        for (std::size_t i = 0; i < v.size(); ++i) {
            out += i ? " [" : "[";
            writeValue(out, v[i]);
            out += ']';
        }
    } else {
        writeSequence(out, v.begin(), v.end());
    }
}
inline bool readValue(TextCursor& c, TagSet& v)
{
    v.clear();
    while (!c.atEnd()) v.emplace(c.token());
    return true;
}
template <class T>
bool readValue(TextCursor& c, std::set<T>& v)
{
    v.clear();
    while (!c.atEnd()) {
        T item;
        if (!readValue(c, item)) return false;
        v.insert(std::move(item));
    }
    return true;
}
template <class T>
void writeValue(std::string& out, const std::set<T>& v)
{
    writeSequence(out, v.begin(), v.end());
}
template <class K, class V>
bool readValue(TextCursor& c, std::map<K, V>& v)
{
    v.clear();
    while (!c.atEnd()) {
        std::pair<K, V> item;
        if (!readValue(c, item)) return false;
        v.insert(std::move(item));
    }
    return true;
}
template <class K, class V>
void writeValue(std::string& out, const std::map<K, V>& v)
{
    writeSequence(out, v.begin(), v.end());
}

/// Reads a whole text as one value: everything must be consumed. On failure `error` says what was expected and found.
template <class T>
bool parseText(std::string_view text, T& value, std::string& error)
{
    TextCursor c(text);
    if (readValue(c, value) && (c.atEnd() || c.fail("nothing more"))) return true;
    error = c.error();
    return false;
}

/// The same, but as scenes are read: what SOFA passes over without a word (text behind the value, "1e4" for an integer,
/// an incomplete last entry of a list, missing last components of a vector) is passed over too. On success `error` says
/// what that was, or is empty.
template <class T>
bool parseLeniently(std::string_view text, T& value, std::string& error)
{
    TextCursor c(text);
    c.setLenient(true);
    bool good = readValue(c, value);
    if constexpr (IsVec<T>::value) {
        if (!good && c.atEnd() && !text.empty()) {
            c.clearError();
            c.note("it has fewer than " + std::to_string(T::size()) + " numbers: the others keep their default");
            good = true;
        }
    }
    if (good && !c.atEnd())
        c.note("the text behind the value, '" + std::string(c.rest().substr(0, 24)) + "', is ignored");
    error = good ? c.notes() : c.error();
    return good;
}

template <class T>
std::string toText(const T& value)
{
    std::string s;
    writeValue(s, value);
    return s;
}

}  // namespace sofa::core
