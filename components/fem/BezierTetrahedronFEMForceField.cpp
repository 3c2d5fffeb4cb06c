// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/BezierTetrahedronFEMForceField.h"

#include "core/factory/Registry.h"
#include "core/visual/DrawCurves.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void BezierTetrahedronFEMForceField::prepare()
{
    const BezierTopology& mesh = bezierTopologyOf(topology());
    const Vector<BezierTetrahedron>& elements = mesh.bezierTetrahedra();
    if (m_mechanics.size() == 0 && elements.empty() && !mayStartEmpty(*this, topology(), "tetrahedron")) return;
    m_mechanics.build(elements, mesh.middlePoints(), restPositions(), d_rotationMethod.value().index() == 0);
    regions.update(m_mechanics.size());
    for (Index e = 0; e < m_mechanics.size(); ++e) m_mechanics.setMaterial(e, materialOf(e));
    if (m_mechanics.nbInverted() > 0)
        msgInfo() << m_mechanics.nbInverted() << " of " << m_mechanics.size()
                  << " elements are numbered inside out; their forces are those of the others";
}

bool BezierTetrahedronFEMForceField::hasPreparedElements() const
{
    return bezierTopologyOf(topology()).bezierTetrahedra() == m_mechanics.elements();
}

void BezierTetrahedronFEMForceField::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (isValid()) m_mechanics.addStiffness(k);
}

double BezierTetrahedronFEMForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return m_mechanics.energy(x);
}

void BezierTetrahedronFEMForceField::stresses(const ElementResults::Shape& shape, Vector<Mat3>& out) const
{
    m_mechanics.stresses(Vector<Vec3>(shape.now.begin(), shape.now.end()), out);
}

void BezierTetrahedronFEMForceField::vonMisesStresses(const ElementResults::Shape& shape, Vector<double>& out) const
{
    Vector<Mat3> all;
    stresses(shape, all);
    out.clear();
    for (const Mat3& s : all) out.push_back(vonMisesStress(s));
}

void BezierTetrahedronFEMForceField::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::ForceFields) || !l_state || !l_topology) return;
    drawCurvedEdges(tool, m_mechanics.elements(), drawnPoints(tool, state()),
                    plainStyle(elementPalette(ElementType::Tetrahedra)[0]));
}

static const RegisterComponent registeredBezierTetrahedronFEMForceField =
    RegisterComponent("BezierTetrahedronFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help(
            "Linear elasticity (Hooke's law) in axes that turn with each element, on Bézier tetrahedra of degree 1 "
            "and 2 with straight rest shapes (BezierTetrahedronSetTopologyContainer)")
        .example("component/fem/BezierTetrahedronFEMForceField.scn")
        .add<BezierTetrahedronFEMForceField>();

}  // namespace sofa::component
