// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/io/MeshOperations.h"
#include "core/io/VtkLegacyFormat.h"
#include "core/io/VtkXmlFormat.h"
#include "tests/core/io/MeshChecks.h"
#include "tests/core/io/MeshTestUtilities.h"
#include "tests/core/io/VtkTestFiles.h"

namespace vtk_format_test {

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

namespace {

MeshData legacy(const std::string& text, const MeshReadOptions& o = {})
{
    return parseVtkLegacy(source("m.vtk", text), o);
}
MeshData xml(const std::string& text) { return parseVtkXml(source("m.vtu", text)); }
std::string legacyError(const std::string& text)
{
    return errorOf([&] { legacy(text); });
}
std::string xmlError(const std::string& text)
{
    return errorOf([&] { xml(text); });
}

const std::string head = "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET ";

/// The mesh that the files of VtkTestFiles.h hold: a tetrahedron, a quad as pixel, an edge.
void checkSmallGrid(const MeshData& m)
{
    REQUIRE(m.positions.size() == 4);
    CHECK(m.positions[1] == Vec3(1, 0, 0));
    CHECK(m.positions[3] == Vec3(0, 0, 0.5));
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}});
    CHECK(m.quads == Vector<Quad>{{0, 1, 3, 2}});
    CHECK(m.edges == Vector<Edge>{{2, 3}});
    CHECK(m.cellOrigins ==
          std::vector<CellOrigin>{{CellKind::Tetrahedron, 0, 1}, {CellKind::Quad, 0, 1}, {CellKind::Edge, 0, 1}});
    REQUIRE(m.pointData.size() == 1);
    CHECK(m.pointData[0].name == "T");
    CHECK(m.pointData[0].values == Vector<double>{1, 2, 3, 4});
    REQUIRE(m.cellData.size() == 1);
    CHECK(m.cellData[0].name == "id");
    CHECK(m.cellData[0].values == Vector<double>{7, 8, 9});
}

}  // namespace

TEST_CASE("VTK legacy unstructured grid: ASCII, big-endian, little-endian, versions 3 and 5", "[io]")
{
    checkSmallGrid(legacy(vtk::legacyText()));
    checkSmallGrid(legacy(vtk::legacyBinary(true, false)));
    checkSmallGrid(legacy(vtk::legacyBinary(true, true)));
    const auto little = legacy(vtk::legacyBinary(false, false));
    checkSmallGrid(little);
    REQUIRE(little.notes.size() == 1);
    CHECK(little.notes[0].find("little-endian") != std::string::npos);
    CHECK(legacy(vtk::legacyBinary(true, false)).notes.empty());
}

TEST_CASE("VTK legacy floats are rounded to single precision, doubles are not", "[io]")
{
    CHECK(legacy(head + "POLYDATA\nPOINTS 1 float\n0.1 0 0\n").positions[0][0] == static_cast<double>(0.1f));
    CHECK(legacy(head + "POLYDATA\nPOINTS 1 double\n0.1 0 0\n").positions[0][0] == 0.1);
}

TEST_CASE("VTK legacy polydata: vertices, lines, polygons, strips", "[io]")
{
    const auto m = legacy(head +
                          "POLYDATA\nPOINTS 5 double\n0 0 0  1 0 0  1 1 0  0 1 0  0 2 0\n"
                          "VERTICES 2 5\n1 4\n2 0 1\nLINES 2 7\n2 1 0\n3 0 1 2\n"
                          "POLYGONS 3 15\n3 0 1 2\n4 0 1 2 3\n5 0 1 2 4 3\nTRIANGLE_STRIPS 1 5\n4 0 1 3 2\n"
                          "CELL_DATA 8\nSCALARS c int\nLOOKUP_TABLE default\n1 2 3 4 5 6 7 8\n");
    CHECK(m.points == Vector<Index>{4, 0, 1});
    CHECK(m.edges == Vector<Edge>{{1, 0}});
    REQUIRE(m.polylines.size() == 1);
    CHECK(m.polylines[0] == Vector<Index>{0, 1, 2});
    CHECK(m.quads == Vector<Quad>{{0, 1, 2, 3}});
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}, {0, 1, 2}, {0, 2, 4}, {0, 4, 3}, {0, 1, 3}, {3, 1, 2}});
    REQUIRE(m.cellOrigins.size() == 8);
    CHECK(m.cellOrigins[6] == CellOrigin{CellKind::Triangle, 1, 3});
    CHECK(m.cellOrigins[7] == CellOrigin{CellKind::Triangle, 4, 2});
}

