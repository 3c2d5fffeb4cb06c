// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VegaMatrixFile.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>
#include <vector>

#include "core/io/DataLines.h"
#include "core/io/MeshError.h"
#include "core/io/SceneOutput.h"

namespace sofa::core::io {

namespace {

constexpr std::int64_t maxInt = std::numeric_limits<int>::max();

/// rows and columns of a binary file in one of the two byte orders, and whether the size of the file fits them.
struct Header
{
    std::int64_t rows = 0, columns = 0;
    bool fits = false;

    Header(const SourceText& bytes, std::size_t valueSize, bool swap)
    {
        TextScanner in(bytes);
        in.setByteSwap(swap);
        rows = in.binary<std::int32_t>("the number of rows");
        columns = in.binary<std::int32_t>("the number of columns");
        fits = rows >= 0 && columns >= 0 && in.remaining() % valueSize == 0 &&
               in.remaining() / valueSize == static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
    }
};

void append32(std::string& out, int v)
{
    const auto n = static_cast<std::int32_t>(v);
    char b[sizeof n];
    std::memcpy(b, &n, sizeof n);
    out.append(b, sizeof n);
}

std::string headerBytes(int rows, int columns)
{
    std::string s;
    append32(s, rows);
    append32(s, columns);
    return s;
}

void checkSizes(const std::filesystem::path& path, const VegaMatrix& m)
{
    const bool fits = m.rows >= 0 && m.columns >= 0 &&
                      m.values.size() == static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.columns);
    if (!fits)
        throw MeshError(path.string(), "not written: the matrix has " + std::to_string(m.rows) + " rows, " +
                                           std::to_string(m.columns) + " columns and " +
                                           std::to_string(m.values.size()) + " values");
}

std::string valueBytes(const VegaMatrix& m)
{
    std::string s(m.values.size() * sizeof(double), '\0');
    if (!m.values.empty()) std::memcpy(s.data(), m.values.data(), s.size());
    return s;
}

/// One of the two dimensions of a text file, which has a line for each.
int dimension(DataLines& lines, const char* what)
{
    DataLine line;
    if (!lines.next(line)) line.fail(what, "the end of the file");
    return static_cast<int>(LineValues(line).integerWithin(what, 0, maxInt));
}

}  // namespace

VegaMatrix parseVegaMatrix(const SourceText& bytes, bool singlePrecision)
{
    const std::size_t valueSize = singlePrecision ? sizeof(float) : sizeof(double);
    Header header(bytes, valueSize, false);
    bool swap = false;
    if (!header.fits) {
        const Header other(bytes, valueSize, true);
        if (!other.fits)
            throw MeshError(bytes.path, MeshError::None, 0,
                            "a matrix of " + std::to_string(header.rows) + " rows and " +
                                std::to_string(header.columns) + " columns with " + std::to_string(valueSize) +
                                " bytes for each value",
                            "a file of " + std::to_string(bytes.text.size()) + " bytes");
        header = other;
        swap = true;
    }
    TextScanner in(bytes);
    in.setByteSwap(swap);
    in.seek(2 * sizeof(std::int32_t));
    VegaMatrix m;
    m.rows = static_cast<int>(header.rows);
    m.columns = static_cast<int>(header.columns);
    while (!in.atEnd()) {
        const std::size_t at = in.offset();
        const double v =
            singlePrecision ? static_cast<double>(in.binary<float>("a value")) : in.binary<double>("a value");
        if (!std::isfinite(v)) in.failBinary(at, "a finite value", std::isnan(v) ? "NaN" : "infinity");
        m.values.push_back(v);
    }
    return m;
}

VegaMatrix readVegaMatrix(const std::filesystem::path& path, bool singlePrecision)
{
    return parseVegaMatrix(loadBytes(path), singlePrecision);
}

void writeVegaMatrix(const std::filesystem::path& path, const VegaMatrix& matrix)
{
    checkSizes(path, matrix);
    saveText(path, headerBytes(matrix.rows, matrix.columns) + valueBytes(matrix));
}

void appendVegaMatrix(const std::filesystem::path& path, const VegaMatrix& columns)
{
    std::error_code ec;
    if (!std::filesystem::exists(path, ec)) return writeVegaMatrix(path, columns);
    checkSizes(path, columns);
    SceneOutput::require(path);
    const auto failed = [&](const std::string& why) { throw MeshError(path.string(), "not appended to: " + why); };
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    std::int32_t size[2] = {};
    if (!file.read(reinterpret_cast<char*>(size), sizeof size)) failed("the file cannot be opened or has no header");
    if (size[0] != columns.rows)
        failed("the file has " + std::to_string(size[0]) + " rows, the columns have " + std::to_string(columns.rows));
    const std::int64_t total = std::int64_t{size[1]} + columns.columns;
    if (size[1] < 0 || total > maxInt) failed("it has too many columns");
    const auto end = static_cast<std::uintmax_t>(sizeof size) +
                     sizeof(double) * static_cast<std::uintmax_t>(size[0]) * static_cast<std::uintmax_t>(size[1]);
    if (std::filesystem::file_size(path, ec) != end) failed("its size is not that of a matrix of doubles");
    file.seekp(0, std::ios::end);
    const std::string values = valueBytes(columns);
    file.write(values.data(), static_cast<std::streamsize>(values.size()));
    // The header last: a file that was cut off while it was written is recognised by its size.
    const std::string header = headerBytes(columns.rows, static_cast<int>(total));
    file.seekp(0);
    file.write(header.data(), static_cast<std::streamsize>(header.size()));
    file.flush();
    if (!file) failed("writing failed");
}

