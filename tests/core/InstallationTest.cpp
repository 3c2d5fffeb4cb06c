// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/Installation.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/harness/Paths.h"

namespace fs = std::filesystem;

TEST_CASE("the installation of a program run from the build tree is the build tree", "[installation]")
{
    CHECK(sofa::core::installationDirectory() == fs::canonical(sofa::test::buildDirectory()));
}

TEST_CASE("the build tree shows the source tree's share and scenes as an installed tree does", "[installation]")
{
    const fs::path share = sofa::core::shareDirectory();
    REQUIRE(fs::is_directory(share));
    for (const fs::directory_entry& entry : fs::directory_iterator(sofa::test::sourceDirectory() / "share")) {
        INFO(entry.path());
        CHECK(fs::exists(share / entry.path().filename()));
    }
    CHECK(fs::equivalent(share / "scenes", sofa::test::sourceDirectory() / "scenes"));
}
