// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Base of linear bending stiffness of a surface of triangles: at each edge C D between two triangles, with the
/// opposite vertices A and B, the vector R = α_A x_A + α_B x_B + α_C x_C + α_D x_D with constant weights, whose sum is
/// zero, has
///
///     E = ½ λ R²,   f_i = −λ α_i R        [J, N]
///
/// Subclasses give weights and stiffness λ [N/m] from the shape at rest, such that R = 0 where the four points are in
/// one plane. Forces are linear in the positions: the stiffness is constant, and rigid motions cause no force on what
/// is flat. A surface that is curved at rest is drawn flat.
///
/// Edges with one triangle, or with more than two, have no hinge.
class TriangleHinges : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
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
    core::Link<core::BaseMeshTopology> l_topology{
        this, {"topology", "Topology that holds the triangles; default: that of the node or above"}};

    TriangleHinges();

    void init() override;
    void reinit() override;
    PointLists pointLists() override { return noLists(); }
    /// Hinges around triangles that came or went are made anew.
    void followTopology(const core::TopologyChange& change) override;
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// Lines between the vertices opposite to an edge (flag ForceFields).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::buildStiffness;
    using Base::potentialEnergy;

    struct Hinge
    {
        std::array<core::Index, 4> points{};  ///< A B C D
        core::Vec4 weights;                   ///< α
        double stiffness = 0.;                ///< λ [N/m]
    };
    /// In the order of the edges.
    core::Vector<Hinge> hinges() const;

protected:
    /// Sets weights and stiffness, for points at rest; false if there shall be no hinge. Values that are not finite
    /// tell of a triangle without area.
    virtual bool weigh(const core::Vec3& a, const core::Vec3& b, const core::Vec3& c, const core::Vec3& d,
                       Hinge& hinge) const = 0;

private:
    /// Hinges of the present triangles, from the rest positions. Throws std::runtime_error on what the user must mend.
    void build();
    void tryBuild();
    void buildHinge(core::Index edge);
    /// False, with nothing done, if all had better be built anew.
    bool followInPlace(const core::TopologyChange& change);
    /// Adds factor · K v to out, for vectors on the points.
    void addProduct(core::Vector<core::Vec3>& out, const core::Vector<core::Vec3>& v, double factor) const;

    core::DataTracker m_parameters;
    core::Vector<Hinge> m_hinges;              ///< per edge; without stiffness where there is none
    core::Vector<core::Triangle> m_triangles;  ///< from which the hinges were built
    std::size_t m_revision = 0;                ///< of the topology at that time
};

}  // namespace sofa::component
