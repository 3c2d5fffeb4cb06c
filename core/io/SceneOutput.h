// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

namespace sofa::core {

/// While one lives, what this thread writes is written for a scene, not for the user: everything that opens a file for
/// writing (OutputFile, LineFile, ScratchFile, makeFolders) asks here. Loading and initialising a scene write nothing
/// at all; steps, and the end, write where the user lets scenes write (Trust).
class SceneOutput
{
public:
    enum Kind
    {
        Nothing,
        InFolders
    };

    explicit SceneOutput(Kind kind);
    ~SceneOutput();
    SceneOutput(const SceneOutput&) = delete;
    SceneOutput& operator=(const SceneOutput&) = delete;

    /// Throws std::runtime_error if this thread must not write the file now.
    static void require(const std::filesystem::path& file);

private:
    const int m_before;
};

/// Makes a folder and those above it, where they do not exist. Throws std::runtime_error.
void makeFolders(const std::filesystem::path& folder);

/// For init(): throws std::runtime_error if the file, which a Data of a component names, could not be written at the
/// first step, because the system or the user (Trust) does not allow it. Nothing is touched. Where the folder does not
/// exist, `folderIsMade` says whether that is an error.
void checkOutput(const std::filesystem::path& file, bool folderIsMade = false);

}  // namespace sofa::core
