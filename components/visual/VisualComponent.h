// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of components that only draw: they hold what a viewer needs to know and do nothing without one.
class VisualComponent : public Component, public VisualModel
{
public:
    Data<bool> d_enable{this, {.name = "enable", .help = "Draw this component"}, true};

    VisualComponent() { addAlias(d_enable, "isEnabled"); }

protected:
    /// Whether it is to be drawn: it is enabled, and its node shows visual models.
    bool isShown(const DrawTool& tool) const { return d_enable.value() && tool.shows(DisplayFlags::VisualModels); }
};

/// A number that changes with any of the Data: the version of a geometry that is made from them.
inline std::uint64_t versionOf(std::initializer_list<const BaseData*> data)
{
    std::uint64_t sum = 0;
    for (const BaseData* d : data) sum += d->counter();
    return sum;
}

/// Gives values to the vertices of the visual models of its node, for their shader.
class VertexAttributeSource
{
public:
    virtual ~VertexAttributeSource() = default;
    virtual VertexAttribute attribute() const = 0;
    /// Changes with the values.
    virtual std::uint64_t attributeVersion() const = 0;
};

}  // namespace sofa::component
