// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <span>

#include "core/objectmodel/Component.h"
#include "core/visual/Color.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

using namespace sofa::core;

/// How a mapping to lengths shows the lines that it measures (flag MechanicalMappings).
class ShownLines
{
public:
    explicit ShownLines(Base& owner);
    /// `ends`: two points of each line.
    void draw(DrawTool& tool, std::span<const Vec3> ends) const;

private:
    Data<double> m_scale;
    Data<Color> m_color;
};

/// Rest lengths of measured lines.
class RestLengths
{
public:
    explicit RestLengths(Base& owner);
    /// Sets those that are not given, with the function of a line's number. False, with the failure of `owner`
    /// reported, if there is another number of them than `lines`.
    bool complete(Component& owner, std::size_t lines, const std::function<double(std::size_t)>& length);
    double operator[](std::size_t i) const { return m_lengths.value()[i]; }

private:
    Data<Vector<double>> m_lengths;
};

}  // namespace sofa::component
