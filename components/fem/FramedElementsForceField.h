// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/LinearElasticForceField.h"
#include "core/behavior/RotationFinder.h"

namespace sofa::component {

/// Base of the force fields in space whose elements have frames. `Mechanics`, of core/fem/elements, are the elements.
template <class Mechanics>
class FramedElementsForceField : public LinearElasticForceField<Vec3Types>, public RotationFinder
{
public:
    Data<bool> d_tangent{
        this,
        {.name = "tangent",
         .help = "State the exact derivative of the forces, with the turning of the elements, which is not symmetric, "
                 "so that Newton's method converges quadratically; SOFA has the stiffness in their frames only"},
        false};

    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;
    void buildStiffness(const MechanicalParams&, BlockSink& k) override
    {
        if (isValid()) m_mechanics.addStiffness(k);
    }
    /// Elastic energy in the elements' frames. Its gradient is minus the force for method small; for the others they
    /// differ by the neglected change of the rotations, by terms of second order in the strain.
    double potentialEnergy(const MechanicalParams&, const VecCoord& x) const override { return m_mechanics.energy(x); }
    void elementEnergies(Vector<double>& out) const override { m_mechanics.energies(state().positions(), out); }
    void nodeRotations(Vector<Mat3>& rotations) const override
    {
        averageRotations(m_mechanics.graph(), rotations, [this](Index e) { return m_mechanics.rotation(e); });
    }

    /// The elements' mechanics, prepared by init.
    const Mechanics& mechanics() const { return m_mechanics; }

protected:
    void addElementForces(VecDeriv& f, const VecCoord& x) override { m_mechanics.addForce(f, x); }
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override
    {
        m_mechanics.addStiffnessProduct(df, dx, factor);
    }

    Mechanics m_mechanics;
};

}  // namespace sofa::component
