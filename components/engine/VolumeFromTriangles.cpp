// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/KeptResult.h"
#include "components/engine/ListTypes.h"
#include "core/behavior/State.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/topology/Geometry.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

namespace {

/// Volume that a closed surface encloses, whichever side its faces show: the integral of x·n / 3 over it (divergence
/// theorem). Quads are divided along the diagonal from their first vertex. Of a surface that is not closed the number
/// has no meaning.
template <class D>
class VolumeFromTriangles final : public KeptResult, public TopologyFollower
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "position", why);
    }

    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology of the surface; default: the nearest one"}};
    Link<State<D>> l_mechanical{this, {"mechanical", "State of the vertices; default: the nearest one"}};
    Input<VecCoord> d_position{this, input("position", "Vertices; default: those of the state", "m")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Triangles; default: those of the topology")};
    Input<Vector<Quad>> d_quads{this, input("quads", "Quads; default: those of the topology")};
    Output<double> d_volume{this, output("volume", "Volume within the surface", "m³"), 0.};
    Input<bool> d_update{this, input("update", "Follow the vertices; otherwise: the volume at the start"), false};

    /// The volume follows the elements, unless it is kept: what a mesh was at the start stays.
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange&) override { setDirty(); }

protected:
    void findInputs() override
    {
        if (!l_mechanical) l_mechanical.set(node()->template get<State<D>>(Search::Up));
        if (l_mechanical) followByDefault(d_position, l_mechanical->findData("position"));
        if (!d_position.isSet()) throw std::runtime_error("position: there are none, and no state that has them");
        const bool given = d_triangles.isSet() || d_quads.isSet();
        if (!l_topology) l_topology.set(node()->template get<BaseMeshTopology>(Search::Up));
        if (!l_topology) {
            if (!given) throw std::runtime_error("triangles: there are none, and no topology that has them");
            return;
        }
        followByDefault(d_triangles, l_topology->findData("triangles"));
        followByDefault(d_quads, l_topology->findData("quads"));
    }
    bool keepsResult() const override { return !d_update.value(); }
    void compute() override
    {
        Vector<Vec3> x;
        for (const auto& c : d_position.value()) x.push_back(D::position(c));
        requireVertices(d_triangles, x.size());
        requireVertices(d_quads, x.size());
        Vector<Triangle> triangles = d_triangles.value();
        for (const auto& [a, b, c, d] : d_quads.value()) {
            triangles.push_back({a, b, c});
            triangles.push_back({a, c, d});
        }
        d_volume.setValue(std::abs(geometry::enclosedVolume(x, triangles)));
    }
};

const RegisterComponent registeredVolumeFromTriangles =
    RegisterComponent("VolumeFromTriangles", "Engine", "Sofa.Component.Engine.Generate")
        .help("Volume that a closed surface encloses")
        .example("component/engine/VolumeFromTriangles.scn")
        .add<VolumeFromTriangles, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
