// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/State.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

using namespace sofa::core;

/// Pushes a wire out of one of its ends, or pulls it in: at the beginning of each step the rest position of the end
/// moves along the wire by `speed` dt and by what keys ask for, and edges come and go with the length.
///
/// The points of the wire are numbered along it, point i and i + 1 joined by an edge, and stay so. The end is point
/// 0 (`startingIndex`: another one, which all points before it follow), or the last one (`reversed`). With the length
/// L0 that the first edge at the end has at the beginning, an edge that is longer than 2 L0 is divided in its middle,
/// and one that is shorter than L0 / 2 becomes one with the next: at most one of each in a step. Positions change only
/// by the forces that come of it, so the end is held by a constraint as a rule.
///
/// The end moves along `mainDirection` of its frame, in the sense that leads away from the wire; by default along the
/// edge. Keys: + and − by two `step`, * and / change the speed by ten `step` per second, 0 stops. Each notch of the
/// wheel of the mouse: by one `step`.
class EdgeSetController final : public Component, public TopologyFollower
{
public:
    Data<double> d_step{
        this,
        {.name = "step", .help = "Length of which keys ask for", .unit = "m", .range = Range::nonNegative()},
        0.1};
    Data<double> d_minLength{this,
                             {.name = "minLength",
                              .help = "Length of the wire below which none is pulled in",
                              .unit = "m",
                              .range = Range::nonNegative()},
                             1.};
    Data<double> d_maxLength{this,
                             {.name = "maxLength",
                              .help = "Length of the wire above which none is pushed out",
                              .unit = "m",
                              .range = Range::nonNegative()},
                             200.};
    Data<double> d_maxDepl{this,
                           {.name = "maxDepl",
                            .help = "Largest change of the length in a step; 0: any",
                            .unit = "m",
                            .range = Range::nonNegative()},
                           0.5};
    Data<double> d_speed{
        this,
        {.name = "speed", .help = "Speed at which the wire is pushed out, pulled in if negative", .unit = "m/s"},
        0.};
    Data<bool> d_reversed{this, {.name = "reversed", .help = "At the last point instead of the first"}, false};
    Data<int> d_startingIndex{
        this,
        {.name = "startingIndex",
         .help = "Point after which edges come and go; negative: counted from the end, -1 is the last"},
        0};
    Data<Vec3> d_mainDirection{this,
                               {.name = "mainDirection",
                                .help = "Direction of the wire in the frame of its end; default: that of the edge",
                                .unit = "1"},
                               Vec3{0., 0., -1.}};
    TopologyView l_topology{this, {"topology", "Topology with the edges; default: that of the node"}};

    EdgeSetController() { d_listening.setDefault(true); }
    static std::string_view staticTemplateName() { return Rigid3Types::name(); }

    void init() override;
    void reset() override;
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;
    /// The edges, in yellow (flag BehaviorModels).
    void draw(DrawTool& tool) override;

    std::string refusal(const TopologyStep& step) const override;
    PointLists pointLists() override { return noLists(); }

    /// Length of the wire at rest [m].
    double length() const;

private:
    /// Points by their place along the wire, from the end where edges come and go.
    Index pointAt(Index place) const;
    /// The place after which they do.
    Index start() const;
    Index edgeBetween(Index placeA, Index placeB) const;
    StoredTopology& topology() const { return dynamic_cast<StoredTopology&>(*l_topology.get()); }

    std::string checkWire() const;
    /// Unit vector from a point towards the next place.
    Vec3 along(Index place) const;
    void move(double dt);
    void changeEdges();
    void divide(Index place);
    void join(Index place);
    Vector<Index> inOrder(const Vector<Index>& byPlace) const;
    /// Force fields of the state take the rest positions that are there now.
    void refresh();

    Tracked<State<Rigid3Types>> m_state;
    Vector<double> m_lengths, m_initialLengths;  ///< of the edges at rest, by their place [m]
    Vector<RigidCoord3> m_initialRest;
    double m_edgeLength = 0.;   ///< L0 [m]
    double m_wanted = 0.;       ///< change of the length that keys ask for [m]
    double m_speedByKeys = 0.;  ///< added to d_speed [m/s]
    bool m_stale = false;       ///< rest positions were changed from outside
    bool m_changing = false;
};

}  // namespace sofa::component
