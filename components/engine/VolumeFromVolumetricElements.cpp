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

/// Volume of tetrahedra and hexahedra together, each counted as positive. That of hexahedra is the exact one of the
/// trilinear shape (SOFA's is that of six tetrahedra, which depends on the numbering where faces are not plane).
class VolumeFromVolumetricElements final : public KeptResult, public TopologyFollower
{
public:
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

    Link<BaseMeshTopology> l_topology{this, {"topology", "Topology of the elements; default: the nearest one"}};
    Link<State<Vec3Types>> l_mechanical{this, {"mechanical", "State of the vertices; default: the nearest one"}};
    Input<Vector<Vec3>> d_position{this, input("position", "Vertices; default: those of the state", "m")};
    Input<Vector<Tetrahedron>> d_tetras{this, input("tetras", "Tetrahedra; default: those of the topology")};
    Input<Vector<Hexahedron>> d_hexas{this, input("hexas", "Hexahedra; default: those of the topology")};
    Output<double> d_volume{this, output("volume", "Volume of all elements", "m³"), 0.};
    Input<bool> d_update{this, input("update", "Follow the vertices; otherwise: the volume at the start"), false};

    /// The volume follows the elements, unless it is kept: what a mesh was at the start stays.
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange&) override { setDirty(); }

protected:
    void findInputs() override
    {
        if (!l_mechanical) l_mechanical.set(node()->get<State<Vec3Types>>(Search::Up));
        if (l_mechanical) followByDefault(d_position, l_mechanical->findData("position"));
        if (!d_position.isSet()) throw std::runtime_error("position: there are none, and no state that has them");
        const bool given = d_tetras.isSet() || d_hexas.isSet();
        if (!l_topology) l_topology.set(node()->get<BaseMeshTopology>(Search::Up));
        if (!l_topology) {
            if (!given) throw std::runtime_error("tetras: there are none, and no topology that has them");
            return;
        }
        followByDefault(d_tetras, l_topology->findData("tetrahedra"));
        followByDefault(d_hexas, l_topology->findData("hexahedra"));
    }
    bool keepsResult() const override { return !d_update.value(); }
    void compute() override
    {
        // Grids have no Data for their elements.
        const auto& tetras = d_tetras.isSet() || !l_topology ? d_tetras.value() : l_topology->tetrahedra();
        const auto& hexas = d_hexas.isSet() || !l_topology ? d_hexas.value() : l_topology->hexahedra();
        if (tetras.empty() && hexas.empty())
            throw std::runtime_error("tetras: there are none, and no hexahedra either");
        double volume = 0.;
        for (std::size_t e = 0; e < tetras.size(); ++e) {
            const auto [a, b, c, d] = corners(tetras[e], e, d_tetras);
            volume += std::abs(geometry::tetrahedronVolume(a, b, c, d));
        }
        for (std::size_t e = 0; e < hexas.size(); ++e)
            volume += std::abs(geometry::hexahedronVolume(corners(hexas[e], e, d_hexas)));
        d_volume.setValue(volume);
    }

private:
    template <std::size_t N>
    std::array<Vec3, N> corners(const std::array<Index, N>& element, std::size_t number, const BaseData& list) const
    {
        std::array<Vec3, N> x;
        for (std::size_t k = 0; k < N; ++k) {
            if (element[k] >= d_position.value().size())
                throw std::runtime_error(list.name() + ": element " + std::to_string(number) + " has the point " +
                                         std::to_string(element[k]) + "; there are " +
                                         std::to_string(d_position.value().size()));
            x[k] = d_position.value()[element[k]];
        }
        return x;
    }
};

const RegisterComponent registeredVolumeFromVolumetricElements =
    RegisterComponent("VolumeFromVolumetricElements", "Engine", "Sofa.Component.Engine.Generate")
        .help("Volume of tetrahedra and hexahedra together")
        .example("component/engine/VolumeFromVolumetricElements.scn")
        .alias("VolumeFromTetrahedrons")
        .add<VolumeFromVolumetricElements>();

}  // namespace

}  // namespace sofa::component
