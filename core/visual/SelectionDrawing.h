// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/visual/DrawTool.h"

namespace sofa::core {

/// The box around a selected component, or around all below a selected node [m]; of a component without extent that of
/// its node.
BoundingBox selectedBox(const Base& selected);

/// Shows where a selected node is: the box around all components below it, over everything else.
void drawSelection(DrawTool& tool, const Node& node, const SelectionDescription& how);
/// Shows where a selected component is, over everything else: its box, and what it has of points, faces, edges of
/// volumes and numbers of points. Of more points than can be read, numbers are left out.
void drawSelection(DrawTool& tool, const Component& component, const SelectionDescription& how);

}  // namespace sofa::core
