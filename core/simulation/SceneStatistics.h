// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "core/io/LineFile.h"
#include "core/simulation/Simulation.h"

/// Figures of a running scene for people: what collides, which energies there are, files for gnuplot.
namespace sofa::core {

/// A collision model as it stands in the inventory.
struct CollisionModelEntry
{
    std::string path, className, shape;
    std::size_t primitives = 0;
    bool active = true, moving = true, simulated = true;
    std::size_t contacts = 0;  ///< found by the last detection, with all others
};

/// Two models that the last detection found in contact.
struct CollisionPairEntry
{
    std::string first, second;  ///< paths
    std::size_t contacts = 0;
    double nearest = 0.;  ///< least distance minus that at which contact begins [m]; negative where they touch
};

/// The collision models of a scene and what touches what, in the order of the scene and of the detection.
struct CollisionInventory
{
    std::vector<CollisionModelEntry> models;
    std::vector<CollisionPairEntry> pairs;
    std::map<std::string, std::size_t> primitives;  ///< number of all of a shape ("triangle")
    std::size_t contacts = 0;
};
CollisionInventory takeCollisionInventory(Node& root);

/// The state of a simulation as text: after a line with step and time, for each state with dynamics its path, template,
/// number of points, positions and velocities. Numbers read back to the same bits.
std::string stateText(const Simulation& simulation);

/// Writes files that gnuplot reads also while they grow (LineFile), a line for each step: time [s], then
///   NAMEx.txt       the coordinates of all points [m],
///   NAMEv.txt       their velocities [m/s],
///   NAMEEnergy.txt  kinetic, potential and mechanical energy of the object [J]: its masses, and the force fields that
///                   act on it alone,
///   Energy.txt      the same of the whole scene,
/// for every mechanical state; NAME is its path with '_' for '/'.
class GnuplotExporter
{
public:
    /// Creates the folder if need be. Files of the same name are replaced. Throws std::runtime_error.
    explicit GnuplotExporter(std::string folder);
    /// Writes one line to each file. Throws std::runtime_error, e.g. when the disk is full.
    void write(const Simulation& simulation);
    const std::string& folder() const { return m_folder; }

private:
    LineFile& file(const std::string& name, const std::string& header);

    std::string m_folder;
    std::map<std::string, LineFile> m_files;
};

}  // namespace sofa::core
