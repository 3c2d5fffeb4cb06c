// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mass/MeshMass.h"
#include "core/linalg/ScalarBlockMatrix.h"

namespace sofa::component {

/// Mass matrix of a density on a mesh, with entries for vertices and edges.
///
/// M_ii is the sum over the elements at vertex i, M_ij over those at edge ij, of ρ·measure divided by
///                    edges  triangles  quads  tetrahedra  hexahedra
///     at vertices      3        6        8       10          20
///     at edges         6       12       16       20          40
///     lumping L       3/2       2        2       5/2         5/2
/// For edges, triangles and tetrahedra this is the consistent matrix ∫ ρ φᵢ φⱼ of linear elements [Zienkiewicz, Taylor,
/// Zhu: The Finite Element Method, its Basis and Fundamentals, ch. 12]; for quads and hexahedra SOFA's approximation of
/// it, which leaves out the diagonals but keeps row sums. Every row sum is L M_ii, the mass of the vertex: with
/// "lumping", M = L diag(M_ii). Gravity always acts on the lumped masses, which is M g for a uniform g.
///
/// One of these decides, in this order: totalMass (a uniform ρ is chosen so that the sum is right), massDensity (one,
/// or one for each element), vertexMass with lumping, vertexMass and edgeMass; totalMass = 1 kg when none is given.
template <class DataTypes, class GeometryTypes = DataTypes>
class MeshMatrixMass : public MeshMass<DataTypes, GeometryTypes>
{
public:
    using Base = MeshMass<DataTypes, GeometryTypes>;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Deriv = typename DataTypes::Deriv;

    core::Data<core::Vector<double>> d_massDensity{
        this,
        {.name = "massDensity",
         .help = "Mass per volume, area or length of the mesh's elements: one for all, or one for each",
         .unit = "kg/m^3"}};
    core::Data<core::Vector<double>> d_vertexMass{
        this, {.name = "vertexMass", .help = "Diagonal entry of each vertex before lumping", .unit = "kg"}};
    core::Data<core::Vector<double>> d_edgeMass{
        this, {.name = "edgeMass", .help = "Entry of each edge of the mesh", .unit = "kg"}};
    core::Data<bool> d_lumping{
        this, {.name = "lumping", .help = "Sum the rows on the diagonal: the matrix becomes diagonal"}, false};
    core::Data<bool> d_printMass{
        this, {.name = "printMass", .help = "Report the total mass and record it in graph at each step"}, false};
    core::Data<std::map<std::string, core::Vector<double>>> d_graph{
        this, {.name = "graph", .help = "Total mass at each step, recorded by printMass", .unit = "kg"}};

    MeshMatrixMass();

    void init() override;
    void reinit() override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addMDx(VecDeriv& f, const VecDeriv& dx, const VecCoord& x, double factor) const override;
    void accFromF(VecDeriv& a, const VecDeriv& f, const VecCoord& x) const override;
    void buildMass(core::BlockSink& m, const VecCoord& x) const override;
    bool isDiagonal() const override { return d_lumping.value(); }
    /// The lumped mass of a vertex.
    double pointMass(core::Index i) const override;
    core::ElementLists elementLists() override;
    /// Densities stay, so that the mass of removed elements goes, as in SOFA; vertexMass that the scene gives stays.
    void followTopology(const core::TopologyChange& change) override;

    using Base::accFromF;
    using Base::addForce;
    using Base::addMDx;
    using Base::buildMass;

private:
    /// Fills vertexMass and edgeMass from the densities of the elements; returns the sum of all entries.
    double integrate();
    void setDensity(double density);
    bool checkDensity();
    void fromTotalMass();
    void fromDensity();
    void fromMasses();
    void followChanges();
    void forgetChanges();
    double totalOfEntries();

    bool m_fromMasses = false;  ///< vertexMass is given
    MassSum m_vertexSum, m_edgeSum;
    double m_lumping = 1.;  ///< row sum divided by diagonal entry
    core::DataTracker m_total, m_density;
    mutable core::ScalarBlockMatrix m_matrix;        ///< what buildMass adds
    mutable core::Vector<core::Edge> m_matrixEdges;  ///< the edges for which it was made
};

}  // namespace sofa::component
