// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Damaged files: every reader either succeeds with a consistent mesh or throws MeshError; it never crashes, hangs or
// allocates without bound. Run with sanitizers, this also shows that nothing outside the file is read.
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "core/io/GmshFormat.h"
#include "core/io/MeshOperations.h"
#include "core/io/MeshReader.h"
#include "core/io/ObjFormat.h"
#include "tests/core/io/VtkTestFiles.h"

namespace corrupt_mesh_test {

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

namespace {

struct Sample
{
    std::string name, text;
};

std::string gmshBinary(bool v4)
{
    std::string s = v4 ? "$MeshFormat\n4.1 1 8\n" : "$MeshFormat\n2.2 1 8\n";
    put(s, std::int32_t{1});
    s += "\n$EndMeshFormat\n$Nodes\n";
    const auto ints = [&](std::initializer_list<std::int32_t> l) {
        for (const auto i : l) put(s, i);
    };
    const auto sizes = [&](std::initializer_list<std::uint64_t> l) {
        for (const auto i : l) put(s, i);
    };
    const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (v4) {
        sizes({1, 4, 1, 4});
        ints({3, 1, 0});
        sizes({4, 1, 2, 3, 4});
    } else {
        s += "4\n";
    }
    for (int i = 0; i < 4; ++i) {
        if (!v4) ints({i + 1});
        for (const double c : x[i]) put(s, c);
    }
    s += "\n$EndNodes\n$Elements\n";
    if (v4) {
        sizes({1, 1, 1, 1});
        ints({3, 1, 4});
        sizes({1, 1, 1, 2, 3, 4});
    } else {
        s += "1\n";
        ints({4, 1, 2, 1, 3, 3, 1, 2, 3, 4});
    }
    return s + "\n$EndElements\n";
}

std::vector<Sample> samples()
{
    const std::string cube =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 .5\nvn 0 0 1\nmtllib none.mtl\ng a b\nusemtl m\n"
        "f 1/1/1 2/2/1 3/1/1\nf -1//1 -2 \\\n -3\nf 1 2 3 4\nf 1 2 3 4 1\nl 1 2 3\np 2\n";
    std::string stl(80, 'x');
    put(stl, std::uint32_t{2});
    for (int i = 0; i < 24; ++i) put(stl, static_cast<float>(i % 7));
    stl.insert(84 + 48, 2, '\0');
    stl.append(2, '\0');
    std::string ply =
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    for (int i = 0; i < 9; ++i) put(ply, static_cast<float>(i));
    put(ply, std::uint8_t{3});
    for (int i = 0; i < 3; ++i) put(ply, i);
    std::vector<Sample> s{
        {"a.msh", "$NOD\n3\n1 0 0 0\n2 1 0 0\n9 0 1 0\n$ENDNOD\n$ELM\n2\n1 2 0 1 3 1 2 9\n2 1 0 1 2 1 9\n$ENDELM\n"},
        {"b.msh",
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"x\"\n$EndPhysicalNames\n$Nodes\n6\n1 0 0 0\n"
         "2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n6 2 2 2\n$EndNodes\n$Elements\n2\n1 9 2 7 1 1 2 3 4 5 6\n2 4 2 0 1 1 2 3 "
         "4\n"
         "$EndElements\n"},
        {"c.msh",
         "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 1 5 0\n$EndEntities\n$Nodes\n1 4 1 "
         "4\n"
         "3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n"
         "$EndElements\n"},
        {"d.msh", gmshBinary(false)},
        {"e.msh", gmshBinary(true)},
        {"a.obj", cube},
        {"a.vtk", vtk::legacyText()},
        {"b.vtk", vtk::legacyBinary(true, false)},
        {"c.vtk", vtk::legacyBinary(true, true)},
        {"d.vtk",
         "# vtk DataFile Version 3.0\nt\nASCII\nDATASET RECTILINEAR_GRID\nDIMENSIONS 2 2 1\nX_COORDINATES 2 int\n0 1\n"
         "Y_COORDINATES 2 int\n0 1\nZ_COORDINATES 1 int\n0\nPOINT_DATA 4\nVECTORS v float\n1 2 3 4 5 6 7 8 9 1 2 3\n"},
        {"e.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 2\nSPACING 1 1 1\n"},
        {"a.vtu", vtk::xmlText()},
        {"b.vtu", vtk::xmlBinary(vtk::Encoding::Inline, false, false, true)},
        {"c.vtu", vtk::xmlBinary(vtk::Encoding::AppendedRaw, true, true, false)},
        {"d.vtu", vtk::xmlBinary(vtk::Encoding::AppendedRaw, false, true, true)},
        {"e.vtu", vtk::xmlBinary(vtk::Encoding::AppendedBase64, false, false, false)},
        {"a.sph", "sph 1.0\nnums 2\nsphe 1 0 0 0 1\nsphe 2 1 2 3 .5\n"},
        {"a.stl", stl},
        {"b.stl",
         "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
         "endsolid\n"},
        {"a.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n4 0 1 2 3\n"},
        {"a.ply", ply},
        {"a.veg",
         "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n*MATERIAL m\n"
         "ENU, 1000, 1e6, 0.4\n*MATERIAL o\nORTHOTROPIC_N1G1, 1, 2, 3, 4, .3, 1\n*SET s\n1,\n*REGION\ns, m\n"},
        {"b.veg",
         "*VERTICES\n8 3\n0 0 0 0\n1 1 0 0\n2 1 1 0\n3 0 1 0\n4 0 0 1\n5 1 0 1\n6 1 1 1\n7 0 1 1\n*ELEMENTS\nCUBIC\n1 "
         "8\n"
         "0 0 1 2 3 4 5 6 7\n*MATERIAL m\nMOONEYRIVLIN, 1, 2, 3, 4\n*REGION\nallElements, m\n"},
        {"a.gidmsh",
         "MESH \"a\" dimension 3 ElemType Tetrahedra Nnode 4\nCoordinates\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
         "End Coordinates\nElements\n1 1 2 3 4 5\nEnd Elements\nMESH b dimension 3 ElemType Quadrilateral Nnode 4\n"
         "Elements\n2 1 2 3 4\nEnd Elements\n"},
        {"a.mesh", "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1\n2 1 2 3 4\n2\n7 1 2 3\n8 1 2 3 4\n"},
        {"a.trian", "4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2\n0 1 2 -1 1 -1\n0 2 3 -1 -1 0\n"},
        {"b.trian",
         "\n\n\n\n\n\n\n\n\n\n\n\nm\nvertices 3\n0 0 0\n1 0 0\n0 1 0\nnormals 3\n0 0 1\n0 0 1\n0 0 1\n"
         "triangles 1\n0 1 2\n"},
        {"a.xs3", "Xsp 3.0\nnumm 2\nnums 1\nmass 1 s 0 0 0 0 0 0 1 0\nmass 2 i 1 0 0 0 0 0 -1 0\nlspg 1 1 2 10 1 -1\n"},
        {"a.inp",
         "*PART, NAME=P\n*NODE, NSET=n\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*ELEMENT, TYPE=C3D4, "
         "ELSET=e\n1, 1, 2,\n3, 4\n*NSET, NSET=m, GENERATE\n1, 4, 2\n*SOLID SECTION, ELSET=e, MATERIAL=A\n*END PART\n"
         "*INSTANCE, NAME=I, PART=P\n1,2,3\n0,0,0,0,0,1,30\n*END INSTANCE\n*NSET, NSET=q\nI.m, I.2\n*MATERIAL, NAME=A\n"
         "*DENSITY\n1\n*ELASTIC\n1, .3\n*BOUNDARY\n1\n"},
    };
    return s;
}

/// Reads damaged text; where that succeeds, every index must be valid and every operation work.
void read(const std::string& name, std::string text)
{
    MeshReadOptions o;
    o.maxImplicitPoints = 4096;
    for (const bool seams : {false, true}) {
        o.handleSeams = seams;
        try {
            MeshData m = parseMesh(source(name, text), o);
            const std::size_t n = m.positions.size();
            bool valid = true;
            const auto check = [&](Index i) { valid = valid && i < n; };
            forEachCellArray(m, [&](const auto& cells) {
                for (const auto& c : cells)
                    for (const Index i : c) check(i);
            });
            for (const Index i : m.points) check(i);
            for (const auto& l : m.polylines)
                for (const Index i : l) check(i);
            for (const auto& l : m.polygons)
                for (const Index i : l) check(i);
            for (const auto& s : m.pointSets)
                for (const Index i : s.points) check(i);
            for (const MidsideNode& node : m.midsideNodes) {
                check(node.node);
                for (const Index end : node.ends) check(end);
            }
            for (const auto& p : m.positions) valid = valid && isFinite(p);
            valid = valid && (m.normals.empty() || m.normals.size() == n);
            valid = valid && (m.texCoords.empty() || m.texCoords.size() == n);
            valid = valid && (m.radii.empty() || m.radii.size() == n);
            for (const auto& d : m.pointData) valid = valid && d.values.size() == n * d.components;
            for (const auto& d : m.cellData) valid = valid && d.values.size() == m.cellOrigins.size() * d.components;
            for (std::size_t k = 0; k < CellKindCount; ++k) {
                const std::size_t cells = m.cellCount(static_cast<CellKind>(k));
                for (const auto& r : m.ranges[k]) valid = valid && r.first + r.count <= cells;
                for (const auto& g : m.groups)
                    for (const Index i : g.cells[k]) valid = valid && i < cells;
            }
            for (const auto& c : m.cellOrigins) valid = valid && c.first + c.count <= m.cellCount(c.kind);
            if (!valid) FAIL_CHECK("inconsistent mesh from " << name << ":\n" << text);
            triangulate(m);
            createSubelements(m);
            removeUnattachedPoints(m);
            computeNormals(m);
        } catch (const MeshError&) {
        }
    }
}

}  // namespace

TEST_CASE("The samples themselves are valid", "[io][input]")
{
    for (const auto& s : samples()) {
        CAPTURE(s.name);
        CHECK(errorOf([&] { parseMesh(source(s.name, s.text)); }) == "no error");
    }
}

TEST_CASE("A mesh file cut at any byte is read or refused", "[io][input]")
{
    for (const auto& s : samples()) {
        CAPTURE(s.name);
        for (std::size_t n = 0; n < s.text.size(); ++n) read(s.name, s.text.substr(0, n));
    }
    SUCCEED();
}

TEST_CASE("A mesh file with random bytes changed is read or refused", "[io][input]")
{
    // mt19937 is the same on every platform; its distributions are not, so that they are not used.
    std::mt19937 random(20240229);
    const std::string interesting = "0123456789-+.eE/ \n\t\\#$\"<>&=_naif%";
    for (const auto& s : samples()) {
        CAPTURE(s.name);
        for (int round = 0; round < 1500; ++round) {
            std::string text = s.text;
            const std::size_t changes = 1 + random() % 4;
            for (std::size_t c = 0; c < changes && !text.empty(); ++c) {
                const std::size_t at = random() % text.size();
                switch (random() % 5) {
                    case 0:
                        text[at] = static_cast<char>(random() % 256);
                        break;
                    case 1:
                        text[at] = interesting[random() % interesting.size()];
                        break;
                    case 2:
                        text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
                        break;
                    case 3:
                        text.erase(at, 1 + random() % 8);
                        break;
                    default:
                        text.insert(at, text.substr(random() % text.size(), random() % 16));
                        break;
                }
            }
            read(s.name, std::move(text));
        }
    }
    SUCCEED();
}

TEST_CASE("Counts far beyond the file's size are refused at once", "[io][input]")
{
    for (const char* count : {"4000000000", "9223372036854775807", "99999999999999999999", "-5"}) {
        const std::string c = count;
        CAPTURE(c);
        const std::vector<Sample> bad{
            {"a.msh", "$NOD\n" + c + "\n1 0 0 0\n"},
            {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n" + c + "\n"},
            {"a.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 " + c + " 1 1\n"},
            {"a.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n" + c + " 0 0 0\n"},
            {"a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS " + c + " float\n0 0 0\n"},
            {"a.vtk", "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET POLYDATA\nPOINTS " + c + " float\n0 0 0\n"},
            {"a.vtk",
             "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\nPOLYGONS 1 " + c + "\n"},
            {"a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS " + c + " 2 2\n"},
            {"a.vtu", "<VTKFile type='UnstructuredGrid'><UnstructuredGrid><Piece NumberOfPoints='" + c +
                          "' NumberOfCells='0'><Points><DataArray type='Float32' NumberOfComponents='3' "
                          "format='ascii'>0 0 0</DataArray></Points></Piece></UnstructuredGrid></VTKFile>"},
            {"a.off", "OFF\n" + c + " 0 0\n0 0 0\n"},
            {"a.mesh", c + "\n0 0 0\n"},
            {"a.mesh", "1\n0 0 0\n" + c + "\n"},
            {"a.trian", c + "\n0 0 0\n"},
            {"a.ply", "ply\nformat ascii 1.0\nelement vertex " + c +
                          "\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n"},
        };
        for (const auto& s : bad) {
            CAPTURE(s.text);
            CHECK(errorOf([&] { parseMesh(source(s.name, s.text)); }) != "no error");
        }
    }
}

}  // namespace corrupt_mesh_test
