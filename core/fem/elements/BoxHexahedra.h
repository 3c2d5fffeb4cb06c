// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "core/fem/elements/FiniteElements.h"
#include "core/fem/kernels/HexahedronKernels.h"
#include "core/math/Mat.h"

namespace sofa::core {

/// Products df −= Σ_e Eᵀ K E dx with the stiffness K that all elements of a mesh share, where K is that of a box.
///
/// A box is its own mirror image in three planes, and so is the stiffness of an isotropic material in it. With the
/// eight products of signs s_m(v) = ±1 (m: a subset of the axes; the sign of vertex v in each of them) as a basis, the
/// modes of the displacements
///
///     û_m = Σ_v s_m(v) u_v,     f_v = −Σ_m s_m(v) f̂_m,     f̂ = K̂ û,     K̂ = H K Hᵀ / 64,  H = (s_m(v))
///
/// K̂ couples component c of mode m only with those that change their sign in the same planes (m with or without axis
/// c): of its 576 entries, eight blocks of 3 × 3 remain, in three of which a translation does nothing; 57
/// multiplications instead of 441 (this is the reduction by irreducible representations of the group D₂ₕ; see Bossavit,
/// "Symmetry, groups, and boundary value problems", Computer Methods in Applied Mechanics and Engineering 56, 1986).
/// Rotations act on components, signs on vertices, so that each of the seven modes is rotated once. What remains
/// besides is reading and writing of 24 numbers.
///
/// Elements are taken eight at a time; the lanes of a pack are far apart in the mesh, so that they seldom add to the
/// same point. Chunks of 2,048 elements, whatever the number of threads, sum into windows of their own, which are added
/// in their order: bits depend neither on threads nor on instruction sets.
class BoxHexahedra
{
public:
    using Stiffness = Mat<24>;

    /// What numbers of K̂ that should be zero may be, of the largest.
    static constexpr double negligible = 1e-12;
    /// Axes in whose positive half vertex v stands: bits 4, 2, 1 for x, y, z.
    static constexpr unsigned positiveAxes(unsigned v)
    {
        constexpr unsigned positive[8] = {0, 4, 6, 2, 1, 5, 7, 3};
        return positive[v];
    }
    /// s_m(v), for m < 8.
    static constexpr double sign(unsigned mode, unsigned vertex)
    {
        return std::popcount(mode & ~positiveAxes(vertex)) % 2 == 0 ? 1. : -1.;
    }

    /// The numbers of K̂ in the order of HexahedronKernels::modes, if what they leave out is below 1e-12 of the largest
    /// (rest positions are rounded as well).
    static std::optional<std::array<double, boxStiffnessScalars>> modesOf(const Stiffness& k);

    /// True if the elements are ready.
    bool isReady() const { return !m_packs.empty(); }
    void clear() { m_packs.clear(); }
    /// Takes the elements, unless their numbering is so bad that the windows would be much larger than the mesh.
    void build(const Vector<Hexahedron>& elements, Index nbPoints,
               const std::array<double, boxStiffnessScalars>& stiffness);

    /// Axes of the elements: lane e % 8 of frames[e / 8].
    void setFrames(const Vector<HexahedronFrames>& frames);

    /// df −= factor Eᵀ K E dx. Sizes are those of the mesh.
    void addProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor);

private:
    struct Chunk
    {
        std::size_t firstPack, lastPack;
        std::size_t firstPoint, lastPoint;  ///< of its window
        std::size_t offset;                 ///< of the window, in points
    };
    Vector<BoxPack> m_packs;
    Vector<std::uint32_t> m_elementOf;  ///< eight per pack; lanes without an element repeat one
    Vector<HexahedronFrames> m_frames;
    std::vector<Chunk> m_chunks;
    Vector<double> m_windows;  ///< four numbers per point, and one more point for each chunk, for unused lanes
    std::array<double, boxStiffnessScalars> m_stiffness{};
};

}  // namespace sofa::core
