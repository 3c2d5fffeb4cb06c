// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/io/PointCacheFile.h"
#include "core/simulation/Simulation.h"

namespace sofa::core {

/// Meshes of the bodies of a scene, or of a part of it, at chosen times, for other programs (BodyMeshes). By the name
/// of the file:
///   results.pvd      a time series for ParaView: one .vtu file, compressed, for each body and time, in the folder
///                    "results" beside it. The .pvd file is written anew as the series grows, after a hundredth more
///                    at the latest, so that what is there can be opened while the program runs, and after it was
///                    killed at any moment.
///   cache.pc2        the positions of all times as a point cache for Blender and others; cache.mdd in another format.
///                    Of several bodies, each has a file with its name in front of the extension.
///   bar_%04d.vtk     one file for each time, in any format of meshes that can be written; in the place of %04d the
///   step
///                    stands. Of several bodies, the name of each is put in front of the extension.
///   bar.msh          the same, for the last time only.
class MeshSeries
{
public:
    /// Throws std::invalid_argument if the format is unknown or the name wrong, std::runtime_error if the file cannot
    /// be written.
    explicit MeshSeries(const std::string& file);

    /// Whether it has the last time only.
    bool hasOneTime() const { return m_kind == Kind::Last; }
    /// Adds the present state of the bodies at and below a node. Throws std::runtime_error.
    void add(Node& scope, double time, std::size_t step);
    /// Completes the files. Throws std::runtime_error.
    void finish();

private:
    enum class Kind
    {
        ParaView,
        PointCache,
        Numbered,
        Last
    };
    struct Entry
    {
        double time;
        std::string body, file;
    };
    std::string fileOf(const std::string& body, bool alone, std::size_t step) const;
    void writeIndex();

    std::string m_file;
    Kind m_kind = Kind::Last;
    std::vector<Entry> m_entries;
    std::size_t m_indexed = 0;  ///< so many of them are in the .pvd file
    std::map<std::string, io::PointCacheFile> m_caches;
};

/// What `runSofa --export` asks for: "FILE" or "FILE:every=K", of all steps each K-th.
class MeshExport
{
public:
    /// Throws std::invalid_argument if the text is wrong or the format unknown, std::runtime_error if the file cannot
    /// be written.
    explicit MeshExport(const std::string& text);
    /// Writes the present step if it is one of the chosen. Throws std::runtime_error.
    void write(const Simulation& s);
    /// After the last step. Throws std::runtime_error.
    void finish(const Simulation& s);

private:
    void add(const Simulation& s);

    std::string m_text;
    std::size_t m_every = 1;
    std::optional<MeshSeries> m_series;
};

}  // namespace sofa::core
