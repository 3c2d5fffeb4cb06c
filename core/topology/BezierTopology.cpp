// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/BezierTopology.h"

#include <algorithm>
#include <stdexcept>

#include "core/topology/TopologyTransaction.h"

namespace sofa::core {

void changeDegrees(StoredTopology& mesh, std::span<const Index> edges)
{
    const BezierTopology& curved = bezierTopologyOf(mesh);
    const Vector<Index>& control = curved.edgeControlPoints();
    Vector<Index> all(edges.begin(), edges.end()), lowered;
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    Vector<Ancestors> raised;
    for (const Index e : all) {
        if (e >= control.size())
            throw std::runtime_error("there is no edge " + std::to_string(e) + " in '" + mesh.pathName() + "'");
        if (control[e] != InvalidIndex) {
            lowered.push_back(control[e]);
            continue;
        }
        const Edge& ends = mesh.edges()[e];
        raised.push_back({{ends[0], 0.5}, {ends[1], 0.5}});
    }
    if (edges.empty()) return;
    TopologyTransaction change(mesh);
    if (!raised.empty()) change.addPoints(raised);
    if (!lowered.empty()) change.removePoints(std::move(lowered));
    change.commit();
}

}  // namespace sofa::core
