// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/MeshReader.h"

#include <algorithm>
#include <cctype>

#include "core/io/MeshError.h"
#include "core/io/MeshOperations.h"

namespace sofa::core::io {

namespace {

using Formats = std::vector<std::shared_ptr<const MeshFormat>>;

/// The first of those that `wanted` accepts and that have the extension of a file.
template <class Wanted>
std::shared_ptr<const MeshFormat> byExtension(const Formats& formats, const std::filesystem::path& path,
                                              const Wanted& wanted)
{
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto has = [&](const auto& f) { return std::ranges::find(f->extensions, extension) != f->extensions.end(); };
    const auto it = std::ranges::find_if(formats, [&](const auto& f) { return wanted(*f) && has(f); });
    return it == formats.end() ? nullptr : *it;
}

/// ": a, b and c", those that `wanted` accepts.
template <class Wanted>
std::string listed(const Formats& formats, const Wanted& wanted)
{
    std::string text;
    for (const auto& f : formats)
        if (wanted(*f)) text += (text.empty() ? "" : ", ") + f->text();
    return text.empty() ? "none" : text;
}

bool canBeRead(const MeshFormat& f) { return static_cast<bool>(f.read); }
bool canBeWritten(const MeshFormat& f) { return static_cast<bool>(f.write); }

}  // namespace

std::shared_ptr<const MeshFormat> detectFormat(const SourceText& source)
{
    const Formats formats = meshFormats().all();
    std::shared_ptr<const MeshFormat> likely;
    for (const auto& f : formats) {
        const Recognition r = f->recognise ? f->recognise(source.text) : Recognition::No;
        if (r == Recognition::Sure) return f;
        if (r == Recognition::Likely && !likely) likely = f;
    }
    const auto named = byExtension(formats, source.path, canBeRead);
    return named ? named : likely;
}

MeshData parseMesh(const SourceText& source, const MeshReadOptions& options)
{
    const auto format = detectFormat(source);
    if (!format)
        throw MeshError(source.path,
                        "the mesh format is not known; known are " + listed(meshFormats().all(), canBeRead));
    if (!format->read)
        throw MeshError(source.path, "this is a " + format->name + " file, which can only be written; read are " +
                                         listed(meshFormats().all(), canBeRead));
    MeshData mesh = format->read(source, options);
    if (options.triangulate) triangulate(mesh);
    if (options.flipNormals) flipNormals(mesh);
    return mesh;
}

MeshData readMesh(const std::filesystem::path& path, const MeshReadOptions& options)
{
    return parseMesh(loadSource(path), options);
}

std::shared_ptr<const MeshFormat> formatToWrite(const std::filesystem::path& path)
{
    const Formats formats = meshFormats().all();
    const auto format = byExtension(formats, path, canBeWritten);
    if (!format)
        throw MeshError(path.string(),
                        "not written: no format is known by this extension that can be written; there "
                        "are " +
                            listed(formats, canBeWritten));
    return format;
}

void writeMesh(const std::filesystem::path& path, const MeshData& mesh)
{
    const auto format = formatToWrite(path);
    requirePoints(path, mesh);
    format->write(path, mesh);
}

}  // namespace sofa::core::io
