// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/GeneratedMesh.h"
#include "components/engine/ListTypes.h"
#include "core/mesh/SubElements.h"

namespace sofa::component {

namespace {

/// A box from `min` to `max`, divided into equal cells: hexahedra, and six tetrahedra in each; or a rectangle, divided
/// into quads, and two triangles in each, if there is no cell along z. Points are numbered with x fastest, then y;
/// cells with z fastest, then y.
///
/// A state in the plane always gets a rectangle: SOFA lays the points of a box on top of each other.
template <class D>
class GenerateGrid final : public Engine
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }

    Output<VecCoord> d_outputPosition{this, output("output_position", "Points, x running fastest, then y", "m")};
    Output<Vector<Tetrahedron>> d_tetrahedra{this, output("tetrahedra", "Six tetrahedra of each cell of a box")};
    Output<Vector<Quad>> d_quads{this, output("quads", "Cells of a rectangle")};
    Output<Vector<Triangle>> d_triangles{this, output("triangles", "Two triangles of each cell of a rectangle")};
    Output<Vector<Hexahedron>> d_hexahedra{this, output("hexahedra", "Cells of a box")};
    Input<Vec3> d_min{this, input("min", "Corner with the least coordinates", "m")};
    Input<Vec3> d_max{this, input("max", "Corner with the largest coordinates", "m")};
    Input<Vec<3, int>> d_resolution{
        this, input("resolution", "Number of cells along x, y and z; 0 along z: a rectangle", {}, Range::nonNegative()),
        Vec<3, int>{3, 3, 3}};

    GenerateGrid() { addAlias(d_outputPosition, "position"); }

protected:
    void doUpdate() override
    {
        Vec<3, Index> n;
        double points = 1.;
        for (std::size_t a = 0; a < 3; ++a) {
            n[a] = a < D::spatialDimensions ? static_cast<Index>(d_resolution.value()[a]) : 0;
            if (a < 2 && n[a] == 0) throw std::runtime_error("resolution: there must be cells along x and y");
            points *= n[a] + 1.;
        }
        requireMeshSize("resolution", 6. * points);
        const Vec3 low = d_min.value(), size = d_max.value() - low;

        VecCoord x;
        x.reserve(static_cast<std::size_t>(points));
        for (Index k = 0; k <= n[2]; ++k)
            for (Index j = 0; j <= n[1]; ++j)
                for (Index i = 0; i <= n[0]; ++i) {
                    const Vec3 part{double(i) / n[0], double(j) / n[1], n[2] ? double(k) / n[2] : 0.};
                    D::setPosition(x.emplace_back(), {low[0] + size[0] * part[0], low[1] + size[1] * part[1],
                                                      low[2] + size[2] * part[2]});
                }
        Vector<Quad> quads;
        Vector<Triangle> triangles;
        Vector<Hexahedron> hexahedra;
        Vector<Tetrahedron> tetrahedra;
        const Index right = 1, back = n[0] + 1, up = back * (n[1] + 1);
        for (Index i = 0; i < n[0]; ++i)
            for (Index j = 0; j < n[1]; ++j) {
                const Index p = i + j * back;
                const Quad q{p, p + right, p + right + back, p + back};
                for (Index k = 0; k < n[2]; ++k) {
                    Hexahedron h;
                    for (std::size_t v = 0; v < 4; ++v) {
                        h[v] = q[v] + k * up;
                        h[v + 4] = h[v] + up;
                    }
                    hexahedra.push_back(h);
                    for (const auto& t : hexahedronTetrahedra) tetrahedra.push_back(subElement(h, t));
                }
                if (n[2] > 0) continue;
                quads.push_back(q);
                triangles.push_back({q[0], q[1], q[3]});
                triangles.push_back({q[3], q[1], q[2]});
            }
        d_outputPosition.setValue(std::move(x));
        d_quads.setValue(std::move(quads));
        d_triangles.setValue(std::move(triangles));
        d_hexahedra.setValue(std::move(hexahedra));
        d_tetrahedra.setValue(std::move(tetrahedra));
    }
};

const RegisterComponent registeredGenerateGrid =
    RegisterComponent("GenerateGrid", "Engine", "Sofa.Component.Engine.Generate")
        .help("A box or a rectangle, divided into equal cells")
        .example("component/engine/GenerateGrid.scn")
        .add<GenerateGrid, Vec3Types, Vec2Types>();

}  // namespace

}  // namespace sofa::component
