// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/RotationMethods.h"

namespace sofa::component {

Options rotationMethodOptions(bool withSvd)
{
    std::vector<std::string> names{"small", "large", "polar"};
    if (withSvd) names.emplace_back("svd");
    return {std::move(names), 1};
}

RotationMethod rotationMethod(const Options& o)
{
    // The options have the order of the enumeration.
    return static_cast<RotationMethod>(o.index());
}

}  // namespace sofa::component
