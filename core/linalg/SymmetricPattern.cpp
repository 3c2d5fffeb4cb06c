// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricPattern.h"

#include <atomic>

namespace sofa::core {

std::uint64_t SymmetricPattern::newId()
{
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace sofa::core
