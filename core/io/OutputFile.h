// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace sofa::core {

/// A file that is complete or absent: what is written goes into a file beside it ("NAME.part"), and commit() brings
/// that to the disk and gives it its name, in the place of an older one. Without commit() nothing of it stays. Where
/// the name ends in .gz the content is compressed. What is no plain file, such as a pipe, is written to directly, and
/// so is what the program has open itself, by names such as /dev/stdout and /dev/fd/3: it goes where the rest of that
/// goes.
class OutputFile
{
public:
    /// Throws std::runtime_error if the file cannot be written.
    explicit OutputFile(const std::filesystem::path& path);
    ~OutputFile();
    OutputFile(OutputFile&& other) noexcept;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    OutputFile& operator=(OutputFile&&) = delete;

    /// Appends. Throws std::runtime_error, e.g. when the disk is full.
    void write(std::string_view bytes);
    /// Hands what was written so far to the system, for others that read along.
    void flush();
    /// How many bytes went to the system so far, compressed; what waits in memory is not counted.
    std::uint64_t written() const;
    /// The stream itself, for libraries that write on their own; not for .gz.
    std::FILE* stream() { return m_stream; }
    /// Completes the file. Throws std::runtime_error; then it is absent, or the old one.
    void commit();
    const std::string& path() const { return m_path; }

private:
    [[noreturn]] void fail(const std::string& why = {});
    void discard() noexcept;

    std::string m_path;       ///< as it was given, for messages
    std::string m_target;     ///< where symbolic links lead
    std::string m_temporary;  ///< empty: written to directly
    std::FILE* m_stream = nullptr;
    void* m_gz = nullptr;  ///< gzFile on the same descriptor
};

/// Writes a whole file: the content, or nothing (OutputFile). Throws std::runtime_error.
void writeFile(const std::filesystem::path& path, std::string_view content);

/// Throws std::runtime_error if a file of that name could not be written now, as far as the system tells without being
/// asked to write: nothing is made or touched.
void checkWritable(const std::filesystem::path& path);

}  // namespace sofa::core
