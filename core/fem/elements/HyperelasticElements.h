// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/elements/DilatationPatches.h"
#include "core/fem/elements/ElementQuadrature.h"
#include "core/fem/kernels/MaterialKernels.h"

namespace sofa::core {

/// Hyperelastic materials on elements with N vertices: tetrahedra (4), pyramids (5), prisms (6), hexahedra (8), and on
/// quadratic Bézier tetrahedra (10), whose rest shapes may be curved.
///
/// At each point q of the quadrature, with the deformation gradient F = Σ_k (x_k − x₀) ∇N_kᵀ = U diag(s) Vᵀ (U, V
/// rotations; the smallest stretch is negative if det F is), an energy density Ψ(s) and the weight V_q in the rest
/// shape,
///
///     E = Σ V_q Ψ,   f_k = −Σ V_q P ∇N_k,   P = ∂Ψ/∂F = U diag(∂Ψ/∂s) Vᵀ,   K = −∂f/∂x.
///
/// The tangent ∂P/∂F is built in the axes U, V (core/fem/kernels/MaterialKernels.h), so that nothing is divided by
/// differences of stretches: it is exact at repeated stretches too. `smallestStretch` is the treatment of inversion of
/// Irving, Teran and Fedkiw ("Invertible finite elements for robust simulation of large deformation", 2004): stretches
/// below it are raised to it before Ψ, P and the tangent are evaluated. Where that happens, P is not the gradient of
/// the energy and K is not the derivative of the force, as in Vega FEM. The tangent may be projected to a positive
/// semi-definite one (Teran, Sifakis, Irving, Fedkiw, "Robust quasistatic finite elements and flesh simulation", 2005;
/// absolute values: Chen et al., "Stabler neo-Hookean simulation", 2024).
///
/// Elements are evaluated in packs of eight with the widest vector instructions of the machine; results depend neither
/// on these nor on the number of threads.
template <std::size_t N>
class HyperelasticElements
{
public:
    using Element = std::array<Index, N>;

    /// Precomputes the elements. Throws std::runtime_error, naming the element, if one has an invalid vertex, no
    /// volume, or points of the quadrature with positive and negative volume. Elements of negative orientation count as
    /// positive ones. The material parameters are zero until setParameters. With Dilatation::Averaged, elements are
    /// those of DilatationPatches: by element, tetrahedra by node. Without an order places are those of a sweep.
    void build(const Vector<Element>& elements, const Vector<Vec3>& rest, const ElementQuadrature<N>& quadrature,
               Dilatation dilatation = Dilatation::Pointwise, const PackOrder* order = nullptr);
    /// Follows a change of the mesh: elements and points come from those before as the sources say, `touched` are those
    /// that are new or have other numbers, vertices or rest positions; others that need their parameters again are
    /// added. Returns false, with nothing done, if all had better be built anew. Throws like build().
    bool follow(const Vector<Element>& elements, const Vector<Vec3>& rest, const ElementQuadrature<N>& quadrature,
                const ElementSource& source, const ElementSource& points, Vector<Index>& touched);
    const PackOrder& packOrder() const { return m_order; }

    /// The law and what goes with it; the parameters are reset to zero.
    void setMaterial(const MaterialEvaluation& material);
    const MaterialEvaluation& material() const { return m_material; }
    /// Number of parameters of an element: those of the law, and the coefficient of the
    /// compression resistance [Pa] if that is on.
    std::size_t parameterCount() const { return m_parameterCount; }
    void setParameters(Index e, std::span<const double> values);

    Index size() const { return m_graph.size(); }
    /// Connectivity of the elements in the order of the packs, that of a sweep (ElementReordering).
    const ElementGraph<N>& graph() const { return m_graph; }
    /// Rest volume of an element [m³].
    double restVolume(Index e) const;

