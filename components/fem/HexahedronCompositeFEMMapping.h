// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/HexahedronCompositeFEMForceFieldAndMass.h"
#include "core/behavior/Mapping.h"

namespace sofa::component {

/// Points in the finer cells of a HexahedronCompositeFEMForceFieldAndMass, which move as these do.
///
/// A point with the trilinear weights b_n in its fine cell, whose nodes n lie in the hexahedra e (k_n of them), is at
///
///     x = Σ_n b_n Σ_e (x₀ₑ + Eₑᵀ (p_en + W_en uₑ)) / k_n
///
/// with the present frame Eₑ of the hexahedron (rows are axes), its node 0 at x₀ₑ, the place p_en of the fine node in
/// the rest shape, and the displacements uₑ of its nodes, both in the frame and relative to node 0, and the weights
/// W_en of CompositeCells (Nesme, Kry, Jeřábková and Faure, 2009), the mean of those of the fine cells around the node.
/// The Jacobian has the turning of the frames,
///
///     dx = … + ωₑ × (x_en − x₀ₑ) − Eₑᵀ W_en (Eₑ (ωₑ × (x_i − x₀ₑ)))_i,
///
/// so that forces on points act with their torques; the derivative of the Jacobian is left out. SOFA's Jacobian leaves
/// out the turning, and it takes the frames of the last forces; scenes with compatibility="sofa" have that.
///
/// Positions of the points are those at the place of the grid: a state that is moved carries them with it.
class HexahedronCompositeFEMMapping final : public Mapping<Vec3Types, Vec3Types>
{
public:
    using Field = HexahedronCompositeFEMForceFieldAndMass;

    Link<Field> l_forceField{this, {"forceField", "Force field of the cells; default: that of the input's node"}};

    void init() override;
    using Mapping::apply;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    bool isLinear() const override { return false; }

private:
    /// What a point has of one hexahedron.
    struct Part
    {
        Index hexahedron;
        double share;  ///< of x₀ₑ
        Vec3 place;    ///< Σ b_n p_en / k_n
        Mat<3, 24> weights;
        Index cell = 0;                 ///< of m_cells
        std::array<Index, 8> blocks{};  ///< of the Jacobian, one for each node
    };
    /// A hexahedron that has parts, as of the last apply.
    struct Cell
    {
        Index hexahedron;
        CorotationalHexahedra::Nodes rest;
        Mat3 frame;
        Vec<24> u;  ///< displacements of its nodes, in the frame
    };

    /// Throws std::runtime_error if a hexahedron is missing.
    void locate();
    /// Gives the parts their cells and blocks.
    void connect();
    Mat3 frame(Index hexahedron, const InVecCoord& in) const;
    bool likeSofa() const { return compatibility() == Compatibility::Sofa; }

    Vector<Vec3> m_points;  ///< at the place of the grid
    Vector<Index> m_start;  ///< point i has the parts m_start[i] to m_start[i + 1]
    Vector<Part> m_parts;
    Vector<Cell> m_cells;
    Vector<Index> m_columns;  ///< nodes of each point, in increasing order: blocks of the Jacobian
    Vector<Index> m_columnStart;
    bool m_hasPattern = false;  ///< the Jacobian has these blocks
};

}  // namespace sofa::component
