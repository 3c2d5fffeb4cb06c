// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/objectmodel/Node.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/objectmodel/ComponentError.h"
#include "core/objectmodel/Transient.h"

namespace sofa::core {

Node::Node(std::string nodeName)
{
    // Versions of different nodes are never the same, so that a new node at an old address is no old acquaintance.
    m_version = serial() << 32;
    if (!nodeName.empty()) setName(std::move(nodeName));
    d_activated.setWatched(true);
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
        declareAttribute(flag, "Display flag of old scenes, used by viewers; today's scenes use VisualStyle");
    ignoreAttribute("multiThreadSimulation", "threads are set for the whole program (--threads)");
    ignoreAttribute("depend", "the order of children is the order of the scene");
    for (const char* level : {"currentLevel", "coarsestLevel", "finestLevel"})
        ignoreAttribute(level, "multi-resolution by nodes does not exist");
    ignoreAttribute("id", "nodes are addressed by name");
    ignoreAttribute("sleeping", "nodes do not sleep; use activated");
    ignoreAttribute("canChangeSleepingState", "nodes do not sleep; use activated");
}

void Node::setDeclared(std::string_view flag, std::string_view text)
{
    m_display[std::string(flag)] = std::string(text);
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
    if (&d == &d_name)
        for (Node* p : m_parents) p->m_childNames.forget();
    if (&d == &d_activated || &d == &d_tags) touch();
    if (&d == &d_activated) tell(SceneChange::Kind::Activated);
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

namespace {

/// Whether files hold neither the object nor what is below it: it, or what holds it, is transient.
bool comesAndGoes(const Base& object)
{
    if (isTransient(object)) return true;
    const Node* n = object.linkContext();
    if (n == &object) n = n->parents().empty() ? nullptr : n->parents().front();
    return n && comesAndGoes(*n);
}

template <class List, class T>
std::size_t placeIn(const List& list, const T& object)
{
    if (!list.empty() && list.back().get() == &object) return list.size() - 1;
    const auto it = std::ranges::find_if(list, [&](const auto& p) { return p.get() == &object; });
    return it == list.end() ? Node::atEnd : static_cast<std::size_t>(it - list.begin());
}

}  // namespace

std::size_t Node::placeOf(const Node& c) const { return placeIn(m_children, c); }
std::size_t Node::placeOf(const Component& c) const { return placeIn(m_components, c); }

void Node::put(std::shared_ptr<Node> c, std::size_t place)
{
    place = std::min(place, m_children.size());
    c->m_parents.push_back(this);
    if (place == m_children.size())
        m_childNames.added(*c);
    else
        m_childNames.forget();
    m_children.insert(m_children.begin() + static_cast<std::ptrdiff_t>(place), std::move(c));
    touch();
}

void Node::put(std::shared_ptr<Component> c, std::size_t place)
{
    place = std::min(place, m_components.size());
    c->m_node = this;
    if (place == m_components.size()) {
        m_componentNames.added(*c);
        forEachList(m_types, [&c](TypeList& l) { l.add(*c); });
    } else {
        m_componentNames.forget();
        forget(m_types);
    }
    m_components.insert(m_components.begin() + static_cast<std::ptrdiff_t>(place), std::move(c));
    touch();
}

std::shared_ptr<Node> Node::take(Node& c)
{
    const std::size_t place = placeOf(c);
    if (place == atEnd) return nullptr;
    std::shared_ptr<Node> taken = m_children[place];
    std::erase(c.m_parents, this);
    m_childNames.removed(c);
    m_children.erase(m_children.begin() + static_cast<std::ptrdiff_t>(place));
    touch();
    return taken;
}

std::vector<std::shared_ptr<Component>> Node::take(std::span<Component* const> components)
{
    std::unordered_map<const Component*, std::size_t> places;
    for (const Component* c : components) places.emplace(c, places.size());
    std::vector<std::shared_ptr<Component>> taken(components.size());
    std::erase_if(m_components, [&](const std::shared_ptr<Component>& c) {
        const auto place = places.find(c.get());
        if (place == places.end()) return false;
        taken[place->second] = c;
        return true;
    });
    for (const auto& c : taken) {
        m_componentNames.removed(*c);
        c->m_node = nullptr;
    }
    forEachList(m_types, [components](TypeList& l) { l.remove(components); });
    touch();
    return taken;
}

bool Node::hasParentIn(const Node& scene, const Node* otherThan) const
{
    return std::ranges::any_of(m_parents, [&](const Node* p) { return p != otherThan && &p->root() == &scene; });
}

void Node::addChild(std::shared_ptr<Node> c, std::size_t place)
{
    if (c->contains(*this))
        throw CycleError("cyclic graph: '" + c->pathName() + "' is '" + pathName() + "' or an ancestor of it");
    if (std::ranges::find(c->m_parents, this) != c->m_parents.end()) return;
    if (c->name().empty()) giveName(*c, "Node", m_childNames, m_children);
    const bool isNew = !c->hasParentIn(root());
    const bool transient = comesAndGoes(*c) || comesAndGoes(*this);
    Node& child = *c;
    put(std::move(c), place);
    if (isNew) number(child);
    changedStructure(isNew ? SceneChange::Kind::Added : SceneChange::Kind::Moved, child, transient);
}

std::shared_ptr<Node> Node::createChild(std::string childName)
{
    auto c = std::make_shared<Node>(std::move(childName));
    addChild(c);
    return c;
}

std::vector<const Node*> permanentHolders(const Base& object)
{
    if (const auto* c = dynamic_cast<const Component*>(&object))
        return c->node() ? std::vector<const Node*>{c->node()} : std::vector<const Node*>();
    std::vector<const Node*> out;
    for (const Node* p : dynamic_cast<const Node&>(object).parents())
        if (!isTransient(*p)) out.push_back(p);
    return out;
}

std::shared_ptr<Node> addTransientChild(Node& parent, std::string name)
{
    auto child = std::make_shared<Node>(std::move(name));
    setTransient(*child);
    parent.addChild(child);
    return child;
}

void Node::removeChild(Node& c)
{
    if (placeOf(c) == atEnd) return;
    const bool transient = comesAndGoes(c) || comesAndGoes(*this), leaves = !c.hasParentIn(root(), this);
    if (leaves) Leaving(c).letGo();
    const std::shared_ptr<Node> taken = take(c);
    if (leaves)
        left(taken, transient);
    else
        changedStructure(SceneChange::Kind::Moved, c, transient);
}

void Node::moveChild(Node& c, Node& to, std::size_t place)
{
    if (c.contains(to))
        throw CycleError("cyclic graph: '" + c.pathName() + "' is '" + to.pathName() + "' or an ancestor of it");
    const bool transient = comesAndGoes(c) || comesAndGoes(*this) || comesAndGoes(to);
    std::shared_ptr<Node> taken = take(c);
    if (!taken) return;
    if (to.placeOf(c) == atEnd) to.put(taken, place);
    to.changedStructure(SceneChange::Kind::Moved, c, transient);
}

void Node::addComponent(std::shared_ptr<Component> c, std::size_t place)
{
    if (c->name().empty())
        giveName(*c, c->className().empty() ? "component" : c->className(), m_componentNames, m_components);
    Node* const from = c->m_node;
    const bool transient = comesAndGoes(*c) || comesAndGoes(*this);
    Component* const component = c.get();
    if (from) (void)from->take({&component, 1});
    put(std::move(c), place);
    if (!from) number(*component);
    changedStructure(from ? SceneChange::Kind::Moved : SceneChange::Kind::Added, *component, transient);
}

void Node::removeComponent(Component& c)
{
    Component* const one = &c;
    removeComponents({&one, 1});
}

void Node::removeComponents(std::span<Component* const> components)
{
    std::unordered_set<const Component*> gone;
    std::vector<Component*> mine;
    for (Component* c : components)
        if (c->node() == this && gone.insert(c).second) mine.push_back(c);
    if (mine.empty()) return;
    std::vector<char> transient;
    for (Component* c : mine) {
        transient.push_back(comesAndGoes(*c));
        Leaving(*c).letGo();
    }
    const std::vector<std::shared_ptr<Component>> taken = take(mine);
    for (std::size_t k = 0; k < taken.size(); ++k) left(taken[k], transient[k]);
}

void Node::moveComponents(std::span<const ComponentMove> moves)
{
    std::vector<std::pair<Node*, std::vector<Component*>>> givers;
    std::unordered_map<const Node*, std::size_t> giverOf;
    std::vector<char> transient;
    for (const auto& [c, to] : moves) {
        transient.push_back(comesAndGoes(*c) || comesAndGoes(*to));
        const auto [at, isNew] = giverOf.emplace(c->node(), givers.size());
        if (isNew) givers.push_back({c->node(), {}});
        givers[at->second].second.push_back(c);
    }
    std::unordered_map<const Component*, std::shared_ptr<Component>> taken;
    for (const auto& [from, components] : givers)
        for (auto& c : from->take(components)) taken.emplace(c.get(), std::move(c));
    for (const auto& [c, to] : moves) to->put(std::move(taken.at(c)), atEnd);
    for (std::size_t k = 0; k < moves.size(); ++k)
        moves[k].to->changedStructure(SceneChange::Kind::Moved, *moves[k].component, transient[k]);
}

void Node::changedStructure(SceneChange::Kind kind, Base& object, bool transient)
{
    Node& top = root();
    if (!top.m_scene) return;
    if (top.m_scene->running && !transient) top.m_scene->unsettled = true;
    top.tell(SceneChange{kind, object, this, nullptr});
}

void Node::left(const std::shared_ptr<Base>& object, bool transient)
{
    if (SceneState& s = scene(); s.running && !transient) s.removed.push_back(object);
    if (auto* n = dynamic_cast<Node*>(object.get())) {
        // It is the root of a graph of its own now. What it has keeps its numbers, for the case that it comes back;
        // what is added there is new in any other scene.
        if (!n->m_scene) n->m_scene = std::make_unique<SceneState>();
        n->m_scene->lineage = nextSerial();
        n->m_scene->lastId = scene().lastId;
    }
    changedStructure(SceneChange::Kind::Removed, *object, transient);
}

SceneState& Node::ownScene()
{
    if (!m_scene) {
        m_scene = std::make_unique<SceneState>();
        m_scene->lineage = serial();
        number(*this);
    }
    return *m_scene;
}

void Node::number(Base& object)
{
    SceneState& s = scene();
    const auto give = [&s](Base& b) {
        if (b.m_lineage == s.lineage && b.m_id != 0) {
            s.lastId = std::max(s.lastId, b.m_id);
            return;
        }
        // What comes from another scene begins anew here: what it knows of that one may be gone.
        if (auto* c = dynamic_cast<Component*>(&b); c && b.m_id != 0) c->setInitialised(false);
        b.m_lineage = s.lineage;
        b.m_id = ++s.lastId;
    };
    auto* node = dynamic_cast<Node*>(&object);
    if (!node) return give(object);
    for (Node* n : node->descendants(true)) {
        give(*n);
        for (const auto& c : n->m_components) give(*c);
    }
}

Base* Node::findById(ObjectId id)
{
    for (Node* n : root().descendants(true)) {
        if (n->id() == id) return n;
        for (const auto& c : n->m_components)
            if (c->id() == id) return c.get();
    }
    return nullptr;
}

void Node::addListener(SceneListener& l) { scene().listeners.push_back(&l); }
void Node::removeListener(SceneListener& l) { std::erase(scene().listeners, &l); }

void Node::tell(const SceneChange& change)
{
    if (!m_scene) return;
    if (change.kind != SceneChange::Kind::Value) ++m_scene->changes;
    for (std::size_t i = 0; i < m_scene->listeners.size(); ++i) m_scene->listeners[i]->sceneChanged(change);
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
    if (!isActive()) return;
    const auto addOwn = [](const Node& n, std::vector<std::weak_ptr<Component>>& to) {
        for (const auto& c : n.m_components)
            if (c->d_listening.value()) to.emplace_back(c);
    };
    // Those below a child where nothing has changed are known; false if a node has several parents.
    const auto listIn = [&addOwn](const auto& self, Node& n) {
        if (n.m_listenersVersion == n.m_version) return true;
        n.m_listeners.clear();
        addOwn(n, n.m_listeners);
        for (const auto& c : n.m_children) {
            if (!c->isActive()) continue;
            if (c->m_parents.size() > 1 || !self(self, *c)) return false;
            n.m_listeners.insert(n.m_listeners.end(), c->m_listeners.begin(), c->m_listeners.end());
        }
        n.m_listenersVersion = n.m_version;
        return true;
    };
    if (!listIn(listIn, *this)) {
        m_listeners.clear();
        for (const Node* n : descendants()) addOwn(*n, m_listeners);
        m_listenersVersion = m_version;
    }
    // A receiver may add or remove components.
    const auto list = m_listeners;
    for (const auto& listener : list) {
        const std::shared_ptr<Component> c = listener.lock();
        if (!c || !c->node() || !c->d_listening.value()) continue;
        try {
            c->handleEvent(e);
        } catch (const ComponentError&) {
            throw;  // of another one that was told of something
        } catch (const DataError&) {
            throw;
        } catch (const std::exception& error) {
            throw ComponentError(*c, error);
        }
        if (e.handled()) return;
    }
}

}  // namespace sofa::core
