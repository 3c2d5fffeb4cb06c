// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mass/MeshMass.h"
#include "core/linalg/ScalarBlockMatrix.h"

namespace sofa::component {

/// A column of the table of MeshMatrixMass: what divides ρ·measure at vertices, edges, diagonals of faces and of the
/// body (0: no such entries), and L.
struct MeshMassWeights
{
    double vertex = 1., edge = 1., face = 0., body = 0., lumping = 1.;
};

/// Mass matrix of a density on a mesh, with entries for vertices and edges.
///
/// M_ii is the sum over the elements at vertex i, M_ij over those with the edge or diagonal ij, of ρ·measure divided by
///                           edges  triangles  quads  tetrahedra  hexahedra
///     at vertices             3        6        9       10          27
///     at edges                6       12       18       20          54
///     at diagonals of faces                    36                  108
///     at other diagonals                                           216
///     lumping L              3/2       2       9/4      5/2        27/8
/// This is the consistent matrix ∫ ρ φᵢ φⱼ of linear elements [Zienkiewicz, Taylor, Zhu: The Finite Element Method, its
/// Basis and Fundamentals, ch. 12]: exactly for edges, triangles, tetrahedra, parallelograms and parallelepipeds; of
/// other quads and hexahedra it has the mass and is positive definite (FEMMass integrates them). Every row sum is L
/// M_ii, the mass of the vertex: with "lumping", M = L diag(M_ii). Gravity always acts on the lumped masses, which is M
/// g for a uniform g.
///
/// SOFA leaves out the diagonals, and keeps row sums with 8, 16 and 2 for quads, 20, 40 and 5/2 for hexahedra: so does
/// this with `compatibility="sofa"`, with lumping (where it is the same) and where vertexMass is given. That matrix has
/// the eigenvalues −ρV/40 for hexahedra, and 0 for quads.
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
    /// The same of diagonals of elements, where these have entries.
    double integrateDiagonals(core::Vector<double>& vertexMass, core::Vector<double>& edgeMass);
    /// Only the entries of diagonals, which follow from the densities: nothing else keeps them.
    void findDiagonals();
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
    MeshMassWeights m_weights;
    /// Entries for diagonals of elements that are no edges of the mesh, in increasing order.
    struct Diagonals
    {
        core::Vector<core::Edge> places;  ///< lower point first
        core::Vector<double> masses;      ///< [kg]
    } m_diagonals;
    core::DataTracker m_total, m_density;
    /// Makes the pattern of m_matrix anew, if it is another.
    void findPattern(std::size_t points) const;
    mutable core::ScalarBlockMatrix m_matrix;                   ///< what buildMass adds
    mutable core::Vector<core::Edge> m_matrixEdges;             ///< those of the mesh and diagonals, for which it is
    mutable core::Vector<std::uint32_t> m_loops;                ///< those that join a point with itself
    mutable core::PiecewiseRows<std::uint32_t> m_matrixMasses;  ///< for each column, which of them it is
};

}  // namespace sofa::component