TEST_CASE("VTK legacy cell types and orders", "[io]")
{
    auto m = legacy(head +
                    "UNSTRUCTURED_GRID\nPOINTS 10 int\n0 0 0 1 0 0 2 0 0 3 0 0 4 0 0 5 0 0 6 0 0 7 0 0 8 0 0 9 0 0\n"
                    "CELLS 10 64\n8 0 1 2 3 4 5 6 7\n8 0 1 2 3 4 5 6 7\n6 0 1 2 3 4 5\n5 0 1 2 3 4\n4 0 1 2 3\n"
                    "10 0 1 2 3 4 5 6 7 8 9\n3 0 1 4\n3 7 8 9\n3 2 1 0\n4 5 6 7 8\n"
                    "CELL_TYPES 10\n11 12 13 14 7 24 21 4 42 71\n");
    CHECK(m.hexahedra == Vector<Hexahedron>{{0, 1, 3, 2, 4, 5, 7, 6}, {0, 1, 2, 3, 4, 5, 6, 7}});
    CHECK(m.prisms.size() == 1);
    CHECK(m.pyramids.size() == 1);
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}, {5, 6, 7, 8}});
    CHECK(m.edges == Vector<Edge>{{0, 1}});
    CHECK(highOrderEdgePositions(m) ==
          Vector<std::array<Index, 4>>{
              {4, 0, 1, 1}, {5, 1, 1, 1}, {6, 2, 1, 1}, {7, 3, 1, 1}, {8, 4, 1, 1}, {9, 5, 1, 1}});
    CHECK(m.edges == Vector<Edge>{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}});
    REQUIRE(m.notes.size() == 2);
    CHECK(m.notes[0] == "m.vtk: 1 high-order cells of VTK type 71 (tetrahedron) are reduced to their corners");
    CHECK(m.notes[1] == "m.vtk: 1 cells of VTK type 42 are not supported and left out");
    CHECK(m.cellOrigins[8].count == 0);
}

TEST_CASE("VTK legacy grids given by their dimensions", "[io]")
{
    const auto image = legacy(head + "STRUCTURED_POINTS\nDIMENSIONS 3 2 2\nORIGIN 1 0 0\nSPACING .5 1 1\n");
    REQUIRE(image.positions.size() == 12);
    CHECK(image.positions[1] == Vec3(1.5, 0, 0));
    CHECK(image.positions[3] == Vec3(1, 1, 0));
    CHECK(image.hexahedra == Vector<Hexahedron>{{0, 1, 4, 3, 6, 7, 10, 9}, {1, 2, 5, 4, 7, 8, 11, 10}});

    const auto plane = legacy(head +
                              "RECTILINEAR_GRID\nDIMENSIONS 2 1 2\nX_COORDINATES 2 float\n0 2\n"
                              "Y_COORDINATES 1 float\n5\nZ_COORDINATES 2 float\n1 4\n");
    CHECK(plane.positions[3] == Vec3(2, 5, 4));
    CHECK(plane.quads == Vector<Quad>{{0, 1, 3, 2}});

    const auto curve = legacy(head + "STRUCTURED_GRID\nDIMENSIONS 3 1 1\nPOINTS 3 float\n0 0 0 1 0 0 2 1 0\n");
    CHECK(curve.edges == Vector<Edge>{{0, 1}, {1, 2}});

    MeshReadOptions o;
    o.maxImplicitPoints = 1000;
    CHECK(errorOf([&] { legacy(head + "STRUCTURED_POINTS\nDIMENSIONS 100 100 100\n", o); }) ==
          "m.vtk:5: expected a grid of at most 1000 points, found '100'");
}

