// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/parallel/LargePages.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <system_error>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sched.h>
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

std::span<std::byte> useLargePages()
{
    ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(32 * mebi));
    ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(2047 * mebi));
    std::uintptr_t begin = 0, end = 0;
    bool grown = false;
    // A system that does not lend address space beyond its memory may refuse the first.
    for (const std::size_t size : {1024 * mebi, 128 * mebi})
        if (!grown) grown = growHeap(size, begin, end);
    ::mallopt(M_TOP_PAD, static_cast<int>(64 * mebi));
    if (!grown) return {};
    begin = (begin + largePage - 1) / largePage * largePage;
    end = end / largePage * largePage;
    const std::span<std::byte> heap(reinterpret_cast<std::byte*>(begin), end - begin);
    return ::madvise(heap.data(), heap.size(), MADV_HUGEPAGE) == 0 ? heap : std::span<std::byte>{};
}

#else

std::span<std::byte> useLargePages() { return {}; }

#endif

#if defined(__linux__) && defined(__GLIBC__) && defined(MADV_POPULATE_WRITE)

namespace {

/// Whether this process may run on one core only; std::thread::hardware_concurrency counts those of the machine.
bool hasOneCore()
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    return ::sched_getaffinity(0, sizeof(cores), &cores) == 0 && CPU_COUNT(&cores) == 1;
}

}  // namespace

std::jthread touchAhead(std::span<std::byte> memory)
{
    const std::size_t freeBytes =
        static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (memory.empty() || hasOneCore() || freeBytes / 8 < memory.size()) return {};
    const auto touch = [memory](const std::stop_token& stop) {
        for (std::size_t at = 0; at < memory.size() && !stop.stop_requested(); at += largePage) {
            const std::size_t size = std::min(largePage, memory.size() - at);
            if (::madvise(memory.data() + at, size, MADV_POPULATE_WRITE) != 0) return;
        }
    };
    try {
        return std::jthread(touch);
    } catch (const std::system_error&) {  // no more threads are to be had, and none is needed
        return {};
    }
}

#else

std::jthread touchAhead(std::span<std::byte>) { return {}; }

#endif

}  // namespace sofa::core
