// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VegaMatrixFile.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/io/InterpolationFile.h"
#include "core/io/VertexListFile.h"
#include "tests/core/io/MeshTestUtilities.h"
#include "tests/harness/Skip.h"

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

TEST_CASE("Binary matrices of Vega", "[io]")
{
    std::string bytes;
    for (const int n : {2, 3}) put(bytes, n);
    for (int i = 1; i <= 6; ++i) put(bytes, 0.1 * i);
    const VegaMatrix m = parseVegaMatrix(source("a.u", bytes));
    CHECK(m.rows == 2);
    CHECK(m.columns == 3);
    CHECK(m(0, 0) == 0.1);
    CHECK(m(1, 0) == 0.2);
    CHECK(m(0, 2) == 0.5);

    std::string swapped;
    for (const int n : {2, 3}) put(swapped, n, true);
    for (int i = 1; i <= 6; ++i) put(swapped, 0.1 * i, true);
    CHECK(parseVegaMatrix(source("a.u", swapped)) == m);
    std::string floats;
    for (const int n : {2, 3}) put(floats, n);
    for (int i = 1; i <= 6; ++i) put(floats, 0.5f * static_cast<float>(i));
    CHECK(parseVegaMatrix(source("a.u", floats), true)(1, 2) == 3.);

    TemporaryDirectory folder;
    writeVegaMatrix(folder / "m", m);
    CHECK(loadBytes(folder / "m").text == bytes);
    CHECK(readVegaMatrix(folder / "m") == m);
    const VegaMatrix column{2, 1, {7., 8.}};
    appendVegaMatrix(folder / "m", column);
    appendVegaMatrix(folder / "new", column);
    CHECK(readVegaMatrix(folder / "m").columns == 4);
    CHECK(readVegaMatrix(folder / "m")(1, 3) == 8.);
    CHECK(readVegaMatrix(folder / "m")(1, 2) == m(1, 2));
    CHECK(readVegaMatrix(folder / "new") == column);
    // Sizes whose bytes look like the mark of a text encoding.
    const VegaMatrix large{0xFEFF, 1, Vector<double>(0xFEFF, 1.5)};
    writeVegaMatrix(folder / "large", large);
    CHECK(readVegaMatrix(folder / "large") == large);
}

TEST_CASE("Damaged binary matrices are refused", "[io][input]")
{
    const auto fails = [](const std::string& s) { return errorOf([&] { parseVegaMatrix(source("a.u", s)); }); };
    std::string bytes;
    for (const int n : {2, 1}) put(bytes, n);
    for (const double v : {1., std::numeric_limits<double>::quiet_NaN()}) put(bytes, v);
    CHECK(fails(bytes) == "a.u: byte 16: expected a finite value, found NaN");
    for (std::size_t i = 0; i < bytes.size(); ++i) CHECK(fails(bytes.substr(0, i)) != "no error");
    CHECK(fails(bytes.substr(0, 17)) ==
          "a.u: byte 0: expected a matrix of 2 rows and 1 columns with 8 bytes for each value, found a file of 17 "
          "bytes");
    std::string huge;
    for (const int n : {2000000000, 2000000000}) put(huge, n);
    CHECK(fails(huge).find("expected a matrix of 2000000000 rows") != std::string::npos);
    std::string negative;
    for (const int n : {-2, -1}) put(negative, n);
    CHECK(fails(negative).find("expected a matrix of -2 rows") != std::string::npos);

    TemporaryDirectory folder;
    const std::string path = (folder / "m").string();
    writeVegaMatrix(path, {2, 1, {1., 2.}});
    CHECK(errorOf([&] {
              appendVegaMatrix(path, {3, 1, {1., 2., 3.}});
          }) == path + ": not appended to: the file has 2 rows, the columns have 3");
    folder.write("m", loadBytes(path).text + "x");
    CHECK(errorOf([&] {
              appendVegaMatrix(path, {2, 1, {1., 2.}});
          }) == path + ": not appended to: its size is not that of a matrix of doubles");
    CHECK(errorOf([&] {
              writeVegaMatrix(path, {2, 2, {1.}});
          }) == path + ": not written: the matrix has 2 rows, 2 columns and 1 values");
    CHECK(errorOf([&] { readVegaMatrix(folder / "none"); }).find("no such file") != std::string::npos);
}

