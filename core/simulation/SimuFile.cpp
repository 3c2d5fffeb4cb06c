// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SimuFile.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/io/CompressedFile.h"
#include "core/io/StateFile.h"
#include "core/io/TextScanner.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/MeshMoment.h"
#include "core/topology/TopologyChange.h"
#include "core/visitor/ExecutionPlan.h"
#include "core/visitor/StatePropagation.h"

namespace sofa::core {

namespace fs = std::filesystem;

namespace {

const std::string meshFile = "meshes.gz", meshMagic = "SOFA meshes 1\n";

std::vector<double> storedPositions(const BaseState& s)
{
    std::vector<double> all(s.size() * s.coordSize());
    s.getScalars(vec_id::position, all.data());
    return all;
}

std::vector<double> storedVelocities(const BaseState& s)
{
    std::vector<double> all(s.isAllocated(vec_id::velocity) ? s.derivScalars() : 0);
    if (!all.empty()) s.getScalars(vec_id::velocity, all.data());
    return all;
}

/// Name of a state's file: letters, digits, - and _ of its name.
std::string fileNameOf(std::size_t number, const std::string& state)
{
    std::string name = std::to_string(number) + '_';
    for (const char c : state) name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
    return name + ".txt.gz";
}

/// "Init:" and its value, or nothing at the end.
std::vector<std::pair<std::string, std::string>> parsePairs(const std::string& text)
{
    std::vector<std::pair<std::string, std::string>> all;
    std::istringstream in(text);
    std::string key, value;
    while (in >> key) {
        std::getline(in >> std::ws, value, key == "States:" ? '\n' : ' ');
        while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back()))) value.pop_back();
        all.emplace_back(key, value);
    }
    return all;
}

}  // namespace

// --- Writing --------------------------------------------------------------------------------------------------------

struct SimuRecorder::Stream
{
    std::string path;  ///< of the state, to recognise it
    OutputFile file;
};

SimuRecorder::SimuRecorder(std::string file, const std::string& scene, const Simulation& simulation)
    : m_file(fs::absolute(std::move(file)).string()), m_begin(simulation.root().time())
{
    const fs::path path(m_file);
    m_folder = path.stem().string() + "_states/";
    const fs::path folder = path.parent_path() / m_folder;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw std::runtime_error("cannot make the folder '" + folder.string() + "': " + error.message());
    m_scene = fs::absolute(scene).lexically_relative(path.parent_path()).string();
    std::size_t number = 0;
    for (const BaseState* s : ExecutionPlan::of(simulation.root()).independentStates()) {
        const std::string name = (folder / fileNameOf(number++, s->name())).string();
        m_streams.push_back({s->pathName(), OutputFile(name)});
    }
    record(simulation);
}

SimuRecorder::~SimuRecorder()
{
    try {
        finish();
    } catch (const std::exception&) {
        // Whoever wants to know calls finish().
    }
}

void SimuRecorder::record(const Simulation& simulation)
{
    const auto& states = ExecutionPlan::of(simulation.root()).independentStates();
    bool same = states.size() == m_streams.size();
    for (std::size_t i = 0; same && i < states.size(); ++i) same = states[i]->pathName() == m_streams[i].path;
    if (!same) throw std::runtime_error("the scene has other mechanical objects than when the recording began");
    std::string text;
    for (std::size_t i = 0; i < states.size(); ++i) {
        text.clear();
        io::appendStateTime(text, simulation.root().time());
        io::appendStateVector(text, "X", storedPositions(*states[i]));
        io::appendStateVector(text, "V", storedVelocities(*states[i]));
        m_streams[i].file.write(text);
    }
    recordMeshes(simulation.root());
    m_end = simulation.root().time();
    m_dt = simulation.root().dt();
    ++m_frames;
}

void SimuRecorder::recordMeshes(Node& root)
{
    std::vector<std::size_t> versions = meshVersions(root);
    if (m_frames == 0) {
        m_firstMeshes = meshesOf(root);
        m_versions = std::move(versions);
        if (!hasChangedElements(root)) return;
    } else {
        if (versions == m_versions) return;
        m_versions = std::move(versions);
    }
    const auto add = [this](std::uint64_t frame, std::string bytes) {
        Archive a;
        a(frame);
        a(bytes);
        m_meshes->write(a.bytes());
    };
    if (!m_meshes) {
        m_meshes.emplace(fs::path(m_file).parent_path() / m_folder / meshFile);
        m_meshes->write(meshMagic);
        add(0, std::move(m_firstMeshes));
        m_firstMeshes.clear();
    }
    if (m_frames > 0) add(m_frames, meshesOf(root));
}

std::uint64_t SimuRecorder::bytes() const
{
    std::uint64_t sum = m_meshes ? m_meshes->written() : 0;
    for (const Stream& s : m_streams) sum += s.file.written();
    return sum;
}

void SimuRecorder::finish()
{
    if (m_finished) return;
    m_finished = true;
    // An older recording of that name goes first: its text must never stand beside the states of this one.
    fs::remove(m_file);
    const fs::path folder = fs::path(m_file).parent_path() / m_folder;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().string().ends_with(".txt.gz") || entry.path().filename() == meshFile) fs::remove(entry.path());
    for (Stream& s : m_streams) s.file.commit();
    if (m_meshes) m_meshes->commit();
    writeFile(m_file, m_scene + "\nInit: " + toText(m_begin) + " End: " + toText(m_end) + " Dt: " + toText(m_dt) +
                          " States: " + m_folder + '\n');
}

// --- Reading --------------------------------------------------------------------------------------------------------

