// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Scenes with a fault each: the program must find it, say where it is, and go on living. The first line of every file
// in tests/input/scenes tells the message that is expected; what cannot be stored as a text file is made here.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/simulation/SceneChecker.h"
#include "tests/harness/Paths.h"

namespace scene_input_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

std::string textOf(const LoadReport& r)
{
    std::string t;
    for (const Message& m : r.messages) t += m.str() + '\n';
    return t;
}

LoadReport check(const fs::path& path)
{
    const MessageCapture silence;
    return checkScene(path.string(), {.strict = true});
}

void expectError(const fs::path& path, const std::string& expected)
{
    const LoadReport r = check(path);
    INFO(path << " reports:\n" << textOf(r));
    CHECK_FALSE(r.ok());
    CHECK(textOf(r).find(expected) != std::string::npos);
}

/// A file with the given content in a folder of its own.
struct File
{
    sofa::test::TemporaryDirectory tmp;
    fs::path path = tmp.path() / "scene.scn";
    explicit File(const std::string& content) { std::ofstream(path, std::ios::binary) << content; }
};

}  // namespace

TEST_CASE("Every broken scene is reported with the message that its first line expects", "[input]")
{
    int count = 0;
    for (const auto& entry : fs::directory_iterator(sofa::test::sourceDirectory() / "tests/input/scenes")) {
        if (entry.path().extension() != ".scn") continue;
        std::ifstream in(entry.path());
        std::string line;
        std::getline(in, line);
        const std::string prefix = "<!-- expect: ", suffix = " -->";
        INFO(entry.path());
        REQUIRE(line.starts_with(prefix));
        REQUIRE(line.ends_with(suffix));
        expectError(entry.path(), line.substr(prefix.size(), line.size() - prefix.size() - suffix.size()));
        ++count;
    }
    CHECK(count > 30);
}

TEST_CASE("Files that are no scenes: missing, empty, folder, binary, other encodings", "[input]")
{
    const sofa::test::TemporaryDirectory tmp;
    expectError(tmp.path() / "missing.scn", "cannot open the file");
    expectError(tmp.path(), "this is a folder");
    expectError(File("").path, "the file is empty");
    expectError(File(" \n\t\n").path, "the file is empty");
    expectError(File(std::string("\xFF\xFE<\0N\0o\0d\0e\0/\0>\0", 16)).path, "UTF-16");
    expectError(File(std::string("\xFE\xFF\0<\0N", 6)).path, "UTF-16");
    expectError(File(std::string("<Node>\0</Node>", 14)).path, "zero byte");
    expectError(File(std::string("\x7f"
                                 "ELF\x02\x01\x01\x00",
                                 8))
                    .path,
                "zero byte");
    expectError(File("\x89PNG\r\n\x1a\n").path, "the file has no element; expected a scene");
    expectError(File("<?xml version='1.0' encoding='EBCDIC'?><Node/>").path, "encoding 'ebcdic' is not supported");
}

TEST_CASE("Deep nesting is an error, not a crash", "[input]")
{
    std::string deep = "<Node>";
    for (int i = 0; i < 10000; ++i) deep += "<Node>";
    expectError(File(deep).path, "nested too deeply");
    for (int i = 0; i < 10000; ++i) deep += "</Node>";
    expectError(File(deep + "</Node>").path, "nested too deeply");

    // Includes add to the depth: 40 files of 90 levels.
    const sofa::test::TemporaryDirectory tmp;
    for (int i = 0; i < 40; ++i) {
        std::ofstream out(tmp.path() / (std::to_string(i) + ".scn"));
        for (int k = 0; k < 90; ++k) out << "<Node name='n'>";
        if (i < 39) out << "<include href='" << i + 1 << ".scn'/>";
        for (int k = 0; k < 90; ++k) out << "</Node>";
    }
    expectError(tmp.path() / "0.scn", "nested more than 500 levels deep");
}

TEST_CASE("A scene cut off at any byte is reported, never fatal", "[input]")
{
    const std::string whole =
        "<?xml version=\"1.0\"?>\n<!-- a scene -->\n<Node name=\"root\" dt='0.01'>\n"
        "  <MechanicalObject name=\"dofs\" position=\"0 0 0  1 0 0\"/>\n"
        "  <Node><![CDATA[x]]><MechanicalObject position=\"@../dofs.position\"/></Node>\n</Node>";
    for (std::size_t n = 0; n < whole.size(); ++n) {
        INFO("cut off after " << n << " bytes");
        CHECK_FALSE(check(File(whole.substr(0, n)).path).ok());
    }
    for (std::size_t n = 0; n < whole.size(); ++n) {
        std::string changed = whole;
        changed[n] = static_cast<char>(changed[n] ^ 0x15);
        if (changed[n] == '\0') continue;
        check(File(changed).path);  // whatever it says
    }
}

TEST_CASE("Latin-1 and a byte order mark are read", "[input]")
{
    CHECK(check(File("\xEF\xBB\xBF<Node name='a'/>").path).ok());
    CHECK(check(File("<?xml version='1.0' encoding='ISO-8859-1'?><Node name='caf\xE9'/>").path).ok());
}

}  // namespace scene_input_test
