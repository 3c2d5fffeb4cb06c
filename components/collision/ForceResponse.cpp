// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/ForceResponse.h"

#include "components/collision/RayCollisionModel.h"
#include "core/objectmodel/Transient.h"

namespace sofa::component {

void ForceResponse::insert(Node& where, const std::string& name, SharedContactPoints& shared)
{
    if (keepsPoints())
        m_points.create(models(), name);
    else
        m_points.share(models(), shared);
    m_force = makeForce();
    m_force->setName(name);
    setTransient(*m_force);
    m_force->l_state1.set(&m_points.first().state());
    m_force->l_state2.set(&m_points.second().state());
    where.addComponent(m_force);
    m_force->init();
}

std::vector<Base*> ForceResponse::inserted() const
{
    std::vector<Base*> all{m_force.get()};
    m_points.appendNodes(all);
    return all;
}

bool ForceResponse::canPush(const ModelPair& m)
{
    return m.first->shape() != rayShape() && m.second->shape() != rayShape();
}

}  // namespace sofa::component
