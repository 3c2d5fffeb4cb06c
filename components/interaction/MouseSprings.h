// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/behavior/LagrangianConstraint.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Springs of length zero from points of a state to places in space: f = k (a − x), with energy k |a − x|² / 2. It
/// lives as long as a button of the mouse holds something.
class MouseSprings final : public ForceField<Vec3Types>, public TopologyFollower
{
public:
    struct Spring
    {
        Index point;
        Vec3 anchor;       ///< [m]
        double stiffness;  ///< [N/m]
    };
    Vector<Spring> springs;
    /// The state that was picked, where the springs fix what they hold: they stay until they are taken away.
    Tracked<const BaseState> fixes;

    MouseSprings() { d_listening.setDefault(true); }
    std::string className() const override { return "MouseSprings"; }
    PointLists pointLists() override { return {{{pointsOf(state()), {}}}}; }
    /// What held points that are gone lets go.
    void followTopology(const TopologyChange& change) override;
    using ForceField<Vec3Types>::addForce;
    using ForceField<Vec3Types>::buildStiffness;
    using ForceField<Vec3Types>::potentialEnergy;
    void addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&) override;
    void buildStiffness(const MechanicalParams&, BlockSink& k) override;
    double potentialEnergy(const MechanicalParams&, const VecCoord& x) const override;

    /// Every anchor follows `target` as a critically damped oscillator, a″ = (t − a) / τ² − 2 a′ / τ, solved exactly in
    /// each step; with τ = 0 the anchors stay where they were put.
    void follow(const Vec3& target, double tau);
    void handleEvent(const Event& e) override;
    /// The springs, in red, with their anchors.
    void draw(DrawTool& tool) override;

private:
    Vec3 m_target, m_velocity;
    double m_tau = 0.;
};

/// A constant force on one point of a state, with energy −F · x. It lives as long as a button of the mouse pushes or
/// pulls something.
class MouseForce final : public ForceField<Vec3Types>, public TopologyFollower
{
public:
    Index point = 0;
    Vec3 force;           ///< [N]
    double length = 0.;   ///< of the arrow that shows it [m]
    bool pushes = false;  ///< the arrow ends at the point; otherwise it begins there

    std::string className() const override { return "MouseForce"; }
    PointLists pointLists() override { return {{{pointsOf(state()), {}}}}; }
    void followTopology(const TopologyChange& change) override;
    using ForceField<Vec3Types>::addForce;
    using ForceField<Vec3Types>::buildStiffness;
    using ForceField<Vec3Types>::potentialEnergy;
    void addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&) override;
    void buildStiffness(const MechanicalParams&, BlockSink&) override {}
    double potentialEnergy(const MechanicalParams&, const VecCoord& x) const override;
    /// The force, as an arrow in red.
    void draw(DrawTool& tool) override;
};

/// Holds one point of a state at a place in space by constraint forces: δ = x − a.
class MouseConstraint final : public LagrangianConstraint<Vec3Types>, public TopologyFollower
{
public:
    Index point = 0;
    Vec3 anchor;  ///< [m]

    std::string className() const override { return "MouseConstraint"; }
    PointLists pointLists() override { return {{{pointsOf(state()), {}}}}; }
    void followTopology(const TopologyChange& change) override;
    void buildRows(const ConstraintParams& p, ConstraintMatrix& h) override;
    void violation(const ConstraintParams& p, const MultiVecCoordId& x, std::span<double> d) override;
    void laws(const ConstraintParams&, std::vector<ConstraintLaw*>& out) override
    {
        if (point < state().size()) out.push_back(&m_law);
    }
    /// A line from the point to where it is held.
    void draw(DrawTool& tool) override;

private:
    BilateralLaw m_law{3, true};
};

}  // namespace sofa::component
