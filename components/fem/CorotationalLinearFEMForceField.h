// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/VegaForceFields.h"
#include "core/fem/elements/CorotationalElements.h"

namespace sofa::component {

/// Linear elasticity without rotations, and corotational linear elasticity with approximate or exact tangent (Vega
/// FEM's CLFEM with warp 0, 1, 2) on elements of any kind, on tetrahedra and hexahedra also for orthotropic materials.
///
/// R is the proper rotation nearest to the deformation gradient, for inverted elements as well. A hexahedron has one
/// rotation, as in Vega (core/fem/elements/CorotationalElements.h), or one at each of its eight integration points,
/// where force and tangent are the exact derivatives of the energy. With one rotation, warp 2 is the same as warp 1 on
/// hexahedra, as in Vega. The exact tangent of orthotropic materials is not symmetric (again as in Vega): it needs a
/// linear solver for such matrices.
template <class Types>
class CorotationalLinearFEMForceField final : public YoungPoissonForceField<Types>
{
public:
    Data<unsigned> d_warp{this,
                          {.name = "warp",
                           .help = "0: linear, without rotations; 1: rotated stiffness (approximate tangent); "
                                   "2: exact tangent",
                           .range = Range::closed(0., 2.)},
                          1};
    Data<Options> d_hexahedronRotation{
        this,
        {.name = "hexahedronRotation",
         .help = "Rotations of a hexahedron: element (one, as in Vega; warp 2 is then the same as warp 1), points (one "
                 "at each of the eight integration points)"},
        Options({"element", "points"})};
    Data<Vector<Vec3>> d_orthotropicModuli{
        this,
        {.name = "orthotropicModuli",
         .help = "Young's moduli E1 E2 E3 along the axes of an orthotropic material: one triple, or one per element; "
                 "instead of youngModulus and poissonRatio",
         .unit = "Pa",
         .group = "Orthotropic"}};
    Data<Vector<Vec3>> d_orthotropicRatios{
        this,
        {.name = "orthotropicRatios",
         .help = "Poisson's ratios nu12 nu23 nu31: pulled along i, it contracts along j by nu_ij of the extension",
         .unit = "1",
         .group = "Orthotropic"}};
    Data<Vector<Vec3>> d_orthotropicShearModuli{
        this,
        {.name = "orthotropicShearModuli", .help = "Shear moduli G12 G23 G31", .unit = "Pa", .group = "Orthotropic"}};
    Data<Vector<Mat3>> d_orthotropicAxes{
        this,
        {.name = "orthotropicAxes",
         .help = "Rotation, row by row, from the axes of the material to those of the mesh: one, or one per element; "
                 "default: none",
         .unit = "1",
         .group = "Orthotropic"}};

    using Base = YoungPoissonForceField<Types>;
    using VecCoord = typename Types::VecCoord;
    using VecDeriv = typename Types::VecDeriv;
    using Base::buildStiffness;
    using Base::potentialEnergy;
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override;
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;

protected:
    MaterialEvaluation material() const override;
    bool isElsewhere(ElementType type) const override;
    std::vector<ElementData> elementValues() override
    {
        std::vector<ElementData> all = Base::elementValues();
        all.insert(all.end(),
                   {{&d_orthotropicModuli}, {&d_orthotropicRatios}, {&d_orthotropicShearModuli}, {&d_orthotropicAxes}});
        return all;
    }
    void stressesElsewhere(ElementType type, Vector<Mat3>& out) const override;
    void energiesElsewhere(ElementType type, Vector<double>& out) const override;
    void prepare() override;
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override;

private:
    bool isOrthotropic() const { return !d_orthotropicModuli.value().empty(); }
    ElasticityMatrix elasticityOf(Index e);
    template <class Shape>
    void prepareCorotational(CorotationalElements<Shape::nodes>& elements, Corotation warp);
    /// Calls f for the kinds of warped elements that there are.
    template <class F>
    void forCorotational(F&& f) const
    {
        if (m_corotationalTetrahedra.size() > 0) f(m_corotationalTetrahedra);
        if (m_corotationalHexahedra.size() > 0) f(m_corotationalHexahedra);
    }

    CorotationalElements<4> m_corotationalTetrahedra;
    CorotationalElements<8> m_corotationalHexahedra;
};

}  // namespace sofa::component
