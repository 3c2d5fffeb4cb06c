// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Ordering.h"
#include "core/objectmodel/Component.h"

namespace sofa::core {

/// Names the fill-reducing ordering that direct solvers use.
class BaseOrdering : public Component
{
public:
    static std::string_view typeLabel() { return "ordering method"; }
    virtual OrderingMethod method() const = 0;
};

}  // namespace sofa::core
