// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HyperelasticForceField.h"

namespace sofa::component {

double elementValue(const Data<Vector<double>>& d, Index e)
{
    const Vector<double>& v = d.value();
    if (v.empty()) return d.defaultValue().empty() ? 0. : d.defaultValue()[0];
    return e < v.size() ? v[e] : v[0];
}

void HyperelasticForceField::prepare()
{
    const Vector<Tetrahedron>& elements = topology().tetrahedra();
    if (elements.empty() && m_prepared.empty())
        throw std::runtime_error("the topology '" + topology().pathName() + "' has no tetrahedra");
    m_mechanics.build(elements, restPositions());
    m_prepared = elements;
    MaterialEvaluation m = material();
    m.projection = static_cast<TangentProjection>(d_tangentProjection.value().index());
    m_mechanics.setMaterial(m);
    Vector<double> parameters;
    for (Index e = 0; e < elements.size(); ++e) {
        try {
            parametersOf(e, parameters);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("element " + std::to_string(e) + ": " + error.what());
        }
        m_mechanics.setParameters(e, parameters);
    }
}

bool HyperelasticForceField::hasPreparedElements() const { return topology().tetrahedra() == m_prepared; }

void HyperelasticForceField::addElementForces(VecDeriv& f, const VecCoord& x) { m_mechanics.addForce(f, x); }

void HyperelasticForceField::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    m_mechanics.addStiffnessProduct(df, dx, factor);
}

void HyperelasticForceField::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (isValid()) m_mechanics.addStiffness(k);
}

double HyperelasticForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return m_mechanics.energy(x);
}

}  // namespace sofa::component
