// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/ElementPressure.h"

namespace sofa::component {

/// A pressure on edges of a mesh.
///
/// With `pressure`, a dead load: the vector p (force per length) times the length at rest L₀, in halves to the ends,
/// see ElementPressure. Otherwise the force p_intensity [N/m] times L₀ along the present normal n of the edge:
///     f₀ = f₁ = ½ p L₀ n,   n = b × e / |b × e|,   e = x₁ − x₀,
/// which has no potential. Its derivative
///     ∂f₀/∂x₁ = ∂f₁/∂x₁ = −∂f₀/∂x₀ = −∂f₁/∂x₀ = ½ p L₀ (I − n nᵀ) [b×] / |b × e|
/// is not symmetric, and conjugate gradients go wrong with it; it is stated with `tangent` only. Without, as in SOFA,
/// integrators take the force explicitly. Where b × e is zero there is no force.
/// b is `binormal`, and the sense of each edge counts. Without it the mesh lies in the plane z = 0 and b is ±z, so that
/// a positive p presses an edge towards its triangle; edges of two triangles or none have no pressure. The triangles
/// are those of the mesh, or if it has none, of the nearest mesh above that has some.
///
/// SOFA takes the normal of the evaluation before and, where the edges are not the first ones of the mesh, the length
/// of another edge; it loads edges of two triangles by their components. The edges are those of `edges` (by their
/// points), else edgeIndices, else those between two planes.
class EdgePressureForceField : public ElementPressure<2>
{
public:
    core::Data<core::Vector<core::Edge>> d_edges{
        this, {.name = "edges", .help = "Points of the edges on which the pressure acts, in place of edgeIndices"}};
    core::Data<core::Vector<double>> d_intensity{this,
                                                 {.name = "p_intensity",
                                                  .help = "Force per length at rest across the edges, where `pressure` "
                                                          "is zero: one for all, or one for each edge of "
                                                          "the list",
                                                  .unit = "N/m"}};
    core::Data<core::Vec3> d_binormal{
        this,
        {.name = "binormal",
         .help = "Direction normal to the plane of the edges: the pressure acts along binormal x edge",
         .unit = "1"}};
    core::Data<bool> d_tangent{
        this,
        {.name = "tangent",
         .help = "State the derivative of a force that follows the edges, which is not symmetric; integrators take the "
                 "force explicitly otherwise"},
        false};
    core::Data<double> d_arrowSizeCoef{this,
                                       {.name = "arrowSizeCoef",
                                        .help = "Length of the arrows that show a force of 1 N; 0: none",
                                        .unit = "m/N",
                                        .group = "Visualization"},
                                       0.};

    EdgePressureForceField();

    core::ElementLists elementLists() override;
    void followTopology(const core::TopologyChange& change) override;

    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    using ElementPressure::buildStiffness;
    using ElementPressure::potentialEnergy;

protected:
    void choose() override;
    void update() override;
    core::Vec3 cornerForce(std::size_t i, const VecCoord& x) const override;
    bool hasStiffness() const override { return follows() && d_tangent.value(); }
    double arrowScale() const override { return d_arrowSizeCoef.value(); }

private:
    /// Whether the pressure follows the edges.
    bool follows() const { return !m_across.empty(); }
    void findAcross();
    /// The side of the only triangle at an edge: the sign of b = ±z; 0 where there is not just one.
    double sideOf(const core::Edge& e, const core::BaseMeshTopology& triangles) const;

    core::Vector<core::Vec3> m_across;     ///< ½ p L₀ b of each edge [N]; empty for dead loads
    core::Vector<core::Index> m_followed;  ///< the list to which p_intensity belongs
};

}  // namespace sofa::component
