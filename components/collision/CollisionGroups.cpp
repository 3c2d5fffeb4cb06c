// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/CollisionGroups.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/behavior/BaseOrdering.h"
#include "core/behavior/ConstraintCorrection.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Transient.h"
#include "core/visitor/AssembledLinearSolver.h"

namespace sofa::component {

namespace {

/// Node of the integrator that moves a model; nullptr if there is none.
Node* objectOf(const CollisionModel& m)
{
    if (!m.d_simulated.value()) return nullptr;
    for (Node* n : m.node()->ancestors())
        if (n->get<OdeSolver>(Search::Local)) return n;
    return nullptr;
}

OdeSolver& integratorOf(const Node& object) { return *object.get<OdeSolver>(Search::Local); }

LinearSolver* linearSolverOf(const Node& object)
{
    for (LinearSolver* s : object.getAll<LinearSolver>())
        if (!s->isPreconditioner()) return s;
    return nullptr;
}

/// Whether a component is one of those that the solver of a group needs: integrators, linear solvers and what they are
/// made of, and what an integrator of its node links to, a nonlinear solver for example (of a family that is not
/// included here). States are those of the objects.
bool isAlgorithm(const Component& c)
{
    if (dynamic_cast<const OdeSolver*>(&c) || dynamic_cast<const LinearSolver*>(&c) ||
        dynamic_cast<const LinearSystem*>(&c) || dynamic_cast<const BaseOrdering*>(&c))
        return true;
    if (dynamic_cast<const BaseState*>(&c)) return false;
    for (const OdeSolver* integrator : c.node()->getAll<OdeSolver>())
        for (const BaseLink* link : integrator->links()) {
            const std::vector<Base*> targets = link->targets();
            if (std::ranges::find(targets, &c) != targets.end()) return true;
        }
    return false;
}

/// That of the highest rank, with a direct linear solver before others, then the first.
Node& strongest(const std::vector<Node*>& objects)
{
    const auto rank = [](const Node* n) {
        return 2 * integratorOf(*n).couplingRank() +
               int(dynamic_cast<AssembledLinearSolver*>(linearSolverOf(*n)) != nullptr);
    };
    return **std::ranges::max_element(objects, {}, rank);
}

/// Gives an object back to its own integrator.
void release(const Node& object)
{
    for (OdeSolver* s : object.getAll<OdeSolver>()) {
        s->setSuspended(false);
        s->reset();  // what it remembers of the steps before is out of date
    }
}

void empty(Node& group)
{
    while (!group.children().empty()) group.removeChild(*group.children().back());  // the last one is found at once
}

/// Numbers nodes in the order of the scene, without those of groups and contacts.
void number(const Node& n, std::unordered_map<const Node*, std::size_t>& places)
{
    if (isTransient(n) || !places.emplace(&n, places.size()).second) return;
    for (const auto& c : n.children()) number(*c, places);
}

/// Forces that stand elsewhere than they should.
struct Moves
{
    std::vector<Node::ComponentMove> all;
    void add(const ContactResponse& r, Node& to)
    {
        Component* const force = r.component();
        if (force->node() && force->node() != &to) all.push_back({force, &to});
    }
};

/// How a number of several solvers is merged: the strictest one holds.
enum class Merge
{
    None,
    Smallest,
    Largest
};
Merge mergeOf(std::string_view data)
{
    for (const std::string_view s : {"tolerance", "threshold", "epsilon", "rayleighStiffness", "rayleighMass"})
        if (data == s) return Merge::Smallest;
    for (const std::string_view s : {"iterations", "maxIterations", "vdamping"})
        if (data == s) return Merge::Largest;
    return Merge::None;
}

}  // namespace

void DefaultCollisionGroupManager::tellOnce(const std::string& text)
{
    if (m_told.insert(text).second) msgWarning() << text;
}

std::vector<DefaultCollisionGroupManager::Part> DefaultCollisionGroupManager::connectedParts(
    const std::vector<Couple>& couples) const
{
    std::vector<Node*> objects;
    std::unordered_map<const Node*, std::size_t> vertices;
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph;
    const auto vertex = [&](Node* n) {
        const auto [it, isNew] = vertices.emplace(n, objects.size());
        if (isNew) {
            objects.push_back(n);
            boost::add_vertex(graph);
        }
        return it->second;
    };
    for (const Couple& c : couples) {
        if (!c.a || !c.b || c.a == c.b) continue;
        const std::size_t i = vertex(c.a), j = vertex(c.b);
        boost::add_edge(i, j, graph);
    }
    std::vector<std::size_t> part(objects.size());
    const std::size_t count =
        objects.empty() ? 0 : static_cast<std::size_t>(boost::connected_components(graph, part.data()));
    std::vector<Part> parts(count, Part{{}, m_groups.size()});
    for (std::size_t i = 0; i < objects.size(); ++i) parts[part[i]].objects.push_back(objects[i]);
    return parts;
}

void DefaultCollisionGroupManager::match(std::vector<Part>& parts) const
{
    struct Best
    {
        std::size_t part, shared = 0;
    };
    std::vector<Best> best(m_groups.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
        std::map<std::size_t, std::size_t> shared;  // with each group
        for (const Node* n : parts[p].objects)
            if (const auto g = m_groupOf.find(n); g != m_groupOf.end()) ++shared[g->second];
        for (const auto& [g, count] : shared)
            if (count > best[g].shared) best[g] = {p, count};
    }
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        if (best[g].shared == 0) continue;
        Part& p = parts[best[g].part];
        if (best[g].shared <= p.shared) continue;
        p.group = g;
        p.shared = best[g].shared;
    }
}

