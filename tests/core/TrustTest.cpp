// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/Trust.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "core/io/InputLimit.h"
#include "core/io/LineFile.h"
#include "core/io/OutputFile.h"
#include "core/io/SceneOutput.h"
#include "core/io/ScratchFile.h"
#include "tests/harness/Paths.h"

namespace trust_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

void touch(const fs::path& file) { std::ofstream(file) << "mine"; }

std::string textOf(const fs::path& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Another working folder, for a while.
struct WorkingFolder
{
    explicit WorkingFolder(const fs::path& folder) { fs::current_path(folder); }
    ~WorkingFolder() { fs::current_path(before); }
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;
    const fs::path before = fs::current_path();
};

}  // namespace

TEST_CASE("Trust: a scene writes below its folders, wherever links and dots lead", "[io]")
{
    const sofa::test::TemporaryDirectory folder, elsewhere, working;
    const WorkingFolder change(working.path());
    const fs::path in = folder.path(), out = elsewhere.path();
    Trust trust;
    CHECK_FALSE(trust.whyNotWrite(in / "a.txt").empty());
    trust.addOutputFolder(in);
    CHECK(trust.whyNotWrite("here.txt").empty());  // the working folder
    CHECK(trust.whyNotWrite(in / "a.txt").empty());
    CHECK(trust.whyNotWrite(in / "new/b.txt").empty());
    CHECK(trust.whyNotWrite(in / "new/../b.txt").empty());
    CHECK(trust.whyNotWrite("/dev/stdout").empty());

    CHECK_THAT(trust.whyNotWrite(out / "a.txt"), Catch::Contains("--trust") && Catch::Contains(in.string()));
    CHECK_FALSE(trust.whyNotWrite(in / ".." / out.filename() / "a.txt").empty());
    CHECK_FALSE(trust.whyNotWrite(in / "new/../../a.txt").empty());
    CHECK_FALSE(trust.whyNotWrite("../here.txt").empty());
    CHECK_FALSE(trust.whyNotWrite(in.string() + "2/a.txt").empty());
    CHECK_FALSE(trust.whyNotWrite(in).empty());  // the folder itself
    CHECK_FALSE(trust.whyNotWrite(in / ".profile").empty());
    CHECK_FALSE(trust.whyNotWrite(in / ".config/a.txt").empty());
    CHECK_FALSE(trust.whyNotWrite("/dev/fd/3").empty());

    touch(out / "target.txt");
    fs::create_symlink(out / "target.txt", in / "link");
    fs::create_symlink(out / "none.txt", in / "dangling");
    fs::create_directory_symlink(out, in / "folder");
    fs::create_symlink(in / "a.txt", in / "harmless");
    touch(in / "a.txt");
    for (const char* name : {"link", "dangling", "folder/a.txt", "folder/new/a.txt"}) {
        CAPTURE(name);
        CHECK_FALSE(trust.whyNotWrite(in / name).empty());
    }
    CHECK(trust.whyNotWrite(in / "harmless").empty());
    CHECK_THAT(trust.whyNotWrite(in / "link"), Catch::Contains(fs::canonical(out / "target.txt").string()));

    trust.trustAll();
    CHECK(trust.whyNotWrite(out / "a.txt").empty());
}

TEST_CASE("SceneOutput: whatever opens a file asks, and nothing is written while a scene is opened", "[io]")
{
    const sofa::test::TemporaryDirectory folder;
    const fs::path file = folder.path() / "a.txt", outside = fs::path("/") / "sofa_trust_test.txt";
    {
        const SceneOutput scene(SceneOutput::Nothing);
        const auto refused = Catch::Contains("nothing is written while a scene is opened");
        CHECK_THROWS_WITH(OutputFile(file), refused);
        CHECK_THROWS_WITH(LineFile(file.string()), refused);
        CHECK_THROWS_WITH(makeFolders(folder.path() / "new/one"), refused);
        CHECK_NOTHROW(checkOutput(file));
        CHECK_NOTHROW(makeFolders(folder.path()));
    }
    {
        const SceneOutput scene(SceneOutput::InFolders);
        CHECK_NOTHROW(writeFile(file, "text"));
        CHECK_THROWS_WITH(OutputFile(outside), Catch::Contains("--trust"));
        CHECK_THROWS_WITH(LineFile(outside.string()), Catch::Contains("--trust"));
        CHECK_THROWS_WITH(makeFolders(outside), Catch::Contains("--trust"));
        CHECK_THROWS_WITH(checkOutput(outside), Catch::Contains("--trust"));
    }
    CHECK(textOf(file) == "text");
    CHECK_FALSE(fs::exists(outside));
    CHECK_FALSE(fs::exists(folder.path() / "new"));
}

