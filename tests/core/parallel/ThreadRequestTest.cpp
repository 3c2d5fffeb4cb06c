// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/parallel/ThreadRequest.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <thread>

#include "core/parallel/Parallel.h"

namespace thread_request_test {

using namespace sofa::core;

TEST_CASE("A request for threads holds as long as it lives, the last of several before the others", "[parallel]")
{
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    setThreadCount(5);
    {
        ThreadRequest a;
        CHECK(threadCount() == 5);
        CHECK(a.ask(3));
        CHECK(threadCount() == 3);
        {
            std::optional<ThreadRequest> b;
            b.emplace().ask(2);
            CHECK(threadCount() == 2);
            a.ask(4);  // the last to ask
            CHECK(threadCount() == 4);
            b->ask(7);
            CHECK(threadCount() == 7);
            b->withdraw();
            CHECK(threadCount() == 4);
            b->withdraw();
            CHECK(threadCount() == 4);
        }
        CHECK(threadCount() == 4);
        a.ask(0);
        CHECK(threadCount() == cores);
        a.ask(-1);
        CHECK(threadCount() == std::max(1u, cores - 1));
        a.ask(-4000);
        CHECK(threadCount() == 1);
    }
    CHECK(threadCount() == 5);
    setThreadCount(0);
}

}  // namespace thread_request_test
