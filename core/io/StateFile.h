// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Vectors of one state at different times, in files that SOFA's programs write and read. All readers take files that
/// are compressed by gzip as well.
namespace sofa::core::io {

/// Numbers of a vector, entry after entry, and the line of the file where they stand; 0: the file does not have it.
struct StateVector
{
    std::size_t line = 0;
    std::vector<double> numbers;

    bool given() const { return line > 0; }
};

/// What a file holds of one time.
struct StateFrame
{
    double time = 0.;      ///< [s]
    std::size_t line = 0;  ///< of the time
    StateVector position, restPosition, velocity, force;
};

/// Reads the frames of a state, whose times increase. By the extension of the name (before .gz):
///   .json  of SOFA's regression program: {"TIME": [[x, y, z], ...], ...};
///   .csv   of the same: comments "# ...", then lines TIME,X0,Y0,Z0,X1,...;
///   else   of the component WriteState: lines "T= TIME", each with "X= ...", "X0= ...", "V= ...", "F= ..." below
///          it, as far as they were written.
/// A file may hold no frame. \throws MeshError with file and line
std::vector<StateFrame> readStateFile(const std::filesystem::path& path);

/// Appends the line that begins a frame, as WriteState does: "T= TIME".
void appendStateTime(std::string& out, double time);
/// Appends a vector of the frame: `key` is X, X0, V or F. Numbers read back to the same bits.
void appendStateVector(std::string& out, std::string_view key, std::span<const double> numbers);

}  // namespace sofa::core::io
