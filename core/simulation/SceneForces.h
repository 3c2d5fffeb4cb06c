// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/collision/ContactResponse.h"
#include "core/visitor/StateVectors.h"

namespace sofa::core {

/// All forces on the points of a scene at its present state, computed when one asks, in a vector of their own: who
/// looks at a run does not change its bits. While it lives, the quantities of the scene that this thread computes
/// (reaction, totalForce, ...) share it: the scene must not change meanwhile.
class SceneForces
{
public:
    explicit SceneForces(Node& root);
    ~SceneForces();
    SceneForces(const SceneForces&) = delete;
    SceneForces& operator=(const SceneForces&) = delete;

    /// The vector with all forces [N], what mapped states carry to others included.
    VecDerivId total();
    /// The same of the forces of contacts (ContactResponse::appendForces) only.
    VecDerivId contacts();

    /// Calls f with one of these vectors, of the nearest one of the scene that lives, or of a new one.
    template <class F>
    static auto with(Node& root, F&& f, VecDerivId (SceneForces::*which)() = &SceneForces::total)
    {
        for (SceneForces* s = s_innermost; s; s = s->m_outer)
            if (&s->m_root == &root) return f((s->*which)());
        SceneForces own(root);
        return f((own.*which)());
    }

private:
    static thread_local SceneForces* s_innermost;

    Node& m_root;
    SceneForces* m_outer;
    std::optional<TempDeriv> m_total, m_contacts;
};

/// The contacts of a scene that act, with their forces, in the order of the scene and of their detection.
Vector<ContactForce> contactForces(Node& root);

}  // namespace sofa::core
