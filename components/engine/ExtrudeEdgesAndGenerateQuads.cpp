// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/GeneratedMesh.h"
#include "components/engine/ListTypes.h"

namespace sofa::component {

namespace {

/// Draws a curve along a direction: a strip of quads for each edge. Copy n of vertex i has the number n v + i, where v
/// is the number of vertices; the first copy lies `thicknessIn` before the curve and the last one `thicknessOut` behind
/// it.
///
/// The direction has any length but 0; SOFA multiplies `thicknessIn` by it. Each vertex of the curve has its row of
/// edges along the direction once, whatever the order and the number of its edges.
class ExtrudeEdgesAndGenerateQuads final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vec3> d_direction{this, input("extrudeDirection", "Direction of the extrusion, of any length", "1"),
                            Vec3{1., 0., 0.}};
    Input<double> d_thicknessIn{this, input("thicknessIn", "How far it goes against the direction", "m"), 0.};
    Input<double> d_thicknessOut{this, input("thicknessOut", "How far it goes along the direction", "m"), 1.};
    Input<int> d_numberOfSections{
        this, input("numberOfSections", "Number of quads along the direction", {}, Range::atLeast(1.)), 1};
    Input<Vector<Vec3>> d_curveVertices{this, input("curveVertices", "Vertices of the curve", "m")};
    Input<Vector<Edge>> d_curveEdges{this, input("curveEdges", "Edges of the curve")};
    Output<Vector<Vec3>> d_extrudedVertices{this, output("extrudedVertices", "Copies of all vertices", "m")};
    Output<Vector<Edge>> d_extrudedEdges{
        this, output("extrudedEdges", "For each edge its copies, then the edges along the direction of its first end")};
    Output<Vector<Quad>> d_extrudedQuads{this, output("extrudedQuads", "The strip of each edge")};

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& curve = d_curveVertices.value();
        const Index v = static_cast<Index>(curve.size()), sections = static_cast<Index>(d_numberOfSections.value());
        requireVertices(d_curveEdges, v);
        requireMeshSize("numberOfSections", (sections + 1.) * double(v + d_curveEdges.value().size()));
        if (norm2(d_direction.value()) == 0.) throw std::runtime_error("extrudeDirection: 0 is no direction");
        const Vec3 along = normalized(d_direction.value());
        const double from = -d_thicknessIn.value(), to = d_thicknessOut.value();

        Vector<Vec3> x;
        for (Index n = 0; n <= sections; ++n)
            for (const Vec3& p : curve) x.push_back(p + along * (from + (to - from) * n / sections));
        Vector<Edge> edges;
        Vector<Quad> quads;
        Vector<bool> hasRow(v, false);
        const auto addRow = [&](Index i) {
            for (Index n = 0; n < sections && !hasRow[i]; ++n) edges.push_back({i + n * v, i + (n + 1) * v});
            hasRow[i] = true;
        };
        for (const auto& [a, b] : d_curveEdges.value()) {
            for (Index n = 0; n <= sections; ++n) edges.push_back({a + n * v, b + n * v});
            addRow(a);
            for (Index n = 0; n < sections; ++n)
                quads.push_back({a + n * v, b + n * v, b + (n + 1) * v, a + (n + 1) * v});
        }
        for (const Edge& e : d_curveEdges.value()) addRow(e[1]);
        d_extrudedVertices.setValue(std::move(x));
        d_extrudedEdges.setValue(std::move(edges));
        d_extrudedQuads.setValue(std::move(quads));
    }
};

const RegisterComponent registeredExtrudeEdgesAndGenerateQuads =
    RegisterComponent("ExtrudeEdgesAndGenerateQuads", "Engine", "Sofa.Component.Engine.Generate")
        .help("Draws a curve along a direction: strips of quads")
        .example("component/engine/ExtrudeEdgesAndGenerateQuads.scn")
        .add<ExtrudeEdgesAndGenerateQuads>();

}  // namespace

}  // namespace sofa::component
