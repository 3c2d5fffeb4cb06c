// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/ConicalForceField.h"

#include <cmath>
#include <numbers>

#include "core/factory/Registry.h"
#include "core/math/Decompositions.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::Mat3;
using core::MechanicalParams;
using core::Vec3;

ConicalForceField::ConicalForceField() { ignoreAttribute("contacts", "it was internal data of the component"); }

void ConicalForceField::init()
{
    ForceField::init();
    if (!isValid()) return;
    if (!(norm(d_coneHeight.value()) > 0.))
        fail("coneHeight: give the vector from the tip of the cone to its end; it is zero");
}

auto ConicalForceField::cone() const -> Cone
{
    const double angle = d_coneAngle.value() * std::numbers::pi / 180., height = norm(d_coneHeight.value());
    return {d_coneCenter.value(), normalized(d_coneHeight.value()), height, std::sin(angle), std::cos(angle)};
}

auto ConicalForceField::nearest(const Cone& c, const Vec3& x) -> Nearest
{
    Nearest n;
    const Vec3 u = x - c.tip;
    const double r = norm(u), along = dot(u, c.axis);
    const Vec3 across = u - c.axis * along;
    const double distance = norm(across);  // ρ, from the axis
    // Parts of u along the side and normal to it, outwards, in the half plane of the axis and u.
    const double s = along * c.cosine + distance * c.sine, out = distance * c.cosine - along * c.sine;
    if (out <= 0. && s >= 0.) {
        if (r <= c.height) return n;
        n.way = u * (c.height / r - 1.);
        n.dpdx = (Mat3::identity() - outer(u, u) * (1. / (r * r))) * (c.height / r);
    } else if (s <= 0.) {
        n.way = -u;
    } else {
        // Not on the axis: there s = ±r cos α and out = ∓r sin α.
        const Vec3 radial = across / distance, side = c.axis * c.cosine + radial * c.sine,
                   around = cross(c.axis, radial);
        const double reach = std::min(s, c.height);
        n.way = side * reach - u;
        n.dpdx = outer(around, around) * (reach * c.sine / distance);
        if (s <= c.height) n.dpdx += outer(side, side);
    }
    n.inside = false;
    return n;
}

void ConicalForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    m_contacts.clear();
    const Cone c = cone();
    for (Index i = 0; i < x.size(); ++i) {
        const Nearest n = nearest(c, x[i]);
        const double depth = n.inside ? 0. : norm(n.way);
        if (!(depth > 0.)) continue;
        const Vec3 direction = n.way / depth;
        f[i] += n.way * d_stiffness.value() - direction * (d_damping.value() * dot(direction, v[i]));
        m_contacts.push_back({i, direction, n.dpdx - Mat3::identity()});
    }
}

void ConicalForceField::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    for (const Contact& c : m_contacts) k.add(c.point, c.point, c.dfdx * d_stiffness.value());
}

void ConicalForceField::buildDamping(const MechanicalParams&, core::BlockSink& b)
{
    if (!hasDamping()) return;
    for (const Contact& c : m_contacts) b.add(c.point, c.point, outer(c.direction, c.direction) * -d_damping.value());
}

double ConicalForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const Cone c = cone();
    double energy = 0.;
    for (const Vec3& p : x) {
        const Nearest n = nearest(c, p);
        if (!n.inside) energy += 0.5 * d_stiffness.value() * norm2(n.way);
    }
    return energy;
}

void ConicalForceField::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields)) return;
    constexpr Index sides = 32, rings = 8;
    const Cone c = cone();
    if (!(c.height > 0.)) return;
    const Vec3 p = core::perpendicular(c.axis), q = cross(c.axis, p);
    auto points = tool.scratch<Vec3>();
    auto triangles = tool.scratch<core::Triangle>();
    // Rings of the sphere from the rim to the axis, after the tip.
    points.push_back(c.tip);
    const double angle = d_coneAngle.value() * std::numbers::pi / 180.;
    for (Index i = 0; i <= rings; ++i)
        for (Index j = 0; j < sides; ++j) {
            const double a = angle * (rings - i) / rings, b = 2. * std::numbers::pi * j / sides;
            points.push_back(c.tip +
                             (c.axis * std::cos(a) + (p * std::cos(b) + q * std::sin(b)) * std::sin(a)) * c.height);
            const Index next = (j + 1) % sides, here = 1 + i * sides;
            if (i == 0) triangles.push_back({0, here + next, here + j});
            if (i == rings) continue;
            triangles.push_back({here + j, here + next, here + sides + next});
            if (i + 1 < rings) triangles.push_back({here + j, here + sides + next, here + sides + j});
        }
    core::Color color = d_color.value();
    color[3] *= 0.5F;  // what is inside is seen, as in SOFA
    core::DrawStyle style = core::litStyle(color);
    style.wireframe = tool.wireframe();
    tool.triangles(points, triangles, style);
}

static const core::RegisterComponent registeredConicalForceField =
    core::RegisterComponent("ConicalForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A cone that holds points inside")
        .example("component/load/ConicalForceField.scn")
        .add<ConicalForceField>();

}  // namespace sofa::component
