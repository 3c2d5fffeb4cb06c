// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/QuadraticBendingForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

using core::Vec3;

bool QuadraticBendingForceField::weigh(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, Hinge& hinge) const
{
    const Vec3 edge = d - c;
    const double na = norm(cross(edge, a - c)), nb = norm(cross(edge, b - c));
    const double ac = dot(edge, a - c) / na, ad = dot(-edge, a - d) / na, bc = dot(edge, b - c) / nb,
                 bd = dot(-edge, b - d) / nb;
    hinge.weights = {-ac - ad, -bc - bd, ad + bd, ac + bc};
    hinge.stiffness = 2. * d_bendingStiffness.value() / (na + nb);
    return true;
}

static const core::RegisterComponent registeredQuadraticBendingForceField =
    core::RegisterComponent("QuadraticBendingForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Quadratic bending energy, with a constant stiffness, of a surface of triangles that hardly stretches")
        .example("component/spring/QuadraticBendingForceField.scn")
        .add<QuadraticBendingForceField>();

}  // namespace sofa::component
