// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/GeneratedMesh.h"
#include "components/engine/ListTypes.h"
#include "core/geometry/IsosurfaceStuffing.h"
#include "core/geometry/SurfaceDistance.h"
#include "core/topology/ClosedSurface.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Fills a closed surface with tetrahedra by isosurface stuffing (core/geometry/IsosurfaceStuffing.h).
///
/// As it is by default, the tetrahedra of a lattice that have a corner inside stay whole; with `snapPoints` and
/// `splitTetrahedra` the mesh ends at the surface, and all dihedral angles lie between 10.7° and 164.8°. Quads are
/// divided along the diagonal from their first vertex. Inside is where the signed distance says so; SOFA counts
/// crossings of rays along the edges of the lattice, and twice where they meet a side of triangles. With `snapPoints`
/// it moves points inside only, where the paper moves those outside first, and cuts more edges therefore.
class MeshTetraStuffing final : public Engine
{
public:
    Input<std::array<Vec3, 2>> d_vbbox{
        this, input("vbbox", "Corners of the box that is filled; the same ones: that of the surface", "m")};
    Input<double> d_size{
        this, input("size", "Edge of the cells; negative: minus their number along the longest side of the box", "m"),
        -8.};
    Input<Vector<Vec3>> d_inputPoints{this, input("inputPoints", "Vertices of the surface", "m")};
    Input<Vector<Triangle>> d_inputTriangles{this, input("inputTriangles", "Triangles, seen from outside")};
    Input<Vector<Quad>> d_inputQuads{this, input("inputQuads", "Quads, seen from outside")};
    Output<Vector<Vec3>> d_outputPoints{this, output("outputPoints", "Vertices of the tetrahedra", "m")};
    Output<Vector<Tetrahedron>> d_outputTetrahedra{this, output("outputTetrahedra", "Tetrahedra")};
    Input<double> d_alphaLong{this,
                              input("alphaLong", "Part of a long edge within which its end is moved to the surface",
                                    "1", Range::closed(0., 0.5)),
                              0.24999};
    Input<double> d_alphaShort{this, input("alphaShort", "The same for short edges", "1", Range::closed(0., 0.5)),
                               0.42978};
    Input<bool> d_snapPoints{this, input("snapPoints", "Move points that are near to the surface onto it"), false};
    Input<bool> d_splitTetrahedra{this, input("splitTetrahedra", "Cut tetrahedra at the surface"), false};
    Data<bool> d_draw{this, display("draw", "Show the vertices: those moved in blue, cuts in red, the others in green"),
                      false};

    MeshTetraStuffing()
    {
        addAlias(d_outputTetrahedra, "outputTetras");
        addAlias(d_splitTetrahedra, "splitTetras");
    }

    BoundingBox boundingBox() const override
    {
        BoundingBox box;
        for (const Vec3& x : d_inputPoints.value()) box.include(x);
        return d_draw.value() ? box : BoundingBox();
    }
    void draw(DrawTool& tool) override
    {
        if (!d_draw.value()) return;
        const Vector<Vec3>& x = d_outputPoints.value();
        auto lattice = tool.scratch<Vec3>(), snapped = tool.scratch<Vec3>(), cuts = tool.scratch<Vec3>();
        for (std::size_t i = 0; i < std::min(x.size(), m_kinds.size()); ++i)
            (m_kinds[i] == Kind::Snapped ? snapped : m_kinds[i] == Kind::Cut ? cuts : lattice).push_back(x[i]);
        drawPoints(tool, lattice, Color(0.f, 1.f, 0.f), 2.f);
        drawPoints(tool, snapped, Color(0.f, 0.f, 1.f), 4.f);
        drawPoints(tool, cuts, Color(1.f, 0.f, 0.f), 4.f);
    }

protected:
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_inputPoints.value();
        requireVertices(d_inputTriangles, x.size());
        requireVertices(d_inputQuads, x.size());
        Vector<Triangle> triangles = d_inputTriangles.value();
        for (const auto& [a, b, c, d] : d_inputQuads.value()) {
            triangles.push_back({a, b, c});
            triangles.push_back({a, c, d});
        }
        if (triangles.empty()) throw std::runtime_error("inputTriangles: there is no surface");
        const geometry::SurfaceDistance distance(x, triangles);

        geometry::StuffingOptions options;
        options.box = {d_vbbox.value()[0], d_vbbox.value()[1]};
        if (options.box.lower[0] >= options.box.upper[0]) {
            const Vec3 margin = distance.bounds().extent() * 0.01;
            options.box = {distance.bounds().lower - margin, distance.bounds().upper + margin};
        }
        if (!options.box.valid()) throw std::runtime_error("vbbox: the second corner lies before the first one");
        const Vec3 extent = options.box.extent();
        const double size = d_size.value();
        options.cell = size < 0. ? std::max({extent[0], extent[1], extent[2]}) / -size : size;
        if (!(options.cell > 0.)) throw std::runtime_error("size: the cells have no size");
        requireMeshSize("size", geometry::latticeSize(options));
        geometry::requireTwoSides(triangles);  // else nothing is inside
        options.snap = d_snapPoints.value();
        options.split = d_splitTetrahedra.value();
        options.alphaLong = d_alphaLong.value();
        options.alphaShort = d_alphaShort.value();
        geometry::StuffedMesh mesh = geometry::stuffIsosurface([&](const Vec3& p) { return -distance(p); }, options);
        m_kinds = std::move(mesh.kinds);
        d_outputPoints.setValue(std::move(mesh.points));
        d_outputTetrahedra.setValue(std::move(mesh.tetrahedra));
    }

private:
    using Kind = geometry::StuffedMesh::Kind;
    Vector<Kind> m_kinds;  ///< of the output points, for drawing
};

const RegisterComponent registeredMeshTetraStuffing =
    RegisterComponent("MeshTetraStuffing", "Engine", "Sofa.Component.Engine.Generate")
        .help("Fills a closed surface with tetrahedra of good shape")
        .example("component/engine/MeshTetraStuffing.scn")
        .add<MeshTetraStuffing>();

}  // namespace

}  // namespace sofa::component
