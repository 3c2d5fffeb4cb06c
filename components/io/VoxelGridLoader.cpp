// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/VoxelGridLoader.h"

#include <algorithm>
#include <bitset>

#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/VoxelFile.h"
#include "core/log/Reason.h"

namespace sofa::component {

namespace {

/// More voxels than this are taken for a slip of the pen.
constexpr double largestGrid = 1 << 28;

/// Which values are taken.
std::bitset<256> takenValues(const Vector<int>& data, const Vector<int>& background)
{
    const bool only = !data.empty();
    std::bitset<256> taken;
    if (!only) taken.set();
    for (const int v : only ? data : background)
        if (v >= 0 && v < 256) taken.set(static_cast<std::size_t>(v), only);
    return taken;
}

}  // namespace

VoxelGridLoader::VoxelGridLoader()
{
    addAlias(d_filename, "segmentationFile");
    ignoreAttribute("segmentationHeader", "it has none in SOFA either");
}

void VoxelGridLoader::doUpdate()
{
    setValid(true);
    d_position.setValue({});
    d_hexahedra.setValue({});
    d_idxInRegularGrid.setValue({});
    try {
        load();
    } catch (const std::exception& e) {
        fail(reasonOf(e));
    }
}

void VoxelGridLoader::load()
{
    using Vec3i = Vec<3, int>;
    const Vec3i& n = d_resolution.value();
    double total = 1.;
    for (const int c : n) total *= c;
    if (!(total > 0.)) throw std::runtime_error("resolution: expected at least 1 1 1, found " + toText(n));
    if (total > largestGrid) throw std::runtime_error("resolution: " + toText(n) + " voxels are too many");
    const Vector<std::uint8_t> values =
        io::readRawVoxels(requireFile(d_filename), n, static_cast<std::size_t>(d_header.value()));
    const std::bitset<256> taken = takenValues(d_dataValue.value(), d_bgValue.value());

    Vec3i low, high;
    for (std::size_t a = 0; a < 3; ++a) {
        low[a] = std::max(0, d_roi.value()[a]);
        high[a] = std::min(n[a] - 1, d_roi.value()[a + 3]);
        if (low[a] > high[a])
            throw std::runtime_error("ROI: no voxel of " + toText(n) + " lies in " + toText(d_roi.value()));
    }
    const Vec3& size = d_voxelSize.value();
    const auto corner = [&](int i, int j, int k) { return Vec3{i * size[0], j * size[1], k * size[2]}; };
    const auto forEach = [&](const Vec3i& end, auto f) {
        for (int k = low[2]; k <= end[2]; ++k)
            for (int j = low[1]; j <= end[1]; ++j)
                for (int i = low[0]; i <= end[0]; ++i) f(i, j, k);
    };
    const auto voxel = [&](int i, int j, int k) { return static_cast<Index>(i + n[0] * (j + n[1] * k)); };

    Vector<Vec3> positions;
    Vector<Index> inGrid;
    forEach(high, [&](int i, int j, int k) {
        const Index v = voxel(i, j, k);
        if (!taken[values[v]]) return;
        inGrid.push_back(v);
        if (!d_generateHexa.value()) positions.push_back(corner(i, j, k));
    });
    if (d_generateHexa.value()) {
        // Corners of the part of the grid that is looked at, numbered as they are used.
        const Vec3i points{high[0] - low[0] + 2, high[1] - low[1] + 2, high[2] - low[2] + 2};
        const auto point = [&](int i, int j, int k) {
            return static_cast<std::size_t>(i - low[0]) +
                   static_cast<std::size_t>(points[0]) *
                       (static_cast<std::size_t>(j - low[1]) +
                        static_cast<std::size_t>(points[1]) * static_cast<std::size_t>(k - low[2]));
        };
        constexpr int corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
        Vector<Index> number(point(high[0] + 1, high[1] + 1, high[2] + 1) + 1, InvalidIndex);
        const auto ofVoxel = [&](Index v, int c) {
            const int i = static_cast<int>(v) % n[0], jk = static_cast<int>(v) / n[0];
            return point(i + corners[c][0], jk % n[1] + corners[c][1], jk / n[1] + corners[c][2]);
        };
        for (const Index v : inGrid)
            for (int c = 0; c < 8; ++c) number[ofVoxel(v, c)] = 0;
        forEach(high + Vec3i{1, 1, 1}, [&](int i, int j, int k) {
            Index& p = number[point(i, j, k)];
            if (p == InvalidIndex) return;
            p = static_cast<Index>(positions.size());
            positions.push_back(corner(i, j, k));
        });
        Vector<Hexahedron> hexahedra(inGrid.size());
        for (std::size_t h = 0; h < inGrid.size(); ++h)
            for (int c = 0; c < 8; ++c) hexahedra[h][static_cast<std::size_t>(c)] = number[ofVoxel(inGrid[h], c)];
        d_hexahedra.setValue(std::move(hexahedra));
    }
    d_position.setValue(std::move(positions));
    d_idxInRegularGrid.setValue(std::move(inGrid));
}

BoundingBox VoxelGridLoader::boundingBox() const
{
    BoundingBox b;
    if (!isValid()) return b;
    for (const Vec3& p : d_position.value()) b.include(p);
    return b;
}

namespace {

const RegisterComponent registeredVoxelGridLoader =
    RegisterComponent("VoxelGridLoader", "Loader", "Sofa.Component.IO.Mesh")
        .help("Reads voxels of one byte each from a file (.raw)")
        .example("component/io/VoxelGridLoader.scn")
        .add<VoxelGridLoader>();

}  // namespace

}  // namespace sofa::component
