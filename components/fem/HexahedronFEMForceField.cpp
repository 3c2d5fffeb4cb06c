// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HexahedronFEMForceField.h"

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

HexahedronFEMForceField::HexahedronFEMForceField()
{
    ignoreAttribute("gatherPt", "it is a setting of SOFA's CUDA version");
    ignoreAttribute("gatherBsize", "it is a setting of SOFA's CUDA version");
    for (const char* name : {"stiffnessMatrices", "hexahedronInfo"})
        ignoreAttribute(name, "the stiffness matrices are computed from the material and the rest shape");
}

void HexahedronFEMForceField::init()
{
    m_initialPointsGiven = d_initialPoints.isSet();
    LinearElasticForceField::init();
}

void HexahedronFEMForceField::prepare()
{
    const Vector<Hexahedron>& hexahedra = topology().hexahedra();
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (hexahedra.empty() && m_mechanics.size() == 0 && !mayStartEmpty(*this, topology(), "hexahedra")) return;
    if (!m_initialPointsGiven) {
        d_initialPoints.setValue(restPositions());
    } else if (d_initialPoints.value().size() != state().size()) {
        throw std::runtime_error("initialPoints has " + std::to_string(d_initialPoints.value().size()) +
                                 " points, but the state has " + std::to_string(state().size()));
    }
    if (d_tangent.value() && d_updateStiffnessMatrix.value())
        throw std::runtime_error("tangent=\"1\" cannot be with updateStiffnessMatrix=\"1\": leave one out");
    m_mechanics.setExactTangent(d_tangent.value());
    m_mechanics.build(hexahedra, d_initialPoints.value(), rotationMethod(d_method.value()),
                      d_updateStiffnessMatrix.value(), CorotationalHexahedra::Jacobian::ParallelEdges,
                      volumetricStrain.dilatation());
    checkLocking(volumetricStrain);
    regions.update(m_mechanics.size());
    m_mechanics.setMaterial([this](Index e) { return elementMaterial(e); });
}

bool HexahedronFEMForceField::followElements(const TopologyChange& change)
{
    const Vector<Hexahedron>& hexahedra = topology().hexahedra();
    const ElementSource points = change.source(pointsOf(state()));
    Vector<Index> touched = change.touchedElements(topology(), ElementType::Hexahedra);
    if (m_initialPointsGiven || points.before != d_initialPoints.value().size()) return false;
    {
        const auto initial = d_initialPoints.edit();
        (void)points.update(*initial, 1, [this](const VecCoord&, Index v, Index) { return restPositions()[v]; });
        for (const Index e : touched)
            for (const Index v : hexahedra[e]) initial[v] = restPositions()[v];
    }
    if (!m_mechanics.follow(hexahedra, d_initialPoints.value(), change.source(elementNumbering()), points, touched))
        return false;
    touched = regions.update(m_mechanics.size(), std::move(touched));
    m_mechanics.setMaterial(touched, [this](Index e) { return elementMaterial(e); });
    return true;
}

bool HexahedronFEMForceField::hasPreparedElements() const
{
    return topology().hexahedra() == m_mechanics.graph().elements();
}

void HexahedronFEMForceField::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::ForceFields) || !d_drawing.value() || !l_state) return;
    ElementDrawing how;
    how.gap = d_drawPercentageOffset.value();
    drawElements(tool, ElementType::Hexahedra, m_mechanics.graph().elements(), state().positions(), how);
}

static const RegisterComponent registeredHexahedronFEMForceField =
    RegisterComponent("HexahedronFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Corotational linear elasticity on hexahedra")
        .alias("ParallelHexahedronFEMForceField")
        .alias("HexahedralFEMForceField")
        .example("component/fem/HexahedronFEMForceField.scn")
        .add<HexahedronFEMForceField>();

}  // namespace sofa::component
