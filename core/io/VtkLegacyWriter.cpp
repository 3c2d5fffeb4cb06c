// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/io/MeshError.h"
#include "core/io/MeshFormat.h"
#include "core/io/MeshOperations.h"
#include "core/io/VtkCells.h"
#include "core/io/VtkLegacyFormat.h"

namespace sofa::core::io {

void writeVtkLegacy(const std::filesystem::path& path, const MeshData& mesh, bool binary)
{
    requirePoints(path, mesh);
    const VtkCellList cells(mesh);
    std::string out = "# vtk DataFile Version 3.0\nmesh\n";
    out += binary ? "BINARY\n" : "ASCII\n";
    out += "DATASET UNSTRUCTURED_GRID\n";
    const auto bigEndian = [&](auto v) {
        char b[sizeof v];
        std::memcpy(b, &v, sizeof v);
        if (std::endian::native == std::endian::little) std::reverse(b, b + sizeof v);
        out.append(b, sizeof v);
    };
    const auto real = [&](double v, char separator) {
        if (binary) return bigEndian(v);
        appendNumber(out, v);
        out += separator;
    };
    const auto integer = [&](std::int64_t v, char separator) {
        if (binary) return bigEndian(static_cast<std::int32_t>(v));
        appendNumber(out, static_cast<std::uint64_t>(v));
        out += separator;
    };
    const auto values = [&](const auto& v, std::size_t perLine) {
        for (std::size_t i = 0; i < v.size(); ++i) real(v[i], (i + 1) % perLine ? ' ' : '\n');
        if (binary) out += '\n';
    };
    const auto vectors = [&](const auto& list) {
        for (const auto& v : list)
            for (std::size_t k = 0; k < v.size(); ++k) real(v[k], k + 1 < v.size() ? ' ' : '\n');
        if (binary) out += '\n';
    };
    const auto encoded = [](const std::string& name) {
        std::string r;
        for (const char c : name.empty() ? std::string("data") : name)
            r += c == ' ' ? "%20" : c == '%' ? "%25" : c == '\n' || c == '\t' || c == '\r' ? "%09" : std::string(1, c);
        return r;
    };
    const auto fields = [&](const std::vector<DataArray>& arrays, std::size_t tuples, auto valuesOf) {
        if (arrays.empty()) return;
        out += "FIELD FieldData " + std::to_string(arrays.size()) + "\n";
        for (const auto& d : arrays) {
            out += encoded(d.name) + " " + std::to_string(d.components) + " " + std::to_string(tuples) + " double\n";
            values(valuesOf(d), std::max<std::size_t>(1, d.components));
        }
    };

    out += "POINTS " + std::to_string(mesh.positions.size()) + " double\n";
    vectors(mesh.positions);
    out +=
        "CELLS " + std::to_string(cells.size()) + " " + std::to_string(cells.size() + cells.connectivity.size()) + "\n";
    std::int64_t start = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const std::int64_t end = cells.offsets[c];
        integer(end - start, end == start ? '\n' : ' ');
        for (; start < end; ++start)
            integer(cells.connectivity[static_cast<std::size_t>(start)], start + 1 < end ? ' ' : '\n');
    }
    if (binary) out += '\n';
    out += "CELL_TYPES " + std::to_string(cells.size()) + "\n";
    for (const auto t : cells.types) integer(t, '\n');
    if (binary) out += '\n';

    const std::size_t n = mesh.positions.size();
    const bool hasN = n && mesh.normals.size() == n, hasT = n && mesh.texCoords.size() == n;
    if (hasN || hasT || !mesh.pointData.empty()) {
        out += "POINT_DATA " + std::to_string(n) + "\n";
        if (hasN) {
            out += "NORMALS Normals double\n";
            vectors(mesh.normals);
        }
        if (hasT) {
            out += "TEXTURE_COORDINATES TextureCoordinates 2 double\n";
            vectors(mesh.texCoords);
        }
        for (const auto& d : mesh.pointData)
            if (d.values.size() != n * d.components)
                throw MeshError(path.string(), "point data '" + d.name + "' has " + std::to_string(d.tuples()) +
                                                   " tuples for " + std::to_string(n) + " points");
        fields(mesh.pointData, n, [](const DataArray& d) -> const Vector<double>& { return d.values; });
    }
    if (!mesh.cellData.empty()) {
        out += "CELL_DATA " + std::to_string(cells.size()) + "\n";
        fields(mesh.cellData, cells.size(), [&](const DataArray& d) { return cells.ordered(mesh, d, path.string()); });
    }
    saveText(path, out);
}

}  // namespace sofa::core::io
