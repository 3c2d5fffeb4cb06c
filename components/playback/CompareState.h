// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/playback/ReadState.h"

namespace sofa::component {

/// Compares the state of its node, or the nearest above, with the frames of a file that WriteState wrote, each when its
/// time comes. The error of a frame is the mean of |difference| over all numbers of a vector, as in SOFA.
class CompareState final : public ReadState
{
public:
    Data<double> d_errorX{this,
                          {.name = "errorX",
                           .help = "Mean difference of the positions from the last frame",
                           .unit = "m",
                           .readOnly = true,
                           .saved = false},
                          0.};
    Data<double> d_errorV{this,
                          {.name = "errorV",
                           .help = "Mean difference of the velocities from the last frame",
                           .unit = "m/s",
                           .readOnly = true,
                           .saved = false},
                          0.};
    Data<double> d_totalErrorX{this,
                               {.name = "totalErrorX",
                                .help = "Sum of errorX over all frames so far",
                                .unit = "m",
                                .readOnly = true,
                                .saved = false},
                               0.};
    Data<double> d_totalErrorV{this,
                               {.name = "totalErrorV",
                                .help = "Sum of errorV over all frames so far",
                                .unit = "m/s",
                                .readOnly = true,
                                .saved = false},
                               0.};

    void bwdInit() override {}
    void reset() override;
    void archive(Archive& a) override;
    /// Lines from the points to where the last frame has them.
    void draw(DrawTool& tool) override;

protected:
    void show(std::size_t frame) override;

private:
    Vector<double> m_scalars;
    std::vector<double> m_expected;  ///< positions of the last frame
};

}  // namespace sofa::component
