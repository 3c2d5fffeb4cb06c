// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/SurfaceTriangles.h"

#include <set>

namespace sofa::component {

bool isClosed(const core::Vector<core::Triangle>& triangles)
{
    std::multiset<core::Edge> open;
    for (const core::Triangle& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const core::Index a = t[k], b = t[(k + 1) % 3];
            if (const auto reverse = open.find({b, a}); reverse != open.end())
                open.erase(reverse);
            else
                open.insert({a, b});
        }
    return open.empty();
}

}  // namespace sofa::component
