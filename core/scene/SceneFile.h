// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/scene/XmlDocument.h"

namespace sofa::core {

/// Thrown when a file was changed by others since it was read or written: nothing is overwritten.
class FileChanged : public std::runtime_error
{
public:
    explicit FileChanged(std::string path);
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

/// The name by which a file is known, whatever way leads to it.
std::string canonicalPath(const std::string& path);

/// To see whether a text is the same.
std::uint64_t textHash(std::string_view text);

/// A file of a scene, and what was on the disk when it was read or written last.
struct SceneFile
{
    SceneFile(std::string bytes, const std::string& path);
    /// A text that is being written (XmlDocument).
    SceneFile(std::string text, const std::string& path, std::vector<XmlProblem>& problems);

    /// What is on the disk now is what the document says.
    void stamp();
    /// Whether there is something else on the disk now.
    bool changed() const;

    XmlDocument xml;
    std::string name;  ///< canonical
    std::uint64_t hash;
    std::uintmax_t size = 0;
    std::filesystem::file_time_type time = {};
    bool onDisk = false;
};

}  // namespace sofa::core
