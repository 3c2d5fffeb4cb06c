// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/TypeName.h"

namespace sofa::core {

std::string joinText(std::initializer_list<std::string_view> parts)
{
    std::string text;
    for (const std::string_view& p : parts) text += p;
    return text;
}

}  // namespace sofa::core
