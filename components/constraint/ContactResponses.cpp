// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/ContactResponse.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "components/constraint/BilateralLagrangianConstraint.h"
#include "components/constraint/LagrangianSolver.h"
#include "components/constraint/UnilateralLagrangianConstraint.h"
#include "core/behavior/Solvers.h"
#include "core/collision/ContactPoints.h"
#include "core/collision/SeenPrimitives.h"
#include "core/objectmodel/Transient.h"

namespace sofa::component {

namespace {

/// Of contacts whose points are within 1e-4 m (root of the sum of both squares, SOFA's bound), keeps the first, and all
/// that were found at the end of the step.
void dropRepeated(const Vector<DetectedContact>& contacts, Vector<DetectedContact>& kept)
{
    constexpr double bound = 1e-8;
    const double reach = std::sqrt(bound);
    // Neighbours along x, so that not all pairs are compared.
    Vector<std::size_t> order(contacts.size()), place(contacts.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return contacts[a].point1[0] < contacts[b].point1[0]; });
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
    Vector<char> taken(contacts.size(), 0);
    kept.clear();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const DetectedContact& c = contacts[k];
        bool repeated = false;
        const auto compare = [&](std::size_t at) {
            const DetectedContact& o = contacts[order[at]];
            if (std::abs(o.point1[0] - c.point1[0]) > reach) return false;
            repeated = !c.atEnd && taken[order[at]] && norm2(o.point1 - c.point1) + norm2(o.point2 - c.point2) < bound;
            return !repeated;
        };
        for (std::size_t at = place[k]; at > 0 && !repeated && compare(at - 1);) --at;
        for (std::size_t at = place[k] + 1; at < order.size() && !repeated && compare(at);) ++at;
        if (repeated) continue;
        taken[k] = 1;
        kept.push_back(c);
    }
}

/// Coefficient of a pair: the geometric mean of those that the models give; `otherwise` if none does.
double mixed(const Data<double>& a, const Data<double>& b, double otherwise)
{
    if (a.isSet() && b.isSet()) return std::sqrt(std::max(0., a.value()) * std::max(0., b.value()));
    if (a.isSet()) return a.value();
    return b.isSet() ? b.value() : otherwise;
}

/// Whether a model moves without an integrator: by a controller, or by the program.
bool isLed(const CollisionModel& m) { return m.d_moving.value() && !m.node()->get<OdeSolver>(Search::Up); }

/// What the responses by constraints share: contact points on both models, and which contacts count.
class ConstraintResponse : public ContactResponse
{
public:
    using ContactResponse::ContactResponse;

    Component* component() const final { return &constraint(); }
    void remove() override { m_points.remove(); }

    std::vector<Base*> inserted() const override
    {
        std::vector<Base*> all{&constraint()};
        m_points.appendNodes(all);
        return all;
    }

protected:
    virtual Component& constraint() const = 0;

    /// Keeps the contacts that count, and puts their points on the models: `add` gets each contact and where it acts.
    template <class Add>
    void place(const Vector<DetectedContact>& contacts, Add add)
    {
        dropRepeated(contacts, m_kept);
        m_points.clear();
        for (const DetectedContact& c : m_kept) add(c, placeContact(m_points, models(), c));
        m_points.finish();
    }

    Node* m_where = nullptr;
    PairPoints m_points;

private:
    Vector<DetectedContact> m_kept;
};

/// Contacts by a UnilateralLagrangianConstraint. The contact begins at the contact distance of the method plus skins
/// and radii.
class UnilateralResponse final : public ConstraintResponse
{
public:
    struct Parameters
    {
        double friction = 0.8;          ///< SOFA's default
        bool frictionOfModels = false;  ///< contactFriction of the models, where they give it
        double tolerance = 0.;
        double epsilon = 0.;            ///< of augmented Lagrangian updates; 0: exact ones
        std::optional<bool> warmStart;  ///< not given: yes, but not with compatibility="sofa"
        std::optional<double> maxSeparationSpeed;
    };

    UnilateralResponse(const ModelPair& models, const Parameters& p) : ConstraintResponse(models), m_parameters(p) {}

