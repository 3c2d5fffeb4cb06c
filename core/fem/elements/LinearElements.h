// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>

#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/assembly/PatchCoupling.h"
#include "core/fem/elements/FiniteElements.h"
#include "core/fem/materials/LinearElasticity.h"
#include "core/fem/materials/StiffnessKinds.h"

namespace sofa::core {

/// How the rotation of an element from its rest shape is found.
enum class ElementRotation
{
    StablePolar,  ///< the rotation nearest to H = Σ_i p_i q_iᵀ, with p, q the deformed and rest nodes about their means
    Polar,        ///< the orthogonal polar factor of H: a reflection where the element is inverted
    Identity,     ///< none: linear elasticity, valid for small displacements
    Frame  ///< triangles, tetrahedra: frame of the first two edges; hexahedra: frame of the first two mean edges (QR)
};

/// Linear elasticity, corotational or not, on one kind of linear finite elements (`Shape`,
/// core/fem/elements/FiniteElements.h) in D dimensions; for tetrahedra see LinearTetrahedra.
///
/// With R the rotation of an element from its rest shape X to its shape x,
///
///     u_i = Rᵀ (x_i − x₀) − (X_i − X₀)                                    displacement [m]
///     f   = −R K u                                                        nodal forces [N in space]
///     K_ij = Σ_q w_q μ_q (λ a bᵀ + μ b aᵀ + μ (a·b) I),  a = ∇N_i(ξ_q), b = ∇N_j(ξ_q)
///
/// where μ_q is the measure √det(JᵀJ) of the Jacobian J at the quadrature point ξ_q of weight w_q (Hughes, "The Finite
/// Element Method", sections 2.7 and 3.9; for R: Müller and Gross, "Interactive Virtual Materials", 2004; Nesme, Payan
/// and Faure, "Efficient, Physically Plausible Finite Elements", 2005). Elements that are lower than the space (edges
/// in the plane, edges, triangles and quads in space) have the tangential gradients J (JᵀJ)⁻¹ ∂N/∂ξ and unit thickness;
/// as in SOFA, their strain is that of the space with these gradients: plane strain, not the plane stress of a
/// membrane, and a resistance to shear out of their plane.
///
/// The stiffness of products and blocks is R K Rᵀ: as in SOFA, the change of the rotation is neglected, so that it is
/// exact for `Identity` and at rest (rotated or not), and differs from ∂f/∂x by terms of first order in the strain
/// elsewhere.
///
/// With Dilatation::Averaged, elements that fill a volume of space take the mean of tr ε over the element (B̄, see
/// CorotationalHexahedra; of prisms in λ/2 tr(ε)² only, as they have two points).
///
/// Elements with one quadrature point keep their gradients, not a matrix: with G = Σ u_i ∇N_iᵀ and the stress σ of G,
/// f_i = −V R σ ∇N_i. For the others one matrix is kept for each different shape and material, so that the cells of a
/// grid share one. The matrix, the gradients and the rest shape are those of the rest frame for `Frame`.
template <class Shape, std::size_t D>
class LinearElements
{
public:
    using Element = typename Shape::Element;
    using VecD = Vec<D>;
    using MatD = Mat<D>;
    static constexpr std::size_t nodes = Shape::nodes;
    using Stiffness = Mat<nodes * D>;
    /// Whether these elements have the method `Frame`.
    static constexpr bool hasFrame =
        D == 3 && (Shape::type == ElementType::Triangles || Shape::type == ElementType::Hexahedra);

    /// Whether they have averaged dilatation.
    static constexpr bool canAverage = D == 3 && Shape::dimension == 3;

    /// Precomputes the elements, whose material is set next. Throws std::runtime_error, naming the
    /// element, if one has an invalid vertex, is degenerate (no length, area or volume) or folded (inverted in a part).
    void build(const Vector<Element>& elements, const Vector<VecD>& rest, ElementRotation method,
               Dilatation dilatation = Dilatation::Pointwise);
    /// Follows a change of the mesh: elements and points come from those before as the sources say, `touched` are those
    /// that are new or have other numbers, vertices or rest positions, whose material must be set again. Returns false,
    /// with nothing done, if all had better be built anew. Throws like build().
    bool follow(const Vector<Element>& elements, const Vector<VecD>& rest, const ElementSource& source,
                const ElementSource& points, Vector<Index>& touched);
    /// Sets the material of each element, or of some.
    void setMaterial(const std::function<LameParameters(Index)>& materialOf);
    void setMaterial(const Vector<Index>& elements, const std::function<LameParameters(Index)>& materialOf);