TEST_CASE("VTK legacy attributes of every kind", "[io]")
{
    const auto m = legacy(
        head +
        "POLYDATA\nFIELD FieldData 1\nTIME 1 1 double\n0.5\nPOINTS 2 double\n0 0 0 1 0 0\nMETADATA\nINFORMATION 1\n"
        "NAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n"
        "POINT_DATA 2\nSCALARS s double 2\nLOOKUP_TABLE t\n1 2 3 4\nLOOKUP_TABLE t 1\n0 0 0 1\n"
        "SCALARS bare int\n5 6\nVECTORS v float\n1 2 3 4 5 6\nNORMALS n float\n0 0 1 0 1 0\n"
        "TENSORS q double\n1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9\nTEXTURE_COORDINATES uv 2 float\n0 1 1 0\n"
        "COLOR_SCALARS col 3\n0 0.5 1 1 0 0\nFIELD f 3\nhas%20blank 1 2 int\n3 4\nnames 1 2 string\none\ntwo\n"
        "nan 1 2 double\nnan inf\n");
    REQUIRE(m.normals.size() == 2);
    CHECK(m.normals[1] == Vec3(0, 1, 0));
    REQUIRE(m.texCoords.size() == 2);
    CHECK(m.texCoords[1] == Vec2(1, 0));
    REQUIRE(m.pointData.size() == 7);
    CHECK(m.pointData[0].components == 2);
    CHECK(m.pointData[1].name == "bare");
    CHECK(m.pointData[1].values == Vector<double>{5, 6});
    CHECK(m.pointData[2].components == 3);
    CHECK(m.pointData[3].components == 9);
    CHECK(m.pointData[4].name == "col");
    CHECK(m.pointData[5].name == "has blank");
    CHECK(std::isnan(m.pointData[6].values[0]));
}

TEST_CASE("VTK legacy errors say where, what was expected and what was found", "[io]")
{
    CHECK(legacyError("hello\n") == "m.vtk:1: expected '# vtk DataFile Version x.y', found 'hello'");
    CHECK(legacyError("# vtk DataFile Version 3.0\nt\nTEXT\n") ==
          "m.vtk:3: expected 'ASCII' or 'BINARY', found 'TEXT'");
    CHECK(legacyError(head + "IMAGE\n").find("m.vtk:4: expected a dataset POLYDATA") == 0);
    CHECK(legacyError(head + "POLYDATA\nPOINTS 1 quux\n0 0 0\n") ==
          "m.vtk:5: expected the type of the points (such as float, double or int), found 'quux'");
    CHECK(legacyError(head + "POLYDATA\nPOINTS 1 float\n0 0,5 0\n") ==
          "m.vtk:6: expected a point coordinate (a number with a decimal point), found '0,5'");
    CHECK(legacyError(head + "POLYDATA\nPOINTS 1 float\n0 0 0\nPOLYGONS 1 4\n3 0 0 1\n") ==
          "m.vtk:7: expected polygons of the 1 points, found point 1 in number 0");
    CHECK(legacyError(head + "POLYDATA\nPOINTS 1 float\n0 0 0\nPOLYGONS 1 4\n9 0 0 0\n") ==
          "m.vtk:7: expected a list of 4 entries for 1 polygons, found cell 0 reaching beyond it");
    CHECK(legacyError(head + "UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\nCELLS 1 4\n3 0 0 0\nCELL_TYPES 1\n10\n") ==
          "m.vtk:7: expected at least 4 points for a cell of VTK type 10, found 3 in number 0");
    CHECK(legacyError(head + "POLYDATA\nPOINTS 1 float\n0 0 0\nPOINT_DATA 2\n") ==
          "m.vtk:7: expected POINT_DATA for the 1 points, found '2'");
    CHECK(legacyError(head + "POLYDATA\nPOINTS 1 float\n0 0 0\nPOYGONS 1 4\n") ==
          "m.vtk:7: expected a keyword of the VTK format (such as POINTS, CELLS or POINT_DATA), found 'POYGONS'");
    CHECK(legacyError("# vtk DataFile Version 3.0\nt\nBINARY\nDATASET POLYDATA\nPOINTS 1 string\n0123456789ab") ==
          "m.vtk:5: expected a point coordinate of a type of numbers, found 'string'");
    const auto cut = vtk::legacyBinary(true, false).substr(0, 150);
    CHECK(legacyError(cut).find("m.vtk: byte ") == 0);
}

