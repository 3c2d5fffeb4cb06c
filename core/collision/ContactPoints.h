// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>

#include "core/collision/CollisionModel.h"

namespace sofa::core {

/// Where the contacts of a collision model act: points on its primitives, as a state of their own that follows that of
/// the model. Points and spheres of points need none: their contacts act on the points themselves.
class ContactPoints
{
public:
    virtual ~ContactPoints() = default;
    /// The way of a model; it may add a node below that of the model. Throws std::logic_error without a provider.
    static std::unique_ptr<ContactPoints> create(const CollisionModel& model, const std::string& name);
    /// What makes them; the library of the collision models sets it when it is loaded.
    using Provider = std::unique_ptr<ContactPoints> (*)(const CollisionModel& model, const std::string& name);
    static void setProvider(Provider p);

    virtual State<Vec3Types>& state() = 0;
    /// The (transient) node that was made for them; nullptr if there is none.
    virtual Node* node() const { return nullptr; }
    /// Starts a new list of points.
    virtual void clear() = 0;
    /// Adds a point of a primitive, given in space [m], and returns its index in the state.
    virtual Index add(Index primitive, const Vec3& point) = 0;
    /// Moves the points, and gives them velocities, after the last one was added; where the model has had its free
    /// motion, the free positions and velocities too, and the Jacobian is that at the free positions (as in SOFA).
    virtual void finish() = 0;
    /// Takes the node away again.
    virtual void remove() = 0;
};

}  // namespace sofa::core
