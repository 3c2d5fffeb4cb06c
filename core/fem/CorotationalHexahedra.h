// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>

#include "core/fem/CorotationalTetrahedra.h"

namespace sofa::core {

/// Corotational linear elasticity on hexahedra with trilinear shape functions.
///
/// In the element's frame E (rows are axes; E₀ for the rest shape) the nodal displacements are
///
///     u_i = E (x_i − x₀) − E₀ (X_i − X₀)        i = 0..7 [m]
///     f   = −Eᵀ K u                             [N]
///     K_ij = Σ_q w_q det J_q (λ a bᵀ + μ b aᵀ + μ (a·b) I),  a = ∇N_i(ξ_q), b = ∇N_j(ξ_q)
///
/// with the 2 × 2 × 2 Gauss points ξ = (±1/√3, ±1/√3, ±1/√3), weights 1. The frame comes from the mean edges h₁, h₂, h₃
/// along the element's three directions: `Large` orthonormalises (h₁, h₂), `Polar` takes the orthogonal polar factor of
/// the matrix with rows h₁, h₂, h₃, `Small` is the identity (Nesme, Payan and Faure, 2005). The Jacobian J is that of
/// the nodes at each Gauss point; like SOFA, elements whose opposite edges differ by less than a thousandth of their
/// length are taken as parallelepipeds, with the Jacobian of the three edges at node 0.
///
/// The stiffness of products and blocks is Eᵀ K E: the change of the frame is neglected (see CorotationalTetrahedra).
class CorotationalHexahedra
{
public:
    using Nodes = std::array<Vec3, 8>;
    using Stiffness = Mat<24>;

    /// Precomputes the elements; the stiffness is zero until setMaterial. With `updateStiffness`, the stiffness is
    /// integrated anew on the deformed shape at each evaluation of the forces. `Svd` is treated as `Polar`. Throws
    /// std::runtime_error, naming the element, if one has an invalid vertex.
    void build(const Vector<Hexahedron>& elements, const Vector<Vec3>& rest, RotationMethod method,
               bool updateStiffness = false);

    Index size() const { return m_graph.size(); }
    const ElementGraph<8>& graph() const { return m_graph; }

    struct Material
    {
        LameParameters lame;
        double factor = 1.;  ///< of the stiffness: the filled part of the cells of a sparse grid
    };
    /// Sets the materials and integrates the stiffness of each element. Elements whose rest shapes (up to 1e-12 of
    /// their size) and materials agree, like the cells of a grid, share one matrix. Throws std::runtime_error, naming
    /// the element, if a rest shape is degenerate or inverted.
    void setMaterial(const std::function<Material(Index)>& materialOf);

    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor Eᵀ K E dx at the state of the last addForce (the rest shape before the first one).
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    void addStiffness(BlockSink& sink) const;
    /// Elastic energy Σ ½ uᵀ K u [J] at x.
    double energy(const Vector<Vec3>& x) const;

    /// Stiffness matrix in the element's frame [N/m].
    const Stiffness& stiffness(Index e) const { return m_stiffness[m_stiffnessOf[e]]; }
    /// Number of different stiffness matrices.
    std::size_t nbStiffness() const { return m_stiffness.size(); }
    /// Rotation from the rest shape to the shape of the last addForce.
    Mat3 rotation(Index e) const { return m_frame[e].transposed() * m_restFrame[e]; }

    /// Stiffness K of a hexahedron with these nodes. `valid`, if given, tells whether det J > 0 at every Gauss point;
    /// where it vanishes the result is not finite.
    static Stiffness integrate(const Nodes& nodes, const LameParameters& material, bool* valid = nullptr);

private:
    Mat3 frameOf(const Nodes& nodes) const;
    Nodes nodesOf(Index e, const Vector<Vec3>& x) const;
    /// Displacements in the frame `frame` (rows are axes).
    Vec<24> displacement(Index e, const Nodes& nodes, const Mat3& frame) const;

    ElementGraph<8> m_graph;
    RotationMethod m_method = RotationMethod::Large;
    bool m_updateStiffness = false;
    Vector<Nodes> m_rest;      ///< E₀ (X_i − X₀)
    Vector<Mat3> m_restFrame;  ///< E₀
    Vector<Mat3> m_frame;      ///< E of the last addForce
    Vector<Stiffness> m_stiffness;
    Vector<Index> m_stiffnessOf;  ///< per element, into m_stiffness
    Vector<Material> m_material;
};

}  // namespace sofa::core
