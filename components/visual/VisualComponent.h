// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "core/behavior/Solvers.h"
#include "core/visual/DrawTool.h"
#include "core/visual/ViewMatrices.h"

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

/// Writes a value that is told to others, unless it is there already: whatever depends on it stays as it is.
template <class T>
void setIfOther(Data<T>& data, const T& value)
{
    if (!(data.value() == value)) data.setValue(value);
}
/// The same for the numbers of a matrix, row after row.
template <class T>
void setMatrix(Data<Vector<T>>& data, const ViewMatrix& columns)
{
    const ViewMatrix rows = rowsOf(columns);
    const auto same = [](T a, double b) { return a == static_cast<T>(b); };
    if (std::ranges::equal(data.value(), rows, same)) return;
    const auto to = data.edit();
    to->resize(rows.size());
    std::ranges::transform(rows, to.begin(), [](double v) { return static_cast<T>(v); });
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
