// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/TaitSurfacePressureForceField.h"

#include <algorithm>
#include <cmath>

#include "components/load/SurfaceTriangles.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/objectmodel/Event.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::Mat3;
using core::Triangle;
using core::Vec3;

void TaitSurfacePressureForceField::init()
{
    Base::init();
    if (!isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
    try {
        takeTriangles();
    } catch (const std::runtime_error& e) {
        return fail(e);
    }
    if (d_pressureTriangles.value().empty())
        return fail("the topology '" + l_topology->pathName() + "' has neither triangles nor quads");
    d_initialVolume.setValue(d_volumeAfterTC.value());
    d_initialSurfaceArea.setValue(d_surfaceAreaAfterTC.value());
    updateRestVolume();
    if (hasLaw() && !m_closed)
        msgWarning() << "the surface is not closed, so its volume means little: set B=\"0\" for a constant pressure p0";
    else if (m_closed && d_initialVolume.value() < 0.)
        msgWarning() << "the volume at rest is " << d_initialVolume.value()
                     << " m^3: the triangles are turned inwards, and the pressure acts inwards";
    const Extent now = extentOf(state().positions());
    const Tait law = lawAt(now.volume);
    d_currentVolume.setValue(now.volume);
    d_currentSurfaceArea.setValue(now.area);
    d_currentPressure.setValue(law.pressure);
    d_currentStiffness.setValue(law.slope);
    m_warned = false;
}

void TaitSurfacePressureForceField::storeResetState()
{
    m_resetInjected = d_injectedVolume.value();
    m_resetCurrent = d_currentInjectedVolume.value();
}

void TaitSurfacePressureForceField::reset()
{
    d_injectedVolume.setValue(m_resetInjected);
    d_currentInjectedVolume.setValue(m_resetCurrent);
    updateRestVolume();
    m_warned = false;
}

void TaitSurfacePressureForceField::archive(core::Archive& a)
{
    double injected = d_injectedVolume.value(), current = d_currentInjectedVolume.value();
    a(injected);
    a(current);
    if (!a.loading()) return;
    d_injectedVolume.setValue(injected);
    d_currentInjectedVolume.setValue(current);
    updateRestVolume();
}

void TaitSurfacePressureForceField::handleEvent(const core::Event& e)
{
    const auto* begin = dynamic_cast<const core::AnimateBeginEvent*>(&e);
    const double wanted = d_injectedVolume.value(), now = d_currentInjectedVolume.value();
    if (!begin || !isValid() || wanted == now) return;
    const double most = d_maxInjectionRate.value() * begin->dt();
    d_currentInjectedVolume.setValue(std::abs(wanted - now) <= most ? wanted : now + std::copysign(most, wanted - now));
    msgInfo() << "injected so far: " << d_currentInjectedVolume.value() << " m^3";
    updateRestVolume();
}

void TaitSurfacePressureForceField::updateRestVolume()
{
    d_v0.setValue(d_initialVolume.value() + d_currentInjectedVolume.value());
}

void TaitSurfacePressureForceField::takeTriangles()
{
    m_meshTriangles = l_topology->triangles();
    m_meshQuads = l_topology->quads();
    m_revision = l_topology->revision();
    const auto triangles = d_pressureTriangles.edit();
    triangles = m_meshTriangles;
    for (const core::Quad& q : m_meshQuads) addHalves(*triangles, q);
    m_points.clear();
    for (const Triangle& t : triangles) m_points.insert(m_points.end(), t.begin(), t.end());
    std::sort(m_points.begin(), m_points.end());
    m_points.erase(std::unique(m_points.begin(), m_points.end()), m_points.end());
    m_closed = isClosed(triangles);
    const auto id =
        state().isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position;
    const VecCoord& rest = state().read(id);
    if (!m_points.empty() && m_points.back() >= rest.size())
        throw std::runtime_error("the mesh has a point " + std::to_string(m_points.back()) + ", but the state '" +
                                 state().pathName() + "' has only " + std::to_string(rest.size()));
    const Extent atRest = extentOf(rest);
    d_volumeAfterTC.setValue(atRest.volume);
    d_surfaceAreaAfterTC.setValue(atRest.area);
}

bool TaitSurfacePressureForceField::meshChanged() const
{
    const std::size_t now = l_topology->revision();
    if (now != 0 && now == m_revision) return false;
    return l_topology->triangles() != m_meshTriangles || l_topology->quads() != m_meshQuads;
}

void TaitSurfacePressureForceField::followMesh()
{
    if (!meshChanged()) {
        m_revision = l_topology->revision();
        return;
    }
    try {
        takeTriangles();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

void TaitSurfacePressureForceField::followTopology(const core::TopologyChange&)
{
    if (!isValid() || !l_topology) return;
    takeTriangles();
    m_sides.clear();
    m_gradient.clear();
}

auto TaitSurfacePressureForceField::extentOf(const VecCoord& x) const -> Extent
{
    Vec3 center;
    for (const Vec3& p : x) center += p;
    if (!x.empty()) center = center / static_cast<double>(x.size());
    double volume6 = 0., area2 = 0.;
    for (const Triangle& t : d_pressureTriangles.value()) {
        const Vec3 a = x[t[0]] - center, b = x[t[1]] - center, c = x[t[2]] - center;
        volume6 += dot(cross(a, b), c);
        area2 += norm(cross(b - a, c - a));
    }
    return {volume6 / 6., 0.5 * area2};
}

auto TaitSurfacePressureForceField::lawAt(double volume) const -> Tait
{
    const double p0 = d_p0.value(), b = d_B.value(), gamma = d_gamma.value(), v0 = d_v0.value();
    if (!hasLaw() || v0 == 0.) return {p0, 0.};
    if (gamma == 1.) return {p0 - b * (volume / v0 - 1.), -b / v0};
    const double power = std::pow(volume / v0, gamma);
    return {p0 - b * (power - 1.), volume == 0. ? 0. : -b * gamma * power / volume};
}

void TaitSurfacePressureForceField::addForce(const core::MechanicalParams&, VecDeriv& f, const VecCoord& x,
                                             const VecDeriv&)
{
    if (!isValid()) return;
    followMesh();
    if (!isValid()) return;
    updateRestVolume();
    const Extent now = extentOf(x);
    const double volume = effective(now.volume), v0 = d_v0.value();
    const Tait law = lawAt(volume);
    d_currentVolume.setValue(now.volume);
    d_currentSurfaceArea.setValue(now.area);
    d_currentPressure.setValue(law.pressure);
    d_currentStiffness.setValue(law.slope);
    const bool far = hasLaw() && !(volume / v0 >= 0.1 && volume / v0 <= 10.);
    if (far && !m_warned)
        msgWarning() << "the volume " << volume << " m^3 is more than ten times, or less than a tenth of, v0 = " << v0
                     << " m^3: the pressure " << law.pressure << " Pa may make no sense";
    m_warned = far;

    m_sides.clear();
    m_gradient.assign(x.size(), Vec3());
    for (const Triangle& t : d_pressureTriangles.value()) {
        const TriangleSides& sides = m_sides.emplace_back(t, x[t[0]], x[t[1]], x[t[2]]);
        for (const Index v : t) m_gradient[v] += sides.normal();
    }
    for (const Index i : m_points) {
        m_gradient[i] = m_gradient[i] / 6.;
        f[i] += m_gradient[i] * law.pressure;
    }
}

void TaitSurfacePressureForceField::addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& dfId)
{
    const double k = mp.stiffnessFactor(d_rayleighStiffness.value());
    core::State<core::Vec3Types>& s = state();
    const auto df = s.write(dfId.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    if (k == 0. || !isValid() || m_gradient.size() != dx.size()) return;
    double dv = 0.;
    for (const Index i : m_points) dv += dot(m_gradient[i], dx[i]);
    const double along = k * d_currentStiffness.value() * dv, turn = k * d_currentPressure.value() / 6.;
    for (const Index i : m_points) df[i] += m_gradient[i] * along;
    for (const TriangleSides& t : m_sides) {
        const auto& [a, b, c] = t.points;
        const Vec3 dn = t.normalChange(dx[a], dx[b], dx[c]) * turn;
        for (const Index v : t.points) df[v] += dn;
    }
}

void TaitSurfacePressureForceField::buildStiffness(const core::MechanicalParams&, core::BlockSink& k)
{
    if (!isValid() || m_gradient.size() != state().size()) return;
    if (hasLaw())
        for (const Index i : m_points)
            for (const Index j : m_points)
                k.add(i, j, outer(m_gradient[i] * d_currentStiffness.value(), m_gradient[j]));
    // In a closed surface the sum of what each corner feels from itself is zero.
    const double p = d_currentPressure.value() / 6.;
    for (const TriangleSides& t : m_sides) {
        const std::array<Mat3, 3> d = t.normalDerivatives();
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                if (i != j || !m_closed) k.add(t.points[i], t.points[j], d[j] * p);
    }
}

double TaitSurfacePressureForceField::potentialEnergy(const core::MechanicalParams&, const VecCoord& x) const
{
    if (!m_closed) return std::nan("");
    const double volume = effective(extentOf(x).volume), p0 = d_p0.value(), b = d_B.value(), gamma = d_gamma.value(),
                 v0 = d_v0.value();
    if (!hasLaw() || v0 == 0.) return -p0 * volume;
    const double relative = volume / v0;
    // ∫ (V/V₀)^γ dV
    const double power = gamma == -1. ? v0 * std::log(relative) : v0 * std::pow(relative, gamma + 1.) / (gamma + 1.);
    return b * power - (p0 + b) * volume;
}

void TaitSurfacePressureForceField::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::InteractionForceFields) || !l_state || d_drawForceScale.value() == 0.) return;
    const VecCoord& x = state().positions();
    const double scale = 0.5 * d_currentPressure.value() * d_drawForceScale.value();
    auto ends = tool.scratch<Vec3>();
    for (const Triangle& t : d_pressureTriangles.value()) {
        if (std::max({t[0], t[1], t[2]}) >= x.size()) continue;
        const Vec3 &a = x[t[0]], &b = x[t[1]], &c = x[t[2]];
        ends.push_back((a + b + c) / 3.);
        ends.push_back(ends.back() + cross(b - a, c - a) * scale);
    }
    tool.lines(ends, core::plainStyle(d_drawForceColor.value()));
}

static const core::RegisterComponent registeredTaitSurfacePressureForceField =
    core::RegisterComponent("TaitSurfacePressureForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("Pressure of a fluid inside a surface, which follows from its volume by Tait's equation")
        .example("component/load/TaitSurfacePressureForceField.scn")
        .add<TaitSurfacePressureForceField>();

}  // namespace sofa::component
