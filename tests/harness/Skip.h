// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

namespace sofa::test {

/// Notes that the running test case cannot do its work here, prints the reason and makes the executable exit
/// with the status that CTest reports as "Skipped". The test case returns right after:
/// `if (!oracle) return skip("no reference data");`
void skip(const std::string& reason);

/// Whether any test case called skip() so far.
bool anySkipped() noexcept;

}  // namespace sofa::test
