// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/PointHold.h"

#include "core/collision/FollowingPoints.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace sofa::component {

namespace {

/// Lets points on a body follow when the points of its mesh change.
class FollowingHold final : public Component, public TopologyFollower
{
public:
    explicit FollowingHold(FollowingPoints& points) : m_points(points) {}
    std::string className() const override { return "FollowingHold"; }
    PointLists pointLists() override { return {{{pointsOf(m_points.carrier()), {}}}}; }
    void followTopology(const TopologyChange& change) override { m_points.followPoints(change); }

private:
    FollowingPoints& m_points;  ///< in the same node
};

}  // namespace

bool PointHold::take(const Picked& picked, std::string& why)
{
    if (picked.model) {
        if (!picked.model->d_simulated.value()) {
            why = "nothing moves '" + picked.model->pathName() + "'";
            return false;
        }
        m_points = ContactPoints::create(*picked.model, "mouse");
        m_points->clear();
        m_point = m_points->add(picked.index, {picked.point, {}});
        m_points->finish();
        Node* own = m_points->node();
        if (auto* following = own ? own->get<FollowingPoints>(Search::Local) : nullptr) {
            auto follower = std::make_shared<FollowingHold>(*following);
            follower->setName("mouseFollower");
            setTransient(*follower);
            own->addComponent(follower);
        }
        m_state = &m_points->state();
        m_offset = position() - picked.point;
        return true;
    }
    m_state = dynamic_cast<State<Vec3Types>*>(picked.state.get());
    m_point = picked.index;
    if (m_state) {
        m_offset = position() - picked.point;
        return true;
    }
    if (dynamic_cast<State<Rigid3Types>*>(picked.state.get())) return takeFrame(picked, why);
    why = "'" + picked.state->pathName() + "' has no points";
    return false;
}

void PointHold::drop()
{
    // The user may have removed the node meanwhile.
    if (m_component && m_component->node()) m_component->node()->removeComponent(*m_component);
    m_component.reset();
    if (m_points) m_points->remove();
    m_points.reset();
    if (m_frame) {
        const std::vector<Node*> parents = m_frame->parents();
        for (Node* p : parents) p->removeChild(*m_frame);
    }
    m_frame.reset();
    m_state = nullptr;
}

bool PointHold::takeFrame(const Picked& picked, std::string& why)
{
    const auto& x = dynamic_cast<State<Rigid3Types>&>(*picked.state).positions()[picked.index];
    const Vec3 local = x.orientation.inverseRotate(picked.point - x.center);
    Node& body = *picked.state->node();
    m_frame = addTransientChild(body, "mouse");
    const SceneElement parts = parseSceneText("<Node><MechanicalObject position='" + toText(picked.point) +
                                                  "'/><RigidMapping initialPoints='" + toText(local) + "' index='" +
                                                  std::to_string(picked.index) + "'/></Node>",
                                              "mouse");
    for (const SceneElement& part : parts.children) buildInto(*m_frame, part);
    m_state = initGraph(*m_frame) ? m_frame->get<State<Vec3Types>>(Search::Local) : nullptr;
    m_point = 0;
    if (m_state) return true;
    why = "no point of '" + picked.state->pathName() + "' can be held";
    drop();
    return false;
}

}  // namespace sofa::component
