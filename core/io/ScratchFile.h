// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdio>
#include <memory>

#include "core/io/OutputFile.h"

namespace sofa::core {

/// A file without a name, which goes with the program: for what stands behind a head that is known at the end only.
class ScratchFile
{
public:
    /// In the folder of the file for which it is. Throws std::runtime_error.
    explicit ScratchFile(const OutputFile& beside);

    /// Appends. Throws std::runtime_error, e.g. when the disk is full.
    void write(std::string_view bytes);
    /// Appends the whole content to a file. Throws std::runtime_error.
    void appendTo(OutputFile& out);

private:
    [[noreturn]] void fail() const;

    std::string m_path;  ///< of the other file, for messages
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> m_stream;
};

}  // namespace sofa::core
