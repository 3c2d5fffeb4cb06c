// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <string>

#include "core/math/DataTypes.h"

namespace sofa::component {

using namespace sofa::core;

/// A captured motion in Biovision's format: a tree of joints, and the values of their channels at equal times.
///
///     HIERARCHY
///     ROOT name { OFFSET x y z  CHANNELS n Xposition ... Zrotation ...  JOINT name { ... }  End Site { OFFSET x y z }
///     } MOTION Frames: n Frame Time: t values, one line for each frame
struct BvhFile
{
    /// A number of a joint that moves: a way along an axis of the joint, or an angle about it.
    struct Channel
    {
        std::size_t axis = 0;  ///< 0 to 2: x, y, z
        bool rotates = false;
    };
    struct Joint
    {
        std::string name;  ///< of the end of a chain that of its parent, and " end"
        std::size_t parent = none;
        Vec3 offset;  ///< from the parent [units of the file]
        std::vector<Channel> channels;
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    std::vector<Joint> joints;   ///< in the order of the file: parents before their children
    std::size_t channels = 0;    ///< of all joints
    std::size_t frames = 0;      ///< one at least
    double frameTime = 0.;       ///< from frame to frame [s]
    std::vector<double> values;  ///< of each frame those of all channels, in their order; angles in rad

    /// Reads a file. Throws io::MeshError, "file:line: expected ..., found ...".
    static BvhFile read(const std::filesystem::path& path);

    double value(std::size_t frame, std::size_t channel) const { return values[frame * channels + channel]; }
    /// Value of a channel at a time [s], linear between frames; that of the first or last frame beyond them.
    double valueAt(double time, std::size_t channel) const;
};

}  // namespace sofa::component