SimuRecording::SimuRecording(const std::string& file)
{
    std::ifstream in(file);
    std::string first, rest;
    if (!in || !std::getline(in, first)) throw std::runtime_error("cannot read '" + file + "'");
    std::getline(in, rest, '\0');
    while (!first.empty() && std::isspace(static_cast<unsigned char>(first.back()))) first.pop_back();
    const fs::path base = fs::absolute(file).parent_path();
    m_scene = (base / first).lexically_normal().string();
    std::string folder;
    for (const auto& [key, value] : parsePairs(rest)) {
        if (key == "States:") folder = (base / value).lexically_normal().string();
        if (key == "Dt:") {
            if (!io::parseReal(value, m_dt) || !(m_dt > 0.))
                throw std::runtime_error(file + ":2: 'Dt:' needs a time step > 0, not '" + value + "'");
        }
    }
    if (folder.empty())
        throw std::runtime_error(file + ":2: 'States:' with the folder of the recorded states was expected");
    if (!fs::is_directory(folder)) throw std::runtime_error("the folder '" + folder + "' of '" + file + "' is missing");
    std::map<std::size_t, std::string> files;  // by number
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error == std::errc() && *end == '_' && name.ends_with(".txt.gz")) files[number] = entry.path().string();
    }
    for (const auto& [number, name] : files) {
        std::vector<double> times;
        Track track;
        readTrack(name, track, times);
        if (m_tracks.empty())
            m_times = times;
        else if (times != m_times)
            throw std::runtime_error("'" + name + "' has other times than the first state of the recording");
        m_tracks.push_back(std::move(track));
    }
    if (m_times.empty()) throw std::runtime_error("the recording '" + file + "' holds no states");
    if (const fs::path meshes = fs::path(folder) / meshFile; fs::exists(meshes)) readMeshes(meshes.string());
}

void SimuRecording::readMeshes(const std::string& file)
{
    std::string text = io::loadCompressed(file).text;
    if (!text.starts_with(meshMagic)) throw std::runtime_error("'" + file + "' holds no meshes of this program");
    text.erase(0, meshMagic.size());
    try {
        for (Archive a(std::move(text)); !a.atEnd();) {
            Meshes& m = m_meshes.emplace_back();
            a(m.frame);
            a(m.bytes);
            const std::size_t last = m_meshes.size() - 1;
            if (last == 0 ? m.frame != 0 : m.frame <= m_meshes[last - 1].frame || m.frame >= m_times.size())
                throw std::runtime_error("frame " + std::to_string(m.frame) + " is out of order");
        }
    } catch (const std::runtime_error& e) {
        throw std::runtime_error("'" + file + "' is damaged: " + e.what());
    }
}

void SimuRecording::readTrack(const std::string& file, Track& track, std::vector<double>& times) const
{
    const std::string name = fs::path(file).filename().string();
    track.name = name.substr(name.find('_') + 1, name.size() - name.find('_') - 8);
    for (io::StateFrame& f : io::readStateFile(file)) {
        if (!f.position.given() || !f.velocity.given())
            throw std::runtime_error(file + ":" + std::to_string(f.line) +
                                     ": 'X= ...' and 'V= ...' were expected below");
        times.push_back(f.time);
        track.positions.push_back(std::move(f.position.numbers));
        track.velocities.push_back(std::move(f.velocity.numbers));
    }
}

std::size_t SimuRecording::frameAt(double time) const
{
    const auto next = std::ranges::lower_bound(m_times, time);
    if (next == m_times.begin()) return 0;
    if (next == m_times.end()) return m_times.size() - 1;
    const auto i = static_cast<std::size_t>(next - m_times.begin());
    return time - m_times[i - 1] <= m_times[i] - time ? i - 1 : i;
}

void SimuRecording::showStates(const std::vector<BaseState*>& states, std::size_t frame) const
{
    for (std::size_t i = 0; i < states.size(); ++i)
        if (m_tracks[i].positions[frame].size() != states[i]->size() * states[i]->coordSize())
            throw std::runtime_error("the recording of '" + m_tracks[i].name + "' has other points than " +
                                     states[i]->pathName());
    for (std::size_t i = 0; i < states.size(); ++i) {
        const Track& t = m_tracks[i];
        states[i]->setScalars(vec_id::position, t.positions[frame].data());
        if (t.velocities[frame].size() == states[i]->derivScalars()) {
            states[i]->allocate(vec_id::velocity);
            states[i]->setScalars(vec_id::velocity, t.velocities[frame].data());
        }
    }
}

void SimuRecording::show(Simulation& simulation, std::size_t frame) const
{
    if (frame >= m_times.size()) throw std::runtime_error("the recording has no such time");
    Node& root = simulation.root();
    const std::vector<BaseState*> states = ExecutionPlan::of(root).independentStates();
    if (states.size() != m_tracks.size())
        throw std::runtime_error("the recording has " + std::to_string(m_tracks.size()) +
                                 " mechanical objects, the scene " + std::to_string(states.size()));
    const auto next = std::ranges::upper_bound(m_meshes, frame, {}, &Meshes::frame);
    const Meshes* meshes = next == m_meshes.begin() ? nullptr : &next[-1];
    const bool isThere = m_shown.scene == root.serial() && m_shown.meshes == meshes;
    if (meshes ? isThere && m_shown.versions == meshVersions(root) : !hasChangedElements(root)) {
        showStates(states, frame);
    } else {
        SceneMemory before(root);
        try {
            if (meshes)
                showMeshes(root, meshes->bytes);
            else
                restoreElements(root);
            showStates(states, frame);
        } catch (const std::runtime_error&) {
            before.restore(root);
            throw;
        }
        m_shown = {root.serial(), meshes, meshVersions(root)};
    }
    root.d_time.setValue(m_times[frame]);
    simulation.setStepCount(static_cast<std::size_t>(std::lround(std::max(0., m_times[frame] / m_dt))));
    propagateState(root);
}

}  // namespace sofa::core
