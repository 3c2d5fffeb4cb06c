// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <optional>

namespace sofa::core {

/// What is shown of the node or component that the user selected.
struct SelectionDescription
{
    bool nodeBox = true, componentBox = true;  ///< box of all below a node; of a component
    bool positions = true, surfaces = true, volumes = true, indices = true;
    double scale = 0.02;  ///< height of the numbers relative to the diagonal of the box around the scene's states
    friend bool operator==(const SelectionDescription&, const SelectionDescription&) = default;
};

/// What the scene says of the window in which it is seen.
struct ViewerDescription
{
    std::optional<std::array<int, 2>> size;  ///< of the view [pixel]
    std::optional<bool> fullScreen;
    std::optional<bool> orthographic;  ///< projection of the first view
    bool picksOnlyCollisionModels = false;
    SelectionDescription selection;
    friend bool operator==(const ViewerDescription&, const ViewerDescription&) = default;
};

}  // namespace sofa::core
