// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/LineFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/io/SceneOutput.h"

namespace sofa::core {

namespace {

[[noreturn]] void fail(const std::string& path, int error)
{
    throw std::runtime_error("cannot write '" + path + "': " + std::strerror(error));
}

}  // namespace

LineFile::LineFile(std::string path) : m_path(std::move(path))
{
    SceneOutput::require(m_path);
    m_file = open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (m_file < 0) fail(m_path, errno);
}

LineFile::~LineFile()
{
    if (m_file >= 0) close(m_file);
}

LineFile::LineFile(LineFile&& other) noexcept : m_path(std::move(other.m_path)), m_file(std::exchange(other.m_file, -1))
{
}

LineFile& LineFile::operator=(LineFile&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_file, other.m_file);
    return *this;
}

void LineFile::write(std::string_view line)
{
    std::string text(line);
    text += '\n';
    const off_t before = lseek(m_file, 0, SEEK_END);  // −1: a pipe or a terminal
    for (std::string_view left = text; !left.empty();) {
        const ssize_t n = ::write(m_file, left.data(), left.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            const int error = errno;
            if (before >= 0 && ftruncate(m_file, before) != 0) {
                // The rest of the line stays; the message says that the file is not complete.
            }
            close(std::exchange(m_file, -1));
            fail(m_path, error);
        }
        left.remove_prefix(static_cast<std::size_t>(n));
    }
}

}  // namespace sofa::core
