// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Times of collision detection's geometry: building and refitting a hierarchy and finding pairs for soups of triangles,
// with the exponents by which times grow from one size to the next, and single calls of the kernels.
//
//     geometry_bench [largest number of triangles = 100000] [threads = 1] [--no-trees] [--no-kernels] [--no-stuffing]
//                    [--json]
//
// And the time to fill a closed surface of as many triangles with tetrahedra.
// The triangles are those of a wavy sheet, folded over itself so that about as many pairs come from contact as from
// neighbours.
#include <cmath>
#include <string>
#include <vector>

#include "core/geometry/BvhPairs.h"
#include "core/geometry/Ccd.h"
#include "core/geometry/IsosurfaceStuffing.h"
#include "core/geometry/Proximity.h"
#include "core/geometry/Solids.h"
#include "core/geometry/SurfaceDistance.h"
#include "core/math/Quat.h"
#include "core/parallel/Parallel.h"
#include "core/topology/ClosedSurface.h"
#include "tests/benchmarks/Report.h"
#include "tests/core/geometry/GeometryRandom.h"

using namespace sofa::core;
using namespace sofa::core::geometry;
using namespace sofa::benchmark;

namespace {

/// Boxes of the triangles of a sheet of n × n cells, rolled up twice; `time` moves it.
std::vector<Aabb> sheet(std::size_t n, double time)
{
    const auto at = [&](std::size_t i, std::size_t j) {
        const double u = static_cast<double>(i) / static_cast<double>(n),
                     v = static_cast<double>(j) / static_cast<double>(n);
        const double angle = 12.566370614359172 * u,
                     radius = 1. + 0.5 / static_cast<double>(n) * std::sin(20. * v + time);
        return Vec3{radius * std::cos(angle), radius * std::sin(angle), 6. * v + 0.1 * std::sin(time + 3. * angle)};
    };
    std::vector<Aabb> boxes;
    boxes.reserve(2 * n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            boxes.push_back(Aabb::of(at(i, j), at(i + 1, j), at(i + 1, j + 1)));
            boxes.push_back(Aabb::of(at(i, j), at(i + 1, j + 1), at(i, j + 1)));
        }
    return boxes;
}

void trees(Report& report, std::size_t largest)
{
    std::vector<double> last;
    double lastCount = 0.;
    for (const std::size_t wanted : {1000u, 3000u, 10000u, 30000u, 100000u, 300000u, 1000000u}) {
        if (wanted > largest) break;
        const auto n = static_cast<std::size_t>(std::sqrt(static_cast<double>(wanted) / 2.));
        const std::vector<Aabb> now = sheet(n, 0.), then = sheet(n, 0.3);
        const auto count = static_cast<double>(now.size());
        Bvh tree, other;
        BvhPairs self, two;
        std::size_t selfCount = 0, twoCount = 0;
        other.build(then);
        const double build = best([&] { tree.build(now); });
        const double refit = best([&] { tree.refit(now); });
        const double within = best([&] { selfCount = self.within(tree).size(); });
        const double between = best([&] { twoCount = two.between(tree, other).size(); });
        const std::vector<double> times{build, refit, within, between};
        const auto exponent = [&](std::size_t k) {
            return last.empty() ? 0. : std::log(times[k] / last[k]) / std::log(count / lastCount);
        };
        report.row({{"kind", "tree"},
                    {"threads", threadCount()},
                    {"triangles", count},
                    {"build [ms]", build * 1e3},
                    {"refit [ms]", refit * 1e3},
                    {"self pairs", selfCount},
                    {"self [ms]", within * 1e3},
                    {"pairs", twoCount},
                    {"between [ms]", between * 1e3},
                    {"exponent of build", exponent(0)},
                    {"of refit", exponent(1)},
                    {"of self", exponent(2)},
                    {"of between", exponent(3)}});
        last = times;
        lastCount = count;
    }
}

/// Mean time of a call over many random arguments, in ns.
template <class Call>
void kernel(Report& report, const char* name, Call&& call)
{
    constexpr std::size_t count = 4096;
    sofa::test::GeometryRandom random(1);
    std::vector<std::array<Vec3, 8>> x(count);
    for (auto& points : x)
        for (Vec3& p : points) p = random.point();
    double sum = 0.;
    const double seconds = best([&] {
        for (const auto& points : x) sum += call(points);
    });
    if (sum != sum) std::abort();  // the sum is used
    report.row({{"kind", "kernel"}, {"name", name}, {"time [ns]", seconds / count * 1e9}});
}

void kernels(Report& report)
{
    using X = std::array<Vec3, 8>;
    kernel(report, "point-segment", [](const X& x) { return pointSegment(x[0], x[1], x[2]).distance2; });
    kernel(report, "point-triangle", [](const X& x) { return pointTriangle(x[0], x[1], x[2], x[3]).distance2; });
    kernel(report, "point-tetrahedron",
           [](const X& x) { return pointTetrahedron(x[0], x[1], x[2], x[3], x[4]).distance2; });
    kernel(report, "segment-segment", [](const X& x) { return segmentSegment(x[0], x[1], x[2], x[3]).distance2; });
    kernel(report, "segment-triangle",
           [](const X& x) { return segmentTriangle(x[0], x[1], x[2], x[3], x[4]).distance2; });
    kernel(report, "triangle-triangle", [](const X& x) {
        return triangleTriangle({x[0], x[1], x[2]}, {x[3], x[4], x[5]}).distance2;
    });
    kernel(report, "ray-triangle", [](const X& x) {
        const auto hit = rayTriangle(x[0], x[1], x[2], x[3], x[4]);
        return hit ? hit->t : 0.5;
    });
    kernel(report, "capsule-capsule", [](const X& x) {
        return capsuleCapsule({x[0], x[1], 0.1}, {x[2], x[3], 0.1}).distance;
    });
    kernel(report, "capsule-triangle", [](const X& x) {
        return capsuleTriangle({x[0], x[1], 0.1}, x[2], x[3], x[4]).distance;
    });
    const auto box = [](const Vec3& center, const Vec3& axis) {
        return Obb{center, Quat::fromRotationVector(axis).toMatrix(), {0.3, 0.4, 0.5}};
    };
    kernel(report, "box-box", [&](const X& x) { return obbObb(box(x[0], x[1]), box(x[2], x[3])).distance; });
    kernel(report, "box-triangle", [&](const X& x) { return obbTriangle(box(x[0], x[1]), x[2], x[3], x[4]).distance; });
    kernel(report, "continuous point-triangle", [](const X& x) {
        return pointTriangleCcd({x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7]}).time;
    });
    kernel(report, "continuous edge-edge", [](const X& x) {
        return edgeEdgeCcd({x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7]}).time;
    });
}

