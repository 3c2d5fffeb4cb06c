// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <string>
#include <type_traits>

#include "core/math/DataTypes.h"

/// The numbers of which values consist, and where they lie in memory.
namespace sofa::core {

template <class T>
struct IsList : std::false_type
{
};
template <class T>
struct IsList<Vector<T>> : std::true_type
{
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

}  // namespace sofa::core
