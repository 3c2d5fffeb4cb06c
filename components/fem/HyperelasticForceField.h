// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/ElementForceField.h"
#include "core/fem/HyperelasticElements.h"

namespace sofa::component {

/// Base of the force fields of isotropic materials on linear tetrahedra; the mechanics is that of
/// core/fem/HyperelasticElements.h. A subclass says which law with which parameters.
class HyperelasticForceField : public ElementForceField<Vec3Types>
{
public:
    Data<Options> d_tangentProjection{
        this,
        {.name = "tangentProjection",
         .help = "Makes the stiffness of each element positive semi-definite: none, clamp (negative eigenvalues become "
                 "zero), absolute (they change their sign)"},
        Options({"none", "clamp", "absolute"})};

    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override;
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;

    const HyperelasticElements<4>& tetrahedra() const { return m_tetrahedra; }
    const HyperelasticElements<8>& hexahedra() const { return m_hexahedra; }

protected:
    /// Points of Gauss's rule along each edge of a hexahedron.
    virtual int hexahedronPoints() const { return 2; }
    /// Whether elements of this kind are left to the subclass: they are not prepared here and give no forces.
    virtual bool isElsewhere(ElementType) const { return false; }
    /// The law; the projection is added.
    virtual MaterialEvaluation material() const = 0;
    /// Sets the parameters of element e, as many as the law has. Throws std::runtime_error on invalid values.
    virtual void parametersOf(Index e, Vector<double>& parameters) const = 0;

    void prepare() override;
    bool hasPreparedElements() const override;
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override;

private:
    template <std::size_t N>
    void prepareElements(HyperelasticElements<N>& elements, const Vector<std::array<Index, N>>& topology,
                         const ElementQuadrature<N>& quadrature, Index firstElement);

    HyperelasticElements<4> m_tetrahedra;
    HyperelasticElements<8> m_hexahedra;
    Vector<Tetrahedron> m_preparedTetrahedra;
    Vector<Hexahedron> m_preparedHexahedra;
};

}  // namespace sofa::component
