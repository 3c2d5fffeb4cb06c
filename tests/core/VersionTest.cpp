// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/Version.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "tests/harness/Paths.h"

TEST_CASE("the version is the one stated in the top CMakeLists.txt", "[version]")
{
    std::ifstream file(sofa::test::sourceDirectory() / "CMakeLists.txt");
    std::stringstream text;
    text << file.rdbuf();
    const std::string content = text.str();
    std::smatch match;
    REQUIRE(std::regex_search(content, match, std::regex("project\\(Sofa VERSION ([0-9]+\\.[0-9]+\\.[0-9]+)")));
    CHECK(sofa::core::version() == match[1].str());
}

TEST_CASE("the build description names the compiler and the kind of build", "[version]")
{
    CHECK_THAT(sofa::core::buildDescription(),
               Catch::Matches("(g\\+\\+|clang) [0-9]+\\..*, (release|debug|with sanitizers)"));
}
