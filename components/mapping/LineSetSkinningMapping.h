// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mapping/BlendedFrames.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

/// A skin around lines between frames, such as the bones of a skeleton: each point follows the frames at the first ends
/// of some lines, with weights that sum to one.
///
/// The weight of a line from a to b is the sum over 1001 places along it, as in SOFA,
///
///     w = |b − a| / 1000 Σ_k |a + (b − a) k / 1000 − x|⁻ᵖ,   k = 0 ... 1000,
///
/// p `weightCoef`, at the beginning: a convolution of the line with a power of the distance (Bloomenthal, Shoemake,
/// "Convolution surfaces", SIGGRAPH 1991). A point follows the line of largest weight (of equal ones the last), and of
/// the lines that at most `neighborhoodLevel` common points separate from that one the next by weight, until there are
/// `numberInfluencedLines`.
///
/// Lines that end in one point are neighbours, too; SOFA forgets those that have only their second ends in common. A
/// point that lies on a place of lines follows these alone; in SOFA it becomes NaN.
template <class In, class Out>
class LineSetSkinningMapping final : public BlendedFrames<In, Out>
{
public:
    using Base = BlendedFrames<In, Out>;
    using typename Base::InVecCoord;
    using typename Base::OutVecCoord;

    Data<Index> d_neighborhoodLevel{
        this,
        {.name = "neighborhoodLevel",
         .help = "Lines that a point follows are at most so many steps from line to line from its main one"},
        3};
    Data<Index> d_numberInfluencedLines{
        this,
        {.name = "numberInfluencedLines", .help = "Largest number of lines that a point follows; one at least"},
        4};
    Data<int> d_weightCoef{this,
                           {.name = "weightCoef",
                            .help = "Power of the distance by which weights of lines decrease",
                            .range = Range::nonNegative()},
                           4};
    Link<BaseMeshTopology> l_topology{this, {"topology", "Lines between the frames; default: those of the input"}};

    void init() override;
    void reinit() override
    {
        if (this->isValid() && this->l_output && checkLines()) setUp();
    }

    /// Lines with their weights, which sum to one, that the points follow.
    struct Line
    {
        Index line;
        double weight;
    };
    const Vector<Vector<Line>>& lines() const { return m_lines; }

private:
    bool checkLines();
    /// For each line those near it, in increasing order.
    Vector<Vector<Index>> neighborhoods() const;
    void setUp();

    InVecCoord m_frames;   ///< at the beginning
    OutVecCoord m_points;  ///< at the beginning
    Vector<Vector<Line>> m_lines;
};

}  // namespace sofa::component
