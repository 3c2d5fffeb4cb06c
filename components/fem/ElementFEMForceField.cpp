// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/ElementFEMForceField.h"

#include "core/visual/DrawElements.h"

namespace sofa::component {

template <class DataTypes, class Shape>
ElementFEMForceField<DataTypes, Shape>::ElementFEMForceField()
{
    this->ignoreAttribute("computeForceStrategy",
                          "the program has the number of threads (--threads), on which results do not depend");
    this->ignoreAttribute("computeForceDerivStrategy",
                          "the program has the number of threads (--threads), on which results do not depend");
    this->ignoreAttribute("elementStiffness",
                          "the stiffness matrices are computed from the material and the rest shape");
}

template <class DataTypes, class Shape>
void ElementFEMForceField<DataTypes, Shape>::prepare()
{
    const BaseMeshTopology& topology = this->topology();
    const auto& elements = elementsOf<Shape::type>(topology);
    if (m_mechanics.size() == 0) {
        const std::string kind(Shape::name), highest(elementTypeName(topology.topologyType()));
        // During a simulation the last element may be removed; at the start it is a mistake.
        if (elements.empty() && !mayStartEmpty(*this, topology,
                                               "element of type " + kind + "; its highest kind of element is the " +
                                                   highest + ". The template chooses the kind: template=\"" +
                                                   std::string(DataTypes::name()) + ",Tetrahedron\", for example"))
            return;
        if (topology.topologyType() != Shape::type)
            this->msgInfo() << "it acts on the elements of type " << kind << " of the topology '" << topology.pathName()
                            << "', whose highest kind of element is the " << highest
                            << "; the template chooses the kind";
    }
    if (volumetricStrain.isAveraged() && !Mechanics::canAverage)
        throw std::runtime_error(
            "volumetricStrain=\"averaged\" is for elements that fill a volume, not for elements of "
            "type " +
            std::string(Shape::name));
    if (Shape::dimension >= 2) this->checkLocking(volumetricStrain, Shape::dimension == 2);
    m_mechanics.build(elements, this->restPositions(), rotationMethod(), volumetricStrain.dilatation());
    this->regions.update(m_mechanics.size());
    m_mechanics.setMaterial([this](Index e) { return this->materialOf(e); });
    if (m_mechanics.nbInverted() > 0)
        this->msgInfo() << m_mechanics.nbInverted() << " of " << m_mechanics.size()
                        << " elements are numbered inside out; their forces are those of the others";
}

template <class DataTypes, class Shape>
bool ElementFEMForceField<DataTypes, Shape>::followElements([[maybe_unused]] const TopologyChange& change)
{
    if constexpr (requires { &Mechanics::follow; }) {
        if (m_mechanics.size() == 0) return false;
        Vector<Index> touched = change.touchedElements(this->topology(), Shape::type);
        if (!m_mechanics.follow(elementsOf<Shape::type>(this->topology()), this->restPositions(),
                                change.source(elementNumbering()), change.source(pointsOf(this->state())), touched))
            return false;
        touched = this->regions.update(m_mechanics.size(), std::move(touched));
        m_mechanics.setMaterial(touched, [this](Index e) { return this->materialOf(e); });
        return true;
    } else {
        return false;
    }
}

template <class DataTypes, class Shape>
bool ElementFEMForceField<DataTypes, Shape>::hasPreparedElements() const
{
    return elementsOf<Shape::type>(this->topology()) == m_mechanics.graph().elements();
}

template <class DataTypes, class Shape>
void ElementFEMForceField<DataTypes, Shape>::addElementForces(VecDeriv& f, const VecCoord& x)
{
    m_mechanics.addForce(f, x);
}

template <class DataTypes, class Shape>
void ElementFEMForceField<DataTypes, Shape>::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    m_mechanics.addStiffnessProduct(df, dx, factor);
}

template <class DataTypes, class Shape>
void ElementFEMForceField<DataTypes, Shape>::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (this->isValid()) m_mechanics.addStiffness(k);
}

template <class DataTypes, class Shape>
double ElementFEMForceField<DataTypes, Shape>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return m_mechanics.energy(x);
}

template <class DataTypes, class Shape>
void ElementFEMForceField<DataTypes, Shape>::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::ForceFields) || !this->l_state || !this->l_topology) return;
    ElementDrawing how;
    how.gap = d_elementSpace.value();
    drawElements(tool, Shape::type, m_mechanics.graph().elements(), drawnPoints(tool, this->state()), how);
}

#define SOFA_INSTANTIATE(S, D) template class ElementFEMForceField<VecTypes<D>, S>;
SOFA_ELASTIC_ELEMENTS(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::component
