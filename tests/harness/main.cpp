// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The one Catch2 main of all test executables. Beyond Catch2's own command line:
//   --list-for-ctest FILE LABELS   writes the executable's test cases to FILE as CTest commands; LABELS is the
//                                  comma-separated list of tags that become labels (cmake/SofaTests.cmake).
// Exit status 77 says that a test case skipped itself (tests/harness/Skip.h) and nothing failed.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "core/Trust.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"

namespace {

constexpr int exitSkipped = 77;
constexpr int timeoutSeconds = 600, nightlyTimeoutSeconds = 3600;

/// A test case's name as a Catch2 test specification that matches nothing else.
std::string specification(const std::string& name)
{
    std::string spec;
    for (const char c : name) {
        if (std::string_view("\\,[]\"").find(c) != std::string_view::npos) spec += '\\';
        spec += c;
    }
    return spec;
}

std::string quoted(const std::string& text) { return "[==[" + text + "]==]"; }

std::string labelsOf(const Catch::TestCase& test, const std::vector<std::string>& known)
{
    std::string labels;
    for (const std::string& label : known)
        for (const std::string& tag : test.lcaseTags)
            if (tag == label) labels += (labels.empty() ? "" : ";") + label;
    return labels.empty() ? "unit" : labels;
}

int listForCTest(const Catch::Session& session, const char* executable, const char* file, const char* labels)
{
    std::vector<std::string> known;
    std::istringstream list(labels);
    for (std::string label; std::getline(list, label, ',');) known.push_back(label);

    const std::filesystem::path path = std::filesystem::absolute(executable);
    const std::string prefix = path.filename().string().substr(std::string("tests_").size());
    std::ofstream out(file);
    for (const Catch::TestCase& test : Catch::getAllTestCasesSorted(const_cast<Catch::Session&>(session).config())) {
        const std::string name = quoted(prefix + ": " + test.name);
        const std::string own = labelsOf(test, known);
        const bool nightly = own.find("nightly") != std::string::npos;
        out << "add_test(" << name << ' ' << quoted(path.string()) << ' ' << quoted(specification(test.name)) << ")\n"
            << "set_tests_properties(" << name << " PROPERTIES LABELS " << quoted(own) << " TIMEOUT "
            << (nightly ? nightlyTimeoutSeconds : timeoutSeconds) << " SKIP_RETURN_CODE " << exitSkipped << ")\n";
    }
    out.close();
    if (!out) std::cerr << "cannot write " << file << '\n';
    return out ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[])
{
    Catch::Session session;
    if (argc == 4 && std::string_view(argv[1]) == "--list-for-ctest")
        return listForCTest(session, argv[0], argv[2], argv[3]);
    // Where a TemporaryDirectory lies.
    sofa::core::Trust::instance().addOutputFolder(sofa::test::buildDirectory() / "tmp");
    const int status = session.run(argc, argv);
    return status == 0 && sofa::test::anySkipped() ? exitSkipped : status;
}
