// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/CollisionResponse.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/factory/Registry.h"
#include "core/objectmodel/Transient.h"

namespace sofa::component {

namespace {

std::string known()
{
    std::string text;
    for (const std::string& n : contactResponses().names()) text += (text.empty() ? "" : ", ") + n;
    return text;
}

/// Name and parameters of "name?parameters".
std::pair<std::string, std::string> split(const std::string& response)
{
    const std::size_t mark = response.find('?');
    if (mark == std::string::npos) return {response, {}};
    return {response.substr(0, mark), response.substr(mark + 1)};
}

/// Tells both models that one contact more, or less, concerns them.
void count(const ModelPair& m, int change)
{
    for (const CollisionModel* model : {m.first, m.second == m.first ? nullptr : m.second})
        if (model)
            model->d_numberOfContacts.setValue(model->d_numberOfContacts.value() + static_cast<unsigned>(change));
}

/// Takes responses out of the scene: their components, which often are many of one node, together.
void takeOut(const std::vector<std::unique_ptr<ContactResponse>>& responses)
{
    std::vector<std::pair<Node*, std::vector<Component*>>> nodes;
    std::unordered_map<const Node*, std::size_t> places;
    for (const auto& r : responses) {
        Component* const c = r->component();
        if (!c || !c->node()) continue;
        const auto [at, isNew] = places.emplace(c->node(), nodes.size());
        if (isNew) nodes.push_back({c->node(), {}});
        nodes[at->second].second.push_back(c);
    }
    for (const auto& [node, components] : nodes) node->removeComponents(components);
    for (const auto& r : responses) {
        r->remove();
        count(r->models(), -1);
    }
}

}  // namespace

void CollisionResponse::init()
{
    if (d_response.value().empty()) d_response.resetToDefault();
    if (!d_response.isSet())
        message(Severity::Advice, "no 'response' is given: it is " + d_response.value() + "; there are " + known());
    checkName(ownResponse(), "");
}

void CollisionResponse::reinit()
{
    setValid(true);
    removeAll();
    m_refused.clear();
    init();
}

bool CollisionResponse::checkName(const std::string& response, const std::string& what)
{
    const auto [name, parameters] = split(response);
    if (name != "nullptr" && !contactResponses().find(name)) {
        std::string text = what + "there is no response '" + name + "'; known are " + known();
        if (name.ends_with("LMConstraint"))
            text += ". What it did in SOFA before 2013, FrictionContactConstraint does with a FreeMotionAnimationLoop";
        fail(text);
        return false;
    }
    try {
        (void)ResponseParameters(parameters);
    } catch (const std::runtime_error& e) {
        fail(what + e.what());
        return false;
    }
    return true;
}

void CollisionResponse::removeResponses()
{
    for (auto& r : m_responses) r->suspend();
}

void CollisionResponse::respond(const std::vector<DetectionOutput>& outputs, const IntersectionMethod& method,
                                Node& scene)
{
    // By the serial numbers of the models, to look them up only: the order is that of the detection.
    const auto key = [](const ModelPair& m) { return std::pair(m.first->serial(), m.second->serial()); };
    std::vector<std::pair<std::pair<std::uint64_t, std::uint64_t>, std::unique_ptr<ContactResponse>*>> known;
    for (auto& r : m_responses) known.emplace_back(key(r->models()), &r);
    std::ranges::sort(known);
    std::vector<std::unique_ptr<ContactResponse>> before(outputs.size()), present, left;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const auto wanted = key(outputs[k].models);
        const auto it = std::ranges::lower_bound(known, wanted, {}, [](const auto& e) { return e.first; });
        if (it != known.end() && it->first == wanted) before[k] = std::move(*it->second);
    }
    m_points.clear();
    unsigned contacts = 0;
    for (auto& r : m_responses) {  // those left are of pairs that are in contact no more
        if (!r) continue;
        const bool stays = r->keepsAlive();
        if (stays) r->resume();
        (stays ? present : left).push_back(std::move(r));
    }
    takeOut(left);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const DetectionOutput& o = outputs[k];
        if (before[k]) {
            present.push_back(std::move(before[k]));
        } else if (auto fresh = create(o.models)) {
            insert(*fresh, m_created++, scene);
            present.push_back(std::move(fresh));
        } else {
            continue;
        }
        present.back()->update(o.contacts, method);
        contacts += static_cast<unsigned>(o.contacts.size());
    }
    d_contacts.setValue(contacts);
    m_responses = std::move(present);
    m_points.finish();
}

std::vector<Base*> CollisionResponse::takenAway() const
{
    std::vector<Base*> all;
    for (const auto& r : m_responses) {
        const std::vector<Base*> inserted = r->inserted();
        all.insert(all.end(), inserted.begin(), inserted.end());
    }
    return all;
}

void CollisionResponse::insert(ContactResponse& response, std::uint64_t number, Node& scene)
{
    const ModelPair& m = response.models();
    response.setNumber(number);
    response.insert(placeOf(m, scene), m.first->name() + "-" + m.second->name(), m_points);
    for (Base* object : response.inserted()) setTransient(*object);
    count(m, 1);
}

void CollisionResponse::reset()
{
    removeAll();
    m_created = 0;
    d_contacts.setValue(0);
}

