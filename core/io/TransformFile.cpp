// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/TransformFile.h"

#include "core/io/DataLines.h"
#include "core/io/MeshError.h"

namespace sofa::core::io {

namespace {

/// The next line, which has `count` numbers.
void readRow(DataLines& lines, std::size_t count, const char* what, double* out)
{
    DataLine line;
    if (!lines.next(line)) line.fail(what, "the end of the file");
    LineValues values(line);
    for (std::size_t i = 0; i < count; ++i) out[i] = values.finite(what);
    if (!values.atEnd()) {
        values.next();
        values.fail("the end of the line");
    }
}

void readItk(DataLines& lines, Mat<4, 4>& m)
{
    constexpr std::string_view key = "Parameters:";
    DataLine line;
    do {
        if (!lines.next(line)) line.fail("a line \"Parameters: ...\"", "the end of the file");
    } while (line.text.substr(0, key.size()) != key);
    LineValues values(line);
    values.next();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) m[i][j] = values.finite("a number of the linear part");
    for (std::size_t i = 0; i < 3; ++i) m[i][3] = values.finite("a number of the translation");
}

}  // namespace

Mat<4, 4> readTransform(const std::filesystem::path& path)
{
    const SourceText source = loadSource(path);
    DataLines lines(source);
    Mat<4, 4> m = Mat<4, 4>::identity();
    const std::string type = path.extension().string();
    if (type == ".trm") {
        double translation[3];
        readRow(lines, 3, "a number of the translation", translation);
        for (std::size_t i = 0; i < 3; ++i) {
            readRow(lines, 3, "a number of the linear part", &m[i][0]);
            m[i][3] = translation[i];
        }
    } else if (type == ".xfm" || type == ".txt") {
        for (std::size_t i = 0; i < 4; ++i) readRow(lines, 4, "a number of the matrix", &m[i][0]);
    } else if (type == ".tfm") {
        readItk(lines, m);
    } else {
        throw MeshError(path.string(), "the extension of a file with an affine map is .trm, .xfm, .txt or .tfm");
    }
    return m;
}

}  // namespace sofa::core::io
