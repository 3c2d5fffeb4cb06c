// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HyperelasticForceField.h"

namespace sofa::component {

template <std::size_t N>
void HyperelasticForceField::prepareElements(HyperelasticElements<N>& elements,
                                             const Vector<std::array<Index, N>>& topology,
                                             const ElementQuadrature<N>& quadrature, Index firstElement)
{
    elements.build(topology, restPositions(), quadrature);
    MaterialEvaluation m = material();
    m.projection = static_cast<TangentProjection>(d_tangentProjection.value().index());
    elements.setMaterial(m);
    Vector<double> parameters;
    for (Index e = 0; e < topology.size(); ++e) {
        try {
            parametersOf(firstElement + e, parameters);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("element " + std::to_string(firstElement + e) + ": " + error.what());
        }
        elements.setParameters(e, parameters);
    }
}

void HyperelasticForceField::prepare()
{
    const Vector<Tetrahedron>& tetrahedra = topology().tetrahedra();
    const Vector<Hexahedron>& hexahedra = topology().hexahedra();
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (tetrahedra.empty() && hexahedra.empty() && m_preparedTetrahedra.empty() && m_preparedHexahedra.empty())
        throw std::runtime_error("the topology '" + topology().pathName() + "' has no tetrahedra and no hexahedra");
    prepareElements(m_tetrahedra, isElsewhere(ElementType::Tetrahedra) ? Vector<Tetrahedron>() : tetrahedra,
                    tetrahedronQuadrature(), 0);
    prepareElements(m_hexahedra, isElsewhere(ElementType::Hexahedra) ? Vector<Hexahedron>() : hexahedra,
                    hexahedronQuadrature(hexahedronPoints()), static_cast<Index>(tetrahedra.size()));
    m_preparedTetrahedra = tetrahedra;
    m_preparedHexahedra = hexahedra;
}

bool HyperelasticForceField::hasPreparedElements() const
{
    return topology().tetrahedra() == m_preparedTetrahedra && topology().hexahedra() == m_preparedHexahedra;
}

void HyperelasticForceField::addElementForces(VecDeriv& f, const VecCoord& x)
{
    if (m_tetrahedra.size() > 0) m_tetrahedra.addForce(f, x);
    if (m_hexahedra.size() > 0) m_hexahedra.addForce(f, x);
}

void HyperelasticForceField::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    if (m_tetrahedra.size() > 0) m_tetrahedra.addStiffnessProduct(df, dx, factor);
    if (m_hexahedra.size() > 0) m_hexahedra.addStiffnessProduct(df, dx, factor);
}

void HyperelasticForceField::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (!isValid()) return;
    if (m_tetrahedra.size() > 0) m_tetrahedra.addStiffness(k);
    if (m_hexahedra.size() > 0) m_hexahedra.addStiffness(k);
}

double HyperelasticForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return (m_tetrahedra.size() > 0 ? m_tetrahedra.energy(x) : 0.) +
           (m_hexahedra.size() > 0 ? m_hexahedra.energy(x) : 0.);
}

}  // namespace sofa::component
