// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ConstraintCorrection.h"
#include "core/interaction/HapticDevice.h"

namespace sofa::component {

using namespace sofa::core;

/// Constraint-based rendering (Saupin, Duriez and Cotin, Contact model for haptic medical simulations, ISBMS 2008;
/// Peterlik, Nouicer, Duriez, Cotin and Kheddar, Constraint-based haptic rendering of multirate compliant mechanisms,
/// IEEE Trans. Haptics 4(3), 2011). After a step the constraints that touch the tool are handed to the loop of the
/// device with the compliance of all that they touch. There they are solved again for a tool that is where the device
/// is, δ = δ_free + H (x_d − x_free) + W λ, so that contacts are as stiff as the bodies and their coupling are, at the
/// rate of the device; the hand gets forceCoef · Hᵀλ.
///
/// λ are impulses of a step [N s]: the forceCoef of real forces is 1/dt. The tool follows the device by a coupling of
/// the scene: RestShapeSpringsForceField to the state of the device, or VirtualCoupling without `activate`.
///
/// The sweeps begin with the forces of the step, end when they change no violation by more than a thousandth of the
/// tolerance of the solver, after `solverMaxIt`, or with a device that has a thread after `solverTimeout`. Unlike in
/// SOFA rotations are world rotation vectors, and what the loop uses are copies: the solver waits for nobody.
class LCPForceFeedback final : public Component, public HapticRendering
{
public:
    using HapticRendering::typeLabel;

    Data<double> d_forceCoef{
        this,
        {.name = "forceCoef", .help = "Factor of the impulses of a step; 1/dt: real forces", .unit = "1/s"},
        0.03};
    Data<double> d_solverTimeout{this,
                                 {.name = "solverTimeout",
                                  .help = "Longest time of the sweeps, for devices with a thread; 0: no bound",
                                  .unit = "s",
                                  .range = Range::nonNegative()},
                                 0.0008};
    Data<int> d_solverMaxIt{
        this, {.name = "solverMaxIt", .help = "Largest number of sweeps", .range = Range::closed(1., 1e9)}, 100};
    Data<bool> d_derivRotations{
        this, {.name = "derivRotations", .help = "Rotations of the device change the violations too"}, false};
    Data<bool> d_localHapticConstraintAllFrames{
        this,
        {.name = "localHapticConstraintAllFrames",
         .help = "Constraints on all points of the state act as if they were on the first one"},
        false};
    Data<int> d_constraints{this,
                            {.name = "constraints",
                             .help = "Number of rows that the loop of the device solves",
                             .group = "Outputs",
                             .readOnly = true,
                             .saved = false},
                            0};

    LCPForceFeedback() : HapticRendering(static_cast<Component*>(this)) {}
    static std::string_view staticTemplateName() { return Rigid3Types::name(); }
    void init() override;
    void beginStep(const HapticMotion& m, double dt) override;
    void prepare() override;
    void publish() override { std::swap(m_used, m_prepared); }
    void clear() override
    {
        m_used = {};
        m_prepared = {};
    }
    Vec6 wrench(const HapticMotion& m) override;

private:
    /// What the loop of the device uses.
    struct View
    {
        std::unique_ptr<ConstraintSnapshot> constraints;
        RigidCoord3 free;  ///< position of the tool without constraints
        ConstraintSnapshot::Settings settings;
        double timeout = 0., factor = 0.;
        bool rotates = false;
    };

    Tracked<State<Rigid3Types>> m_state;
    Tracked<ConstraintSolver> m_solver;
    bool m_timed = false;
    View m_prepared, m_used;
};

}  // namespace sofa::component
