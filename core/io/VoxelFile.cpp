// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VoxelFile.h"

#include "core/io/MeshError.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

namespace {

std::size_t product(const Vec<3, int>& n)
{
    return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
}

}  // namespace

Voxels readVoxelText(const std::filesystem::path& path)
{
    const SourceText source = loadSource(path);
    TextScanner in(source);
    Voxels out;
    double total = 1.;
    for (int& n : out.count) {
        // Every voxel takes a digit and a blank, so a file of this size cannot have more of them.
        const std::size_t value = in.count("a number of voxels", 2);
        total *= static_cast<double>(value);
        if (value == 0 || total * 2. > static_cast<double>(source.text.size()) + 1.)
            in.fail("a number of voxels (at least 1, and a value for each of them)", in.found());
        n = static_cast<int>(value);
    }
    for (double& s : out.size) {
        s = in.finite("the size of a voxel");
        if (!(s > 0.)) in.fail("the size of a voxel (greater than 0)", in.found());
    }
    out.filled.resize(product(out.count));
    for (std::uint8_t& v : out.filled) v = in.integer("the value of a voxel") != 0;
    return out;
}

Vector<std::uint8_t> readRawVoxels(const std::filesystem::path& path, const Vec<3, int>& count, std::size_t header)
{
    const SourceText source = loadBytes(path);
    const std::size_t n = product(count);
    const std::size_t size = source.text.size();
    if (size < header || size - header < n)
        throw MeshError(source.path, "expected " + std::to_string(n) + " bytes, one for each voxel" +
                                         (header ? ", behind a header of " + std::to_string(header) : "") + ", found " +
                                         std::to_string(size));
    const auto first = source.text.begin() + static_cast<std::ptrdiff_t>(header);
    return Vector<std::uint8_t>(first, first + static_cast<std::ptrdiff_t>(n));
}

}  // namespace sofa::core::io
