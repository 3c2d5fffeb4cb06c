// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <optional>

#include "core/fem/assembly/ElementGraph.h"
#include "core/mesh/Elements.h"

namespace sofa::core {

/// Cloth of Baraff and Witkin ("Large steps in cloth simulation", 1998) as in Vega FEM, after Pritchard ("Implementing
/// Baraff and Witkin's cloth simulation", 2012).
///
/// In a triangle with coordinates u, v on the cloth, w_u = ∂x/∂u, w_v = ∂x/∂v and α = A^(3/4) for its area A at rest,
///
///     E = k_t/2 α² ((|w_u| − b_u)² + (|w_v| − b_v)²) + k_s/2 α² (w_u·w_v)²          [J]
///
/// and across each inner edge, with the angle θ between the normals of its two triangles,
///
///     E = k/2 (θ − θ₀)²,   k = mean over the two triangles of (k_U Δu² + k_V Δv²)/(Δu² + Δv²) along the edge.
///
/// The tangent is the exact derivative of the force. θ is atan2(S, C) with S = (n_A × n_B)·e/|e| and C = n_A·n_B, which
/// does not depend on the lengths of the normals; they are taken as constant. Vega takes |e| as constant too, which is
/// an approximation: see Bending.
class BaraffWitkinCloth
{
public:
    struct Material
    {
        double tensile = 0.;            ///< k_t [Pa]
        double shear = 0.;              ///< k_s [Pa]
        double bendU = 0., bendV = 0.;  ///< k_U, k_V [J]
    };
    enum class Bending
    {
        Exact,         ///< force and tangent are the derivatives of the energy
        ConstantEdges  ///< those of Vega: as if edges kept their lengths
    };
    struct Options
    {
        Vec2 restStretch{1., 1.};   ///< b_u, b_v
        bool useRestAngles = true;  ///< else θ₀ = 0
        Bending bending = Bending::Exact;
    };

    /// Precomputes the elements. `uv` holds coordinates of each point [m]; empty: in each triangle u runs along its
    /// first edge. Throws std::runtime_error, naming the triangle or edge, if one has an invalid vertex, no area at
    /// rest or in uv, or if an edge has more than two triangles.
    void build(const Vector<Triangle>& triangles, const Vector<Vec3>& rest, const Vector<Vec2>& uv,
               const Options& options, const std::function<Material(Index)>& materialOf);

    Index triangleCount() const { return m_triangles.size(); }
    Index edgeCount() const { return m_edges.size(); }
    const ElementGraph<3>& triangles() const { return m_triangles; }

    /// f += forces at x.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor K dx at the positions of the last addForce (the rest shape before the first one).
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds the blocks of −K at these positions.
    void addStiffness(BlockSink& sink) const;
    double energy(const Vector<Vec3>& x) const;
    /// Sets that of every triangle [J], with half of the bending across each of its inner edges.
    void energies(const Vector<Vec3>& x, Vector<double>& out) const;
    /// Angle of an inner edge at x, from −π to π.
    double angle(Index edge, const Vector<Vec3>& x) const { return foldOf(edge, x).angle; }

private:
    struct Piece
    {
        std::array<double, 3> du, dv;  ///< ∂w_u/∂x_i, ∂w_v/∂x_i: multiples of the identity [1/m]
        double alpha, tensile, shear;
    };
    /// State of a triangle.
    struct Strain
    {
        Vec3 wu, wv, u, v;  ///< and their directions
        double lengthU, lengthV, stretchU, stretchV, shear;
    };
    /// State of an inner edge.
    struct Fold
    {
        std::array<Vec3, 4> a, b;  ///< derivatives of the normals over their lengths: dN_A = a_i × dx_i
        Vec3 normalA, normalB, edge;
        double inverseA, inverseB, inverseEdge;  ///< of the lengths of the normals and the edge
        double sine, cosine, angle;
    };
    Strain strainOf(Index e, const Vector<Vec3>& x) const;
    double triangleEnergy(Index e, const Vector<Vec3>& x) const;
    double edgeEnergy(Index e, const Vector<Vec3>& x) const;
    Fold foldOf(Index e, const Vector<Vec3>& x) const;
    /// ∂S/∂x_i and ∂C/∂x_i.
    void slopes(const Fold& f, std::array<Vec3, 4>& sine, std::array<Vec3, 4>& cosine) const;
    /// Matrices W_i with d(N_A × N_B) = W_i dx_i.
    static Mat3 turn(const Fold& f, std::size_t i);
    Mat<9> triangleStiffness(Index e) const;
    Mat<12> edgeStiffness(Index e) const;
    void keepStiffness() const;

    Options m_options;
    ElementGraph<3> m_triangles;
    ElementGraph<4> m_edges;  ///< opposite vertex, the two of the edge, other opposite vertex
    Vector<Piece> m_pieces;
    Vector<double> m_bend, m_restAngle;
    Vector<std::array<Index, 2>> m_sides;  ///< the triangles of each inner edge
    Vector<Vec3> m_x;                      ///< of the last addForce
    mutable Vector<Mat<9>> m_triangleStiffness;
    mutable Vector<Mat<12>> m_edgeStiffness;
    mutable bool m_ready = false;
};

}  // namespace sofa::core
