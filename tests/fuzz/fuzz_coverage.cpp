// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// The fuzzer that is guided by coverage (libFuzzer, preset fuzz; tools/fuzz runs it). $SOFA_FUZZ_TARGET is the target;
// $SOFA_FUZZ_MEMORY the bytes that the program may use: what asks for more gets std::bad_alloc, as on a machine that
// has no more. Without it death for want of memory is a finding (-rss_limit_mb).
#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "core/io/DataRepository.h"
#include "tests/fuzz/FuzzTargets.h"
#include "tests/fuzz/Mutator.h"
#include "tests/harness/AllocationCounter.h"
#include "tests/harness/Paths.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

namespace {

const sofa::fuzz::FuzzTarget* target = nullptr;
std::size_t memory = 0;

/// What is small is not looked at: to ask what is in use takes time.
bool isTooMuch(std::size_t bytes)
{
    return bytes >= 1 << 16 && __sanitizer_get_current_allocated_bytes() + bytes > memory;
}

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
    if (const char* limit = std::getenv("SOFA_FUZZ_MEMORY")) {
        memory = std::strtoull(limit, nullptr, 10);
        sofa::test::refuseAllocations(isTooMuch);
    }
    return 0;
}

/// Some of the changes know what scenes and numbers are; the others are libFuzzer's.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed)
{
    sofa::fuzz::Dice dice(seed);
    const bool scene = target->name == "scene";
    if (!dice.chance(scene ? 2 : 4)) return LLVMFuzzerMutate(data, size, room);
    const std::string before(reinterpret_cast<const char*>(data), size);
    const std::string after =
        scene && !dice.chance(4) ? sofa::fuzz::hostileScene(before, dice) : sofa::fuzz::damagedText(before, dice);
    if (after.size() > room || after.empty()) return LLVMFuzzerMutate(data, size, room);
    std::memcpy(data, after.data(), after.size());
    return after.size();
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
