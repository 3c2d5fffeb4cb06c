// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/log/Reason.h"

#include <new>
#include <stdexcept>

namespace sofa::core {

std::string reasonOf(const std::exception& e)
{
    if (dynamic_cast<const std::bad_alloc*>(&e) || dynamic_cast<const std::length_error*>(&e))
        return "there is not enough memory for what it asks for";
    return e.what();
}

}  // namespace sofa::core
