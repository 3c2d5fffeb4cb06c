// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/objectmodel/Node.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/topology/MeshLoader.h"

/// Where engines on meshes take positions and elements from if a scene does not say it.
namespace sofa::component {

/// The state of the node; none where the node has a mesh loader instead; else the nearest state above.
inline core::BaseState* defaultState(const core::Node& node)
{
    if (auto* s = node.get<core::BaseState>(core::Search::Local)) return s;
    return node.get<core::MeshLoader>(core::Search::Local) ? nullptr : node.get<core::BaseState>(core::Search::Up);
}

/// A Data of that state ("position", "rest_position"), or the positions of the mesh loader; nullptr if there is
/// neither.
inline core::BaseData* defaultPositions(const core::Node& node, std::string_view name)
{
    if (auto* s = defaultState(node)) return s->findData(name);
    auto* loader = node.get<core::MeshLoader>(core::Search::Local);
    return loader ? &loader->d_position : nullptr;
}

/// A list of the nearest topology in or above the node ("triangles"); nullptr if there is none.
inline core::BaseData* defaultElements(const core::Node& node, std::string_view list)
{
    auto* topology = node.get<core::BaseMeshTopology>(core::Search::Up);
    return topology ? topology->findData(list) : nullptr;
}

}  // namespace sofa::component