    Index size() const { return m_graph.size(); }
    const ElementGraph<nodes, D>& graph() const { return m_graph; }

    void addForce(Vector<VecD>& f, const Vector<VecD>& x);
    /// df −= factor R K Rᵀ dx at the state of the last addForce (the rest shape before the first one).
    void addStiffnessProduct(Vector<VecD>& df, const Vector<VecD>& dx, double factor) const;
    /// Adds the blocks of −R K Rᵀ at that state.
    void addStiffness(BlockSink& sink) const;
    /// Elastic energy Σ ½ uᵀ K u [J] at x.
    double energy(const Vector<VecD>& x) const;
    /// Sets the part of every element in it [J].
    void energies(const Vector<VecD>& x, Vector<double>& out) const;

    /// Number of elements whose rest shape is numbered inside out. They carry the same forces as others.
    Index nbInverted() const { return m_nbInverted; }
    /// Number of different stiffness matrices that are kept.
    std::size_t nbStiffness() const { return m_kinds.count(); }
    /// Rotation R of the last addForce.
    MatD rotation(Index e) const { return m_rotation[e] * m_restFrame[e].transposed(); }

private:
    double energyOf(Index e, const Vector<VecD>& x) const;
    static constexpr std::size_t others = nodes - 1;
    static constexpr bool onePoint = Shape::quadrature.size() == 1;
    static constexpr std::size_t scalars = nodes * D;
    using Offsets = std::array<VecD, others>;  ///< nodes 1 .. relative to node 0

    /// What an element with one quadrature point needs besides its offsets.
    struct Gradients
    {
        std::array<VecD, others> of;  ///< ∇N_i, i ≥ 1
        double measure = 0.;          ///< w μ
    };

    Offsets offsetsOf(Index e, const Vector<VecD>& x) const;
    /// The rest frame (columns are axes) of a shape, for `Frame`.
    MatD frameOf(const Offsets& d) const;
    /// From the axes of the rest offsets to those of a shape: R times the rest frame.
    MatD rotationOf(Index e, const Offsets& d) const;
    /// Forces −factor R K u, for displacements u of the nodes 1 .. against node 0 in the element's axes.
    void internalForces(Index e, const Offsets& u, const MatD& r, double factor, VecD* out) const;
    Offsets displacements(Index e, const Offsets& d, const MatD& r) const;
    Stiffness integrate(Index e, const LameParameters& material) const;
    /// Resizes what there is for each element.
    void resize(std::size_t elements);
    /// Sets the rest shape of an element, its measure and gradients; checks it.
    void prepareElement(Index e, const Vector<VecD>& rest);
    void measure(Index e);
    std::array<VecD, nodes> restNodes(Index e) const;

    ElementGraph<nodes, D> m_graph;
    ElementRotation m_method = ElementRotation::Identity;
    Vector<Offsets> m_rest;             ///< in the axes of the rest frame
    Vector<MatD> m_restFrame;           ///< the identity but for `Frame`
    Vector<MatD> m_rotation;            ///< R times the rest frame, of the last addForce
    Vector<Gradients> m_gradients;      ///< one quadrature point
    Vector<LameParameters> m_material;  ///< one quadrature point: times the measure
    StiffnessKinds<nodes, D> m_kinds;   ///< several
    Vector<Stiffness> m_stiffness;      ///< several: by kind
    Vector<char> m_isInverted;
    Index m_nbInverted = 0;
    Dilatation m_dilatation = Dilatation::Pointwise;
    mutable Vector<std::array<VecD, nodes>> m_rotated;  ///< work space of addStiffness: gradients in world axes
};

/// The instances.
#define SOFA_LINEAR_ELEMENTS(X) \
    X(EdgeShape, 1)             \
    X(EdgeShape, 2)             \
    X(EdgeShape, 3)             \
    X(TriangleShape, 2)         \
    X(TriangleShape, 3)         \
    X(QuadShape, 2)             \
    X(QuadShape, 3)             \
    X(HexahedronShape, 3)       \
    X(PrismShape, 3)            \
    X(PyramidShape, 3)

#define SOFA_EXTERN(S, D) extern template class LinearElements<S, D>;
SOFA_LINEAR_ELEMENTS(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::core
