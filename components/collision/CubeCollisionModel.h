// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/collision/CollisionModel.h"

namespace sofa::component {

using namespace sofa::core;

/// The boxes of the other collision models of its node, one for each, in the order of the models. As in SOFA, where
/// such models are the levels of the bounding-volume trees, they have no contacts.
class CubeCollisionModel final : public CollisionModel
{
public:
    void init() override;
    CollisionShape shape() const override;
    /// State of the node. Throws std::runtime_error if it has none; the boxes need none.
    BaseState& state() const override;
    std::span<const Index> vertices(Index) const override { return {}; }
    /// Box of a model, with its skin [m].
    const geometry::Aabb& modelBox(Index i) const { return m_modelBoxes[i]; }

protected:
    void updatePrimitives() override;
    Index primitiveCount() const override { return static_cast<Index>(m_modelBoxes.size()); }
    geometry::Aabb bounds(Index i) const override { return m_modelBoxes[i]; }
    void drawPrimitives(DrawTool& tool) override;

private:
    BaseState* m_state = nullptr;
    Vector<geometry::Aabb> m_modelBoxes;
};

}  // namespace sofa::component