TEST_CASE("OutputFile and ScratchFile: links that lie where their passing files go are not followed", "[io]")
{
    const sofa::test::TemporaryDirectory folder;
    const fs::path file = folder.path() / "a.npz", victim = folder.path() / "victim";
    touch(victim);
    fs::create_symlink(victim, file.string() + ".part");
    fs::create_symlink(victim, file.string() + ".scratch");
    OutputFile out(file);
    ScratchFile scratch(out);
    scratch.write("bytes");
    scratch.appendTo(out);
    out.commit();
    CHECK(textOf(file) == "bytes");
    CHECK(textOf(victim) == "mine");
    CHECK_FALSE(fs::is_symlink(file));
}

TEST_CASE("checkWritable and checkOutput touch nothing", "[io]")
{
    const sofa::test::TemporaryDirectory folder;
    const fs::path file = folder.path() / "a.txt";
    touch(file);
    const auto before = fs::last_write_time(folder.path()), own = fs::last_write_time(file);
    for (const char* name : {"a.txt", "new.txt", "new.txt.gz"}) checkOutput(folder.path() / name);
    checkOutput(folder.path() / "none/a.txt", true);
    CHECK_THROWS_WITH(checkOutput(folder.path() / "none/a.txt"), Catch::Contains("cannot write"));
    CHECK_THROWS_WITH(checkOutput(file / "a.txt"), Catch::Contains("cannot write"));
    CHECK_THROWS_WITH(checkWritable(folder.path()), Catch::Contains("it is a folder"));
    CHECK(fs::last_write_time(folder.path()) == before);
    CHECK(fs::last_write_time(file) == own);
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("Trust: libraries need an answer, and what is only looked at needs one for the file", "[io]")
{
    Trust trust;
    CHECK_FALSE(trust.mayLoad("/a.so"));
    CHECK_FALSE(trust.mayLoad("/a.so"));
    CHECK(trust.takeRefused() == std::vector<std::string>{"/a.so"});
    CHECK(trust.takeRefused().empty());
    trust.setAnswer([](const std::string& l) { return l == "/b.so"; });
    CHECK(trust.mayLoad("/b.so"));
    trust.trustAll();
    CHECK(trust.mayLoad("/a.so"));
    const Trust::Look look;
    CHECK(trust.mayLoad("/b.so"));
    CHECK_FALSE(trust.mayLoad("/a.so"));
    CHECK(trust.takeRefused().empty());  // no question comes of a look
}

TEST_CASE("InputLimit: sizes of inputs, as they are and decompressed", "[io]")
{
    using namespace io;
    CHECK(parseSize("500") == 500u);
    CHECK(parseSize("2 kB") == 2000u);
    CHECK(parseSize("1.5GB") == 1'500'000'000u);
    for (const char* text : {"", "GB", "-1", "0", "1 XB", "nan", "1e30", "5MB!"}) {
        CAPTURE(text);
        CHECK_FALSE(parseSize(text));
    }
    const std::uint64_t usual = inputLimit();
    CHECK_NOTHROW(requireInputSize("f", usual));
    CHECK_THROWS_WITH(requireInputSize("f", usual + 1),
                      Catch::Contains("f: holds more than 4 GB") && Catch::Contains("--input-limit"));
    CHECK_NOTHROW(requireInflatedSize("f", 64'000'000, 1));
    CHECK_NOTHROW(requireInflatedSize("f", 200'000'000, 1'000'000));
    CHECK_THROWS_WITH(requireInflatedSize("f", 202'000'000, 1'000'000), Catch::Contains("200 times"));
    setInputLimit(1000);
    CHECK_THROWS_WITH(requireInputSize("f", 1001), Catch::Contains("1 kB"));
    setInputLimit(usual);
}

}  // namespace trust_test
