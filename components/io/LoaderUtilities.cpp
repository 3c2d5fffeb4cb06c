// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/LoaderUtilities.h"

#include <algorithm>

#include "core/io/MeshError.h"
#include "core/io/MeshOperations.h"

namespace sofa::component {

void requireFormat(const core::io::SourceText& source, const std::vector<std::string_view>& accepted)
{
    const auto format = core::io::detectFormat(source);
    if (!format) return;  // let the reader say what is wrong with it
    if (std::find(accepted.begin(), accepted.end(), format->name) != accepted.end()) return;
    std::string names;
    for (const std::string_view a : accepted)
        names += (names.empty() ? "" : " and ") + core::io::meshFormats().get(a)->text();
    throw core::io::MeshError(
        source.path, "this loader reads " + names + " files, and this is one of another format: " + format->name);
}

core::io::MeshData readAs(const std::string& path, const core::io::MeshReadOptions& options,
                          const std::vector<std::string_view>& accepted)
{
    const core::io::SourceText source = core::io::loadSource(path);
    requireFormat(source, accepted);
    auto format = core::io::detectFormat(source);
    if (!format) format = core::io::meshFormats().get(accepted.front());
    return orient(format->read(source, options), options);
}

core::io::MeshData orient(core::io::MeshData mesh, const core::io::MeshReadOptions& options)
{
    if (options.triangulate) core::io::triangulate(mesh);
    if (options.flipNormals) core::io::flipNormals(mesh);
    return mesh;
}

}  // namespace sofa::component
