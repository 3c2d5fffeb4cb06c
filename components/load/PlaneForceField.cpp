// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/PlaneForceField.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::MechanicalParams;

template <class D>
typename PlaneForceField<D>::Vector PlaneForceField<D>::defaultNormal()
{
    // +y, which a line does not have: there SOFA's normal is zero too.
    Vector n;
    if constexpr (Position::size > 1) n[1] = 1.;
    return n;
}

template <class D>
PlaneForceField<D>::PlaneForceField()
{
    this->addAlias(d_showPlane, "draw");
    this->addAlias(d_planeColor, "color");
}

template <class D>
void PlaneForceField<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!(norm2(d_normal.value()) > 0.)) return this->fail("normal is zero: it must point to the free side");
    const auto [first, last] = d_localRange.value();
    if (d_localRange.isSet() && (first < 0 || last < 0 || first > last)) {
        this->msgWarning() << "localRange " << d_localRange.text()
                           << " is no range of points, first and last: it is ignored";
        d_localRange.setValue({-1, -1});
    }
}

template <class D>
std::pair<std::size_t, std::size_t> PlaneForceField<D>::range(std::size_t points) const
{
    const auto [first, last] = d_localRange.value();
    const std::size_t begin = first >= 0 ? static_cast<std::size_t>(first) : 0;
    const std::size_t end = last >= 0 ? std::min(points, static_cast<std::size_t>(last) + 1) : points;
    return {begin, end};
}

template <class D>
PlanePenalty<D> PlaneForceField<D>::penalty() const
{
    return {.normal = d_normal.value(),
            .distance = d_d.value(),
            .stiffness = d_stiffness.value(),
            .damping = d_damping.value(),
            .maxForce = d_maxForce.value(),
            .bilateral = d_bilateral.value()};
}

template <class D>
void PlaneForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    m_contacts.clear();
    const PlanePenalty<D> law = penalty();
    law.addForce(f, x, v, range(x.size()), m_contacts);
    m_derivatives.clear();
    if (!d_tangent.value()) return;
    for (const core::Index i : m_contacts) m_derivatives.push_back(law.derivative(i, x[i], v[i]));
}

template <class D>
void PlaneForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    if (d_tangent.value()) return Base::addDForce(mp, df);
    core::State<D>& s = this->state();
    penalty().addDForce(*s.write(df.at(s)), s.read(mp.dx.at(s)), mp.stiffnessFactor(this->d_rayleighStiffness.value()),
                        m_contacts);
}

template <class D>
void PlaneForceField<D>::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    if (!d_tangent.value()) return penalty().addStiffness(k, m_contacts);
    for (const auto& d : m_derivatives) k.add(d.point, d.point, Position::block(d.dfdx));
}

template <class D>
void PlaneForceField<D>::buildDamping(const MechanicalParams&, core::BlockSink& b)
{
    for (const auto& d : m_derivatives) b.add(d.point, d.point, Position::block(d.dfdv));
}

template <class D>
double PlaneForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    if (d_maxForce.value() > 0.) return std::numeric_limits<double>::quiet_NaN();
    return penalty().energy(x, range(x.size()));
}

template <class D>
core::Vec3 PlaneForceField<D>::direction() const
{
    core::Vec3 n;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, Position::size); ++i) n[i] = d_normal.value()[i];
    return normalized(n, core::Vec3{0., 1., 0.});
}

template <class D>
core::Vec3 PlaneForceField<D>::centre() const
{
    core::Vec3 n;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, Position::size); ++i) n[i] = d_normal.value()[i];
    return n * d_d.value();
}

template <class D>
std::array<core::Vec3, 4> PlaneForceField<D>::corners(double size, const core::Vec3& centre) const
{
    const core::Vec3 unit = direction();
    // Any two directions in the plane: the axis nearest to the plane, and what is normal to both.
    std::size_t smallest = 0;
    for (std::size_t i = 1; i < 3; ++i)
        if (std::abs(unit[i]) < std::abs(unit[smallest])) smallest = i;
    const core::Vec3 a = normalized(cross(unit, core::Vec3::unit(smallest)));
    const core::Vec3 b = cross(unit, a);
    return {centre - a * size - b * size, centre + a * size - b * size, centre + a * size + b * size,
            centre - a * size + b * size};
}

template <class D>
std::optional<core::Color> PlaneForceField<D>::shapeColor() const
{
    return d_planeColor.isSet() ? std::optional<core::Color>(d_planeColor.value()) : std::nullopt;
}

/// A hair behind the plane, so that a surface of the scene that stands for it hides it.
template <class D>
void PlaneForceField<D>::drawShape(core::DrawTool& tool, const core::DrawStyle& style)
{
    const core::Vec3 n = direction();
    core::Vec3 middle = centre();
    if (!d_showPlaneSize.isSet() && tool.sceneBox().valid()) {
        const core::Vec3 box = (tool.sceneBox().low + tool.sceneBox().high) * 0.5;
        middle = box - n * dot(n, box - middle);
    }
    const double size = d_showPlaneSize.isSet() ? d_showPlaneSize.value() : tool.sceneSize();
    const core::Quad square[] = {{0, 1, 2, 3}};
    const std::array<core::Vec3, 4> normals{n, n, n, n};
    tool.quads(corners(size, middle - n * (0.002 * tool.sceneSize())), square, style, normals);
}

template <class D>
core::BoundingBox PlaneForceField<D>::boundingBox() const
{
    core::BoundingBox box;
    if (!d_showPlane.value()) return box;
    for (const core::Vec3& p : shownCorners()) box.include(p);
    return box;
}

template <class D>
void PlaneForceField<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !d_showPlane.value() || !this->l_state) return;
    core::Color color = d_planeColor.value();
    color[3] = 0.5f;
    const core::Quad square[] = {{0, 1, 2, 3}};
    tool.quads(shownCorners(), square, core::litStyle(color));
    const auto& x = this->state().positions();
    auto behind = tool.scratch<core::Vec3>();
    penalty().appendDepths(behind, x, range(x.size()));
    tool.lines(behind, core::plainStyle(core::Color(1.f, 0.f, 0.f)));
}

static const core::RegisterComponent registeredPlaneForceField =
    core::RegisterComponent("PlaneForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A plane that pushes out what is behind it")
        .example("component/load/PlaneForceField.scn")
        .add<PlaneForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types, core::Vec6Types, core::Rigid3Types>();

}  // namespace sofa::component
