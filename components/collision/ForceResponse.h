// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/collision/ContactPoints.h"
#include "core/collision/ContactResponse.h"

namespace sofa::component {

using namespace sofa::core;

/// What the responses by forces share: contact points on both models, one force field between them, and the node that
/// holds it, which groups of objects may change.
class ForceResponse : public ContactResponse
{
public:
    using ContactResponse::ContactResponse;

    void insert(Node& where, const std::string& name) final;
    void remove() final;
    std::vector<Base*> inserted() const final;
    Node* forceNode() const final { return m_where; }
    void moveForces(Node& where) final;

    /// Whether forces can act on these models: rays have no surface that could be pushed.
    static bool canPush(const ModelPair& m);

protected:
    /// Makes the force field, without states; called once.
    virtual std::shared_ptr<PairInteractionForceField<Vec3Types>> makeForce() = 0;

    /// Starts new lists of contact points; add to both, then finish.
    void clearPoints();
    ContactPoints& first() { return *m_points1; }
    ContactPoints& second() { return m_points2 ? *m_points2 : *m_points1; }
    void finishPoints();

private:
    std::unique_ptr<ContactPoints> m_points1, m_points2;  ///< the second one is null for a model with itself
    std::shared_ptr<PairInteractionForceField<Vec3Types>> m_force;
    Node* m_where = nullptr;
};

}  // namespace sofa::component
