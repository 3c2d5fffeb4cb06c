// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <span>

#include "core/fem/assembly/PatchCoupling.h"
#include "core/fem/elements/BoxGrid.h"
#include "core/fem/elements/BoxHexahedra.h"
#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/fem/elements/FilledCell.h"
#include "core/fem/elements/FrameTurning.h"
#include "core/fem/kernels/HexahedronKernels.h"
#include "core/fem/materials/StiffnessKinds.h"

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
/// the nodes at each Gauss point; like SOFA's HexahedronFEMForceField, elements whose opposite edges differ by less
/// than a thousandth of their length are taken as parallelepipeds, with the Jacobian of the three edges at node 0,
/// unless `Jacobian::Exact` is asked for.
///
/// With Dilatation::Averaged, the trace of the strain is its mean over the element at each point (B̄: Hughes,
/// "Generalization of selective integration procedures to anisotropic and nonlinear media", 1980), so that
/// K_ij = Σ_q w_q det J_q (−⅔ μ a bᵀ + μ b aᵀ + μ (a·b) I) + κ V ā b̄ᵀ with the mean gradients ā, b̄, κ = λ + ⅔ μ.
///
/// The stiffness of products and blocks is Eᵀ K E: the change of the frame is neglected (see CorotationalTetrahedra).
///
/// Elements are evaluated in packs of eight (core/fem/kernels/HexahedronKernels.h), with the widest vector instructions
/// of the machine; results do not depend on these. Rows of blocks of K sum to zero, so that K_00 is never used. A pack
/// whose elements have one stiffness, like those of a regular grid, reads it once for all eight; where all elements are
/// equal boxes, products are those of core/fem/elements/BoxHexahedra.h, and in a grid solvers may use those of
/// core/fem/elements/BoxGrid.h.
class CorotationalHexahedra
{
public:
    using Nodes = std::array<Vec3, 8>;
    using Stiffness = Mat<24>;
    enum class Jacobian
    {
        ParallelEdges,  ///< that of the edges at node 0 where opposite edges nearly agree
        Exact
    };

    /// Precomputes the elements; the stiffness is zero until setMaterial. With `updateStiffness`, the stiffness is
    /// integrated anew on the deformed shape at each evaluation of the forces. `Svd` is treated as `Polar`. Throws
    /// std::runtime_error, naming the element, if one has an invalid vertex.
    void build(const Vector<Hexahedron>& elements, const Vector<Vec3>& rest, RotationMethod method,
               bool updateStiffness = false, Jacobian jacobian = Jacobian::ParallelEdges,
               Dilatation dilatation = Dilatation::Pointwise);

    /// Follows a change of the mesh: elements and points come from those before as the sources say, `touched` are those
    /// that are new or have other numbers, vertices or rest positions; others that need their material again are added.
    /// Returns false, with nothing done, if all had better be built anew.
    bool follow(const Vector<Hexahedron>& elements, const Vector<Vec3>& rest, const ElementSource& source,
                const ElementSource& points, Vector<Index>& touched);

    Index size() const { return m_graph.size(); }
    const ElementGraph<8>& graph() const { return m_graph; }

