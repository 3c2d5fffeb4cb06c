// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/LinearElasticForceField.h"
#include "core/behavior/MatrixFree.h"
#include "core/fem/elements/LinearHexahedra.h"
#include "core/fem/elements/LinearTetrahedra.h"
#include "core/topology/ElementsOf.h"

namespace sofa::component {

/// The mechanics of one kind of elements.
template <class Shape, std::size_t D>
struct ElementMechanics
{
    using Type = LinearElements<Shape, D>;
};
template <>
struct ElementMechanics<TetrahedronShape, 3>
{
    using Type = LinearTetrahedra;
};
template <>
struct ElementMechanics<HexahedronShape, 3>
{
    using Type = LinearHexahedra;
};

/// The kinds that have force fields: SOFA's.
#define SOFA_ELASTIC_ELEMENTS(X) \
    SOFA_LINEAR_ELEMENTS(X)      \
    X(TetrahedronShape, 3)

/// What the linear and the corotational force field on one kind of elements have in common; the mechanics, with its
/// equations, units and sources, is that of core/fem/elements/LinearElements.h.
template <class DataTypes, class Shape>
class ElementFEMForceField : public LinearElasticForceField<DataTypes>, public MatrixFreeStiffness
{
public:
    using Base = LinearElasticForceField<DataTypes>;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Mechanics = typename ElementMechanics<Shape, DataTypes::derivSize>::Type;

    Data<double> d_elementSpace{this,
                                {.name = "elementSpace",
                                 .help = "Gap drawn between elements: 0 none, 1 all of the element",
                                 .unit = "1",
                                 .range = Range::closed(0., 1.),
                                 .group = "Visualization"},
                                0.125};

    VolumetricStrain volumetricStrain{this};

    ElementFEMForceField();

    static std::string staticTemplateName() { return std::string(DataTypes::name()) + ',' + std::string(Shape::name); }

    using Base::buildStiffness;
    using Base::potentialEnergy;
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override;
    /// Elastic energy in the rotated axes of the elements. Its gradient is minus the force where there is no rotation;
    /// else they differ by the neglected change of the rotations, by terms of second order in the strain.
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;
    void elementEnergies(Vector<double>& out) const override { m_mechanics.energies(this->state().positions(), out); }
    bool isMatrixFreeFast() const override
    {
        if constexpr (requires { m_mechanics.hasBoxProducts(); }) return m_mechanics.hasBoxProducts();
        return false;
    }
    MatrixFreeOperator* matrixFreeOperator() override
    {
        if constexpr (requires { m_mechanics.matrixFreeOperator(); }) return m_mechanics.matrixFreeOperator();
        return nullptr;
    }
    const Vector<Hexahedron>& massElements() const override
    {
        if constexpr (Shape::type == ElementType::Hexahedra)
            return m_mechanics.graph().elements();
        else
            return MatrixFreeStiffness::massElements();
    }
    /// The elements (flag ForceFields).
    void draw(DrawTool& tool) override;

    /// The elements' mechanics, prepared by init.
    const Mechanics& mechanics() const { return m_mechanics; }

protected:
    virtual ElementRotation rotationMethod() const = 0;

    ElementNumbering elementNumbering() const override { return {this->l_topology.get(), {Shape::type}}; }
    void prepare() override;
    bool followElements(const TopologyChange& change) override;
    bool hasPreparedElements() const override;
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override;

private:
    Mechanics m_mechanics;
};

}  // namespace sofa::component
