// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/NamedTable.h"

#include <catch2/catch.hpp>

#include "core/factory/Origin.h"
#include "core/log/Message.h"

using namespace sofa::core;

TEST_CASE("What is registered under a name is found, and lists are in the order of the names", "[factory]")
{
    NamedTable<int> table("kind of number");
    CHECK(table.names().empty());
    const std::size_t before = table.revision();
    CHECK(table.add("two", 2));
    CHECK(table.add("one", 1));
    CHECK(table.revision() > before);
    CHECK(table.names() == std::vector<std::string>{"one", "two"});
    REQUIRE(table.find("one"));
    CHECK(*table.find("one") == 1);
    CHECK(*table.get("two") == 2);
    CHECK(table.all().size() == 2);
}

TEST_CASE("A name that is taken is reported with both libraries, and the first value stays", "[factory]")
{
    NamedTable<int> table("kind of number");
    {
        const RegistrationOrigin first("/lib/libFirst.so");
        table.add("one", 1);
    }
    const MessageCapture capture;
    const RegistrationOrigin second("/lib/libSecond.so");
    CHECK_FALSE(table.add("one", 11));
    CHECK(*table.find("one") == 1);
    CHECK(capture.has(Severity::Error,
                      "kind of number 'one' is registered twice: by /lib/libFirst.so and by "
                      "/lib/libSecond.so; the first one is kept"));
    table.replace("one", 111);
    CHECK(*table.find("one") == 111);
}

TEST_CASE("A plugin that loads another one is still the origin of what follows", "[factory]")
{
    const RegistrationOrigin outer("outer.so");
    {
        const RegistrationOrigin inner("inner.so");
        CHECK(RegistrationOrigin::current() == "inner.so");
    }
    CHECK(RegistrationOrigin::current() == "outer.so");
}

TEST_CASE("What is withdrawn lives on with who holds it; an unknown name is told with those that there are",
          "[factory]")
{
    NamedTable<std::string> table("animal");
    CHECK_THROWS_WITH(table.get("cat"), "there is no animal 'cat'; there are none");
    table.add("horse", "neighs");
    table.add("house mouse", "squeaks");
    const auto kept = table.get("horse");
    CHECK_THROWS_WITH(table.get("hors"),
                      "there is no animal 'hors' (did you mean 'horse'?); there are horse, house mouse");
    CHECK(table.remove("horse"));
    CHECK_FALSE(table.remove("horse"));
    CHECK_FALSE(table.find("horse"));
    CHECK(*kept == "neighs");
}
