// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/ElementForceField.h"
#include "core/fem/assembly/ElementGraph.h"

namespace sofa::component {

/// Membranes as springs along the edges of triangles and between them (Delingette, "Triangular springs for modeling
/// nonlinear membranes", IEEE Transactions on Visualization and Computer Graphics 14(2), 2008). What the quadratic and
/// the biquadratic springs have in common.
///
/// With a measure s of the lengths of edges, its value S at rest and δ = s − S, the energy of a triangle is the
/// quadratic form
///     E = ½ Σ_ab A_ab δ_a δ_b + ¾ (λ + μ) A₀ min(J − 1, 0)⁴        [J]
/// over its edges a, b, opposite to the vertices with the angles θ. The diagonal of A are tensile springs, the rest
/// angular ones, which useAngularSprings = 0 leaves out. With the area A₀ at rest and
///     M_aa = (2 (λ + μ) cot²θ_a + μ)/(32 A₀),   M_ab = (2 (λ + μ) cot θ_a cot θ_b − μ)/(32 A₀),
///     λ = Y ν/(1 − ν²),   μ = Y/(1 + ν)          (Y per thickness: Young's modulus times thickness, N/m; plane stress)
/// the measures are
///     biquadratic:  s = l²,  A_ab = M_ab:         the St Venant-Kirchhoff membrane, exactly, Ψ = ½ λ (tr E)² + ½ μ
///     E:E; quadratic:    s = l,   A_ab = 4 L_a L_b M_ab: the same to second order in the displacements.
/// The second term, of biquadratic springs with `compressible`, resists the loss of area; J is the ratio of areas.
///
/// The tangent is the exact second derivative. Damping of Kelvin and Voigt, with a time τ (`dampingRatio`), adds τ
/// ds/dt to δ in the forces; ∂f/∂v is exact, and the derivative of the damping force by the positions is left out.
///
/// SOFA's tangents are others, and with `compatibility="sofa"` so are these: in that of the quadratic springs the
/// angular part takes rest lengths for present ones; in that of the loss of area the two second derivatives of the area
/// have the wrong sign (that along the normal twice the size, too), and (1 − h) g_i g_jᵀ + h g_i·g_j 1 with h = 1 − J
/// takes the place of g_i g_jᵀ, g = ∂A/∂x. Where J < 0.01, or the normal turns by more than 120° in a step,
/// SOFA keeps the last good normal. The damping of its biquadratic springs is τ (du/dt)·u/l², whose unit is not that
/// of δ, and in both damping is explicit.
class TriangularSprings : public ElementForceField<Vec3Types>, public ElementResults
{
public:
    Data<Vector<double>> d_poissonRatio{this,
                                        {.name = "poissonRatio",
                                         .help = "Poisson's ratio ν: one value, or one per triangle",
                                         .unit = "1",
                                         .range = Range::open(-1., 1.)},
                                        {0.3}};
    Data<Vector<double>> d_youngModulus{this,
                                        {.name = "youngModulus",
                                         .help = "Young's modulus times thickness: one value, or one per triangle",
                                         .unit = "N/m",
                                         .range = Range::nonNegative()},
                                        {1000.}};
    Data<double> d_dampingRatio{
        this,
        {.name = "dampingRatio", .help = "Ratio of damping to stiffness", .unit = "s", .range = Range::nonNegative()},
        0.};
    Data<bool> d_useAngularSprings{
        this,
        {.name = "useAngularSprings",
         .help = "The edges of a triangle act on each other; without that, it is three independent springs"},
        true};

    void addForce(const MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const MechanicalParams& mp, const MultiVecDerivId& df) override;
    void buildStiffness(const MechanicalParams& mp, BlockSink& k) override;
    void buildDamping(const MechanicalParams& mp, BlockSink& b) override;
    bool hasDamping() const override { return d_dampingRatio.value() > 0.; }
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;
    /// The triangles (flag ForceFields).
    void draw(DrawTool& tool) override;

    BaseState* resultState() const override { return l_state.get(); }
    ElementNumbering resultElements() const override { return elementNumbering(); }
    /// None: springs have forces along edges.
    void stresses(const Shape&, Vector<Mat3>& out) const override { out.clear(); }
    void elementEnergies(Vector<double>& out) const override;
    std::vector<Parameter> materialParameters() override { return elementParameters(); }

    using ForceField::addForce;
    using ForceField::buildDamping;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;

protected:
    enum class Measure
    {
        Length,
        SquaredLength
    };
    explicit TriangularSprings(Measure measure);

    /// Whether triangles resist the loss of area.
    virtual bool resistsCollapse() const { return false; }

    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Triangles}}; }
    std::vector<ElementData> elementValues() override { return {{&d_youngModulus}, {&d_poissonRatio}}; }
    void prepare() override;
    bool hasPreparedElements() const override { return topology().triangles() == m_graph.elements(); }
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
    void addElementProducts(VecDeriv& df, const VecDeriv& dx, double factor) const override;

private:
    struct Springs
    {
        Mat3 form;                ///< A
        Vec3 rest;                ///< S
        double area = 0.;         ///< A₀ [m²]
        double areaModulus = 0.;  ///< 3 (λ + μ) [N/m]
    };
    /// State of a triangle.
    struct Strain
    {
        std::array<Vec3, 3> edges, slopes;  ///< x_{k+2} − x_{k+1}, and ∂s/∂edge, of edge k
        Vec3 change;                        ///< δ
        Vec3 normal;                        ///< unit normal where the triangle has lost area, else zero
        double loss = 0.;                   ///< min(J − 1, 0)
        double doubleArea = 0.;             ///< [m²]
    };
    /// Whether tangents are SOFA's.
    bool likeSofa() const { return compatibility() == Compatibility::Sofa; }
    Strain strainOf(Index e, const VecCoord& x) const;
    double energyOf(Index e, const VecCoord& x) const;
    Mat<9> stiffnessOf(Index e) const;
    /// Symmetric A_ab ∂s_a/∂x_i (∂s_b/∂x_j)ᵀ, and with `geometric` forces σ_a the second derivatives of the measure.
    Mat<9> formBlocks(const Springs& s, const Strain& strain, const Vec3* forces) const;
    void keepStiffness() const;
    void addProducts(VecDeriv& out, const VecDeriv& v, const Vector<Mat<9>>& blocks, double factor) const;
    void addBlocks(BlockSink& sink, const Vector<Mat<9>>& blocks, double factor) const;
    void keepDamping() const;

    Measure m_measure;
    ElementGraph<3> m_graph;
    Vector<Springs> m_springs;
    VecCoord m_x;                                   ///< of the last addForce
    mutable Vector<Mat<9>> m_stiffness, m_damping;  ///< −∂f/∂x, and −∂f/∂v over τ, of each triangle
    mutable bool m_stiffnessReady = false, m_dampingReady = false;
};

/// Springs whose forces are linear in the lengths of edges.
class TriangularQuadraticSpringsForceField final : public TriangularSprings
{
public:
    TriangularQuadraticSpringsForceField() : TriangularSprings(Measure::Length) {}
};

/// Springs whose forces are linear in the squared lengths of edges: the St Venant-Kirchhoff membrane.
class TriangularBiquadraticSpringsForceField final : public TriangularSprings
{
public:
    Data<bool> d_compressible{
        this,
        {.name = "compressible",
         .help = "Resist the loss of area of triangles, with a force that grows with its third power; not without "
                 "useAngularSprings"},
        true};

    TriangularBiquadraticSpringsForceField();

protected:
    bool resistsCollapse() const override { return d_compressible.value() && d_useAngularSprings.value(); }
};

}  // namespace sofa::component
