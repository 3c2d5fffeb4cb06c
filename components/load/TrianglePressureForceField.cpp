// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/TrianglePressureForceField.h"

#include <limits>

#include "core/factory/Registry.h"

namespace sofa::component {

TrianglePressureForceField::TrianglePressureForceField()
{
    ignoreAttribute("triangleIndices", "the triangles are those of triangleList");
    ignoreAttribute("arrowSizeCoef", "use showForces");
    ignoreAttribute("p_intensity", "use pressure");
}

core::Vec3 TrianglePressureForceField::cornerForce(std::size_t triangle, const VecCoord& x) const
{
    if (d_useConstantForce.value()) return ElementPressure::cornerForce(triangle, x);
    const core::Triangle& t = m_elements[triangle];
    return d_cauchyStress.value() * (cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]) / 6.);
}

double TrianglePressureForceField::potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const
{
    return d_useConstantForce.value() ? ElementPressure::potentialEnergy(mp, x)
                                      : std::numeric_limits<double>::quiet_NaN();
}

static const core::RegisterComponent registeredTrianglePressureForceField =
    core::RegisterComponent("TrianglePressureForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A pressure on triangles of a mesh")
        .example("component/load/TrianglePressureForceField.scn")
        .add<TrianglePressureForceField>();

}  // namespace sofa::component
