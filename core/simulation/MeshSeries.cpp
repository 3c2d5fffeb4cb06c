// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/MeshSeries.h"

#include <charconv>
#include <filesystem>
#include <set>

#include "core/fem/ElementResults.h"
#include "core/io/MeshError.h"
#include "core/io/MeshReader.h"
#include "core/io/NumberedName.h"
#include "core/io/OutputFile.h"
#include "core/io/SceneOutput.h"
#include "core/io/VtkXmlFormat.h"
#include "core/log/Reason.h"
#include "core/scene/XmlDocument.h"
#include "core/simulation/BodyMesh.h"

namespace sofa::core {

namespace fs = std::filesystem;

namespace {

/// The name of an object as part of a name of a file: of its path, with other characters than letters, digits, '-' and
/// '.' replaced by '_'.
std::string fileName(const Base& object)
{
    std::string name = object.pathName().substr(1);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
    return name;
}

}  // namespace

MeshSeries::MeshSeries(const std::string& file) : m_file(file)
{
    const fs::path path(file);
    bool numbered = false;
    try {
        numbered = NumberedName(file).isNumbered();
    } catch (const std::runtime_error& e) {
        throw std::invalid_argument(std::string(e.what()) +
                                    "; expected a name with the step as in printf, such as bar_%04d.vtk");
    }
    if (path.extension() == ".pvd")
        m_kind = Kind::ParaView;
    else if (io::PointCacheFile::hasExtension(path))
        m_kind = Kind::PointCache;
    else if (numbered)
        m_kind = Kind::Numbered;
    if (numbered && m_kind != Kind::Numbered)
        throw std::invalid_argument("a time series has one name, without a number");
    if (m_kind == Kind::Numbered || m_kind == Kind::Last) {
        try {
            io::formatToWrite(path);
        } catch (const io::MeshError& e) {
            throw std::invalid_argument(std::string(e.what()) +
                                        "; and series of ParaView (.pvd) and points (.pc2, .mdd)");
        }
    }
    checkWritable(NumberedName(file).name(0));
}

std::string MeshSeries::fileOf(const std::string& body, bool alone, std::size_t step) const
{
    fs::path path(m_file);
    if (m_kind == Kind::ParaView)
        return (path.parent_path() / path.stem() / (body + NumberedName("_%06d.vtu").name(step))).string();
    if (!alone) path.replace_filename(path.stem().string() + '_' + body + path.extension().string());
    return NumberedName(path.string()).name(step);
}

void MeshSeries::add(Node& scope, double time, std::size_t step)
{
    BodyMeshes meshes(scope);
    std::vector<Body> bodies = meshes.bodies();
    // The points of a state are one cache, whatever elements are on them.
    if (m_kind == Kind::PointCache) std::erase_if(bodies, [](const Body& b) { return b.of != b.state; });
    if (bodies.empty()) throw std::runtime_error("there is no body in the scene");
    std::set<std::string> taken;
    for (const Body& body : bodies) {
        std::string name = fileName(*body.of->node());
        if (name.empty() || taken.count(name)) name = fileName(*body.of);
        while (!taken.insert(name).second) name += '_';
        const std::string file = fileOf(name, bodies.size() == 1, step);
        if (m_kind == Kind::PointCache) {
            const Vector<Vec3> points = RestAndNow(*body.state).now;
            m_caches.try_emplace(name, file, points.size()).first->second.add(time, points);
            continue;
        }
        const io::MeshData mesh = meshes.mesh(body);
        if (m_kind != Kind::ParaView) {
            io::writeMesh(file, mesh);
            continue;
        }
        makeFolders(fs::path(file).parent_path());
        io::writeVtu(file, mesh, io::VtkEncoding::Compressed);
        m_entries.push_back(
            {time, name, fs::path(file).lexically_relative(fs::path(m_file).parent_path()).generic_string()});
    }
    // It grows with the series, and so must the number of steps between: the effort stays in proportion.
    if (m_entries.size() - m_indexed > m_indexed / 100) writeIndex();
}

void MeshSeries::finish()
{
    if (m_indexed < m_entries.size()) writeIndex();
    for (auto& [name, cache] : m_caches) cache.finish();
    m_caches.clear();
}

void MeshSeries::writeIndex()
{
    std::string out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
    std::map<std::string, std::size_t> parts;
    for (const Entry& e : m_entries) {
        const std::size_t part = parts.try_emplace(e.body, parts.size()).first->second;
        out += "<DataSet timestep=\"" + toText(e.time) + "\" group=\"\" part=\"" + std::to_string(part) + "\" name=\"" +
               escapedXml(e.body) + "\" file=\"" + escapedXml(e.file) + "\"/>\n";
    }
    writeFile(m_file, out + "</Collection>\n</VTKFile>\n");
    m_indexed = m_entries.size();
}

MeshExport::MeshExport(const std::string& text) : m_text(text)
{
    constexpr std::string_view every = ":every=";
    std::string file = text;
    try {
        if (const auto at = text.rfind(every); at != std::string::npos) {
            const char* end = text.data() + text.size();
            const auto [p, error] = std::from_chars(text.data() + at + every.size(), end, m_every);
            if (error != std::errc() || p != end || m_every == 0)
                throw std::invalid_argument("expected a number of steps, as in :every=10");
            file.erase(at);
        }
        m_series.emplace(file);
    } catch (const std::invalid_argument& e) {
        throw std::invalid_argument("--export '" + text + "': " + reasonOf(e));
    } catch (const std::exception& e) {
        throw std::runtime_error("--export '" + text + "': " + reasonOf(e));
    }
}

void MeshExport::write(const Simulation& s)
{
    if (!m_series->hasOneTime() && s.stepCount() % m_every == 0) add(s);
}

void MeshExport::finish(const Simulation& s)
{
    if (m_series->hasOneTime()) add(s);
    m_series->finish();
}

void MeshExport::add(const Simulation& s)
{
    try {
        m_series->add(s.root(), s.root().time(), s.stepCount());
    } catch (const std::exception& e) {
        throw std::runtime_error("--export '" + m_text + "': " + reasonOf(e));
    }
}

}  // namespace sofa::core
