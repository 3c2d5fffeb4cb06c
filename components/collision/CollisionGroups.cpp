// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/CollisionGroups.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <unordered_map>

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

std::vector<std::vector<Node*>> DefaultCollisionGroupManager::connectedParts(const std::vector<Couple>& couples)
{
    std::vector<Node*> objects;
    std::map<const Node*, std::size_t> vertices;
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
    std::vector<std::vector<Node*>> parts(count);
    for (std::size_t i = 0; i < objects.size(); ++i) parts[part[i]].push_back(objects[i]);
    return parts;
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
            if (!theirs || d->isReadOnly() || d->name() == "name" || theirs->text() == d->text()) continue;
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
    // That of the highest rank, with a direct linear solver before others, then the first.
    const auto rank = [](const Node* n) {
        return 2 * integratorOf(*n).couplingRank() +
               int(dynamic_cast<AssembledLinearSolver*>(linearSolverOf(*n)) != nullptr);
    };
    const Node& source = **std::ranges::max_element(objects, {}, rank);
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
        to.addComponent(copy);
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

std::size_t DefaultCollisionGroupManager::find(const std::vector<Node*>& objects) const
{
    const auto groupOf = [this](const Node* n) {
        const auto it = m_groupOf.find(n);
        return it == m_groupOf.end() ? m_groups.size() : it->second;
    };
    const std::size_t g = groupOf(objects.front());
    if (g == m_groups.size() || m_groups[g].objects.size() != objects.size()) return m_groups.size();
    return std::ranges::all_of(objects, [&](const Node* n) { return groupOf(n) == g; }) ? g : m_groups.size();
}

void DefaultCollisionGroupManager::create(std::vector<std::vector<Node*>> parts, Node& scene)
{
    if (parts.empty()) return;
    std::unordered_map<const Node*, std::size_t> places;
    for (const Node* n : scene.root().descendants(true)) places.emplace(n, places.size());
    unsigned number = 0;
    for (std::vector<Node*>& objects : parts) {
        const std::vector<Node*> asFound = objects;
        if (!canJoin(objects, scene)) {
            m_refused.push_back(asFound);
            continue;
        }
        std::ranges::sort(objects, {}, [&](const Node* n) { return places.at(n); });
        while (scene.child("collisionGroup" + std::to_string(number))) ++number;
        if (!join(objects, "collisionGroup" + std::to_string(number), scene)) m_refused.push_back(asFound);
    }
}

bool DefaultCollisionGroupManager::join(const std::vector<Node*>& objects, const std::string& name, Node& scene)
{
    Group g;
    g.node = addTransientChild(scene, name);
    for (Node* n : objects) {
        g.objects.push_back(n->shared_from_this());
        g.node->addChild(g.objects.back());
        integratorOf(*n).setSuspended(true);
    }
    bool good = false;
    try {
        good = copySolvers(objects, *g.node);
    } catch (const std::runtime_error& e) {
        tellOnce(std::string("the solvers of '") + objects.front()->pathName() + "' cannot be copied: " + e.what());
    }
    if (good)
        m_groups.push_back(std::move(g));
    else
        split(g);
    return good;
}

void DefaultCollisionGroupManager::split(Group& g)
{
    for (auto n = g.objects.rbegin(); n != g.objects.rend(); ++n) {  // the last one is found at once
        g.node->removeChild(**n);
        for (OdeSolver* s : (*n)->getAll<OdeSolver>()) {
            s->setSuspended(false);
            s->reset();  // what it remembers of the steps before is out of date
        }
    }
    const std::vector<Node*> parents = g.node->parents();
    for (Node* p : parents) p->removeChild(*g.node);
}

void DefaultCollisionGroupManager::numberGroups()
{
    m_groupOf.clear();
    for (std::size_t k = 0; k < m_groups.size(); ++k)
        for (const auto& n : m_groups[k].objects) m_groupOf[n.get()] = k;
    if (d_groupCount.value() != m_groups.size()) d_groupCount.setValue(static_cast<unsigned>(m_groups.size()));
}

std::vector<DefaultCollisionGroupManager::Couple> DefaultCollisionGroupManager::couplesOf(
    const std::vector<ContactResponse*>& responses)
{
    std::map<const CollisionModel*, Node*> objects;
    const auto object = [&](const CollisionModel* m) {
        const auto [it, isNew] = objects.emplace(m, nullptr);
        if (isNew) it->second = objectOf(*m);
        return it->second;
    };
    std::vector<Couple> couples;
    for (ContactResponse* r : responses)
        if (r->forceNode()) couples.push_back({r, object(r->models().first), object(r->models().second)});
    return couples;
}

void DefaultCollisionGroupManager::regroup(const std::vector<ContactResponse*>& responses, Node& scene)
{
    if (!d_active.value()) {
        if (!m_groups.empty()) dissolve(responses, &scene);
        return;
    }
    const std::vector<Couple> couples = couplesOf(responses);
    std::vector<std::vector<Node*>> parts = connectedParts(couples);

    // Groups that are no more: their forces go home first.
    std::vector<char> stays(m_groups.size() + 1, 0);
    for (const auto& part : parts) stays[find(part)] = 1;
    std::unordered_map<const Node*, std::vector<ContactResponse*>> forces;  // of groups, by their nodes
    for (const Couple& c : couples) forces[c.response->forceNode()].push_back(c.response);
    std::vector<Group> kept;
    for (std::size_t k = 0; k < m_groups.size(); ++k) {
        if (stays[k]) {
            kept.push_back(std::move(m_groups[k]));
            continue;
        }
        for (ContactResponse* r : forces[m_groups[k].node.get()]) r->moveForces(placeOf(r->models(), scene));
        split(m_groups[k]);
    }
    m_groups = std::move(kept);
    numberGroups();
    std::erase_if(parts, [this](const std::vector<Node*>& part) {
        return find(part) != m_groups.size() || std::ranges::find(m_refused, part) != m_refused.end();
    });
    create(std::move(parts), scene);
    numberGroups();
    placeForces(couples, scene);
}

void DefaultCollisionGroupManager::placeForces(const std::vector<Couple>& couples, Node& scene)
{
    for (const Couple& c : couples) {
        Node* place = &placeOf(c.response->models(), scene);
        if (c.a && c.a == c.b) {
            place = c.a;
        } else if (c.a && c.b) {
            const auto g = m_groupOf.find(c.a);
            if (g != m_groupOf.end()) place = m_groups[g->second].node.get();
        }
        if (c.response->forceNode() != place) c.response->moveForces(*place);
    }
}

void DefaultCollisionGroupManager::dissolve(const std::vector<ContactResponse*>& responses, Node* scene)
{
    for (ContactResponse* r : responses)
        if (scene && r->forceNode()) r->moveForces(placeOf(r->models(), *scene));
    for (Group& g : m_groups) split(g);
    m_groups.clear();
    m_refused.clear();
    numberGroups();
}

void DefaultCollisionGroupManager::archiveGroups(Archive& a, const std::vector<ContactResponse*>& responses,
                                                 Node& scene, std::vector<Base*>& made)
{
    if (a.loading()) dissolve(responses, &scene);
    // Objects are told apart by the places of their integrators in the scene, without those of groups.
    std::vector<OdeSolver*> integrators = scene.getAll<OdeSolver>(Search::Root);
    std::erase_if(integrators, [](const OdeSolver* s) { return isTransient(*s->node()); });
    const auto archiveObjects = [&](std::vector<Node*>& objects) {
        Vector<std::uint64_t> places;
        for (const Node* n : objects)
            places.push_back(static_cast<std::uint64_t>(
                std::ranges::find(integrators, n, [](const OdeSolver* s) { return s->node(); }) - integrators.begin()));
        a(places);
        if (!a.loading()) return;
        for (const std::uint64_t k : places) {
            if (k >= integrators.size()) throw std::runtime_error("it holds groups of objects that this one has not");
            objects.push_back(integrators[k]->node());
        }
    };
    std::uint64_t refused = m_refused.size(), groups = m_groups.size();
    a(refused);
    a(groups);
    m_refused.resize(refused);
    for (std::vector<Node*>& objects : m_refused) archiveObjects(objects);
    for (std::uint64_t k = 0; k < groups; ++k) {
        std::vector<Node*> objects;
        std::string name;
        if (!a.loading()) {
            name = m_groups[k].node->name();
            for (const auto& n : m_groups[k].objects) objects.push_back(n.get());
        }
        a(name);
        archiveObjects(objects);
        if (a.loading() && (objects.empty() || !join(objects, name, scene)))
            throw std::runtime_error("its group '" + name + "' cannot be formed here");
        made.push_back(m_groups[k].node.get());
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
