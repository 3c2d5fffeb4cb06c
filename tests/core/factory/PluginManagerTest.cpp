// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/factory/PluginManager.h"

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/Trust.h"
#include "core/factory/Registry.h"
#include "tests/harness/Paths.h"

namespace plugin_manager_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

std::string folder() { return (sofa::test::buildDirectory() / "tests/plugins").string(); }

}  // namespace

TEST_CASE("A plugin is found by name and registers its components", "[factory]")
{
    PluginManager m;
    CHECK_FALSE(m.findLibrary("TestPlugin"));
    m.addSearchPath(folder());
    const MessageCapture capture;  // it also registers a name that is taken
    const Plugin& p = m.load("TestPlugin");
    CHECK(p.name == "TestPlugin");
    CHECK(p.version == "1.2");
    CHECK(p.license == "LGPL");
    CHECK(p.description == "For tests");
    CHECK(p.path == fs::canonical(folder() + "/libTestPlugin.so").string());
    REQUIRE(Registry::instance().find("TestFromPlugin"));
    CHECK(Registry::instance().find("TestFromPlugin")->module == "TestPlugin");
    CHECK(Registry::instance().find("RequiredPlugin")->module == "Sofa.Simulation.Core");
    // Both libraries are named. (Another test may have loaded the plugin before: then nothing is registered any more.)
    const auto& conflicts = Registry::instance().conflicts();
    const auto conflict =
        std::ranges::find_if(conflicts, [](const std::string& c) { return c.find("'RequiredPlugin'") != c.npos; });
    REQUIRE(conflict != conflicts.end());
    CHECK_THAT(*conflict, Catch::Contains("libsofa_core.so") && Catch::Contains("/libTestPlugin.so;"));
    if (capture.has(Severity::Error, "registered twice"))
        CHECK(capture.has(Severity::Error, "Data 'secret' of component 'TestSilent' has no help"));

    SECTION("loading it again changes nothing")
    {
        CHECK(&m.load("TestPlugin") == &p);
        CHECK(&m.load(p.path) == &p);
        CHECK(&m.load("testplugin") == &p);
        CHECK(m.plugins().size() == 1);
        void* const library = dlopen(p.path.c_str(), RTLD_NOW | RTLD_NOLOAD);
        REQUIRE(library);
        auto* const count = reinterpret_cast<int (*)()>(dlsym(library, "testPluginInitialisations"));
        REQUIRE(count);
        const int before = count();
        m.load("TestPlugin");
        CHECK(count() == before);
        dlclose(library);
    }
    SECTION("a copy elsewhere is not loaded beside it")
    {
        const sofa::test::TemporaryDirectory tmp;
        const fs::path copy = tmp.path() / "libTestPlugin.so";
        fs::copy_file(p.path, copy);
        CHECK(&m.load(copy.string()) == &p);
        CHECK(capture.has(Severity::Warning, "is not loaded beside it"));
    }
}

TEST_CASE("Names with dots, sub-folders, other cases, and paths", "[factory]")
{
    const sofa::test::TemporaryDirectory tmp;
    PluginManager m;
    m.addSearchPath(tmp.path().string());
    CHECK_FALSE(m.findLibrary("Test.Dotted"));
    const std::string library = folder() + "/libTest.Dotted.so";
    fs::create_directories(tmp.path() / "Test.Dotted/lib");
    const fs::path inSub = tmp.path() / "Test.Dotted/lib/libTest.Dotted.so";
    fs::create_symlink(library, inSub);
    CHECK(*m.findLibrary("Test.Dotted") == inSub.string());
    CHECK(*m.findLibrary("test.dotted") == inSub.string());
    CHECK_FALSE(m.findLibrary("a/b"));
    const Plugin& p = m.load(library);
    CHECK(p.name == "Test.Dotted");
    CHECK(p.version.empty());
    CHECK(&m.load("Test.Dotted") == &p);
    CHECK(Registry::instance().find("TestDotted"));
}

