// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>

namespace sofa::test {

/// Number of calls of `operator new` (all forms) of the whole process so far. A test executable that uses this function
/// gets counting allocation functions; the others keep the usual ones.
std::size_t allocationCount();

/// From now on `n` calls go well, and the one after them fails: std::bad_alloc, or a null pointer. Negative: none
/// fails.
void failAllocationAfter(long n);
/// Whether that call came.
bool allocationFailed();

/// From now on a call for as many bytes as `refuses` answers true to fails; nullptr: none does.
void refuseAllocations(bool (*refuses)(std::size_t bytes));

}  // namespace sofa::test
