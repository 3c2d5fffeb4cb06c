// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/NumberArray.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace sofa::core {

namespace {

std::size_t sizeOf(NumberType t)
{
    using enum NumberType;
    switch (t) {
        case None:
            return 0;
        case Bool:
        case UInt8:
            return 1;
        case Int32:
        case UInt32:
        case Float:
            return 4;
        default:
            return 8;
    }
}

/// Calls `f` with a copy of the number, and writes the copy back.
template <class T, class F>
void withCopy(void* p, const F& f)
{
    T v;
    std::memcpy(&v, p, sizeof v);
    f(v);
    std::memcpy(p, &v, sizeof v);
}

template <class F>
void withNumber(const NumberArray& a, std::size_t entry, std::size_t k, const F& f)
{
    void* const p = static_cast<char*>(a.data) + entry * a.strides[0] + k * a.strides[1];
    switch (a.type) {
        case NumberType::Bool:
            return withCopy<bool>(p, f);
        case NumberType::UInt8:
            return withCopy<unsigned char>(p, f);
        case NumberType::Int32:
            return withCopy<std::int32_t>(p, f);
        case NumberType::UInt32:
            return withCopy<std::uint32_t>(p, f);
        case NumberType::Int64:
            return withCopy<std::int64_t>(p, f);
        case NumberType::UInt64:
            return withCopy<std::uint64_t>(p, f);
        case NumberType::Float:
            return withCopy<float>(p, f);
        case NumberType::Double:
            return withCopy<double>(p, f);
        case NumberType::None:
            break;
    }
    throw std::logic_error("this value is no array of numbers");
}

}  // namespace

double NumberArray::at(std::size_t entry, std::size_t k) const
{
    const void* const p = static_cast<const char*>(data) + entry * strides[0] + k * strides[1];
    std::array<double, 1> copy{};
    const NumberArray mine{type, {1, 1}, {}, copy.data()};  // what others may read meanwhile is not written
    double v = 0.;
    std::memcpy(copy.data(), p, sizeOf(type));
    withNumber(mine, 0, 0, [&v](auto& number) {
        using Number = std::remove_reference_t<decltype(number)>;
        const bool isInvalid = std::is_unsigned_v<Number> && sizeof(Number) >= 4 && number == static_cast<Number>(-1);
        v = isInvalid ? -1. : static_cast<double>(number);
    });
    return v;
}

void NumberArray::set(std::size_t entry, std::size_t k, double v) const
{
    withNumber(*this, entry, k, [v](auto& to) { to = static_cast<std::remove_reference_t<decltype(to)>>(v); });
}

}  // namespace sofa::core
