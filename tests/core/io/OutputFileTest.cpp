// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/OutputFile.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>

#include "core/io/LineFile.h"
#include "tests/harness/Paths.h"

namespace output_file_test {

using namespace sofa::core;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t filesIn(const fs::path& folder)
{
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("OutputFile: the file is complete or absent")
{
    const sofa::test::TemporaryDirectory folder;
    const fs::path file = folder.path() / "a.txt";
    {
        OutputFile out(file);
        out.write("half");
        out.flush();
        CHECK_FALSE(fs::exists(file));
    }
    CHECK(filesIn(folder.path()) == 0);
    writeFile(file, "old");
    {
        OutputFile out(file);
        out.write("new and longer");
        CHECK(content(file) == "old");
        out.commit();
    }
    CHECK(content(file) == "new and longer");
    CHECK(filesIn(folder.path()) == 1);
}

TEST_CASE("OutputFile: links, rights and files that are none stay what they are")
{
    const sofa::test::TemporaryDirectory folder;
    const fs::path file = folder.path() / "a.txt", link = folder.path() / "link";
    writeFile(file, "old");
    fs::permissions(file, fs::perms::owner_all | fs::perms::others_read);
    fs::create_symlink("a.txt", link);
    writeFile(link, "new");
    CHECK(fs::is_symlink(link));
    CHECK(content(file) == "new");
    CHECK(fs::status(file).permissions() == (fs::perms::owner_all | fs::perms::others_read));
    writeFile("/dev/null", "nothing");
    CHECK(fs::is_character_file("/dev/null"));
    CHECK_THROWS_WITH(OutputFile(folder.path()), Catch::Contains("it is a folder"));
    CHECK_THROWS_WITH(OutputFile(folder.path() / "none" / "f"), Catch::Contains("No such file"));
    if (fs::exists("/dev/full"))
        CHECK_THROWS_WITH(writeFile("/dev/full", "much"), Catch::Contains("cannot write '/dev/full': No space left"));
}

TEST_CASE("OutputFile: what the program has open is written to as it is")
{
    const sofa::test::TemporaryDirectory folder;
    const fs::path file = folder.path() / "a.txt", link = folder.path() / "link";
    const int open = ::open(file.c_str(), O_RDWR | O_CREAT, 0666);
    REQUIRE(open > 0);
    const std::string name = "/dev/fd/" + std::to_string(open);
    REQUIRE(::write(open, "first\n", 6) == 6);
    writeFile(name, "second\n");
    REQUIRE(::write(open, "third\n", 6) == 6);
    CHECK(content(file) == "first\nsecond\nthird\n");
    fs::create_symlink(name, link);
    checkWritable(link);
    fs::rename(file, folder.path() / "b.txt");
    writeFile(link, "fourth\n");
    CHECK(content(folder.path() / "b.txt") == "first\nsecond\nthird\nfourth\n");
    CHECK(filesIn(folder.path()) == 2);
    close(open);
    CHECK_THROWS_WITH(checkWritable(link), Catch::Contains("cannot write"));
}

TEST_CASE("LineFile: lines can be read while it grows, and the last one is complete when the disk is full")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "log.txt").string();
    LineFile log(file);
    log.write("first");
    CHECK(content(file) == "first\n");
    // A limit on the size of files stands for the full disk.
    rlimit old{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{10, old.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    std::string error;
    try {
        log.write("second and long");
    } catch (const std::runtime_error& e) {
        error = e.what();
    }
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    CHECK(error == "cannot write '" + file + "': File too large");
    CHECK(content(file) == "first\n");
    CHECK_FALSE(log.isOpen());
    CHECK_THROWS_WITH(LineFile((folder.path() / "none" / "f").string()), Catch::Contains("No such file"));
}

TEST_CASE("OutputFile: .gz is compressed")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "a.gz").string(), text(100000, 'a');
    writeFile(file, text);
    CHECK(fs::file_size(file) < 1000);
    gzFile gz = gzopen(file.c_str(), "rb");
    std::string back(200000, '\0');
    back.resize(static_cast<std::size_t>(gzread(gz, back.data(), 200000)));
    CHECK(gzclose(gz) == Z_OK);
    CHECK(back == text);
}

}  // namespace output_file_test
