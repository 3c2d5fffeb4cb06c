// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/ListTypes.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// Laplacian smoothing: each point goes to the mean of its neighbours, some times. Points without neighbours stay, and
/// so do those that are not in `input_indices`, if there are any. The mesh shrinks by it.
class SmoothMeshEngine final : public Engine, public TopologyFollower
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Input<Vector<Vec3>> d_inputPosition{this, input("input_position", "Points", "m")};
    Input<Vector<Index>> d_inputIndices{this, input("input_indices", "Points that move; none: all of them")};
    Output<Vector<Vec3>> d_outputPosition{this, output("output_position", "Smoothed points", "m")};
    Input<Index> d_iterations{this, input("nb_iterations", "How often points are moved"), 1};
    Data<bool> d_showInput{this, display("showInput", "Show the mesh as it is given"), false};
    Data<bool> d_showOutput{this, display("showOutput", "Show the smoothed mesh"), false};
    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology that says which points are neighbours"}};

    PointLists pointLists() override
    {
        if (!l_topology) return noLists();
        m_some = !d_inputIndices.value().empty();
        return {{{{l_topology.get(), {ElementType::Points}}, {{&d_inputIndices, ElementData::Kind::Numbers}}}}};
    }
    /// Points that move cannot all go: none would mean all of them.
    void followTopology(const TopologyChange& change) override
    {
        if (!change.restores() && m_some && d_inputIndices.value().empty())
            throw std::runtime_error("'" + pathName() +
                                     "' (SmoothMeshEngine): the last point of input_indices would go");
        setDirty();
    }
    BoundingBox boundingBox() const override
    {
        BoundingBox box;
        for (const Vec3& x : d_inputPosition.value()) box.include(x);
        return box;
    }
    void draw(DrawTool& tool) override
    {
        if (!tool.shows(DisplayFlags::VisualModels) || !l_topology) return;
        const auto show = [&](const Vector<Vec3>& x, const Color& color) {
            ElementDrawing how;
            how.gap = 0.;
            how.faceColors = {&color, 1};
            drawElements(tool, ElementType::Triangles, l_topology->triangles(), x, how);
        };
        if (d_showInput.value()) show(d_inputPosition.value(), Color(1.f, 0.76f, 0.f));
        if (d_showOutput.value()) show(d_outputPosition.value(), Color(0.f, 0.6f, 0.8f));
    }

protected:
    void findInputs() override
    {
        if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
        if (!l_topology) throw std::runtime_error("there is no topology; give the attribute 'topology'");
        for (BaseData* d : core::elementLists(*l_topology)) addInput(*d);
    }
    void doUpdate() override
    {
        if (!l_topology) throw std::runtime_error("its topology has left the scene");
        Vector<Vec3> x = d_inputPosition.value();
        requireIndices(d_inputIndices, x.size());
        Vector<Index> moving = d_inputIndices.value();
        if (moving.empty())
            for (std::size_t i = 0; i < x.size(); ++i) moving.push_back(static_cast<Index>(i));
        for (Index k = 0; k < d_iterations.value(); ++k) {
            const Vector<Vec3> before = x;
            for (const Index i : moving) {
                if (i >= l_topology->nbPoints()) continue;
                const Vector<Index> neighbours = l_topology->verticesAroundVertex(i);
                Vec3 sum;
                for (const Index j : neighbours) sum += before.at(j);
                if (!neighbours.empty()) x[i] = sum / static_cast<double>(neighbours.size());
            }
        }
        d_outputPosition.setValue(std::move(x));
    }

private:
    bool m_some = false;  ///< whether points were chosen before a change
};

const RegisterComponent registeredSmoothMeshEngine =
    RegisterComponent("SmoothMeshEngine", "Engine", "Sofa.Component.Engine.Transform")
        .help("Moves the points of a mesh to the means of their neighbours")
        .example("component/engine/SmoothMeshEngine.scn")
        .add<SmoothMeshEngine>();

}  // namespace

}  // namespace sofa::component
