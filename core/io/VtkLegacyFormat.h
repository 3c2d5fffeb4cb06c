// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads a VTK legacy file ("# vtk DataFile Version 1.0" to 5.1), ASCII or BINARY, of any dataset: POLYDATA,
/// UNSTRUCTURED_GRID, STRUCTURED_GRID, RECTILINEAR_GRID, STRUCTURED_POINTS. Format: Kitware, "VTK File Formats"; the
/// cells of version 5 are offsets and connectivity.
///
/// * Binary data is big-endian; a file that makes no sense so but does in little-endian order is read so, with a note.
/// * Values of type float are rounded to single precision in ASCII files too, as SOFA does.
/// * NORMALS of points become `normals`, TEXTURE_COORDINATES `texCoords` (first two), everything else of POINT_DATA and
///   CELL_DATA becomes `pointData` and `cellData`. Lookup tables, dataset fields and text arrays are passed over.
/// * POLYGONS of four corners are quads, others fans of triangles; LINES of two points are edges, others polylines.
///   See VtkCells for the cells of an unstructured grid.
/// \throws MeshError
MeshData readVtkLegacy(const std::filesystem::path& path, const MeshReadOptions& options = {});
MeshData parseVtkLegacy(const SourceText& source, const MeshReadOptions& options = {});

/// Writes an unstructured grid in legacy format 3.0 with all cells, point and cell data, normals and texture
/// coordinates, as doubles; ASCII numbers read back exactly. Data names must not contain blanks (they are replaced by
/// "%20", as VTK does). \throws MeshError
void writeVtkLegacy(const std::filesystem::path& path, const MeshData& mesh, bool binary = false);

}  // namespace sofa::core::io
