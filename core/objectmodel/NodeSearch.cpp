// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <unordered_set>

#include "core/objectmodel/Node.h"

namespace sofa::core {

std::size_t Node::nextTypeNumber()
{
    static std::atomic<std::size_t> next{0};
    return next++;
}

std::atomic<Node::TypeList*>& Node::listOf(KeptTypes& kept, std::size_t number)
{
    KeptTypes* place = &kept;
    for (;;) {
        TypeLists* lists = place->load(std::memory_order_acquire);
        if (!lists) {
            auto fresh = std::make_unique<TypeLists>();
            if (place->compare_exchange_strong(lists, fresh.get(), std::memory_order_acq_rel)) lists = fresh.release();
        }
        if (number < lists->lists.size()) return lists->lists[number];
        number -= lists->lists.size();
        place = &lists->more;
    }
}

void Node::forEachList(const KeptTypes& kept, const std::function<void(TypeList&)>& f)
{
    for (const TypeLists* lists = kept.load(); lists; lists = lists->more.load())
        for (const auto& list : lists->lists)
            if (TypeList* l = list.load()) f(*l);
}

bool Node::visitDown(NodeSet& seen, NodeFunction f) const
{
    if (m_parents.size() > 1 && !seen.insert(this).second) return true;  // only such a node can be reached twice
    if (!f(*this)) return false;
    for (const auto& c : m_children)
        if (!c->visitDown(seen, f)) return false;
    return true;
}

void Node::visitNodes(Search where, NodeFunction f) const
{
    switch (where) {
        case Search::Local:
            f(*this);
            return;
        case Search::Up: {
            const Node* n = this;
            while (true) {  // needs no list as long as there is one way up
                if (!f(*n)) return;
                if (n->m_parents.size() != 1) break;
                n = n->m_parents.front();
            }
            if (n->m_parents.empty()) return;
            for (const Node* a : n->ancestors())
                if (a != n && !f(*a)) return;
            return;
        }
        case Search::Down: {
            NodeSet seen;
            visitDown(seen, f);
            return;
        }
        case Search::Root: {
            NodeSet seen;
            const_cast<Node*>(this)->root().visitDown(seen, f);
            return;
        }
    }
}

void Node::visit(Search where, const std::function<bool(Component&)>& f) const
{
    visitNodes(where, [&](const Node& n) {
        return std::ranges::all_of(n.m_components, [&](const auto& c) { return f(*c); });
    });
}

namespace {

/// Post-order over the parents, the last of them first: reversed, it has each node before its parents.
void listAncestors(Node* n, std::vector<Node*>& out)
{
    if (std::find(out.begin(), out.end(), n) != out.end()) return;
    for (auto p = n->parents().rbegin(); p != n->parents().rend(); ++p) listAncestors(*p, out);
    out.push_back(n);
}

using NodeSet = std::unordered_set<const Node*>;  ///< to look nodes up, never to go through

/// Depth first; a node waits until each of its parents that can be reached has been listed.
void listDescendants(Node* n, const NodeSet& reachable, NodeSet& listed, std::vector<Node*>& out, bool all)
{
    if (listed.contains(n)) return;
    for (const Node* p : n->parents())
        if (reachable.contains(p) && !listed.contains(p)) return;
    listed.insert(n);
    out.push_back(n);
    for (const auto& c : n->children())
        if (all || c->isActive()) listDescendants(c.get(), reachable, listed, out, all);
}

/// Depth first, for graphs without nodes of several parents; false at the first of those.
bool listTree(Node* n, std::vector<Node*>& out, bool all)
{
    out.push_back(n);
    for (const auto& c : n->children()) {
        if (!all && !c->isActive()) continue;
        if (c->parents().size() > 1 || !listTree(c.get(), out, all)) return false;
    }
    return true;
}

void listReachable(const Node* n, NodeSet& out, bool all)
{
    if (!out.insert(n).second) return;
    for (const auto& c : n->children())
        if (all || c->isActive()) listReachable(c.get(), out, all);
}

}  // namespace

std::vector<Node*> Node::descendants(bool includeInactive) const
{
    std::vector<Node*> out;
    auto* self = const_cast<Node*>(this);
    if (!includeInactive && !isActive()) return out;
    if (listTree(self, out, includeInactive)) return out;
    NodeSet reachable, listed{self};
    listReachable(self, reachable, includeInactive);
    out.assign(1, self);  // the parents of the starting node are out of scope
    for (const auto& c : m_children)
        if (includeInactive || c->isActive()) listDescendants(c.get(), reachable, listed, out, includeInactive);
    return out;
}

std::vector<Node*> Node::ancestors() const
{
    std::vector<Node*> out;
    listAncestors(const_cast<Node*>(this), out);
    std::reverse(out.begin(), out.end());
    return out;
}

}  // namespace sofa::core
