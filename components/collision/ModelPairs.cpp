// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/ModelPairs.h"

#include <algorithm>

namespace sofa::component {

ModelPairs::ModelPairs(const std::vector<CollisionModel*>& models, const Vector<Vec3>& corners,
                       const IntersectionMethod& method)
    : m_method(method), m_distance(method.alarmDistance())
{
    geometry::Aabb region;
    for (const Vec3& c : corners) region.include(c);
    for (const CollisionModel* m : models)
        if (m->size() > 0 && (corners.size() != 2 || m->box().overlaps(region))) m_models.push_back(m);
}

void ModelPairs::append(std::size_t i, std::size_t j, std::vector<ModelPair>& pairs) const
{
    const CollisionModel &a = *m_models[i], &b = *m_models[j];
    if (!a.d_simulated.value() && !b.d_simulated.value()) return;
    if (!a.canCollideWith(b) || !b.canCollideWith(a)) return;
    bool swapped = false;
    if (!m_method.find(a.shape(), b.shape(), swapped)) return;
    pairs.push_back(swapped ? ModelPair{&b, &a} : ModelPair{&a, &b});
}

void ModelPairs::appendAll(Vector<geometry::IndexPair>& near, std::vector<ModelPair>& pairs) const
{
    std::sort(near.begin(), near.end(), [](const geometry::IndexPair& p, const geometry::IndexPair& q) {
        return p.second != q.second ? p.second < q.second : p.first < q.first;
    });
    std::size_t k = 0;
    for (std::size_t i = 0; i < m_models.size(); ++i) {
        if (m_models[i]->d_selfCollision.value()) append(i, i, pairs);
        for (; k < near.size() && near[k].second == i; ++k) append(i, near[k].first, pairs);
    }
}

}  // namespace sofa::component
