// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/io/DataRepository.h"
#include "core/io/LineFile.h"
#include "core/objectmodel/Component.h"
#include "core/objectmodel/DataNumbers.h"
#include "core/objectmodel/OutputFileName.h"
#include "core/simulation/Probe.h"
#include "core/topology/TopologyChange.h"
#include "core/visual/Color.h"

namespace sofa::component {

using namespace sofa::core;

/// Writes what chosen points do after each step into text files for gnuplot, and shows it. A line has the time, then
/// the numbers of each point, separated by tabs; lines that begin with '#' say what they are:
///   NAME_x.txt  positions [m]      NAME_v.txt  velocities [m/s]      NAME_f.txt  all forces on the points [N]
///   NAME_p.txt  probes, as `runSofa --probe` has them
/// The files have complete lines at any time. Forces are those at the end of the step; in SOFA they were what the
/// integrator left in its vector.
class Monitor final : public Component, public TopologyFollower
{
public:
    Data<Vector<Index>> d_indices{this, {.name = "indices", .help = "Points of the state"}};
    Data<bool> d_exportPositions{this, {.name = "ExportPositions", .help = "Write positions"}, false};
    Data<bool> d_exportVelocities{this, {.name = "ExportVelocities", .help = "Write velocities"}, false};
    Data<bool> d_exportForces{this, {.name = "ExportForces", .help = "Write forces"}, false};
    Data<Vector<std::string>> d_probes{
        this,
        {.name = "probes",
         .help = "Other values to write: Data and quantities of any object with operations, such as "
                 "\"/body/FEM.vonMises:max\" or \"mass.kineticEnergy\", paths as in links, but without @"}};
    Data<OutputFileName> d_fileName{
        this,
        {.name = "fileName",
         .help = "Beginning of the names of the files; a relative one counts from the working directory. Default: the "
                 "name of the component"}};
    Data<bool> d_showPositions{this, shown("showPositions", "Show the points"), false};
    Data<Color> d_positionsColor{this, shown("PositionsColor", "Colour of the points"), Color(1.f, 1.f, 0.f)};
    Data<bool> d_showVelocities{this, shown("showVelocities", "Show velocities as arrows"), false};
    Data<Color> d_velocitiesColor{this, shown("VelocitiesColor", "Colour of velocities"), Color(1.f, 1.f, 0.f)};
    Data<bool> d_showForces{this, shown("showForces", "Show forces as arrows"), false};
    Data<Color> d_forcesColor{this, shown("ForcesColor", "Colour of forces"), Color(1.f, 1.f, 0.f)};
    Data<double> d_showMinThreshold{this,
                                    {.name = "showMinThreshold",
                                     .help = "Velocities [m/s] and forces [N] of smaller size are not shown",
                                     .unit = "1",
                                     .range = Range::nonNegative(),
                                     .group = "Visualization"},
                                    0.01};
    Data<double> d_sizeFactor{this,
                              {.name = "sizeFactor",
                               .help = "Length of arrows [m] for a velocity of 1 m/s or a force of 1 N",
                               .unit = "1",
                               .group = "Visualization"},
                              1.};
    Data<bool> d_showTrajectories{this, shown("showTrajectories", "Show where the points have been"), false};
    Data<double> d_trajectoriesPrecision{this,
                                         {.name = "TrajectoriesPrecision",
                                          .help = "Time between points of the trajectories",
                                          .unit = "s",
                                          .range = Range::nonNegative(),
                                          .group = "Visualization"},
                                         0.1};
    Data<Color> d_trajectoriesColor{this, shown("TrajectoriesColor", "Colour of trajectories"), Color(1.f, 1.f, 0.f)};

    static std::string_view typeLabel() { return "monitor"; }
    Monitor();

    PointLists pointLists() override;
    /// The points keep their columns; a change that takes one of them away is refused.
    void followTopology(const TopologyChange& change) override;
    void init() override;
    void reset() override;
    /// Writes at the end of each step. \throws std::runtime_error where that fails
    void handleEvent(const Event& e) override;
    /// What is asked for (flag BehaviorModels).
    void draw(DrawTool& tool) override;

private:
    static constexpr DataInfo shown(std::string_view name, std::string_view help)
    {
        return {.name = name, .help = help, .group = "Visualization"};
    }
    struct File
    {
        const char* ending;
        const char* what;
        const Data<bool>& wanted;
        LineFile file;
    };
    std::string baseName() const;
    void openFiles();
    void writeLines(double time);
    /// The numbers of the points in a list with so many for each point of the state.
    void append(std::string& line, const Vector<double>& values, std::size_t width) const;
    const Vector<double>& values(std::size_t kind);

    Tracked<BaseState> m_state;
    std::array<File, 3> m_files;
    LineFile m_probeFile;
    bool m_beginsAnew = true;  ///< the files are opened by the next step that writes
    std::vector<Probe> m_probes;
    std::vector<bool> m_toldEmpty;  ///< of each probe
    double m_sinceTrace = 0.;
    std::vector<Vector<Vec3>> m_traces;  ///< of each point
    NumberList m_values;
    Vector<Vec3> m_ends;
};

}  // namespace sofa::component
