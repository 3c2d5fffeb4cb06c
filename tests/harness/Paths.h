// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sofa::test {

/// Root of the source tree under test.
std::filesystem::path sourceDirectory();

/// Root of the build tree (the one with bin/, lib/ and tests/).
std::filesystem::path buildDirectory();

/// Folder of the reference results, which are no part of this repository: $SOFA_ORACLE if set, or `shared/oracle`
/// in the source tree or beside it. Empty where there is none; a test that needs it then skips itself.
std::optional<std::filesystem::path> oracleDirectory();

/// A new empty folder below the build tree, removed with all that is in it at the end of its scope. Tests run in
/// processes of their own, several at a time: one that writes files has such a folder.
class TemporaryDirectory
{
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path operator/(const std::string& name) const { return m_path / name; }

    /// Writes a file into the folder and returns its path.
    std::filesystem::path write(const std::string& name, std::string_view content) const;

    /// The files in it and below, by name.
    std::vector<std::string> files() const;

private:
    std::filesystem::path m_path;
};

}  // namespace sofa::test
