// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/scene/SceneFile.h"

#include "core/io/OutputFile.h"

namespace fs = std::filesystem;

namespace sofa::core {

FileChanged::FileChanged(std::string path)
    : std::runtime_error("'" + path +
                         "' was changed by another program since the scene was opened; it is left as it is"),
      m_path(std::move(path))
{
}

std::string canonicalPath(const std::string& path)
{
    std::error_code error;
    const fs::path p = fs::weakly_canonical(path, error);
    return error ? path : p.string();
}

std::uint64_t textHash(std::string_view text) { return std::hash<std::string_view>()(text); }

SceneFile::SceneFile(std::string bytes, const std::string& path)
    : xml(std::move(bytes), path), hash(textHash(xml.bytes()))
{
}

SceneFile::SceneFile(std::string text, const std::string& path, std::vector<XmlProblem>& problems)
    : xml(std::move(text), path, problems), hash(textHash(xml.bytes()))
{
}

void SceneFile::stamp()
{
    std::error_code error;
    hash = textHash(xml.bytes());
    size = fs::file_size(name, error);
    time = fs::last_write_time(name, error);
    onDisk = !error;
}

bool SceneFile::changed() const
{
    std::error_code error;
    if (!fs::is_regular_file(name, error)) return false;
    if (!onDisk) return true;
    if (fs::file_size(name, error) == size && fs::last_write_time(name, error) == time) return false;
    return textHash(readBytes(name)) != hash;
}

}  // namespace sofa::core
