// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Viscous damping with a matrix that the user gives: f = −(D + c L) v, ∂f/∂v = −(D + c L), constant. It is the matrix
/// that integrators of the Vega library add to their Rayleigh damping (SetDampingMatrix).
///
/// D comes from a file in Vega's format of sparse matrices: a line with the number of rows and one with that of columns
/// (both 3n for n points), then a line "row column value" for each entry. Entries of one place are added.
/// L is the Laplacian of the graph of the mesh's edges, for every axis: with d_i the number of neighbours of point i,
///     L_ii = d_i, L_ij = −1 for neighbours;      with scaleRows L_ii = 1, L_ij = −1/d_i.
/// It damps the velocity of each point relative to its neighbours. The second form is that of Vega's simulator
/// (dampingLaplacianCoef); it is not symmetric, so that implicit integration needs a linear solver for general matrices
/// (EigenSparseLU). D may be without symmetry too.
class DampingMatrixForceField : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<core::Vec3Types>;

    core::Data<core::FileName> d_filename{
        this, {.name = "filename", .help = "File with the matrix D [N s/m] in Vega's text format; empty: none"}};
    core::Data<unsigned> d_indexBase{this,
                                     {.name = "indexBase",
                                      .help = "Number of the first row and column in the file: 0 or 1",
                                      .range = core::Range::closed(0., 1.)},
                                     0};
    core::Data<double> d_laplacian{
        this,
        {.name = "laplacian",
         .help = "Coefficient c of the Laplacian of the mesh: damping of each point relative to its neighbours",
         .unit = "N s/m",
         .range = core::Range::nonNegative()},
        0.};
    core::Data<bool> d_scaleRows{
        this,
        {.name = "scaleRows",
         .help = "Divide each row of the Laplacian by the number of neighbours (as Vega's simulator does); the matrix "
                 "is not symmetric then"},
        false};
    core::Link<core::BaseMeshTopology> l_topology{
        this, {"topology", "Mesh of the Laplacian; default: that of the node or above"}};

    void init() override;
    /// Reads the file again and builds the matrix.
    void reinit() override;
    void followTopology(const core::TopologyChange&) override { reinit(); }

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams&, core::BlockSink&) override {}
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    bool hasDamping() const override { return !m_blocks.empty(); }
    /// Zero: drag stores no energy.
    double potentialEnergy(const core::MechanicalParams&, const VecCoord&) const override { return 0.; }

    using Base::addForce;
    using Base::buildDamping;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    struct Block
    {
        core::Index row, column;
        core::Mat3 value;  ///< of −(D + c L)
    };
    /// Both throw std::runtime_error.
    void addFile(std::map<std::pair<core::Index, core::Index>, core::Mat3>& blocks) const;
    void addLaplacian(std::map<std::pair<core::Index, core::Index>, core::Mat3>& blocks);
    /// out += factor · (−(D + c L)) v
    void addProduct(VecDeriv& out, const VecDeriv& v, double factor) const;

    std::vector<Block> m_blocks;  ///< by rows and columns
};

}  // namespace sofa::component
