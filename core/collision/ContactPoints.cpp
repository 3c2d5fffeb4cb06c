// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/ContactPoints.h"

#include <stdexcept>

namespace sofa::core {

namespace {
ContactPoints::Provider provider = nullptr;
}

std::unique_ptr<ContactPoints> ContactPoints::create(const CollisionModel& model, const std::string& name)
{
    if (!provider) throw std::logic_error("the library of the collision models is not loaded");
    return provider(model, name);
}

void ContactPoints::setProvider(Provider p) { provider = p; }

}  // namespace sofa::core
