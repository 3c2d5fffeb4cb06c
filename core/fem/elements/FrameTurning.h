// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/assembly/ElementGraph.h"

namespace sofa::core {

/// How the frame of an element turns with its nodes, and what this adds to the derivative of corotational forces, in
/// world axes. With the nodal forces f_a = −R Σ_b K_ab (Rᵀ y_b − X_b), y_b = x_b − x₀, and the turn ω of the frame,
///
///     ω    = Σ_b Ω_b dx_b
///     df_a = −Σ_b (R K Rᵀ)_ab dx_b + T_a ω,   T_a = −[f_a]ₓ − Σ_b (R K Rᵀ)_ab [y_b]ₓ
///
/// (Barbič, "Exact Corotational Linear FEM Stiffness Matrix", 2012, for the polar decomposition). T_a Ω_b is symmetric
/// only where the forces are the gradient of an energy.
template <std::size_t N>
struct FrameTurning
{
    std::array<Mat3, N> ofNode;  ///< Ω_b [1/m]
    std::array<Mat3, N> force;   ///< T_a [N]
};

/// ω = polarTurning(P) Σ_a q_a × dh_a for the orthogonal polar factor Q, with columns q_a, of a matrix with columns
/// h_a: (tr P − P)⁻¹ with P = Σ_a h_a q_aᵀ. Zero where h_a have collapsed to a line or point: any turn about it does.
Mat3 polarTurning(const Mat3& p);
/// ω = Σ_a result[a] dh_a for the frame (rows of `axes`) whose first axis is along h₁ and whose third is normal to h₁
/// and h₂.
std::array<Mat3, 2> edgeFrameTurning(const Mat3& axes, const Vec3& h1, const Vec3& h2);

/// df += factor Σ_e T_a ω; `turning(e)` is the FrameTurning of an element.
template <std::size_t N, class Of>
void addTurningProduct(const ElementGraph<N>& graph, Vector<Vec3>& df, const Vector<Vec3>& dx, double factor,
                       Of&& turning)
{
    graph.accumulate(df, [&](Index e, Vec3* out) {
        const FrameTurning<N> t = turning(e);
        const auto& v = graph.elements()[e];
        Vec3 turn;
        for (std::size_t b = 0; b < N; ++b) turn += t.ofNode[b] * dx[v[b]];
        for (std::size_t a = 0; a < N; ++a) out[a] = t.force[a] * turn * factor;
    });
}

/// Adds the blocks T_a Ω_b of all elements.
template <std::size_t N, class Of>
void addTurningStiffness(const ElementGraph<N>& graph, BlockSink& sink, Of&& turning)
{
    for (Index e = 0; e < graph.size(); ++e) {
        const FrameTurning<N> t = turning(e);
        const auto& v = graph.elements()[e];
        for (std::size_t a = 0; a < N; ++a)
            for (std::size_t b = 0; b < N; ++b) sink.add(v[a], v[b], t.force[a] * t.ofNode[b]);
    }
}

}  // namespace sofa::core
