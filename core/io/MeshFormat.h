// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>

#include "core/factory/NamedTable.h"
#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// What the content of a file tells about its format.
enum class Recognition
{
    No,
    Likely,  ///< counts where the name of the file tells nothing
    Sure     ///< whatever the name of the file
};

/// A format of mesh files. One registers beside its reader and writer, in the core and in plugins alike:
///
///     static const RegisterMeshFormat registered({.name = "object file format", .extensions = {".off"},
///                                                 .recognise = [](std::string_view content) { ... },
///                                                 .read = [](const SourceText& s, const MeshReadOptions&) { ... }});
struct MeshFormat
{
    std::string name;  ///< unique, in messages: "a gmsh file"
    /// With the dot, in lower case; the case of the letters in names of files does not count.
    std::vector<std::string> extensions;
    /// Looks at the content; may be empty.
    std::function<Recognition(std::string_view content)> recognise = {};
    /// Throws MeshError, with the place in the file. Empty for a format that is only written.
    std::function<MeshData(const SourceText&, const MeshReadOptions&)> read = {};
    /// Throws MeshError. Empty for a format that is only read.
    std::function<void(const std::filesystem::path&, const MeshData&)> write = {};

    /// "gmsh (.msh, .gmsh)"
    std::string text() const;
};

/// Every format. Two formats may have an extension in common; then content decides (Recognition::Sure), else the first
/// by name.
NamedTable<MeshFormat>& meshFormats();

/// Registers a format for the time of the program. Withdrawn by meshFormats().remove(name).
struct RegisterMeshFormat
{
    explicit RegisterMeshFormat(MeshFormat format);
};

}  // namespace sofa::core::io
