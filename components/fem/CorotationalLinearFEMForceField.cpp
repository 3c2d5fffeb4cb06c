// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/CorotationalLinearFEMForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

/// Value of element e in a list with one value for all or one per element.
template <class T>
const T& listValue(const Data<Vector<T>>& d, Index e)
{
    const Vector<T>& v = d.value();
    if (v.size() == 1) return v[0];
    if (e < v.size()) return v[e];
    throw std::runtime_error(d.name() + " has " + std::to_string(v.size()) +
                             " values; one for all elements, or one for each, are needed");
}

}  // namespace

template <class Types>
MaterialEvaluation CorotationalLinearFEMForceField<Types>::material() const
{
    constexpr MaterialLaw laws[] = {MaterialLaw::Linear, MaterialLaw::CorotationalApproximate,
                                    MaterialLaw::Corotational};
    return {.law = laws[d_warp.value()]};
}

template <class Types>
bool CorotationalLinearFEMForceField<Types>::isElsewhere(ElementType type) const
{
    if (isOrthotropic()) return true;
    return type == ElementType::Hexahedra && d_hexahedronRotation.value().selected() == "element" &&
           this->projection(TangentProjection::None) == TangentProjection::None;
}

template <class Types>
ElasticityMatrix CorotationalLinearFEMForceField<Types>::elasticityOf(Index e)
{
    if (!isOrthotropic()) {
        this->volumetricStrain.check(this->valueOf(this->d_poissonRatio, e));
        return isotropicElasticity(this->lame(e));
    }
    const Index at = this->slotOf(e);
    OrthotropicParameters p{listValue(d_orthotropicModuli, at), listValue(d_orthotropicRatios, at),
                            listValue(d_orthotropicShearModuli, at)};
    if (!d_orthotropicAxes.value().empty()) p.axes = listValue(d_orthotropicAxes, at);
    return orthotropicElasticity(p);
}

template <class Types>
template <class Shape>
void CorotationalLinearFEMForceField<Types>::prepareCorotational(CorotationalElements<Shape::nodes>& elements,
                                                                 Corotation warp)
{
    using Elements = Vector<typename Shape::Element>;
    if constexpr (Base::D == 3) {
        const Index first = this->template firstOf<Shape>();
        elements.build(isElsewhere(Shape::type) ? this->template preparedElements<Shape>() : Elements(),
                       this->restPositions(), warp, this->volumetricStrain.dilatation());
        elements.setMaterial([&](Index e) {
            try {
                return elasticityOf(first + e);
            } catch (const std::runtime_error& error) {
                throw std::runtime_error("element " + std::to_string(first + e) + ": " + error.what());
            }
        });
    }
}

template <class Types>
void CorotationalLinearFEMForceField<Types>::prepare()
{
    Base::prepare();
    constexpr Corotation warps[] = {Corotation::None, Corotation::Rotated, Corotation::Exact};
    const Corotation warp = warps[d_warp.value()];
    if (isOrthotropic()) {
        if (this->projection(TangentProjection::None) != TangentProjection::None)
            this->msgWarning() << "tangentProjection has no effect on orthotropic materials";
        bool others = Base::D == 2;
        if constexpr (Base::D == 3)
            others = !(this->template preparedElements<PrismShape>().empty() &&
                       this->template preparedElements<PyramidShape>().empty() &&
                       this->template preparedElements<TriangleShape>().empty() &&
                       this->template preparedElements<QuadShape>().empty() &&
                       this->template preparedElements<EdgeShape>().empty());
        if (others)
            throw std::runtime_error("orthotropic materials are for tetrahedra and hexahedra, not for other elements");
        if constexpr (Base::D == 3)
            if (this->volumetricStrain.isAveraged() && !this->template preparedElements<TetrahedronShape>().empty())
                throw std::runtime_error(
                    "volumetricStrain=\"averaged\" is for isotropic tetrahedra, and for hexahedra of any material");
    }
    prepareCorotational<TetrahedronShape>(m_corotationalTetrahedra, warp);
    prepareCorotational<HexahedronShape>(m_corotationalHexahedra, std::min(warp, Corotation::Rotated));
}

template <class Types>
void CorotationalLinearFEMForceField<Types>::addElementForces(VecDeriv& f, const VecCoord& x)
{
    Base::addElementForces(f, x);
    if constexpr (Base::D == 3) {
        if (m_corotationalTetrahedra.size() > 0) m_corotationalTetrahedra.addForce(f, x);
        if (m_corotationalHexahedra.size() > 0) m_corotationalHexahedra.addForce(f, x);
    }
}

template <class Types>
void CorotationalLinearFEMForceField<Types>::addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const
{
    Base::addElementProducts(df, dx, factor);
    if constexpr (Base::D == 3) forCorotational([&](const auto& e) { e.addStiffnessProduct(df, dx, factor); });
}

template <class Types>
void CorotationalLinearFEMForceField<Types>::buildStiffness(const MechanicalParams& mp, BlockSink& k)
{
    Base::buildStiffness(mp, k);
    if (this->isValid()) forCorotational([&](const auto& e) { e.addStiffness(k); });
}

template <class Types>
double CorotationalLinearFEMForceField<Types>::potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const
{
    double energy = Base::potentialEnergy(mp, x);
    if constexpr (Base::D == 3) forCorotational([&](const auto& e) { energy += e.energy(x); });
    return energy;
}

template <class Types>
void CorotationalLinearFEMForceField<Types>::stressesElsewhere(ElementType type, Vector<Mat3>& out) const
{
    if constexpr (Base::D == 3) {
        const VecCoord& x = this->state().positions();
        type == ElementType::Tetrahedra ? m_corotationalTetrahedra.stresses(x, out)
                                        : m_corotationalHexahedra.stresses(x, out);
    }
}

template <class Types>
void CorotationalLinearFEMForceField<Types>::energiesElsewhere(ElementType type, Vector<double>& out) const
{
    if constexpr (Base::D == 3) {
        const VecCoord& x = this->state().positions();
        type == ElementType::Tetrahedra ? m_corotationalTetrahedra.energies(x, out)
                                        : m_corotationalHexahedra.energies(x, out);
    }
}

template class CorotationalLinearFEMForceField<Vec2Types>;
template class CorotationalLinearFEMForceField<Vec3Types>;

static const RegisterComponent registeredCorotationalLinearFEMForceField =
    RegisterComponent("CorotationalLinearFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help(
            "Linear or corotational elasticity on elements of any kind, isotropic or (tetrahedra, hexahedra) "
            "orthotropic, with approximate or exact tangent")
        .example("component/fem/CorotationalLinearFEMForceField.scn")
        .add<CorotationalLinearFEMForceField, Vec3Types, Vec2Types>();

}  // namespace sofa::component
