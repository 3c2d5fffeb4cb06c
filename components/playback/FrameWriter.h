// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/io/OutputFile.h"
#include "core/objectmodel/Component.h"
#include "core/objectmodel/OutputFileName.h"

namespace sofa::component {

using namespace sofa::core;

/// Writes frames to a file, one after the other, at the beginning of steps: at each of the times given, then after each
/// period from the last of them; with neither, at each step.
///
/// The file gets its name when the scene is closed (OutputFile); until then the frames stand in "NAME.part", where
/// others may read along. A reset begins it anew. What goes on from a checkpoint writes the frames after that.
class FrameWriter : public Component
{
public:
    Data<OutputFileName> d_filename{this,
                                    {.name = "filename",
                                     .help = "File to write, compressed if it ends in .gz; a relative one counts from "
                                             "the working directory; empty: nothing is written"}};
    Data<Vector<double>> d_time{
        this,
        {.name = "time",
         .help = "Times of frames, increasing: each is written by the first step that begins then or later",
         .unit = "s",
         .range = Range::nonNegative()}};
    Data<double> d_period{this,
                          {.name = "period",
                           .help = "Time between frames, from the last of the times on (without any, from 0); 0: only "
                                   "the times, and without any each step",
                           .unit = "s",
                           .range = Range::nonNegative()},
                          0.};

    FrameWriter();
    ~FrameWriter() override;

    void init() override;
    void reset() override;
    void archive(Archive& a) override;
    /// Writes at the beginning of a step. \throws std::runtime_error where that fails
    void handleEvent(const Event& e) override;
    /// Completes the file. \throws std::runtime_error where that fails
    void cleanup() override;

protected:
    /// Time between frames [s]; 0: d_period says nothing.
    virtual double period() const { return d_period.value(); }
    /// Appends the frame of this time. \throws std::runtime_error where that is not possible
    virtual void appendFrame(std::string& text, double time) = 0;
    /// Whether nothing is written any more from this time on.
    virtual bool isOver(double /*time*/) { return false; }

private:
    bool isDue(double time, double dt);
    std::string absoluteName() const;

    std::uint64_t m_next = 0;     ///< of the times, that which is not written yet
    std::uint64_t m_periods = 0;  ///< that are over
    std::uint64_t m_frames = 0;   ///< written since the start
    std::uint64_t m_inFile = 0;   ///< number of the last frame in the file that is open
    std::optional<OutputFile> m_file;
    std::string m_text;
};

}  // namespace sofa::component
