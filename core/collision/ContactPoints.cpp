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

PlacedContact placeContact(ContactPoints& first, ContactPoints& second, const ModelPair& models,
                           const DetectedContact& c)
{
    const double armLength1 = first.arm(c.primitive1), armLength2 = second.arm(c.primitive2);
    const Vec3 arm1 = c.normal * armLength1, arm2 = c.normal * -armLength2;
    return {first.add(c.primitive1, c.point1, arm1), second.add(c.primitive2, c.point2, arm2),
            (c.point2 + arm2) - (c.point1 + arm1),
            (models.first->radius(c.primitive1) - armLength1) + (models.second->radius(c.primitive2) - armLength2),
            armLength1 > 0. || armLength2 > 0.};
}

}  // namespace sofa::core
