// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/SphereForceField.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;

template <class D>
std::pair<std::size_t, std::size_t> SphereForceField<D>::range(std::size_t points) const
{
    const auto [first, last] = d_localRange.value();
    const std::size_t begin = first >= 0 ? static_cast<std::size_t>(first) : 0;
    const std::size_t end = last >= 0 ? std::min(points, static_cast<std::size_t>(last) + 1) : points;
    return {begin, end};
}

template <class D>
void SphereForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    m_contacts.clear();
    const auto indices = d_contacts.edit();
    indices->clear();
    const Coord centre = d_center.value();
    const double radius = d_radius.value(), stiffness = d_stiffness.value(), damping = d_damping.value();
    const bool bilateral = d_bilateral.value();
    const auto [begin, end] = range(x.size());
    for (std::size_t i = begin; i < end; ++i) {
        const Deriv arm = x[i] - centre;
        const double distance = norm(arm);
        if (!(distance > 0.) || (!bilateral && !(distance < radius))) continue;
        const double depth = distance - radius;
        f[i] += arm * (-stiffness * depth / distance) - v[i] * (-damping * depth);
        m_contacts.push_back({static_cast<Index>(i), arm / distance, radius / distance, depth, v[i]});
        indices->push_back(static_cast<Index>(i));
    }
}

template <class D>
void SphereForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    if (d_tangent.value()) return Base::addDForce(mp, df);
    const double factor = -d_stiffness.value() * mp.stiffnessFactor(this->d_rayleighStiffness.value());
    core::State<D>& s = this->state();
    const auto out = s.write(df.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    for (const Contact& c : m_contacts) {
        const Deriv& d = dx[c.point];
        out[c.point] += (c.normal * (dot(d, c.normal) * c.ratio) + d * (1. - c.ratio)) * factor;
    }
}

template <class D>
void SphereForceField<D>::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    const double stiffness = d_stiffness.value();
    for (const Contact& c : m_contacts) {
        auto block = outer(c.normal, c.normal) * (-stiffness * c.ratio);
        for (std::size_t i = 0; i < D::derivSize; ++i) block[i][i] -= stiffness * (1. - c.ratio);
        if (d_tangent.value()) block += outer(c.velocity * d_damping.value(), c.normal);
        k.add(c.point, c.point, block);
    }
}

template <class D>
void SphereForceField<D>::buildDamping(const MechanicalParams&, core::BlockSink& b)
{
    if (!hasDamping()) return;
    for (const Contact& c : m_contacts) b.addIdentity(c.point, c.point, d_damping.value() * c.depth, D::derivSize);
}

template <class D>
double SphereForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const auto [begin, end] = range(x.size());
    double energy = 0.;
    for (std::size_t i = begin; i < end; ++i) {
        const double depth = norm(x[i] - d_center.value()) - d_radius.value();
        if (d_bilateral.value() || depth < 0.) energy += 0.5 * d_stiffness.value() * depth * depth;
    }
    return energy;
}

template <class D>
void SphereForceField<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields)) return;
    core::DrawStyle style = core::litStyle(d_color.value());
    style.wireframe = tool.wireframe();
    drawShape(tool, style);
}

template <class D>
std::optional<core::Color> SphereForceField<D>::shapeColor() const
{
    return d_color.isSet() ? std::optional<core::Color>(d_color.value()) : std::nullopt;
}

template <class D>
void SphereForceField<D>::drawShape(core::DrawTool& tool, const core::DrawStyle& style)
{
    const core::Vec3 center = D::position(d_center.value());
    // A little smaller, so that points on the sphere are seen.
    const double radius = 0.99 * d_radius.value();
    tool.spheres({&center, 1}, {&radius, 1}, style);
}

static const core::RegisterComponent registeredSphereForceField =
    core::RegisterComponent("SphereForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A sphere that pushes out what is inside")
        .example("component/load/SphereForceField.scn")
        .add<SphereForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types>();

}  // namespace sofa::component
