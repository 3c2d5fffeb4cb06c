// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "core/collision/ContactResponse.h"
#include "core/factory/Registry.h"

namespace sofa::component {

using namespace sofa::core;

namespace {

/// Gives each pair of models in contact the response that the scene names: that of the manager, or that of the models
/// where both want the same one, or one wants one.
class CollisionResponse : public ContactManager
{
public:
    Data<std::string> d_response{
        this, {.name = "response", .help = "Response to contacts, by its name (PenalityContactForceField, ...)"}};

    CollisionResponse() { ignoreAttribute("responseParams", "the responses that there are take none"); }
    void init() override
    {
        if (!d_response.isSet() || d_response.value().empty()) return fail("give 'response': " + known());
        if (!findContactResponse(d_response.value()))
            fail("there is no response '" + d_response.value() + "'; known are " + known());
    }
    void removeResponses() override
    {
        for (auto& r : m_responses) r->suspend();
    }
    void cleanup() override { removeAll(); }
    void reset() override { removeAll(); }

    void respond(const std::vector<DetectionOutput>& outputs, const IntersectionMethod& method, Node& scene) override
    {
        // Those of pairs that are in contact no more.
        std::erase_if(m_responses, [&](const std::unique_ptr<ContactResponse>& r) {
            const bool gone =
                std::ranges::none_of(outputs, [&](const DetectionOutput& o) { return o.models == r->models(); });
            if (gone) r->remove();
            return gone;
        });
        std::vector<std::unique_ptr<ContactResponse>> present;
        for (const DetectionOutput& o : outputs) {
            auto it = std::ranges::find_if(
                m_responses, [&](const std::unique_ptr<ContactResponse>& r) { return r && r->models() == o.models; });
            if (it != m_responses.end()) {
                present.push_back(std::move(*it));
            } else if (auto fresh = create(o.models)) {
                fresh->insert(placeOf(o.models, scene), o.models.first->name() + "-" + o.models.second->name());
                present.push_back(std::move(fresh));
            } else {
                continue;
            }
            present.back()->update(o.contacts, method);
        }
        m_responses = std::move(present);
        countContacts(scene);
    }

private:
    static std::string known()
    {
        std::string text;
        for (const std::string& n : contactResponseNames()) text += (text.empty() ? "" : ", ") + n;
        return text;
    }
    std::string nameFor(const ModelPair& m) const
    {
        const std::string &a = m.first->d_contactResponse.value(), &b = m.second->d_contactResponse.value();
        if (a.empty() && b.empty()) return d_response.value();
        if (a.empty() || a == b) return b;
        return b.empty() ? a : d_response.value();
    }
    std::unique_ptr<ContactResponse> create(const ModelPair& m)
    {
        const std::string name = nameFor(m);
        if (name == "nullptr") return nullptr;  // contacts that shall have no response
        const ResponseCreator* creator = findContactResponse(name);
        auto response = creator ? (*creator)(m) : nullptr;
        if (!response && std::ranges::find(m_refused, m) == m_refused.end()) {
            m_refused.push_back(m);
            msgError() << "no response '" << name << "' for the " << nameOf(m.first->shape()) << " of '"
                       << m.first->pathName() << "' and the " << nameOf(m.second->shape()) << " of '"
                       << m.second->pathName() << "'"
                       << (creator ? std::string(": it cannot handle them") : "; known are " + known());
        }
        return response;
    }
    /// With a model that nothing moves, the response belongs to the other one; else to both, so to the scene.
    static Node& placeOf(const ModelPair& m, Node& scene)
    {
        if (!m.first->d_simulated.value()) return *m.second->node();
        if (!m.second->d_simulated.value()) return *m.first->node();
        return scene;
    }
    void countContacts(Node& scene) const
    {
        for (auto* model : scene.getAll<CollisionModel>(Search::Down)) {
            unsigned n = 0;
            for (const auto& r : m_responses)
                if (r->models().first == model || r->models().second == model) ++n;
            if (n != model->d_numberOfContacts.value()) model->d_numberOfContacts.setValue(n);
        }
    }
    void removeAll()
    {
        for (auto& r : m_responses) r->remove();
        m_responses.clear();
    }

    std::vector<std::unique_ptr<ContactResponse>> m_responses;  ///< in the order of the detection
    std::vector<ModelPair> m_refused;
};

const RegisterComponent registered =
    RegisterComponent("CollisionResponse", "ContactManager", "Sofa.Component.Collision.Response.Contact")
        .help("Responds to detected contacts in the way that the scene names")
        .example("component/collision/Spheres.scn")
        .add<CollisionResponse>();

}  // namespace

}  // namespace sofa::component
