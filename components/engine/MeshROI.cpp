// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <optional>

#include "components/engine/BaseROI.h"
#include "components/engine/ListTypes.h"
#include "components/engine/MeshInputs.h"
#include "core/geometry/SurfaceDistance.h"
#include "core/topology/Geometry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Selects the points and elements inside a closed surface of triangles, or only inside the box around it.
///
/// A point is inside where its distance from the surface is negative, whichever way all triangles are turned; the
/// border belongs to the region. The surface defaults to the mesh of the node. An element whose points are not all
/// inside is selected if its mean point is, unless `strict`.
template <class D>
class MeshROI final : public BaseROI<D>
{
public:
    using VecCoord = typename D::VecCoord;

    Input<VecCoord> d_roiPosition{
        this, this->input("ROIposition", "Points of the surface; default: rest positions of the node's state", "m")};
    Input<Vector<Edge>> d_roiEdges{this, this->input("ROIedges", "Edges of the surface, to be shown")};
    Input<Vector<Triangle>> d_roiTriangles{this, this->input("ROItriangles", "Triangles of the surface")};
    Input<bool> d_computeMeshROI{
        this, this->input("computeMeshROI", "Whether the surface counts; otherwise only the box around it"), true};
    Output<Vec6> d_box{this, this->output("box", "Box around the surface, by two opposite corners", "m")};
    Data<bool> d_drawOut{this, this->display("drawOut", "Show the points outside"), false};
    Data<bool> d_drawBox{this, this->display("drawBox", "Show the box around the surface"), false};

    MeshROI() { this->d_strict.setDefault(false); }
    void draw(DrawTool& tool) override
    {
        BaseROI<D>::draw(tool);
        if (!tool.shows(DisplayFlags::BehaviorModels)) return;
        const float size = std::max(this->d_drawSize.value(), 1.f);
        if (d_drawBox.value()) tool.boxEdges({&m_box, 1}, plainStyle(Color(1.f, 1.f, 0.f), size));
        if (!d_drawOut.value()) return;
        auto points = tool.scratch<Vec3>();
        for (const auto& x : this->d_pointsOutROI.value()) points.push_back(D::position(x));
        tool.points(points, plainStyle(Color(0.6f, 0.6f, 0.6f), size));
    }

protected:
    void findInputs() override
    {
        BaseROI<D>::findInputs();
        this->followByDefault(d_roiPosition, defaultPositions(*this->node(), "rest_position"));
        this->followByDefault(d_roiEdges, defaultElements(*this->node(), "edges"));
        this->followByDefault(d_roiTriangles, defaultElements(*this->node(), "triangles"));
    }
    bool prepareRegion() override
    {
        m_surface.clear();
        m_box = {};
        for (const auto& x : d_roiPosition.value()) m_surface.push_back(D::position(x));
        for (const Vec3& x : m_surface) m_box.include(x);
        requireVertices(d_roiTriangles, m_surface.size());
        if (!m_box.valid()) return false;
        const Vector<Triangle>& triangles = d_roiTriangles.value();
        if (d_computeMeshROI.value()) {
            if (triangles.empty()) return false;
            m_distance.emplace(m_surface, triangles);
            m_outwards = geometry::enclosedVolume(m_surface, triangles) < 0. ? -1. : 1.;
        }
        d_box.setValue({m_box.low[0], m_box.low[1], m_box.low[2], m_box.high[0], m_box.high[1], m_box.high[2]});
        return true;
    }
    bool contains(const Vec3& p) const override
    {
        for (std::size_t i = 0; i < 3; ++i)
            if (p[i] < m_box.low[i] || p[i] > m_box.high[i]) return false;
        return !d_computeMeshROI.value() || (*m_distance)(p)*m_outwards <= 0.;
    }
    std::string describeRegion() const override
    {
        return "the surface of " + std::to_string(d_roiTriangles.value().size()) + " triangles";
    }
    void drawRegion(DrawTool& tool) const override
    {
        drawEdges(tool, d_roiEdges.value(), m_surface, Color(1.f, 0.4f, 0.4f), std::max(this->d_drawSize.value(), 1.f));
    }

private:
    Vector<Vec3> m_surface;
    BoundingBox m_box;
    std::optional<geometry::SurfaceDistance> m_distance;
    double m_outwards = 1.;  ///< -1 where the triangles are seen from inside
};

const RegisterComponent registeredMeshROI =
    RegisterComponent("MeshROI", "Engine", "Sofa.Component.Engine.Select")
        .help("Selects the points, edges, triangles, quads, tetrahedra and hexahedra inside a closed surface")
        .example("component/engine/MeshROI.scn")
        .add<MeshROI, Vec3Types, Rigid3Types, Vec6Types>();

}  // namespace

}  // namespace sofa::component
