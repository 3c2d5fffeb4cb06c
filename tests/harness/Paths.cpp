// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/Paths.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace fs = std::filesystem;

namespace sofa::test {

fs::path sourceDirectory() { return SOFA_SOURCE_DIR; }

fs::path buildDirectory() { return SOFA_BUILD_DIR; }

std::optional<fs::path> oracleDirectory()
{
    if (const char* given = std::getenv("SOFA_ORACLE")) {
        if (!fs::is_directory(given)) throw std::runtime_error(std::string("SOFA_ORACLE is no folder: ") + given);
        return given;
    }
    for (const fs::path& place : {sourceDirectory() / "shared", sourceDirectory().parent_path() / "shared"})
        if (fs::is_directory(place / "oracle")) return fs::canonical(place / "oracle");
    return std::nullopt;
}

TemporaryDirectory::TemporaryDirectory()
{
    const fs::path parent = buildDirectory() / "tmp";
    fs::create_directories(parent);
    std::string name = (parent / "testXXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create a folder in " + parent.string());
    m_path = name;
}

TemporaryDirectory::~TemporaryDirectory()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

fs::path TemporaryDirectory::write(const std::string& name, std::string_view content) const
{
    const fs::path file = m_path / name;
    std::ofstream(file, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    return file;
}

std::vector<std::string> TemporaryDirectory::files() const
{
    std::vector<std::string> names;
    for (const auto& e : fs::recursive_directory_iterator(m_path))
        if (e.is_regular_file()) names.push_back(fs::relative(e.path(), m_path).generic_string());
    std::ranges::sort(names);
    return names;
}

}  // namespace sofa::test
