// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Link.h"

namespace sofa::core {

void BaseLink::setPath(std::string p, SourceLocation where)
{
    m_path = std::move(p);
    location = std::move(where);
    m_resolved = false;
}

std::string BaseLink::text() const
{
    if (!m_path.empty()) return m_path;
    std::string s;
    for (Base* b : targets()) {
        if (!s.empty()) s += ' ';
        s += '@' + b->pathName();
    }
    return s;
}

}  // namespace sofa::core
