// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/MeshSeries.h"

#include <charconv>
#include <filesystem>
#include <map>
#include <set>

#include "core/io/MeshReader.h"
#include "core/io/OutputFile.h"
#include "core/io/VtkXmlFormat.h"
#include "core/simulation/BodyMesh.h"

namespace sofa::core {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view every = ":every=";

/// The name of an object as part of a name of a file: of its path, with other characters than letters, digits, '-' and
/// '.' replaced by '_'.
std::string fileName(const Base& object)
{
    std::string name = object.pathName().substr(1);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
    return name;
}

std::string escaped(const std::string& text)
{
    std::string out;
    for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    return out;
}

/// The step with at least so many digits as "%04d" says, in the place of it; the text itself where there is none.
std::string withStep(const std::string& pattern, std::size_t step)
{
    const std::size_t at = pattern.find('%'), end = pattern.find('d', at);
    if (at == std::string::npos || end == std::string::npos) return pattern;
    const std::string digits = pattern.substr(at + 1, end - at - 1);
    std::string number = std::to_string(step);
    std::size_t width = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), width);
    if (number.size() < width) number.insert(0, width - number.size(), '0');
    return pattern.substr(0, at) + number + pattern.substr(end + 1);
}

}  // namespace

MeshSeries::MeshSeries(const std::string& text) : m_file(text)
{
    const auto wrong = [&](const std::string& why) { throw std::runtime_error("--export '" + text + "': " + why); };
    if (const auto at = text.rfind(every); at != std::string::npos) {
        const char* end = text.data() + text.size();
        const auto [p, error] = std::from_chars(text.data() + at + every.size(), end, m_every);
        if (error != std::errc() || p != end || m_every == 0) wrong("expected a number of steps, as in :every=10");
        m_file.erase(at);
    }
    const fs::path path(m_file);
    m_isSeries = path.extension() == ".pvd";
    const auto percent = m_file.find('%');
    m_lastStepOnly = !m_isSeries && percent == std::string::npos;
    if (percent != std::string::npos) {
        const auto end = m_file.find_first_not_of("0123456789", percent + 1);
        if (m_isSeries || end == std::string::npos || m_file[end] != 'd' || end > percent + 3 ||
            m_file.find('%', end) != std::string::npos)
            wrong("expected a name with the step as in printf, such as bar_%04d.vtk");
    }
    if (!m_isSeries) io::formatToWrite(path);
    OutputFile(withStep(m_file, 0));  // whether it can be written; nothing of it stays
}

void MeshSeries::write(const Simulation& s)
{
    if (!m_lastStepOnly && s.stepCount() % m_every == 0) writeStep(s);
}

void MeshSeries::finish(const Simulation& s)
{
    if (m_lastStepOnly) writeStep(s);
    if (m_indexed < m_entries.size()) writeIndex();
}

std::string MeshSeries::fileOf(const std::string& body, bool alone, std::size_t step) const
{
    const fs::path path(m_file);
    if (m_isSeries) return (path.parent_path() / path.stem() / (body + withStep("_%06d.vtu", step))).string();
    const std::string name = path.stem().string() + (alone ? "" : '_' + body) + path.extension().string();
    return withStep((path.parent_path() / name).string(), step);
}

void MeshSeries::writeStep(const Simulation& s)
{
    Node& root = s.root();
    ProbeForces forces(root);
    const std::vector<Body> bodies = bodiesOf(root);
    if (bodies.empty()) throw std::runtime_error("--export '" + m_file + "': there is no body in the scene");
    std::set<std::string> taken;
    for (const Body& body : bodies) {
        std::string name = fileName(*body.state->node());
        if (name.empty() || !taken.insert(name).second) taken.insert(name = fileName(*body.state));
        const std::string file = fileOf(name, bodies.size() == 1, s.stepCount());
        const io::MeshData mesh = bodyMesh(body, root, forces);
        if (!m_isSeries) {
            io::writeMesh(file, mesh);
            continue;
        }
        fs::create_directories(fs::path(file).parent_path());
        io::writeVtu(file, mesh, io::VtkEncoding::Compressed);
        m_entries.push_back(
            {root.time(), name, fs::path(file).lexically_relative(fs::path(m_file).parent_path()).generic_string()});
    }
    // It grows with the series, and so must the number of steps between: the effort stays in proportion.
    if (m_entries.size() - m_indexed > m_indexed / 100) writeIndex();
}

void MeshSeries::writeIndex()
{
    std::string out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
    std::map<std::string, std::size_t> parts;
    for (const Entry& e : m_entries) {
        const std::size_t part = parts.try_emplace(e.body, parts.size()).first->second;
        out += "<DataSet timestep=\"" + toText(e.time) + "\" group=\"\" part=\"" + std::to_string(part) + "\" name=\"" +
               escaped(e.body) + "\" file=\"" + escaped(e.file) + "\"/>\n";
    }
    writeFile(m_file, out + "</Collection>\n</VTKFile>\n");
    m_indexed = m_entries.size();
}

}  // namespace sofa::core
