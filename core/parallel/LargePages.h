// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <span>
#include <thread>

namespace sofa::core {

/// Lets the heap of this process lie in large pages (2 MiB), and keeps what is freed there for what comes next: memory
/// is then given in one go instead of 4 kB at a time, at the first touch of each, which was half of the first step of
/// a scene. For programs, at their start; libraries leave the allocator alone. Returns that part of the heap, hardly
/// used yet: address space beyond the system's memory perhaps. It is empty if the system did not take the wish (Linux
/// with the C library of GNU takes it); then nothing but speed changes. Arrays of 32 MiB and more have pages of their
/// own (core/math/Vector.h) and go back to the system when they are freed.
std::span<std::byte> useLargePages();

/// Has the system give the pages of `memory` in a thread of its own, from the first to the last, while this one does
/// something else: the system clears each page when it is first touched, at some GB/s, which was a quarter of the first
/// step of a scene. What is there stays. The thread ends early when it is asked to stop and where the system cannot do
/// it (before Linux 5.14). There is none where it would take time or memory from others (on one core, and where less
/// than eight times the memory is free), nor where the system gives no more threads.
std::jthread touchAhead(std::span<std::byte> memory);

}  // namespace sofa::core
