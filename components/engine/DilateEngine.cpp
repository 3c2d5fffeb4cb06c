// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "components/engine/ListTypes.h"
#include "core/geometry/Bvh.h"
#include "core/geometry/Proximity.h"
#include "core/topology/Geometry.h"

namespace sofa::component {

namespace {

/// Moves the points of a surface along their normals: x + d n, with d the distance, and half of what the surface lacks
/// to the least thickness. The thickness at a point is the way along −n to the other side of the surface; 0 where there
/// is none.
class DilateEngine final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_inputPosition{this, input("input_position", "Points", "m")};
    Output<Vector<Vec3>> d_outputPosition{this, output("output_position", "Moved points", "m")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Triangles of the surface")};
    Input<Vector<Quad>> d_quads{this, input("quads", "Quads of the surface")};
    Output<Vector<Vec3>> d_normal{this, output("normal", "Unit normal at each point", "1")};
    Output<Vector<double>> d_thickness{
        this, output("thickness", "Thickness at each point, where minThickness asks for it", "m")};
    Input<double> d_distance{this, input("distance", "How far points move; negative: inwards", "m"), 0.};
    Input<double> d_minThickness{this, input("minThickness", "Least thickness; 0: any", "m", Range::nonNegative()), 0.};

    DilateEngine() { addAlias(d_inputPosition, "position"); }

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_inputPosition.value();
        requireVertices(d_triangles, x.size());
        requireVertices(d_quads, x.size());
        Vector<Triangle> faces = d_triangles.value();
        for (const Quad& q : d_quads.value()) {
            faces.push_back({q[0], q[1], q[2]});
            faces.push_back({q[0], q[2], q[3]});
        }
        Vector<Vec3> normals = geometry::pointNormals(x, d_triangles.value(), d_quads.value()), out = x;
        Vector<double> thickness;
        if (d_minThickness.value() > 0.) thickness = thicknesses(normals, faces);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double lacking = thickness.empty() ? 0. : std::max(0., d_minThickness.value() - thickness[i]);
            out[i] += normals[i] * (d_distance.value() + 0.5 * lacking);
        }
        d_normal.setValue(std::move(normals));
        d_thickness.setValue(std::move(thickness));
        d_outputPosition.setValue(std::move(out));
    }

private:
    Vector<double> thicknesses(const Vector<Vec3>& normals, const Vector<Triangle>& faces) const
    {
        const Vector<Vec3>& x = d_inputPosition.value();
        Vector<geometry::Aabb> boxes;
        for (const auto& [a, b, c] : faces) boxes.push_back(geometry::Aabb::of(x[a], x[b], x[c]));
        geometry::Bvh bvh;
        bvh.build({boxes.data(), boxes.size()});
        Vector<double> out(x.size(), 0.);
        for (Index i = 0; i < x.size(); ++i) {
            const Vec3 inwards = normals[i] * -1.;
            bvh.rayQuery(x[i], inwards, geometry::Aabb::infinity, [&](Index f, double last) {
                const auto& [a, b, c] = faces[f];
                if (a == i || b == i || c == i) return last;
                const auto hit = geometry::rayTriangle(x[i], inwards, x[a], x[b], x[c]);
                if (!hit || !(hit->t > 0.) || hit->t > last) return last;
                return out[i] = hit->t;
            });
        }
        return out;
    }
};

const RegisterComponent registeredDilateEngine =
    RegisterComponent("DilateEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("Moves the points of a surface along their normals")
        .example("component/engine/DilateEngine.scn")
        .add<DilateEngine>();

}  // namespace

}  // namespace sofa::component
