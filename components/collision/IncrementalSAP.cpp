// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/ModelPairs.h"
#include "components/collision/NarrowPhases.h"
#include "components/collision/SweepAndPrune.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// Incremental sweep and prune over the boxes of models. As in SOFA it brings a narrow phase along.
class IncrSAP final : public BroadPhase
{
public:
    Data<Vector<Vec3>> d_box{
        this,
        {.name = "box", .help = "Two corners of a box; models outside of it are ignored. Default: none", .unit = "m"}};

    void findPairs(const std::vector<CollisionModel*>& models, const IntersectionMethod& method,
                   std::vector<ModelPair>& pairs) override
    {
        const ModelPairs all(models, d_box.value(), method);
        m_boxes.resize(all.models().size());
        for (std::size_t i = 0; i < m_boxes.size(); ++i) m_boxes[i] = all.models()[i]->box();
        m_sweep.update(m_boxes, all.distance());
        m_sweep.pairs(m_near);
        all.appendAll(m_near, pairs);
    }
    NarrowPhase* narrowPhase() override { return &m_narrowPhase; }
    void reset() override { m_narrowPhase.reset(); }
    void archive(Archive& a) override { m_narrowPhase.archive(a); }

private:
    BVHNarrowPhase m_narrowPhase;
    Vector<geometry::Aabb> m_boxes;
    SweepAndPrune m_sweep;
    Vector<geometry::IndexPair> m_near;
};

const RegisterComponent registeredIncrSAP =
    RegisterComponent("IncrSAP", "BroadPhase", "Sofa.Component.Collision.Detection.Algorithm")
        .help(
            "Pairs of collision models whose boxes are near, by end points that stay sorted while models move little "
            "in a step; with a narrow phase of its own if the scene has none")
        .example("component/collision/SweepAndPrune.scn")
        .add<IncrSAP>();

}  // namespace

}  // namespace sofa::component
