// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "core/mesh/SubElements.h"
#include "core/topology/Geometry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// A closed surface around a plate: some triangles of a surface turned round, their copies at the distance
/// `heightFactor` along the normals of their vertices, and two triangles on each border edge. The normal of a vertex is
/// the direction of the sum of the unit normals of the chosen triangles around it.
///
/// Vertices are numbered as the chosen triangles meet them: 2 n and its copy 2 n + 1. All triangles are seen from
/// outside, also where the height is negative; in SOFA this depends on which side of a triangle the border is.
class ExtrudeSurface final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Data<bool> d_isVisible{this, display("isVisible", "Show the plate with the behaviour models"), true};
    Input<double> d_heightFactor{this, input("heightFactor", "Height along the normals", "m"), 1.};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Triangles of the surface")};
    Output<Vector<Vec3>> d_extrusionVertices{this, output("extrusionVertices", "Vertices, each before its copy", "m")};
    Input<Vector<Vec3>> d_surfaceVertices{this, input("surfaceVertices", "Vertices of the surface", "m")};
    Output<Vector<Triangle>> d_extrusionTriangles{
        this, output("extrusionTriangles", "Each chosen triangle before its copy, then those on the border")};
    Input<Vector<Index>> d_surfaceTriangles{this, input("surfaceTriangles", "Which triangles are extruded")};

    BoundingBox boundingBox() const override
    {
        return d_isVisible.value() ? geometry::boundingBox(d_extrusionVertices.value()) : BoundingBox();
    }
    void draw(DrawTool& tool) override
    {
        if (!tool.shows(DisplayFlags::BehaviorModels) || !d_isVisible.value()) return;
        const Vector<Triangle>& all = d_extrusionTriangles.value();
        const std::size_t chosen = std::min(all.size() / 2, d_surfaceTriangles.value().size());
        auto lower = tool.scratch<Triangle>(), upper = tool.scratch<Triangle>(), sides = tool.scratch<Triangle>();
        for (std::size_t t = 0; t < all.size(); ++t)
            (t >= 2 * chosen ? sides : t % 2 ? upper : lower).push_back(all[t]);
        tool.triangles(d_extrusionVertices.value(), lower, plainStyle(Color(1.f, 0.f, 0.f)));
        tool.triangles(d_extrusionVertices.value(), upper, plainStyle(Color(0.f, 1.f, 0.f)));
        tool.triangles(d_extrusionVertices.value(), sides, plainStyle(Color(0.f, 0.f, 1.f)));
    }

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_surfaceVertices.value();
        requireIndices(d_surfaceTriangles, d_triangles.value().size(), "triangles");
        requireVertices(d_triangles, x.size());
        Vector<Vec3> normals(x.size());
        for (const Index t : d_surfaceTriangles.value()) {
            const auto& [a, b, c] = d_triangles.value()[t];
            const Vec3 n = geometry::triangleNormal(x[a], x[b], x[c]);
            for (const Index i : {a, b, c}) normals[i] += n;
        }
        const double height = d_heightFactor.value();
        Vector<Vec3> vertices;
        Vector<Triangle> base, all;
        Vector<Index> number(x.size(), InvalidIndex);
        for (const Index t : d_surfaceTriangles.value()) {
            Triangle& lower = base.emplace_back(d_triangles.value()[t]);
            for (Index& i : lower) {
                if (number[i] == InvalidIndex) {
                    number[i] = static_cast<Index>(vertices.size());
                    vertices.push_back(x[i]);
                    vertices.push_back(x[i] + normalized(normals[i]) * height);
                }
                i = number[i];
            }
            all.push_back({lower[0], lower[2], lower[1]});
            all.push_back({lower[0] + 1, lower[1] + 1, lower[2] + 1});
        }
        for (const auto& [a, b] : borderOf(base, {})) {
            all.push_back({a, b, a + 1});
            all.push_back({b + 1, a + 1, b});
        }
        if (height < 0.)
            for (Triangle& t : all) std::swap(t[1], t[2]);
        d_extrusionVertices.setValue(std::move(vertices));
        d_extrusionTriangles.setValue(std::move(all));
    }
};

const RegisterComponent registeredExtrudeSurface =
    RegisterComponent("ExtrudeSurface", "Engine", "Sofa.Component.Engine.Generate")
        .help("A closed surface around a plate on some triangles of a surface")
        .example("component/engine/ExtrudeSurface.scn")
        .add<ExtrudeSurface>();

}  // namespace

}  // namespace sofa::component
