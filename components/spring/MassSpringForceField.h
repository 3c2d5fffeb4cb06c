// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/FollowSprings.h"
#include "components/spring/SpringLaw.h"
#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Mass-spring system on a mesh, as in the Vega library (Sin, Schroeder, Barbič: Vega: Nonlinear FEM Deformable Object
/// Simulator, Computer Graphics Forum 32(1), 2013, section 4). Each spring between points a and b, of rest length L
/// (that of the rest positions), stiffness k [N/m] and damping d [N s/m], has
///
///     E = ½ k (l − L)²,   l = |x_b − x_a|,   u = (x_b − x_a)/l,      f_a = k (l − L) u + d (v_b − v_a) = −f_b.
///
/// The elastic part is SpringLaw, with the exact stiffness. Damping acts on the whole relative velocity, not only along
/// the spring; it is linear, so that ∂f/∂v is exact too, but it also brakes rigid rotations. (Vega computes this force
/// but its force models leave it out: 0 reproduces its simulator.)
///
/// The springs follow from the elements of the mesh, of one kind: hexahedra if there are any, else tetrahedra, quads,
/// triangles, lines. Each pair of points is joined once.
///   hexahedra, tetrahedra, triangles, lines: every two vertices of an element, with tensileStiffness;
///   quads: the sides with tensileStiffness, the diagonals with shearStiffness, and with bendStiffness every two points
///   that share a neighbour along sides but no quad (on a grid: the points two sides apart, in a row).
/// With `groups` the tensile springs of an element have the stiffness and damping of the element's group instead; a
/// spring of several elements belongs to the first of them. `springs` gives the pairs of points instead of a mesh, each
/// of its group.
///
/// The masses of Vega's systems, equal parts of each element's volume or area times a density, are DiagonalMass's.
class MassSpringForceField : public core::ForceField<core::Vec3Types>, public core::TopologyFollower
{
public:
    using Base = core::ForceField<core::Vec3Types>;

    core::Data<double> d_tensileStiffness{this,
                                          {.name = "tensileStiffness",
                                           .help = "Stiffness of the springs along the sides of quads and between all "
                                                   "vertices of other elements",
                                           .unit = "N/m",
                                           .range = core::Range::nonNegative()},
                                          100.};
    core::Data<double> d_shearStiffness{this,
                                        {.name = "shearStiffness",
                                         .help = "Stiffness of the springs along the diagonals of quads",
                                         .unit = "N/m",
                                         .range = core::Range::nonNegative()},
                                        100.};
    core::Data<double> d_bendStiffness{
        this,
        {.name = "bendStiffness",
         .help = "Stiffness of the springs across two neighbouring quads, which resist bending",
         .unit = "N/m",
         .range = core::Range::nonNegative()},
        10.};
    core::Data<double> d_damping{this,
                                 {.name = "damping",
                                  .help = "Damping of all springs without a group: force per relative velocity",
                                  .unit = "N s/m",
                                  .range = core::Range::nonNegative()},
                                 0.};
    core::Data<core::Vector<core::Index>> d_groups{
        this,
        {.name = "groups",
         .help = "Group of each element of the mesh, or of each spring of \"springs\": a number from 0 on that chooses "
                 "from groupStiffness and groupDamping; empty: no groups"}};
    core::Data<core::Vector<double>> d_groupStiffness{
        this, {.name = "groupStiffness", .help = "Stiffness of the springs of each group, >= 0", .unit = "N/m"}};
    core::Data<core::Vector<double>> d_groupDamping{
        this,
        {.name = "groupDamping",
         .help = "Damping of the springs of each group, >= 0; empty: that of \"damping\"",
         .unit = "N s/m"}};
    core::Data<core::Vector<core::Edge>> d_springs{
        this,
        {.name = "springs",
         .help = "Pairs of points to join instead of those of a mesh; tensileStiffness, or that of their groups"}};
    core::Data<bool> d_projectedTangent{
        this,
        {.name = "projectedTangent",
         .help = "Leave what is negative out of the derivative of the force: that across compressed springs. Forces "
                 "are the same; matrices of implicit integrators stay positive definite"},
        false};
    core::Link<core::BaseMeshTopology> l_topology{this, {"topology", "Mesh; default: that of the node or above"}};

    MassSpringForceField();

    void init() override;
    /// Builds the springs from the Data and the rest positions.
    void reinit() override;
    core::ElementLists elementLists() override;
    PointLists pointLists() override { return noLists(); }
    /// Springs around elements that came or went are made anew.
    void followTopology(const core::TopologyChange& change) override;
    /// The springs (flag ForceFields): orange where they are shorter than at rest, green otherwise.
    void draw(core::DrawTool& tool) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::BlockSink& b) override;
    bool hasDamping() const override { return m_packed.hasDrag(); }
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;

    /// The springs, those of each kind in the order of their points (the smaller one first); kd is the damping above.
    const core::Vector<LinearSpring>& springs() const { return m_springs; }

    using Base::addForce;
    using Base::buildDamping;
    using Base::buildStiffness;
    using Base::potentialEnergy;

private:
    using Law = SpringLaw<core::Vec3Types>;

    /// Makes all springs; throws std::runtime_error if something does not fit.
    void build();
    void checkGroups() const;
    void chooseKind();
    /// The springs of some elements of the mesh, or of all pairs that are given instead.
    core::Vector<LinearSpring> springsOf(const core::Vector<core::Index>& elements) const;
    /// False, with nothing done, if all springs had better be made anew.
    bool followInPlace(const core::TopologyChange& change);

    core::ElementType m_kind = core::ElementType::Points;  ///< of the elements whose points are joined
    core::DataTracker m_changes;
    core::Vector<LinearSpring> m_springs;  ///< their damping is a drag, not that of SpringLaw
    core::LinearSprings m_packed;
};

}  // namespace sofa::component
