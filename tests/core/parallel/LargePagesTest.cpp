// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/parallel/LargePages.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
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
    if (!offered() || !useLargePages()) sofa::test::skip("this system or allocator has no large pages");
    CHECK(faultsOfArrays() < 2048);
    CHECK(faultsOfArrays() < 128);
}
