// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/Skip.h"

#include <iostream>

namespace sofa::test {
namespace {
bool s_skipped = false;
}

void skip(const std::string& reason)
{
    s_skipped = true;
    std::cout << "skipped: " << reason << '\n';
}

bool anySkipped() noexcept { return s_skipped; }

}  // namespace sofa::test
