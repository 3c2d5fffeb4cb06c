// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>
#include <optional>

#include "core/math/Mat.h"

namespace sofa::component {

/// What a file of a rigid body's mass (extensions .rigid, .xs3) says.
///
/// The first line is a header. Then keywords with numbers, separated by white space:
///     vertexMass m  or  mass m       mass [kg]; older files write "mass"
///     volm v                         volume [m³]
///     inrt Ixx Ixy ... Izz           inertia matrix per unit of mass [m²], nine numbers
///     cntr x y z, center x y z, frme qx qy qz qw, grav x y z, visc c, stck s, step dt, prec p    read and ignored
///     # ...                          comment up to the end of the line
/// An unknown word, with the numbers behind it, is left out and noted in `unknown`.
struct RigidMassFile
{
    std::optional<double> vertexMass;  ///< of the keyword vertexMass
    std::optional<double> mass;        ///< of the keyword mass
    std::optional<double> volume;
    std::optional<core::Mat3> inertia;
    std::string unknown;  ///< place and text of the first unknown word; empty: none
};

/// Throws core::io::MeshError with the line and what was expected.
RigidMassFile readRigidMassFile(const std::filesystem::path& path);

}  // namespace sofa::component