TEST_CASE("VTK XML unstructured grid in every encoding", "[io]")
{
    checkSmallGrid(xml(vtk::xmlText()));
    for (const bool big : {false, true})
        for (const bool wide : {false, true})
            for (const bool compressed : {false, true})
                for (const auto e :
                     {vtk::Encoding::Inline, vtk::Encoding::AppendedRaw, vtk::Encoding::AppendedBase64}) {
                    CAPTURE(big, wide, compressed, static_cast<int>(e));
                    checkSmallGrid(xml(vtk::xmlBinary(e, big, wide, compressed)));
                }
}

TEST_CASE("VTK XML polydata and several pieces", "[io]")
{
    const std::string points =
        "<Points><DataArray type='Float32' NumberOfComponents='3' format='ascii'>0 0 0 1 0 0 1 1 0 0 1 0</DataArray>"
        "</Points>";
    const std::string piece =
        "<Piece NumberOfPoints='4' NumberOfVerts='0' NumberOfLines='1' NumberOfStrips='0' NumberOfPolys='2'>"
        "<PointData Normals='N'><DataArray type='Float32' Name='N' NumberOfComponents='3' format='ascii'>"
        "0 0 1 0 0 1 0 0 1 0 0 1</DataArray></PointData>" +
        points +
        "<Lines><DataArray type='Int32' Name='connectivity' format='ascii'>0 2</DataArray>"
        "<DataArray type='Int32' Name='offsets' format='ascii'>2</DataArray></Lines>"
        "<Polys><DataArray type='Int32' Name='offsets' format='ascii'>3 7</DataArray>"
        "<DataArray type='Int32' Name='connectivity' format='ascii'>0 1 2 0 1 2 3</DataArray></Polys></Piece>";
    const auto m =
        xml("<?xml version='1.0'?>\n<VTKFile type='PolyData' version='0.1' byte_order='LittleEndian'><PolyData>" +
            piece + piece + "</PolyData></VTKFile>");
    CHECK(m.positions.size() == 8);
    CHECK(m.normals.size() == 8);
    CHECK(m.edges == Vector<Edge>{{0, 2}, {4, 6}});
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}, {4, 5, 6}});
    CHECK(m.quads == Vector<Quad>{{0, 1, 2, 3}, {4, 5, 6, 7}});
}

