// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QPointF>
#include <vector>

#include "core/scene/TextLinks.h"

namespace sofa::modeler {

using namespace sofa::core;

/// A part of a scene as a graph: objects, the links between them, and which node holds them.
struct LinkGraph
{
    struct Edge
    {
        std::size_t from = 0, to = 0;  ///< indices in `objects`
        std::string label;             ///< the attributes of a link; empty: `from` is the node that holds `to`
    };
    std::vector<XmlId> objects;  ///< the nearest first
    std::vector<Edge> edges;
    std::size_t left = 0;  ///< how many more are as near, but above the limit
};

/// What is around an element: what is reached by at most `distance` links, or steps into a node or out of one, and at
/// most so many objects.
LinkGraph neighbourhood(const XmlDocument& x, const TextLinks& links, XmlId middle, int distance, std::size_t limit);

/// Places for the objects such that those with an edge between them are about `length` apart. The same graph gets the
/// same places.
std::vector<QPointF> layOut(const LinkGraph& graph, double length);

}  // namespace sofa::modeler
