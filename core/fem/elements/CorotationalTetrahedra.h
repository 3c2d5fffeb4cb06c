// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/elements/FrameTurning.h"
#include "core/fem/elements/NodalDilatation.h"
#include "core/fem/kernels/TetrahedronKernels.h"
#include "core/fem/materials/LinearElasticity.h"
#include "core/mesh/Elements.h"
#include "core/topology/ElementData.h"

namespace sofa::core {

/// How the rotation of a corotational element is found.
enum class RotationMethod
{
    Small,                ///< no rotation: linear elasticity, valid for small displacements
    Large,                ///< the frame of the first edges (QR decomposition of the edges)
    Polar,                ///< polar decomposition of the edges
    Svd,                  ///< like Polar, and for collapsed or inverted elements the nearest proper rotation
    DeformationGradient,  ///< polar decomposition of the deformation gradient: then f = −∂E/∂x exactly
    NearestGradient,      ///< the rotation nearest to it, a proper one also for inverted elements
    Moments,              ///< polar decomposition of H = Σ (x_i − x̄) (X_i − X̄)ᵀ: a reflection if inverted
    NearestMoments        ///< the rotation nearest to H
};

/// Corotational linear elasticity on tetrahedra with linear shape functions.
///
/// Let x₀..x₃ be the vertices of an element, X₀..X₃ its rest positions, Q and Q₀ the frames (orthogonal matrices,
/// columns are axes) that `RotationMethod` assigns to the deformed and to the rest shape. In the element's frame,
///
///     u_k = Qᵀ (x_k − x₀) − Q₀ᵀ (X_k − X₀)      displacement [m], k = 1..3
///     G   = Σ_k u_k g_kᵀ                        its gradient, g_k = Q₀ᵀ ∇N_k [1/m]
///     σ   = λ tr(G) I + μ (G + Gᵀ)              stress [Pa]
///     f_k = −V Q σ g_k,  f₀ = −Σ_k f_k          nodal forces [N], V rest volume
///
/// which is f = −R K (Rᵀ x − X) with R = Q Q₀ᵀ and the stiffness K of linear elasticity (Müller and Gross, "Interactive
/// Virtual Materials", 2004; Nesme, Payan and Faure, "Efficient, Physically Plausible Finite Elements", 2005). The
/// stiffness of the matrix-free product and of the assembled blocks is R K Rᵀ: as in SOFA, the change of the rotation
/// is neglected, so that it is exact for `Small` and at rest (rotated or not), and differs from ∂f/∂x by terms of first
/// order in the strain elsewhere. With c_k = Q g_k, its blocks are V (λ c_i c_jᵀ + μ c_j c_iᵀ + μ (c_i·c_j) I). With
/// setExactTangent the turning of the frames is there, too (FrameTurning).
///
/// With Dilatation::Averaged, tr G is that of the nodes (NodalDilatation).
///
/// Elements are evaluated in packs of eight (core/fem/kernels/TetrahedronKernels.h), with the widest vector
/// instructions of the machine; results do not depend on these. Packs are in the order of a sweep (ElementReordering);
/// forces are summed in the order of the mesh, as in SOFA.
///
/// Plasticity follows Müller and Gross, section 5, with thresholds on the norm of the engineering strain times 6 V (the
/// strain-displacement matrix of SOFA carries this factor).
class CorotationalTetrahedra
{
public:
    /// Strain (xx, yy, zz, xy, yz, zx; engineering shear) in the element's frame, times 6 V [m³].
    using ScaledStrain = Vec6;

    struct Plasticity
    {
        double maxThreshold = 0.;        ///< largest norm of the plastic strain; 0: no plasticity
        double yieldThreshold = 0.0001;  ///< elastic strains of larger norm yield
        double creep = 0.9;  ///< part of the elastic strain that becomes plastic at each evaluation, in [0, 1]
    };

    /// Precomputes the elements. With `updateGradients`, the gradients follow the deformed shape at each evaluation of
    /// the forces (not for `Small`): g_k becomes its cofactor form, area vectors of the deformed shape over 6 V.
    /// The material is zero until setMaterial. Plastic strains are kept for elements with unchanged index. Throws
    /// std::runtime_error, naming the element, if one is degenerate (no volume) or has an invalid vertex.
    void build(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest, RotationMethod method,
               bool updateGradients = false, Dilatation dilatation = Dilatation::Pointwise);

