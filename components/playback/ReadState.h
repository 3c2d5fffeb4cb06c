// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/playback/FrameReader.h"
#include "core/behavior/BaseState.h"
#include "core/io/StateFile.h"

namespace sofa::component {

/// Gives the state of its node, or the nearest above, positions and velocities of a file that WriteState wrote, at the
/// beginning of steps and at init. Positions become x ← T R S x with `scalePos`, `rotation` and `translation`; frames
/// turn with the rotation, velocities stay. Then projective constraints and mappings below are applied.
class ReadState : public FrameReader
{
public:
    Data<double> d_scalePos{
        this,
        {.name = "scalePos", .help = "Factor of the positions that are read", .unit = "1", .group = "Transformation"},
        1.};
    Data<Vec3> d_rotation{this,
                          {.name = "rotation",
                           .help = "Rotation of the positions that are read: Euler angles about x, then y, then z",
                           .unit = "deg",
                           .group = "Transformation"}};
    Data<Vec3> d_translation{this,
                             {.name = "translation",
                              .help = "Translation of the positions that are read",
                              .unit = "m",
                              .group = "Transformation"}};

    void init() override;
    void bwdInit() override;

protected:
    std::vector<double> load(const std::string& file) override;
    void show(std::size_t frame) override;

    BaseState* state() const { return m_state; }
    const io::StateFrame& frame(std::size_t i) const { return m_frames[i]; }
    /// Positions as the Data of this component transform them.
    std::vector<double> transformed(std::vector<double> positions) const;
    /// Whether a frame has a vector, which must have as many numbers as the state has now: its points may come and go.
    /// \throws std::runtime_error otherwise
    bool fits(const io::StateVector& v, std::size_t scalars, const char* what) const;

private:
    void put(const io::StateFrame& f);

    Tracked<BaseState> m_state;
    std::vector<io::StateFrame> m_frames;
    bool m_starting = false;  ///< other components are not initialised yet
};

}  // namespace sofa::component
