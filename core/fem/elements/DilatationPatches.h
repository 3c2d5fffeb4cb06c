// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>

#include "core/fem/assembly/PatchCoupling.h"
#include "core/fem/materials/PointLaw.h"

namespace sofa::core {

/// Any law of MaterialLaw at points of elements whose volume ratio is the mean over a patch:
///
///     E = Σ_p Σ_q∈p w_q Ψ(F̄_q),   F̄_q = (φ(J̄_p)/φ(J_q))^{1/3} F_q,   J̄_p = Σ_q w_q J_q / Σ_q w_q
///
/// A patch is a hexahedron, prism or pyramid with its points of quadrature (mean dilatation: Nagtegaal, Parks and Rice,
/// 1974; Simo, Taylor and Pister, "Variational and projection methods for the volume constraint in finite deformation
/// elasto-plasticity", 1985), or the tetrahedra around a node with a quarter of their volume each (average nodal
/// pressure: Bonet and Burton, 1998). Forces and stiffness are the exact derivatives of E; so the stiffness is
/// symmetric, as that of de Souza Neto et al. (F-bar, 1996) is not. A homogeneous deformation has F̄ = F.
///
/// φ(J) = J where J ≥ δ = 0.1, and δ (1 + ½ tanh(2 (J − δ)/δ)) below, which is twice differentiable and positive:
/// collapsed and inverted points stay finite, and what the law does about them is up to the law.
///
/// The law without rotations (MaterialLaw::Linear) takes the sum in place of the product, F̄_q = F_q + ⅓ (mean tr F −
/// tr F_q) I: B̄ (Hughes, "Generalization of selective integration procedures to anisotropic and nonlinear media",
/// 1980).
///
/// The law is evaluated at F̄ by the kernels of elements (PointLaw). With h = ∂ ln (φ̄/φ)^{1/3}/∂x = β a − γ c,
/// where a, c are the gradients of J̄ and J, all that goes beyond one element is a sum of products of two vectors
/// (PatchCoupling).
class DilatationPatches
{
public:
    /// Points of the quadrature, element by element, the same number for each.
    struct Points
    {
        std::size_t vertices = 0;       ///< of an element, N
        std::size_t perElement = 0;     ///< points
        Vector<Index> elements;         ///< [element][vertex]
        Vector<Vec3> gradients;         ///< of the shape functions in the rest shape [1/m]: [point][vertex]
        Vector<double> weights;         ///< [m³]: [point]
        Vector<std::uint32_t> patches;  ///< [point]
    };

    /// `coupling` has the vertices of the patches.
    void build(Points points, PatchCoupling coupling);
    std::size_t elements() const { return m_points.elements.size() / std::max<std::size_t>(m_points.vertices, 1); }
    /// The law; `parametersOf(e, k)` is parameter k of element e, of `count`.
    template <class Parameters>
    void setMaterial(const MaterialEvaluation& material, std::size_t count, Parameters&& parametersOf)
    {
        m_material = material;
        m_parameterCount = count;
        m_parameters.resize(packs() * count * width);
        for (std::size_t q = 0; q < packs() * width; ++q)
            for (std::size_t k = 0; k < count; ++k)
                m_parameters[(q / width * count + k) * width + q % width] =
                    parametersOf(std::min(q, points() - 1) / m_points.perElement, k);
        m_stiffnessReady = false;
    }

    /// f += forces at x.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// The stiffness at the positions of the last addForce: what stays within the elements, as blocks of K of the pairs
    /// of vertices 01 02 .. 12 .. of each, and what patches couple.
    const Vector<Mat3>& elementStiffness() const;
    const PatchCoupling& coupling() const
    {
        findStiffness();
        return m_coupling;
    }
    /// E [J] at x.
    double energy(const Vector<Vec3>& x) const;
    /// Sets the energy of each element [J], that of its points.
    void energies(const Vector<Vec3>& x, Vector<double>& out) const;
    /// Mean Cauchy stress [Pa] of each element at x.
    void stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const;

private:
    static constexpr std::size_t width = PointLaw::width;

    /// What follows from the positions, at each point.
    struct State
    {
        Vector<Mat3> f, barF, stress;  ///< F, F̄, P(F̄)
        Vector<double> j, scale;       ///< J (tr F of the linear law), (φ(J̄)/φ(J))^{1/3}
        Vector<double> mean;           ///< J̄ of the patches
    };

    std::size_t points() const { return m_points.weights.size(); }
    std::size_t packs() const { return (points() + width - 1) / width; }
    bool isLinear() const { return m_material.law == MaterialLaw::Linear; }
    /// Sets all but the stress.
    void deform(const Vector<Vec3>& x, State& s) const;
    /// The law at the points of a pack.
    PointLaw lawOf(std::size_t pack, const State& s) const;
    void findStresses(State& s) const;
    /// ∂F̄/∂ ln (φ̄/φ)^{1/3}.
    Mat3 direction(const State& s, std::size_t q) const { return isLinear() ? Mat3::identity() : s.barF[q]; }
    /// ∂J/∂x_k at a point.
    Vec3 volumeGradient(const Mat3& cofactor, std::size_t q, std::size_t k) const
    {
        const Vec3& g = m_points.gradients[q * m_points.vertices + k];
        return isLinear() ? g : cofactor * g;
    }
    void findStiffness() const;
    /// Adds the stiffness of a point to the blocks of its element.
    void addPoint(std::size_t q, const PointLaw& law, Mat3* element) const;

    Points m_points;
    Vector<std::size_t> m_place;                      ///< [point][vertex], in the coupling
    Vector<std::size_t> m_patchStart, m_patchPoints;  ///< points of each patch in increasing order
    Vector<double> m_patchWeight;
    MaterialEvaluation m_material;
    std::size_t m_parameterCount = 0;
    Vector<double> m_parameters;  ///< [pack of points][parameter][lane]
    State m_state;                ///< at the positions of the last addForce
    mutable State m_other;        ///< at others
    Vector<Vec3> m_terms;         ///< by place
    mutable PatchCoupling m_coupling;
    mutable bool m_stiffnessReady = false;
    mutable Vector<double> m_patchWork;     ///< Σ w P̄ : F̄
    mutable Vector<Vec3> m_pointVectors;    ///< [point][vertex]
    mutable Vector<double> m_pointNumbers;  ///< [point]
    mutable Vector<Mat3> m_elementBlocks;   ///< [element][pair]
};

}  // namespace sofa::core
