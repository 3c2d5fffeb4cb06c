// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

/// Diffusion of numbers on the vertices of tetrahedra, as temperature by conduction, with linear elements:
///
///     f_i = −Σ_j K_ij u_j,   K_ij = ∫ ∇N_i · D ∇N_j dV,   D = d (I + (r − 1) n nᵀ)
///
/// with the coefficient d of each tetrahedron, and with `anisotropyRatio` r times as much along the direction n. With a
/// mass of u (the heat capacity, MeshMatrixMass) and an integrator of first order (EulerImplicitSolver firstOrder="1")
/// this is M u̇ = −K u (O. Zienkiewicz, R. Taylor, The Finite Element Method, vol. 1, 2000, chapter 7). States of
/// several numbers diffuse number by number.
///
/// The shape is that of the state with the tag `tagMechanics` in the node or above when the component starts, as in
/// SOFA, or of the topology where there is none. Meshes that change are refused.
template <class DataTypes>
class TetrahedronDiffusionFEMForceField final : public core::ForceField<DataTypes>
{
public:
    using Base = core::ForceField<DataTypes>;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;

    core::Data<double> d_constantDiffusionCoefficient{
        this,
        {.name = "constantDiffusionCoefficient",
         .help = "Diffusion coefficient of all tetrahedra (conductivity, if masses are heat capacities)",
         .unit = "m^2/s",
         .range = core::Range::nonNegative()},
        1.};
    core::Data<core::Vector<double>> d_tetraDiffusionCoefficient{
        this,
        {.name = "tetraDiffusionCoefficient",
         .help = "Diffusion coefficient of each tetrahedron; default: constantDiffusionCoefficient",
         .unit = "m^2/s"}};
    core::Data<double> d_anisotropyRatio{
        this,
        {.name = "anisotropyRatio",
         .help = "How many times as much diffuses along transverseAnisotropyArray as across it",
         .unit = "1",
         .range = core::Range::nonNegative()},
        1.};
    core::Data<core::Vector<core::Vec3>> d_transverseAnisotropyArray{
        this,
        {.name = "transverseAnisotropyArray",
         .help = "Direction of each tetrahedron; its length does not matter",
         .unit = "1"}};
    core::Data<std::string> d_tagMechanics{
        this, {.name = "tagMechanics", .help = "Tag of the state that has the shape"}, "meca"};
    core::Data<bool> d_drawConduc{this,
                                  {.name = "drawConduc",
                                   .help = "Show the tetrahedra in the colours of their coefficients",
                                   .group = "Visualization"},
                                  false};
    core::Link<core::BaseMeshTopology> l_topology{
        this, {"topology", "Mesh of tetrahedra; default: that of the node or above"}};

    void init() override;
    void reinit() override { assemble(); }
    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    /// ½ uᵀ K u
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    void draw(core::DrawTool& tool) override;

private:
    struct Coupling
    {
        core::Index a, b;
        double value;  ///< K_ab
    };
    bool findShape();
    void assemble();

    core::Vector<core::Vec3> m_shape;
    core::Vector<Coupling> m_couplings;  ///< of each pair a < b, in increasing order
};

}  // namespace sofa::component