VegaMatrix parseVegaMatrixText(const SourceText& source)
{
    DataLines lines(source);
    VegaMatrix m;
    m.rows = dimension(lines, "the number of rows");
    m.columns = dimension(lines, "the number of columns");
    const auto rows = static_cast<std::uint64_t>(m.rows), columns = static_cast<std::uint64_t>(m.columns);
    // Each value takes two bytes at least.
    if (rows * columns > source.text.size() / 2 + 1)
        throw MeshError(source.path, "a matrix of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                                         " columns does not fit into " + std::to_string(source.text.size()) + " bytes");
    m.values.resize(rows * columns);
    DataLine line;
    for (int i = 0; i < m.rows && m.columns > 0; ++i) {
        if (!lines.next(line))
            line.fail("row " + std::to_string(i + 1) + " of " + std::to_string(rows), "the end of the file");
        LineValues v(line);
        for (int j = 0; j < m.columns; ++j) m(i, j) = v.finite("an entry of the matrix");
        if (!v.atEnd()) {
            v.next();
            v.fail("the end of a row of " + std::to_string(columns) + " entries");
        }
    }
    if (lines.next(line)) line.fail("the end of the file", TextScanner::quoted(line.text));
    return m;
}

VegaMatrix readVegaMatrixText(const std::filesystem::path& path) { return parseVegaMatrixText(loadSource(path)); }

void writeVegaMatrixText(const std::filesystem::path& path, const VegaMatrix& matrix)
{
    checkSizes(path, matrix);
    std::string out = std::to_string(matrix.rows) + '\n' + std::to_string(matrix.columns) + '\n';
    for (int i = 0; i < matrix.rows; ++i) {
        for (int j = 0; j < matrix.columns; ++j) {
            if (j) out += ' ';
            appendNumber(out, matrix(i, j));
        }
        out += '\n';
    }
    saveText(path, out);
}

BlockCsrMatrix parseVegaSparseMatrix(const SourceText& source, int base)
{
    struct Entry
    {
        int row, column;
        double value;
    };
    DataLines lines(source);
    const int rows = dimension(lines, "the number of rows"), columns = dimension(lines, "the number of columns");
    // Rows may be empty, but nothing sensible has very many of them in a small file.
    if (static_cast<std::size_t>(rows) > std::max<std::size_t>(std::size_t{1} << 24, 16 * source.text.size()))
        throw MeshError(source.path, "a matrix of " + std::to_string(rows) + " rows in " +
                                         std::to_string(source.text.size()) + " bytes");
    std::vector<Entry> entries;
    for (DataLine line; lines.next(line);) {
        LineValues v(line);
        const std::int64_t i = v.integerWithin("the row of an entry", base, std::int64_t{rows} - 1 + base);
        const std::int64_t j = v.integerWithin("the column of an entry", base, std::int64_t{columns} - 1 + base);
        entries.push_back({static_cast<int>(i - base), static_cast<int>(j - base), v.finite("the value of an entry")});
    }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    Vector<int> rowStart(static_cast<std::size_t>(rows) + 1, 0), column;
    Vector<double> values;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const Entry& e = entries[k];
        if (k > 0 && entries[k - 1].row == e.row && entries[k - 1].column == e.column) {
            values.back() += e.value;
            continue;
        }
        ++rowStart[static_cast<std::size_t>(e.row) + 1];
        column.push_back(e.column);
        values.push_back(e.value);
    }
    for (std::size_t i = 1; i < rowStart.size(); ++i) rowStart[i] += rowStart[i - 1];
    BlockCsrMatrix m(rows, columns, 1, rowStart, column);
    std::copy(values.begin(), values.end(), m.values().begin());
    return m;
}

BlockCsrMatrix readVegaSparseMatrix(const std::filesystem::path& path, int base)
{
    return parseVegaSparseMatrix(loadSource(path), base);
}

void writeVegaSparseMatrix(const std::filesystem::path& path, const BlockCsrMatrix& matrix, int base)
{
    std::string out = std::to_string(matrix.rows()) + '\n' + std::to_string(matrix.cols()) + '\n';
    const int b = matrix.blockSize();
    for (int i = 0; i < matrix.blockRows(); ++i)
        for (int r = 0; r < b; ++r)
            for (int k = matrix.rowPtr()[static_cast<std::size_t>(i)];
                 k < matrix.rowPtr()[static_cast<std::size_t>(i) + 1]; ++k) {
                const double* block = matrix.block(static_cast<std::size_t>(k));
                for (int c = 0; c < b; ++c) {
                    const int column = matrix.colIdx()[static_cast<std::size_t>(k)] * b + c;
                    out += std::to_string(i * b + r + base) + ' ' + std::to_string(column + base) + ' ';
                    appendNumber(out, block[r * b + c]);
                    out += '\n';
                }
            }
    saveText(path, out);
}

}  // namespace sofa::core::io
