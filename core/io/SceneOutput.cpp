// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/SceneOutput.h"

#include <stdexcept>
#include <utility>

#include "core/Trust.h"
#include "core/io/OutputFile.h"

namespace fs = std::filesystem;

namespace sofa::core {

namespace {

thread_local int present = -1;  ///< a SceneOutput::Kind; -1: the user writes

void requireTrust(const fs::path& file)
{
    if (const std::string why = Trust::instance().whyNotWrite(file); !why.empty())
        throw std::runtime_error("cannot write '" + file.string() + "': " + why);
}

}  // namespace

SceneOutput::SceneOutput(Kind kind) : m_before(std::exchange(present, kind)) {}
SceneOutput::~SceneOutput() { present = m_before; }

void SceneOutput::require(const fs::path& file)
{
    if (present < 0) return;
    if (present == Nothing)
        throw std::runtime_error("cannot write '" + file.string() +
                                 "': nothing is written while a scene is opened, only from the first step on");
    requireTrust(file);
}

void makeFolders(const fs::path& folder)
{
    std::error_code error;
    if (folder.empty() || fs::is_directory(folder, error)) return;
    SceneOutput::require(folder);
    fs::create_directories(folder, error);
    if (error) throw std::runtime_error("the folder '" + folder.string() + "' cannot be made: " + error.message());
}

void checkOutput(const fs::path& file, bool folderIsMade)
{
    requireTrust(file);
    std::error_code error;
    if (folderIsMade && file.has_parent_path() && !fs::exists(file.parent_path(), error)) return;
    checkWritable(file);
}

}  // namespace sofa::core
