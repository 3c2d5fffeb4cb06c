// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/ReadTopology.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

void ReadTopology::init()
{
    FrameReader::init();
    showAt(node()->time());
}

std::vector<double> ReadTopology::load(const std::string& file)
{
    m_frames = io::readTopologyFile(file);
    std::vector<double> times;
    for (const io::TopologyFrame& f : m_frames) times.push_back(f.time);
    return times;
}

void ReadTopology::show(std::size_t i)
{
    const io::TopologyFrame& f = m_frames[i];
    const auto set = [](auto& data, const auto& list) {
        if (data.value() != list) data.setValue(list);
    };
    set(d_edges, f.edges);
    set(d_triangles, f.triangles);
    set(d_quads, f.quads);
    set(d_tetrahedra, f.tetrahedra);
    set(d_hexahedra, f.hexahedra);
}

static const RegisterComponent registeredReadTopology =
    RegisterComponent("ReadTopology", "Loader", "Sofa.Component.Playback")
        .help("Hands out the elements of a file of WriteTopology as time goes on")
        .example("component/playback/ReadTopology.scn")
        .add<ReadTopology>();

}  // namespace sofa::component
