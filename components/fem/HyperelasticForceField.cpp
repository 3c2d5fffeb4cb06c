// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HyperelasticForceField.h"

#include "core/topology/ElementsOf.h"

namespace sofa::component {

namespace {

/// Calls f for each kind of elements that has some.
template <class Parts, class F>
void forEachPart(Parts& parts, F&& f)
{
    std::apply([&](auto&... part) { ((part.mechanics.size() > 0 ? f(part) : void()), ...); }, parts);
}

template <class Shape>
const auto& quadratureOf(int n)
{
    if constexpr (Shape::type == ElementType::Hexahedra)
        return hexahedronQuadrature(n);
    else if constexpr (Shape::type == ElementType::Prisms)
        return prismQuadrature(n);
    else if constexpr (Shape::type == ElementType::Pyramids)
        return pyramidQuadrature(n);
    else
        return tetrahedronQuadrature();
}

}  // namespace

template <class S>
void HyperelasticForceField::preparePart(Part<S>& part, const Vector<typename S::Element>& elements, Index first)
{
    part.prepared = elements;
    if (isElsewhere(S::type)) {
        part.mechanics.build({}, restPositions(), quadratureOf<S>(quadraturePoints()));
        return;
    }
    part.mechanics.build(elements, restPositions(), quadratureOf<S>(quadraturePoints()));
    MaterialEvaluation m = material();
    m.projection = static_cast<TangentProjection>(d_tangentProjection.value().index());
    part.mechanics.setMaterial(m);
    Vector<double> parameters;
    for (Index e = 0; e < elements.size(); ++e) {
        try {
            parametersOf(first + e, parameters);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("element " + std::to_string(first + e) + ": " + error.what());
        }
        part.mechanics.setParameters(e, parameters);
    }
}

void HyperelasticForceField::prepare()
{
    Index before = 0, now = 0;
    std::apply(
        [&](auto&... part) {
            ((before += static_cast<Index>(part.prepared.size()),
              now +=
              static_cast<Index>(elementsOf<std::remove_cvref_t<decltype(part)>::Shape::type>(topology()).size())),
             ...);
        },
        m_parts);
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (before == 0 && now == 0)
        throw std::runtime_error("the topology '" + topology().pathName() +
                                 "' has no tetrahedra, hexahedra, prisms or pyramids");
    Index first = 0;
    const auto one = [&](auto& part) {
        const auto& elements = elementsOf<std::remove_cvref_t<decltype(part)>::Shape::type>(topology());
        preparePart(part, elements, first);
        first += static_cast<Index>(elements.size());
    };
    std::apply([&](auto&... part) { (one(part), ...); }, m_parts);
}

bool HyperelasticForceField::hasPreparedElements() const
{
    return std::apply(
        [&](const auto&... part) {
            return ((elementsOf<std::remove_cvref_t<decltype(part)>::Shape::type>(topology()) == part.prepared) && ...);
        },
        m_parts);
}

void HyperelasticForceField::addElementForces(VecDeriv& f, const VecCoord& x)
{
    forEachPart(m_parts, [&](auto& part) { part.mechanics.addForce(f, x); });
}

void HyperelasticForceField::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    forEachPart(m_parts, [&](auto& part) { part.mechanics.addStiffnessProduct(df, dx, factor); });
}

void HyperelasticForceField::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    if (!isValid()) return;
    forEachPart(m_parts, [&](auto& part) { part.mechanics.addStiffness(k); });
}

double HyperelasticForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    forEachPart(m_parts, [&](auto& part) { energy += part.mechanics.energy(x); });
    return energy;
}

}  // namespace sofa::component
