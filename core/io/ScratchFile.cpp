// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/ScratchFile.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace sofa::core {

ScratchFile::ScratchFile(const OutputFile& beside) : m_path(beside.path()), m_stream(nullptr, std::fclose)
{
    const std::string name = m_path + ".scratch";
    m_stream.reset(std::fopen(name.c_str(), "w+be"));
    if (!m_stream) fail();
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
