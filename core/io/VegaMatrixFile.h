// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/TextScanner.h"
#include "core/linalg/BlockCsrMatrix.h"
#include "core/math/Vector.h"

namespace sofa::core::io {

/// Dense matrix as Vega's files hold it: column after column. Displacements, velocities and loads of n vertices are
/// columns of 3n rows (x₀ y₀ z₀ x₁ …), one column for each time step.
struct VegaMatrix
{
    int rows = 0, columns = 0;
    Vector<double> values;  ///< rows × columns, column-major

    double& operator()(int i, int j) { return values[index(i, j)]; }
    double operator()(int i, int j) const { return values[index(i, j)]; }
    friend bool operator==(const VegaMatrix&, const VegaMatrix&) = default;

private:
    std::size_t index(int i, int j) const
    {
        return static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i);
    }
};

/// Reads a binary matrix of Vega (matrixIO): rows and columns as 32-bit integers, then the values as doubles, or as
/// floats if the caller says so (a file does not tell); in the byte order that makes its size right.
/// \throws MeshError, also for values that are not finite
VegaMatrix readVegaMatrix(const std::filesystem::path& path, bool singlePrecision = false);
VegaMatrix parseVegaMatrix(const SourceText& bytes, bool singlePrecision = false);

/// Writes doubles in the byte order of this machine, as Vega does. \throws MeshError, also where the sizes do not fit
void writeVegaMatrix(const std::filesystem::path& path, const VegaMatrix& matrix);

/// Adds columns to a file that writeVegaMatrix has written, or writes it where it does not exist, so that a trajectory
/// can be recorded step by step. \throws MeshError, also where the number of rows differs
void appendVegaMatrix(const std::filesystem::path& path, const VegaMatrix& columns);

/// The same matrix as text: a line with the number of rows, one with that of columns, then row after row. Numbers read
/// back exactly. \throws MeshError
VegaMatrix readVegaMatrixText(const std::filesystem::path& path);
VegaMatrix parseVegaMatrixText(const SourceText& source);
void writeVegaMatrixText(const std::filesystem::path& path, const VegaMatrix& matrix);

/// Reads a sparse matrix of Vega: a line with the number of rows, one with that of columns, then a line
/// "row column value" for each entry. Vega counts from 0, or from 1 where its users asked for that: `base`. Entries of
/// one place are added. The result has blocks of 1 × 1. \throws MeshError
BlockCsrMatrix readVegaSparseMatrix(const std::filesystem::path& path, int base = 0);
BlockCsrMatrix parseVegaSparseMatrix(const SourceText& source, int base = 0);

/// Writes all stored entries of a matrix with blocks of any size; numbers read back exactly. \throws MeshError
void writeVegaSparseMatrix(const std::filesystem::path& path, const BlockCsrMatrix& matrix, int base = 0);

}  // namespace sofa::core::io
