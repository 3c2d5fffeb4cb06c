// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sofa::fuzz {

/// What reads bytes that may be anything. It must neither crash nor hang, throw only what it documents, and say where
/// the fault is. `run` returns what is wrong with the program; empty if nothing is.
struct FuzzTarget
{
    std::string name;
    std::function<std::string(const std::string& bytes)> run;
};

/// A scene, each format of meshes, the other files, values with units, and changes of meshes. Files that are written
/// on the way land in the working folder.
const std::vector<FuzzTarget>& fuzzTargets();

/// What is wrong with how a mesh is read from these bytes; the extension of the name tells the format. `print` has
/// messages written to standard output.
std::string meshFinding(const std::string& name, const std::string& bytes, bool print = false);

/// The same of a scene, which is loaded and if that went well makes a step; `stepped` counts those that did.
std::string sceneFinding(const std::string& path, const std::string& text, bool print = false,
                         std::size_t* stepped = nullptr);

/// Whether a message has the standard library's own words: the reader of a scene cannot act on it.
bool isRaw(const std::string& message);

/// Writes inputs from which a fuzzer can begin to a folder for each target below `folder`; those of targets whose
/// files stand in the repository are left to the caller.
void writeSeeds(const std::string& folder);

/// The inputs of a file of tests/fuzz/corpus: each is its number of bytes as four bytes, the lowest first, and these.
std::vector<std::string> readCorpus(const std::string& file);

}  // namespace sofa::fuzz
