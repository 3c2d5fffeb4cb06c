// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"

namespace sofa::component {

using namespace sofa::core;

/// Springs that hold pairs of points at the vector from one to the other at which contact found them, in all
/// directions.
///
/// For a spring of the points x₁ and x₂ with the rest vector r, the stiffness k and the damping c,
/// f₁ = k (x₂ − x₁ − r) + c (v₂ − v₁) and f₂ = −f₁. The energy is ½ k |x₂ − x₁ − r|², and the stiffness −k I on the
/// diagonal, k I beside it. Damping is a force only (explicit), as in SOFA's vector springs: implicit integrators know
/// k, not c.
class StickContactForceField final : public PairInteractionForceField<Vec3Types>
{
public:
    struct Spring
    {
        Index point1, point2;
        Vec3 rest;         ///< x₂ − x₁ without a force [m]
        double stiffness;  ///< [N/m]
        double damping;    ///< [N s/m]
    };

    /// The springs that act, unless it is suspended.
    void setSprings(Vector<Spring> springs) { m_springs = std::move(springs); }
    const Vector<Spring>& springs() const { return m_springs; }
    /// While it does not act it keeps its springs.
    void setActive(bool on) { m_active = on; }
    bool isActive() const { return m_active; }
    /// Force on the first point [N].
    static Vec3 forceOf(const Spring& s, const VecCoord& x1, const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2)
    {
        return (x2[s.point2] - x1[s.point1] - s.rest) * s.stiffness + (v2[s.point2] - v1[s.point1]) * s.damping;
    }

    std::string className() const override { return "StickContactForceField"; }
    void archive(Archive& a) override
    {
        a(m_springs);
        a(m_active);
    }
    /// Lines between the points, while it acts.
    void draw(DrawTool& tool) override;
    using PairInteractionForceField::addForce;
    using PairInteractionForceField::potentialEnergy;
    void addForce(const MechanicalParams& mp, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1, const VecCoord& x2,
                  const VecDeriv& v1, const VecDeriv& v2) override;
    void addDForce(const MechanicalParams& mp, const MultiVecDerivId& df) override;
    void buildStiffness(const MechanicalParams& mp, MatrixAccumulator& k) override;
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x1, const VecCoord& x2) const override;

private:
    Vector<Spring> m_springs;
    bool m_active = true;
};

}  // namespace sofa::component
