// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/ScratchFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "core/io/SceneOutput.h"

namespace sofa::core {

ScratchFile::ScratchFile(const OutputFile& beside) : m_path(beside.path()), m_stream(nullptr, std::fclose)
{
    const std::string name = m_path + ".scratch";
    SceneOutput::require(name);
    unlink(name.c_str());  // a link that somebody laid there would have its target emptied
    const int file = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) fail();
    m_stream.reset(fdopen(file, "w+b"));
    if (!m_stream) {
        close(file);
        fail();
    }
    unlink(name.c_str());
}

void ScratchFile::write(std::string_view bytes)
{
    if (std::fwrite(bytes.data(), 1, bytes.size(), m_stream.get()) != bytes.size()) fail();
}

void ScratchFile::appendTo(OutputFile& out)
{
    if (std::fflush(m_stream.get()) != 0) fail();
    std::rewind(m_stream.get());
    std::array<char, 1 << 16> part;
    while (const std::size_t n = std::fread(part.data(), 1, part.size(), m_stream.get())) out.write({part.data(), n});
    if (std::ferror(m_stream.get())) fail();
}

void ScratchFile::fail() const { throw std::runtime_error("cannot write '" + m_path + "': " + std::strerror(errno)); }

}  // namespace sofa::core