void CollisionResponse::archiveResponses(Archive& a, Node& scene)
{
    if (a.loading()) removeAll();
    const std::vector<CollisionModel*> models = scene.getAll<CollisionModel>(Search::Root);
    std::unordered_map<const CollisionModel*, std::uint64_t> places;
    for (const CollisionModel* m : models) places.emplace(m, places.size());
    // Contacts of models that have left the scene end with that.
    const auto isThere = [&](const CollisionModel* m) { return places.contains(m); };
    std::vector<std::unique_ptr<ContactResponse>> stay, left;
    for (auto& r : m_responses)
        (isThere(r->models().first) && isThere(r->models().second) ? stay : left).push_back(std::move(r));
    m_responses = std::move(stay);
    takeOut(left);
    if (!left.empty()) m_points.finish();
    Vector<std::uint64_t> shared;                // the models that have points
    Vector<std::array<std::uint64_t, 3>> known;  // of each response both models, and its number
    for (const CollisionModel* m : m_points.models())
        if (isThere(m)) shared.push_back(places.at(m));
    for (const auto& r : m_responses)
        known.push_back({places.at(r->models().first), places.at(r->models().second), r->number()});
    a(m_created);
    a(shared);
    a(known);
    if (a.loading()) restore(shared, known, models, scene);
    for (const auto& r : m_responses) r->archive(a);
}

void CollisionResponse::restore(const Vector<std::uint64_t>& shared, const Vector<std::array<std::uint64_t, 3>>& known,
                                const std::vector<CollisionModel*>& models, Node& scene)
{
    const auto model = [&](std::uint64_t place) {
        if (place >= models.size()) throw std::runtime_error("it holds contacts of models that this one does not have");
        return models[place];
    };
    std::vector<std::unique_ptr<ContactResponse>> made;
    for (const auto& [first, second, number] : known) {
        const ModelPair m{model(first), model(second)};
        made.push_back(create(m));
        if (!made.back())
            throw std::runtime_error("it holds contacts of '" + m.first->pathName() + "' and '" + m.second->pathName() +
                                     "', which have no response here");
    }
    // In the order in which they were made: sums over children and forces are in this order.
    for (const std::uint64_t place : shared) (void)m_points.of(*model(place));
    Vector<std::size_t> order(made.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t k) { return known[k][2]; });
    for (const std::size_t k : order) insert(*made[k], known[k][2], scene);
    m_responses = std::move(made);
}

std::vector<ContactResponse*> CollisionResponse::responses() const
{
    std::vector<ContactResponse*> all;
    for (const auto& r : m_responses) all.push_back(r.get());
    return all;
}

std::string CollisionResponse::ownResponse() const
{
    return d_responseParams.value().empty() ? d_response.value() : d_response.value() + '?' + d_responseParams.value();
}

std::string CollisionResponse::responseFor(const ModelPair& m) const
{
    const std::string &a = m.first->d_contactResponse.value(), &b = m.second->d_contactResponse.value();
    if (a.empty() && b.empty()) return ownResponse();
    if (a.empty() || a == b) return b;
    return b.empty() ? a : ownResponse();
}

bool CollisionResponse::isNonPenetrating(const ModelPair& m) const
{
    const auto isOn = [](const CollisionModel* model) { return model->d_contactStiffness.value() != 0.; };
    if (!isOn(m.first) || !isOn(m.second)) return false;
    const auto kind = contactResponses().find(split(responseFor(m)).first);
    return kind && kind->isNonPenetrating;
}

bool CollisionResponse::sticks(const ModelPair& m) const
{
    const auto kind = contactResponses().find(split(responseFor(m)).first);
    return kind && kind->sticks;
}

std::unique_ptr<ContactResponse> CollisionResponse::create(const ModelPair& m)
{
    const auto [name, parameterText] = split(responseFor(m));
    if (name == "nullptr") return nullptr;  // contacts that shall have no response
    const auto kind = contactResponses().find(name);
    if (!kind) {
        refuse(m, "no response '" + name + "'; known are " + known());
        return nullptr;
    }
    try {
        const ResponseParameters parameters(parameterText);
        auto response = kind->create(m, parameters);
        if (!response) {
            refuse(m, "the response '" + name + "' cannot handle them");
            return nullptr;
        }
        if (const auto unknown = parameters.unknown(); !unknown.empty())
            refuse(m, "the response '" + name + "' has no parameter '" + unknown.front() + "', it is ignored");
        return response;
    } catch (const std::runtime_error& e) {
        refuse(m, e.what());
        return nullptr;
    }
}

void CollisionResponse::refuse(const ModelPair& m, const std::string& why)
{
    if (std::ranges::find(m_refused, m) != m_refused.end()) return;
    m_refused.push_back(m);
    msgError() << "contacts of the " << nameOf(m.first->shape()) << " of '" << m.first->pathName() << "' and the "
               << nameOf(m.second->shape()) << " of '" << m.second->pathName() << "': " << why;
}

void CollisionResponse::removeAll()
{
    takeOut(m_responses);
    m_responses.clear();
    m_points.finish();
}

static const RegisterComponent registeredCollisionResponse =
    RegisterComponent("CollisionResponse", "ContactManager", "Sofa.Component.Collision.Response.Contact")
        .help("Responds to detected contacts in the way that the scene names")
        .example("component/collision/Spheres.scn")
        .add<CollisionResponse>();

}  // namespace sofa::component
