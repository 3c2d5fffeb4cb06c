// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sofa::core {

class BaseData;

/// Finds the files that scenes refer to by name: meshes, textures, included scenes, prefabs.
///
/// A name is looked for, in this order:
///   1. as it is, if it is absolute (and then nowhere else);
///   2. in the given folder: that of the scene, or the working folder when none is given;
///   3. in the folders of this repository: added ones, latest first; those of the environment variable SOFA_DATA_PATH
///      (separated by ':'); the share folder of the running program (core/Installation.h) and its scenes/.
/// A name that begins with "./" or "../" is searched the same way. A "file://" or "file:" in front of a name is
/// ignored. Adding folders is not thread safe; finding files is.
class DataRepository
{
public:
    /// That of the session (core/log/Session.h) in which the calling thread works.
    static DataRepository& instance();

    /// Folders of SOFA_DATA_PATH and of the running program.
    DataRepository();

    /// Puts a folder before all others; a path of several, separated by ':', keeps its order. Relative ones are taken
    /// from the working folder.
    void addPath(const std::string& path);
    /// Puts a folder after all others.
    void addLastPath(const std::string& path);
    void removePath(const std::string& path);
    const std::vector<std::string>& paths() const { return m_paths; }

    /// Absolute path of an existing file or folder `name`, seen from the folder `relativeTo`.
    std::optional<std::string> find(const std::string& name, const std::string& relativeTo = {}) const;
    /// The same; throws std::runtime_error, naming the places searched and the nearest file name, if there is none.
    std::string require(const std::string& name, const std::string& relativeTo = {}) const;
    /// Every place where find() looks for `name`, in order.
    std::vector<std::string> candidates(const std::string& name, const std::string& relativeTo = {}) const;

private:
    std::vector<std::string> m_paths;
};

/// The file that a Data of a component names: seen from the folder of the scene file that declares the component, then
/// from that of the file which gives the value (an include may override it), then in the repository. Throws
/// std::runtime_error, naming the places searched, if there is none.
std::string requireFile(const BaseData& fileName);
/// The same for a name that is no Data of its own, such as a file named in another file.
std::optional<std::string> findFile(const std::string& name, const BaseData& relativeTo);

}  // namespace sofa::core
