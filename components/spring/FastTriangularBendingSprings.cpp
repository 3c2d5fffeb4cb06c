// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/FastTriangularBendingSprings.h"

#include "core/factory/Registry.h"

namespace sofa::component {

using core::Vec3;

bool FastTriangularBendingSprings::weigh(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, Hinge& hinge) const
{
    const double shortest = d_minDistValidity.value() * d_minDistValidity.value(), length = norm(c - d);
    if (!(norm2(b - a) > shortest) || !(length * length > shortest)) return false;
    // Twice the areas of A C D, B D C, C B A, D A B; the first two over the edge are the heights.
    const double na = norm(cross(a - c, a - d)), nb = norm(cross(b - d, b - c)), nc = norm(cross(c - b, c - a)),
                 nd = norm(cross(d - a, d - b));
    const double ha = na / length, hb = nb / length;
    hinge.weights = {nb / (na + nb), na / (na + nb), -nd / (nc + nd), -nc / (nc + nd)};
    hinge.stiffness = 2. / 3. * (ha + hb) / (ha * ha * hb * hb) * length * d_bendingStiffness.value();
    return true;
}

static const core::RegisterComponent registeredFastTriangularBendingSprings =
    core::RegisterComponent("FastTriangularBendingSprings", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Linear bending stiffness of a surface of triangles, at each edge between two of them")
        .example("component/spring/FastTriangularBendingSprings.scn")
        .add<FastTriangularBendingSprings>();

}  // namespace sofa::component
