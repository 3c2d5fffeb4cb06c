// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/HexahedronFEMForceFieldAndMass.h"
#include "core/fem/elements/FilledCell.h"

namespace sofa::component {

/// Hexahedra of a sparse grid whose stiffness and mass are those of finer cells, which are not simulated.
///
/// `nbVirtualFinerLevels` of the finer levels of the topology are looked at: each hexahedron consists of up to 8 to the
/// power of it cells, each with a part that is filled and a material of its own (SparseGridMultipleTopology). Their
/// stiffness and mass are brought to the eight nodes by the trilinear interpolation, K = Σ Lᵀ K_f L and M = Σ Lᵀ M_f L
/// (M. Nesme, Y. Payan and F. Faure, "Animating shapes at arbitrary resolution with non-uniform stiffness", VRIPHYS
/// 2006); core/fem/elements/FilledCell.h has how. So a hexahedron of which only one side is filled bends and falls
/// otherwise than one that is half as stiff and heavy everywhere. As all fine nodes follow the coarse ones, the body is
/// never softer than its finest level.
///
/// Differences from SOFA. The mass matrix is the consistent one also here (see HexahedronFEMForceFieldAndMass), and
/// depends on the mass factors of the fine cells, where SOFA takes those of the stiffness. With `useMass` off, each
/// point has `totalMass` divided by the number of points; SOFA divides by the number of hexahedra (so do scenes with
/// compatibility="sofa"). More levels than the topology has are an error; SOFA then leaves the levels out. Edited
/// parameters are applied. SOFA's NonUniformHexahedralFEMForceFieldAndMass, whose fine cells are the hexahedra of a
/// MultilevelHexahedronSetTopologyContainer, has the same law; here the name stands for this class and its topology.
class NonUniformHexahedronFEMForceFieldAndMass : public HexahedronFEMForceFieldAndMass
{
public:
    Data<int> d_nbVirtualFinerLevels{
        this,
        {.name = "nbVirtualFinerLevels",
         .help = "How many levels finer than the hexahedra their stiffness and mass come from, at most those of the "
                 "topology; 0: each hexahedron is the same everywhere",
         .range = Range::closed(0., 8.)},
        0};
    Data<bool> d_useMass{
        this,
        {.name = "useMass",
         .help = "Whether the mass is that of the finer cells, else totalMass, the same at each point"},
        true};
    Data<double> d_totalMass{this,
                             {.name = "totalMass",
                              .help = "Mass of all points, if useMass is off",
                              .unit = "kg",
                              .range = Range::nonNegative()},
                             0.};

    NonUniformHexahedronFEMForceFieldAndMass();

    bool isDiagonal() const override { return !d_useMass.value() || HexahedronFEMForceFieldAndMass::isDiagonal(); }

protected:
    void prepare() override;
    CorotationalHexahedra::Material elementMaterial(Index e) override;
    Mat<8> massOf(Index e, const ElementNodes& nodes) const override;
    bool hasLevels() const { return d_nbVirtualFinerLevels.value() > 0; }
    /// Takes what is in the fine cells, before the elements are prepared.
    virtual void prepareCells(std::span<const SparseLevel> levels);
    /// The piece of the sparse grid that element e is. Throws std::runtime_error if it is none.
    Index pieceOf(Index e) const;

private:
    Vector<FilledCell> m_stiffnessFill, m_massFill;  ///< per piece, with finer levels
};

}  // namespace sofa::component
