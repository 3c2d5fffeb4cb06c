// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>

#include "core/fem/elements/CorotationalHexahedra.h"
#include "core/topology/SparseGrid.h"

namespace sofa::core {

/// Hexahedra of a sparse grid with shape functions made of what fills them.
///
/// In place of the trilinear functions, a coarse hexahedron is interpolated by the static solution of its fine cells
/// when its corners are moved: with K of the fine nodes, f the free and c those at the corners,
///
///     W = [1; −K_ff⁻¹ K_fc],   K = W̄ᵀ K_fine W̄,   M = W̄ᵀ M_fine W̄
///
/// (M. Nesme, P. G. Kry, L. Jeřábková and F. Faure, "Preserving topology and elasticity for embedded deformable
/// models", ACM Transactions on Graphics 28 (2009)). A stiff part inside then hardly deforms, and a soft hexahedron
/// with it is softer than trilinear functions allow. W̄ are those entries of W by which a node follows the same
/// component of the corners that the trilinear functions let it follow (those of its edge or face), divided by their
/// sum, so that neighbours fit together; the trilinear ones where the sum is below 0.1. Empty cells count in W, with
/// 10⁹ times the least, and at least 100 times the greatest stiffness of the others: so what is not connected otherwise
/// has a place.
///
/// The levels are gone through one after the other, each with 27 places of nodes, or with `inOneStep` as a whole. At a
/// place there are several nodes where pieces do not hang together (ramified grids).
class CompositeCells
{
public:
    using Nodes = CorotationalHexahedra::Nodes;
    using Matrix = CorotationalHexahedra::Stiffness;

    struct Options
    {
        std::size_t finer = 1;    ///< how many levels finer the fine cells are; there must be as many
        bool inOneStep = false;   ///< all levels at once
        bool connectAll = false;  ///< adjacent pieces share their nodes, whatever the grid says
        bool complete = false;    ///< the weights told are those of W, else of W̄
        /// Empty cells have the stiffness of SOFA's, whose rounded numbers tie them to where they are at rest, and
        /// weights are divided by their sum, whatever it is.
        bool asSofa = false;
    };
    void build(std::span<const SparseLevel> levels, const Options& options);

    struct Element
    {
        Matrix stiffness;
        Mat<8> mass;  ///< mean of those of the three components, so that it does not turn with the element
    };
    /// Gets the weights of a fine piece: displacements of its nodes = weights × displacements of the coarse nodes, in
    /// the element's frame.
    using WeightSink = std::function<void(Index finePiece, const Matrix& weights)>;
    /// Element of a piece of the coarsest level, with these nodes at rest.
    Element homogenise(Index piece, const Nodes& rest, const LameParameters& material, double density,
                       const WeightSink& sink = {});
    /// Takes the energy of small rotations about the rest shape, which W̄ does not carry as such, out of a stiffness.
    /// The frame of the element turns by Ω u, and u − (Ω u) × X is what deforms it: K' = Pᵀ K P, P = 1 − [X]×ᵀ Ω. In
    /// the frame Ω u = 0 up to second order, so that the energy is the same, and forces have no torque.
    static void removeRotations(Matrix& k, const Nodes& rest, const std::array<Mat3, 8>& turning);

    /// The nodes of the fine cells, at the places where the grid is.
    const SparseMesh& fineMesh() const { return m_meshes.front(); }
    const SparseLevel& fineLevel() const { return m_levels[m_at]; }
    /// Number of the fine level in the levels that build() was given.
    std::size_t fineLevelNumber() const { return m_at; }
    /// The piece of the coarsest level that a fine one lies in.
    Index coarsePiece(Index finePiece) const;
    /// The fine piece that contains a point [m] where the grid is, or the nearest one, and the coordinates there: −1 to
    /// 1 inside.
    std::pair<Index, Vec3> locate(const Vec3& x) const;
    /// Coordinates −1 to 1 of corner `corner` of a fine cell in its coarse cell.
    Vec3 coordinates(Index finePiece, std::size_t corner) const;

private:
    struct Cells
    {
        Matrix stiffness, mass;
    };
    struct Child;

    Cells compute(std::size_t level, Index piece);
    Cells condense(std::size_t level, const std::vector<Child>& children, std::size_t places);
    void collect(std::size_t level, Index piece, std::size_t down, const Vec<3, int>& place,
                 std::vector<Child>& out) const;
    void compose(std::size_t level, Index piece, const Matrix& parent, const WeightSink& sink) const;
    std::span<const Index> childrenOf(std::size_t level, Index piece) const;
    std::size_t step() const { return m_options.inOneStep ? m_options.finer : 1; }

    std::span<const SparseLevel> m_levels;
    Options m_options;
    std::size_t m_at = 0;
    std::vector<SparseMesh> m_meshes;                ///< of levels m_at, m_at + 1, ... but the coarsest
    std::vector<Vector<Index>> m_start, m_children;  ///< of the pieces of levels m_at + 1, ...: those one level finer
    /// Of the pieces of levels m_at, ... in one element: the weights from the step above.
    std::vector<std::unordered_map<Index, Matrix>> m_stepWeights;
    Matrix m_unitStiffness;  ///< of a full fine cell
    Mat<8> m_unitMass;
};

}  // namespace sofa::core
