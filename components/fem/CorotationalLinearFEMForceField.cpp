// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/CorotationalLinearFEMForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// Value of element e in a list with one value for all or one per element.
template <class T>
const T& valueOf(const Data<Vector<T>>& d, Index e)
{
    const Vector<T>& v = d.value();
    if (v.size() == 1) return v[0];
    if (e < v.size()) return v[e];
    throw std::runtime_error(d.name() + " has " + std::to_string(v.size()) +
                             " values; one for all elements, or one for each, are needed");
}

}  // namespace

MaterialEvaluation CorotationalLinearFEMForceField::material() const
{
    constexpr MaterialLaw laws[] = {MaterialLaw::Linear, MaterialLaw::CorotationalApproximate,
                                    MaterialLaw::Corotational};
    return {.law = laws[d_warp.value()]};
}

bool CorotationalLinearFEMForceField::isElsewhere(ElementType type) const
{
    if (isOrthotropic()) return true;
    return type == ElementType::Hexahedra && d_hexahedronRotation.value().selected() == "element" &&
           d_tangentProjection.value().index() == 0;
}

ElasticityMatrix CorotationalLinearFEMForceField::elasticityOf(Index e) const
{
    if (!isOrthotropic()) return isotropicElasticity(lame(e));
    OrthotropicParameters p{valueOf(d_orthotropicModuli, e), valueOf(d_orthotropicRatios, e),
                            valueOf(d_orthotropicShearModuli, e)};
    if (!d_orthotropicAxes.value().empty()) p.axes = valueOf(d_orthotropicAxes, e);
    return orthotropicElasticity(p);
}

template <std::size_t N>
void CorotationalLinearFEMForceField::prepareWarped(WarpedElements<N>& elements,
                                                    const Vector<std::array<Index, N>>& topology, ElementWarp warp,
                                                    Index first)
{
    constexpr ElementType type = N == 4 ? ElementType::Tetrahedra : ElementType::Hexahedra;
    elements.build(isElsewhere(type) ? topology : Vector<std::array<Index, N>>(), restPositions(), warp);
    elements.setMaterial([&](Index e) {
        try {
            return elasticityOf(first + e);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("element " + std::to_string(first + e) + ": " + error.what());
        }
    });
}

void CorotationalLinearFEMForceField::prepare()
{
    YoungPoissonForceField::prepare();
    constexpr ElementWarp warps[] = {ElementWarp::None, ElementWarp::Rotated, ElementWarp::Exact};
    const ElementWarp warp = warps[d_warp.value()];
    if (isOrthotropic() && d_tangentProjection.value().index() != 0)
        msgWarning() << "tangentProjection has no effect on orthotropic materials";
    if (isOrthotropic() && !(topology().prisms().empty() && topology().pyramids().empty()))
        throw std::runtime_error("orthotropic materials are for tetrahedra and hexahedra, not for prisms and pyramids");
    prepareWarped(m_warpedTetrahedra, topology().tetrahedra(), warp, 0);
    prepareWarped(m_warpedHexahedra, topology().hexahedra(), std::min(warp, ElementWarp::Rotated),
                  static_cast<Index>(topology().tetrahedra().size()));
}

void CorotationalLinearFEMForceField::addElementForces(VecDeriv& f, const VecCoord& x)
{
    YoungPoissonForceField::addElementForces(f, x);
    if (m_warpedTetrahedra.size() > 0) m_warpedTetrahedra.addForce(f, x);
    if (m_warpedHexahedra.size() > 0) m_warpedHexahedra.addForce(f, x);
}

void CorotationalLinearFEMForceField::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    YoungPoissonForceField::addElementProducts(df, dx, factor);
    if (m_warpedTetrahedra.size() > 0) m_warpedTetrahedra.addStiffnessProduct(df, dx, factor);
    if (m_warpedHexahedra.size() > 0) m_warpedHexahedra.addStiffnessProduct(df, dx, factor);
}

void CorotationalLinearFEMForceField::buildStiffness(const MechanicalParams& mp, BlockSink& k)
{
    YoungPoissonForceField::buildStiffness(mp, k);
    if (!isValid()) return;
    if (m_warpedTetrahedra.size() > 0) m_warpedTetrahedra.addStiffness(k);
    if (m_warpedHexahedra.size() > 0) m_warpedHexahedra.addStiffness(k);
}

double CorotationalLinearFEMForceField::potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const
{
    return YoungPoissonForceField::potentialEnergy(mp, x) +
           (m_warpedTetrahedra.size() > 0 ? m_warpedTetrahedra.energy(x) : 0.) +
           (m_warpedHexahedra.size() > 0 ? m_warpedHexahedra.energy(x) : 0.);
}

static const RegisterComponent registered =
    RegisterComponent("CorotationalLinearFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help(
            "Linear or corotational elasticity on tetrahedra, hexahedra, prisms and pyramids, isotropic or "
            "(tetrahedra, "
            "hexahedra) orthotropic, with approximate or exact tangent")
        .example("component/fem/CorotationalLinearFEMForceField.scn")
        .add<CorotationalLinearFEMForceField>();

}  // namespace sofa::component
