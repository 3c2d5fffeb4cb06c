// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/TrianglePressureForceField.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vec3;

TrianglePressureForceField::TrianglePressureForceField()
{
    declareAttribute("normal", "Normal of the planes between which old scenes choose triangles");
    declareAttribute("dmin", "Distance of the first plane from the origin [m]");
    declareAttribute("dmax", "Distance of the second plane from the origin [m]");
    ignoreAttribute("triangleIndices", "the triangles are those of triangleList");
    ignoreAttribute("arrowSizeCoef", "use showForces");
    ignoreAttribute("p_intensity", "use pressure");
}

void TrianglePressureForceField::setDeclared(std::string_view name, std::string_view text)
{
    std::string error;
    const bool good = name == "normal" ? core::parseText(text, m_normal, error)
                                       : core::parseText(text, name == "dmin" ? m_dmin : m_dmax, error);
    if (!good) throw std::runtime_error(error);
}

void TrianglePressureForceField::init()
{
    ForceField::init();
    if (!isValid()) return;
    if (!core::resolveOrNeed(l_topology, *this)) return;
}

void TrianglePressureForceField::bwdInit()
{
    if (!isValid()) return;
    if (m_dmin != m_dmax && d_triangleList.value().empty()) selectBetweenPlanes();
    update();
}

void TrianglePressureForceField::reinit() { update(); }

void TrianglePressureForceField::selectBetweenPlanes()
{
    const core::State<core::Vec3Types>& s = state();
    const auto& rest =
        s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
    const auto between = [&](Index v) {
        if (v >= rest.size()) return false;
        const double d = dot(rest[v], m_normal);
        return d > m_dmin && d < m_dmax;
    };
    const auto list = d_triangleList.edit();
    const auto& triangles = l_topology->triangles();
    for (Index i = 0; i < triangles.size(); ++i)
        if (std::all_of(triangles[i].begin(), triangles[i].end(), between)) list->push_back(i);
    if (list.empty()) msgWarning() << "no triangle lies between the planes dmin and dmax along the normal";
}

void TrianglePressureForceField::update()
{
    m_triangles.clear();
    m_areas.clear();
    const core::State<core::Vec3Types>& s = state();
    const auto& rest =
        s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
    for (const Index i : d_triangleList.value()) {
        const auto& triangles = l_topology->triangles();
        if (i >= triangles.size())
            return fail("triangleList: there is no triangle " + std::to_string(i) + ", only " +
                        std::to_string(triangles.size()));
        const core::Triangle& t = triangles[i];
        if (std::max({t[0], t[1], t[2]}) >= rest.size())
            return fail("triangle " + std::to_string(i) + " has a vertex beyond the " + std::to_string(rest.size()) +
                        " points of '" + s.pathName() + "'");
        m_triangles.push_back(t);
        m_areas.push_back(0.5 * norm(cross(rest[t[1]] - rest[t[0]], rest[t[2]] - rest[t[0]])));
    }
}

Vec3 TrianglePressureForceField::cornerForce(std::size_t triangle, const VecCoord& x) const
{
    if (d_useConstantForce.value()) return d_pressure.value() * m_areas[triangle] / 3.;
    const core::Triangle& t = m_triangles[triangle];
    return d_cauchyStress.value() * (cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]) / 6.);
}

void TrianglePressureForceField::draw(core::DrawTool& tool)
{
    if (!d_showForces.value() || !l_state) return;
    const VecCoord& x = state().positions();
    auto ends = tool.scratch<Vec3>();
    for (std::size_t i = 0; i < m_triangles.size(); ++i) {
        const core::Triangle& t = m_triangles[i];
        if (std::max({t[0], t[1], t[2]}) >= x.size()) continue;
        const Vec3 force = cornerForce(i, x);
        for (const Index v : t) {
            ends.push_back(x[v]);
            ends.push_back(x[v] + force);
        }
    }
    const core::Color green(0.f, 1.f, 0.f);
    core::drawElements(tool, core::ElementType::Triangles, m_triangles, x,
                       {.gap = 0., .faceColors = {&green, 1}, .elementColors = {}, .pointColors = {}, .lit = false});
    tool.lines(ends, core::plainStyle(core::Color(1.f, 0.f, 0.f)));
}

void TrianglePressureForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    for (std::size_t i = 0; i < m_triangles.size(); ++i) {
        const Vec3 force = cornerForce(i, x);
        for (const Index v : m_triangles[i]) f[v] += force;
    }
}

double TrianglePressureForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    if (!d_useConstantForce.value()) return std::numeric_limits<double>::quiet_NaN();
    double energy = 0.;
    for (std::size_t i = 0; i < m_triangles.size(); ++i)
        for (const Index v : m_triangles[i]) energy -= dot(d_pressure.value() * m_areas[i] / 3., x[v]);
    return energy;
}

static const core::RegisterComponent registeredTrianglePressureForceField =
    core::RegisterComponent("TrianglePressureForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A pressure on triangles of a mesh")
        .example("component/load/TrianglePressureForceField.scn")
        .add<TrianglePressureForceField>();

}  // namespace sofa::component
