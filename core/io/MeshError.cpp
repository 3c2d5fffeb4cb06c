// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/MeshError.h"

#include <utility>

namespace sofa::core::io {

namespace {

std::string describe(const std::string& file, std::size_t line, std::size_t byteOffset, const std::string& expected,
                     const std::string& found)
{
    std::string s = file;
    if (line != MeshError::None)
        s += ":" + std::to_string(line);
    else if (byteOffset != MeshError::None)
        s += ": byte " + std::to_string(byteOffset);
    s += ": expected " + expected;
    if (!found.empty()) s += ", found " + found;
    return s;
}

}  // namespace

MeshError::MeshError(std::string file, std::size_t line, std::size_t byteOffset, std::string expected,
                     std::string found)
    : std::runtime_error(describe(file, line, byteOffset, expected, found)),
      m_file(std::move(file)),
      m_expected(std::move(expected)),
      m_found(std::move(found)),
      m_line(line),
      m_byteOffset(byteOffset)
{
}

MeshError::MeshError(std::string file, std::string message)
    : std::runtime_error(file + ": " + message), m_file(std::move(file)), m_found(std::move(message))
{
}

}  // namespace sofa::core::io
