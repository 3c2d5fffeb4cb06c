// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/ReadTopology.h"

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/topology/StoredTopology.h"

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

void ReadTopology::checkVertices(const io::TopologyFrame& f) const
{
    for (const StoredTopology* t : node()->getAll<StoredTopology>(Search::Root)) {
        const BaseState* state = findMechanicalState<BaseState>(*t->node(), Search::Up);
        const std::size_t points = state ? state->size() : t->d_position.value().size();
        if (points == 0) continue;
        const auto check = [&](const char* name, const BaseData& data, const auto& elements) {
            const BaseData* list = t->findData(name);
            if (!list || list->parent() != &data) return;
            for (const auto& e : elements)
                for (const Index v : e)
                    if (v >= points)
                        failAt(f.line, name + (" on the " + std::to_string(points)) + " points of " + t->pathName(),
                               "point " + std::to_string(v));
        };
        check("edges", d_edges, f.edges);
        check("triangles", d_triangles, f.triangles);
        check("quads", d_quads, f.quads);
        check("tetrahedra", d_tetrahedra, f.tetrahedra);
        check("hexahedra", d_hexahedra, f.hexahedra);
    }
}

void ReadTopology::show(std::size_t i)
{
    const io::TopologyFrame& f = m_frames[i];
    // Topologies check what they begin with.
    if (isPlaying()) checkVertices(f);
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
