// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <random>

#include "components/engine/GeneratedMesh.h"
#include "components/engine/ListTypes.h"
#include "core/geometry/Bvh.h"
#include "core/geometry/PointGrid.h"
#include "core/geometry/Proximity.h"
#include "core/topology/Geometry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Points at random within a closed surface of triangles that are seen from outside.
///
/// Points are drawn from the box around the surface until there are enough. One is inside if the first face in each of
/// some random directions shows it its inner side; it counts if no other one is nearer than a distance. The same seed
/// gives the same points, on every machine; in SOFA the seed 0 stands for another one each time. If 10000 points, or
/// 1000 for each that is asked for, are not enough, that is an error.
class RandomPointDistributionInSurface final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Index> d_randomSeed{this, input("randomSeed", "Start of the random numbers"), 0};
    Data<bool> d_isVisible{this, display("isVisible", "Show the points inside with the behaviour models"), true};
    Data<bool> d_drawOutputPoints{this, display("drawOutputPoints", "Show the other points too"), false};
    Input<double> d_minDistanceBetweenPoints{
        this, input("minDistanceBetweenPoints", "Least distance of two points; not positive: none", "m"), 0.1};
    Input<Index> d_numberOfInPoints{this, input("numberOfInPoints", "Number of points inside"), 10};
    Input<Index> d_numberOfTests{
        this, input("numberOfTests", "Number of directions; an even one is raised by 1", {}, Range::closed(1., 1000.)),
        5};
    Input<Vector<Vec3>> d_vertices{this, input("vertices", "Vertices of the surface", "m")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Triangles of the surface")};
    Output<Vector<Vec3>> d_inPoints{this, output("inPoints", "Points inside", "m")};
    Output<Vector<Vec3>> d_outPoints{this, output("outPoints", "Points outside, or too near to another one", "m")};

    BoundingBox boundingBox() const override
    {
        return d_isVisible.value() ? geometry::boundingBox(d_vertices.value()) : BoundingBox();
    }
    void draw(DrawTool& tool) override
    {
        if (!tool.shows(DisplayFlags::BehaviorModels) || !d_isVisible.value()) return;
        drawPoints(tool, d_inPoints.value(), Color(1.f, 0.f, 0.f), 5.f);
        if (d_drawOutputPoints.value()) drawPoints(tool, d_outPoints.value(), Color(0.f, 0.f, 1.f), 5.f);
    }

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_vertices.value();
        const Vector<Triangle>& triangles = d_triangles.value();
        requireVertices(d_triangles, x.size());
        if (triangles.empty()) throw std::runtime_error("triangles: there is no surface");
        const std::size_t wanted = d_numberOfInPoints.value();
        requireMeshSize("numberOfInPoints", 10. * static_cast<double>(wanted));

        std::mt19937 generator(d_randomSeed.value());
        // Not std::uniform_real_distribution, whose numbers differ between libraries.
        const auto number = [&] { return static_cast<double>(generator()) / 4294967295.; };
        const auto vector = [&] {
            const double a = number(), b = number();
            return Vec3{a, b, number()};
        };
        Vector<Vec3> directions(d_numberOfTests.value() | 1u);
        for (Vec3& d : directions) d = vector() * 2. - Vec3::filled(1.);

        Vector<geometry::Aabb> boxes;
        for (const auto& [a, b, c] : triangles) boxes.push_back(geometry::Aabb::of(x[a], x[b], x[c]));
        geometry::Bvh bvh;
        bvh.build({boxes.data(), boxes.size()});
        const auto isInside = [&](const Vec3& p) {
            return std::all_of(directions.begin(), directions.end(), [&](const Vec3& direction) {
                bool inside = false;
                bvh.rayQuery(p, direction, geometry::Aabb::infinity, [&](Index t, double last) {
                    const auto& [a, b, c] = triangles[t];
                    const auto hit = geometry::rayTriangle(p, direction, x[a], x[b], x[c]);
                    if (!hit || hit->t > last) return last;
                    inside = !hit->front;
                    return hit->t;
                });
                return inside;
            });
        };

        const Vec3 low = bvh.bounds().lower, extent = bvh.bounds().extent();
        geometry::PointGrid grid(std::max(d_minDistanceBetweenPoints.value(), 0.));
        Vector<Vec3> in, out;
        for (std::size_t left = std::max<std::size_t>(10000, 1000 * wanted); in.size() < wanted; --left) {
            if (left == 0)
                throw std::runtime_error("numberOfInPoints: only " + std::to_string(in.size()) + " of " +
                                         std::to_string(wanted) +
                                         " points were found; the surface is open or turned "
                                         "inwards, or minDistanceBetweenPoints is too large");
            const Vec3 part = vector();
            const Vec3 p = low + Vec3{part[0] * extent[0], part[1] * extent[1], part[2] * extent[2]};
            if (grid.nearest(p).point == InvalidIndex && isInside(p)) {
                grid.insert(static_cast<Index>(in.size()), p);
                in.push_back(p);
            } else {
                out.push_back(p);
            }
        }
        d_inPoints.setValue(std::move(in));
        d_outPoints.setValue(std::move(out));
    }
};

const RegisterComponent registeredRandomPointDistributionInSurface =
    RegisterComponent("RandomPointDistributionInSurface", "Engine", "Sofa.Component.Engine.Generate")
        .help("Points at random within a closed surface")
        .example("component/engine/RandomPointDistributionInSurface.scn")
        .add<RandomPointDistributionInSurface>();

}  // namespace

}  // namespace sofa::component
