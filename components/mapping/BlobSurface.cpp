// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BlobSurface.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace sofa::component {

namespace {

/// Corners of a cube are numbered by bits, x y z; an edge is its lower corner and an axis: 3 corner + axis.
constexpr std::size_t edgeNumbers = 3 * 8;

std::size_t edgeBetween(std::size_t a, std::size_t b)
{
    const std::size_t bit = a ^ b;
    return 3 * std::min(a, b) + (bit == 1 ? 0u : bit == 2 ? 1u : 2u);
}

using CubeTriangles = std::vector<std::array<std::size_t, 3>>;

/// The triangles of a cube, by edges, where bit i of `inside` says whether corner i is inside.
///
/// Seen from outside, the corners of a side go round to the left. A run of them that is inside is cut off by a segment
/// from the edge where the run begins to that where it ends. Both cubes at a side see the same segments, and those of
/// the six sides of a cube join to closed loops, which fans of triangles fill.
CubeTriangles trianglesOf(unsigned inside)
{
    std::array<std::size_t, edgeNumbers> next;
    next.fill(edgeNumbers);
    const auto isInside = [inside](std::size_t corner) { return (inside >> corner & 1u) != 0; };
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const bool upper : {false, true}) {
            const std::size_t base = upper ? std::size_t{1} << axis : 0, b = std::size_t{1} << (axis + 1) % 3,
                              c = std::size_t{1} << (axis + 2) % 3;
            std::array<std::size_t, 4> side{base, base + b, base + b + c, base + c};
            if (!upper) std::swap(side[1], side[3]);
            for (std::size_t k = 0; k < 4; ++k) {
                if (!isInside(side[k]) || isInside(side[(k + 1) % 4])) continue;
                std::size_t first = k;
                while (isInside(side[(first + 3) % 4])) first = (first + 3) % 4;
                next[edgeBetween(side[(first + 3) % 4], side[first])] = edgeBetween(side[k], side[(k + 1) % 4]);
            }
        }
    CubeTriangles triangles;
    for (std::size_t e = 0; e < edgeNumbers; ++e) {
        std::vector<std::size_t> loop;
        for (std::size_t at = e; next[at] != edgeNumbers;) {
            loop.push_back(at);
            at = std::exchange(next[at], edgeNumbers);
        }
        for (std::size_t i = 1; i + 1 < loop.size(); ++i) triangles.push_back({loop[0], loop[i], loop[i + 1]});
    }
    return triangles;
}

const std::array<CubeTriangles, 256>& cubeTable()
{
    static const std::array<CubeTriangles, 256> table = [] {
        std::array<CubeTriangles, 256> all;
        for (unsigned i = 0; i < 256; ++i) all[i] = trianglesOf(i);
        return all;
    }();
    return table;
}

constexpr double farthest = 1 << 20;  ///< in steps

std::array<int, 3> rounded(const Vec3& x, double step, bool up)
{
    std::array<int, 3> c{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double at = up ? std::ceil(x[k] / step) : std::floor(x[k] / step);
        c[k] = static_cast<int>(std::clamp(at, -farthest, farthest));
    }
    return c;
}

}  // namespace

std::uint64_t BlobSurface::keyOf(const Corner& c)
{
    std::uint64_t key = 0;
    for (const int i : c) key = key << 21 | static_cast<std::uint64_t>((i >> 3) + (1 << 20));
    return key;
}

std::size_t BlobSurface::placeOf(const Corner& c)
{
    return static_cast<std::size_t>((c[2] & 7) * 64 + (c[1] & 7) * 8 + (c[0] & 7));
}

BlobSurface::Brick& BlobSurface::brickOf(const Corner& c)
{
    const auto [at, isNew] = m_numbers.try_emplace(keyOf(c), m_bricks.size());
    if (isNew) m_bricks.emplace_back(Corner{c[0] & ~7, c[1] & ~7, c[2] & ~7});
    return m_bricks[at->second];
}

double BlobSurface::value(const Corner& c) const
{
    const auto at = m_numbers.find(keyOf(c));
    return at == m_numbers.end() ? 0. : m_bricks[at->second].values[placeOf(c)];
}

