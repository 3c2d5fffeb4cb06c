// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <vector>

#include "core/visual/SceneDrawing.h"

namespace sofa::test {

/// All display flags on, without Wireframe.
core::DisplayFlags everythingShown();

/// What is wrong with a frame: numbers that are not finite, indices of vertices that do not exist, arrays of the
/// wrong length, groups of triangles outside the triangles. Empty when all is well.
std::vector<std::string> faultsOf(const core::DrawList& list);

/// Whether two frames have the same things in the same arrays: nothing would be uploaded again.
bool haveSameArrays(const core::DrawList& a, const core::DrawList& b);

/// Things that a component drew.
std::vector<const core::DrawItem*> itemsOf(const core::DrawList& list, const core::Component& owner);

/// A drawing of one component by itself: of its node with these flags ("showForceFields ...").
struct Drawing
{
    explicit Drawing(core::Component& component, const std::string& flags = "showAll");
    std::size_t size() const { return items.size(); }
    const core::Geometry& geometry(std::size_t i) const { return *items.at(i)->geometry; }
    const core::DrawStyle& style(std::size_t i) const { return items.at(i)->style; }
    /// Sums over all things.
    std::size_t points = 0, lines = 0, triangles = 0, solids = 0, labels = 0;

    core::SceneDrawing drawing;
    std::shared_ptr<const core::DrawList> list;
    std::vector<const core::DrawItem*> items;
};

}  // namespace sofa::test
