// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "core/topology/Geometry.h"

namespace sofa::component {

namespace {

/// Unit normals at the points of a surface: the direction of the sum of the unit normals of the triangles and of the
/// corners of the quads at a point, each times the angle of that corner if `useAngles` is set (G. Thürmer, C. A.
/// Wüthrich, "Computing vertex normals from polygonal facets", 1998). Zero at points without faces.
class NormalsFromPoints final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_position{this, input("position", "Points of the surface", "m")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Its triangles")};
    Input<Vector<Quad>> d_quads{this, input("quads", "Its quads")};
    Input<bool> d_invertNormals{this, input("invertNormals", "Turn normals round"), false};
    Input<bool> d_useAngles{this, input("useAngles", "Weight faces by their angles at the point"), false};
    Output<Vector<Vec3>> d_normals{this, output("normals", "Unit normal at each point", "1")};

protected:
    void doUpdate() override
    {
        requireVertices(d_triangles, d_position.value().size());
        requireVertices(d_quads, d_position.value().size());
        Vector<Vec3> normals(d_position.value().size());
        addCorners(d_triangles.value(), normals);
        addCorners(d_quads.value(), normals);
        for (Vec3& n : normals)
            if (norm2(n) > 0.) n = normalized(n) * (d_invertNormals.value() ? -1. : 1.);
        d_normals.setValue(std::move(normals));
    }

private:
    template <std::size_t N>
    void addCorners(const Vector<std::array<Index, N>>& faces, Vector<Vec3>& normals) const
    {
        const Vector<Vec3>& x = d_position.value();
        for (const auto& f : faces)
            for (std::size_t k = 0; k < N; ++k) {
                const Vec3 &at = x[f[k]], &next = x[f[(k + 1) % N]], &before = x[f[(k + N - 1) % N]];
                const Vec3 n = geometry::triangleNormal(at, next, before);
                normals[f[k]] += d_useAngles.value() ? n * geometry::angle(next, at, before) : n;
            }
    }
};

const RegisterComponent registered = RegisterComponent("NormalsFromPoints", "Engine", "Sofa.Component.Engine.Generate")
                                         .help("Unit normals at the points of a surface")
                                         .example("component/engine/Frames.scn")
                                         .add<NormalsFromPoints>();

}  // namespace

}  // namespace sofa::component