void BlobSurface::add(const Vec3& center, const Corner& low, const Corner& high)
{
    const double r2 = m_parameters.radius * m_parameters.radius;
    Corner c{};
    for (c[2] = low[2]; c[2] <= high[2]; ++c[2])
        for (c[1] = low[1]; c[1] <= high[1]; ++c[1])
            for (int x = low[0]; x <= high[0];) {
                c[0] = x;
                Brick& brick = brickOf(c);
                const std::size_t row = placeOf(c) - static_cast<std::size_t>(x & 7);
                for (const int end = std::min(high[0], x | 7); x <= end; ++x) {
                    const double s = norm2(Vec3(x, c[1], c[2]) * m_parameters.step - center) / r2;
                    if (s < 1.)
                        brick.values[row + static_cast<std::size_t>(x & 7)] +=
                            1. + s * (-22. + s * (17. - 4. * s)) / 9.;
                }
            }
}

Index BlobSurface::vertexOn(const Corner& from, std::size_t axis)
{
    Brick& brick = brickOf(from);
    Index& vertex = brick.vertices[placeOf(from)][axis];
    if (vertex != InvalidIndex) return vertex;
    Corner to = from;
    ++to[axis];
    const double a = brick.values[placeOf(from)], b = value(to);
    Vec3 x(from[0], from[1], from[2]);
    x[axis] += (m_parameters.level - a) / (b - a);
    vertex = static_cast<Index>(m_points.size());
    m_points.push_back(x * m_parameters.step);
    return vertex;
}

void BlobSurface::addCell(const Corner& c)
{
    const auto corner = [&c](std::size_t i) {
        return Corner{c[0] + static_cast<int>(i & 1), c[1] + static_cast<int>(i >> 1 & 1),
                      c[2] + static_cast<int>(i >> 2)};
    };
    unsigned inside = 0;
    for (std::size_t i = 0; i < 8; ++i)
        if (value(corner(i)) > m_parameters.level) inside |= 1u << i;
    for (const auto& edges : cubeTable()[inside]) {
        Triangle t{};
        for (std::size_t k = 0; k < 3; ++k) t[k] = vertexOn(corner(edges[k] / 3), edges[k] % 3);
        m_triangles.push_back(t);
    }
}

void BlobSurface::make(std::span<const Vec3> around, const Parameters& p)
{
    m_parameters = p;
    m_numbers.clear();
    m_bricks.clear();
    m_points.clear();
    m_triangles.clear();
    const Corner first = rounded(p.low, p.step, true), last = rounded(p.high, p.step, false);
    double work = 0.;
    for (const Vec3& x : around) {
        bool counts = true;
        for (std::size_t k = 0; k < 3; ++k) counts = counts && x[k] >= p.low[k] && x[k] <= p.high[k];
        if (!counts) continue;
        Corner low = rounded(x - Vec3::filled(p.radius), p.step, false),
               high = rounded(x + Vec3::filled(p.radius), p.step, true);
        double corners = 1.;
        for (std::size_t k = 0; k < 3; ++k) {
            if (std::max(std::abs(low[k]), std::abs(high[k])) >= static_cast<int>(farthest))
                throw std::runtime_error("the surface reaches beyond 2^20 steps of " + std::to_string(p.step) +
                                         " m; make the step larger or the box smaller");
            low[k] = std::max(low[k], first[k]);
            high[k] = std::min(high[k], last[k]);
            corners *= std::max(0, high[k] - low[k] + 1);
        }
        work += corners;
        if (work > 1e9)
            throw std::runtime_error(
                "the surface needs more than 10^9 values; make the step larger, or the radius or the box smaller");
        if (corners > 0.) add(x, low, high);
    }
    for (std::size_t b = 0; b < m_bricks.size(); ++b) {
        const Corner o = m_bricks[b].origin;
        Corner c{};
        const auto begin = [&](std::size_t k) { return std::max(o[k], first[k]); };
        const auto end = [&](std::size_t k) { return std::min(o[k] + Brick::size, last[k]); };
        for (c[2] = begin(2); c[2] < end(2); ++c[2])
            for (c[1] = begin(1); c[1] < end(1); ++c[1])
                for (c[0] = begin(0); c[0] < end(0); ++c[0]) addCell(c);
    }
}

}  // namespace sofa::component
