// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/Monitor.h"

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/io/SceneOutput.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

enum Kind : std::size_t
{
    Positions,
    Velocities,
    Forces
};

}  // namespace

Monitor::Monitor()
    : m_files{{{"_x.txt", "positions [m]", d_exportPositions, {}},
               {"_v.txt", "velocities [m/s]", d_exportVelocities, {}},
               {"_f.txt", "forces [N]", d_exportForces, {}}}}
{
    d_listening.setDefault(true);
}

TopologyFollower::PointLists Monitor::pointLists()
{
    if (!m_state) return noLists();
    return {{{pointsOf(*m_state), {{&d_indices, ElementData::Kind::Numbers}}}}};
}

void Monitor::followTopology(const TopologyChange&)
{
    if (d_indices.value().size() != m_traces.size())
        throw std::runtime_error("'" + pathName() + "' (Monitor): a point that it watches would go");
}

void Monitor::init()
{
    m_state = findMechanicalState<BaseState>(*node(), Search::Up);
    if (!m_state) return fail("it needs a state in its node or above");
    for (const Index i : d_indices.value())
        if (i >= m_state->size())
            return fail("indices: there is no point " + std::to_string(i) + ", " + m_state->pathName() + " has " +
                        std::to_string(m_state->size()));
    try {
        m_probes.clear();
        for (const std::string& text : d_probes.value()) m_probes.emplace_back(text);
        for (const File& f : m_files)
            if (f.wanted.value()) checkOutput(baseName() + f.ending);
        if (!m_probes.empty()) checkOutput(baseName() + "_p.txt");
    } catch (const std::exception& e) {
        return fail(e);
    }
    m_beginsAnew = true;
    m_traces.assign(d_indices.value().size(), {});
    m_sinceTrace = 0.;
}

void Monitor::reset()
{
    if (!isValid() || !isInitialised() || !m_state) return;
    m_beginsAnew = true;
    m_traces.assign(d_indices.value().size(), {});
    m_sinceTrace = 0.;
}

std::string Monitor::baseName() const { return d_fileName.value().text.empty() ? name() : d_fileName.value().text; }

void Monitor::openFiles()
{
    const std::string base = baseName();
    std::string points;
    for (const Index i : d_indices.value()) points += ' ' + std::to_string(i);
    for (File& f : m_files) {
        f.file = {};
        if (!f.wanted.value()) continue;
        f.file = LineFile(base + f.ending);
        f.file.write("# time [s], then " + std::string(f.what) + " of the points" + points + " of " +
                     m_state->pathName());
    }
    m_probeFile = {};
    m_toldEmpty.assign(m_probes.size(), false);
    if (m_probes.empty()) return;
    m_probeFile = LineFile(base + "_p.txt");
    std::string line = "# time [s]";
    for (const Probe& p : m_probes) line += '\t' + p.text();
    m_probeFile.write(line);
}

const Vector<double>& Monitor::values(std::size_t kind)
{
    Vector<double>& out = m_values.values;
    if (kind == Positions) {
        out.resize(m_state->size() * m_state->coordSize());
        m_state->getScalars(vec_id::position, out.data());
    } else if (kind == Velocities) {
        out.assign(m_state->derivScalars(), 0.);
        if (m_state->isAllocated(vec_id::velocity)) m_state->getScalars(vec_id::velocity, out.data());
    } else {
        numbersOf(*m_state->findReadable("totalForce"), m_values);
    }
    return out;
}

void Monitor::append(std::string& line, const Vector<double>& values, std::size_t width) const
{
    for (const Index i : d_indices.value())
        for (std::size_t k = 0; k < width; ++k) {
            if ((i + std::size_t{1}) * width > values.size())
                throw std::runtime_error(pathName() + ": the point " + std::to_string(i) + " is gone");
            line += '\t' + toText(values[i * width + k]);
        }
}

void Monitor::writeLines(double time)
{
    if (std::exchange(m_beginsAnew, false)) openFiles();
    for (std::size_t kind = 0; kind < m_files.size(); ++kind) {
        File& f = m_files[kind];
        if (!f.file.isOpen()) continue;
        std::string line = toText(time);
        append(line, values(kind), kind == Positions ? m_state->coordSize() : m_state->derivSize());
        f.file.write(line);
    }
    if (!m_probeFile.isOpen()) return;
    const SceneForces shared(node()->root());
    std::string line = toText(time);
    for (std::size_t k = 0; k < m_probes.size(); ++k) {
        const NumberList numbers = m_probes[k].evaluate(*this);
        if (numbers.values.empty() && !m_toldEmpty[k]) {
            m_toldEmpty[k] = true;
            msgWarning() << "probe '" << m_probes[k].text() << "' gives no number at " << time
                         << " s: the list is empty, and lines lack its column (told once)";
        }
        for (const double v : numbers.values) line += '\t' + toText(v);
    }
    m_probeFile.write(line);
}

void Monitor::handleEvent(const Event& e)
{
    const auto* end = dynamic_cast<const AnimateEndEvent*>(&e);
    if (!end || !isValid()) return;
    if (!m_state) throw std::runtime_error("the state that " + pathName() + " watched has left the scene");
    writeLines(node()->time());
    if (!d_showTrajectories.value()) return;
    m_sinceTrace += end->dt();
    if (m_sinceTrace < d_trajectoriesPrecision.value()) return;
    m_sinceTrace = 0.;
    for (std::size_t k = 0; k < m_traces.size(); ++k)
        if (const Index i = d_indices.value()[k]; i < m_state->size()) m_traces[k].push_back(m_state->pointPosition(i));
}

void Monitor::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::BehaviorModels) || !m_state || !isValid()) return;
    auto points = tool.scratch<Vec3>();
    auto shownPoints = tool.scratch<Index>();
    for (const Index i : d_indices.value())
        if (i < m_state->size()) {
            points.push_back(m_state->pointPosition(i));
            shownPoints.push_back(i);
        }
    if (d_showPositions.value()) tool.points(points, plainStyle(d_positionsColor.value(), 8.f));
    const auto arrows = [&](Kind kind, const Color& color) {
        const Vector<double>& all = values(kind);
        const std::size_t width = m_state->derivSize();
        m_ends.clear();
        for (std::size_t k = 0; k < shownPoints.size(); ++k) {
            Vec3 v;
            for (std::size_t c = 0; c < std::min<std::size_t>(width, 3); ++c) v[c] = all[shownPoints[k] * width + c];
            if (norm(v) < d_showMinThreshold.value()) continue;
            m_ends.push_back(points[k]);
            m_ends.push_back(points[k] + v * d_sizeFactor.value());
        }
        DrawStyle style;
        style.color = color;
        tool.arrows(m_ends, 0.005 * tool.sceneSize(), style);
    };
    if (d_showVelocities.value()) arrows(Velocities, d_velocitiesColor.value());
    if (d_showForces.value()) arrows(Forces, d_forcesColor.value());
    if (!d_showTrajectories.value()) return;
    m_ends.clear();
    for (const Vector<Vec3>& trace : m_traces)
        for (std::size_t k = 1; k < trace.size(); ++k) {
            m_ends.push_back(trace[k - 1]);
            m_ends.push_back(trace[k]);
        }
    tool.lines(m_ends, plainStyle(d_trajectoriesColor.value()));
}

static const RegisterComponent registeredMonitor =
    RegisterComponent("Monitor", "Exporter", "SofaValidation")
        .help("Writes positions, velocities and forces of points, and probes, for gnuplot, and shows them")
        .example("component/playback/Monitor.scn")
        .add<Monitor>();

}  // namespace sofa::component
