// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/TopologicalMapping.h"
#include "core/log/Reason.h"

#include <algorithm>

#include "core/objectmodel/Node.h"

namespace sofa::core {

BaseMeshTopology* TopologicalMapping::topologyOf(const Node* node, const BaseMeshTopology* except) const
{
    if (!node) return nullptr;
    auto all = node->getAll<BaseMeshTopology>(Search::Local);
    std::erase(all, except);
    return all.empty() ? nullptr : all.back();
}

BaseMeshTopology* TopologicalMapping::input() const
{
    if (l_input.isSet() || l_input) return l_input.get();
    if (!node()) return nullptr;
    for (const Node* parent : node()->parents())
        if (BaseMeshTopology* found = topologyOf(parent, nullptr)) return found;
    return nullptr;
}

BaseMeshTopology* TopologicalMapping::output() const
{
    if (l_output.isSet() || l_output) return l_output.get();
    return topologyOf(node(), l_input.get());
}

Index TopologicalMapping::globalToLocal(Index inputElement) const
{
    const auto found = m_outputs[inputElement];
    return found.empty() ? InvalidIndex : found.back();
}

void TopologicalMapping::init() { build(); }

Index TopologicalMapping::preparePoints(const BaseMeshTopology& input, StoredTopology&) { return input.nbPoints(); }

void TopologicalMapping::rebuild()
{
    m_localToGlobal.clear();
    m_built = false;
    build();
}

void TopologicalMapping::build()
{
    if (m_built) return;
    m_built = true;
    const BaseMeshTopology* from = input();
    BaseMeshTopology* to = output();
    const std::string inKind = elementTypeName(inputType()), outKind = elementTypeName(outputType());
    if (!from) return fail("input: there is no topology to map; expected one of " + inKind + " elements");
    if (!to) return fail("output: there is no topology to fill; expected one for " + outKind + " elements");
    if (from == to) return fail("input and output are the same topology '" + to->pathName() + "'");
    auto* stored = dynamic_cast<StoredTopology*>(to);
    if (!stored) return fail("output: '" + to->pathName() + "' (" + to->className() + ") cannot be filled");
    try {
        // The points of the input first: it may be the output of another mapping itself.
        const Index points = preparePoints(*from, *stored);
        stored->clear(points);
        map(*from, *stored);
    } catch (const std::exception& e) {
        return fail(reasonOf(e));
    }
    Index largest = 0;
    for (const Index i : m_localToGlobal) largest = std::max(largest, i + 1);
    m_outputs = Adjacency(largest, m_localToGlobal.size(),
                          [&](std::size_t i) { return std::array<Index, 1>{m_localToGlobal[i]}; });
    if (m_localToGlobal.empty())
        msgInfo() << "the topology '" << from->pathName() << "' gives no " << outKind << " elements";
}

}  // namespace sofa::core
