// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>

#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/assembly/PatchCoupling.h"
#include "core/fem/elements/FrameTurning.h"
#include "core/fem/materials/ElasticityMatrix.h"

namespace sofa::core {

/// How the stiffness of elements turns with them.
enum class Corotation
{
    None,     ///< linear elasticity
    Rotated,  ///< corotational, with the approximate tangent R K Rᵀ
    Exact     ///< corotational, with the derivative of the force
};

/// Linear elasticity with any elasticity matrix and one rotation for each element, on tetrahedra (N = 4) and hexahedra
/// with trilinear shape functions (N = 8), as in Vega FEM:
///
///     z_i = Rᵀ (x_i − x₀) − (X_i − X₀)      [m]
///     f   = −R K z,   E = ½ zᵀ K z          [N], [J]
///     K_ab = ∫ B_aᵀ C B_b                   [N/m]
///
/// R is the rotation nearest to the deformation gradient F = Σ_c x_c b_cᵀ of a tetrahedron: the element itself, or the
/// one on the corners 3, 4, 1, 6 of a hexahedron, a regular one in a cube. (Müller and Gross, "Interactive Virtual
/// Materials", 2004; Barbič, "Exact Corotational Linear FEM Stiffness Matrix", 2012.)
///
/// Where R is not that of the whole element's shape (hexahedra), or the material is not isotropic, f is not the
/// gradient of E, and its exact derivative (FrameTurning) is not symmetric.
///
/// With Dilatation::Averaged hexahedra have B̄_a = B_a + ⅓ 1 (ā − a)ᵀ in place of B_a, where a is the gradient of the
/// shape function, ā its mean over the element and 1 = (1, 1, 1, 0, 0, 0) (Hughes, 1980).
///
/// The stiffness of an axis-aligned box has a closed form; other hexahedra are integrated with 2 × 2 × 2 Gauss points.
/// Elements whose rest shapes (up to 1e-12 of their size) and materials agree, like voxels, share one matrix.
template <std::size_t N>
class CorotationalElements
{
public:
    static_assert(N == 4 || N == 8);
    using Element = std::array<Index, N>;
    using Stiffness = Mat<3 * N>;
    using Nodes = std::array<Vec3, N>;

    /// Precomputes the elements; the stiffness is zero until setMaterial. Throws std::runtime_error, naming the
    /// element, if one has an invalid vertex, no volume or is folded. Elements that are numbered inside out count as
    /// positive ones.
    void build(const Vector<Element>& elements, const Vector<Vec3>& rest, Corotation warp,
               Dilatation dilatation = Dilatation::Pointwise);
    /// Integrates the stiffness of each element. Exceptions of `elasticityOf` pass through.
    void setMaterial(const std::function<ElasticityMatrix(Index)>& elasticityOf);

    Index size() const { return m_graph.size(); }
    const ElementGraph<N>& graph() const { return m_graph; }

    /// f += forces at x.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor K dx at the state of the last addForce (the rest shape before the first one).
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds the blocks of −K at this state.
    void addStiffness(BlockSink& sink) const;
    /// Σ ½ zᵀ K z [J] at x.
    double energy(const Vector<Vec3>& x) const;
    /// Sets the part of every element in it [J].
    void energies(const Vector<Vec3>& x, Vector<double>& out) const;

    /// Sets the mean Cauchy stress of every element at x [Pa], in world axes: that of small strains, turned. Over the
    /// rest shape its integral is Σ (K z)_i X_iᵀ.
    void stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const;

    /// Rotation of an element in the last addForce.
    const Mat3& rotation(Index e) const { return m_rotation[e]; }
    /// Stiffness of an element at rest, and the number of different ones.
    const Stiffness& stiffness(Index e) const { return m_stiffness[m_stiffnessOf[e]]; }
    std::size_t nbStiffness() const { return m_stiffness.size(); }

    /// Stiffness of an element with these nodes: in closed form if it is an axis-aligned box and `closedForm` is true,
    /// else by quadrature.
    static Stiffness integrate(const Nodes& nodes, const ElasticityMatrix& c, bool closedForm = true);
    /// The same with averaged dilatation.
    static Stiffness integrateAveraged(const Nodes& nodes, const ElasticityMatrix& c);

private:
    double energyOf(Index e, const Vector<Vec3>& x) const;
    /// Local vertices of the tetrahedron that rotations come from.
    static constexpr std::array<std::size_t, 4> rotationNodes()
    {
        if constexpr (N == 4)
            return {0, 1, 2, 3};
        else
            return {3, 4, 1, 6};
    }
    Nodes nodesOf(Index e, const Vector<Vec3>& x) const;
    Mat3 deformationGradient(Index e, const Nodes& nodes) const;
    Mat3 rotationOf(Index e, const Nodes& nodes) const;
    /// K z for the nodes x_i − x₀.
    Vec<3 * N> localForces(Index e, const Nodes& nodes, const Mat3& r) const;
    /// At the positions of the last addForce.
    FrameTurning<N> turningOf(Index e) const;

    ElementGraph<N> m_graph;
    Corotation m_warp = Corotation::None;
    Dilatation m_dilatation = Dilatation::Pointwise;
    Vector<Nodes> m_rest;                    ///< X_i − X₀
    Vector<double> m_volume;                 ///< at rest [m³]
    Vector<std::array<Vec3, 4>> m_gradient;  ///< b_c
    Vector<Mat3> m_rotation;                 ///< of the last addForce
    Vector<Vec3> m_x;                        ///< positions of the last addForce, for the exact tangent
    Vector<Stiffness> m_stiffness;
    Vector<Index> m_stiffnessOf;
};

extern template class CorotationalElements<4>;
extern template class CorotationalElements<8>;

}  // namespace sofa::core
