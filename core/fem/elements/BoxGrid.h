// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/behavior/MatrixFree.h"
#include "core/fem/kernels/HexahedronKernels.h"

namespace sofa::core {

/// Products q = Σ_e Eᵀ (k K + m ⊗ 1) E p of a regular grid of equal boxes with everything that its state has besides:
/// point masses and fixed scalars.
///
/// The stiffness is taken in modes, as in core/fem/elements/BoxHexahedra.h, and so is the mass of the elements, which
/// is a number for each mode. What BoxHexahedra spends on reading and writing points, half of its time, is saved by the
/// order of the vectors: a line of points stands together, x, y and z apart, so that a register takes a component of
/// eight points and eight boxes follow each other in its lanes. Sums and differences across a row of boxes are then
/// made once for each line, and the ends of neighbouring boxes are the same register shifted by a lane.
///
/// Lines run in the direction that leaves the fewest lanes unused; they are padded to whole registers. Chunks of about
/// 2,048 boxes, whatever the number of threads, add to lines of their own; those at a border are added in order: bits
/// depend neither on threads nor on instruction sets.
class BoxGrid final : public MatrixFreeOperator
{
public:
    /// Numbers of the stiffness in modes (BoxHexahedra::modesOf).
    using Modes = std::array<double, boxStiffnessScalars>;

    /// Takes the elements if they and the points are a grid, numbered along its axes; is not ready otherwise.
    void build(const Vector<Hexahedron>& elements, Index nbPoints, const Modes& stiffness);
    bool isReady() const { return !m_elementOf.empty(); }
    void clear() { m_elementOf.clear(); }
    /// Axes of the elements: lane e % 8 of frames[e / 8].
    void setFrames(const Vector<HexahedronFrames>& frames);

    /// The number of each mode of an element's mass, if it has no others (it is that of a box).
    static bool modesOfMass(const Mat<8>& mass, std::array<double, 8>& modes);

    bool takes(const Mat<8>& elementMass) const override;
    /// Throws std::runtime_error if it does not take the mass of the elements.
    void prepare(const SystemTerms& terms) override;
    std::size_t size() const override { return m_lines * 3 * m_stride + packLength; }
    void load(const double* state, double* own) const override;
    void store(const double* own, double* state) const override;
    double multiply(const Vector<double>& p, Vector<double>& q) override;
    std::string_view description() const override { return "a grid of equal boxes"; }
    std::size_t bytes() const override;

private:
    static constexpr std::size_t packLength = 8;

    /// Where component 0 of a point stands in the vectors.
    std::size_t place(std::size_t point) const;
    void addRows(const double* p, double* q, std::size_t first, std::size_t last, double* border) const;

    unsigned m_axis = 0;                                 ///< of the elements, along the lines
    std::array<std::size_t, 3> m_points{};               ///< along the lines and in the two directions across
    std::array<std::size_t, 3> m_step{};                 ///< of the numbers of points, in these directions
    std::size_t m_lines = 0, m_stride = 0, m_packs = 0;  ///< packs per row
    Vector<std::uint32_t> m_elementOf;                   ///< of each lane of the rows; none: ~0
    Vector<HexahedronFrames> m_frames;                   ///< zero where there is no element
    Vector<double> m_used;                               ///< of a row
    Modes m_modes{};
    std::array<double, boxStiffnessScalars + 1> m_numbers{};
    Vector<double> m_givenMass;  ///< as in the terms; the rest is only made anew where they changed
    Vector<std::size_t> m_givenFixed;
    Vector<double> m_pointMass;  ///< one line after the other; empty: none
    Vector<std::size_t> m_fixed;
    std::size_t m_layers = 0;  ///< of rows in a chunk
    Vector<double> m_borders;  ///< one layer of lines for each chunk but the last
};

}  // namespace sofa::core
