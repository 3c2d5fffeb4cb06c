// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <string>

#include "core/behavior/VecId.h"
#include "core/objectmodel/Data.h"
#include "core/objectmodel/Node.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

/// What scenes say to both forms of BarycentricMapping, of points and of frames. `TopologyLink`: how they keep a mesh.
template <class TopologyLink>
struct EmbeddingAttributes
{
    core::Data<bool> d_useRestPosition;
    TopologyLink l_inputTopology, l_outputTopology;

    explicit EmbeddingAttributes(core::Base* owner)
        : d_useRestPosition(owner,
                            {.name = "useRestPosition",
                             .help = "Locate what is embedded in the rest positions of input and output (the positions "
                                     "of an output without)"},
                            false),
          l_inputTopology(
              owner, {"input_topology", "Topology whose elements hold what is embedded; default: that of the input"}),
          l_outputTopology(owner, {"output_topology", "Topology of what is embedded"})
    {
        owner->ignoreAttribute("mapper", "the kind of elements is chosen from the topology");
    }
};

/// Finds the mesh in which a mapping embeds its output: what its links name, or the topology of the input's node or
/// above. The vector of the input in which places are looked for; nothing, with the failure reported, if there is none.
template <class M>
std::optional<core::VecCoordId> findEmbeddingMesh(M& mapping)
{
    const auto failed = [&](const std::string& why) {
        mapping.fail(why);
        return std::nullopt;
    };
    std::string error;
    for (auto* link : {&mapping.l_inputTopology, &mapping.l_outputTopology})
        if (!link->resolve(error)) return failed(std::string(link->name()) + ": " + error);
    auto& input = mapping.input();
    if (!mapping.l_inputTopology && input.node())
        mapping.l_inputTopology.set(input.node()->template get<core::BaseMeshTopology>(core::Search::Up));
    if (!mapping.l_inputTopology)
        return failed("it needs a topology in the node of the input '" + input.pathName() +
                      "' or above, or the link input_topology");
    const core::VecCoordId id = mapping.d_useRestPosition.value() ? core::vec_id::restPosition : core::vec_id::position;
    if (!input.isAllocated(id)) return failed("useRestPosition needs rest positions of the input");
    return id;
}

}  // namespace sofa::component
