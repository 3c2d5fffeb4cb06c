// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TetrahedronForceFieldBase.h"

namespace sofa::component {

TetrahedronForceFieldBase::TetrahedronForceFieldBase(Options methods, std::string_view help)
    : d_method(this, {.name = "method", .help = help}, std::move(methods))
{
    addAlias(d_computeGlobalMatrix, "assembling");
}

void TetrahedronForceFieldBase::prepare()
{
    m_mechanics.build(elements(), restShape(), selectedMethod(), d_updateStiffnessMatrix.value());
    updateMaterial();
    if (m_mechanics.nbInverted() > 0)
        msgInfo() << m_mechanics.nbInverted() << " of " << m_mechanics.size()
                  << " tetrahedra are numbered with negative volume; their forces are those of positive ones";
}

void TetrahedronForceFieldBase::updateMaterial()
{
    const Vector<double>& local = d_localStiffnessFactor.value();
    const Index n = m_mechanics.size();
    regions.update(n);
    for (Index e = 0; e < n; ++e)
        m_mechanics.setMaterial(e, materialOf(e, local.empty() ? 1. : local[e * local.size() / n]));
}

bool TetrahedronForceFieldBase::hasPreparedElements() const
{
    return topology().tetrahedra() == m_mechanics.graph().elements();
}

void TetrahedronForceFieldBase::addElementForces(VecDeriv& f, const VecCoord& x) { m_mechanics.addForce(f, x); }

void TetrahedronForceFieldBase::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    m_mechanics.addStiffnessProduct(df, dx, factor);
}

void TetrahedronForceFieldBase::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (isValid()) m_mechanics.addStiffness(k);
}

double TetrahedronForceFieldBase::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return m_mechanics.energy(x);
}

void TetrahedronForceFieldBase::nodeRotations(Vector<Mat3>& rotations) const
{
    averageRotations(m_mechanics.graph(), rotations, [this](Index e) { return m_mechanics.rotation(e); });
}

void TetrahedronForceFieldBase::computeVonMises(const VecCoord& x, bool greenStrain)
{
    const ElementGraph<4>& graph = m_mechanics.graph();
    Vector<double>& element = d_vonMisesPerElement.edit();
    element.resize(graph.size());
    if (!greenStrain) m_mechanics.corotatedGradients(x, m_gradients);
    graph.forEach([&](Index e) {
        Mat3 strain;
        if (greenStrain) {
            const Mat3 g = m_mechanics.displacementGradient(e, x);
            strain = (g + g.transposed() + g.transposed() * g) * 0.5;
        } else {
            strain = m_gradients[e];
        }
        element[e] = vonMisesStress(m_mechanics.stress(e, strain));
    });
    Vector<double>& nodal = d_vonMisesPerNode.edit();
    nodal.assign(x.size(), 0.);
    for (Index v = 0; v < graph.nbPoints() && v < nodal.size(); ++v) {
        double count = 0.;
        graph.forEachAround(v, [&](Index e) {
            nodal[v] += element[e];
            count += 1.;
        });
        if (count > 0.) nodal[v] /= count;
    }
}

}  // namespace sofa::component
