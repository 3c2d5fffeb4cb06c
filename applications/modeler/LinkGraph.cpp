// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/LinkGraph.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/circle_layout.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/topology.hpp>
#include <deque>
#include <map>
#include <set>

namespace sofa::modeler {

LinkGraph neighbourhood(const XmlDocument& x, const TextLinks& links, XmlId middle, int distance, std::size_t limit)
{
    LinkGraph out;
    if (x.find(middle) == XmlItem::none) return out;
    // Objects beside each other: by links and by nodes, in the order of the text.
    std::map<std::pair<XmlId, XmlId>, std::set<std::string>> linked;
    std::map<XmlId, std::vector<XmlId>> beside;
    const auto join = [&](XmlId a, XmlId b) {
        beside[a].push_back(b);
        beside[b].push_back(a);
    };
    for (const TextLink& l : links.links())
        if (l.target != 0 && l.target != l.element && linked[{l.element, l.target}].insert(l.attribute).second)
            join(l.element, l.target);
    for (const XmlItem& e : x.items())
        if (e.isElement() && e.parent != XmlItem::none && links.isNode(e.parent)) join(x.items()[e.parent].id, e.id);

    std::map<XmlId, int> far{{middle, 0}};
    std::deque<XmlId> next{middle};
    std::map<XmlId, std::size_t> numbers;
    while (!next.empty()) {
        const XmlId id = next.front();
        next.pop_front();
        if (out.objects.size() < limit) {
            numbers[id] = out.objects.size();
            out.objects.push_back(id);
        } else {
            ++out.left;
        }
        if (far[id] == distance) continue;
        for (const XmlId other : beside[id])
            if (far.try_emplace(other, far[id] + 1).second) next.push_back(other);
    }
    for (const auto& [ends, attributes] : linked) {
        const auto from = numbers.find(ends.first), to = numbers.find(ends.second);
        if (from == numbers.end() || to == numbers.end()) continue;
        std::string label;
        for (const std::string& a : attributes) label += (label.empty() ? "" : ", ") + a;
        out.edges.push_back({from->second, to->second, std::move(label)});
    }
    for (const XmlId id : out.objects) {
        const std::uint32_t parent = x.items()[x.find(id)].parent;
        if (parent == XmlItem::none) continue;
        const auto holder = numbers.find(x.items()[parent].id);
        if (holder != numbers.end()) out.edges.push_back({holder->second, numbers[id], {}});
    }
    return out;
}

std::vector<QPointF> layOut(const LinkGraph& graph, double length)
{
    using Topology = boost::square_topology<>;
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
    const std::size_t n = graph.objects.size();
    if (n < 2) return std::vector<QPointF>(n);
    Graph g(n);
    std::set<std::pair<std::size_t, std::size_t>> joined;
    for (const LinkGraph::Edge& e : graph.edges)
        if (joined.insert(std::minmax(e.from, e.to)).second) boost::add_edge(e.from, e.to, g);
    std::vector<Topology::point_type> places(n);
    const auto position = boost::make_iterator_property_map(places.begin(), boost::get(boost::vertex_index, g));
    const double size = length * static_cast<double>(n);
    boost::circle_graph_layout(g, position, size / 6.);
    // Edges pull, and all objects push each other off; what they may move becomes less with each round.
    const auto pull = [length](auto, double, double d, const Graph&) { return d * d / length; };
    const auto push = [length](auto, auto, double, double d, const Graph&) {
        return length * length * length / (d * d);
    };
    boost::fruchterman_reingold_force_directed_layout(g, position, Topology(10. * size),
                                                      boost::attractive_force(pull)
                                                          .repulsive_force(push)
                                                          .force_pairs(boost::all_force_pairs())
                                                          .cooling(boost::linear_cooling<double>(500, length)));
    std::vector<QPointF> out;
    out.reserve(n);
    for (const Topology::point_type& p : places) out.emplace_back(p[0], p[1]);
    return out;
}

}  // namespace sofa::modeler
