// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/EllipsoidForceField.h"

#include <numbers>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vec3;

void drawEllipsoid(core::DrawTool& tool, const core::RigidCoord3& frame, const Vec3& center, const Vec3& radii,
                   const core::DrawStyle& style)
{
    constexpr Index rings = 16, sides = 32;
    auto points = tool.scratch<Vec3>(), normals = tool.scratch<Vec3>();
    auto quads = tool.scratch<core::Quad>();
    for (Index i = 0; i <= rings; ++i)
        for (Index j = 0; j <= sides; ++j) {
            const double a = std::numbers::pi * i / rings, b = 2. * std::numbers::pi * j / sides;
            const Vec3 unit{std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)};
            Vec3 point = center, normal;
            for (std::size_t k = 0; k < 3; ++k) {
                point[k] += radii[k] * unit[k];
                normal[k] = unit[k] / radii[k];
            }
            points.push_back(frame.apply(point));
            normals.push_back(frame.orientation.rotate(normal / norm(normal)));
            const Index p = i * (sides + 1) + j;
            if (i < rings && j < sides) quads.push_back({p, p + sides + 1, p + sides + 2, p + 1});
        }
    tool.quads(points, quads, style, normals);
}

template <class D>
EllipsoidForceField<D>::EllipsoidForceField()
{
    this->ignoreAttribute("contacts", "it was internal data of the component");
}

template <class D>
void EllipsoidForceField<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    for (std::size_t i = 0; i < D::coordSize; ++i)
        if (!(d_radii.value()[i] > 0.)) return this->fail("vradius: the radii must be positive, give all of them");
}

template <class D>
auto EllipsoidForceField<D>::penalty() const -> Penalty
{
    return {d_center.value(), d_radii.value(), d_stiffness.value(), d_damping.value(),
            this->compatibility() == core::Compatibility::Sofa};
}

template <class D>
void EllipsoidForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    m_contacts.clear();
    const Penalty ellipsoid = penalty();
    for (Index i = 0; i < x.size(); ++i) {
        if (!ellipsoid.actsAt(ellipsoid.level(x[i]))) continue;
        const auto c = ellipsoid.at(x[i]);
        f[i] += c.force - v[i] * (ellipsoid.damping * std::abs(c.depth));
        m_contacts.push_back({i, c});
    }
}

template <class D>
void EllipsoidForceField<D>::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    for (const Contact& c : m_contacts) k.add(c.point, c.point, c.at.dfdx);
}

template <class D>
void EllipsoidForceField<D>::buildDamping(const MechanicalParams&, core::BlockSink& b)
{
    if (!hasDamping()) return;
    for (const Contact& c : m_contacts)
        b.addIdentity(c.point, c.point, -d_damping.value() * std::abs(c.at.depth), D::derivSize);
}

template <class D>
bool EllipsoidForceField<D>::hasDamping() const
{
    return d_damping.value() > 0. && this->compatibility() != core::Compatibility::Sofa;
}

template <class D>
double EllipsoidForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const Penalty ellipsoid = penalty();
    double energy = 0.;
    for (const auto& p : x) energy += ellipsoid.energy(p);
    return energy;
}

template <class D>
void EllipsoidForceField<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields)) return;
    core::DrawStyle style = core::litStyle(d_color.value());
    style.wireframe = tool.wireframe();
    drawShape(tool, style);
}

template <class D>
std::optional<core::Color> EllipsoidForceField<D>::shapeColor() const
{
    return d_color.isSet() ? std::optional<core::Color>(d_color.value()) : std::nullopt;
}

template <class D>
void EllipsoidForceField<D>::drawShape(core::DrawTool& tool, const core::DrawStyle& style)
{
    // A little smaller, so that points on the ellipsoid are seen. Those of fewer dimensions are drawn 1 thick.
    Vec3 radii{1., 1., 1.};
    for (std::size_t i = 0; i < D::coordSize; ++i) radii[i] = 0.99 * d_radii.value()[i];
    drawEllipsoid(tool, {}, D::position(d_center.value()), radii, style);
}

static const core::RegisterComponent registeredEllipsoidForceField =
    core::RegisterComponent("EllipsoidForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("An ellipsoid that pushes out what is inside")
        .example("component/load/EllipsoidForceField.scn")
        .add<EllipsoidForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types>();

}  // namespace sofa::component
