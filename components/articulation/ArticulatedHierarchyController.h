// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "components/articulation/Articulation.h"
#include "core/behavior/State.h"
#include "core/interaction/MouseButtonEvent.h"

namespace sofa::component {

/// Moves numbers of an articulated system by keys and the mouse. A key (`bindingKeys`, in either case) chooses the
/// number at the same place in `articulationsIndices`, or lets it go if it is chosen. While the left button of the
/// mouse is pressed, it grows by `angleDelta` at the beginning of each step, with the right one it falls; each notch of
/// the wheel moves it by twice as much.
///
/// With `propagateUserInteraction` the joints behind share the motion, each with an equal part: the child of the joint,
/// its child and so on, as long as one has an articulation of the same kind and axis.
///
/// It needs the ArticulatedHierarchyContainer, and the state of numbers, that are in its node or below.
class ArticulatedHierarchyController : public Component
{
public:
    Data<Vector<Index>> d_articulationsIndices{
        this, {.name = "articulationsIndices", .help = "Numbers of the articulated state that keys choose"}};
    Data<Vector<std::string>> d_bindingKeys{this,
                                            {.name = "bindingKeys", .help = "Keys that choose them, a character each"}};
    Data<double> d_angleDelta{
        this, {.name = "angleDelta", .help = "Motion in a step: of angles [rad], of ways [m]", .unit = "rad"}, 0.01};
    Data<bool> d_propagateUserInteraction{
        this,
        {.name = "propagateUserInteraction", .help = "Whether joints behind with the same axis share the motion"},
        false};
    Link<ArticulatedHierarchyContainer> l_container{this,
                                                    {"container", "Joints; default: those in its node and below"}};

    ArticulatedHierarchyController() { d_listening.setDefault(true); }
    void init() override;
    void bwdInit() override;
    void reset() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;

    /// Numbers that move with one, itself the first.
    std::vector<Index> chainOf(Index number) const;

protected:
    /// Called at the beginning of each step of length dt [s].
    virtual void apply(double dt);
    /// What is wrong with the scene; empty if nothing is.
    virtual std::string problem() const;
    State<Vec1Types>* numbers() const { return m_numbers; }
    /// Sets numbers by `f(position)`, also of the free motion, and what follows from them.
    template <class F>
    void change(F f);

private:
    void keyPressed(char key);

    Tracked<State<Vec1Types>> m_numbers;
    std::optional<std::size_t> m_chosen;  ///< place in the list
    std::optional<MouseButton> m_button;  ///< that is pressed
    double m_notches = 0.;                ///< of the wheel since the last step
};

/// Moves the numbers of an articulated system as a BVH file says, which its ArticulatedHierarchyContainer has read: at
/// the beginning of each step they get the values for the time of the scene, or for `externalTime`, linear between
/// frames; beyond the last frame they stay. Rates lead to the values a step later, unless the time is external.
///
/// Differences from SOFA: the time is that of the scene, where SOFA takes 1/(frame time) steps for each frame, whatever
/// their length; π is not 3.14; it does not act on keys and the mouse.
class ArticulatedHierarchyBVHController final : public ArticulatedHierarchyController
{
public:
    Data<bool> d_useExternalTime{
        this, {.name = "useExternalTime", .help = "Take externalTime instead of the time of the scene"}, false};
    Data<double> d_externalTime{
        this, {.name = "externalTime", .help = "Time in the motion of the file", .unit = "s"}, 0.};

    void handleEvent(const Event& e) override;

protected:
    void apply(double dt) override;
    std::string problem() const override;
};

}  // namespace sofa::component
