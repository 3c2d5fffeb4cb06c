// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/ForceResponse.h"

namespace sofa::component {

void ForceResponse::insert(Node& where, const std::string& name)
{
    m_points1 = ContactPoints::create(*models().first, "contacts of " + name);
    m_points2 =
        models().first == models().second ? nullptr : ContactPoints::create(*models().second, "contacts of " + name);
    m_force = makeForce();
    m_force->setName(name);
    m_force->l_state1.set(&m_points1->state());
    m_force->l_state2.set(&second().state());
    where.addComponent(m_force);
    m_where = &where;
    m_force->init();
}

void ForceResponse::remove()
{
    m_where->removeComponent(*m_force);
    m_points1->remove();
    if (m_points2) m_points2->remove();
}

std::vector<Base*> ForceResponse::inserted() const
{
    std::vector<Base*> all{m_force.get()};
    for (const auto* points : {m_points1.get(), m_points2.get()})
        if (points && points->node()) all.push_back(points->node());
    return all;
}

void ForceResponse::moveForces(Node& where)
{
    where.addComponent(m_force);
    m_where = &where;
}

bool ForceResponse::canPush(const ModelPair& m)
{
    return m.first->shape() != CollisionShape::Ray && m.second->shape() != CollisionShape::Ray;
}

void ForceResponse::clearPoints()
{
    m_points1->clear();
    if (m_points2) m_points2->clear();
}

void ForceResponse::finishPoints()
{
    m_points1->finish();
    if (m_points2) m_points2->finish();
}

}  // namespace sofa::component
