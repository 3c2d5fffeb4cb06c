// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/CollisionDetection.h"

#include "core/log/Timer.h"

namespace sofa::core {

PrimitiveTest IntersectionMethod::find(CollisionShape a, CollisionShape b, bool& swapped) const
{
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    swapped = !m_tests[i][j];
    return swapped ? m_tests[j][i] : m_tests[i][j];
}

void computeCollisions(Node& scene, double dt)
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
            pipeline->computeCollisionDetection();
        }
        const ScopedTimer t("Response");
        pipeline->computeCollisionResponse();
    }
    scene.propagateEvent(CollisionEndEvent(dt));
}

}  // namespace sofa::core
