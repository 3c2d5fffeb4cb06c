// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <cstring>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/math/DataTypes.h"

/// Text form of the values that scenes hold: one reader and one writer per type, found by overload.
///
/// Readers take a TextCursor, advance it past one value and return false, with the cursor's error set, when the text is
/// not one. Writers append the shortest text that reads back to the same value. Numbers are locale independent.
namespace sofa::core {

/// Reading position in a text, and the reason why reading stopped.
class TextCursor
{
public:
    explicit TextCursor(std::string_view text) : m_text(text) {}

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

private:
    std::string_view m_text;
    std::size_t m_pos = 0;
    std::string m_error;
    std::string m_notes;
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

template <class T>
struct IsList : std::false_type
{
};
template <class T>
struct IsList<Vector<T>> : std::true_type
{
};

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

// Declared ahead of their use in each other: argument-dependent look-up does not find them for types of std.
template <class T, std::size_t N>
void writeValue(std::string& out, const std::array<T, N>& v);
template <class A, class B>
void writeValue(std::string& out, const std::pair<A, B>& v);

template <class It>
void writeSequence(std::string& out, It first, It last)
{
    for (It it = first; it != last; ++it) {
        if (it != first) out += ' ';
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
        // List of lists: "[1 2] [3 4]", optionally separated by commas.
        const bool outer = opensNestedList(c) && c.accept('[');
        while (!c.atEnd() && !(outer && c.peek() == ']')) {
            if (!c.accept('[')) return c.fail("'[' opening an inner list");
            const std::size_t end = c.rest().find(']');
            if (end == std::string_view::npos) return c.fail("']' closing an inner list");
            TextCursor inner(c.rest().substr(0, end));
            T item;
            if (!readValue(inner, item)) return c.fail(inner.error());
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

/// The texts, one after the other. Names of types are composed by it, out of line: inlined concatenations make GCC 12
/// see reads past the end that are none.
std::string joinText(std::initializer_list<std::string_view> parts);

/// Name of a type as messages, the reference and the schema print it: "double", "list of Vec3", ... A type of a plugin
/// has a static function typeName() for it; docs/writing-a-component.md has what else it needs.
template <class T>
struct TypeName
{
    static std::string get() { return std::string(T::typeName()); }
};

#define SOFA_TYPE_NAME(T, text)                   \
    template <>                                   \
    struct TypeName<T>                            \
    {                                             \
        static std::string get() { return text; } \
    }
SOFA_TYPE_NAME(bool, "bool");
SOFA_TYPE_NAME(int, "int");
SOFA_TYPE_NAME(unsigned int, "unsigned int");
SOFA_TYPE_NAME(long long, "int");
SOFA_TYPE_NAME(unsigned long, "unsigned int");
SOFA_TYPE_NAME(unsigned char, "unsigned int");
SOFA_TYPE_NAME(float, "float");
SOFA_TYPE_NAME(double, "double");
SOFA_TYPE_NAME(std::string, "string");
SOFA_TYPE_NAME(Options, "option");
SOFA_TYPE_NAME(FileName, "file name");
SOFA_TYPE_NAME(Quat, "Quat");
SOFA_TYPE_NAME(RigidCoord3, "RigidCoord3");
SOFA_TYPE_NAME(RigidCoord2, "RigidCoord2");
#undef SOFA_TYPE_NAME
template <std::size_t N, class T>
struct TypeName<Vec<N, T>>
{
    static std::string get() { return joinText({"Vec", std::to_string(N), std::is_integral_v<T> ? "i" : ""}); }
};
template <class T, std::size_t N>
struct TypeName<std::array<T, N>>
{
    static std::string get() { return joinText({std::to_string(N), " x ", TypeName<T>::get()}); }
};
template <std::size_t R, std::size_t C, class T>
struct TypeName<Mat<R, C, T>>
{
    static std::string get() { return joinText({"Mat", std::to_string(R), "x", std::to_string(C)}); }
};
template <class T>
struct TypeName<Vector<T>>
{
    static std::string get() { return joinText({"list of ", TypeName<T>::get()}); }
};
template <class T>
struct TypeName<std::set<T>>
{
    static std::string get() { return joinText({"set of ", TypeName<T>::get()}); }
};
template <class A, class B>
struct TypeName<std::pair<A, B>>
{
    static std::string get() { return joinText({"pair of ", TypeName<A>::get(), ", ", TypeName<B>::get()}); }
};
template <class K, class V>
struct TypeName<std::map<K, V>>
{
    static std::string get() { return joinText({"map of ", TypeName<K>::get(), " to ", TypeName<V>::get()}); }
};

/// Whether a type consists of real numbers, and whether these are all of one dimension, so that one unit can stand for
/// them: a rigid position holds lengths and a rotation, a rigid velocity lengths and angles per second.
template <class T>
struct HoldsReals : std::is_floating_point<T>
{
    static constexpr bool scalable = true;
};
template <>
struct HoldsReals<Quat> : std::true_type
{
    static constexpr bool scalable = false;
};
template <>
struct HoldsReals<RigidCoord3> : std::true_type
{
    static constexpr bool scalable = false;
};
template <>
struct HoldsReals<RigidCoord2> : std::true_type
{
    static constexpr bool scalable = false;
};
template <std::size_t N, class T>
struct HoldsReals<Vec<N, T>> : HoldsReals<T>
{
    static constexpr bool scalable = N != 6;
};
template <class T, std::size_t N>
struct HoldsReals<std::array<T, N>> : HoldsReals<T>
{
};
template <std::size_t R, std::size_t C, class T>
struct HoldsReals<Mat<R, C, T>> : HoldsReals<T>
{
};
template <class T>
struct HoldsReals<Vector<T>> : HoldsReals<T>
{
};

/// How a value consists of numbers: what a link between Data of different types must know of them.
struct NumberForm
{
    std::size_t count = 0;  ///< numbers of the value, or of an entry of a list; 0: it is no list of equal entries
    /// So many of the first numbers may stand without the others: all of a vector, the centre of a frame in space.
    std::size_t divisible = 0;
    bool list = false;
    bool real = false;
};
template <class T>
struct FormOf
{
    static constexpr NumberForm form{.count = std::is_arithmetic_v<T>,
                                     .divisible = std::is_floating_point_v<T>,
                                     .real = std::is_floating_point_v<T>};
    using Scalar = T;
};
template <std::size_t N, class T>
struct FormOf<Vec<N, T>>
{
    static constexpr NumberForm of = FormOf<T>::form;
    static constexpr NumberForm form{
        .count = of.list ? 0 : N * of.count, .divisible = of.count == 1 && of.real ? N : 0, .real = of.real};
    using Scalar = typename FormOf<T>::Scalar;
};
template <std::size_t R, std::size_t C, class T>
struct FormOf<Mat<R, C, T>>
{
    static constexpr NumberForm form{.count = R * C, .real = std::is_floating_point_v<T>};
    using Scalar = T;
};
template <class T, std::size_t N>
struct FormOf<std::array<T, N>> : FormOf<Vec<N, T>>
{
};
template <>
struct FormOf<Quat>
{
    static constexpr NumberForm form{.count = 4, .real = true};
    using Scalar = double;
};
template <>
struct FormOf<RigidCoord3>
{
    static constexpr NumberForm form{.count = 7, .divisible = 3, .real = true};
    using Scalar = double;
};
template <>
struct FormOf<RigidCoord2>
{
    static constexpr NumberForm form{.count = 3, .divisible = 3, .real = true};
    using Scalar = double;
};
template <class T>
struct FormOf<Vector<T>>
{
    static constexpr NumberForm of = FormOf<T>::form;
    static constexpr NumberForm form{
        .count = of.list ? 0 : of.count, .divisible = of.divisible, .list = true, .real = of.real};
    using Scalar = typename FormOf<T>::Scalar;
};

/// Kinds of numbers that values hold.
enum class NumberType
{
    None,
    Bool,
    UInt8,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Float,
    Double
};
template <class T>
constexpr NumberType numberTypeOf()
{
    using enum NumberType;
    if constexpr (std::is_same_v<T, bool>) return Bool;
    if constexpr (std::is_same_v<T, unsigned char>) return UInt8;
    if constexpr (std::is_same_v<T, float>) return Float;
    if constexpr (std::is_same_v<T, double>) return Double;
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4) return std::is_signed_v<T> ? Int32 : UInt32;
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return std::is_signed_v<T> ? Int64 : UInt64;
    return None;
}

/// The numbers of a value where they lie, whatever its type: `shape[0]` entries (one if it is no list) of `shape[1]`
/// numbers each, `strides` bytes apart. `type` is None where a value is no array of numbers.
struct NumberArray
{
    NumberType type = NumberType::None;
    std::array<std::size_t, 2> shape{};
    std::array<std::size_t, 2> strides{};
    void* data = nullptr;

    /// A number as double; exact but for integers beyond 2^53. The largest unsigned one is −1, as texts write it.
    double at(std::size_t entry, std::size_t k) const;
    void set(std::size_t entry, std::size_t k, double v) const;
};

/// Whether the numbers of a T are an array.
template <class T>
struct IsNumberArray : std::bool_constant<(FormOf<T>::form.count > 0)>
{
};
template <class T>
struct IsNumberArray<Vector<T>>
    : std::bool_constant<(FormOf<T>::form.count > 0) && !IsList<T>::value && !std::is_same_v<T, bool>>
{
};

template <class T>
NumberArray numbersIn(T& value)
{
    if constexpr (!IsNumberArray<T>::value) {
        return {};
    } else {
        using Scalar = typename FormOf<T>::Scalar;
        constexpr std::size_t count = FormOf<T>::form.count;
        NumberArray a{numberTypeOf<Scalar>(), {1, count}, {count * sizeof(Scalar), sizeof(Scalar)}, nullptr};
        if constexpr (IsList<T>::value) {
            using Entry = typename T::value_type;
            static_assert(sizeof(Entry) == count * sizeof(Scalar) && std::is_trivially_copyable_v<Entry>);
            a.shape[0] = value.size();
            a.data = value.data();
        } else {
            static_assert(sizeof(T) == count * sizeof(Scalar) && std::is_trivially_copyable_v<T>);
            a.data = &value;
        }
        return a;
    }
}

/// Calls `f` with each number of a value, in their order, until it returns true; returns whether it did. Words and
/// flags hold none.
template <class T, class F>
bool anyNumber(const T& value, const F& f)
{
    if constexpr (std::is_same_v<T, bool>) {
        return false;
    } else if constexpr (std::is_arithmetic_v<T>) {
        return f(numbersIn(const_cast<T&>(value)).at(0, 0));
    } else if constexpr (IsNumberArray<T>::value) {
        const NumberArray a = numbersIn(const_cast<T&>(value));
        for (std::size_t i = 0; i < a.shape[0]; ++i)
            for (std::size_t k = 0; k < a.shape[1]; ++k)
                if (f(a.at(i, k))) return true;
        return false;
    } else if constexpr (requires {
                             value.first;
                             value.second;
                         }) {
        return anyNumber(value.first, f) || anyNumber(value.second, f);
    } else if constexpr (std::is_same_v<T, std::string>) {
        return false;
    } else if constexpr (requires {
                             value.begin();
                             value.end();
                         }) {
        for (const auto& entry : value)
            if (anyNumber(entry, f)) return true;
        return false;
    } else {
        return false;
    }
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
