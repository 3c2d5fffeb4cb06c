// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/Vector.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sofa::core::detail {

namespace {

constexpr std::size_t largePage = std::size_t{2} << 20;

std::align_val_t alignmentOf(std::size_t bytes) { return std::align_val_t{bytes < 2 * largePage ? 64 : largePage}; }

}  // namespace

void* allocateArray(std::size_t bytes)
{
    void* const p = ::operator new(bytes, alignmentOf(bytes));
#if defined(__linux__)
    // A wish only: without it, or where it fails, the pages are those of any memory.
    if (bytes >= 2 * largePage) ::madvise(p, bytes / largePage * largePage, MADV_HUGEPAGE);
#endif
    return p;
}

void freeArray(void* p, std::size_t bytes) { ::operator delete(p, alignmentOf(bytes)); }

}  // namespace sofa::core::detail
