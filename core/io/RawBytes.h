// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <type_traits>

namespace sofa::core::io {

/// Appends a number to the bytes of a file, in little-endian order.
template <class T>
void appendRaw(std::string& bytes, T value)
{
    static_assert(std::is_arithmetic_v<T> && std::endian::native == std::endian::little);
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes.append(raw, sizeof(T));
}

}  // namespace sofa::core::io
