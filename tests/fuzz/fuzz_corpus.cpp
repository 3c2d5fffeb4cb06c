// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Feeds every target of the fuzzer with inputs that reached new code once (tests/fuzz/corpus, see tools/fuzz).
//
//   fuzz_corpus                     all targets
//   fuzz_corpus TARGET [FILE...]    one target: its corpus, or these inputs; prints what each says
//   fuzz_corpus --list              the names of the targets
//   fuzz_corpus --seeds FOLDER      writes faultless inputs, from which a fuzzer can begin
//
// Exit status 1 says that something was found.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/io/DataRepository.h"
#include "tests/fuzz/FuzzTargets.h"
#include "tests/harness/Paths.h"

namespace {

namespace fs = std::filesystem;
using namespace sofa::fuzz;

/// Number of inputs in which something was found.
std::size_t feed(const FuzzTarget& target, const std::vector<std::string>& inputs)
{
    std::size_t findings = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        // A crash names the input.
        std::ofstream("input.txt") << target.name << ' ' << i << '\n';
        const std::string finding = target.run(inputs[i]);
        if (finding.empty()) continue;
        ++findings;
        std::cout << target.name << ", input " << i << ": " << finding << '\n';
    }
    return findings;
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments == std::vector<std::string>{"--list"}) {
        for (const FuzzTarget& t : fuzzTargets()) std::cout << t.name << '\n';
        return 0;
    }
    const bool seeds = arguments.size() == 2 && arguments.front() == "--seeds";
    std::vector<std::string> given;
    for (std::size_t i = 1; i < arguments.size() && !seeds; ++i) {
        std::ifstream in(arguments[i], std::ios::binary);
        if (!in) {
            std::cerr << "cannot read " << arguments[i] << '\n';
            return 2;
        }
        given.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    sofa::core::DataRepository::instance().addPath((sofa::test::sourceDirectory() / "share").string());
    const sofa::test::TemporaryDirectory tmp;  // whatever is written lands here
    const fs::path folder = seeds ? fs::absolute(arguments.back()) : fs::path();
    fs::current_path(tmp.path());
    if (seeds) return writeSeeds(folder.string()), 0;
    std::size_t fed = 0, findings = 0;
    bool known = arguments.empty();
    for (const FuzzTarget& t : fuzzTargets()) {
        if (!arguments.empty() && arguments.front() != t.name) continue;
        known = true;
        const fs::path corpus = sofa::test::sourceDirectory() / "tests/fuzz/corpus" / (t.name + ".corpus");
        const auto inputs = given.empty() ? readCorpus(corpus.string()) : given;
        fed += inputs.size();
        findings += feed(t, inputs);
    }
    if (!known) {
        std::cerr << "there is no target '" << arguments.front() << "'\n";
        return 2;
    }
    std::cout << fed << " inputs, " << findings << " findings\n";
    return findings == 0 ? 0 : 1;
}
