// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/MouseSprings.h"
#include "core/behavior/ConstraintCorrection.h"
#include "core/collision/ContactPoints.h"
#include "core/interaction/MouseInteractor.h"
#include "core/objectmodel/Transient.h"

namespace sofa::component {

namespace {

/// The picked place as a point of a state of its own, or a point of the body's state; and a component that acts on it.
class PointHold
{
public:
    /// False, with the reason in `why`, for what nothing moves.
    bool take(const Picked& picked, std::string& why)
    {
        if (picked.model) {
            if (!picked.model->d_simulated.value()) {
                why = "nothing moves '" + picked.model->pathName() + "'";
                return false;
            }
            m_points = ContactPoints::create(*picked.model, "mouse");
            m_points->clear();
            m_point = m_points->add(picked.index, picked.point);
            m_points->finish();
            m_state = &m_points->state();
            m_offset = position() - picked.point;
            return true;
        }
        m_state = dynamic_cast<State<Vec3Types>*>(picked.state);
        m_point = picked.index;
        if (!m_state) why = "'" + picked.state->pathName() + "' has no points";
        return m_state != nullptr;
    }
    template <class C>
    C& add()
    {
        auto c = std::make_shared<C>();
        c->setName("mouse");
        setTransient(*c);
        c->l_state.set(m_state);
        m_where = m_state->node();
        m_where->addComponent(c);
        c->init();
        m_component = c;
        return *c;
    }
    void drop()
    {
        if (m_component) m_where->removeComponent(*m_component);
        m_component.reset();
        if (m_points) m_points->remove();
        m_points.reset();
        m_state = nullptr;
    }
    Index point() const { return m_point; }
    /// Where the point has to be for the picked place to be at `target`: it is the centre of a picked sphere.
    Vec3 anchorFor(const Vec3& target) const { return target + m_offset; }
    Vec3 position() const { return m_state->positions()[m_point]; }
    ~PointHold() { drop(); }

private:
    std::unique_ptr<ContactPoints> m_points;
    State<Vec3Types>* m_state = nullptr;
    Index m_point = 0;
    Vec3 m_offset;
    Node* m_where = nullptr;
    std::shared_ptr<Component> m_component;
};

/// Pulls the picked place by a spring; with a response time, the anchor of the spring follows the mouse gently, so that
/// heavy and stiff bodies are not jerked.
class AttachBody final : public InteractionPerformer
{
public:
    AttachBody(double stiffness, double response) : m_stiffness(stiffness), m_response(response) {}
    bool start(Node&, const Picked& picked, std::string& why) override
    {
        if (!m_hold.take(picked, why)) return false;
        m_springs = &m_hold.add<MouseSprings>();
        m_springs->springs = {{m_hold.point(), m_hold.position(), m_stiffness}};
        m_springs->follow(m_hold.position(), m_response);
        return true;
    }
    void move(const Vec3& target) override
    {
        if (m_response > 0.)
            m_springs->follow(m_hold.anchorFor(target), m_response);
        else
            m_springs->springs.front().anchor = m_hold.anchorFor(target);
    }
    void stop() override { m_hold.drop(); }

private:
    double m_stiffness, m_response;
    PointHold m_hold;
    MouseSprings* m_springs = nullptr;
};

/// Fixes the corners of the picked primitive where they are, by springs that share the stiffness; they stay when the
/// button is released. (SOFA pulls the corners to the middle of the primitive.)
class FixParticle final : public InteractionPerformer
{
public:
    explicit FixParticle(double stiffness) : m_stiffness(stiffness) {}
    bool start(Node&, const Picked& picked, std::string& why) override
    {
        auto* points = dynamic_cast<State<Vec3Types>*>(picked.state);
        // Points of a body that is a mesh are fixed themselves; else the place on it.
        const Picked single{nullptr, picked.state, picked.index, picked.point, picked.distance};
        if (picked.model && !picked.model->d_simulated.value()) {
            why = "nothing moves '" + picked.model->pathName() + "'";
            return false;
        }
        if (!m_hold.take(points && picked.model ? single : picked, why)) return false;
        MouseSprings& springs = m_hold.add<MouseSprings>();
        if (points && picked.model) {
            const auto v = picked.model->vertices(picked.index);
            for (const Index i : v)
                springs.springs.push_back({i, points->positions()[i], m_stiffness / static_cast<double>(v.size())});
        } else {
            springs.springs = {{m_hold.point(), m_hold.position(), m_stiffness}};
        }
        return true;
    }
    void move(const Vec3&) override {}
    void stop() override {}
    bool outlastsButton() const override { return true; }
    void undo() override { m_hold.drop(); }

private:
    double m_stiffness;
    PointHold m_hold;
};

/// Holds the picked place at the mouse by constraint forces.
class ConstraintAttachBody final : public InteractionPerformer
{
public:
    bool start(Node& scene, const Picked& picked, std::string& why) override
    {
        if (!scene.get<ConstraintSolver>(Search::Down)) {
            why = "constraints need a FreeMotionAnimationLoop with a constraint solver";
            return false;
        }
        if (!m_hold.take(picked, why)) return false;
        m_constraint = &m_hold.add<MouseConstraint>();
        m_constraint->point = m_hold.point();
        m_constraint->anchor = m_hold.position();
        return true;
    }
    void move(const Vec3& target) override { m_constraint->anchor = m_hold.anchorFor(target); }
    void stop() override { m_hold.drop(); }

private:
    PointHold m_hold;
    MouseConstraint* m_constraint = nullptr;
};

[[maybe_unused]] const bool registered = [] {
    registerPerformer("AttachBody",
                      [](const PerformerSettings& s) { return std::make_unique<AttachBody>(s.stiffness, 0.); });
    registerPerformer("InertialAttachBody",
                      [](const PerformerSettings& s) { return std::make_unique<AttachBody>(s.stiffness, s.response); });
    registerPerformer("FixParticle",
                      [](const PerformerSettings& s) { return std::make_unique<FixParticle>(s.stiffness); });
    registerPerformer("ConstraintAttachBody",
                      [](const PerformerSettings&) { return std::make_unique<ConstraintAttachBody>(); });
    return true;
}();

}  // namespace

}  // namespace sofa::component
