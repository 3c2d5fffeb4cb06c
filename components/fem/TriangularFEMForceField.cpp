// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TriangularFEMForceField.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/factory/Registry.h"
#include "core/mesh/Renumbering.h"
#include "core/visual/ColorMap.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void TriangleMembrane::prepare()
{
    const Vector<Triangle> elements = triangles();
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (elements.empty() && m_mechanics.size() == 0 && !mayStartEmpty(*this, topology(), "triangles")) return;
    const VecCoord& rest = shapeAtRest();
    if (rest.size() != state().size())
        throw std::runtime_error("initialPoints has " + std::to_string(rest.size()) + " points, but the state has " +
                                 std::to_string(state().size()));
    m_mechanics.setExactTangent(d_tangent.value());
    m_mechanics.build(elements, rest, method(), turnsCorners(), restScale());
    regions.update(m_mechanics.size());
    setMaterial(identity(m_mechanics.size()));
}

void TriangleMembrane::setMaterial(const Vector<Index>& elements)
{
    m_mechanics.setMaterial(elements, [this](Index e) {
        materialOf(e);  // names the element whose values make no sense
        return membraneMaterial(e);
    });
}

bool TriangleMembrane::followElements(const TopologyChange& change)
{
    const ElementNumbering numbering = elementNumbering();
    if (m_mechanics.size() == 0 || numbering.parts != 1 || shapeAtRest().size() != state().size()) return false;
    Vector<Index> touched = change.touchedElements(topology(), ElementType::Triangles);
    if (!m_mechanics.follow(topology().triangles(), shapeAtRest(), change.source(numbering),
                            change.source(pointsOf(state())), touched))
        return false;
    setMaterial(regions.update(m_mechanics.size(), std::move(touched)));
    return true;
}

CorotationalTriangles::Material TriangleMembrane::membraneMaterial(Index e) const
{
    return CorotationalTriangles::planeStress(regions.valueOf(d_youngModulus, e), regions.valueOf(d_poissonRatio, e));
}

TriangularFEMForceField::TriangularFEMForceField()
{
    for (const char* name : {"rotatedInitialElements", "initialTransformation"})
        ignoreAttribute(name, "the rest shape is that of the state");
}

void TriangularFEMForceField::addElementForces(VecDeriv& f, const VecCoord& x)
{
    TriangleMembrane::addElementForces(f, x);
    if (!d_computePrincipalStress.value()) return;
    const auto stresses = d_maxStress.edit();
    stresses->resize(mechanics().size());
    for (Index e = 0; e < mechanics().size(); ++e) {
        const Vec3 s = mechanics().stress(e);
        stresses[e] = std::abs(0.5 * (s[0] + s[1])) + std::hypot(0.5 * (s[0] - s[1]), s[2]);
    }
}

Vector<Triangle> TriangleFEMForceField::triangles() const
{
    if (!m_halves) return topology().triangles();
    Vector<Triangle> halves;
    for (const Quad& q : topology().quads()) {
        halves.push_back({q[0], q[1], q[2]});
        halves.push_back({q[0], q[2], q[3]});
    }
    return halves;
}

CorotationalTriangles::Material TriangleFEMForceField::membraneMaterial(Index e) const
{
    const double y = regions.valueOf(d_youngModulus, e) * d_thickness.value(),
                 poisson = regions.valueOf(d_poissonRatio, e);
    return d_planeStrain.value() ? CorotationalTriangles::planeStrain(y, poisson)
                                 : CorotationalTriangles::planeStress(y, poisson);
}

const Vec3Types::VecCoord& TriangleFEMForceField::shapeAtRest()
{
    if (!d_initialPoints.isSet()) return restPositions();
    return d_initialPoints.value();
}

void TriangleMembrane::draw(DrawTool& tool)
{
    if (tool.shows(DisplayFlags::ForceFields) && l_state)
        drawElements(tool, ElementType::Triangles, mechanics().graph().elements(), state().positions());
}

