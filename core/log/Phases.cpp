// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/log/Phases.h"

#include <algorithm>

namespace sofa::core {

std::string Phases::path() const
{
    std::string path;
    const int depth = std::min(m_depth.load(std::memory_order_acquire), depthKept);
    for (int i = 0; i < depth; ++i) {
        if (i > 0) path += '/';
        path += m_names[static_cast<std::size_t>(i)].load(std::memory_order_relaxed);
    }
    return path;
}

}  // namespace sofa::core
