// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/mapping/BarycentricWeights.h"
#include "components/mapping/EmbeddingMesh.h"
#include "core/behavior/GeometricStiffness.h"
#include "core/behavior/Mapping.h"

namespace sofa::component {

using namespace sofa::core;

/// Frames embedded in the volume elements of a mesh: BarycentricMapping onto Rigid3.
///
/// A centre is Σ w_k X_k, as embedded points are. A frame turns as its element does, q = R q₀, with R the rotation of
/// the element's mean deformation gradient
///
///     F = Σ X_k g_kᵀ = R U,   g_k = A⁻¹ (X⁰_k − X̄⁰),   A = Σ (X⁰_k − X̄⁰)(X⁰_k − X̄⁰)ᵀ,
///
/// which for tetrahedra is the gradient, for hexahedra the affine map nearest to the displacements of the corners. With
/// V_k the velocities of the vertices, and S = (tr U · 1 − U)⁻¹,
///
///     ω = R S Σ g_k × Rᵀ V_k.
///
/// Unlike in SOFA, whose angular velocity of frames is not that of their rotation, the Jacobian is exact, and forces do
/// the work that they do. An element that is flat at first is an error; one that is turned inside out so that its
/// rotation is not unique does not turn its frame.
class BarycentricFrames final : public Mapping<Vec3Types, Rigid3Types>,
                                public EmbeddingAttributes<Link<BaseMeshTopology>>
{
public:
    using Base = Mapping<Vec3Types, Rigid3Types>;

    GeometricStiffnessData d_geometricStiffness{*this, GeometricStiffness::Stabilized};

    BarycentricFrames() : EmbeddingAttributes(this) {}
    void init() override;
    bool isLinear() const override { return false; }
    bool hasGeometricStiffness() const override { return d_geometricStiffness.isOn(); }

    using Base::apply;
    using Base::buildGeometricStiffness;
    void apply(OutVecCoord& out, const InVecCoord& in) override;
    void buildJacobian(JacobianMatrix& j, const InVecCoord& in) override;
    void buildGeometricStiffness(BlockSink& k, const OutVecDeriv& f, const InVecCoord& in) override;

protected:
    void appendLinks(Vector<Vec3>& ends) const override;

private:
    /// The turn of a frame at the last positions.
    struct Turn
    {
        Mat3 r, u, s;  ///< R, U, S
    };
    bool locate();

    BarycentricWeights m_weights;
    Vector<Vec3> m_gradients;  ///< g of each entry of the weights
    Vector<Quat> m_start;      ///< q₀
    Vector<Turn> m_turns;
};

}  // namespace sofa::component
