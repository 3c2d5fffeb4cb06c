// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/CollisionDetection.h"

#include <algorithm>
#include <numeric>

#include "core/log/Timer.h"

namespace sofa::core {

PrimitiveTest IntersectionMethod::find(CollisionShape a, CollisionShape b, bool& swapped) const
{
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    swapped = !m_tests[i][j];
    return swapped ? m_tests[j][i] : m_tests[i][j];
}

void sortContacts(const ModelPair& models, Vector<DetectedContact>& contacts)
{
    if (contacts.size() < 2) return;
    const SplitOrder &a = models.first->order(), &b = models.second->order();
    Vector<std::size_t> order(contacts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t k, std::size_t l) {
        const DetectedContact &p = contacts[k], &q = contacts[l];
        return SplitOrder::before(a, b, p.primitive1, p.primitive2, q.primitive1, q.primitive2);
    });
    Vector<DetectedContact> sorted(contacts.size());
    for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = contacts[order[k]];
    contacts = std::move(sorted);
}

void IntersectionMethod::prepare(const ModelPair& models) const
{
    // All but lines and triangles ask triangles that they meet for the neighbours of these.
    const auto asks = [](const CollisionModel& m) {
        return m.shape() != CollisionShape::Line && m.shape() != CollisionShape::Triangle;
    };
    if (!asks(*models.first) && !asks(*models.second)) return;
    models.first->surface();
    models.second->surface();
}

void computeCollisions(Node& scene, double dt, const std::optional<CollisionUpdate>& motion)
{
    scene.propagateEvent(CollisionBeginEvent(dt));
    for (auto* pipeline : scene.getAll<CollisionPipeline>(Search::Down)) {
        const ScopedTimer timer("Collision");
        {
            const ScopedTimer t("Reset");
            pipeline->computeCollisionReset();
        }
        {
            const ScopedTimer t("Detection");
            pipeline->setMotion(motion);
            pipeline->computeCollisionDetection();
            pipeline->setMotion({});
        }
        const ScopedTimer t("Response");
        pipeline->computeCollisionResponse();
    }
    scene.propagateEvent(CollisionEndEvent(dt));
}

}  // namespace sofa::core
