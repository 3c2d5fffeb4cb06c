// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <limits>

#include "components/interaction/MouseSprings.h"
#include "components/interaction/PointHold.h"
#include "core/behavior/ConstraintCorrection.h"
#include "core/interaction/MouseInteractor.h"

namespace sofa::component {

namespace {

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
    bool isLost() const override { return m_hold.isLost(); }
    std::optional<Vec3> force() const override
    {
        if (!m_springs || m_springs->springs.empty()) return {};
        const MouseSprings::Spring& s = m_springs->springs.front();
        if (s.point >= m_springs->state().size()) return {};
        return (s.anchor - m_springs->state().pointPosition(s.point)) * s.stiffness;
    }

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
        auto* points = dynamic_cast<State<Vec3Types>*>(picked.state.get());
        // Points of a body that is a mesh are fixed themselves; else the place on it.
        Picked single = picked;
        single.model = nullptr;
        if (picked.model && !picked.model->d_simulated.value()) {
            why = "nothing moves '" + picked.model->pathName() + "'";
            return false;
        }
        if (!m_hold.take(points && picked.model ? single : picked, why)) return false;
        MouseSprings& springs = m_hold.add<MouseSprings>();
        springs.fixes = picked.state;
        m_springs = &springs;
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
    void undo() override
    {
        m_springs = nullptr;
        m_hold.drop();
    }
    bool isLost() const override { return m_hold.isLost(); }
    bool isSpent() const override { return m_springs && m_springs->springs.empty(); }

private:
    double m_stiffness;
    PointHold m_hold;
    MouseSprings* m_springs = nullptr;
};

/// Takes away what FixParticle did to one point: of the fixed points of the picked primitive, or of the picked body if
/// they are places on it, the one that is nearest to the mouse. The others stay fixed.
class UnfixParticle final : public InteractionPerformer
{
public:
    bool start(Node& scene, const Picked& picked, std::string& why) override
    {
        MouseSprings* found = nullptr;
        std::size_t which = 0;
        double nearest = std::numeric_limits<double>::infinity();
        for (auto* s : scene.getAll<MouseSprings>(Search::Down)) {
            if (s->fixes != picked.state) continue;
            // Of a state's own points only those that were picked; else places on the body.
            const bool own = &s->state() == picked.state;
            for (std::size_t k = 0; k < s->springs.size(); ++k) {
                const Index point = s->springs[k].point;
                if (point >= s->state().size() || (own && !isPicked(picked, point))) continue;
                const double d = norm2(s->state().pointPosition(point) - picked.point);
                if (d < nearest) nearest = d, found = s, which = k;
            }
        }
        if (!found) {
            why = "no fixed point is under the mouse";
            return false;
        }
        found->springs.erase(found->springs.begin() + static_cast<std::ptrdiff_t>(which));
        return true;
    }
    void move(const Vec3&) override {}
    void stop() override {}

private:
    static bool isPicked(const Picked& picked, Index point)
    {
        if (!picked.model) return point == picked.index;
        return std::ranges::count(picked.model->vertices(picked.index), point) > 0;
    }
};

/// Pushes or pulls the picked place with a force of constant strength: away from the viewer, or, once the mouse was
/// dragged by a fiftieth of its distance, in the direction of the drag.
class AddForce final : public InteractionPerformer
{
public:
    explicit AddForce(double strength) : m_strength(strength) {}
    bool start(Node&, const Picked& picked, std::string& why) override
    {
        if (!m_hold.take(picked, why)) return false;
        m_from = picked.point;
        m_away = picked.direction;
        m_distance = picked.distance;
        m_force = &m_hold.add<MouseForce>();
        m_force->point = m_hold.point();
        move(m_from);
        return true;
    }
    void move(const Vec3& target) override
    {
        const Vec3 drag = target - m_from;
        const double length = norm(drag);
        m_force->pushes = !(length > 0.02 * m_distance);
        m_force->force = (m_force->pushes ? m_away : drag / length) * m_strength;
        m_force->length = m_force->pushes ? 0.1 * m_distance : length;
    }
    void stop() override { m_hold.drop(); }
    bool isLost() const override { return m_hold.isLost(); }
    std::optional<Vec3> force() const override { return m_force ? std::optional(m_force->force) : std::nullopt; }

private:
    double m_strength, m_distance = 0.;
    PointHold m_hold;
    Vec3 m_from, m_away;
    MouseForce* m_force = nullptr;
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
    bool isLost() const override { return m_hold.isLost(); }

private:
    PointHold m_hold;
    MouseConstraint* m_constraint = nullptr;
};

[[maybe_unused]] const bool registeredPerformers = [] {
    const auto spring = [](double usual) {
        return PerformerStrength{&PerformerSettings::stiffness, "Stiffness of the spring", "N/m", usual};
    };
    using Settings = const PerformerSettings&;
    const auto add = [](const char* name, const char* text, auto create,
                        std::optional<PerformerStrength> strength = {}) {
        performers().add(name, {create, text, std::move(strength)});
    };
    add(
        "AttachBody", "attach with a spring", [](Settings s) { return std::make_unique<AttachBody>(s.stiffness, 0.); },
        spring(1000.));
    add(
        "InertialAttachBody", "attach gently (follows slowly)",
        [](Settings s) { return std::make_unique<AttachBody>(s.stiffness, s.response); }, spring(1000.));
    add(
        "FixParticle", "fix the point", [](Settings s) { return std::make_unique<FixParticle>(s.stiffness); },
        spring(10000.));
    add("UnfixParticle", "release the fixed point", [](Settings) { return std::make_unique<UnfixParticle>(); });
    add("ConstraintAttachBody", "attach by a constraint",
        [](Settings) { return std::make_unique<ConstraintAttachBody>(); });
    add(
        "AddForce", "add a force", [](Settings s) { return std::make_unique<AddForce>(s.force); },
        PerformerStrength{&PerformerSettings::force, "Strength of the force", "N", 10.});
    return true;
}();

}  // namespace

}  // namespace sofa::component