    void insert(Node& where, const std::string& name, SharedContactPoints& shared) override
    {
        m_where = &where;
        m_points.share(models(), shared);
        m_constraint = std::make_shared<UnilateralLagrangianConstraint>();
        m_constraint->setName(name);
        setTransient(*m_constraint);
        m_constraint->l_state1.set(&m_points.first().state());
        m_constraint->l_state2.set(&m_points.second().state());
        m_constraint->d_tolerance.setValue(m_parameters.tolerance);
        m_constraint->d_epsilon.setValue(m_parameters.epsilon);
        m_constraint->d_warmStart.setValue(
            m_parameters.warmStart.value_or(where.compatibility() == Compatibility::Exact));
        // What is led by hand pushes at once whatever it has entered.
        const bool led = isLed(*models().first) || isLed(*models().second);
        m_constraint->d_maxSeparationSpeed.setValue(m_parameters.maxSeparationSpeed.value_or(led ? -1. : 0.));
        m_constraint->setFirstPair(number() == 0);
        where.addComponent(m_constraint);
        m_constraint->init();
    }
    void update(const Vector<DetectedContact>& detected, const IntersectionMethod& method) override
    {
        const CollisionModel &a = *models().first, &b = *models().second;
        m_constraint->setSequence(++m_where->scene().contacts);
        Vector<UnilateralLagrangianConstraint::Contact> contacts;
        if (a.d_contactStiffness.value() == 0. || b.d_contactStiffness.value() == 0.) {
            if (!m_reported)
                m_constraint->msgWarning() << "no contacts of '" << a.pathName() << "' and '" << b.pathName()
                                           << "': one of them has contactStiffness 0, which switches contacts off";
            m_reported = true;
            m_constraint->setContacts({});
            return;
        }
        const double begin = method.contactDistance() + a.d_contactDistance.value() + b.d_contactDistance.value();
        const double friction = m_parameters.frictionOfModels
                                    ? mixed(a.d_contactFriction, b.d_contactFriction, m_parameters.friction)
                                    : m_parameters.friction;
        const double restitution = std::clamp(mixed(a.d_contactRestitution, b.d_contactRestitution, 0.), 0., 1.);
        place(detected, [&](const DetectedContact& c, const PlacedContact& p) {
            contacts.push_back({p.point1, p.point2, c.normal, begin + p.radii, c.id, friction, restitution,
                                static_cast<std::int64_t>(c.primitive1) << 32 | c.primitive2, p.round});
        });
        m_constraint->setContacts(std::move(contacts));
    }
    void suspend() override { m_constraint->setContacts({}); }
    void appendForces(Vector<ContactForce>& to) const override
    {
        const auto& contacts = m_constraint->contacts();
        const Vector<Vec3>& forces = m_constraint->d_contactForces.value();
        for (std::size_t k = 0; k < contacts.size(); ++k)
            to.push_back({&m_constraint->state1(), &m_constraint->state2(), contacts[k].point1, contacts[k].point2,
                          k < forces.size() ? forces[k] : Vec3()});
    }

private:
    Component& constraint() const override { return *m_constraint; }

    Parameters m_parameters;
    bool m_reported = false;
    std::shared_ptr<UnilateralLagrangianConstraint> m_constraint;
};

/// Contact points stay together as they are when contact is found: no relative motion in any direction. Once in
/// contact, the pair sticks together even when detection finds it no more (`keepAlive=0`: not then), until a model gets
/// or loses primitives: their numbers may then be those of others.
class StickResponse final : public ConstraintResponse
{
public:
    StickResponse(const ModelPair& models, bool keepAlive) : ConstraintResponse(models), m_keepAlive(keepAlive) {}

