// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Reads a Wavefront OBJ file: v, vt, vn, f, l, p, g, usemtl, mtllib, with negative indices, v//n forms, comments and
/// continued lines; free-form geometry and the other statements are passed over. Format: Wavefront, "Advanced
/// Visualizer" manual, appendix B1.
///
/// * A face of 4 corners is a quad (with options.triangulate: two triangles); any other gives a fan of triangles in
///   file order; a face of 2 corners is an edge. An edge keeps its vertices in increasing order, as in SOFA. A line of
///   more than 2 points is a polyline and its edges.
/// * Without options.handleSeams, positions are the `v` lines; normals are the normalised sums over the corners of a
///   position; of several texture coordinates the one furthest to lower u and higher v is taken, and a coordinate
///   (0, 0) always gives way.
/// * With it, there is one vertex per distinct (position, texture coordinate, normal), ordered by position, then
///   texture coordinate, then normal index; positions that no face uses are dropped.
/// * `ranges` has the consecutive edges, triangles and quads of one group (`g`) and material (`usemtl`).
/// * A vertex of one or two coordinates has zeros for the others, and gives a note.
/// * Texture coordinate and normal indices outside their lists are ignored, with a note. A material library that is
///   missing or has faulty lines gives notes: it never stops a simulation.
/// \throws MeshError
MeshData readObj(const std::filesystem::path& path, const MeshReadOptions& options = {});
/// Material libraries are looked for relative to the folder of `source.path`.
MeshData parseObj(const SourceText& source, const MeshReadOptions& options = {});

/// Reads a Wavefront material library (MTL) and appends its materials; faulty lines give entries in `notes`.
/// The alpha of the diffuse colour follows the last of `d a`, `Tr 1−a` and `Tf a g b`. \throws MeshError
void readMtl(const std::filesystem::path& path, std::vector<MeshMaterial>& materials, std::vector<std::string>& notes);
void parseMtl(const SourceText& source, std::vector<MeshMaterial>& materials, std::vector<std::string>& notes);

/// Writes positions, texture coordinates and normals (where there is one per position), polylines, edges, triangles
/// and quads by `ranges` of group and material. `materialLibrary`, if not empty, is named in an mtllib line. Numbers
/// read back exactly. \throws MeshError
void writeObj(const std::filesystem::path& path, const MeshData& mesh, const std::string& materialLibrary = {});
/// Writes the mesh by its own lists as an OBJ file has them: positions, texCoordDefinitions, normalDefinitions, and the
/// faces of faceStart and faceCorners, so that seams of texture coordinates and normals survive. \throws MeshError
void writeObjFaces(const std::filesystem::path& path, const MeshData& mesh);
/// Writes a material library. \throws MeshError
void writeMtl(const std::filesystem::path& path, const std::vector<MeshMaterial>& materials);

}  // namespace sofa::core::io
