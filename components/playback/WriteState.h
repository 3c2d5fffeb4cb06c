// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/playback/FrameWriter.h"
#include "core/behavior/Mass.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Writes vectors of the state of its node, or the nearest above, at the beginning of steps, in SOFA's format:
///
///     T= 0.5
///       X= x0 y0 z0 x1 y1 z1 ...
///       V= ...
///
/// with X0 for rest positions and F for forces. Numbers read back to the same bits.
class WriteState final : public FrameWriter, public TopologyFollower
{
public:
    Data<bool> d_writeX{this, {.name = "writeX", .help = "Write the positions [m]"}, true};
    Data<bool> d_writeX0{this, {.name = "writeX0", .help = "Write the rest positions [m]"}, false};
    Data<bool> d_writeV{this, {.name = "writeV", .help = "Write the velocities [m/s]"}, false};
    Data<bool> d_writeF{this, {.name = "writeF", .help = "Write the forces [N], those of the step before"}, false};
    Data<Vector<Index>> d_DOFsX{this,
                                {.name = "DOFsX", .help = "Points whose (rest) positions are written; empty: all"}};
    Data<Vector<Index>> d_DOFsV{
        this, {.name = "DOFsV", .help = "Points whose velocities and forces are written; empty: all"}};
    Data<double> d_stopAt{this,
                          {.name = "stopAt",
                           .help = "Stop writing once the kinetic energy has changed by less than this in a keperiod; "
                                   "0: never",
                           .unit = "J",
                           .range = Range::nonNegative()},
                          0.};
    Data<double> d_keperiod{this,
                            {.name = "keperiod",
                             .help = "Time between two looks at the kinetic energy for stopAt; 0: each step",
                             .unit = "s",
                             .range = Range::nonNegative()},
                            0.};

    PointLists pointLists() override;
    /// The points keep their columns; a change that takes one of them away is refused.
    void followTopology(const TopologyChange& change) override;
    void init() override;
    void reset() override;
    void archive(Archive& a) override;

protected:
    void appendFrame(std::string& text, double time) override;
    bool isOver(double time) override;

private:
    /// Appends some points of a vector of `size` scalars each.
    void append(std::string& text, std::string_view key, const Vector<Index>& points, std::size_t size);

    Tracked<BaseState> m_state;
    std::size_t m_listed = 0;  ///< points of both lists
    double m_lookAt = 0.;      ///< when the energy is looked at next [s]
    double m_energy = 0.;      ///< at the last look [J]
    bool m_over = false;
    Vector<double> m_scalars, m_some;
};

}  // namespace sofa::component
