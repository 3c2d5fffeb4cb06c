// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/collision/CollisionModel.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// The primitives of two models as a contact response saw them last. When some came or went, numbers of primitives may
/// be those of others.
class SeenPrimitives
{
public:
    void see(const CollisionModel& first, const CollisionModel& second)
    {
        m_sizes = {first.size(), second.size()};
        m_revisions = revisions(first, second);
    }
    bool areStill(const CollisionModel& first, const CollisionModel& second) const
    {
        return m_sizes == std::array{first.size(), second.size()} && m_revisions == revisions(first, second);
    }
    /// Revisions of meshes are numbers of this run: what is kept is whether they have changed.
    void archive(Archive& a, const CollisionModel& first, const CollisionModel& second)
    {
        a(m_sizes);
        bool same = m_revisions == revisions(first, second);
        a(same);
        if (!a.loading()) return;
        m_revisions = revisions(first, second);
        if (!same) ++m_revisions[0];
    }

private:
    static std::array<std::size_t, 2> revisions(const CollisionModel& first, const CollisionModel& second)
    {
        const auto of = [](const CollisionModel& m) { return m.topology() ? m.topology()->revision() : 0; };
        return {of(first), of(second)};
    }

    std::array<Index, 2> m_sizes{};
    std::array<std::size_t, 2> m_revisions{};
};

}  // namespace sofa::core
