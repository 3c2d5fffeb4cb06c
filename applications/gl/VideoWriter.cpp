// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/VideoWriter.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

extern char** environ;

namespace fs = std::filesystem;

namespace sofa::gl {

namespace {

std::string nameAside(const fs::path& file)
{
    return (file.parent_path() / file.stem()).string() + ".part" + file.extension().string();
}

}  // namespace

VideoWriter::VideoWriter(const std::string& file, int width, int height, double fps)
    : m_file(file), m_aside(nameAside(file))
{
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.6g", fps);
    const std::string size = std::to_string(width) + 'x' + std::to_string(height);
    // Most coders want even sizes.
    const std::vector<std::string> words{"ffmpeg",
                                         "-y",
                                         "-loglevel",
                                         "error",
                                         "-f",
                                         "rawvideo",
                                         "-pix_fmt",
                                         "rgb24",
                                         "-s",
                                         size,
                                         "-r",
                                         rate,
                                         "-i",
                                         "-",
                                         "-vf",
                                         "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                         "-pix_fmt",
                                         "yuv420p",
                                         "file:" + m_aside};
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
    arguments.push_back(nullptr);

    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    // A pipe whose reader has gone is an error of write, not the end of the program.
    std::signal(SIGPIPE, SIG_IGN);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    const int error = posix_spawnp(&m_process, "ffmpeg", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    m_pipe = ends[1];
    if (error != 0) {
        m_process = -1;
        close(m_pipe);
        throw std::runtime_error("a video needs the program ffmpeg, which cannot be started (" +
                                 std::string(std::strerror(error)) + "); install the package ffmpeg");
    }
}

VideoWriter::~VideoWriter()
{
    if (m_pipe >= 0) close(m_pipe);
    if (m_process > 0) waitpid(m_process, nullptr, 0);
    std::error_code error;
    fs::remove(m_aside, error);
}

void VideoWriter::fail() { throw std::runtime_error("ffmpeg could not make the video '" + m_file + "'"); }

void VideoWriter::add(const Image& image)
{
    const unsigned char* at = image.pixels.data();
    for (std::size_t left = image.pixels.size(); left > 0;) {
        const ssize_t n = write(m_pipe, at, left);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail();
        at += n;
        left -= static_cast<std::size_t>(n);
    }
}

void VideoWriter::finish()
{
    close(m_pipe);
    m_pipe = -1;
    int status = 0;
    pid_t done = 0;
    do done = waitpid(m_process, &status, 0);
    while (done < 0 && errno == EINTR);
    m_process = -1;
    if (done < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) fail();
    fs::rename(m_aside, m_file);
}

}  // namespace sofa::gl
