// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/parallel/Parallel.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/parallel/SimdLevel.h"

namespace parallel_test {

using namespace sofa::core;

namespace {

/// Restores the default number of threads at the end of a test.
struct ThreadCountGuard
{
    ~ThreadCountGuard() { setThreadCount(0); }
};

using Chunks = std::set<std::pair<std::size_t, std::size_t>>;

Chunks chunksOf(std::size_t begin, std::size_t end, std::size_t grain)
{
    Chunks chunks;
    std::mutex mutex;
    parallelFor(begin, end, grain, [&](std::size_t b, std::size_t e) {
        const std::lock_guard lock(mutex);
        REQUIRE(chunks.emplace(b, e).second);
    });
    return chunks;
}

}  // namespace

TEST_CASE("parallelFor visits every index once", "[parallel]")
{
    const ThreadCountGuard guard;
    for (const unsigned threads : {1u, 2u, 3u, 5u}) {
        setThreadCount(threads);
        CHECK(threadCount() == threads);
        for (const std::size_t n : {0u, 1u, 7u, 64u, 1000u}) {
            std::vector<std::atomic<int>> visits(n + 3);
            parallelFor(3, n + 3, 10, [&](std::size_t b, std::size_t e) {
                for (std::size_t i = b; i < e; ++i) ++visits[i];
            });
            for (std::size_t i = 0; i < n + 3; ++i) CHECK(visits[i] == (i < 3 ? 0 : 1));
        }
    }
}

TEST_CASE("the partition depends on range and grain only", "[parallel]")
{
    const ThreadCountGuard guard;
    const Chunks expected{{5, 15}, {15, 25}, {25, 31}};
    for (const unsigned threads : {1u, 2u, 5u, 0u}) {
        setThreadCount(threads);
        CHECK(chunksOf(5, 31, 10) == expected);
        CHECK(chunksOf(5, 15, 10) == Chunks{{5, 15}});
        CHECK(chunksOf(5, 5, 10).empty());
        CHECK(chunksOf(0, 3, 0) == Chunks{{0, 1}, {1, 2}, {2, 3}});
    }
}

TEST_CASE("a short range runs in the calling thread", "[parallel]")
{
    std::thread::id id;
    parallelFor(0, 100, 100, [&](std::size_t, std::size_t) { id = std::this_thread::get_id(); });
    CHECK(id == std::this_thread::get_id());
}

TEST_CASE("several threads really take part", "[parallel]")
{
    const ThreadCountGuard guard;
    setThreadCount(2);
    // Each of two chunks waits for the other one to have started: only possible with two threads.
    std::atomic<int> started{0};
    std::atomic<bool> met{true};
    parallelFor(0, 2, 1, [&](std::size_t, std::size_t) {
        ++started;
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (started < 2)
            if (std::chrono::steady_clock::now() > limit) {
                met = false;
                break;
            }
    });
    CHECK(met);
}

TEST_CASE("reductions are bitwise the same for any number of threads", "[parallel]")
{
    const ThreadCountGuard guard;
    const std::size_t n = 100003;
    std::vector<double> v(n);
    for (std::size_t i = 0; i < n; ++i)
        v[i] = std::sin(static_cast<double>(i)) * std::pow(10., static_cast<double>(i % 17));
    const auto sum = [&](std::size_t grain) {
        return parallelSum(0, n, grain, 0., [&](std::size_t b, std::size_t e) {
            double s = 0.;
            for (std::size_t i = b; i < e; ++i) s += v[i];
            return s;
        });
    };
    setThreadCount(1);
    const double reference = sum(100);
    // Chunks are joined from left to right: the sum of this range in chunks of ⌈n/256⌉.
    double byHand = 0.;
    const std::size_t chunk = (n + 255) / 256;
    for (std::size_t b = 0; b < n; b += chunk) {
        double s = 0.;
        for (std::size_t i = b; i < std::min(n, b + chunk); ++i) s += v[i];
        byHand += s;
    }
    CHECK(reference == byHand);
    for (const unsigned threads : {2u, 3u, 5u}) {
        setThreadCount(threads);
        for (int repeat = 0; repeat < 20; ++repeat) REQUIRE(sum(100) == reference);
    }
    CHECK(parallelSum(4, 4, 10, 1.5, [](std::size_t, std::size_t) { return 1e9; }) == 1.5);
}

TEST_CASE("combination runs from left to right", "[parallel]")
{
    const ThreadCountGuard guard;
    setThreadCount(2);
    const auto text = parallelReduce(
        0, 26, 4, std::string(">"),
        [](std::size_t b, std::size_t e) {
            std::string s;
            for (std::size_t i = b; i < e; ++i) s += static_cast<char>('a' + i);
            return s;
        },
        [](const std::string& a, const std::string& b) { return a + b; });
    CHECK(text == ">abcdefghijklmnopqrstuvwxyz");
}

TEST_CASE("exceptions reach the caller", "[parallel]")
{
    const ThreadCountGuard guard;
    for (const unsigned threads : {1u, 2u}) {
        setThreadCount(threads);
        CHECK_THROWS_WITH(parallelFor(0, 1000, 10,
                                      [](std::size_t b, std::size_t) {
                                          if (b == 500) throw std::runtime_error("chunk 500");
                                      }),
                          "chunk 500");
    }
}

TEST_CASE("nested loops do not interleave chunks of the outer loop on one thread", "[parallel]")
{
    const ThreadCountGuard guard;
    setThreadCount(2);
    static thread_local bool busy = false;
    std::atomic<int> clashes{0};
    parallelFor(0, 50, 1, [&](std::size_t, std::size_t) {
        if (busy) ++clashes;
        busy = true;
        parallelFor(0, 100, 1, [](std::size_t, std::size_t) {});
        busy = false;
    });
    CHECK(clashes == 0);
}

TEST_CASE("the SIMD level can be lowered and never exceeds the machine", "[parallel]")
{
    const SimdLevel best = bestSimdLevel();
    setSimdLevel(SimdLevel::scalar);
    CHECK(simdLevel() == SimdLevel::scalar);
    setSimdLevel(SimdLevel::avx512);
    CHECK(simdLevel() == best);
}

}  // namespace parallel_test
