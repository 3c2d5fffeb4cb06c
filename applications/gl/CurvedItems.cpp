// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/CurvedItems.h"

#include "core/visual/CurvedFaces.h"

namespace sofa::gl {

void CurvedItems::beginFrame()
{
    ++m_frame;
    m_items.clear();
}

const DrawItem& CurvedItems::flat(const DrawList& list, const DrawItem& item, const Camera& camera)
{
    const Geometry& g = *item.geometry;
    if (g.patches.empty()) return item;
    Kept& kept = m_kept[item.slot];
    if (kept.frame != m_frame) {
        kept.frame = m_frame;
        const auto frame = list.frameOf(item.scope);
        const auto pixelSize = [&](const Vec3f& p) {
            const Vec3 x(p);
            return camera.pixelSize(frame ? frame->center + frame->orientation.rotate(x) : x);
        };
        const int n = divisionsOf(g, pixelSize);
        const std::array revisions{g.positions.revision, g.normals.revision, g.colors.revision, g.patches.revision};
        const bool same = kept.geometry && kept.divisions == n && kept.revisions == revisions &&
                          g.positions.revision != 0 && g.patches.revision != 0;
        if (!same) {
            // Others may still hold what was drawn before.
            if (!kept.geometry || kept.geometry.use_count() > 1) kept.geometry = std::make_shared<Geometry>();
            flatten(g, n, *kept.geometry);
            kept.divisions = n;
            kept.revisions = revisions;
            ++m_revision;
            kept.geometry->positions.revision = kept.geometry->normals.revision = m_revision;
            kept.geometry->colors.revision = kept.geometry->triangles.revision = m_revision;
        }
    }
    m_items.push_back(item);
    m_items.back().geometry = kept.geometry;
    return m_items.back();
}

int CurvedItems::divisions(std::uint64_t slot) const
{
    const auto it = m_kept.find(slot);
    return it == m_kept.end() || it->second.frame != m_frame ? 1 : it->second.divisions;
}

void CurvedItems::endFrame()
{
    std::erase_if(m_kept, [this](const auto& k) { return k.second.frame != m_frame; });
}

}  // namespace sofa::gl