    void insert(Node& where, const std::string& name, SharedContactPoints&) override
    {
        m_where = &where;
        m_points.create(models(), name);
        m_constraint = std::make_shared<BilateralLagrangianConstraint<Vec3Types>>();
        m_constraint->setName(name);
        setTransient(*m_constraint);
        m_constraint->l_state1.set(&m_points.first().state());
        m_constraint->l_state2.set(&m_points.second().state());
        where.addComponent(m_constraint);
        m_constraint->init();
    }
    void update(const Vector<DetectedContact>& detected, const IntersectionMethod&) override
    {
        Vector<Index> firstPoints, secondPoints;
        BilateralLagrangianConstraint<Vec3Types>::VecDeriv rest;
        place(detected, [&](const DetectedContact&, const PlacedContact& p) {
            firstPoints.push_back(p.point1);
            secondPoints.push_back(p.point2);
            rest.push_back(p.apart);
        });
        m_constraint->d_firstPoint.setValue(std::move(firstPoints));
        m_constraint->d_secondPoint.setValue(std::move(secondPoints));
        m_constraint->d_restVector.setValue(std::move(rest));
        m_constraint->d_activate.setValue(true);
        m_seen.see(*models().first, *models().second);
    }
    void suspend() override { m_constraint->d_activate.setValue(false); }
    void appendForces(Vector<ContactForce>& to) const override
    {
        const Vector<Index>&first = m_constraint->d_firstPoint.value(), &second = m_constraint->d_secondPoint.value();
        if (!m_constraint->d_activate.value()) return;
        const auto* solver = m_where->get<LagrangianSolver>(Search::Up);
        const Vector<double> rows = solver ? solver->forcesOf(*m_constraint) : Vector<double>();
        for (std::size_t k = 0; k < first.size() && k < second.size(); ++k) {
            Vec3 force;
            if (3 * k + 3 <= rows.size()) force = {rows[3 * k], rows[3 * k + 1], rows[3 * k + 2]};
            to.push_back({&m_constraint->state1(), &m_constraint->state2(), first[k], second[k], force});
        }
    }
    bool keepsAlive() const override { return m_keepAlive && m_seen.areStill(*models().first, *models().second); }
    void resume() override
    {
        m_points.finish();
        m_constraint->d_activate.setValue(true);
    }
    void archive(Archive& a) override
    {
        const auto keep = [&a](auto& data) {
            auto value = data.value();
            a(value);
            if (a.loading()) data.setValue(std::move(value));
        };
        keep(m_constraint->d_firstPoint);
        keep(m_constraint->d_secondPoint);
        keep(m_constraint->d_restVector);
        keep(m_constraint->d_activate);
        m_seen.archive(a, *models().first, *models().second);
    }

private:
    Component& constraint() const override { return *m_constraint; }

    bool m_keepAlive;
    SeenPrimitives m_seen;  ///< at the last update
    std::shared_ptr<BilateralLagrangianConstraint<Vec3Types>> m_constraint;
};

UnilateralResponse::Parameters readParameters(const ResponseParameters& p)
{
    UnilateralResponse::Parameters out;
    out.tolerance = p.number("tol").value_or(0.);
    out.warmStart = p.flag("warmStart");
    out.maxSeparationSpeed = p.number("maxSeparationSpeed");
    if (!(out.tolerance >= 0.)) throw std::runtime_error("tol: expected a number that is not negative");
    return out;
}

[[maybe_unused]] const bool registeredContactResponses = [] {
    const auto friction = [](const ModelPair& m, const ResponseParameters& p) {
        auto parameters = readParameters(p);
        parameters.friction = p.number("mu").value_or(parameters.friction);
        parameters.frictionOfModels = p.flag("modelFriction").value_or(false);
        if (!(parameters.friction >= 0.))
            throw std::runtime_error("mu: expected a coefficient of friction that is not negative");
        return std::make_unique<UnilateralResponse>(m, parameters);
    };
    const auto augmented = [](const ModelPair& m, const ResponseParameters& p) {
        auto parameters = readParameters(p);
        parameters.friction = p.number("mu").value_or(0.);
        parameters.epsilon = p.number("epsilon").value_or(0.);
        if (!(parameters.friction >= 0.) || !(parameters.epsilon >= 0.))
            throw std::runtime_error("mu, epsilon: expected numbers that are not negative");
        return std::make_unique<UnilateralResponse>(m, parameters);
    };
    const auto frictionless = [](const ModelPair& m, const ResponseParameters& p) {
        auto parameters = readParameters(p);
        parameters.friction = 0.;
        return std::make_unique<UnilateralResponse>(m, parameters);
    };
    const auto stick = [](const ModelPair& m, const ResponseParameters& p) {
        return std::make_unique<StickResponse>(m, p.flag("keepAlive").value_or(true));
    };
    constexpr bool isNonPenetrating = true;
    registerContactResponse("FrictionContactConstraint", friction, isNonPenetrating);
    registerContactResponse("FrictionContact", friction, isNonPenetrating);
    registerContactResponse("AugmentedLagrangianResponseConstraint", augmented, isNonPenetrating);
    registerContactResponse("FrictionlessContactConstraint", frictionless, isNonPenetrating);
    registerContactResponse("FrictionlessContact", frictionless, isNonPenetrating);
    registerContactResponse("StickContactConstraint", stick, isNonPenetrating, true);
    registerContactResponse("StickContact", stick, isNonPenetrating, true);
    return true;
}();

}  // namespace

}  // namespace sofa::component
