// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <filesystem>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"
#include "core/math/Vector.h"

namespace sofa::core::io {

/// A mass-spring network as "Xsp" files (extensions .xs3, .xsp) hold it.
///
/// The first line is "Xsp 3.0" (or "Xsp 4.0", whose springs have three more numbers, the rest vector). Then, one
/// statement a line:
///     numm N, nums N            numbers of masses and springs (informative)
///     mass i s|i x y z vx vy vz m elasticity     point i; a negative mass marks a fixed point; 's' a surface point
///     lspg i a b k d L [x y z]  spring i between the points a and b (from 1), stiffness, damping, rest length; with
///                               L = −1 the length is the distance of the points, and k and d are divided by it
///     grav x y z, visc v        gravity and viscosity
///     step, frce, #             ignored
struct XspData
{
    struct Mass
    {
        Vec3 position;     ///< [m]
        Vec3 velocity;     ///< [m/s]
        double mass = 0.;  ///< [kg], not negative
        double elasticity = 0.;
        bool fixed = false;
        bool surface = false;
    };
    struct Spring
    {
        Index a = 0, b = 0;
        double stiffness = 0.;   ///< [N/m]
        double damping = 0.;     ///< [N s/m]
        double restLength = 0.;  ///< [m]
        Vec3 restVector;         ///< [m]; zero in version 3
    };
    Vector<Mass> masses;
    Vector<Spring> springs;
    std::vector<std::string> notes;  ///< what is odd about the file
};

/// Reads a file; throws MeshError with the line and what was expected.
XspData readXsp(const std::filesystem::path& path);
XspData parseXsp(const SourceText& source);

/// The masses as points, with the point data "mass" and "velocity", and the springs as edges, with the cell data
/// "stiffness", "damping" and "restLength".
MeshData toMeshData(const XspData& data);

}  // namespace sofa::core::io
