// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <tuple>

#include "components/fem/ElementForceField.h"
#include "core/fem/FiniteElements.h"
#include "core/fem/HyperelasticElements.h"

namespace sofa::component {

/// Base of the force fields of isotropic materials on tetrahedra, hexahedra, prisms and pyramids; the mechanics is that
/// of core/fem/HyperelasticElements.h. A subclass says which law with which parameters. Elements are numbered in the
/// order of these kinds.
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

    const HyperelasticElements<4>& tetrahedra() const { return std::get<0>(m_parts).mechanics; }
    const HyperelasticElements<8>& hexahedra() const { return std::get<1>(m_parts).mechanics; }

protected:
    /// Points of the quadrature along each axis of a hexahedron, prism or pyramid.
    virtual int quadraturePoints() const { return 2; }
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
    /// The elements of one kind.
    template <class S>
    struct Part
    {
        using Shape = S;
        HyperelasticElements<S::nodes> mechanics;
        Vector<typename S::Element> prepared;  ///< in the order of the topology
    };
    template <class S>
    void preparePart(Part<S>& part, const Vector<typename S::Element>& elements, Index first);

    std::tuple<Part<TetrahedronShape>, Part<HexahedronShape>, Part<PrismShape>, Part<PyramidShape>> m_parts;
};

}  // namespace sofa::component