TEST_CASE("Plugins that cannot be loaded say why", "[factory]")
{
    const sofa::test::TemporaryDirectory tmp;
    PluginManager m;
    m.addSearchPath(tmp.path().string());
    CHECK_THROWS_WITH(m.load("NoSuchPlugin"), Catch::Contains("cannot find the plugin 'NoSuchPlugin'") &&
                                                  Catch::Contains("libNoSuchPlugin.so") &&
                                                  Catch::Contains(tmp.path().string()));
    CHECK_THROWS_AS(m.load("/no/such/library.so"), PluginError);
    std::ofstream(tmp.path() / "libBroken.so") << "this is no library";
    CHECK_THROWS_WITH(m.load("Broken"), Catch::Contains("cannot load the plugin") && Catch::Contains("libBroken.so"));
    CHECK_THROWS_WITH(m.load(folder() + "/libTestRefusing.so"), Catch::Contains("could not be initialised"));
    CHECK(m.plugins().empty());
}

TEST_CASE("A scene loads by name from folders of the user, and else only what the user agrees to", "[factory]")
{
    const sofa::test::TemporaryDirectory tmp;
    const fs::path file = tmp.path() / "libForScene.so";
    fs::copy_file(folder() + "/libTest.Dotted.so", file);
    const auto refused = Catch::Contains("it is native code, '" + fs::canonical(file).string() + "'");
    PluginManager m;
    CHECK_THROWS_AS(m.loadForScene(file.string()), UntrustedPlugin);
    CHECK_THROWS_WITH(m.loadForScene(file.string()), refused);
    CHECK_THROWS_WITH(m.loadForScene("ForScene"), Catch::Contains("cannot find the plugin"));
    m.addSceneFolder(tmp.path().string());
    CHECK_THROWS_WITH(m.loadForScene("ForScene"), refused);
    CHECK_FALSE(m.findLibrary("ForScene"));
    CHECK(m.plugins().empty());
    CHECK_FALSE(dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD));
    CHECK(Trust::instance().takeRefused() == std::vector<std::string>{fs::canonical(file).string()});

    SECTION("agreed to for this file")
    {
        Trust::instance().setAnswer([&](const std::string& l) { return l == fs::canonical(file).string(); });
        CHECK(m.loadForScene("ForScene").path == fs::canonical(file).string());
        Trust::instance().setAnswer({});
        CHECK_NOTHROW(m.loadForScene("ForScene"));  // nothing new is loaded
    }
    SECTION("a folder of the user")
    {
        m.addSearchPath(tmp.path().string());
        CHECK_NOTHROW(m.loadForScene("ForScene"));
    }
    SECTION("what the user loaded")
    {
        m.load(file.string());
        CHECK_NOTHROW(m.loadForScene(file.string()));
    }
}

TEST_CASE("SOFA_PLUGIN_PATH is searched before the program's folders", "[factory]")
{
    setenv("SOFA_PLUGIN_PATH", "/first::/second", 1);
    const PluginManager m;
    unsetenv("SOFA_PLUGIN_PATH");
    REQUIRE(m.searchPaths().size() == 4);
    CHECK(m.searchPaths()[0] == "/first");
    CHECK(m.searchPaths()[1] == "/second");
    CHECK(m.searchPaths()[2] == (sofa::test::buildDirectory() / "lib").string());
}

TEST_CASE("A plugin list loads what it can and reports the rest with its line", "[factory]")
{
    const sofa::test::TemporaryDirectory tmp;
    PluginManager m;
    m.addSearchPath(folder());
    const std::string list = (tmp.path() / "plugin_list.conf").string();
    std::ofstream(list) << "# comment\n\nTest.Dotted 1.0\nMissingPlugin NO_VERSION\n";
    const MessageCapture capture;
    CHECK(m.loadList(list) == 1);
    CHECK(capture.has(Severity::Error, list + ":4:1: error: cannot find the plugin 'MissingPlugin'"));
    CHECK(m.find("Test.Dotted"));
    CHECK_THROWS_AS(m.loadList(list + ".none"), PluginError);
}

}  // namespace plugin_manager_test
