// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/Color.h"

#include <catch2/catch.hpp>

namespace color_test {

using namespace sofa::core;

namespace {

Color read(std::string_view text)
{
    Color c;
    std::string error;
    INFO(text << ": " << error);
    REQUIRE(parseText(text, c, error));
    return c;
}

}  // namespace

TEST_CASE("Colours are read from numbers, hexadecimal digits and names", "[visual]")
{
    CHECK(read("1 0.5 0 0.25") == Color(1.f, 0.5f, 0.f, 0.25f));
    CHECK(read(" .5 0 0 ") == Color(0.5f, 0.f, 0.f, 1.f));
    CHECK(read("#ff0000") == Color(1.f, 0.f, 0.f));
    CHECK(read("#F00") == Color(1.f, 0.f, 0.f));
    CHECK(read("#0000ff80") == Color(0.f, 0.f, 1.f, 128.f / 255.f));
    CHECK(read("gold") == Color(1.f, 0.84f, 0.f));
    for (const std::string& name : Color::names()) CHECK(read(name)[3] == 1.f);
    CHECK(read(toText(Color(0.1f, 0.2f, 0.3f, 0.4f))) == Color(0.1f, 0.2f, 0.3f, 0.4f));
}

TEST_CASE("Malformed colours say what was expected", "[visual]")
{
    Color c;
    std::string error;
    CHECK_FALSE(parseText("grean", c, error));
    CHECK(error.find("did you mean 'green'") != std::string::npos);
    CHECK_FALSE(parseText("#12345", c, error));
    CHECK(error.find("#rrggbb") != std::string::npos);
    CHECK_FALSE(parseText("1 0", c, error));
    CHECK_FALSE(parseText("1 0 0 1 1", c, error));
}

}  // namespace color_test