    /// f += forces at x.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor K dx at the positions of the last addForce.
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds the blocks of −K at these positions.
    void addStiffness(BlockSink& sink) const;
    /// d2f += ∂²f/∂x² [u, v] at the positions of the last addForce: minus the third derivative of the energy, symmetric
    /// in u and v, [N] for displacements in [m]. Model reduction is built on it (Barbič and James, "Real-time subspace
    /// integration for St. Venant-Kirchhoff deformable models", 2005). Throws std::runtime_error for other laws than St
    /// Venant-Kirchhoff without threshold.
    void addSecondDerivative(Vector<Vec3>& d2f, const Vector<Vec3>& u, const Vector<Vec3>& v) const;
    /// Σ V_e Ψ [J] at x.
    double energy(const Vector<Vec3>& x) const;
    /// Sets the part of every element in it [J]; nodes share their energy with averaged dilatation as DilatationPatches
    /// does.
    void energies(const Vector<Vec3>& x, Vector<double>& out) const;
    /// Sets the mean Cauchy stress [Pa] of each element at x, from the forces on its vertices: the integral of σ over
    /// the deformed element is −Σ f_k x_kᵀ.
    void stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const;
    /// F at a point of the quadrature.
    Mat3 deformationGradient(Index e, const Vector<Vec3>& x, std::size_t point = 0) const
    {
        return gradientAt(m_order.placeOf(e), x, point);
    }

private:
    /// Resizes what there is for each pack.
    void resize();
    /// Sets shape and vertices in a lane of the packs; e is the element there, or the last one if the lane is unused.
    void prepareLane(std::size_t place, Index e, const Element& element, const Vector<Vec3>& rest,
                     const ElementQuadrature<N>& quadrature);
    const double* parametersOf(std::size_t pack) const { return m_parameters.data() + pack * m_parameterStride; }
    /// Lets all packs read the parameters of the first one if all elements have the same: less comes from memory.
    void shareParameters();
    ElementPackView pack(std::size_t p, bool withTraces = true) const
    {
        return {static_cast<int>(N),          static_cast<int>(m_points),
                &m_vertices[p * N * 8],       &m_gradients[p * m_points * 3 * (N - 1) * 8],
                &m_volumes[p * m_points * 8], withTraces && !m_traces.empty() ? &m_traces[p * m_points * 8] : nullptr};
    }
    /// Whether the stiffness is that of linear elasticity, rotated or not, in tetrahedra: see IsotropicEdgeAssembly.
    bool isIsotropic() const;
    /// The pack with room for its tangents.
    ElementPackView packWithTangents(std::size_t p) const;
    /// Finds the tangents at the positions of the last addForce, unless that did.
    void prepareTangents() const;
    /// Asks for the data of a pack, if there is one, up to the first point of the quadrature.
    void prefetch(std::size_t p) const;
    /// Sets the blocks of −K of a pack: [vertex pair 01 02 .. 12 ..][3][3][lane].
    void computeBlocks(std::size_t p, double* blocks) const;
    /// Σ_k x_k ∇N_kᵀ of the element at a place of the packs.
    Mat3 gradientAt(std::size_t place, const Vector<Vec3>& x, std::size_t point) const;
    /// The same blocks for all packs, kept until the positions change.
    void keepBlocks() const;
    bool averages() const { return m_dilatation == Dilatation::Averaged && size() > 0; }
    /// The patches of averaged dilatation, and their material.
    void buildPatches();
    void updatePatches() const;

    ElementGraph<N> m_graph;  ///< vertices of each element in increasing order
    PackOrder m_order;
    std::size_t m_packCount = 0;
    std::size_t m_points = 1;               ///< of the quadrature
    Vector<std::uint32_t> m_vertices;       ///< [pack][vertex][lane]
    Vector<double> m_gradients, m_volumes;  ///< [pack][point][3 (k − 1) + c][lane], [pack][point][lane]
    MaterialEvaluation m_material;
    std::size_t m_parameterCount = 0;
    std::size_t m_parameterStride = 0;  ///< from pack to pack: zero if all elements have the same
    mutable bool m_parametersChanged = false;
    Vector<double> m_parameters;      ///< [pack][parameter][lane]
    Vector<Vec3> m_x;                 ///< positions of the last addForce
    mutable Vector<double> m_traces;  ///< [pack][point][lane], there: see ElementPackView

    mutable Vector<IsotropicTangent> m_tangents;  ///< by place; empty until the stiffness is asked for
    mutable bool m_tangentsReady = false;         ///< they are those of m_x

    Dilatation m_dilatation = Dilatation::Pointwise;
    mutable DilatationPatches m_patches;  ///< by place, with averaged dilatation

    mutable Vector<double> m_blocks;  ///< of all packs, for products without a matrix
    mutable bool m_blocksReady = false;
};

extern template class HyperelasticElements<4>;
extern template class HyperelasticElements<5>;
extern template class HyperelasticElements<6>;
extern template class HyperelasticElements<8>;
extern template class HyperelasticElements<10>;

}  // namespace sofa::core
