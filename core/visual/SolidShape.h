// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/visual/DrawTool.h"

namespace sofa::core {

/// A component that knows the shape of something without a mesh: balls and boxes of a collision model, an obstacle that
/// a force field describes. Viewers show it where nothing else shows the thing.
class SolidShape
{
public:
    virtual ~SolidShape() = default;
    /// Whether there is a shape at all.
    virtual bool hasShape() const { return true; }
    /// State that carries the shape; null: an obstacle that stands by itself.
    virtual const BaseState* shapeState() const { return nullptr; }
    /// The colour that the scene gives; none if it gives none.
    virtual std::optional<Color> shapeColor() const = 0;
    virtual void drawShape(DrawTool& tool, const DrawStyle& style) = 0;
};

}  // namespace sofa::core
