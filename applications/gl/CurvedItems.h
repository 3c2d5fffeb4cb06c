// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <deque>
#include <map>

#include "applications/gl/Camera.h"
#include "core/visual/DrawList.h"

namespace sofa::gl {

/// Divides curved triangles as finely as a camera sees them, so that all else knows flat ones only. What neither moved
/// nor came nearer is kept from frame to frame.
class CurvedItems
{
public:
    void beginFrame();
    /// The item itself; where its triangles are curved, one with flat ones, which holds until the next frame begins.
    const DrawItem& flat(const DrawList& list, const DrawItem& item, const Camera& camera);
    /// Pieces of the edges of a slot in this frame: each curved triangle has as many flat ones, squared.
    int divisions(std::uint64_t slot) const;
    /// Forgets slots that were not asked for since beginFrame().
    void endFrame();

private:
    struct Kept
    {
        std::shared_ptr<Geometry> geometry;
        std::array<std::uint64_t, 4> revisions{};  ///< of the arrays that it was made of
        int divisions = 0;
        std::size_t frame = 0;
    };
    std::map<std::uint64_t, Kept> m_kept;
    std::deque<DrawItem> m_items;
    std::size_t m_frame = 0;
    std::uint64_t m_revision = std::uint64_t{1} << 63;  ///< numbers that no scene uses
};

}  // namespace sofa::gl
