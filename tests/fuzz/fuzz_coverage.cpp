// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The fuzzer that is guided by coverage (libFuzzer, preset fuzz; tools/fuzz runs it). $SOFA_FUZZ_TARGET is the target.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "core/io/DataRepository.h"
#include "tests/fuzz/FuzzTargets.h"
#include "tests/harness/Paths.h"

namespace {

const sofa::fuzz::FuzzTarget* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
    const char* name = std::getenv("SOFA_FUZZ_TARGET");
    const auto& all = sofa::fuzz::fuzzTargets();
    const auto at = std::ranges::find_if(all, [&](const auto& t) { return name && t.name == name; });
    if (at == all.end()) {
        std::cerr << "$SOFA_FUZZ_TARGET names no target\n";
        std::exit(2);
    }
    target = &*at;
    sofa::core::DataRepository::instance().addPath((sofa::test::sourceDirectory() / "share").string());
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string finding = target->run(std::string(reinterpret_cast<const char*>(data), size));
    if (!finding.empty()) {
        std::cerr << "FINDING: " << finding << '\n';
        std::abort();
    }
    return 0;
}