    /// Whether the stiffness has the turning of the frames, which makes it the derivative of the forces: from the next
    /// build() on. Not with updated gradients, plasticity or averaged dilatation, and elements that have collapsed are
    /// taken not to turn.
    void setExactTangent(bool exact) { m_exact = exact; }

    /// Follows a change: `elements` and points come from those before as the sources say; `touched` are those that are
    /// new or have other numbers, vertices or rest positions. Others that got another lane of a pack are added to them:
    /// the material of all of these must be set again. False, having done nothing, if build() is better.
    bool follow(const Vector<Tetrahedron>& elements, const Vector<Vec3>& rest, const ElementSource& source,
                const ElementSource& points, Vector<Index>& touched);

    Index size() const { return m_graph.size(); }
    const ElementGraph<4>& graph() const { return m_graph; }
    RotationMethod method() const { return m_method; }

    void setMaterial(Index e, const LameParameters& material);
    void setPlasticity(const Plasticity& p) { m_plasticity = p; }
    void clearPlasticStrain() { m_plasticStrain.assign(m_plasticStrain.size(), {}); }
    void setPlasticStrain(Vector<ScaledStrain> strain) { m_plasticStrain = std::move(strain); }
    const Vector<ScaledStrain>& plasticStrain() const { return m_plasticStrain; }

    /// f += forces at x; also advances the plastic strains and stores the tangent.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x);
    /// df −= factor R K Rᵀ dx, and the turning of the frames, at the state of the last addForce (the rest shape before
    /// the first one).
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds the blocks of −R K Rᵀ, and of the turning of the frames, at that state.
    void addStiffness(BlockSink& sink) const;
    /// Elastic energy Σ ½ V σ : ε [J] at x, without the work of plastic strains.
    double energy(const Vector<Vec3>& x) const;
    /// Sets the part of every element in it [J].
    void energies(const Vector<Vec3>& x, Vector<double>& out) const;

    double restVolume(Index e) const { return std::abs(m_volume6[e]) / 6.; }
    /// Sum of the rest volumes [m³].
    double restVolume() const;
    /// Number of elements whose rest shape has negative orientation. They carry the same forces as positive ones.
    Index nbInverted() const { return m_nbInverted; }

    /// Gradient of the displacement in the element's frame, G above, at x.
    Mat3 corotatedGradient(Index e, const Vector<Vec3>& x) const;
    /// Gradient ∂u/∂X of the displacement in world axes at x.
    Mat3 displacementGradient(Index e, const Vector<Vec3>& x) const;
    /// Cauchy stress of small strains [Pa] for a displacement gradient.
    Mat3 stress(Index e, const Mat3& gradient) const;
    /// Sets the Cauchy stress of every element at x in world axes [Pa]: that of small strains in its frame, turned, and
    /// the mean pressure of its nodes where these share their dilatation.
    void stresses(const Vector<Vec3>& x, Vector<Mat3>& out) const;
    /// Von Mises stress [Pa] of every element at x for the strain in its frame, or for Green's strain ½ (FᵀF − 1); what
    /// is plastic of it counts as well.
    void vonMisesStresses(const Vector<Vec3>& x, bool greenStrain, Vector<double>& out) const;
    /// Rotation R from the rest shape to the shape of the last addForce.
    Mat3 rotation(Index e) const;
    /// Gradients c_k and Lamé's parameters times the volume, as the last addForce left them.
    const IsotropicTangent& tangent(Index e) const { return m_tangents[m_graph.order().placeOf(e)]; }

private:
    struct Rest;
    struct Shape;
    /// Displacement gradient of an element without what is plastic of it.
    Mat3 elasticGradient(Index e, const Rest& r, const Shape& s) const;
    double ownEnergy(Index e, const Vector<Vec3>& x) const;
    /// The gradients of the elements at x in world axes.
    NodalDilatation::Gradients turnedGradients(Index e, const Vector<Vec3>& x) const;

    /// What the force needs of an element, in the element's rest frame.
    struct Rest
    {
        Vec3 edge[3];      ///< Q₀ᵀ (X_k − X₀)
        Vec3 gradient[3];  ///< g_k, which follow from the edges
        double lambdaV, muV;
        void findGradients();
        double volume6() const { return dot(edge[0], cross(edge[1], edge[2])); }  ///< six times the signed volume
    };
    struct Shape
    {
        Mat3 frame;    ///< Q
        Vec3 edge[3];  ///< Qᵀ (x_k − x₀)
    };

