// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/objectmodel/Node.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// Where the points of a mesh are now: those of the state that moves it, or of the mesh itself where there is none.
class PresentPositions
{
public:
    explicit PresentPositions(const BaseMeshTopology& mesh) : m_mesh(mesh)
    {
        mesh.node()->visit(Search::Up, [this](const Component& c) {
            const auto* s = dynamic_cast<const BaseState*>(&c);
            if (s && s->isMechanical() && s->size() == m_mesh.nbPoints()) m_state = s;
            return m_state == nullptr;
        });
    }
    /// [m]
    Vec3 operator()(Index point) const { return m_state ? m_state->pointPosition(point) : m_mesh.pointPosition(point); }

private:
    const BaseMeshTopology& m_mesh;
    const BaseState* m_state = nullptr;
};

}  // namespace sofa::core
