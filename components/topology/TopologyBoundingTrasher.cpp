// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/TopologyBoundingTrasher.h"

#include <algorithm>

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/topology/TopologyTransaction.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

void TopologyBoundingTrasher::init()
{
    if (!resolveChangeable(l_topology, *this)) return;
    const Vec6& box = d_box.value();
    for (std::size_t k = 0; k < 3; ++k)
        if (!(box[k] <= box[k + 3])) return fail("box: " + d_box.text() + " is empty: the least corner comes first");
    const bool hasPositions = d_position.isSet() || d_position.parent();
    if (!hasPositions && !findMechanicalState<BaseState>(*node(), Search::Up))
        return fail("position: it needs the positions of the points, or a state in its node or above");
}

bool TopologyBoundingTrasher::isOutside(const Vec3& x) const
{
    const Vec6& box = d_box.value();
    for (std::size_t k = 0; k < 3; ++k)
        if (x[k] < box[k] || x[k] > box[k + 3]) return true;
    return false;
}

void TopologyBoundingTrasher::handleEvent(const Event& e)
{
    if (!isValid() || !l_topology || !dynamic_cast<const AnimateEndEvent*>(&e)) return;
    auto& topology = dynamic_cast<StoredTopology&>(*l_topology);
    const BaseState* state = nullptr;
    if (!d_position.isSet() && !d_position.parent()) state = findMechanicalState<BaseState>(*node(), Search::Up);
    const std::size_t points = state ? state->size() : d_position.value().size();
    if (points < topology.nbPoints())
        throw std::runtime_error("'" + pathName() + "': there are " + std::to_string(points) + " positions for the " +
                                 std::to_string(topology.nbPoints()) + " points of '" + topology.pathName() + "'");
    const ElementType type = topology.topologyType();
    Vector<Index> gone;
    for (const StoredTopology::List* l : topology.lists()) {
        if (l->type() != type) continue;
        for (Index i = 0; i < l->size(); ++i) {
            const auto element = l->element(i);
            Vec3 center;
            for (const Index v : element) center += state ? state->pointPosition(v) : d_position.value()[v];
            if (isOutside(center / static_cast<double>(element.size()))) gone.push_back(i);
        }
    }
    if (gone.empty()) return;
    try {
        removeElements(topology, type, std::move(gone));
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("'" + pathName() + "': elements that left the box cannot be removed: " + error.what());
    }
}

void TopologyBoundingTrasher::draw(DrawTool& tool)
{
    if (!d_drawBox.value()) return;
    const Vec6& b = d_box.value();
    auto corners = tool.scratch<Vec3>();
    auto edges = tool.scratch<Edge>();
    for (Index i = 0; i < 8; ++i) {
        corners.push_back({b[i & 1 ? 3 : 0], b[i & 2 ? 4 : 1], b[i & 4 ? 5 : 2]});
        for (const Index bit : {1u, 2u, 4u})
            if (!(i & bit)) edges.push_back({i, i | bit});
    }
    drawEdges(tool, {edges.data(), edges.size()}, {corners.data(), corners.size()}, Color(1.f, 0.4f, 0.4f, 1.f));
}

static const RegisterComponent registeredTopologyBoundingTrasher =
    RegisterComponent("TopologyBoundingTrasher", "TopologyUtility", "Sofa.Component.Topology.Utility")
        .help("Removes elements that leave a box")
        .example("component/topology/TopologyBoundingTrasher.scn")
        .add<TopologyBoundingTrasher>();

}  // namespace sofa::component
