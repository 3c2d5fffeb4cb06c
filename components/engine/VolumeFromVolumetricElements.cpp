// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>

#include "components/engine/ListTypes.h"
#include "components/engine/MeshInputs.h"
#include "core/behavior/State.h"
#include "core/topology/Geometry.h"

namespace sofa::component {

namespace {

/// Sum of the volumes of tetrahedra and hexahedra, whichever way they are turned. That of a hexahedron is the volume of
/// its trilinear image of the cube (SOFA's, of six tetrahedra, is the same where its sides are plane). It follows
/// points and elements whenever it is read; `update` is accepted, as SOFA needs it for that.
class VolumeFromVolumetricElements final : public Engine
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology of the elements; default: the nearest one"}};
    Link<State<Vec3Types>> l_mechanical{this, {"mechanical", "State with the points; default: that of the node"}};
    Input<Vector<Vec3>> d_position{this, input("position", "Points; default: positions of the state", "m")};
    Input<Vector<Tetrahedron>> d_tetrahedra{this, input("tetras", "Tetrahedra; default: those of the topology")};
    Input<Vector<Hexahedron>> d_hexahedra{this, input("hexas", "Hexahedra; default: those of the topology")};
    Input<bool> d_update{this, input("update", "Has no effect: the volume follows the points when it is read"), false};
    Output<double> d_volume{this, output("volume", "Volume of all elements", "m^3")};

protected:
    void findInputs() override
    {
        if (!l_mechanical) l_mechanical.set(node()->get<State<Vec3Types>>(Search::Local));
        if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
        if (l_mechanical) followByDefault(d_position, l_mechanical->findData("position"));
        if (l_topology) followByDefault(d_tetrahedra, l_topology->findData("tetrahedra"));
        if (l_topology) followByDefault(d_hexahedra, l_topology->findData("hexahedra"));
    }
    void doUpdate() override
    {
        const Vector<Vec3>& x = d_position.value();
        requireVertices(d_tetrahedra, x.size());
        requireVertices(d_hexahedra, x.size());
        if (d_tetrahedra.value().empty() && d_hexahedra.value().empty())
            throw std::runtime_error("tetras, hexas: there are no elements");
        double volume = 0.;
        for (const Tetrahedron& t : d_tetrahedra.value())
            volume += std::abs(geometry::tetrahedronVolume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]));
        for (const Hexahedron& h : d_hexahedra.value()) {
            std::array<Vec3, 8> corners;
            for (std::size_t i = 0; i < 8; ++i) corners[i] = x[h[i]];
            volume += std::abs(geometry::hexahedronVolume(corners));
        }
        d_volume.setValue(volume);
    }
};

const RegisterComponent registered =
    RegisterComponent("VolumeFromVolumetricElements", "Engine", "Sofa.Component.Engine.Generate")
        .help("Sum of the volumes of tetrahedra and hexahedra")
        .alias("VolumeFromTetrahedrons")
        .example("component/engine/Volumes.scn")
        .add<VolumeFromVolumetricElements>();

}  // namespace

}  // namespace sofa::component
