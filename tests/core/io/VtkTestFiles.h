// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <zlib.h>

#include <string>
#include <vector>

#include "tests/core/io/MeshTestUtilities.h"

/// Small VTK files of one mesh (4 points; a tetrahedron, a pixel, a line; point data T, cell data id) in all encodings.
namespace sofa::test::vtk {

inline std::string legacyText()
{
    return "# vtk DataFile Version 2.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0\n"
           "0 1 0 0 0 .5\nCELLS 3 13\n4 0 1 2 3\n4 0 1 2 3\n2 2 3\nCELL_TYPES 3\n10\n8\n3\n"
           "CELL_DATA 3\nSCALARS id int 1\nLOOKUP_TABLE default\n7 8 9\nPOINT_DATA 4\nFIELD FieldData 1\nT 1 4 double\n"
           "1 2 3 4\n";
}

/// Binary; version 5.1 (offsets and connectivity) or 3.0.
inline std::string legacyBinary(bool big, bool v5)
{
    std::string s = v5 ? "# vtk DataFile Version 5.1\n" : "# vtk DataFile Version 3.0\n";
    s += "title\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n";
    const auto ints = [&](std::initializer_list<int> l) {
        for (const int i : l) put(s, i, big);
    };
    for (const double x : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., .5}) put(s, x, big);
    if (v5) {
        s += "\nMETADATA\nINFORMATION 0\n\nCELLS 4 10\nOFFSETS vtktypeint64\n";
        for (const std::int64_t i : {0, 4, 8, 10}) put(s, i, big);
        s += "\nCONNECTIVITY vtktypeint64\n";
        for (const std::int64_t i : {0, 1, 2, 3, 0, 1, 2, 3, 2, 3}) put(s, i, big);
    } else {
        s += "\nCELLS 3 13\n";
        ints({4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 2, 2, 3});
    }
    s += "\nCELL_TYPES 3\n";
    ints({10, 8, 3});
    s += "\nCELL_DATA 3\nSCALARS id int 1\nLOOKUP_TABLE default\n";
    ints({7, 8, 9});
    s += "\nPOINT_DATA 4\nFIELD FieldData 2\nwords 1 2 string\n";
    s += "\xC3one\xC3two";
    s += "\nT 1 4 float\n";
    for (const float x : {1.f, 2.f, 3.f, 4.f}) put(s, x, big);
    return s + "\n";
}

inline std::string xmlText()
{
    return "<VTKFile type='UnstructuredGrid' version='0.1' byte_order='BigEndian'>\n<UnstructuredGrid>\n"
           "<Piece NumberOfPoints='4' NumberOfCells='3'>\n<Points>\n"
           "<DataArray type='Float32' NumberOfComponents='3' format='ascii'>\n0 0 0 1 0 0 0 1 0 0 0 .5\n</DataArray>\n"
           "</Points>\n<Cells>\n<DataArray type='Int32' Name='connectivity' format='ascii'>0 1 2 3 0 1 2 3 2 3"
           "</DataArray>\n<DataArray type='Int32' Name='offsets' format='ascii'>4 8 10</DataArray>\n"
           "<DataArray type='UInt8' Name='types' format='ascii'>10 8 3</DataArray>\n</Cells>\n"
           "<PointData><DataArray type='Float64' Name='T' format='ascii'>1 2 3 4</DataArray></PointData>\n"
           "<CellData><DataArray type='Int16' Name='id' format='ascii'>7 8 9</DataArray></CellData>\n"
           "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

inline std::string base64(const std::string& in)
{
    static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < in.size(); i += 3) {
        unsigned b = 0;
        for (std::size_t k = 0; k < 3; ++k)
            b = b << 8 | (i + k < in.size() ? static_cast<unsigned char>(in[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) out += i + k > in.size() ? '=' : digits[(b >> (18 - 6 * k)) & 63];
    }
    return out;
}

enum class Encoding
{
    Inline,
    AppendedRaw,
    AppendedBase64
};

inline std::string xmlBinary(Encoding encoding, bool big, bool wide, bool compressed)
{
    const auto word = [&](std::string& s, std::uint64_t v) {
        if (wide)
            put(s, v, big);
        else
            put(s, static_cast<std::uint32_t>(v), big);
    };
    // Compressed in blocks of 16 bytes, so that there are several and a partial one.
    const auto encoded = [&](const std::string& data) {
        std::string head, body;
        if (!compressed) {
            word(head, data.size());
            return encoding == Encoding::AppendedRaw ? head + data : base64(head + data);
        }
        const std::size_t block = 16, n = (data.size() + block - 1) / block;
        word(head, n);
        word(head, block);
        word(head, data.size() % block);
        for (std::size_t b = 0; b < n; ++b) {
            const std::string part = data.substr(b * block, block);
            uLongf size = compressBound(static_cast<uLong>(part.size()));
            std::string z(size, '\0');
            compress(reinterpret_cast<Bytef*>(z.data()), &size, reinterpret_cast<const Bytef*>(part.data()),
                     static_cast<uLong>(part.size()));
            word(head, size);
            body += z.substr(0, size);
        }
        return encoding == Encoding::AppendedRaw ? head + body : base64(head) + base64(body);
    };
    std::string appended;
    const auto array = [&](const std::string& attributes, const std::string& data) {
        const std::string e = encoded(data);
        if (encoding == Encoding::Inline)
            return "<DataArray " + attributes + " format='binary'>\n" + e + "\n</DataArray>\n";
        const std::string s =
            "<DataArray " + attributes + " format='appended' offset='" + std::to_string(appended.size()) + "'/>\n";
        appended += e;
        return s;
    };
    const auto bytes = [&](auto list) {
        std::string s;
        for (const auto v : list) put(s, v, big);
        return s;
    };
    std::string s = "<?xml version='1.0'?>\n<VTKFile type='UnstructuredGrid' version='1.0' byte_order='";
    s += big ? "BigEndian'" : "LittleEndian'";
    if (wide) s += " header_type='UInt64'";
    if (compressed) s += " compressor='vtkZLibDataCompressor'";
    s += ">\n<UnstructuredGrid><Piece NumberOfPoints='4' NumberOfCells='3'>\n<PointData>";
    s += array("type='Float32' Name='T'", bytes(std::vector<float>{1, 2, 3, 4}));
    s += "</PointData><CellData>" + array("type='UInt64' Name='id'", bytes(std::vector<std::uint64_t>{7, 8, 9})) +
         "</CellData><Points>";
    s +=
        array("type='Float64' NumberOfComponents='3'", bytes(std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, .5}));
    s += "</Points><Cells>" +
         array("type='Int64' Name='connectivity'", bytes(std::vector<std::int64_t>{0, 1, 2, 3, 0, 1, 2, 3, 2, 3}));
    s += array("type='Int32' Name='offsets'", bytes(std::vector<std::int32_t>{4, 8, 10}));
    s += array("type='UInt8' Name='types'", bytes(std::vector<std::uint8_t>{10, 8, 3}));
    s += "</Cells></Piece></UnstructuredGrid>\n";
    if (encoding != Encoding::Inline) {
        s += encoding == Encoding::AppendedRaw ? "<AppendedData encoding=\"raw\">\n_"
                                               : "<AppendedData encoding=\"base64\">\n  _";
        s += appended + "\n</AppendedData>\n";
    }
    return s + "</VTKFile>\n";
}

}  // namespace sofa::test::vtk
