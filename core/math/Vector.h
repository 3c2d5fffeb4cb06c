// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sofa::core {

/// Allocator that starts every array on a cache line, so that SIMD kernels may use aligned loads on state vectors.
template <class T>
struct AlignedAllocator
{
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&)
    {
    }
    T* allocate(std::size_t n)
    {
        if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(::operator new(n * sizeof(T), alignment));
    }
    void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
    friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

/// The one dynamic array of the framework: states, Data and topology share it, so links never convert.
template <class T>
using Vector = std::vector<T, AlignedAllocator<T>>;

using Index = unsigned int;
inline constexpr Index InvalidIndex = static_cast<Index>(-1);

}  // namespace sofa::core
