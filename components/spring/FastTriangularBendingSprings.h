// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Linear bending stiffness of a surface of triangles (Volino and Magnenat-Thalmann, Simple linear bending stiffness in
/// particle systems, Symposium on Computer Animation 2006).
///
/// At each edge C D between two triangles, with the opposite vertices A and B, the bending vector is
///
///     R = α_A x_A + α_B x_B + α_C x_C + α_D x_D,
///     α_A = |N_B| / (|N_A| + |N_B|),  α_B = |N_A| / (|N_A| + |N_B|),
///     α_C = −|N_D| / (|N_C| + |N_D|),  α_D = −|N_C| / (|N_C| + |N_D|),
///
/// with the areas |N| of the four triangles that three of the points form at rest. R is the vector between the points
/// where the lines A B and C D are nearest, if the four points are in one plane at rest: then R = 0 there. The energy
/// and the forces are
///
///     E = ½ λ R²,   f_i = −λ α_i R,   λ = ⅔ k (h_A + h_B) / (h_A h_B)² l,
///
/// with the heights h of the two triangles over the edge, its length l, and the bending stiffness k [N m]. They are
/// linear in the positions: the stiffness is constant, and rigid motions cause no force on what is flat. A surface that
/// is curved at rest is drawn flat, as in SOFA.
///
/// Edges with one triangle, or with more than two, have no spring. SOFA's assembled matrix lacks the blocks of D; its
/// matrix-free product has them, as both have here.
class FastTriangularBendingSprings final : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<core::Vec3Types>;

    core::Data<double> d_bendingStiffness{
        this,
        {.name = "bendingStiffness",
         .help = "Bending stiffness of the surface: bending moment per length and curvature",
         .unit = "N m",
         .range = core::Range::nonNegative()},
        1.};
    core::Data<double> d_minDistValidity{this,
                                         {.name = "minDistValidity",
                                          .help = "Edges have no spring where they, or the line between the vertices "
                                                  "opposite to them, are not longer than this at rest",
                                          .unit = "m",
                                          .range = core::Range::nonNegative()},
                                         1e-6};
    core::Link<core::BaseMeshTopology> l_topology{
        this, {"topology", "Topology that holds the triangles; default: that of the node or above"}};

    FastTriangularBendingSprings();

    void init() override;
    void reinit() override;
    PointLists pointLists() override { return noLists(); }
    void followTopology(const core::TopologyChange&) override { reinit(); }
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// Lines between the vertices opposite to an edge (flag ForceFields).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

    struct Spring
    {
        std::array<core::Index, 4> points;  ///< A B C D
        core::Vec4 weights;                 ///< α
        double stiffness;                   ///< λ [N/m]
    };
    /// In the order of the edges.
    const core::Vector<Spring>& springs() const { return m_springs; }

private:
    /// Springs of the present triangles, from the rest positions. Throws std::runtime_error on what the user must mend.
    void build();
    void tryBuild();
    /// Adds factor · K v to out, for vectors on the points.
    void addProduct(core::Vector<core::Vec3>& out, const core::Vector<core::Vec3>& v, double factor) const;

    core::Vector<Spring> m_springs;
    core::Vector<core::Triangle> m_triangles;  ///< from which the springs were built
    std::size_t m_revision = 0;                ///< of the topology at that time
};

}  // namespace sofa::component
