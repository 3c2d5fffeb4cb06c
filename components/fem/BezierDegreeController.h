// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/BezierTetrahedronFEMForceField.h"
#include "core/behavior/Mass.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// Chooses the degree of the edges of a Bézier mesh while it moves (Bargteil and Cohen, "Animation of deformable bodies
/// with quadratic Bézier finite elements", 2014, section 3.4).
///
/// Every `interval` steps, at their beginning, the place of the middle of each edge is predicted with degree 2:
///
///     an edge of degree 1 would bend by d = ½ |f| / k, with the elastic force f on the control point in its middle and
///     the mean k of the diagonal of the stiffness there: the hierarchical estimate of the error of linear elements
///     (Bank and Smith, "A posteriori error estimates based on hierarchical bases", 1993);
///     an edge of degree 2 is bent by d = ½ |control point − middle of the ends|.
///
/// Edges with d above `raiseAbove` times their length at rest get degree 2, those below `lowerBelow` degree 1.
///
/// A new control point is in the middle of the ends, also its velocity: positions and momentum stay as they are. A
/// control point that goes leaves half of its momentum to each end; the ends stay where they are, while the curve
/// moves to the line. What momentum then lacks is given back as one rigid velocity of the body, unless projective
/// constraints hold it. Lumped masses need that for new control points too: their inertia depends on the degree.
class BezierDegreeController final : public Component
{
public:
    static std::string_view typeLabel() { return "degree controller"; }

    Data<double> d_raiseAbove{
        this,
        {.name = "raiseAbove",
         .help = "Part of its length by which the middle of an edge would bend, above which it gets degree 2",
         .unit = "1",
         .range = Range::nonNegative()},
        0.01};
    Data<double> d_lowerBelow{
        this,
        {.name = "lowerBelow",
         .help = "Part of its length by which the middle of an edge is bent, below which it gets degree 1; less than "
                 "raiseAbove",
         .unit = "1",
         .range = Range::nonNegative()},
        0.0025};
    Data<Index> d_interval{this,
                           {.name = "interval",
                            .help = "Steps from test to test, and so at least those for which an edge keeps its degree",
                            .unit = "1"},
                           5};
    Data<Index> d_nbQuadratic{
        this, {.name = "nbQuadratic", .help = "Number of edges of degree 2", .unit = "1", .readOnly = true}, 0};
    TopologyView l_topology{this, {"topology", "The mesh; default: that of the node"}};
    Link<BezierTetrahedronFEMForceField> l_forceField{
        this, {"forceField", "Elasticity of the elements; default: that of the node"}};

    BezierDegreeController() { d_listening.setDefault(true); }
    void init() override;
    void reset() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;

private:
    /// The edges whose degree is to change.
    Vector<Index> test();
    void change(const Vector<Index>& edges);
    State<Vec3Types>& state() const { return l_forceField->state(); }
    /// Nothing where what it acts on was removed.
    const BezierTopology* mesh() const { return dynamic_cast<const BezierTopology*>(l_topology.get()); }
    bool canWork() const;
    void count();

    Index m_steps = 0;
    Vector<Vec3> m_forces;
};

}  // namespace sofa::component
