// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/MeshReader.h"

#include <algorithm>
#include <cctype>

#include "core/io/GmshFormat.h"
#include "core/io/MeshError.h"
#include "core/io/MeshOperations.h"
#include "core/io/ObjFormat.h"

namespace sofa::core::io {

MeshFormat detectFormat(const SourceText& source)
{
    std::string ext = std::filesystem::path(source.path).extension().string();
    std::transform(ext.begin(), ext.end(), ext.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto starts = [&](std::string_view s) { return std::string_view(source.text).substr(0, s.size()) == s; };
    if (ext == ".msh" || ext == ".gmsh") return MeshFormat::Gmsh;
    if (ext == ".obj") return MeshFormat::Obj;
    if (starts("$MeshFormat") || starts("$NOD")) return MeshFormat::Gmsh;
    return MeshFormat::Unknown;
}

MeshData parseMesh(const SourceText& source, const MeshReadOptions& options)
{
    MeshData mesh;
    switch (detectFormat(source)) {
        case MeshFormat::Gmsh:
            mesh = parseGmsh(source);
            break;
        case MeshFormat::Obj:
            mesh = parseObj(source, options);
            break;
        case MeshFormat::Unknown:
            throw MeshError(source.path, "the mesh format is not known; known are .msh (gmsh) and .obj (Wavefront)");
    }
    if (options.triangulate) triangulate(mesh);
    if (options.flipNormals) flipNormals(mesh);
    return mesh;
}

MeshData readMesh(const std::filesystem::path& path, const MeshReadOptions& options)
{
    return parseMesh(loadSource(path), options);
}

}  // namespace sofa::core::io
