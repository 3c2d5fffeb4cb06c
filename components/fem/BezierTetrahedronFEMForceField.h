// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/LinearElasticForceField.h"
#include "core/fem/elements/MixedBezierTetrahedra.h"
#include "core/topology/BezierTopology.h"

namespace sofa::component {

/// Linear elasticity on Bézier tetrahedra of degree 1 and 2, whose rest shapes are straight: MixedBezierTetrahedra.
class BezierTetrahedronFEMForceField final : public LinearElasticForceField<Vec3Types>
{
public:
    using Base = LinearElasticForceField<Vec3Types>;

    Data<Options> d_rotationMethod{
        this,
        {.name = "rotationMethod",
         .help = "Rotation of the elements: stable_polar (the one nearest to the deformation of the four corners, a "
                 "proper one also for inverted elements), identity (none, for small displacements)"},
        Options({"stable_polar", "identity"})};

    using Base::buildStiffness;
    using Base::potentialEnergy;
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override;
    /// Elastic energy in the axes of the elements; its gradient is minus the force where there is no rotation, else
    /// they differ by terms of second order in the strain.
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;
    void elementEnergies(Vector<double>& out) const override { m_mechanics.energies(state().positions(), out); }
    /// The mean over each element of the stress, which is linear in it.
    void stresses(const ElementResults::Shape& shape, Vector<Mat3>& out) const override;
    void vonMisesStresses(const ElementResults::Shape& shape, Vector<double>& out) const override;
    /// The curved edges (flag ForceFields).
    void draw(DrawTool& tool) override;

    /// MixedBezierTetrahedra::middleForces.
    void middleForces(const VecCoord& x, VecDeriv& f) { m_mechanics.middleForces(x, f); }
    const MixedBezierTetrahedra& mechanics() const { return m_mechanics; }

protected:
    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Tetrahedra}}; }
    void prepare() override;
    bool hasPreparedElements() const override;
    void addElementForces(VecDeriv& f, const VecCoord& x) override { m_mechanics.addForce(f, x); }
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override
    {
        m_mechanics.addStiffnessProduct(df, dx, factor);
    }

private:
    MixedBezierTetrahedra m_mechanics;
};

}  // namespace sofa::component
