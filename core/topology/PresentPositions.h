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
        for (const BaseState* s : mesh.node()->getAll<BaseState>(Search::Up))
            if (!m_state && s->isMechanical() && s->size() == mesh.nbPoints()) m_state = s;
    }
    /// [m]
    Vec3 operator()(Index point) const { return m_state ? m_state->pointPosition(point) : m_mesh.pointPosition(point); }

private:
    const BaseMeshTopology& m_mesh;
    const BaseState* m_state = nullptr;
};

}  // namespace sofa::core
