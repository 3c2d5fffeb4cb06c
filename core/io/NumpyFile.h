// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/io/ScratchFile.h"

/// Files of NumPy whose arrays grow while they are written: nothing of them stays in memory. Numbers are doubles.
namespace sofa::core {

/// One array of records, `numpy.load(file)["column"]` (.npy).
class NpyTable
{
public:
    NpyTable(const std::string& path, const std::vector<std::string>& columns);
    /// Appends a row, one number for each column.
    void append(std::span<const double> row);
    void commit();

private:
    OutputFile m_out;
    ScratchFile m_records;
    std::vector<std::string> m_columns;
    std::size_t m_rows = 0;
};

/// Several arrays by name, `numpy.load(file)["name"]` (.npz).
class NpzArchive
{
public:
    explicit NpzArchive(const std::string& path);
    ~NpzArchive();
    NpzArchive(const NpzArchive&) = delete;
    NpzArchive& operator=(const NpzArchive&) = delete;

    /// An array whose first axis grows, and whose other axes have these sizes. Returns its number.
    std::size_t add(const std::string& name, std::vector<std::size_t> shape = {});
    /// Appends one entry along the first axis. Throws std::runtime_error.
    void append(std::size_t array, std::span<const double> values);
    void commit();

private:
    struct Array;

    OutputFile m_out;
    std::vector<std::unique_ptr<Array>> m_arrays;
};

}  // namespace sofa::core
