// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/OutputFile.h"
#include "core/simulation/Simulation.h"

namespace sofa::core {

/// Records a simulation so that it can be played back: `NAME.simu` is a short text,
///
///     SCENE
///     Init: 0 End: 1.5 Dt: 0.01 States: NAME_states/
///
/// with the scene's file seen from its own folder, the first and the last time and the time step [s]. The folder beside
/// it holds one gzip-compressed text for each mechanical state that no mapping gives, `NUMBER_STATE.txt.gz` in the
/// order of the scene, with lines "T= time", "X= positions" and "V= velocities" as SOFA's WriteState writes them.
/// Numbers read back to the same bits. If a mesh of the scene changes (core/topology/TopologyChange.h), `meshes.gz` is
/// there too, with what the meshes are from each frame on at which they are others than before: its number, and bytes
/// that only this program reads. The files are complete or absent (OutputFile), the text last.
class SimuRecorder
{
public:
    /// Begins with the present state. Throws std::runtime_error if the files cannot be written.
    SimuRecorder(std::string file, const std::string& scene, const Simulation& simulation);
    /// finish(), without its exceptions.
    ~SimuRecorder();
    SimuRecorder(const SimuRecorder&) = delete;
    SimuRecorder& operator=(const SimuRecorder&) = delete;

    /// Adds the present state. Throws std::runtime_error if the scene has other states than at the beginning.
    void record(const Simulation& simulation);
    /// Writes the .simu file. Throws std::runtime_error.
    void finish();

    const std::string& file() const { return m_file; }
    std::size_t frames() const { return m_frames; }
    /// Time of the last frame [s].
    double end() const { return m_end; }
    /// What was written to files so far, compressed; what still waits in memory is not counted.
    std::uint64_t bytes() const;

private:
    struct Stream;

    void recordMeshes(Node& root);

    std::string m_file, m_scene, m_folder;
    std::vector<Stream> m_streams;
    std::optional<OutputFile> m_meshes;  ///< from the first change on
    std::string m_firstMeshes;           ///< what they are at the beginning; empty once it is written
    std::vector<std::size_t> m_versions;
    double m_begin = 0., m_end = 0., m_dt = 0.;
    std::size_t m_frames = 0;
    bool m_finished = false;
};

/// A recording that was read.
class SimuRecording
{
public:
    /// Reads a .simu file and the states that belong to it. Throws std::runtime_error that names file and line.
    explicit SimuRecording(const std::string& file);

    /// Absolute path of the scene's file.
    const std::string& scene() const { return m_scene; }
    double dt() const { return m_dt; }  ///< [s]
    std::size_t size() const { return m_times.size(); }
    double time(std::size_t frame) const { return m_times[frame]; }  ///< [s]
    /// The frame nearest to a time [s].
    std::size_t frameAt(double time) const;

    /// Puts the recorded meshes, positions, velocities and time into the scene, and maps them to everything else.
    /// Throws std::runtime_error, having changed nothing, if the scene has other states or meshes.
    void show(Simulation& simulation, std::size_t frame) const;

private:
    struct Track
    {
        std::string name;  ///< of the state
        std::vector<std::vector<double>> positions, velocities;
    };
    /// What the meshes are from a frame on.
    struct Meshes
    {
        std::uint64_t frame;
        std::string bytes;
    };
    void readTrack(const std::string& file, Track& track, std::vector<double>& times) const;
    void readMeshes(const std::string& file);
    void showStates(const std::vector<BaseState*>& states, std::size_t frame) const;

    std::string m_scene;
    double m_dt = 0.01;
    std::vector<double> m_times;
    std::vector<Track> m_tracks;
    std::vector<Meshes> m_meshes;
    /// Which of them were put last into which scene, and what its meshes were then.
    struct Shown
    {
        std::uint64_t scene = 0;
        const Meshes* meshes = nullptr;
        std::vector<std::size_t> versions{};
    };
    mutable Shown m_shown;
};

}  // namespace sofa::core
