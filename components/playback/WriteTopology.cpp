// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/WriteTopology.h"

#include "core/factory/Registry.h"
#include "core/io/TopologyFile.h"
#include "core/objectmodel/DefaultLink.h"

namespace sofa::component {

void WriteTopology::init()
{
    if (!resolveOrNeed<BaseMeshTopology>(l_topology, *this)) return;
    if (d_writeShellContainers.value())
        message(Severity::Warning, "writeShellContainers has no effect: no topology has shells of its own",
                d_writeShellContainers.location);
    FrameWriter::init();
}

void WriteTopology::appendFrame(std::string& text, double time)
{
    if (!l_topology) throw std::runtime_error("the topology that " + pathName() + " writes has left the scene");
    io::TopologyFrame frame;
    frame.time = time;
    if (d_writeContainers.value()) {
        frame.edges = l_topology->edges();
        frame.triangles = l_topology->triangles();
        frame.quads = l_topology->quads();
        frame.tetrahedra = l_topology->tetrahedra();
        frame.hexahedra = l_topology->hexahedra();
    }
    io::appendTopologyFrame(text, frame, d_writeContainers.value());
}

static const RegisterComponent registeredWriteTopology =
    RegisterComponent("WriteTopology", "Exporter", "Sofa.Component.Playback")
        .help("Writes the elements of a topology at chosen times")
        .example("component/playback/WriteTopology.scn")
        .add<WriteTopology>();

}  // namespace sofa::component