bool DefaultCollisionGroupManager::canJoin(const std::vector<Node*>& objects, Node& scene)
{
    const auto refuse = [&](const std::string& why) {
        tellOnce("contacts between '" + objects[0]->pathName() + "' and '" + objects[1]->pathName() +
                 "' stay outside of their integrators: " + why);
        return false;
    };
    for (Node* n : scene.ancestors())
        if (n->get<OdeSolver>(Search::Local))
            return refuse("the pipeline stands below the integrator of '" + n->pathName() + "'");
    for (const Node* n : objects) {
        if (n->getAll<OdeSolver>().size() != 1) return refuse("'" + n->pathName() + "' has several integrators");
        if (n->get<ConstraintCorrection>(Search::Down))
            return refuse("'" + n->pathName() +
                          "' has a constraint correction, which needs the matrix of its own solver");
        const OdeSolver& solver = integratorOf(*n);
        if (Registry::instance().nameOf(solver).empty())
            return refuse("the class " + solver.className() + " is not registered");
        if (solver.isStatic() != integratorOf(*objects[0]).isStatic())
            return refuse("'" + (solver.isStatic() ? n : objects[0])->pathName() +
                          "' looks for equilibrium, the other one moves");
    }
    return true;
}

void DefaultCollisionGroupManager::mergeData(Component& copy, const Component& source,
                                             const std::vector<Node*>& objects)
{
    for (const Node* n : objects) {
        const Component* other = dynamic_cast<const OdeSolver*>(&source)
                                     ? static_cast<const Component*>(&integratorOf(*n))
                                     : linearSolverOf(*n);
        if (!other || other == &source) continue;
        // Implicit integrators of different kinds have damping in common.
        const bool alike = other->className() == source.className();
        if (!alike && !(dynamic_cast<const OdeSolver*>(&source) && integratorOf(*n).isImplicit())) continue;
        for (BaseData* d : copy.data()) {
            const BaseData* theirs = other->findData(d->name());
            if (!theirs || d->isReadOnly() || d->name() == "name") continue;
            if (alike && !d->isSet() && !theirs->isSet()) continue;  // both have the default
            if (theirs->text() == d->text()) continue;
            const Merge rule = mergeOf(d->name());
            if (!alike && (rule == Merge::None || d->group() == "Newton")) continue;
            double mine = 0., value = 0.;
            std::string error;
            const bool numbers = parseText(d->text(), mine, error) && parseText(theirs->text(), value, error);
            if (rule != Merge::None && numbers && (rule == Merge::Smallest) == (value < mine))
                d->read(theirs->text(), error);
            if (rule != Merge::None && !d->name().starts_with("rayleigh") && d->name() != "vdamping") continue;
            tellOnce("'" + d->name() + "' of '" + source.pathName() + "' and '" + other->pathName() +
                     "' differ: in contact both get " + d->text());
        }
    }
}