TEST_CASE("VTK XML errors say where, what was expected and what was found", "[io]")
{
    CHECK(xmlError("<VTKFile>\n<a>\n</VTKFile>").find("m.vtu:") == 0);
    CHECK(xmlError("<Scene/>") == "m.vtu:1: expected the root element <VTKFile>, found <Scene>");
    CHECK(xmlError("<VTKFile type='ImageData'/>") ==
          "m.vtu:1: expected a file of type UnstructuredGrid or PolyData, found 'ImageData'");
    const auto text = vtk::xmlText();
    const auto with = [&](const std::string& from, const std::string& to) {
        auto s = text;
        s.replace(s.find(from), from.size(), to);
        return xmlError(s);
    };
    CHECK(with("0 0 .5", "0 0 x") == "m.vtu:6: expected a point coordinate (a number), found 'x'");
    CHECK(with("0 0 .5", "0 0") ==
          "m.vtu:5: expected 3 coordinates for each of 4 points, found 11 values of 3 components");
    CHECK(with("0 1 2 3 0 1 2 3 2 3", "0 1 2 3 0 1 2 4 2 3") ==
          "m.vtu:9: expected Cells of the 4 points, found point 4 in cell 1");
    CHECK(with("10 8 3", "10 8 13") ==
          "m.vtu:9: expected at least 6 points for a cell of VTK type 13, found 2 in cell 2");
    CHECK(with("4 8 10", "4 8 11") == "m.vtu:9: expected Cells whose offsets rise up to 10, found offset 11 of cell 2");
    CHECK(with("NumberOfPoints='4'", "NumberOfPoints='x'") ==
          "m.vtu:3: expected an attribute NumberOfPoints (an integer, not negative), found 'x'");
    // Four times this number of components are four values, in 64 bits.
    const std::string many = "4611686018427387905";
    CHECK(xmlError("<VTKFile type='UnstructuredGrid'><UnstructuredGrid><Piece NumberOfPoints='4' NumberOfCells='0'>"
                   "<Points><DataArray type='Float32' NumberOfComponents='3' format='ascii'>0 0 0 1 0 0 0 1 0 0 0 1"
                   "</DataArray></Points>\n<PointData TCoords='t'><DataArray type='Float32' Name='t' "
                   "NumberOfComponents='" +
                   many + "' format='ascii'>0 1 2 3</DataArray></PointData></Piece></UnstructuredGrid></VTKFile>") ==
          "m.vtu:2: expected 4 tuples of " + many + " values, found 4 values in array 't'");
    auto raw = vtk::xmlBinary(vtk::Encoding::AppendedRaw, false, false, true);
    raw[raw.find('_') + 20] = '\x7f';
    CHECK(xmlError(raw) != "no error");
}

TEST_CASE("VTK writers round trip in every form", "[io]")
{
    MeshData m = elementsOfAllKinds();
    m.polylines = {{4, 5, 6}};
    m.normals.assign(8, Vec3(0, 0, 1));
    m.texCoords.assign(8, Vec2(0.25, 0.5));
    m.pointData.push_back({"a b", 2, Vector<double>(16, 0.3)});
    m.cellData.push_back({"c", 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}});
    TemporaryDirectory dir;
    writeVtkLegacy(dir / "a.vtk", m, false);
    writeVtkLegacy(dir / "b.vtk", m, true);
    writeVtu(dir / "a.vtu", m, VtkEncoding::Ascii);
    writeVtu(dir / "b.vtu", m, VtkEncoding::Appended);
    writeVtu(dir / "c.vtu", m, VtkEncoding::Compressed);
    for (const char* name : {"a.vtk", "b.vtk", "a.vtu", "b.vtu", "c.vtu"}) {
        CAPTURE(name);
        const bool old = std::string(name).find("vtk") != std::string::npos;
        const auto r = old ? readVtkLegacy(dir / name) : readVtkXml(dir / name);
        checkSameElements(r, m);
        CHECK(r.polylines == m.polylines);
        CHECK(r.normals == m.normals);
        CHECK(r.texCoords == m.texCoords);
        REQUIRE(r.pointData.size() == 1);
        CHECK(r.pointData[0].name == "a b");
        CHECK(r.pointData[0].components == 2);
        CHECK(r.pointData[0].values == m.pointData[0].values);
        REQUIRE(r.cellData.size() == 1);
        CHECK(r.cellData[0].values == m.cellData[0].values);
        CHECK(r.notes.empty());
    }
    m.cellData[0].values.pop_back();
    CHECK(errorOf([&] { writeVtu(dir / "d.vtu", m); }) ==
          (dir / "d.vtu").string() + ": cell data 'c' has 9 tuples for 10 cells");
}

TEST_CASE("VTK cell data follows the cells when a mesh is written in another order", "[io]")
{
    const auto m = legacy(vtk::legacyText());  // tetrahedron, quad, edge
    TemporaryDirectory dir;
    writeVtu(dir / "a.vtu", m);
    const auto r = readVtkXml(dir / "a.vtu");  // edge, quad, tetrahedron
    REQUIRE(r.cellOrigins.size() == 3);
    CHECK(r.cellOrigins[0].kind == CellKind::Edge);
    CHECK(r.cellData[0].values == Vector<double>{9, 8, 7});
}

}  // namespace vtk_format_test
