// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SceneForces.h"

namespace sofa::core {

thread_local SceneForces* SceneForces::s_innermost = nullptr;

SceneForces::SceneForces(Node& root) : m_root(root), m_outer(s_innermost) { s_innermost = this; }

SceneForces::~SceneForces() { s_innermost = m_outer; }

VecDerivId SceneForces::total()
{
    if (!m_total) {
        VectorOperations vop(m_root);
        m_total.emplace(vop);
        MechanicalOperations(m_root, MechanicalParams()).computeForce(*m_total);
    }
    return *m_total;
}

}  // namespace sofa::core
