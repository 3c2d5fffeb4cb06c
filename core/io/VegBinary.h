// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/VegFormat.h"

namespace sofa::core::io {

/// The binary form of .veg meshes (Vega FEM 4.0, .vegb). Integers have 32 bits, numbers are doubles, names are a length
/// and their bytes; everything counts from 0:
///
///   1.0, the version; 1 for tetrahedra or 2 for voxels; n, then n × (x y z)
///   number of elements, vertices of each (4 or 8), then these
///   number of materials, then for each its name, and
///       1  ρ E ν             or
///       2  ρ E₁ E₂ E₃ ν₁₂ ν₂₃ ν₃₁ G₁₂ G₂₃ G₃₁, R row by row        or
///       3  ρ μ₀₁ μ₁₀ v₁
///   number of sets with allElements, then for each other one its name, the number of its elements, and these
///   number of regions, then for each its material and set
///
/// in the byte order of the machine that wrote the file; the version tells which.

/// Whether the bytes begin like a binary mesh.
bool isVegBinary(const SourceText& bytes);

/// \throws MeshError, with the offset, where the bytes are not such a mesh, or go on after it
VegMesh parseVegBinary(const SourceText& bytes);

/// Writes a mesh in the byte order of this machine. \throws MeshError as writeVeg does
void writeVegBinary(const std::filesystem::path& path, const VegMesh& mesh);

}  // namespace sofa::core::io
