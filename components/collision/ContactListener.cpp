// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/ContactListener.h"

#include "core/factory/Registry.h"

namespace sofa::component {

ContactListener::ContactListener() { d_listening.setDefault(true); }

void ContactListener::init()
{
    std::string error;
    if (!l_collisionModel1.resolve(error)) return fail("collisionModel1: " + error);
    if (!l_collisionModel2.resolve(error)) return fail("collisionModel2: " + error);
    if (!l_collisionModel1 && !l_collisionModel2)
        return fail("give the link 'collisionModel1' to the model whose contacts are wanted, or two of them");
}

void ContactListener::handleEvent(const Event& e)
{
    if (!dynamic_cast<const CollisionEndEvent*>(&e) || !isValid()) return;
    const CollisionModel *one = l_collisionModel1.get(), *two = l_collisionModel2.get();
    if (!one) std::swap(one, two);
    std::vector<Contact> found;
    for (const auto* pipeline : node()->root().getAll<CollisionPipeline>(Search::Down))
        for (const DetectionOutput* output : pipeline->detected()) {
            const auto [a, b] = output->models;
            const bool direct = a == one && (!two || b == two), turned = b == one && (!two || a == two);
            if (!direct && !turned) continue;
            for (const DetectedContact& c : output->contacts)
                found.push_back(direct
                                    ? Contact{b, c.primitive1, c.primitive2, c.point1, c.point2, c.normal, c.value}
                                    : Contact{a, c.primitive2, c.primitive1, c.point2, c.point1, -c.normal, c.value});
        }
    set(std::move(found));
    onContacts(m_contacts);
}

void ContactListener::set(std::vector<Contact> contacts)
{
    if (contacts.empty() && m_contacts.empty()) return;
    m_contacts = std::move(contacts);
    d_numberOfContacts.setValue(static_cast<unsigned>(m_contacts.size()));
    Vector<double> distances;
    Vector<Vec3> points, others;
    for (const Contact& c : m_contacts) {
        distances.push_back(c.value);
        points.push_back(c.point);
        others.push_back(c.otherPoint);
    }
    d_distances.setValue(std::move(distances));
    d_points1.setValue(std::move(points));
    d_points2.setValue(std::move(others));
}

static const RegisterComponent registeredContactListener =
    RegisterComponent("ContactListener", "CollisionPipeline", "Sofa.Component.Collision.Response.Contact")
        .help("Collects the contacts of a model, or of two models, for programs and other components")
        .example("component/collision/RuleBasedContactManager.scn")
        .add<ContactListener>();

}  // namespace sofa::component
