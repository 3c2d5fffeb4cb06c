// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/kernels/BezierKernels.h"
#include "core/fem/materials/LinearElasticity.h"
#include "core/mesh/BezierElements.h"

namespace sofa::core {

/// Linear elasticity on quadratic Bézier tetrahedra with straight rest shapes, corotational or not (Bargteil and Cohen,
/// "Animation of deformable bodies with quadratic Bézier finite elements", 2014; Weber et al., "Interactive deformable
/// models with quadratic bases in Bernstein-Bézier form", 2011).
///
/// With the barycentric coordinates α, their gradients b_i in the rest shape [1/m] and control points p_ij = p_ji, p_ii
/// those of the corners, a point of the element is x(α) = Σ_ij α_i α_j p_ij. The displacement gradient is linear in α;
/// at corner v, turned back by the rotation R of the element, it is
///
///     G_v = 2 Rᵀ Σ_k p_vk b_kᵀ − 1,   σ_v = λ tr(G_v) 1 + μ (G_v + G_vᵀ)        [1], [Pa]
///
/// so that all integrals have a closed form, with the volume V of the rest shape:
///
///     f_ii = −2 R S_i b_i,  f_ij = −2 R (S_i b_j + S_j b_i),  S_i = V/20 (Σ_v σ_v + σ_i)      forces [N]
///     K_(ij)(kl) = 4 V (m_ik C_jl + m_il C_jk + m_jk C_il + m_jl C_ik),  m_ik = (1 + δ_ik)/20,
///     C_jl = λ b_j b_lᵀ + μ b_l b_jᵀ + μ (b_j·b_l) 1,  half of it for each of ij, kl that is a corner  [N/m]
///
/// No matrix of 30 × 30 numbers is kept: an element has the data of a linear one. R is the rotation nearest to the
/// deformation gradient of the corners, a proper one also for inverted elements. The stiffness is R K Rᵀ, as for the
/// linear elements of CorotationalTetrahedra: the change of the rotation is neglected.
///
/// Elements are evaluated in packs of eight (core/fem/kernels/BezierKernels.h) with the widest vector instructions of
/// the machine; results depend neither on these nor on the number of threads.
class BezierTetrahedra
{
public:
    /// Precomputes the elements; the material is zero until setMaterial. Throws std::runtime_error, naming the element,
    /// if one has an invalid vertex, no volume, or a control point that is not in the middle of its edge at rest (up to
    /// 1e-9 of its length). Control points from `middles` on are MiddlePoints, which the matrix does not have.
    void build(const Vector<BezierTetrahedron>& elements, const Vector<Vec3>& rest, bool rotated,
               Index middles = InvalidIndex);
    void setMaterial(Index e, const LameParameters& material);

    Index size() const { return m_graph.size(); }
    const ElementGraph<10>& graph() const { return m_graph; }
    /// Rest volume [m³].
    double restVolume(Index e) const { return std::abs(m_volume6[e]) / 6.; }
    /// Number of elements whose rest shape has negative orientation. They carry the same forces as positive ones.
    Index nbInverted() const { return m_nbInverted; }

    /// f += forces at x; stores the rotations.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor R K Rᵀ dx at the state of the last addForce (the rest shape before the first one).
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds the blocks of −R K Rᵀ at that state, of the points that are no middles Pᵀ (−R K Rᵀ) P.
    void addStiffness(BlockSink& sink) const;
    /// Elastic energy Σ ½ ∫ σ : G [J] at x.
    double energy(const Vector<Vec3>& x) const;
    /// Sets the part of every element in it [J].
    void energies(const Vector<Vec3>& x, Vector<double>& out) const;
    /// Rotation of an element at x.
    Mat3 rotation(Index e, const Vector<Vec3>& x) const;
    /// Cauchy stress of small strains [Pa] in world axes at the corners of an element.
    std::array<Mat3, 4> cornerStresses(Index e, const Vector<Vec3>& x) const;
    /// Sets the mean of these of every element.
    void stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const;
    /// Gradients R b_i and Lamé's parameters times the volume, as the last addForce left them.
    const IsotropicTangent& tangent(Index e) const { return m_tangents[m_graph.order().placeOf(e)]; }
    /// The forces on the control points of one element at x.
    void elementForces(Index e, const Vector<Vec3>& x, std::array<Vec3, 10>& f) const
    {
        elementForces(e, x, turnedGradients(e, x), f.data());
    }

private:
    using Gradients = std::array<Vec3, 4>;
    /// Gradients of the barycentric coordinates, turned by the rotation of the element at x: R b_i.
    Gradients turnedGradients(Index e, const Vector<Vec3>& x) const;
    Gradients restGradients(Index e) const;
    /// R G_v Rᵀ = 2 Σ_k p_vk (R b_k)ᵀ − 1.
    std::array<Mat3, 4> cornerGradients(Index e, const Vector<Vec3>& x, const Gradients& turned) const;
    double energyOf(Index e, const Vector<Vec3>& x) const;
    void elementForces(Index e, const Vector<Vec3>& x, const Gradients& turned, Vec3* f) const;
    void setTangent(Index e, const Gradients& turned);
    BezierPack packAt(std::size_t p) const;

    ElementGraph<10> m_graph;
    bool m_rotated = true;
    Vector<double> m_edges, m_stiffness;   ///< by packs: see BezierPack
    Vector<BezierTetrahedron> m_vertices;  ///< by place, padded to whole packs
    Vector<IsotropicTangent> m_tangents;   ///< by place, padded
    Vector<double> m_volume6;              ///< six times the signed rest volume [m³]
    Index m_nbInverted = 0;
};

}  // namespace sofa::core
