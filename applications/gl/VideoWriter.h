// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <sys/types.h>

#include <string>

#include "applications/gl/Image.h"

namespace sofa::gl {

/// Makes a video with the program ffmpeg, which gets the images through a pipe; the file name extension says which
/// kind of video. The file is complete or absent: ffmpeg writes `NAME.part.EXTENSION`, which finish() gives its name.
class VideoWriter
{
public:
    /// Starts ffmpeg. Throws std::runtime_error if it is not installed.
    VideoWriter(const std::string& file, int width, int height, double fps);
    /// Gives the video up if it was not finished.
    ~VideoWriter();
    VideoWriter(const VideoWriter&) = delete;
    VideoWriter& operator=(const VideoWriter&) = delete;

    /// Adds an image of the size given, RGB. Throws std::runtime_error if ffmpeg has stopped.
    void add(const Image& image);
    /// Waits until the file is complete. Throws std::runtime_error if ffmpeg failed.
    void finish();

private:
    [[noreturn]] void fail();

    std::string m_file, m_aside;
    pid_t m_process = -1;
    int m_pipe = -1;
};

}  // namespace sofa::gl
