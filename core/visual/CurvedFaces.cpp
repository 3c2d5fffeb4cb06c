// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/CurvedFaces.h"

#include <algorithm>
#include <cmath>

#include "core/mesh/BezierElements.h"

namespace sofa::core {

namespace {

/// Flat triangles of a geometry, so that a close look does not take all memory.
constexpr std::size_t manyTriangles = 4000000;

using Weights = std::array<float, 6>;

/// Of the control values, at the barycentric coordinates (i, j, n − i − j) / n.
Weights weightsAt(int i, int j, int n)
{
    const float a = static_cast<float>(i) / static_cast<float>(n), b = static_cast<float>(j) / static_cast<float>(n),
                c = static_cast<float>(n - i - j) / static_cast<float>(n);
    return {a * a, b * b, c * c, 2.f * a * b, 2.f * b * c, 2.f * a * c};
}

Vec3f valueOf(const DrawArray<Vec3f>& values, const std::array<Index, 6>& patch, const Weights& w)
{
    Vec3f sum;
    for (std::size_t k = 0; k < 6; ++k) sum += values[patch[k]] * w[k];
    return sum;
}

Color valueOf(const DrawArray<Color>& values, const std::array<Index, 6>& patch, const Weights& w)
{
    Color sum(0.f, 0.f, 0.f, 0.f);
    bool opaque = true;
    for (std::size_t k = 0; k < 6; ++k) {
        sum.rgba += values[patch[k]].rgba * w[k];
        opaque = opaque && values[patch[k]][3] >= 1.f;
    }
    if (opaque) sum[3] = 1.f;  // weights sum to one up to rounding
    return sum;
}

bool isSound(const std::array<Index, 6>& patch, std::size_t vertices)
{
    return std::ranges::all_of(patch, [vertices](Index v) { return v < vertices; });
}

}  // namespace

int divisionsOf(const Geometry& curved, FunctionRef<double(const Vec3f&)> pixelSize, double pixels, int largest)
{
    // The distance of a curved triangle from n × n flat ones is a third of its second differences over n², at most
    // (BezierSurfaceTopologicalMapping::deviation).
    double needed = 1.;
    const auto& x = curved.positions;
    for (const auto& p : curved.patches) {
        if (!isSound(p, x.size())) continue;
        double bend = 0., pixel = 0.;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3f d = x[p[bezierTriangleEdges[k][0]]] - x[p[3 + k]] * 2.f + x[p[bezierTriangleEdges[k][1]]];
            bend = std::max(bend, static_cast<double>(norm(d)));
            const double size = pixelSize(x[p[k]]);
            if (size > 0. && (pixel == 0. || size < pixel)) pixel = size;
        }
        if (pixel > 0. && std::isfinite(bend)) needed = std::max(needed, bend / (3. * pixels * pixel));
    }
    int n = static_cast<int>(std::ceil(std::sqrt(std::min(needed, 1e6))));
    const auto most = std::sqrt(static_cast<double>(manyTriangles) /
                                static_cast<double>(std::max<std::size_t>(curved.patches.size(), 1)));
    return std::clamp(n, 1, std::clamp(static_cast<int>(most), 1, largest));
}

void flatten(const Geometry& curved, int n, Geometry& flat)
{
    flat.clear();
    const std::size_t vertices = curved.positions.size();
    const auto perPatch = static_cast<std::size_t>((n + 1) * (n + 2) / 2);
    const bool smooth = curved.normals.size() == vertices, colored = curved.colors.size() == vertices;
    flat.positions.reserve(curved.patches.size() * perPatch);
    flat.triangles.reserve(curved.patches.size() * static_cast<std::size_t>(n * n));
    std::vector<Weights> weights;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j) weights.push_back(weightsAt(i, j, n));
    const auto at = [n](int i, int j) { return static_cast<Index>(i * (n + 1) - i * (i - 1) / 2 + j); };
    constexpr std::array<Index, 6> none{};
    for (const auto& patch : curved.patches) {
        const bool sound = isSound(patch, vertices);
        const auto& p = sound ? patch : none;
        const auto first = static_cast<Index>(flat.positions.size());
        for (const Weights& w : weights) {
            flat.positions.push_back(vertices > 0 ? valueOf(curved.positions, p, w) : Vec3f());
            if (smooth) flat.normals.push_back(normalized(valueOf(curved.normals, p, w), Vec3f{0.f, 0.f, 1.f}));
            if (colored) flat.colors.push_back(valueOf(curved.colors, p, w));
        }
        for (int i = 0; i < n; ++i)
            for (int j = 0; i + j < n; ++j) {
                flat.triangles.push_back({first + at(i + 1, j), first + at(i, j + 1), first + at(i, j)});
                if (i + j + 1 < n)
                    flat.triangles.push_back({first + at(i + 1, j), first + at(i + 1, j + 1), first + at(i, j + 1)});
            }
    }
}

}  // namespace sofa::core
