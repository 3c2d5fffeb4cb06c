// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/ModelPairs.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// Number of models from which a hierarchy of their boxes costs less than all comparisons.
constexpr std::size_t manyModels = 64;

/// Compares every two models; if there are many, by a hierarchy of their boxes, with the same result.
class BruteForceBroadPhase final : public BroadPhase
{
public:
    Data<Vector<Vec3>> d_box{
        this,
        {.name = "box", .help = "Two corners of a box; models outside of it are ignored. Default: none", .unit = "m"}};

    void findPairs(const std::vector<CollisionModel*>& models, const IntersectionMethod& method,
                   std::vector<ModelPair>& pairs) override
    {
        const ModelPairs all(models, d_box.value(), method);
        const std::size_t n = all.models().size();
        if (n < manyModels) {
            for (std::size_t i = 0; i < n; ++i) {
                if (all.models()[i]->d_selfCollision.value()) all.append(i, i, pairs);
                for (std::size_t j = 0; j < i; ++j)
                    if (all.near(i, j)) all.append(i, j, pairs);
            }
            return;
        }
        m_boxes.resize(n);
        for (std::size_t i = 0; i < n; ++i) m_boxes[i] = all.models()[i]->box();
        m_tree.update(m_boxes);
        const auto near = m_search.within(m_tree, all.distance());
        m_near.assign(near.begin(), near.end());
        all.appendAll(m_near, pairs);
    }

private:
    Vector<geometry::Aabb> m_boxes;
    geometry::Bvh m_tree;
    geometry::BvhPairs m_search;
    Vector<geometry::IndexPair> m_near;
};

const RegisterComponent registeredBruteForceBroadPhase =
    RegisterComponent("BruteForceBroadPhase", "BroadPhase", "Sofa.Component.Collision.Detection.Algorithm")
        .help("Pairs of collision models whose boxes are near: every two are compared, many through a hierarchy")
        .alias("ParallelBruteForceBroadPhase")
        .example("component/collision/Spheres.scn")
        .add<BruteForceBroadPhase>();

}  // namespace

}  // namespace sofa::component
