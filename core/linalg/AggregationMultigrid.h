// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Factorization.h"
#include "core/linalg/MultigridLevel.h"
#include "core/math/Vec.h"

namespace sofa::core {

/// Approximate inverse of a symmetric positive definite block matrix by algebraic multigrid with smoothed aggregation:
/// one V-cycle, a symmetric positive definite operator for conjugate gradients. (Vaněk, Mandel and Brezina, "Algebraic
/// multigrid by smoothed aggregation for second and fourth order elliptic problems", Computing 56, 1996.)
///
///     AggregationMultigrid m;
///     m.analyze(a, fixed, 6);     // once per pattern
///     m.refresh(a, modes);        // whenever the values have changed
///     m.apply(r, z);              // z ≈ A⁻¹ r, many times
///
/// Elements know motions that cost no energy, the rigid ones; they are the near null vectors ("modes") that coarse
/// levels represent exactly, three in the plane and six in space. A coarse level has one block of them for each
/// aggregate of points. Smoothers are polynomials in D⁻¹ A, which need products only: they are symmetric, and the same
/// bits for any number of threads. The coarsest level is factorised. A system that is no larger than that is solved
/// directly. Levels are stored in single precision: a cycle is bound by the bandwidth of the memory, and conjugate
/// gradients correct its rounding. Galerkin products and the coarsest level are in double precision.
class AggregationMultigrid
{
public:
    /// Degree of the smoothing polynomials, and the largest number of unknowns that is factorised, or 1/500 of all
    /// unknowns where that is more.
    int degree = 3;
    int coarsest = 1000;

    /// Aggregates and patterns of all levels from the pattern of A. `fixed` lists scalars that have no part in coarser
    /// levels, those that projective constraints took out. Throws std::runtime_error if A is not square or `modes` is
    /// not 3 or 6.
    void analyze(const BlockCsrMatrix& a, std::span<const int> fixed, int modes);

    /// All values, from those of A, which has the pattern that was analysed. `modes` has one row for each scalar: see
    /// addRigidModes. Throws std::runtime_error if A is not positive definite.
    void refresh(const BlockCsrMatrix& a, Vector<double> modes);

    /// z ≈ A⁻¹ r
    void apply(std::span<const double> r, std::span<double> z);

    /// Unknowns of the levels, from the finest to the coarsest.
    Vector<unsigned> unknowns() const;
    /// Bytes that are stored, without the factor of the coarsest level.
    std::size_t bytes() const;
    const MultigridLevel& level(std::size_t k) const { return *m_levels[k]; }
    std::size_t levels() const { return m_levels.size() + 1; }

private:
    void cycle(std::size_t k);
    const BlockCsrMatrix& lastMatrix(const BlockCsrMatrix& a) const
    {
        return m_levels.empty() ? a : m_levels.back()->coarse();
    }

    std::vector<std::unique_ptr<MultigridLevel>> m_levels;
    std::unique_ptr<Factorization> m_factor;  ///< of the coarsest level
    Vector<int> m_fixed;
    int m_modes = 6, m_unknowns = 0;
    double m_scale = 1.;  ///< power of two: levels store scale · A, whose numbers fit into single precision
    Vector<float> m_coarse;
    Vector<double> m_last;
};

/// Appends the rows of the rigid-body modes for the scalars of a point at x: those of its first `translations` axes,
/// then with `rotations` those of as many rotations as there are in the plane (1) or in space (3), as frames have.
/// There are 6 modes (translations along and rotations about x, y, z) or 3 (in the plane: x, y, and the rotation).
void addRigidModes(Vector<double>& rows, const Vec3& x, std::size_t translations, bool rotations, int modes);

}  // namespace sofa::core
