// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SimulationExporter.h"

#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Event.h"

namespace sofa::core {

namespace fs = std::filesystem;

SimulationExporter::SimulationExporter() { d_listening.setDefault(true); }

void SimulationExporter::archive(Archive& a) { a(m_steps); }

void SimulationExporter::handleEvent(const Event& e)
{
    if (!isValid() || !d_enable.value()) return;
    if (dynamic_cast<const SimulationInitDoneEvent*>(&e)) {
        if (d_exportAtBegin.value()) write();
    } else if (dynamic_cast<const AnimateEndEvent*>(&e)) {
        const unsigned every = d_exportEveryNumberOfSteps.value();
        ++m_steps;
        if (every > 0 && m_steps % every == 0) write();
    }
}

void SimulationExporter::cleanup()
{
    // Not for one that has left the scene.
    if (node() && isInitialised() && isValid() && d_enable.value() && d_exportAtEnd.value()) write();
}

std::string SimulationExporter::baseName() const
{
    const std::string& given = d_filename.value().text;
    if (given.empty()) return name();
    return fs::is_directory(given) ? (fs::path(given) / name()).string() : given;
}

fs::path SimulationExporter::target(const std::string& name, std::string_view extension) const
{
    std::string base = name;
    if (!extension.empty() && base.ends_with(extension)) base.erase(base.size() - extension.size());
    if (const unsigned every = d_exportEveryNumberOfSteps.value(); every > 0) {
        const std::string number = std::to_string(m_steps / every);
        base += std::string(number.size() < 5 ? 5 - number.size() : 0, '0') + number;
    }
    base += extension;
    const fs::path path(base);
    if (path.has_parent_path()) fs::create_directories(path.parent_path());
    return path;
}

}  // namespace sofa::core