bool DefaultCollisionGroupManager::copySolvers(const std::vector<Node*>& objects, Node& to)
{
    const Node& source = strongest(objects);
    for (const Node* n : objects) {
        const OdeSolver &mine = integratorOf(*n), &chosen = integratorOf(source);
        if (mine.isImplicit() && mine.className() != chosen.className())
            tellOnce("'" + n->pathName() + "' has the integrator " + mine.className() + ", '" + source.pathName() +
                     "' " + chosen.className() + ": in contact both get " + chosen.className());
    }
    std::map<const Base*, Component*> copies;
    std::vector<std::pair<const Component*, Component*>> pairs;
    std::string ignored;
    for (const auto& c : source.components()) {
        if (!isAlgorithm(*c)) continue;
        ComponentDescription description;
        description.type = Registry::instance().nameOf(*c);
        description.templ = c->templateName();
        description.where = c->location;
        const std::shared_ptr<Component> copy = Registry::instance().create(&to, description);
        copy->location = c->location;
        copy->setName(c->name());
        for (const BaseData* d : c->data()) {
            BaseData* target = copy->findData(d->name());
            if (target && !target->isReadOnly() && target->text() != d->text()) target->read(d->text(), ignored);
        }
        to.addComponent(copy, pairs.size());  // before the forces
        copies[c.get()] = copy.get();
        pairs.emplace_back(c.get(), copy.get());
    }
    for (const auto& [from, copy] : pairs) {
        for (const BaseLink* link : from->links()) {
            std::string path;
            for (Base* target : link->targets()) {
                const auto it = copies.find(target);
                if (it != copies.end()) target = it->second;
                if (target->linkContext()) path += (path.empty() ? "@" : " @") + target->pathName();
            }
            if (BaseLink* l = copy->findLink(link->name()); l && !path.empty()) l->setPath(path, copy->location);
        }
        mergeData(*copy, *from, objects);
    }
    for (const auto& [from, copy] : pairs) copy->init();
    for (const auto& [from, copy] : pairs) copy->bwdInit();
    return std::ranges::all_of(pairs, [](const auto& p) { return p.second->isValid(); });
}

std::vector<std::shared_ptr<Node>> DefaultCollisionGroupManager::form(std::vector<Part> parts, Node& scene)
{
    match(parts);
    const auto isUnchanged = [this](const Part& p) {
        return p.shared == p.objects.size() && p.shared == m_groups[p.group]->children().size();
    };
    std::vector<char> stays(m_groups.size(), 0);
    for (const Part& p : parts)
        if (isUnchanged(p)) stays[p.group] = 1;
    std::erase_if(parts, isUnchanged);
    std::vector<std::shared_ptr<Node>> before, fresh, ended;
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        if (!stays[g]) before.insert(before.end(), m_groups[g]->children().begin(), m_groups[g]->children().end());
    if (before.empty() && parts.empty()) return ended;

    std::unordered_map<const Node*, std::size_t> places;
    number(scene.root(), places);
    unsigned count = 0;
    for (auto& [objects, group, shared] : parts) {
        if (!canJoin(objects, scene)) continue;
        for (const Node* n : objects) places.emplace(n, places.size());  // those that are transient come last
        std::ranges::sort(objects, {}, [&](const Node* n) { return places.at(n); });
        if (std::ranges::find(m_uncopyable, &strongest(objects)) != m_uncopyable.end()) continue;
        if (shared > 0) {
            stays[group] = fill(*m_groups[group], objects);
            continue;
        }
        while (scene.child("collisionGroup" + std::to_string(count))) ++count;
        const auto node = addTransientChild(scene, "collisionGroup" + std::to_string(count));
        (fill(*node, objects) ? fresh : ended).push_back(node);
    }
    std::vector<std::shared_ptr<Node>> groups;
    for (std::size_t g = 0; g < stays.size(); ++g) (stays[g] ? groups : ended).push_back(m_groups[g]);
    groups.insert(groups.end(), fresh.begin(), fresh.end());
    m_groups = std::move(groups);
    for (const auto& g : ended) {
        before.insert(before.end(), g->children().begin(), g->children().end());
        empty(*g);
    }
    numberGroups();
    for (const auto& n : before)
        if (!m_groupOf.contains(n.get())) release(*n);
    return ended;
}

bool DefaultCollisionGroupManager::fill(Node& group, const std::vector<Node*>& objects)
{
    const std::unordered_set<const Node*> wanted(objects.begin(), objects.end());
    for (const auto& n : std::vector(group.children()))
        if (!wanted.contains(n.get())) group.removeChild(*n);
    for (std::size_t k = 0; k < objects.size(); ++k) {
        if (k == group.children().size() || group.children()[k].get() != objects[k])
            group.addChild(objects[k]->shared_from_this(), k);
        integratorOf(*objects[k]).setSuspended(true);
    }
    std::vector<Component*> solvers;
    for (const auto& c : group.components()) {
        if (!isAlgorithm(*c)) break;  // forces come after them
        solvers.push_back(c.get());
    }
    group.removeComponents(solvers);
    bool good = false;
    try {
        good = copySolvers(objects, group);
    } catch (const std::runtime_error& e) {
        tellOnce(std::string("the solvers of '") + objects.front()->pathName() + "' cannot be copied: " + e.what());
    }
    if (!good) m_uncopyable.push_back(&strongest(objects));
    return good;
}

void DefaultCollisionGroupManager::numberGroups()
{
    m_groupOf.clear();
    for (std::size_t k = 0; k < m_groups.size(); ++k)
        for (const auto& n : m_groups[k]->children()) m_groupOf[n.get()] = k;
    if (d_groupCount.value() != m_groups.size()) d_groupCount.setValue(static_cast<unsigned>(m_groups.size()));
}

