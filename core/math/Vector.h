// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sofa::core {

namespace detail {
/// Memory that starts on a cache line; from 4 MiB on, on pages of 2 MiB where the system has them.
void* allocateArray(std::size_t bytes);
void freeArray(void* p, std::size_t bytes);
}  // namespace detail

/// Allocator that starts every array on a cache line, so that SIMD kernels may use aligned loads on state vectors.
/// Large arrays ask for large pages: passes over hundreds of megabytes otherwise wait for page tables.
template <class T>
struct AlignedAllocator
{
    using value_type = T;

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&)
    {
    }
    T* allocate(std::size_t n)
    {
        if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(detail::allocateArray(n * sizeof(T)));
    }
    void deallocate(T* p, std::size_t n) { detail::freeArray(p, n * sizeof(T)); }
    friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

/// The one dynamic array of the framework: states, Data and topology share it, so links never convert.
template <class T>
using Vector = std::vector<T, AlignedAllocator<T>>;

/// Memory of an array [bytes].
template <class T>
std::size_t bytesOf(const Vector<T>& v)
{
    return v.capacity() * sizeof(T);
}

using Index = unsigned int;
inline constexpr Index InvalidIndex = static_cast<Index>(-1);

}  // namespace sofa::core
