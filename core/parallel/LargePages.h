// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// Lets the heap of this process lie in large pages (2 MiB), and keeps what is freed there for what comes next: memory
/// is then given in one go instead of 4 kB at a time, at the first touch of each, which was half of the first step of
/// a scene. For programs, at their start; libraries leave the allocator alone. Returns whether the system took the
/// wish (Linux with the C library of GNU); without it nothing but speed changes. Arrays of 32 MiB and more have pages
/// of their own (core/math/Vector.h) and go back to the system when they are freed.
bool useLargePages();

}  // namespace sofa::core
