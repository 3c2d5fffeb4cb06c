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
/// Every `interval` steps, at their beginning, the bend of each edge is found: how far its middle is from that of the
/// ends, as a part of its length at rest. Of an edge of degree 2 it is ½ |control point − middle of the ends|; an edge
/// of degree 1 would have the larger of two estimates with degree 2:
///
///     ⅛ |(F_j − F_i) e|, with the deformation gradients at its ends that are recovered from the elements around
///     them (recoverGradients) and the edge e at rest: good where the mesh resolves how the body bends;
///     1½ · ½ |f| / k, with the elastic force f on the control point in its middle and the mean k of the diagonal of
///     the stiffness there: the hierarchical estimate of the error of linear elements (Bank and Smith, "A posteriori
///     error estimates based on hierarchical bases", 1993), which sees what coarse meshes cannot show. Control points
///     beside it would give way too; that makes bends larger, by 1.2 to 1.5 in the mean.
///
/// Edges that bend more than `raiseAbove` get degree 2, those that bend less than `lowerBelow` degree 1. With a `share`
/// below 1 the first threshold is at least the bend of the last edge that is needed to have this part of the sum of the
/// squares of all bends (the bulk criterion of Dörfler, "A convergent adaptive algorithm for Poisson's equation",
/// 1996), and the second one grows with it: as many edges as the shape needs, however large its deformation is.
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
    Data<double> d_share{this,
                         {.name = "share",
                          .help = "Part of the sum of the squares of all bends for which edges get degree 2, those "
                                  "that bend most first; 1: all edges that bend more than raiseAbove",
                          .unit = "1",
                          .range = Range::closed(0., 1.)},
                         1.};
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
    /// Sets m_bends.
    void findBends();
    void change(const Vector<Index>& edges);
    State<Vec3Types>& state() const { return l_forceField->state(); }
    /// Nothing where what it acts on was removed.
    const BezierTopology* mesh() const { return dynamic_cast<const BezierTopology*>(l_topology.get()); }
    bool canWork() const;
    void count();

    Index m_steps = 0;
    Vector<Vec3> m_forces;
    Vector<Mat3> m_gradients;
    Vector<double> m_bends, m_sorted;  ///< of the edges, as parts of their lengths at rest
};

}  // namespace sofa::component
