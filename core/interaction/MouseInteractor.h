// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "core/factory/NamedTable.h"
#include "core/interaction/MouseButtonEvent.h"
#include "core/interaction/Picking.h"

namespace sofa::core {

/// What a button of the mouse does to the thing that it picked, from press to release. It knows nothing of windows:
/// points and rays come in space. What fails after the start throws std::runtime_error; it is ended then.
class InteractionPerformer
{
public:
    virtual ~InteractionPerformer() = default;
    /// Begins on what was picked. False, with the reason in `why`, if it cannot; then it must have changed nothing.
    virtual bool start(Node& scene, const Picked& picked, std::string& why) = 0;
    /// Where the viewer stands, before the start; not called where that is not known.
    virtual void seenFrom(const RigidCoord3& /*camera*/) {}
    /// The mouse is at this point now [m]: as far from the viewer as the picked one was.
    virtual void move(const Vec3& target) = 0;
    /// The same for what works along a path: the ray under the mouse, and that point on it. It comes once after the
    /// start, with the ray of the press, and then for each motion.
    virtual void moveAlong(const PickRay& /*ray*/, const Vec3& target) { move(target); }
    /// Whether `touch` is to be called with what each motion of the mouse meets.
    virtual bool touches() const { return false; }
    virtual void touch(const Picked& /*picked*/) {}
    /// The button was released.
    virtual void stop() = 0;
    /// Whether its work goes on after that (a fixed point), until `undo`.
    virtual bool outlastsButton() const { return false; }
    /// Whether it was released, and waits for another press of a button with this operation: `start` is called again.
    virtual bool waitsForPress() const { return false; }
    virtual void undo() {}
    /// Whether what it works on has left the scene; it is stopped and undone then.
    virtual bool isLost() const { return false; }
    /// The force with which it acts on what it holds now [N]; nothing where it has none, or does not know it.
    virtual std::optional<Vec3> force() const { return {}; }
    /// Whether others have taken away all that outlasts the button; it is undone then.
    virtual bool isSpent() const { return false; }
};

/// Numbers that a button gives to its performer.
struct PerformerSettings
{
    double stiffness = 1000.;  ///< of springs [N/m]
    double response = 0.1;     ///< time in which a pulled anchor follows the mouse [s]
    double force = 10.;        ///< of a push or pull [N]
    double radius = 0.1;       ///< of what is carved [m]
    double size = 0.1;         ///< edges that are longer are divided [m]
    double depth = 0.1;        ///< of cuts [m]
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
    bool needsTarget = true;  ///< works on what is picked; others are started wherever the mouse is
};

/// Kinds of performers by SOFA's names: AttachBody, FixParticle, ConstraintAttachBody, ... Windows offer all of them.
NamedTable<PerformerKind>& performers();

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
    /// The mouse moved: its point stays as far from the viewer as the picked one was. False, with the reason in
    /// `reason()`, if the operation cannot go on: it is ended.
    bool move(const PickRay& ray);
    /// False, with the reason in `reason()`, if the operation could not be completed.
    bool release();
    /// Fixed points and the like that outlast their button are taken back.
    void releaseAll();

    bool isActive() const { return m_active.performer != nullptr; }
    /// The force of the button that is held (InteractionPerformer::force) [N].
    std::optional<Vec3> force() const
    {
        return isActive() && !m_active.performer->isLost() ? m_active.performer->force() : std::nullopt;
    }
    /// What was picked last, as it was then.
    const std::optional<Picked>& picked() const { return m_picked; }
    const std::string& reason() const { return m_reason; }

private:
    struct Operation
    {
        std::string name;
        std::unique_ptr<InteractionPerformer> performer;
    };
    std::optional<Picked> under(const PickRay& ray) const;
    void forgetSpent();
    bool begin(Operation& operation, const PickRay& ray);
    /// Does what may fail. False, with the reason, if it did.
    template <class Work>
    bool attempt(Work work);

    Node& m_scene;
    std::array<Binding, 3> m_bindings;
    double m_tolerance = 0.;
    bool m_onlyColliding = false;
    Operation m_active;
    std::vector<Operation> m_lasting;  ///< released, but still at work
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
