// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"

namespace sofa::component {

using namespace sofa::core;

/// Penalty forces between pairs of points that are nearer than a distance along a direction.
///
/// For a contact of the points x₁ and x₂ with the unit normal n, the distance d and the stiffness k, the depth is
/// δ = d − (x₂ − x₁) · n; where it is positive, f₁ = −k δ n and f₂ = k δ n. The energy is ½ k δ², and the stiffness
/// −k n nᵀ on the diagonal, k n nᵀ beside it.
class PenalityContactForceField final : public PairInteractionForceField<Vec3Types>
{
public:
    struct Contact
    {
        Index point1, point2;
        Vec3 normal;
        double distance;   ///< [m]
        double stiffness;  ///< [N/m]
        double depth = 0.;
    };

    /// The contacts that act; none while it is suspended.
    void setContacts(Vector<Contact> contacts) { m_contacts = std::move(contacts); }
    const Vector<Contact>& contacts() const { return m_contacts; }

    std::string className() const override { return "PenalityContactForceField"; }
    void archive(Archive& a) override { a(m_contacts); }
    /// Lines between the points: red where they touch, green where they only are near; normals (flag Normals).
    void draw(DrawTool& tool) override;
    using PairInteractionForceField::addForce;
    using PairInteractionForceField::potentialEnergy;
    void addForce(const MechanicalParams& mp, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1, const VecCoord& x2,
                  const VecDeriv& v1, const VecDeriv& v2) override;
    void addDForce(const MechanicalParams& mp, const MultiVecDerivId& df) override;
    void buildStiffness(const MechanicalParams& mp, MatrixAccumulator& k) override;
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x1, const VecCoord& x2) const override;

private:
    Vector<Contact> m_contacts;
};

}  // namespace sofa::component