TEST_CASE("Matrices as text", "[io][input]")
{
    TemporaryDirectory folder;
    const VegaMatrix m{2, 3, {0.1, 2., -3., 1e-300, 5., 1. / 3.}};
    writeVegaMatrixText(folder / "m", m);
    CHECK(readVegaMatrixText(folder / "m") == m);
    const auto parse = [](const std::string& s) { return parseVegaMatrixText(source("m.txt", s)); };
    CHECK(parse("2\n3\n1 2 3 \n4 5 6 \n")(1, 0) == 4.);
    const auto fails = [&](const std::string& s) { return errorOf([&] { parse(s); }); };
    CHECK(fails("2\n3\n1 2 3\n") == "m.txt:3: expected row 2 of 2, found the end of the file");
    CHECK(fails("1\n2\n1 2 3\n") == "m.txt:3: expected the end of a row of 2 entries, found '3'");
    CHECK(fails("1\n2\n1\n") ==
          "m.txt:3: expected an entry of the matrix (a finite number), found the end of the line");
    CHECK(fails("1\n1\n1\n2\n") == "m.txt:4: expected the end of the file, found '2'");
    CHECK(fails("2000000000\n2000000000\n") ==
          "m.txt: a matrix of 2000000000 rows and 2000000000 columns does not fit into 22 bytes");
}

TEST_CASE("Sparse matrices of Vega", "[io][input]")
{
    const auto parse = [](const std::string& s, int base = 0) { return parseVegaSparseMatrix(source("K", s), base); };
    const BlockCsrMatrix m = parse("3\n4\n2 3 1.5\n0 1 -2\n0 0 1\n2 3 0.25\n");
    CHECK(m.rows() == 3);
    CHECK(m.cols() == 4);
    CHECK(m.nonZeros() == 3);
    CHECK(m.value(2, 3) == 1.75);
    CHECK(m.value(0, 1) == -2.);
    CHECK(m.value(1, 1) == 0.);
    CHECK(parse("2\n2\n1 1 3\n2 1 4\n", 1).value(1, 0) == 4.);

    TemporaryDirectory folder;
    writeVegaSparseMatrix(folder / "K", m, 1);
    const BlockCsrMatrix copy = readVegaSparseMatrix(folder / "K", 1);
    CHECK(copy.samePattern(m));
    CHECK(std::equal(copy.values().begin(), copy.values().end(), m.values().begin()));
    // Blocks are written entry by entry.
    const int rowPtr[] = {0, 1, 2}, colIdx[] = {1, 0};
    BlockCsrMatrix blocks(2, 2, 2, rowPtr, colIdx);
    for (std::size_t i = 0; i < 8; ++i) blocks.values()[i] = static_cast<double>(i) / 3.;
    writeVegaSparseMatrix(folder / "B", blocks);
    const BlockCsrMatrix scalar = readVegaSparseMatrix(folder / "B");
    CHECK(scalar.nonZeros() == 8);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) CHECK(scalar.value(i, j) == blocks.value(i, j));

    const auto fails = [&](const std::string& s) { return errorOf([&] { parse(s); }); };
    CHECK(fails("2\n2\n2 0 1\n") == "K:3: expected the row of an entry from 0 to 1, found '2'");
    CHECK(fails("2\n2\n0 -1 1\n") == "K:3: expected the column of an entry from 0 to 1, found '-1'");
    CHECK(fails("2\n2\n0 1\n") == "K:3: expected the value of an entry (a finite number), found the end of the line");
    CHECK(fails("2\n") == "K:1: expected the number of columns, found the end of the file");
    CHECK(fails("2000000000\n2\n") == "K: a matrix of 2000000000 rows in 13 bytes");
}

TEST_CASE("Lists of fixed vertices", "[io][input]")
{
    const auto parse = [](const std::string& s) { return parseVertexList(source("a.bou", s), 20); };
    CHECK(parse("3, 1,2,\r\n# 9\n7 8 3\n") == Vector<Index>{0, 1, 2, 6, 7});
    CHECK(parse("4:6, 10 : 11,20") == Vector<Index>{3, 4, 5, 9, 10, 19});
    CHECK(parse("").empty());
    CHECK(parseVertexList(source("a", "0 2"), 3, 0) == Vector<Index>{0, 2});
    const auto fails = [&](const std::string& s) { return errorOf([&] { parse(s); }); };
    CHECK(fails("1\n21\n") == "a.bou:2: expected a vertex number from 1 to 20, or a range a:b, found '21'");
    CHECK(fails("0\n").find("found '0'") != std::string::npos);
    CHECK(fails("1 x\n").find("found 'x'") != std::string::npos);
    CHECK(fails("5:4\n").find("found '5:4'") != std::string::npos);
    CHECK(fails(":4\n").find("found ':4'") != std::string::npos);
    CHECK(fails("2:4:6\n").find("found '2:4:6'") != std::string::npos);
    CHECK(fails("1:\n") == "a.bou:1: expected the end of the range, found '1:'");
    TemporaryDirectory folder;
    Vector<Index> many;
    for (Index i = 0; i < 19; ++i) many.push_back(i * i);
    writeVertexList(folder / "m.bou", many);
    CHECK(readVertexList(folder / "m.bou") == many);
    writeVertexList(folder / "none.bou", {});
    CHECK(readVertexList(folder / "none.bou").empty());
}

