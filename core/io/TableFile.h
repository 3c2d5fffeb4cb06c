// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/io/NumpyFile.h"

namespace sofa::core {

/// A table of numbers, written row by row. The extension of its file name chooses the format: .npy (an array of
/// records), .npz (an array for each column), else text with commas and a line of names (CSV), compressed where it ends
/// in .gz.
class TableFile
{
public:
    /// Throws std::runtime_error.
    TableFile(const std::string& path, const std::vector<std::string>& columns);
    /// One number for each column; in text the shortest that reads back to the same bits.
    void append(std::span<const double> row);
    void commit();

private:
    std::optional<OutputFile> m_text;
    std::optional<NpyTable> m_npy;
    std::unique_ptr<NpzArchive> m_npz;
};

}  // namespace sofa::core
