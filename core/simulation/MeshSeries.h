// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <vector>

#include "core/simulation/Simulation.h"

namespace sofa::core {

/// Meshes of the bodies of a scene at chosen steps (bodyMesh), for other programs. By the name of the file:
///   results.pvd      a time series for ParaView: one .vtu file, compressed, for each body and step, in the folder
///                    "results" beside it. The .pvd file is written anew as the series grows, after a hundredth more
///                    at the latest, so that what is there can be opened while the program runs, and after it was
///                    killed at any moment.
///   bar_%04d.vtk     one file for each step, in any format of meshes that can be written; in the place of %04d the
///   step
///                    stands. Of several bodies, the name of each is put in front of the extension.
///   bar.msh          the same for the last step only.
class MeshSeries
{
public:
    /// "FILE" or "FILE:every=K": of all steps, each K-th. Throws std::runtime_error if the text is wrong, the format
    /// unknown, or the file cannot be written.
    explicit MeshSeries(const std::string& text);

    /// Writes the present step if it is one of the chosen. Throws std::runtime_error.
    void write(const Simulation& s);
    /// After the last step. Throws std::runtime_error.
    void finish(const Simulation& s);

private:
    struct Entry
    {
        double time;
        std::string body, file;
    };
    void writeStep(const Simulation& s);
    std::string fileOf(const std::string& body, bool alone, std::size_t step) const;
    void writeIndex();

    std::string m_file;
    std::size_t m_every = 1;
    bool m_isSeries = false;  ///< .pvd
    bool m_lastStepOnly = false;
    std::vector<Entry> m_entries;
    std::size_t m_indexed = 0;  ///< so many of them are in the .pvd file
};

}  // namespace sofa::core
