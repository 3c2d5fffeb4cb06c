// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "components/engine/GeneratedMesh.h"
#include "components/engine/ListTypes.h"
#include "core/topology/Geometry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// A shell of hexahedra over a surface of quads. The surface is scaled; then each vertex is copied along its normal,
/// the direction of the sum of the unit normals of its quads, from `thicknessIn` behind the surface to `thicknessOut`
/// before it. Copy n of vertex i has the number (slices + 1) i + n.
///
/// Hexahedra have positive volumes where the thickness is positive and less than the radius of curvature, and faces are
/// seen from outside. (In SOFA both are turned inwards, but for hexahedra with flipNormals="true"; and the normals are
/// those before the scaling, which are none of the scaled surface if the factors differ.) `flipNormals` begins each
/// hexahedron with the quad of the surface as it is given, instead of the opposite one in the other direction.
class ExtrudeQuadsAndGenerateHexas final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Data<bool> d_isVisible{this, display("isVisible", "Show the shell with the behaviour models"), true};
    Input<Vec3> d_scale{this, input("scale", "Factors of the surface along x, y and z", "1"), Vec3{1., 1., 1.}};
    Input<double> d_thicknessIn{this, input("thicknessIn", "How far it goes against the normals", "m"), 0.};
    Input<double> d_thicknessOut{this, input("thicknessOut", "How far it goes along the normals", "m"), 1.};
    Input<int> d_numberOfSlices{
        this, input("numberOfSlices", "Number of hexahedra across the shell", {}, Range::atLeast(1.)), 1};
    Input<bool> d_flipNormals{this, input("flipNormals", "Begin hexahedra with the quad as it is given"), false};
    Input<Vector<Vec3>> d_surfaceVertices{this, input("surfaceVertices", "Vertices of the surface", "m")};
    Input<Vector<Quad>> d_surfaceQuads{this, input("surfaceQuads", "Quads of the surface")};
    Output<Vector<Vec3>> d_extrudedVertices{this, output("extrudedVertices", "Vertices of the shell", "m")};
    Output<Vector<Quad>> d_extrudedSurfaceQuads{
        this, output("extrudedSurfaceQuads", "The quads of the surface, in the first layer of vertices")};
    Output<Vector<Quad>> d_extrudedQuads{
        this, output("extrudedQuads",
                     "Faces of the column of each quad: both ends, those between its hexahedra from "
                     "either side, its sides slice by slice")};
    Output<Vector<Hexahedron>> d_extrudedHexas{this, output("extrudedHexas", "Hexahedra of the shell")};

    BoundingBox boundingBox() const override
    {
        return d_isVisible.value() ? geometry::boundingBox(d_extrudedVertices.value()) : BoundingBox();
    }
    void draw(DrawTool& tool) override
    {
        if (tool.shows(DisplayFlags::BehaviorModels) && d_isVisible.value())
            drawElements(tool, ElementType::Hexahedra, d_extrudedHexas.value(), d_extrudedVertices.value());
    }

protected:
    void doUpdate() override
    {
        const Index slices = static_cast<Index>(d_numberOfSlices.value()), layers = slices + 1;
        Vector<Vec3> surface = d_surfaceVertices.value();
        const Vector<Quad>& quads = d_surfaceQuads.value();
        requireVertices(d_surfaceQuads, surface.size());
        requireMeshSize("numberOfSlices", (slices + 1.) * double(surface.size() + 6 * quads.size()));
        const Vec3& s = d_scale.value();
        for (Vec3& x : surface) x = {x[0] * s[0], x[1] * s[1], x[2] * s[2]};
        Vector<Vec3> normals(surface.size());
        for (const Quad& q : quads) {
            const Vec3 n = geometry::quadNormal(surface[q[0]], surface[q[1]], surface[q[2]], surface[q[3]]);
            for (const Index i : q) normals[i] += n;
        }
        const double from = -d_thicknessIn.value(), to = d_thicknessOut.value();
        Vector<Vec3> x;
        for (std::size_t i = 0; i < surface.size(); ++i)
            for (Index n = 0; n <= slices; ++n)
                x.push_back(surface[i] + normalized(normals[i]) * (from + (to - from) * n / slices));

        Vector<Quad> first, faces;
        Vector<Hexahedron> hexahedra;
        for (const Quad& q : quads) {
            const auto layer = [&](Index n) {
                return Quad{q[0] * layers + n, q[1] * layers + n, q[2] * layers + n, q[3] * layers + n};
            };
            const auto addFace = [&](Quad face, bool turned) {
                if (turned != (to < from)) std::reverse(face.begin(), face.end());
                faces.push_back(face);
            };
            first.push_back(layer(0));
            addFace(layer(0), true);
            addFace(layer(slices), false);
            for (Index n = 1; n < slices; ++n) {
                addFace(layer(n), true);
                addFace(layer(n), false);
            }
            for (Index n = 0; n < slices; ++n) {
                const Quad below = layer(n), above = layer(n + 1);
                for (std::size_t k = 0; k < 4; ++k) {
                    const std::size_t next = (k + 1) % 4;
                    addFace({below[k], below[next], above[next], above[k]}, false);
                }
            }
            for (Index n = 0; n < slices; ++n) {
                Quad bottom = layer(n), top = layer(n + 1);
                if (!d_flipNormals.value()) {
                    std::reverse(bottom.begin(), bottom.end());
                    std::reverse(top.begin(), top.end());
                }
                if ((to < from) == d_flipNormals.value()) std::swap(bottom, top);
                Hexahedron h;
                std::copy(top.begin(), top.end(), std::copy(bottom.begin(), bottom.end(), h.begin()));
                hexahedra.push_back(h);
            }
        }
        d_extrudedVertices.setValue(std::move(x));
        d_extrudedSurfaceQuads.setValue(std::move(first));
        d_extrudedQuads.setValue(std::move(faces));
        d_extrudedHexas.setValue(std::move(hexahedra));
    }
};

const RegisterComponent registeredExtrudeQuadsAndGenerateHexas =
    RegisterComponent("ExtrudeQuadsAndGenerateHexas", "Engine", "Sofa.Component.Engine.Generate")
        .help("A shell of hexahedra over a surface of quads")
        .example("component/engine/ExtrudeQuadsAndGenerateHexas.scn")
        .add<ExtrudeQuadsAndGenerateHexas>();

}  // namespace

}  // namespace sofa::component
