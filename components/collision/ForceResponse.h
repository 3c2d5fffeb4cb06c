// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/collision/ContactResponse.h"

namespace sofa::component {

using namespace sofa::core;

/// What the responses by forces share: contact points on both models, one force field between them, whose node
/// groups of objects may change.
class ForceResponse : public ContactResponse
{
public:
    using ContactResponse::ContactResponse;

    void insert(Node& where, const std::string& name, SharedContactPoints& points) final;
    Component* component() const final { return m_force.get(); }
    void remove() final { points().remove(); }
    std::vector<Base*> inserted() const final;
    bool actsByForce() const final { return true; }

    /// Whether forces can act on these models: rays have no surface that could be pushed.
    static bool canPush(const ModelPair& m);

protected:
    /// Makes the force field, without states; called once.
    virtual std::shared_ptr<PairInteractionForceField<Vec3Types>> makeForce() = 0;

    /// Whether its points outlast the contacts of a step; then it clears and finishes them itself.
    virtual bool keepsPoints() const { return false; }
    PairPoints& points() { return m_points; }

private:
    PairPoints m_points;
    std::shared_ptr<PairInteractionForceField<Vec3Types>> m_force;
};

}  // namespace sofa::component
