// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/DataRepository.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/Installation.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/Paths.h"

namespace data_repository_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

void touch(const fs::path& p)
{
    fs::create_directories(p.parent_path());
    std::ofstream(p) << "x";
}

}  // namespace

TEST_CASE("Files are found in the scene's folder, then in the folders of the repository", "[scene]")
{
    const sofa::test::TemporaryDirectory tmp;
    touch(tmp.path() / "scene/mesh/a.obj");
    touch(tmp.path() / "data/mesh/a.obj");
    touch(tmp.path() / "data/mesh/b.obj");
    touch(tmp.path() / "late/mesh/b.obj");
    touch(tmp.path() / "late/mesh/c.obj");
    const std::string scene = (tmp.path() / "scene").string();

    DataRepository r;
    CHECK_FALSE(r.find("mesh/b.obj", scene));
    r.addPath((tmp.path() / "data").string() + "/");
    r.addLastPath((tmp.path() / "late").string());
    CHECK(*r.find("mesh/a.obj", scene) == scene + "/mesh/a.obj");
    CHECK(*r.find("./mesh/a.obj", scene) == scene + "/mesh/a.obj");
    CHECK(*r.find("mesh/a.obj") == (tmp.path() / "data/mesh/a.obj").string());
    CHECK(*r.find("mesh/b.obj", scene) == (tmp.path() / "data/mesh/b.obj").string());
    CHECK(*r.find("mesh/c.obj", scene) == (tmp.path() / "late/mesh/c.obj").string());
    CHECK(*r.find("../scene/mesh/a.obj", scene) == scene + "/mesh/a.obj");
    CHECK(*r.find("file:mesh/b.obj", scene) == (tmp.path() / "data/mesh/b.obj").string());
    CHECK(*r.find("file://" + scene + "/mesh/a.obj") == scene + "/mesh/a.obj");

    // An absolute name is not searched for elsewhere.
    CHECK_FALSE(r.find("/mesh/a.obj", scene));
    CHECK_FALSE(r.find("", scene));

    r.removePath((tmp.path() / "data").string());
    CHECK(*r.find("mesh/b.obj", scene) == (tmp.path() / "late/mesh/b.obj").string());
}

TEST_CASE("Paths added last in time come first; a path of several keeps its order", "[scene]")
{
    DataRepository r;
    const auto share = r.paths();
    r.addPath("/one:/two");
    r.addPath("/three");
    r.addPath("/two");
    const auto& p = r.paths();
    REQUIRE(p.size() == share.size() + 3);
    CHECK(p[0] == "/two");
    CHECK(p[1] == "/three");
    CHECK(p[2] == "/one");
    CHECK(p[3] == share[0]);
}

TEST_CASE("SOFA_DATA_PATH comes before the share folder", "[scene]")
{
    const char* before = std::getenv("SOFA_DATA_PATH");
    const std::string saved = before ? before : "";
    setenv("SOFA_DATA_PATH", "/from/environment::/second", 1);
    const DataRepository r;
    if (before)
        setenv("SOFA_DATA_PATH", saved.c_str(), 1);
    else
        unsetenv("SOFA_DATA_PATH");
    REQUIRE(r.paths().size() == 4);
    CHECK(r.paths()[0] == "/from/environment");
    CHECK(r.paths()[1] == "/second");
    CHECK(r.paths()[2] == shareDirectory().string());
}

TEST_CASE("A file that is missing is reported with the places searched and the nearest name", "[scene]")
{
    const sofa::test::TemporaryDirectory tmp;
    touch(tmp.path() / "mesh/liver.obj");
    const DataRepository r;
    CHECK_THROWS_WITH(r.require("mesh/livre.obj", tmp.path().string()),
                      Catch::Contains("cannot find the file 'mesh/livre.obj' (did you mean 'liver.obj'?)") &&
                          Catch::Contains((tmp.path() / "mesh/livre.obj").string()) &&
                          Catch::Contains((shareDirectory() / "mesh/livre.obj").string()));
    CHECK_THROWS_WITH(r.require(""), Catch::Contains("empty name"));
}

TEST_CASE("The file of a Data is looked for beside the file that declares its component, then where it is set",
          "[scene]")
{
    const sofa::test::TemporaryDirectory tmp;
    touch(tmp.path() / "main/a.obj");
    touch(tmp.path() / "main/b.obj");
    touch(tmp.path() / "included/a.obj");
    Node n("n");
    Data<FileName> file(&n, {.name = "filename", .help = "A file"});
    n.location.file = std::make_shared<const std::string>((tmp.path() / "included/part.scn").string());
    file.location.file = std::make_shared<const std::string>((tmp.path() / "main/main.scn").string());
    file.setValue({"a.obj"});
    CHECK(requireFile(file) == (tmp.path() / "included/a.obj").string());
    file.setValue({"b.obj"});
    CHECK(requireFile(file) == (tmp.path() / "main/b.obj").string());
    CHECK(*findFile("b.obj", file) == (tmp.path() / "main/b.obj").string());
    CHECK_FALSE(findFile("c.obj", file));
    file.setValue({"c.obj"});
    CHECK_THROWS_WITH(requireFile(file), Catch::Contains((tmp.path() / "included/c.obj").string()) &&
                                             Catch::Contains((tmp.path() / "main/c.obj").string()));
}

}  // namespace data_repository_test
