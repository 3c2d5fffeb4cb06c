// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace sofa::core::io {

/// A file that cannot be read or written: which file, where in it, what was expected and what was found.
/// `what()` reads "file:line: expected E, found F" for text, "file: byte N: expected E, found F" for binary data.
class MeshError : public std::runtime_error
{
public:
    static constexpr std::size_t None = static_cast<std::size_t>(-1);

    /// `line` counts from 1, `byteOffset` from 0; `None` where it does not apply. `found` may be empty.
    MeshError(std::string file, std::size_t line, std::size_t byteOffset, std::string expected, std::string found);
    /// An error that concerns the file as a whole, as "file: message".
    MeshError(std::string file, std::string message);

    const std::string& file() const { return m_file; }
    std::size_t line() const { return m_line; }
    std::size_t byteOffset() const { return m_byteOffset; }
    const std::string& expected() const { return m_expected; }
    const std::string& found() const { return m_found; }

private:
    std::string m_file, m_expected, m_found;
    std::size_t m_line = None, m_byteOffset = None;
};

}  // namespace sofa::core::io
