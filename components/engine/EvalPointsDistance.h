// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/io/LineFile.h"
#include "core/objectmodel/Engine.h"
#include "core/objectmodel/OutputFileName.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// Distances between the points of two states with the same numbers, d_i = |a_i − b_i|.
///
/// Where one state has more points, its last ones are taken, as in SOFA. The mean, the least and greatest distance and
/// the standard deviation √(Σ d² / n − (Σ d / n)²) are given too, also divided by the mean side of the box around the
/// first state at the start (SOFA divides by 1). They are those of the present positions whenever they are read; SOFA
/// keeps them for a period. With `filename` they add a line to a table after time steps.
template <class DataTypes>
class EvalPointsDistance final : public Engine, public TopologyFollower
{
public:
    Link<State<DataTypes>> l_state1{this, {"object1", "First state; default: that of the node"}};
    Link<State<DataTypes>> l_state2{this, {"object2", "Second state; default: that of the node"}};
    Data<bool> d_draw{this, {.name = "draw", .help = "Draw lines between the points", .group = "Visualization"}, true};
    Data<OutputFileName> d_filename{
        this, {.name = "filename", .help = "File for the table; a relative one counts from the working directory"}};
    Data<double> d_period{this,
                          {.name = "period",
                           .help = "Time between two lines of the table; 0: one at every step",
                           .unit = "s",
                           .range = Range::nonNegative()},
                          0.};
    Output<Vector<double>> d_distance{this, output("distance", "Distance of each pair of points", "m")};
    Output<double> d_distMean{this, output("distMean", "Mean distance", "m"), 1.};
    Output<double> d_distMin{this, output("distMin", "Least distance", "m"), 1.};
    Output<double> d_distMax{this, output("distMax", "Greatest distance", "m"), 1.};
    Output<double> d_distDev{this, output("distDev", "Standard deviation of the distances", "m"), 1.};
    Output<double> d_rdistMean{this, output("rdistMean", "Mean distance, relative to the first state", "1"), 1.};
    Output<double> d_rdistMin{this, output("rdistMin", "Least distance, relative to the first state", "1"), 1.};
    Output<double> d_rdistMax{this, output("rdistMax", "Greatest distance, relative to the first state", "1"), 1.};
    Output<double> d_rdistDev{this, output("rdistDev", "Standard deviation, relative to the first state", "1"), 1.};

    EvalPointsDistance();
    static std::string_view staticTemplateName() { return DataTypes::name(); }
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
    {
        return stateHasType<DataTypes>(node, desc, "object1", why) &&
               stateHasType<DataTypes>(node, desc, "object2", why);
    }
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange&) override { setDirty(); }
    void init() override;
    void bwdInit() override;
    void reset() override { m_lastTime = -d_period.value(); }
    void archive(Archive& a) override;
    void handleEvent(const Event& e) override;
    void draw(DrawTool& tool) override;

protected:
    void doUpdate() override;

private:
    /// Calls f(a, b) with the positions of each pair of points.
    template <class F>
    void forEachPair(F f) const;
    void writeRow(double time);

    double m_lastTime = 0., m_size = 1.;
    LineFile m_file;
};

}  // namespace sofa::component
