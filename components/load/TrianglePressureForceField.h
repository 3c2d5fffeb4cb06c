// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/ElementPressure.h"

namespace sofa::component {

/// A pressure on triangles of a mesh.
///
/// With useConstantForce, the vector p (force per area) times the area at rest, in thirds to the vertices: f = p A₀ /
/// 3, with E = −Σ f·x. Otherwise the traction of a given Cauchy stress σ on the present triangle,
///     f = σ a / 3,   a = ½ (x₁ − x₀) × (x₂ − x₀),
/// which follows the surface; as in SOFA its derivative is left out, and it has no potential.
/// The triangles are those of triangleList at initialisation, or those between two planes, see ElementPressure.
class TrianglePressureForceField : public ElementPressure<3>
{
public:
    core::Data<core::Mat3> d_cauchyStress{
        this, {.name = "cauchyStress", .help = "Stress that acts on the normals of the triangles", .unit = "Pa"}};
    core::Data<bool> d_useConstantForce{
        this, {.name = "useConstantForce", .help = "Use pressure and areas at rest, not cauchyStress"}, true};

    TrianglePressureForceField();

    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    using ElementPressure::potentialEnergy;

protected:
    core::Vec3 cornerForce(std::size_t triangle, const VecCoord& x) const override;
};

}  // namespace sofa::component
