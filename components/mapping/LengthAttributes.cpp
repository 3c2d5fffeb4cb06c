// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/LengthAttributes.h"

#include "core/visual/DrawElements.h"

namespace sofa::component {

ShownLines::ShownLines(Base& owner)
    : m_scale(&owner,
              {.name = "showObjectScale",
               .help = "Radius of the cylinders that show what is measured; 0: lines",
               .unit = "m",
               .range = Range::nonNegative(),
               .group = "Visualization"},
              0.),
      m_color(&owner, {.name = "showColor", .help = "Color of what is measured", .group = "Visualization"},
              Color(1.f, 1.f, 0.f))
{
}

void ShownLines::draw(DrawTool& tool, std::span<const Vec3> ends) const
{
    if (m_scale.value() > 0.)
        tool.cylinders(ends, m_scale.value(), litStyle(m_color.value()));
    else
        tool.lines(ends, plainStyle(m_color.value()));
}

RestLengths::RestLengths(Base& owner)
    : m_lengths(&owner, {.name = "restLengths",
                         .help = "Lengths that are subtracted; default: see the description of the component",
                         .unit = "m"})
{
}

bool RestLengths::complete(Component& owner, std::size_t lines, const std::function<double(std::size_t)>& length)
{
    const std::size_t given = m_lengths.value().size();
    if (given == lines) return true;
    if (given > 0) {
        owner.fail("restLengths has " + std::to_string(given) + " values; expected " + std::to_string(lines) +
                   ", one for each output");
        return false;
    }
    Vector<double> lengths(lines);
    for (std::size_t i = 0; i < lines; ++i) lengths[i] = length(i);
    m_lengths.setValue(std::move(lengths));
    return true;
}

}  // namespace sofa::component
