// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/LoaderUtilities.h"

#include <algorithm>

#include "core/io/MeshError.h"
#include "core/io/MeshOperations.h"

namespace sofa::component {

void requireFormat(const core::io::SourceText& source, std::initializer_list<core::io::MeshFormat> accepted,
                   const char* acceptedNames)
{
    const auto format = core::io::detectFormat(source);
    if (format == core::io::MeshFormat::Unknown) return;  // let the reader say what is wrong with it
    if (std::find(accepted.begin(), accepted.end(), format) == accepted.end())
        throw core::io::MeshError(source.path, std::string("this loader reads ") + acceptedNames +
                                                   " files, and this is one of another format");
}

core::io::MeshData orient(core::io::MeshData mesh, const core::io::MeshReadOptions& options)
{
    if (options.triangulate) core::io::triangulate(mesh);
    if (options.flipNormals) core::io::flipNormals(mesh);
    return mesh;
}

}  // namespace sofa::component