    /// Where the data of an element stand in the packs.
    struct Place
    {
        std::size_t pack, lane;
    };
    Place placeOf(Index e) const
    {
        const std::size_t place = m_graph.order().placeOf(e);
        return {place / packWidth, place % packWidth};
    }
    /// The element of a lane, which is not an unused one.
    Index elementAt(std::size_t pack, std::size_t lane) const
    {
        return m_graph.order().elementAt(pack * packWidth + lane);
    }
    std::size_t lanesOf(std::size_t pack) const { return std::min(packWidth, size() - pack * packWidth); }

    bool averages() const { return m_dilatation == Dilatation::Averaged && size() > 0; }
    /// The nodal dilatation, with the materials of the elements.
    const NodalDilatation& nodes() const;
    Rest restOf(Index e) const;
    /// At the positions of the last addForce.
    FrameTurning<4> turningOf(Index e) const;
    Vec3 tangentOf(Index e, std::size_t k) const;
    NodalDilatation::Gradients tangentsOf(Index e) const { return {tangentOf(e, 0), tangentOf(e, 1), tangentOf(e, 2)}; }
    /// Makes room for this many elements.
    void resize(std::size_t n);
    /// Computes what belongs to a lane of a pack, which has element e, from the rest positions.
    void prepareLane(std::size_t slot, Index e, const Vector<Vec3>& rest);
    /// Copies the vertices of these elements, and of the last pack.
    void setPackVertices(const Vector<Index>& elements);
    /// Sets the vectors c_k = Q g_k of an element.
    void setTangent(Index e, const Mat3& frame, const Vec3 (&gradients)[3]);
    Shape shapeOf(Index e, const Vector<Vec3>& x) const;
    /// Deformed volume over rest volume, negative for an inverted element.
    double volumeRatio(Index e, const Vector<Vec3>& x) const;
    /// The force on one element, with everything that the packs do not do: updated gradients, collapsed elements.
    void elementForce(Index e, const Vector<Vec3>& x, Vec3* f);
    /// Forces of a pack of elements; `out` has 8 × 4 × 3 scalars.
    void packForces(std::size_t p, const TetrahedronKernels& kernels, const Vector<Vec3>& x, double* out);
    /// What the kernel of the method gives for a pack; returns the lanes that are to be computed by other means.
    unsigned runKernel(std::size_t p, const TetrahedronKernels& kernels, const Vector<Vec3>& x, double* out,
                       IsotropicTangent* tangents) const;
    /// The same with plasticity; moves the plastic strains of the other lanes.
    unsigned runPlasticKernel(std::size_t p, const TetrahedronKernels& kernels, const Vector<Vec3>& x, double* out);
    /// The method as the kernels for any frame have it.
    TetrahedronFrame kernelFrame() const;
    /// Lanes whose element takes its frame from a singular value decomposition.
    unsigned collapsedLanes(std::size_t p, const Vector<Vec3>& x) const;
    TetrahedronPack packAt(std::size_t p) const;
    /// Rows of eight lanes that the rest edges of a pack take.
    std::size_t edgeRows() const { return m_method == RotationMethod::Large ? 6 : 9; }
    static Mat3 gradientOf(const Shape& s, const Rest& r, const Vec3* g);
    static void frameAndEdges(const Vec3 (&d)[3], RotationMethod method, Shape& s);

    ElementGraph<4> m_graph;
    RotationMethod m_method = RotationMethod::Large;
    bool m_updateGradients = false;
    bool m_exact = false;
    Vector<Vec3> m_x;  ///< positions of the last addForce, for the exact tangent
    Plasticity m_plasticity;
    std::size_t m_packCount = 0;
    Vector<double> m_edges, m_stiffness;  ///< by packs: see TetrahedronPack
    /// [place][vertex], padded to whole packs. Of a graph in the order of the mesh, which has them, only the last pack.
    Vector<Tetrahedron> m_vertices;
    Vector<IsotropicTangent> m_tangents;  ///< by place, padded to whole packs
    Vector<Mat3> m_restFrame;             ///< Q₀; empty for Small
    Vector<Mat3> m_frame;                 ///< Q; only with updated gradients, where the tangent does not tell it
    Vector<double> m_volume6;             ///< six times the signed rest volume in world axes
    Vector<ScaledStrain> m_plasticStrain;
    Index m_nbInverted = 0;
    Dilatation m_dilatation = Dilatation::Pointwise;
    Vector<double> m_bulkModuli;  ///< with averaged dilatation
    mutable NodalDilatation m_nodes;
    mutable bool m_nodesReady = false;
};

}  // namespace sofa::core