    struct Material
    {
        LameParameters lame;
        double factor = 1.;  ///< of the stiffness: the filled part of the cells of a sparse grid
        /// Of an element that is filled unevenly; it stays where it is as long as the elements have this material.
        const FilledCell* filled = nullptr;
        /// A stiffness that comes from elsewhere, in the frame of the rest shape; it stays where it is as well.
        const Stiffness* given = nullptr;
    };
    /// Whether the stiffness has the turning of the frames (FrameTurning), which makes it the derivative of the forces
    /// but for `updateStiffness`; from the next build() on.
    void setExactTangent(bool exact) { m_exact = exact; }
    /// Sets the materials and integrates the stiffness of each element. Elements whose rest shapes (up to 1e-12 of
    /// their size) and materials agree, like the cells of a grid, share one matrix. Throws std::runtime_error, naming
    /// the element, if a rest shape is degenerate or inverted.
    void setMaterial(const std::function<Material(Index)>& materialOf);
    /// The same for some elements, of which those that follow() named are a part: the result is that for all.
    void setMaterial(const Vector<Index>& elements, const std::function<Material(Index)>& materialOf);

    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor Eᵀ K E dx, and the turning of the frames, at the state of the last addForce (the rest shape before
    /// the first one).
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    void addStiffness(BlockSink& sink) const;
    /// True if products are those of equal boxes, which take no longer than those with the assembled matrix.
    bool hasBoxProducts() const { return m_boxes.isReady(); }
    /// Products of a system matrix with the stiffness of the last addForce, if the elements are a grid of equal boxes;
    /// else null.
    MatrixFreeOperator* matrixFreeOperator() const;
    /// Elastic energy Σ ½ uᵀ K u [J] at x.
    double energy(const Vector<Vec3>& x) const;
    /// Sets the part of every element in it [J].
    void energies(const Vector<Vec3>& x, Vector<double>& out) const;

    /// Nodes of the rest shape, relative to node 0 and in the element's frame.
    Nodes restNodes(Index e) const;
    /// Frame E (rows are axes) of an element at x, and that of the last addForce (the rest shape before the first one).
    Mat3 frameAt(Index e, const Vector<Vec3>& x) const { return frameOf(nodesOf(e, x)); }
    Mat3 frame(Index e) const;
    /// How that frame turns when nodes move: its angular velocity is the sum of these times the nodes' velocities.
    std::array<Mat3, 8> turning(Index e, const Vector<Vec3>& x) const { return turningOf(nodesOf(e, x), m_method); }
    /// The same at rest, in the element's frame; of the polar method where frames do not turn.
    std::array<Mat3, 8> restTurning(Index e) const
    {
        return turningOf(restNodes(e), m_method == RotationMethod::Small ? RotationMethod::Polar : m_method);
    }

    /// Stiffness matrix in the element's frame [N/m].
    Stiffness stiffness(Index e) const;
    /// Number of different stiffness matrices.
    std::size_t nbStiffness() const { return m_kinds.count(); }
    /// Rotation from the rest shape to the shape of the last addForce.
    Mat3 rotation(Index e) const { return frame(e).transposed() * m_restFrame[e]; }

    /// Stiffness K of a hexahedron with these nodes. `valid`, if given, tells whether det J > 0 at every Gauss point;
    /// where it vanishes the result is not finite.
    /// `rule`: the quadrature, with the weights of the material.
    static Stiffness integrate(const Nodes& nodes, const LameParameters& material, bool* valid = nullptr,
                               Jacobian jacobian = Jacobian::ParallelEdges,
                               Dilatation dilatation = Dilatation::Pointwise,
                               std::span<const QuadraturePoint<3>> rule = HexahedronShape::quadrature);

private:
    Stiffness integrate(const Nodes& nodes, const Material& material, bool* valid) const;
    /// Resizes what there is for each pack.
    void resize();
    /// Sets shape, frame and vertices of an element in the packs.
    void prepareElement(Index e, const Vector<Vec3>& rest);
    /// Calls f(slot) for an element's lane of the packs, and for the unused ones, which repeat the last element.
    template <class F>
    void forLanes(Index e, F&& f) const;
    double energyOf(Index e, const Vector<Vec3>& x) const;
    /// The numbers of a stiffness, see HexahedronStiffness; of one element or of all lanes of a pack.
    using Numbers = std::array<double, hexahedronStiffnessScalars>;
    struct alignas(64) PackNumbers
    {
        double k[hexahedronStiffnessScalars][packWidth];
    };
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    /// Where the stiffness of a pack is.
    struct Place
    {
        std::uint32_t index = nowhere;
        bool shared = true;
    };
    Numbers numbersOfKind(std::uint32_t kind) const;
    /// Sets the stiffness of a pack, in which these lanes have others than before.
    void placePack(std::size_t p, std::uint8_t lanes);
    /// Frees what a pack has of its own.
    void releasePack(std::size_t p);

    Mat3 frameOf(const Nodes& nodes) const { return frameOf(nodes, m_method); }
    static Mat3 frameOf(const Nodes& nodes, RotationMethod method);
    static std::array<Mat3, 8> turningOf(const Nodes& nodes, RotationMethod method);
    /// At the positions of the last addForce.
    FrameTurning<8> exactTurning(Index e) const;
    Nodes nodesOf(Index e, const Vector<Vec3>& x) const;
    void setFrame(Index e, const Mat3& frame);
    HexahedronStiffness stiffnessOfPack(std::size_t p) const;
    double entry(Index e, std::size_t number) const;
    void setStiffness(std::size_t p, std::size_t lane, const Numbers& numbers);
    void findBoxes();
    /// Displacements in the frame `frame` (rows are axes).
    Vec<24> displacement(Index e, const Nodes& nodes, const Mat3& frame) const;
    /// The force on one element, for those whose frame the packs do not find.
    void elementForce(Index e, const Vector<Vec3>& x, double* out);
    /// Integrates the stiffness of the elements of a pack on the deformed shape.
    void updatePack(std::size_t p, const Vector<Vec3>& x);

    ElementGraph<8> m_graph;
    RotationMethod m_method = RotationMethod::Large;
    bool m_updateStiffness = false;
    bool m_exact = false;
    Vector<Vec3> m_x;  ///< positions of the last addForce, for the exact tangent
    Jacobian m_jacobian = Jacobian::ParallelEdges;
    Dilatation m_dilatation = Dilatation::Pointwise;
    Vector<HexahedronPack> m_packs;
    Vector<HexahedronFrames> m_frames;  ///< E of the last addForce
    Vector<Mat3> m_restFrame;           ///< E₀
    Vector<Place> m_place;              ///< per pack
    Vector<Numbers> m_shared;           ///< of packs with one stiffness
    Vector<PackNumbers> m_packed;       ///< of the others
    Vector<std::uint32_t> m_freeShared, m_freePacked;
    StiffnessKinds<8, 3> m_kinds;
    Vector<std::uint32_t> m_sharedOf;  ///< per kind, into m_shared
    mutable BoxHexahedra m_boxes;      ///< ready if all elements are equal boxes
    mutable bool m_boxesHaveFrames = false;
    mutable BoxGrid m_grid;  ///< ready if they are a grid besides
    mutable bool m_gridHasFrames = false;
    Vector<Material> m_material;  ///< only if elements have a stiffness that no other has
};

}  // namespace sofa::core
