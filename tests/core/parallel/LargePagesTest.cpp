// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/parallel/LargePages.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tests/harness/Skip.h"

using namespace sofa::core;

namespace {

long pageFaults()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/// Whether programs may ask for large pages here.
bool offered()
{
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string text;
    std::getline(file, text);
    return text.find("[madvise]") != std::string::npos || text.find("[always]") != std::string::npos;
}

/// Faults of 32 MiB in arrays of 64 kB: 8,192 with pages of 4 kB, and with large ones 16.
long faultsOfArrays()
{
    const long before = pageFaults();
    std::vector<std::vector<char>> arrays;
    arrays.reserve(512);
    for (int i = 0; i < 512; ++i) arrays.emplace_back(std::size_t{1} << 16, char(i));
    REQUIRE(arrays[511][65535] == char(511));
    return pageFaults() - before;
}

}  // namespace

TEST_CASE("Memory of the heap comes in large pages, and what is freed serves again", "[parallel]")
{
    if (!offered() || useLargePages().empty()) sofa::test::skip("this system or allocator has no large pages");
    CHECK(faultsOfArrays() < 2048);
    CHECK(faultsOfArrays() < 128);
}

#if defined(MADV_POPULATE_WRITE)

namespace {

/// Fresh pages, of 4 kB if the system does not choose otherwise.
class Pages
{
public:
    explicit Pages(std::size_t bytes)
        : m_bytes(bytes), m_data(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    {
        REQUIRE(m_data != MAP_FAILED);
    }
    ~Pages() { munmap(m_data, m_bytes); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    std::span<std::byte> bytes() const { return {static_cast<std::byte*>(m_data), m_bytes}; }

private:
    std::size_t m_bytes;
    void* m_data;
};

bool canPopulate()
{
    const Pages page(4096);
    return madvise(page.bytes().data(), 4096, MADV_POPULATE_WRITE) == 0;
}

}  // namespace

TEST_CASE("Memory that was touched ahead costs no more page faults, and keeps what was there", "[parallel]")
{
    const Pages pages((std::size_t{3} << 20) + 4096);
    pages.bytes().front() = pages.bytes().back() = std::byte{7};
    std::jthread thread = touchAhead(pages.bytes());
    if (!thread.joinable() || !canPopulate()) sofa::test::skip("this machine has one core, or an old system");
    thread.join();
    CHECK(pages.bytes().front() == std::byte{7});
    CHECK(pages.bytes().back() == std::byte{7});
    const long before = pageFaults();
    std::fill(pages.bytes().begin(), pages.bytes().end(), std::byte{1});
    CHECK(pageFaults() - before < 16);  // 769 pages of 4 kB
}

TEST_CASE("Nothing is touched ahead where there is nothing, or not enough memory for it", "[parallel]")
{
    CHECK_FALSE(touchAhead({}).joinable());
    const Pages page(4096);
    CHECK_FALSE(touchAhead({page.bytes().data(), std::size_t{1} << 60}).joinable());
}

TEST_CASE("Nothing is touched ahead by a process that has one core", "[parallel]")
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    REQUIRE(sched_getaffinity(0, sizeof(all), &all) == 0);
    if (CPU_COUNT(&all) < 2) sofa::test::skip("this machine has one core");
    const Pages page(4096);
    CHECK(touchAhead(page.bytes()).joinable());
    REQUIRE(sched_setaffinity(0, sizeof(one), &one) == 0);
    const bool touches = touchAhead(page.bytes()).joinable();
    sched_setaffinity(0, sizeof(all), &all);
    CHECK_FALSE(touches);
}

#endif
