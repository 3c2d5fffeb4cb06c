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

std::shared_ptr<ContactPoints> SharedContactPoints::of(const CollisionModel& model)
{
    const auto [it, isNew] = m_places.emplace(&model, m_entries.size());
    if (isNew) m_entries.push_back({&model, ContactPoints::create(model, "contacts of " + model.name())});
    return m_entries[it->second].points;
}

void SharedContactPoints::clear()
{
    for (const Entry& e : m_entries) e.points->clear();
}

void SharedContactPoints::finish()
{
    const auto isUnused = [](const Entry& e) { return e.points.use_count() == 1; };
    for (const Entry& e : m_entries) isUnused(e) ? e.points->remove() : e.points->finish();
    if (std::erase_if(m_entries, isUnused) == 0) return;
    m_places.clear();
    for (std::size_t k = 0; k < m_entries.size(); ++k) m_places[m_entries[k].model] = k;
}

std::vector<const CollisionModel*> SharedContactPoints::models() const
{
    std::vector<const CollisionModel*> all;
    for (const Entry& e : m_entries) all.push_back(e.model);
    return all;
}

void PairPoints::share(const ModelPair& models, SharedContactPoints& points)
{
    m_first = points.of(*models.first);
    m_second = points.of(*models.second);
}

void PairPoints::create(const ModelPair& models, const std::string& name)
{
    m_own = true;
    m_first = ContactPoints::create(*models.first, "contacts of " + name);
    m_second = models.first == models.second ? m_first : ContactPoints::create(*models.second, "contacts of " + name);
}

void PairPoints::clear()
{
    if (!m_own) return;
    m_first->clear();
    m_second->clear();
}

void PairPoints::finish()
{
    if (!m_own) return;
    m_first->finish();
    if (m_second != m_first) m_second->finish();
}

void PairPoints::appendNodes(std::vector<Base*>& to) const
{
    if (m_first && m_first->node()) to.push_back(m_first->node());
    if (m_second && m_second != m_first && m_second->node()) to.push_back(m_second->node());
}

void PairPoints::remove()
{
    if (m_own) {
        m_first->remove();
        if (m_second != m_first) m_second->remove();
    }
    m_first = m_second = nullptr;
}

PlacedContact placeContact(PairPoints& points, const ModelPair& models, const DetectedContact& c)
{
    ContactPoints &first = points.first(), &second = points.second();
    const double armLength1 = first.arm(c.primitive1), armLength2 = second.arm(c.primitive2);
    const Vec3 arm1 = c.normal * armLength1, arm2 = c.normal * -armLength2;
    return {first.add(c.primitive1, {c.point1, c.weights1}, arm1),
            second.add(c.primitive2, {c.point2, c.weights2}, arm2), (c.point2 + arm2) - (c.point1 + arm1),
            (models.first->radius(c.primitive1) - armLength1) + (models.second->radius(c.primitive2) - armLength2),
            armLength1 > 0. || armLength2 > 0.};
}

}  // namespace sofa::core
