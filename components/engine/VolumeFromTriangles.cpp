// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>

#include "components/engine/ListTypes.h"
#include "components/engine/MeshInputs.h"
#include "core/behavior/State.h"
#include "core/topology/Geometry.h"

namespace sofa::component {

namespace {

/// Volume that a closed surface of triangles and quads encloses, whichever way it is turned (divergence theorem). It
/// follows points and elements whenever it is read; `update` is accepted, as SOFA needs it for that.
template <class D>
class VolumeFromTriangles final : public Engine
{
public:
    using VecCoord = typename D::VecCoord;
    static std::string_view staticTemplateName() { return D::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return listFits<typename D::Coord>(node, desc, "position", why);
    }

    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology of the surface; default: the nearest one"}};
    Link<State<D>> l_mechanical{this, {"mechanical", "State with the points; default: that of the node"}};
    Input<VecCoord> d_position{this, input("position", "Points; default: positions of the state", "m")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Triangles; default: those of the topology")};
    Input<Vector<Quad>> d_quads{this, input("quads", "Quads; default: those of the topology")};
    Input<bool> d_update{this, input("update", "Has no effect: the volume follows the points when it is read"), false};
    Output<double> d_volume{this, output("volume", "Enclosed volume", "m^3")};

protected:
    void findInputs() override
    {
        if (!l_mechanical) l_mechanical.set(node()->template get<State<D>>(Search::Local));
        if (!l_topology) l_topology.set(node()->template get<BaseMeshTopology>(Search::Up));
        if (l_mechanical) followByDefault(d_position, l_mechanical->findData("position"));
        if (l_topology) followByDefault(d_triangles, l_topology->findData("triangles"));
        if (l_topology) followByDefault(d_quads, l_topology->findData("quads"));
    }
    void doUpdate() override
    {
        Vector<Vec3> x;
        for (const auto& c : d_position.value()) x.push_back(D::position(c));
        requireVertices(d_triangles, x.size());
        requireVertices(d_quads, x.size());
        Vector<Triangle> faces = d_triangles.value();
        for (const Quad& q : d_quads.value()) {
            faces.push_back({q[0], q[1], q[2]});
            faces.push_back({q[0], q[2], q[3]});
        }
        if (faces.empty()) throw std::runtime_error("triangles, quads: there are no faces");
        d_volume.setValue(std::abs(geometry::enclosedVolume(x, faces)));
    }
};

const RegisterComponent registered =
    RegisterComponent("VolumeFromTriangles", "Engine", "Sofa.Component.Engine.Generate")
        .help("Volume that a closed surface encloses")
        .example("component/engine/Volumes.scn")
        .add<VolumeFromTriangles, Vec3Types, Rigid3Types>();

}  // namespace

}  // namespace sofa::component