TriangleMembrane::Principal TriangleMembrane::principalStress(Index e) const
{
    const Vec3 s = mechanics().stress(e);
    const double mean = 0.5 * (s[0] + s[1]), radius = std::hypot(0.5 * (s[0] - s[1]), s[2]);
    // The axis of the larger eigenvalue of [[xx, xy], [xy, yy]]; the other one is across.
    double angle = 0.5 * std::atan2(2. * s[2], s[0] - s[1]);
    if (mean < 0.) angle += 0.5 * std::numbers::pi;
    const Vec3 inPlane{std::cos(angle), std::sin(angle), 0.};
    const double first = mean < 0. ? mean - radius : mean + radius;
    return {first, 2. * mean - first, transposeTimes(mechanics().axes(e), inPlane)};
}

void TriangularFEMForceField::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::ForceFields) || !l_state) return;
    const VecCoord& x = state().positions();
    const auto& triangles = mechanics().graph().elements();
    const auto isThere = [&](const Triangle& t) { return std::max({t[0], t[1], t[2]}) < x.size(); };
    if (d_showStressVector.value()) {
        auto ends = tool.scratch<Vec3>();
        for (Index e = 0; e < triangles.size(); ++e) {
            const Triangle& t = triangles[e];
            if (!isThere(t)) continue;
            const Vec3 middle = (x[t[0]] + x[t[1]] + x[t[2]]) / 3.;
            const Vec3 half = principalStress(e).direction * (0.25 * norm(x[t[1]] - x[t[0]]));
            ends.push_back(middle - half);
            ends.push_back(middle + half);
        }
        tool.lines(ends, plainStyle(Color(1.f, 0.f, 1.f)));
    }
    if (d_showStressValue.value()) {
        auto stress = tool.scratch<double>(), count = tool.scratch<double>();
        stress.assign(x.size(), 0.);
        count.assign(x.size(), 0.);
        for (Index e = 0; e < triangles.size(); ++e) {
            if (!isThere(triangles[e])) continue;
            const double s = std::abs(principalStress(e).first);
            for (const Index v : triangles[e]) {
                stress[v] += s;
                count[v] += 1.;
            }
        }
        for (std::size_t v = 0; v < stress.size(); ++v) stress[v] /= std::max(count[v], 1.);
        const auto ends = std::minmax_element(stress.begin(), stress.end());
        auto colors = tool.scratch<Color>();
        if (!stress.empty()) ColorMap("Blue to Red").append(colors, stress, *ends.first, *ends.second);
        ElementDrawing how;
        how.gap = 0.;
        how.lit = false;
        how.pointColors = colors;
        drawElements(tool, ElementType::Triangles, triangles, x, how);
    }
    if (d_showFracturableTriangles.value()) {
        const double n = d_hosfordExponent.value();
        auto broken = tool.scratch<Triangle>();
        for (Index e = 0; e < triangles.size(); ++e) {
            const Principal p = principalStress(e);
            const double sum = std::pow(std::abs(p.first), n) + std::pow(std::abs(p.second), n) +
                               std::pow(std::abs(p.first - p.second), n);
            if (isThere(triangles[e]) && std::pow(0.5 * sum, 1. / n) > d_criteriaValue.value())
                broken.push_back(triangles[e]);
        }
        tool.triangles(x, broken, plainStyle(Color(0.8f, 0.f, 0.f, 0.5f)));
    }
}

static const RegisterComponent registeredTriangularFEMForceField =
    RegisterComponent("TriangularFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Membrane of linear elastic triangles in plane stress")
        .example("component/fem/TriangularFEMForceField.scn")
        .add<TriangularFEMForceField>();
static const RegisterComponent registeredTriangleFEMForceField =
    RegisterComponent("TriangleFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Membrane of linear elastic triangles, or quads cut in two, with a thickness")
        .example("component/fem/TriangleFEMForceField.scn")
        .add<TriangleFEMForceField>();

}  // namespace sofa::component
