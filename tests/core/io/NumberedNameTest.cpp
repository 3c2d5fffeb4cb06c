// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/NumberedName.h"

#include <catch2/catch.hpp>

using sofa::core::NumberedName;

TEST_CASE("Names with a number, as printf writes it")
{
    CHECK(NumberedName("a_%04d.png").name(7) == "a_0007.png");
    CHECK(NumberedName("a_%3d.png").name(7) == "a_  7.png");
    CHECK(NumberedName("a_%d.png").name(12345) == "a_12345.png");
    CHECK(NumberedName("a_%02d.png").name(12345) == "a_12345.png");
    CHECK(NumberedName("100%%_%d").name(1) == "100%_1");
    CHECK_FALSE(NumberedName("plain.png").isNumbered());
    CHECK(NumberedName("plain.png").name(3) == "plain.png");
    CHECK_THROWS_WITH(NumberedName("%d_%d"), "there is more than one number");
    CHECK_THROWS_WITH(NumberedName("%s"), "only %d and widths below 20 are known");
    CHECK_THROWS_WITH(NumberedName("%20d"), "only %d and widths below 20 are known");
    CHECK_THROWS_WITH(NumberedName("%0"), "only %d and widths below 20 are known");
}
