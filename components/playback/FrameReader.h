// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Component.h"

namespace sofa::component {

using namespace sofa::core;

/// Hands out the frames of a file as the time of the scene reaches theirs, at the beginning of steps: at the time t,
/// the last frame whose time is at most t + shift. Between two frames that does not change.
///
/// With `loop` the file begins anew after its last time T: the frame of the time τ comes at τ, τ + T, τ + 2 T, ...
class FrameReader : public Component
{
public:
    Data<FileName> d_filename{
        this, {.name = "filename", .help = "File to read; it may be compressed by gzip (.gz)", .required = true}};
    Data<double> d_interval{this,
                            {.name = "interval",
                             .help = "Frames are looked for only at multiples of this time; 0: at each step",
                             .unit = "s",
                             .range = Range::nonNegative()},
                            0.};
    Data<double> d_shift{
        this, {.name = "shift", .help = "Time of the file when that of the scene is 0", .unit = "s"}, 0.};
    Data<bool> d_loop{this, {.name = "loop", .help = "Begin the file anew after its last frame"}, false};

    FrameReader();

    /// Reads the file. A file without frames is warned about: SOFA's examples have one.
    void init() override { loadFrames(); }
    void reset() override { m_frames = 0; }
    void archive(Archive& a) override { a(m_frames); }
    void handleEvent(const Event& e) override;

protected:
    /// Reads the file. What is wrong with it makes the component fail.
    void loadFrames();
    /// Reads the file and returns the times of its frames [s]. \throws std::runtime_error
    virtual std::vector<double> load(const std::string& file) = 0;
    /// The time of this frame has come. \throws std::runtime_error where it cannot be used
    virtual void show(std::size_t frame) = 0;
    /// Shows the frame of a time [s] of the scene, if it is another one than before.
    void showAt(double time);
    /// Whether the scene runs; before, it is initialised.
    bool isPlaying() const { return m_isPlaying; }
    /// \throws io::MeshError that tells what is wrong with a line of the file
    [[noreturn]] void failAt(std::size_t line, const std::string& expected, const std::string& found) const;

private:
    std::string m_file;  ///< where it was found
    bool m_isPlaying = false;
    std::vector<double> m_times;
    std::uint64_t m_frames = 0;  ///< that have come, those of all loops
};

}  // namespace sofa::component
