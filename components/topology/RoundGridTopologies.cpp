// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/RoundGridTopologies.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/math/Mat.h"

namespace sofa::component {

namespace {

/// Orthonormal axes whose third is along `axis`; the first is x as far as it is not parallel to it, else y. Not finite
/// for an axis of length zero.
std::array<Vec3, 3> frame(const Vec3& axis)
{
    const Vec3 z = axis / norm(axis);
    const Vec3 start = norm(z - Vec3{1., 0., 0.}) < 1e-6 ? Vec3{0., 1., 0.} : Vec3{1., 0., 0.};
    const Vec3 y = normalized(cross(z, start));
    return {normalized(cross(y, z)), y, z};
}

/// Place −r .. r of point i of n.
double spread(int i, int n, double r) { return n > 1 ? i * 2. * r / (n - 1) - r : 0.; }

/// Scales p so that its largest coordinate becomes its length.
Vec3 rounded(const Vec3& p)
{
    const double length = norm(p);
    return length > 1e-7 ? p * (std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2])}) / length) : p;
}

Vec3 placed(const Vec3& centre, const Vec3& axis, const Vec3& p)
{
    const auto [x, y, z] = frame(axis);
    return centre + x * p[0] + y * p[1] + z * p[2];
}

}  // namespace

CylinderGridTopology::CylinderGridTopology() { computePositionsFrom({&d_center, &d_axis, &d_radius, &d_length}); }

void CylinderGridTopology::init()
{
    if (d_axis.value() == Vec3{}) return fail("axis: expected a vector other than 0 0 0");
    GridTopology::init();
}

Vec3 CylinderGridTopology::gridPosition(const Vec3i& p) const
{
    const Vec3i n = resolution();
    const double r = d_radius.value();
    Vec3 x = rounded({spread(p[0], n[0], r), spread(p[1], n[1], r), 0.});
    if (n[2] > 1) x[2] = p[2] * d_length.value() / (n[2] - 1);
    return placed(d_center.value(), d_axis.value(), x);
}

SphereGridTopology::SphereGridTopology() { computePositionsFrom({&d_center, &d_axis, &d_radius}); }

void SphereGridTopology::init()
{
    if (d_axis.value() == Vec3{}) return fail("axis: expected a vector other than 0 0 0");
    GridTopology::init();
}

Vec3 SphereGridTopology::gridPosition(const Vec3i& p) const
{
    const Vec3i n = resolution();
    const double r = d_radius.value();
    return placed(d_center.value(), d_axis.value(),
                  rounded({spread(p[0], n[0], r), spread(p[1], n[1], r), spread(p[2], n[2], r)}));
}

namespace {

const RegisterComponent registeredCylinderGridTopology =
    RegisterComponent("CylinderGridTopology", "Topology", "Sofa.Component.Topology.Container.Grid")
        .help("Grid of points, edges, triangles, quads and hexahedra in a cylinder")
        .example("component/topology/CylinderGridTopology.scn")
        .add<CylinderGridTopology>();
const RegisterComponent registeredSphereGridTopology =
    RegisterComponent("SphereGridTopology", "Topology", "Sofa.Component.Topology.Container.Grid")
        .help("Grid of points, edges, triangles, quads and hexahedra in a ball")
        .example("component/topology/SphereGridTopology.scn")
        .add<SphereGridTopology>();

}  // namespace

}  // namespace sofa::component
