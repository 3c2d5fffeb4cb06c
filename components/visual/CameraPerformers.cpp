// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/Cameras.h"
#include "core/interaction/MouseInteractor.h"

namespace sofa::component {

namespace {

/// Does something to the first recorded camera of a scene, when the button is pressed.
class CameraOperation : public InteractionPerformer
{
public:
    bool start(Node& scene, const Picked&, std::string& why) override
    {
        const auto cameras = scene.getAll<RecordedCamera>(Search::Down);
        try {
            if (cameras.empty()) throw std::runtime_error("the scene has no RecordedCamera");
            act(*cameras.front());
        } catch (const std::runtime_error& e) {
            why = e.what();
            return false;
        }
        return true;
    }
    void seenFrom(const RigidCoord3& camera) override { m_view = camera; }
    void move(const Vec3&) override {}
    void stop() override {}

protected:
    virtual void act(RecordedCamera& camera) = 0;
    std::optional<RigidCoord3> m_view;
};

/// Adds the place from which the scene is seen to the path. (SOFA adds that of the recorded camera itself, which is the
/// same where the camera is that of the view.)
class AddRecordedCamera final : public CameraOperation
{
    void act(RecordedCamera& camera) override
    {
        if (!m_view) throw std::runtime_error("it is not known from where the scene is seen");
        camera.addPlace(*m_view);
    }
};

/// Starts the flight along the path at the present time, or ends it.
class StartNavigation final : public CameraOperation
{
    void act(RecordedCamera& camera) override { camera.startOrEndNavigation(camera.node()->root().time()); }
};

[[maybe_unused]] const bool registeredCameraPerformers = [] {
    using Settings = const PerformerSettings&;
    performers().add("AddRecordedCamera", {[](Settings) { return std::make_unique<AddRecordedCamera>(); },
                                           "add the view to the recorded camera", std::nullopt, false});
    performers().add("StartNavigation", {[](Settings) { return std::make_unique<StartNavigation>(); },
                                         "start or end the recorded flight", std::nullopt, false});
    return true;
}();

}  // namespace

}  // namespace sofa::component
