// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/ElementGraph.h"
#include "core/fem/MaterialKernels.h"
#include "core/topology/Elements.h"

namespace sofa::core {

/// Isotropic hyperelastic materials on tetrahedra with linear shape functions.
///
/// With the deformation gradient F = Σ_k (x_k − x₀) ∇N_kᵀ = U diag(s) Vᵀ (U, V rotations; the smallest stretch is
/// negative if det F is), an energy density Ψ(s) and the rest volume V_e of an element,
///
///     E = Σ V_e Ψ,   f_k = −V_e P ∇N_k,   P = ∂Ψ/∂F = U diag(∂Ψ/∂s) Vᵀ,   K = −∂f/∂x.
///
/// The tangent ∂P/∂F is built in the axes U, V (core/fem/MaterialKernels.h), so that nothing is divided by differences
/// of stretches: it is exact at repeated stretches too. `smallestStretch` is the treatment of inversion of Irving,
/// Teran and Fedkiw ("Invertible finite elements for robust simulation of large deformation", 2004): stretches below it
/// are raised to it before Ψ, P and the tangent are evaluated. Where that happens, P is not the gradient of the energy
/// and K is not the derivative of the force, as in Vega FEM. The tangent may be projected to a positive semi-definite
/// one (Teran, Sifakis, Irving, Fedkiw, "Robust quasistatic finite elements and flesh simulation", 2005; absolute
/// values: Chen et al., "Stabler neo-Hookean simulation", 2024).
///
/// Elements are evaluated in packs of eight with the widest vector instructions of the machine; results depend neither
/// on these nor on the number of threads.
class HyperelasticTetrahedra
{
public:
    /// Precomputes the elements. Throws std::runtime_error, naming the element, if one has no volume or an invalid
    /// vertex. Elements of negative orientation are turned. The material parameters are zero until setParameters.
    void build(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest);

    /// The law and what goes with it; the parameters are reset to zero.
    void setMaterial(const MaterialEvaluation& material);
    const MaterialEvaluation& material() const { return m_material; }
    /// Number of parameters of an element: those of the law, and the coefficient of the
    /// compression resistance [Pa] if that is on.
    std::size_t parameterCount() const { return m_parameterCount; }
    void setParameters(Index e, std::span<const double> values);

    Index size() const { return m_graph.size(); }
    /// Connectivity of the elements in the order of the packs, that of their smallest vertex.
    const ElementGraph<4>& graph() const { return m_graph; }
    double restVolume(Index e) const { return m_packs[m_place[e] / 8].volume[m_place[e] % 8]; }

    /// f += forces at x.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor K dx at the positions of the last addForce.
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds the blocks of −K at these positions.
    void addStiffness(BlockSink& sink) const;
    /// Σ V_e Ψ [J] at x.
    double energy(const Vector<Vec3>& x) const;
    Mat3 deformationGradient(Index e, const Vector<Vec3>& x) const;

private:
    const double* parametersOf(std::size_t pack) const { return m_parameters.data() + pack * m_parameterCount * 8; }
    /// Sets the blocks of −K of the packs [first, last) in a ring of `ring` packs, a power of two.
    void computeBlocks(std::size_t first, std::size_t last, std::size_t ring, double* blocks) const;
    void planSweep() const;
    /// The same blocks for all packs, kept until the positions change.
    void keepBlocks() const;

    ElementGraph<4> m_graph;  ///< vertices of each element in increasing order
    Vector<Index> m_place;    ///< element → its place in the packs
    Vector<GradientTetrahedronPack> m_packs;
    MaterialEvaluation m_material;
    std::size_t m_parameterCount = 0;
    Vector<double> m_parameters;  ///< [pack][parameter][lane]
    Vector<Vec3> m_x;             ///< positions of the last addForce

    // Blocks of −K by pack: [vertex pair 01 02 03 12 13 23][3][3][lane].
    mutable Vector<double> m_blocks;  ///< of all packs, for products without a matrix
    mutable bool m_blocksReady = false;
    mutable Vector<double> m_ring;          ///< work space of addStiffness
    mutable Vector<std::size_t> m_pairEnd;  ///< pairs that are complete after each chunk of packs
    mutable std::size_t m_reach = 0;        ///< how many packs before the end of a chunk its pairs reach back at most
    mutable bool m_planned = false;
};

}  // namespace sofa::core
