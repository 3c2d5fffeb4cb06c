// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "core/topology/Geometry.h"

namespace sofa::component {

namespace {

/// Unit normals at the vertices of a mesh: the direction of the sum of unit normals over the corners of faces at the
/// vertex, all with the same weight or each with its angle. In a quad each corner has the normal of its two sides. A
/// vertex without faces has the normal 0, and so has one whose faces cancel or have no area. (In SOFA a corner without
/// area spoils the normal, and sums go on from one update to the next.)
class NormalsFromPoints final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_position{this, input("position", "Vertices", "m")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Triangles")};
    Input<Vector<Quad>> d_quads{this, input("quads", "Quads")};
    Output<Vector<Vec3>> d_normals{this, output("normals", "Unit normal at each vertex", "1")};
    Input<bool> d_invertNormals{this, input("invertNormals", "Turn normals round"), false};
    Input<bool> d_useAngles{this, input("useAngles", "Weigh corners with their angles"), false};

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_position.value();
        requireVertices(d_triangles, x.size());
        requireVertices(d_quads, x.size());
        Vector<Vec3> normals(x.size());
        const auto add = [&](const auto& face) {
            const std::size_t n = face.size();
            for (std::size_t k = 0; k < n; ++k) {
                const Vec3 &before = x[face[(k + n - 1) % n]], &corner = x[face[k]], &after = x[face[(k + 1) % n]];
                const double weight = d_useAngles.value() ? geometry::angle(before, corner, after) : 1.;
                normals[face[k]] += geometry::triangleNormal(before, corner, after) * weight;
            }
        };
        for (const Triangle& t : d_triangles.value()) add(t);
        for (const Quad& q : d_quads.value()) add(q);
        for (Vec3& n : normals)
            n = norm(n) > 1e-12 ? normalized(n) * (d_invertNormals.value() ? -1. : 1.) : Vec3();  // else it is rounding
        d_normals.setValue(std::move(normals));
    }
};

const RegisterComponent registeredNormalsFromPoints =
    RegisterComponent("NormalsFromPoints", "Engine", "Sofa.Component.Engine.Generate")
        .help("Unit normals at the vertices of a mesh")
        .example("component/engine/NormalsFromPoints.scn")
        .add<NormalsFromPoints>();

}  // namespace

}  // namespace sofa::component
