// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "core/factory/NamedTable.h"
#include "core/interaction/Picking.h"

namespace sofa::core {

/// What a button of the mouse does to the thing that it picked, from press to release. It knows nothing of windows:
/// points come in space.
class InteractionPerformer
{
public:
    virtual ~InteractionPerformer() = default;
    /// Begins on what was picked. False, with the reason in `why`, if it cannot; then it must have changed nothing.
    virtual bool start(Node& scene, const Picked& picked, std::string& why) = 0;
    /// The mouse is at this point now [m].
    virtual void move(const Vec3& target) = 0;
    /// The button was released.
    virtual void stop() = 0;
    /// Whether its work goes on after that (a fixed point), until `undo`.
    virtual bool outlastsButton() const { return false; }
    virtual void undo() {}
    /// Whether what it works on has left the scene; it is stopped and undone then.
    virtual bool isLost() const { return false; }
    /// Whether others have taken away all that outlasts the button; it is undone then.
    virtual bool isSpent() const { return false; }
};

/// Numbers that a button gives to its performer.
struct PerformerSettings
{
    double stiffness = 1000.;  ///< of springs [N/m]
    double response = 0.1;     ///< time in which a pulled anchor follows the mouse [s]
    double force = 10.;        ///< of a push or pull [N]
};

/// The number of the settings that says how strongly a performer works: what a user edits.
struct PerformerStrength
{
    double PerformerSettings::*value;
    std::string help, unit;
    double usual;  ///< value to begin with
};

/// A kind of performers.
struct PerformerKind
{
    std::function<std::unique_ptr<InteractionPerformer>(const PerformerSettings&)> create;
    std::string text;  ///< what it does, in a few words: what a list of operations shows
    std::optional<PerformerStrength> strength;
};

/// Kinds of performers by SOFA's names: AttachBody, FixParticle, ConstraintAttachBody, ... Windows offer all of them.
NamedTable<PerformerKind>& performers();

enum class MouseButton
{
    Left,
    Middle,
    Right
};

/// Turns presses, motions and releases of a mouse, given as rays into the scene, into the work of performers. A window
/// feeds it; so can a program or a test.
///
/// Without settings in the scene, the left button pulls by a spring, the middle one by a spring whose anchor follows
/// gently, the right one fixes. Components of the scene like AttachBodyButtonSetting change that.
class MouseInteractor
{
public:
    /// The scene must outlive the interactor, or end it by release.
    explicit MouseInteractor(Node& scene);
    ~MouseInteractor();
    MouseInteractor(const MouseInteractor&) = delete;
    MouseInteractor& operator=(const MouseInteractor&) = delete;

    struct Binding
    {
        std::string performer;  ///< empty: nothing
        PerformerSettings settings;
    };
    void bind(MouseButton button, Binding binding)
    {
        m_bindings[static_cast<std::size_t>(button)] = std::move(binding);
    }
    const Binding& binding(MouseButton button) const { return m_bindings[static_cast<std::size_t>(button)]; }
    /// How near to a ray points and lines must be to be picked [m].
    void setTolerance(double t) { m_tolerance = t; }
    /// Whether only collision models are picked, exactly where the ray meets them.
    void setPicksOnlyCollisionModels(bool on) { m_onlyColliding = on; }

    /// Picks what the ray meets and begins the work of the button; ends what another button did. False, with the reason
    /// in `reason()`, if nothing is there or the performer cannot work on it.
    bool press(MouseButton button, const PickRay& ray);
    /// The mouse moved: its point stays as far from the viewer as the picked one was.
    void move(const PickRay& ray);
    void release();
    /// Fixed points and the like that outlast their button are taken back.
    void releaseAll();

    bool isActive() const { return m_active != nullptr; }
    /// What was picked last, as it was then.
    const std::optional<Picked>& picked() const { return m_picked; }
    const std::string& reason() const { return m_reason; }

private:
    Node& m_scene;
    std::array<Binding, 3> m_bindings;
    double m_tolerance = 0.;
    bool m_onlyColliding = false;
    std::unique_ptr<InteractionPerformer> m_active;
    std::vector<std::unique_ptr<InteractionPerformer>> m_lasting;  ///< released, but still at work
    std::optional<Picked> m_picked;
    std::string m_reason;
};

/// A component of the scene that says what a button does.
class ButtonSetting
{
public:
    virtual ~ButtonSetting() = default;
    virtual MouseButton mouseButton() const = 0;
    virtual MouseInteractor::Binding binding() const = 0;
};

}  // namespace sofa::core
