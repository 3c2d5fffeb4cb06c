// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <string_view>

namespace sofa::core {

/// A text that others read while it grows, such as a log or a table that is plotted during the run: each line is
/// handed to the system as soon as it is written, and where that fails (a full disk) the part of it that got through
/// is taken back, so that the file ends with a complete line. What is read when it is complete is an OutputFile.
class LineFile
{
public:
    LineFile() = default;
    /// An older file of that name is emptied. Throws std::runtime_error if it cannot be written.
    explicit LineFile(std::string path);
    ~LineFile();
    LineFile(LineFile&& other) noexcept;
    LineFile& operator=(LineFile&& other) noexcept;
    LineFile(const LineFile&) = delete;
    LineFile& operator=(const LineFile&) = delete;

    bool isOpen() const { return m_file >= 0; }
    /// Appends the text and '\n'. Throws std::runtime_error and closes the file when that fails.
    void write(std::string_view line);
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
    int m_file = -1;
};

}  // namespace sofa::core
