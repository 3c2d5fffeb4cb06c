// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/ElementForceField.h"
#include "core/fem/elements/TensorMass.h"

namespace sofa::component {

/// Base of the force fields whose stiffness is constant, a tensor for each pair of points
/// (core/fem/elements/TensorMass.h). prepare() builds the tensors.
template <class Base = ElementForceField<Vec3Types>>
class TensorMassForceField : public Base
{
public:
    using VecCoord = Vec3Types::VecCoord;
    using VecDeriv = Vec3Types::VecDeriv;

    using Base::buildStiffness;
    using Base::potentialEnergy;
    void buildStiffness(const MechanicalParams&, BlockSink& k) override
    {
        if (this->isValid()) m_tensors.addStiffness(k);
    }
    double potentialEnergy(const MechanicalParams&, const VecCoord& x) const override { return m_tensors.energy(x); }

protected:
    /// Sets the energy ½ Σ_ij u_iᵀ K_ij u_j of each element, where K_ij = block(e, i, j), i = j too.
    template <std::size_t N, class Block>
    void elementEnergies(Vector<double>& out, const Vector<std::array<Index, N>>& elements, Block&& block) const
    {
        out.assign(elements.size(), 0.);
        const VecCoord &x = this->state().positions(), &rest = this->restPositions();
        for (Index e = 0; e < elements.size(); ++e) {
            std::array<Vec3, N> u;
            for (std::size_t i = 0; i < N; ++i) u[i] = x[elements[e][i]] - rest[elements[e][i]];
            for (std::size_t i = 0; i < N; ++i)
                for (std::size_t j = 0; j < N; ++j) out[e] += 0.5 * dot(u[i], block(e, i, j) * u[j]);
        }
    }
    void addElementForces(VecDeriv& f, const VecCoord& x) override { m_tensors.addForce(f, x); }
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override
    {
        m_tensors.addStiffnessProduct(df, dx, factor);
    }

    TensorMass m_tensors;
};

}  // namespace sofa::component
