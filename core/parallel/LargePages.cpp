// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/parallel/LargePages.h"

#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace sofa::core {

#if defined(__linux__) && defined(__GLIBC__)

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20;
constexpr std::size_t largePage = 2 * mebi;

/// Makes the heap grow by at least that much at once. It is address space only until it is touched. Returns whether it
/// grew, with its new part in `begin`, `end`.
bool growHeap(std::size_t bytes, std::uintptr_t& begin, std::uintptr_t& end)
{
    begin = reinterpret_cast<std::uintptr_t>(::sbrk(0));
    ::mallopt(M_TOP_PAD, static_cast<int>(bytes));
    void* volatile more = std::malloc(16 * mebi);  // more than is left at its end
    std::free(more);
    end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
    return end > begin && end - begin >= bytes;
}

}  // namespace

bool useLargePages()
{
    ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(32 * mebi));
    ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(2047 * mebi));
    std::uintptr_t begin = 0, end = 0;
    bool grown = false;
    // A system that does not lend address space beyond its memory may refuse the first.
    for (const std::size_t size : {1024 * mebi, 128 * mebi})
        if (!grown) grown = growHeap(size, begin, end);
    ::mallopt(M_TOP_PAD, static_cast<int>(64 * mebi));
    if (!grown) return false;
    begin = (begin + largePage - 1) / largePage * largePage;
    end = end / largePage * largePage;
    return ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE) == 0;
}

#else

bool useLargePages() { return false; }

#endif

}  // namespace sofa::core
