// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "components/interaction/MouseSprings.h"
#include "components/interaction/PointHold.h"
#include "core/behavior/ForceField.h"
#include "core/interaction/MouseInteractor.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace sofa::component {

namespace {

/// The lowest node above both.
Node* commonNode(Node& a, Node& b)
{
    for (Node* n = &a; n; n = n->parents().empty() ? nullptr : n->parents().front())
        for (Node* m = &b; m; m = m->parents().empty() ? nullptr : m->parents().front())
            if (n == m) return n;
    return nullptr;
}

/// Sews two places together by a spring of length zero: the first press picks one, the second one the other. The stitch
/// stays until what the mouse did is undone. (SOFA adds it to springs that the scene has, between the points of one
/// mesh that are nearest, and fixes the second one in space.)
class SuturePoints final : public InteractionPerformer
{
public:
    explicit SuturePoints(double stiffness) : m_stiffness(stiffness) {}
    ~SuturePoints() override { undo(); }
    bool start(Node&, const Picked& picked, std::string& why) override
    {
        PointHold& hold = m_waits ? m_second : m_first;
        if (!hold.take(picked, why)) return false;
        mark(hold);
        if (!m_waits) {
            m_waits = true;
            return true;
        }
        if (&m_first.state() == &m_second.state() && m_first.point() == m_second.point())
            why = "a point cannot be sewn to itself";
        else if (sew(why))
            return true;
        m_second.drop();
        return false;
    }
    void move(const Vec3&) override {}
    void stop() override {}
    bool outlastsButton() const override { return true; }
    bool waitsForPress() const override { return m_waits && !m_stitch; }
    void undo() override
    {
        if (m_stitch) {
            const std::vector<Node*> parents = m_stitch->parents();
            for (Node* p : parents) p->removeChild(*m_stitch);
        }
        m_stitch.reset();
        m_second.drop();
        m_first.drop();
        m_waits = false;
    }
    bool isLost() const override { return m_first.isLost() || m_second.isLost(); }
    bool isSpent() const override
    {
        return std::ranges::any_of(m_marks, [](const auto& m) { return m && m->springs.empty(); });
    }

private:
    /// Shows the place; what it marks may be removed with its element, and then the stitch goes.
    void mark(PointHold& hold)
    {
        MouseSprings& m = hold.add<MouseSprings>();
        m.springs = {{hold.point(), hold.position(), 0.}};
        m_marks[m_waits ? 1 : 0] = &m;
    }
    bool sew(std::string& why)
    {
        Node* above = commonNode(*m_first.state().node(), *m_second.state().node());
        if (!above) {
            why = "the two bodies are not in one scene";
            return false;
        }
        m_stitch = addTransientChild(*above, "suture");
        const SceneElement parts = parseSceneText(
            "<Node><SpringForceField template='Vec3' object1='@" + m_first.state().pathName() + "' springsIndices1='" +
                std::to_string(m_first.point()) + "' springsIndices2='" + std::to_string(m_second.point()) +
                "' stiffness='" + toText(m_stiffness) + "' damping='0' lengths='0' showArrowSize='0'/></Node>",
            "mouse");
        for (const SceneElement& part : parts.children) buildInto(*m_stitch, part);
        // Set as they are: several nodes of the mouse may have one path.
        auto* spring = m_stitch->get<OnTwoStates<BaseForceField, Vec3Types>>(Search::Local);
        if (spring) {
            spring->l_state1.set(&m_first.state());
            spring->l_state2.set(&m_second.state());
        }
        if (spring && initGraph(*m_stitch)) return true;
        why = "no spring can join '" + m_first.state().pathName() + "' and '" + m_second.state().pathName() + "'";
        above->removeChild(*m_stitch);
        m_stitch.reset();
        return false;
    }

    double m_stiffness;
    bool m_waits = false;
    PointHold m_first, m_second;
    std::array<Tracked<MouseSprings>, 2> m_marks;
    std::shared_ptr<Node> m_stitch;
};

[[maybe_unused]] const bool registeredSuturePerformer = [] {
    performers().add("SuturePoints",
                     {[](const PerformerSettings& s) { return std::make_unique<SuturePoints>(s.stiffness); },
                      "sew: two presses join two places",
                      PerformerStrength{&PerformerSettings::stiffness, "Stiffness of the stitch", "N/m", 1000.}});
    return true;
}();

}  // namespace

}  // namespace sofa::component
