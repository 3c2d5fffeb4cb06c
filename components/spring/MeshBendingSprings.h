// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/FollowSprings.h"
#include "components/spring/SpringLaw.h"
#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// What the bending springs of triangle and quad meshes have in common: springs (SpringLaw) across the edges that
/// exactly two faces share, all with one stiffness and damping, of the lengths at rest. Those no longer than 1e-4 m do
/// nothing.
class MeshBendingSprings : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    using Law = SpringLaw<core::Vec3Types>;

    core::Data<double> d_stiffness{
        this,
        {.name = "stiffness", .help = "Stiffness of the springs", .unit = "N/m", .range = core::Range::nonNegative()},
        100000.};
    core::Data<double> d_damping{
        this,
        {.name = "damping", .help = "Damping of the springs", .unit = "N s/m", .range = core::Range::nonNegative()},
        1.};
    core::Data<bool> d_projectedTangent{
        this,
        {.name = "projectedTangent",
         .help = "Leave what is negative out of the derivative of the force: that across compressed springs. Forces "
                 "are the same; matrices of implicit integrators stay positive definite"},
        false};
    core::Data<bool> d_implicitDamping{this, implicitDamping(), false};
    core::Link<core::BaseMeshTopology> l_topology{this, {"topology", "Mesh; default: that of the node or above"}};

    MeshBendingSprings();

    void init() override;
    /// Rebuilds the springs.
    void reinit() override;
    PointLists pointLists() override { return noLists(); }
    /// Springs around faces that came or went are made anew.
    void followTopology(const core::TopologyChange& change) override;
    /// The springs (flag ForceFields): red where they are shorter than at rest, green otherwise; and their faces.
    void draw(core::DrawTool& tool) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    bool hasDamping() const override { return d_implicitDamping.value() && d_damping.value() != 0.; }
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    const core::Vector<LinearSpring>& springs() const { return m_springs; }

    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;

protected:
    /// Calls join(a, b) for the end points of the springs across an edge.
    virtual void joinAcross(core::Index edge) = 0;
    void join(core::Index a, core::Index b);
    virtual core::ElementType faceType() const = 0;
    /// What the mesh must have, for messages ("triangles").
    virtual std::string_view faces() const = 0;
    virtual bool showsSprings() const { return true; }
    /// The faces, in red.
    virtual void drawFaces(core::DrawTool& tool, const core::Vector<core::Vec3>& x) const = 0;

private:
    static constexpr double leastLength = 1e-4;
    bool followInPlace(const core::TopologyChange& change);

    core::DataTracker m_parameters;
    core::Vector<LinearSpring> m_springs;
    core::LinearSprings m_packed;
};

/// Springs between the two vertices that are opposite to an edge in its two triangles: they resist bending, and to some
/// extent stretching across the edge.
class TriangularBendingSprings : public MeshBendingSprings
{
public:
    core::Data<bool> d_showSprings{
        this, {.name = "showSprings", .help = "Show the springs", .group = "Visualization"}, true};

protected:
    void joinAcross(core::Index edge) override;
    core::ElementType faceType() const override { return core::ElementType::Triangles; }
    std::string_view faces() const override { return "triangles"; }
    bool showsSprings() const override { return d_showSprings.value(); }
    void drawFaces(core::DrawTool& tool, const core::Vector<core::Vec3>& x) const override;
};

/// Two springs for each edge between two quads, straight across it: from the vertices next to the edge's ends in one
/// quad to those in the other.
class QuadularBendingSprings : public MeshBendingSprings
{
protected:
    void joinAcross(core::Index edge) override;
    core::ElementType faceType() const override { return core::ElementType::Quads; }
    std::string_view faces() const override { return "quads"; }
    void drawFaces(core::DrawTool& tool, const core::Vector<core::Vec3>& x) const override;
};

}  // namespace sofa::component
