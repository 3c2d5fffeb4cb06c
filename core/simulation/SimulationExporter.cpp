// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SimulationExporter.h"

#include "core/io/SceneOutput.h"
#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Event.h"

namespace sofa::core {

namespace fs = std::filesystem;

SimulationExporter::SimulationExporter() { d_listening.setDefault(true); }

void SimulationExporter::init()
{
    m_scene = &node()->root();
    if (!d_enable.value()) return;
    try {
        checkOutput(baseName(), true);
    } catch (const std::runtime_error& e) {
        fail(std::string("filename: ") + e.what());
    }
}

void SimulationExporter::archive(Archive& a) { a(m_steps); }

void SimulationExporter::handleEvent(const Event& e)
{
    if (!isValid() || !d_enable.value()) return;
    if (dynamic_cast<const AnimateBeginEvent*>(&e)) {
        if (!std::exchange(m_runs, true) && d_exportAtBegin.value()) write();
    } else if (dynamic_cast<const AnimateEndEvent*>(&e)) {
        const unsigned every = d_exportEveryNumberOfSteps.value();
        ++m_steps;
        if (every > 0 && m_steps % every == 0) write();
    }
}

void SimulationExporter::cleanup()
{
    if (!node() || &node()->root() != m_scene.get()) return;  // it has left the scene, which is not closed
    if (m_runs && isInitialised() && isValid() && d_enable.value() && d_exportAtEnd.value()) write();
}

std::string SimulationExporter::baseName() const
{
    const std::string& given = d_filename.value().text;
    if (given.empty()) return name();
    return fs::is_directory(given) ? (fs::path(given) / name()).string() : given;
}

void SimulationExporter::removeExtension(std::string& name, std::string_view extension)
{
    if (name.ends_with(extension)) name.erase(name.size() - extension.size());
}

fs::path SimulationExporter::inFolder(const fs::path& file) const
{
    try {
        makeFolders(file.parent_path());
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(pathName() + ": " + e.what());
    }
    return file;
}

fs::path SimulationExporter::target(std::string name, std::string_view extension) const
{
    removeExtension(name, extension);
    if (const unsigned every = d_exportEveryNumberOfSteps.value(); every > 0) {
        const std::string number = std::to_string(m_steps / every);
        name += std::string(number.size() < 5 ? 5 - number.size() : 0, '0') + number;
    }
    return inFolder(name += extension);
}

}  // namespace sofa::core