std::vector<DefaultCollisionGroupManager::Couple> DefaultCollisionGroupManager::couplesOf(
    const std::vector<ContactResponse*>& responses)
{
    std::unordered_map<const CollisionModel*, Node*> objects;
    const auto object = [&](const CollisionModel* m) {
        const auto [it, isNew] = objects.emplace(m, nullptr);
        if (isNew) it->second = objectOf(*m);
        return it->second;
    };
    std::vector<Couple> couples;
    for (ContactResponse* r : responses)
        if (r->actsByForce()) couples.push_back({r, object(r->models().first), object(r->models().second)});
    return couples;
}

void DefaultCollisionGroupManager::regroup(const std::vector<ContactResponse*>& responses, Node& scene)
{
    if (!d_active.value()) {
        if (!m_groups.empty()) dissolve(responses, &scene);
        return;
    }
    const std::vector<Couple> couples = couplesOf(responses);
    const std::vector<std::shared_ptr<Node>> ended = form(connectedParts(couples), scene);
    placeForces(couples, scene);
    for (const auto& g : ended) scene.removeChild(*g);
}

void DefaultCollisionGroupManager::placeForces(const std::vector<Couple>& couples, Node& scene) const
{
    Moves moves;
    for (const Couple& c : couples) {
        Node* place = &placeOf(c.response->models(), scene);
        if (c.a && c.a == c.b) {
            place = c.a;
        } else if (c.a && c.b) {
            const auto g = m_groupOf.find(c.a);
            if (g != m_groupOf.end()) place = m_groups[g->second].get();
        }
        moves.add(*c.response, *place);
    }
    Node::moveComponents(moves.all);
}

void DefaultCollisionGroupManager::dissolve(const std::vector<ContactResponse*>& responses, Node* scene)
{
    Moves home;
    if (scene)
        for (const ContactResponse* r : responses)
            if (r->actsByForce()) home.add(*r, placeOf(r->models(), *scene));
    Node::moveComponents(home.all);
    for (const auto& g : std::exchange(m_groups, {})) {
        for (const auto& n : g->children()) release(*n);
        empty(*g);
        for (Node* p : std::vector(g->parents())) p->removeChild(*g);
    }
    numberGroups();
    m_uncopyable.clear();
}

void DefaultCollisionGroupManager::archiveGroups(Archive& a, const std::vector<ContactResponse*>& responses,
                                                 Node& scene, std::vector<Base*>& made)
{
    if (a.loading()) dissolve(responses, &scene);
    // Objects are told apart by the places of their integrators in the scene, without those of groups.
    std::vector<OdeSolver*> integrators = scene.getAll<OdeSolver>(Search::Root);
    std::erase_if(integrators, [](const OdeSolver* s) { return isTransient(*s->node()); });
    std::unordered_map<const Node*, std::uint64_t> placeIn;
    for (std::size_t k = 0; k < integrators.size(); ++k) placeIn.emplace(integrators[k]->node(), k);
    const auto archiveObjects = [&](std::vector<Node*>& objects) {
        Vector<std::uint64_t> places;
        for (const Node* n : objects) {
            const auto place = placeIn.find(n);  // of one that is just leaving the scene there is none
            places.push_back(place == placeIn.end() ? integrators.size() : place->second);
        }
        a(places);
        if (!a.loading()) return;
        objects.clear();
        for (const std::uint64_t k : places) {
            if (k >= integrators.size()) throw std::runtime_error("it holds groups of objects that this one has not");
            objects.push_back(integrators[k]->node());
        }
    };
    archiveObjects(m_uncopyable);
    std::uint64_t groups = m_groups.size();
    a(groups);
    for (std::uint64_t k = 0; k < groups; ++k) {
        std::vector<Node*> objects;
        std::string name;
        if (!a.loading()) {
            name = m_groups[k]->name();
            for (const auto& n : m_groups[k]->children()) objects.push_back(n.get());
        }
        a(name);
        archiveObjects(objects);
        if (a.loading()) {
            m_groups.push_back(addTransientChild(scene, name));
            if (objects.empty() || !fill(*m_groups.back(), objects))
                throw std::runtime_error("its group '" + name + "' cannot be formed here");
        }
        made.push_back(m_groups[k].get());
    }
    if (!a.loading()) return;
    numberGroups();
    placeForces(couplesOf(responses), scene);
}

static const RegisterComponent registeredDefaultCollisionGroupManager =
    RegisterComponent("DefaultCollisionGroupManager", "CollisionGroupManager",
                      "Sofa.Component.Collision.Response.Contact")
        .help("Brings objects that contact forces couple under one integrator, and splits them again")
        .example("component/collision/DefaultCollisionGroupManager.scn")
        .add<DefaultCollisionGroupManager>();

}  // namespace sofa::component
