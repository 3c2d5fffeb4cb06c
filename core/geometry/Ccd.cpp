// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Ccd.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/geometry/Proximity.h"

namespace sofa::core::geometry {

namespace {

using Points = std::array<Vec3, 4>;
/// F at the eight corners of a box of arguments: bit 2 of the index says the end of t, bit 1 of u, bit 0 of v.
using Corners = std::array<Vec3, 8>;

/// Arguments [lower, upper] of t, u, v.
struct Box
{
    std::array<double, 3> lower, upper;
    unsigned level;
};

/// Heap order: the earliest time at the top, the smallest box among equal times.
bool later(const Box& a, const Box& b)
{
    return a.lower[0] != b.lower[0] ? a.lower[0] > b.lower[0] : a.level < b.level;
}

Points at(const Points& start, const Points& end, double t)
{
    Points x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = start[i] * (1. - t) + end[i] * t;
    return x;
}

struct PointTriangle
{
    static constexpr bool isTriangle = true;
    static Vec3 difference(const Points& x, double u, double v)
    {
        return x[0] - (x[1] * (1. - u - v) + x[2] * u + x[3] * v);
    }
    static double distance(const Points& x) { return pointTriangle(x[0], x[1], x[2], x[3]).distance(); }
};

struct EdgeEdge
{
    static constexpr bool isTriangle = false;
    static Vec3 difference(const Points& x, double u, double v)
    {
        return (x[0] * (1. - u) + x[1] * u) - (x[2] * (1. - v) + x[3] * v);
    }
    static double distance(const Points& x) { return segmentSegment(x[0], x[1], x[2], x[3]).distance(); }
};

template <class Kind>
Corners cornersOf(const Points& start, const Points& end, const Box& b)
{
    Corners f;
    for (std::size_t i = 0; i < 2; ++i) {
        const Points x = at(start, end, i == 0 ? b.lower[0] : b.upper[0]);
        for (std::size_t k = 0; k < 4; ++k)
            f[4 * i + k] =
                Kind::difference(x, (k & 2) == 0 ? b.lower[1] : b.upper[1], (k & 1) == 0 ? b.lower[2] : b.upper[2]);
    }
    return f;
}

/// Bound, for each axis, of the rounding of F as it is computed above, with γ the largest coordinate and u = 2⁻⁵³. A
/// moving point: 3 u γ (1 − t, a product, the sum). A point of the triangle: the weights sum to at most 3 in magnitude
/// at corners outside u + v ≤ 1, so 9 u γ from its corners, 2 u γ from the weight 1 − u − v, 3 u γ from products, 6 u γ
/// from two sums; the difference of numbers up to 4 γ, 4 u γ, and the moving point, 3 u γ: 27 u γ in all. Two segments:
/// 14 u γ. Terms of second order are far below the remaining 13 u γ.
Vec3 roundingOf(const Points& start, const Points& end)
{
    Vec3 largest;
    for (const Points* points : {&start, &end})
        for (const Vec3& x : *points)
            for (std::size_t k = 0; k < 3; ++k) largest[k] = std::max(largest[k], std::abs(x[k]));
    return largest * (40. * 0x1p-53);
}

template <class Kind>
CcdResult firstContact(const Points& start, const Points& end, const CcdParameters& parameters)
{
    CcdResult result;
    bool valid = parameters.minimumSeparation >= 0. && parameters.tolerance > 0. && parameters.maxTime > 0. &&
                 parameters.maxTime <= 1.;
    for (std::size_t i = 0; i < 4; ++i) valid = valid && isFinite(start[i]) && isFinite(end[i]);
    if (!valid) {
        result.status = CcdStatus::invalid;
        return result;
    }
    const Vec3 rounding = roundingOf(start, end);
    const Vec3 reach = Vec3::filled(parameters.minimumSeparation) + rounding;
    double tolerance = parameters.tolerance;
    if (parameters.positiveTime) {
        // Where a component of F is at least gap at time 0, a box of variation below gap that begins there stays clear.
        const double gap = Kind::distance(start) / std::sqrt(3.) - *std::max_element(reach.begin(), reach.end());
        if (gap > 0.) tolerance = std::min(tolerance, 0.5 * gap);
    }
    thread_local std::vector<Box> boxes;  // keeps its memory from call to call
    boxes.clear();
    boxes.push_back({{0., 0., 0.}, {parameters.maxTime, 1., 1.}, 0});
    while (!boxes.empty()) {
        std::pop_heap(boxes.begin(), boxes.end(), later);
        const Box box = boxes.back();
        boxes.pop_back();
        const Corners f = cornersOf<Kind>(start, end, box);
        ++result.iterations;
        // Components that are within the separation all over the box are settled: the others decide.
        bool meets = true, within = true;
        double variation = 0.;
        std::array<bool, 3> open{};
        for (std::size_t k = 0; k < 3; ++k) {
            double low = f[0][k], high = f[0][k];
            for (std::size_t i = 1; i < 8; ++i) {
                low = std::min(low, f[i][k]);
                high = std::max(high, f[i][k]);
            }
            meets = meets && low <= reach[k] && high >= -reach[k];
            open[k] = low < -parameters.minimumSeparation || high > parameters.minimumSeparation;
            if (!open[k]) continue;
            within = false;
            variation = std::max(variation, high - low);
        }
        if (!meets) continue;

        // How far F goes along each argument.
        std::array<double, 3> along{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t bit = std::size_t{4} >> axis;
            for (std::size_t i = 0; i < 8; ++i)
                if ((i & bit) == 0)
                    for (std::size_t k = 0; k < 3; ++k)
                        if (open[k]) along[axis] = std::max(along[axis], std::abs(f[i | bit][k] - f[i][k]));
        }
        std::size_t split = 3;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double middle = 0.5 * (box.lower[axis] + box.upper[axis]);
            if (!(box.lower[axis] < middle && middle < box.upper[axis])) continue;
            if (split == 3 || along[axis] > along[split]) split = axis;
        }
        if (within || variation <= tolerance || split == 3 || result.iterations >= parameters.maxIterations) {
            // No box that is left begins earlier.
            result.status = CcdStatus::collision;
            result.time = box.lower[0];
            result.tolerance = variation;
            result.parameters = {box.lower[1], box.lower[2]};
            return result;
        }
        Box first = box, second = box;
        first.upper[split] = second.lower[split] = 0.5 * (box.lower[split] + box.upper[split]);
        first.level = second.level = box.level + 1;
        for (const Box& half : {first, second}) {
            if (Kind::isTriangle && half.lower[1] + half.lower[2] > 1.) continue;
            boxes.push_back(half);
            std::push_heap(boxes.begin(), boxes.end(), later);
        }
    }
    result.time = parameters.maxTime;
    return result;
}

}  // namespace

CcdResult pointTriangleCcd(const std::array<Vec3, 4>& start, const std::array<Vec3, 4>& end,
                           const CcdParameters& parameters)
{
    return firstContact<PointTriangle>(start, end, parameters);
}

CcdResult edgeEdgeCcd(const std::array<Vec3, 4>& start, const std::array<Vec3, 4>& end, const CcdParameters& parameters)
{
    return firstContact<EdgeEdge>(start, end, parameters);
}

}  // namespace sofa::core::geometry
