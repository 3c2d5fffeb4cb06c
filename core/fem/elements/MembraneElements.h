// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/elements/BezierShape.h"
#include "core/fem/elements/FiniteElements.h"
#include "core/fem/kernels/MembraneKernels.h"

namespace sofa::core {

/// Points and weights of an integral over the reference element of a line or surface, with the gradients of its shape
/// functions there.
template <class Shape>
struct MembraneQuadrature
{
    struct Point
    {
        double weight;
        std::array<Vec<Shape::dimension>, Shape::nodes> gradients;
    };
    Vector<Point> points;
};
/// n points along each axis: Gauss's rule for quads, n = 2 or 3 (3 is exact for St Venant-Kirchhoff on parallelograms);
/// edges and triangles, whose gradients are constant, have one point; quadratic triangles always twelve.
template <class Shape>
const MembraneQuadrature<Shape>& membraneQuadrature(int n);

/// How the thickness of a plane element or membrane behaves.
enum class Thickness
{
    Free,  ///< plane stress: no stress acts across the surface, which thins where it is stretched
    Kept   ///< plane strain: the surface is a slice of a long body
};

/// Hyperelastic materials on elements of lower dimension than the body that they stand for: triangles and quads in the
/// plane (D = 2: plane stress or plane strain) and in space (D = 3: membranes), edges in the plane and in space (bars).
///
/// With tangent frames E of the rest shape, the deformation gradient of an element is F = Σ_k x_k (Eᵀ ∇N_k)ᵀ =
/// U diag(s) Vᵀ, of D × M for elements of dimension M. Its energy density is
///
///     Ψ̃(s) = min over t of Ψ(s, t)
///
/// over the stretches t across the element (of surfaces one, of edges two that are equal), which is the state without
/// stress across it; with Thickness::Kept, Ψ(s, 1). Energy, forces and stiffness are sums over the points q of the
/// quadrature as for volume elements (core/fem/elements/HyperelasticElements.h) with weights in the rest shape times
/// thickness or cross-section. The tangent of Ψ̃ is the Schur complement ∂²Ψ/∂s² − ∂²Ψ/∂s∂t (∂²Ψ/∂t²)⁻¹ ∂²Ψ/∂t∂s (static
/// condensation; Klinkel and Govindjee, "Using finite strain 3D-material models in beam and shell elements", 2002);
/// tension ∂Ψ̃/∂s_i gives stiffness ∂Ψ̃/∂s_i / s_i against motion along the normals of the element. t is found by
/// Newton's method, in closed form for the linear, corotational and St Venant-Kirchhoff laws (λ* = 2 λ μ/(λ + 2 μ), and
/// Young's modulus for edges) and the stable neo-Hookean law.
///
/// `smallestStretch`, `projection` and `compressionResistance` are those of volume elements, the last one with the
/// ratio of areas (lengths) in place of J. Only elements in the plane can be inverted. A collapsed membrane or bar is
/// pushed apart in any direction.
template <class Shape, std::size_t D>
class MembraneElements
{
public:
    using Element = typename Shape::Element;
    using VecD = Vec<D>;
    static constexpr std::size_t nodes = Shape::nodes, dimension = Shape::dimension;

    /// Precomputes the elements, with unit thickness or cross-section. Throws std::runtime_error, naming the element,
    /// if one has an invalid vertex, no area or length, or is folded. The material parameters are zero until
    /// setParameters.
    void build(const Vector<Element>& elements, const Vector<VecD>& rest, const MembraneQuadrature<Shape>& quadrature);
    /// Follows a change of the mesh: elements and points come from those before as the sources say, `touched` are those
    /// that are new or have other numbers, vertices or rest positions; others that need their section and parameters
    /// again are added. Returns false, with nothing done, if all had better be built anew. Throws like build().
    bool follow(const Vector<Element>& elements, const Vector<VecD>& rest, const MembraneQuadrature<Shape>& quadrature,
                const ElementSource& source, const ElementSource& points, Vector<Index>& touched);

    /// The law and what goes with it; the parameters are reset to zero. The axes of Costa's law are those of the mesh
    /// in the plane; in space the projection of the x axis on a surface (of the y axis where that is almost normal to
    /// it), its normal and their cross product; along an edge, the first axis.
    void setMaterial(const MaterialEvaluation& material, Thickness thickness = Thickness::Free);
    const MaterialEvaluation& material() const { return m_how.material; }
    /// Number of parameters of an element, as for volume elements.
    std::size_t parameterCount() const { return static_cast<std::size_t>(m_how.parameters); }
    void setParameters(Index e, std::span<const double> values);
    /// Thickness [m] of a surface, cross-section [m²] of an edge.
    void setSection(Index e, double section);

    Index size() const { return m_graph.size(); }
    const ElementGraph<nodes, D>& graph() const { return m_graph; }
    /// Rest volume of an element [m³].
    double restVolume(Index e) const;

    /// f += forces at x.
    void addForce(Vector<VecD>& f, const Vector<VecD>& x);
    /// df −= factor K dx at the positions of the last addForce.
    void addStiffnessProduct(Vector<VecD>& df, const Vector<VecD>& dx, double factor) const;
    /// Adds the blocks of −K at these positions.
    void addStiffness(BlockSink& sink) const;
    /// Σ V_q Ψ̃ [J] at x.
    double energy(const Vector<VecD>& x) const;
    /// Sets the part of every element in it [J].
    void energies(const Vector<VecD>& x, Vector<double>& out) const;
    /// Sets the mean Cauchy stress [Pa] of each element at x, from the forces on its vertices, with the section at
    /// rest.
    void stresses(const Vector<VecD>& x, Vector<Mat3>& out) const;

private:
    static constexpr std::size_t pairs = nodes * (nodes - 1) / 2, frameScalars = dimension < D ? dimension * D : 0;

    /// Resizes what there is for each pack.
    void resize();
    /// Sets shape and vertices in a lane of the packs; e is the element there, or the last one if the lane is unused.
    void prepareLane(std::size_t place, Index e, const Element& element, const Vector<VecD>& rest,
                     const MembraneQuadrature<Shape>& quadrature);
    MembraneKernels::Function kernel() const;
    const double* parametersOf(std::size_t pack) const { return m_parameters.data() + pack * parameterCount() * 8; }
    MembranePackView pack(std::size_t p) const;
    /// The blocks of −K of all packs, kept until the positions change.
    void keepBlocks() const;
    Mat<D> keptBlock(Index e, std::size_t pair) const;

    ElementGraph<nodes, D> m_graph;
    std::size_t m_packCount = 0;
    std::size_t m_points = 1;
    Vector<std::uint32_t> m_vertices;  ///< [pack][vertex][lane]
    Vector<double> m_gradients, m_frames;
    Vector<double> m_measures, m_volumes;  ///< [pack][point][lane]: without and with the section
    MembraneEvaluation m_how;
    Vector<double> m_parameters;      ///< [pack][parameter][lane]
    Vector<VecD> m_x;                 ///< positions of the last addForce
    mutable Vector<double> m_blocks;  ///< [pack][pair][D][D][lane]
    mutable bool m_blocksReady = false;
};

#define SOFA_THIN_ELEMENTS(X) \
    X(EdgeShape, 2)           \
    X(EdgeShape, 3)           \
    X(TriangleShape, 2)       \
    X(TriangleShape, 3)       \
    X(QuadShape, 2)           \
    X(QuadShape, 3)           \
    X(BezierTriangleShape, 3)

#define SOFA_EXTERN(S, D) extern template class MembraneElements<S, D>;
SOFA_THIN_ELEMENTS(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::core