TEST_CASE("Interpolation weights", "[io][input]")
{
    const auto parse = [](const std::string& s) { return parseInterpolation(source("a.interp", s), 10); };
    const InterpolationWeights w = parse("0 4 0.5 1 0.25 2 0.125 3 0.125\n1 0 1 1 0 2 0 9 -1e-3\n");
    CHECK(w.nodesPerPoint == 4);
    CHECK(w.pointCount() == 2);
    CHECK(w.nodes == Vector<Index>{4, 1, 2, 3, 0, 1, 2, 9});
    CHECK(w.weights[7] == -1e-3);
    Vector<Vec3> x(10);
    x[4] = {2, 0, 0};
    x[1] = {0, 4, 8};
    CHECK(w.interpolate(x)[0] == Vec3{1, 1, 2});
    x.pop_back();
    CHECK_THROWS_WITH(w.interpolate(x), "point 1 is interpolated from vertex 9 of 9");
    TemporaryDirectory folder;
    for (const bool binary : {false, true}) {
        writeInterpolation(folder / "w", w, binary);
        CHECK(readInterpolation(folder / "w", 10) == w);
        const std::string bytes = loadBytes(folder / "w").text;
        // Cut anywhere, it is read or refused.
        for (std::size_t i = 0; i < bytes.size(); ++i) errorOf([&] { parse(bytes.substr(0, i)); });
    }
    CHECK(errorOf([&] {
              readInterpolation(folder / "w", 9);
          }).find("byte 36: expected a vertex from 0 to 8, found 9") != std::string::npos);
    const auto fails = [&](const std::string& s) { return errorOf([&] { parse(s); }); };
    CHECK(fails("0 1 1\n2 1 1\n") == "a.interp:2: expected the number of the point, from 1 to 1, found '2'");
    CHECK(fails("0 1 1\n1 1 1 2 0\n") == "a.interp:2: expected as many vertices as for the first point, 1, found 2");
    CHECK(fails("0 10 1\n") == "a.interp:1: expected a vertex from 0 to 9, found '10'");
    CHECK(fails("0 1\n") == "a.interp:1: expected a weight (a finite number), found the end of the line");
    CHECK(fails("0\n") == "a.interp:1: expected vertices and their weights, found 0");
    CHECK(fails("# none\n") == "a.interp: there are no interpolation weights in the file");
    CHECK(errorOf([&] {
              writeInterpolation("x", {3, {1, 2}, {1., 2.}});
          }) == "x: not written: there are 2 nodes and 2 weights, 3 for each point");
}

TEST_CASE("Lists and weights of Vega's own models are read", "[io][oracle]")
{
    const auto oracle = oracleDirectory();
    if (!oracle || !std::filesystem::exists(*oracle / "vega" / "models")) return skip("no reference data");
    std::size_t lists = 0, weights = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*oracle / "vega" / "models")) {
        CAPTURE(entry.path().string());
        if (entry.path().extension() == ".bou") {
            CHECK_FALSE(readVertexList(entry.path()).empty());
            ++lists;
        } else if (entry.path().extension() == ".interp") {
            const InterpolationWeights w = readInterpolation(entry.path());
            ++weights;
            CHECK((w.nodesPerPoint == 4 || w.nodesPerPoint == 8));
            double worst = 0.;
            for (std::size_t i = 0; i < w.pointCount(); ++i) {
                double sum = -1.;
                for (std::size_t k = 0; k < w.nodesPerPoint; ++k) sum += w.weights[i * w.nodesPerPoint + k];
                worst = std::max(worst, std::abs(sum));
            }
            // Eight numbers with six decimals each.
            CHECK(worst <= 8 * 0.5e-6 + 1e-12);
        }
    }
    CHECK(lists >= 6);
    CHECK(weights >= 3);
}