/// Fills a bumpy ball, whose meridians have n points, by isosurface stuffing.
void stuffing(Report& report, std::size_t triangles)
{
    const auto n = static_cast<Index>(std::sqrt(static_cast<double>(triangles) / 4.)), around = 2 * n;
    Vector<Vec3> x;
    const auto at = [&](double i, double j) {
        const double theta = 3.141592653589793 * i / (n + 1.), phi = 3.141592653589793 * j / n;
        const double r = 1. + 0.1 * std::sin(5. * theta) * std::cos(7. * phi);
        return Vec3{r * std::sin(theta) * std::cos(phi), r * std::sin(theta) * std::sin(phi), r * std::cos(theta)};
    };
    for (Index i = 1; i <= n; ++i)
        for (Index j = 0; j < around; ++j) x.push_back(at(i, j));
    const Index north = n * around, south = north + 1;
    x.push_back(at(0., 0.));
    x.push_back(at(n + 1., 0.));
    Vector<Triangle> faces;
    for (Index j = 0; j < around; ++j) {
        const Index k = (j + 1) % around;
        faces.push_back({north, j, k});
        for (Index row = 0; row < north - around; row += around) {
            faces.push_back({row + j, row + around + j, row + around + k});
            faces.push_back({row + j, row + around + k, row + k});
        }
        faces.push_back({south, north - around + k, north - around + j});
    }
    for (const double cells : {16., 32., 64.}) {
        std::size_t filled = 0;
        const double seconds = best(
            [&] {
                requireTwoSides(faces);
                const SurfaceDistance distance(x, faces);
                StuffingOptions options;
                const Vec3 margin = distance.bounds().extent() * 0.01;
                options.box = {distance.bounds().lower - margin, distance.bounds().upper + margin};
                options.cell = options.box.extent()[0] / cells;
                options.snap = options.split = true;
                filled = stuffIsosurface([&](const Vec3& p) { return -distance(p); }, options).tetrahedra.size();
            },
            0.);
        report.row({{"kind", "stuffing"},
                    {"triangles", faces.size()},
                    {"cells along x", cells},
                    {"tetrahedra", filled},
                    {"time [s]", seconds}});
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    setThreadCount(static_cast<unsigned>(arguments.number(1, 1)));
    Report report(arguments);
    if (!arguments.has("--no-trees")) trees(report, arguments.number(0, 100000));
    if (!arguments.has("--no-kernels")) kernels(report);
    if (!arguments.has("--no-stuffing")) stuffing(report, arguments.number(0, 100000));
    return 0;
}
