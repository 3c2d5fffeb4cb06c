// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/collision/CollisionDetection.h"

namespace sofa::component {

using namespace sofa::core;

/// Collects the contacts of a model, or of two models with each other, in every step. Programs read them after a step
/// or derive from the class and override `onContacts`; scenes read the Data.
///
/// They are those of the present step (SOFA's listener returns those of the step before).
class ContactListener : public Component
{
public:
    Link<CollisionModel> l_collisionModel1{this, {"collisionModel1", "Model whose contacts are collected"}};
    Link<CollisionModel> l_collisionModel2{
        this, {"collisionModel2", "The other model; default: any. Given alone, it counts as the first one"}};
    Data<unsigned> d_numberOfContacts{
        this,
        {.name = "numberOfContacts", .help = "Contacts in the present step", .readOnly = true, .saved = false},
        0u};
    Data<Vector<double>> d_distances{this,
                                     {.name = "distances",
                                      .help = "Of each contact, distance minus that at which it begins: negative where "
                                              "the models touch",
                                      .unit = "m",
                                      .readOnly = true,
                                      .saved = false}};
    Data<Vector<Vec3>> d_points1{this,
                                 {.name = "points1",
                                  .help = "Point of each contact on the first model",
                                  .unit = "m",
                                  .readOnly = true,
                                  .saved = false}};
    Data<Vector<Vec3>> d_points2{this,
                                 {.name = "points2",
                                  .help = "Point of each contact on the other model",
                                  .unit = "m",
                                  .readOnly = true,
                                  .saved = false}};

    /// A contact as seen from the first model of the listener.
    struct Contact
    {
        const CollisionModel* other;  ///< model that it touches
        Index primitive = 0, otherPrimitive = 0;
        Vec3 point, otherPoint;  ///< [m]
        Vec3 normal;             ///< unit vector from the first to the other model
        double value = 0.;       ///< distance minus that at which the contact begins [m]
    };

    ContactListener();
    void init() override;
    void reset() override { set({}); }
    void handleEvent(const Event& e) override;

    /// Contacts of the present step, in the order of the detection.
    const std::vector<Contact>& contacts() const { return m_contacts; }

protected:
    /// Called after each detection, also when there is none.
    virtual void onContacts(const std::vector<Contact>&) {}

private:
    void set(std::vector<Contact> contacts);

    std::vector<Contact> m_contacts;
};

}  // namespace sofa::component
