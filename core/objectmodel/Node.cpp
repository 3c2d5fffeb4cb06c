// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Node.h"

#include <algorithm>
#include <unordered_set>

namespace sofa::core {

Node::Node(std::string nodeName)
{
    // Versions of different nodes are never the same, so that a new node at an old address is no old acquaintance.
    m_version = serial() << 32;
    if (!nodeName.empty()) setName(std::move(nodeName));
    for (const char* flag : {"showAll",
                             "showBehaviorModels",
                             "showCollisionModels",
                             "showBoundingCollisionModels",
                             "showForceFields",
                             "showInteractionForceFields",
                             "showMappings",
                             "showMechanicalMappings",
                             "showVisualModels",
                             "showWireFrame",
                             "showWireframe",
                             "showNormals",
                             "showRendering",
                             "showVisual",
                             "showBehavior",
                             "showCollision",
                             "showMapping",
                             "showOptions",
                             "showDetectionOutputs",
                             "showBoundingTree"})
        declareAttribute(flag, "Display flag of old scenes, used by viewers; today's scenes use VisualStyle",
                         [this, flag](std::string_view v) { m_display[flag] = std::string(v); });
    ignoreAttribute("multiThreadSimulation", "threads are set for the whole program (--threads)");
    ignoreAttribute("depend", "the order of children is the order of the scene");
    for (const char* level : {"currentLevel", "coarsestLevel", "finestLevel"})
        ignoreAttribute(level, "multi-resolution by nodes does not exist");
    ignoreAttribute("id", "nodes are addressed by name");
    ignoreAttribute("sleeping", "nodes do not sleep; use activated");
    ignoreAttribute("canChangeSleepingState", "nodes do not sleep; use activated");
}

Node::~Node()
{
    forget(m_types);
    forget(m_typesBelow);
    for (auto& c : m_components) c->m_node = nullptr;
    for (auto& c : m_children) std::erase(c->m_parents, this);
}

std::string Node::pathName() const
{
    if (m_parents.empty()) return "/";
    std::string p = m_parents.front()->pathName();
    if (p.back() != '/') p += '/';
    return p + name();
}

void Node::parse(ComponentDescription& desc)
{
    Base::parse(desc);
    if (!m_parents.empty()) {
        for (const char* inherited : {"gravity", "dt", "compatibility"}) {
            const Attribute* a = desc.find(inherited);
            const BaseData* here = findData(inherited);
            if (a && here->text() != root().findData(inherited)->text())
                message(Severity::Warning,
                        std::string(inherited) + " is taken from the root of the graph; this value has no effect",
                        a->where);
        }
    }
}

void Node::dataChanged(const BaseData& d)
{
    if (&d != &d_name) return;
    for (Node* p : m_parents) p->m_childNames.forget();
}

/// The first of "Base1", "Base2", ... that is free; numbers are not used again.
template <class T>
void Node::giveName(T& object, const std::string& base, const NameIndex<T>& names,
                    const std::vector<std::shared_ptr<T>>& list)
{
    std::string name;
    do name = base + std::to_string(++m_nameCounters[base]);
    while (names.find(list, name));
    object.setName(std::move(name));
    object.d_name.setIsSet(false);
}

void Node::addChild(std::shared_ptr<Node> c)
{
    if (c->contains(*this))
        throw CycleError("cyclic graph: '" + c->pathName() + "' is '" + pathName() + "' or an ancestor of it");
    if (std::ranges::find(c->m_parents, this) != c->m_parents.end()) return;
    if (c->name().empty()) giveName(*c, "Node", m_childNames, m_children);
    c->m_parents.push_back(this);
    m_childNames.added(*c);
    m_children.push_back(std::move(c));
    touch();
}

std::shared_ptr<Node> Node::createChild(std::string childName)
{
    auto c = std::make_shared<Node>(std::move(childName));
    addChild(c);
    return c;
}

void Node::removeChild(Node& c)
{
    if (std::erase(c.m_parents, this) == 0) return;
    m_childNames.removed(c);
    std::erase_if(m_children, [&](const auto& p) { return p.get() == &c; });
    touch();
}

void Node::addComponent(std::shared_ptr<Component> c)
{
    if (c->m_node) c->m_node->removeComponent(*c);
    if (c->name().empty())
        giveName(*c, c->className().empty() ? "component" : c->className(), m_componentNames, m_components);
    c->m_node = this;
    m_componentNames.added(*c);
    if (const TypeLists* types = m_types.load())
        for (const auto& list : types->lists)
            if (TypeList* l = list.load()) l->add(*c);
    m_components.push_back(std::move(c));
    touch();
}

void Node::removeComponent(Component& c)
{
    const auto it =
        std::find_if(m_components.begin(), m_components.end(), [&](const auto& p) { return p.get() == &c; });
    if (it == m_components.end()) return;
    const std::shared_ptr<Component> keep = *it;  // c may be used by the caller until it returns
    m_componentNames.removed(c);
    m_components.erase(it);
    if (const TypeLists* types = m_types.load())
        for (const auto& list : types->lists)
            if (TypeList* l = list.load()) l->remove(c);
    keep->m_node = nullptr;
    touch();
}

Node* Node::child(std::string_view n) const { return m_childNames.find(m_children, n); }

Component* Node::component(std::string_view n) const { return m_componentNames.find(m_components, n); }

Node& Node::root()
{
    Node* n = this;
    while (!n->m_parents.empty()) n = n->m_parents.front();
    return *n;
}

bool Node::contains(const Node& n) const
{
    if (&n == this) return true;
    return std::any_of(m_children.begin(), m_children.end(), [&](const auto& c) { return c->contains(n); });
}

void Node::touch()
{
    ++m_version;
    forget(m_typesBelow);
    for (Node* p : m_parents) p->touch();
}

std::size_t Node::nextTypeNumber()
{
    static std::atomic<std::size_t> next{0};
    return next++;
}

Node::TypeLists& Node::typeLists(KeptTypes& kept)
{
    TypeLists* lists = kept.load(std::memory_order_acquire);
    if (lists) return *lists;
    auto fresh = std::make_unique<TypeLists>();
    if (kept.compare_exchange_strong(lists, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
    return *lists;
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

Vec3 Node::gravity() const
{
    if (m_gravityOverride) return *m_gravityOverride;
    return m_parents.empty() ? d_gravity.value() : m_parents.front()->gravity();
}

double Node::dt() const { return m_parents.empty() ? d_dt.value() : m_parents.front()->dt(); }
double Node::time() const { return m_parents.empty() ? d_time.value() : m_parents.front()->time(); }

Compatibility Node::compatibility() const
{
    if (!m_parents.empty()) return m_parents.front()->compatibility();
    if (!m_compatibility)
        m_compatibility = d_compatibility.value().index() == 1 ? Compatibility::Sofa : Compatibility::Exact;
    return *m_compatibility;
}

void Node::propagateEvent(const Event& e)
{
    if (m_listenersVersion != m_version) {
        m_listeners.clear();
        for (const Node* n : descendants())
            for (const auto& c : n->m_components)
                if (c->d_listening.value()) m_listeners.emplace_back(c);
        m_listenersVersion = m_version;
    }
    // A receiver may add or remove components.
    const auto list = m_listeners;
    for (const auto& listener : list) {
        const std::shared_ptr<Component> c = listener.lock();
        if (!c || !c->node() || !c->d_listening.value()) continue;
        c->handleEvent(e);
        if (e.handled()) return;
    }
}

}  // namespace sofa::core
