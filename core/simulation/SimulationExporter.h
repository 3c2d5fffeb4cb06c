// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/io/DataRepository.h"
#include "core/objectmodel/Node.h"
#include "core/objectmodel/OutputFileName.h"

namespace sofa::core {

/// Base of exporters: when they write, and the names of their files. Each file is complete or absent (OutputFile). What
/// cannot be written ends the run with an error; SOFA goes on. A scene that is opened, and closed without a step,
/// writes nothing (docs/security.md).
class SimulationExporter : public Component
{
public:
    Data<OutputFileName> d_filename{
        this,
        {.name = "filename",
         .help = "File to write, or a folder for files with the name of the component; a relative one counts from the "
                 "working directory. Folders are made. Default: the name of the component"}};
    Data<unsigned> d_exportEveryNumberOfSteps{
        this,
        {.name = "exportEveryNumberOfSteps",
         .help = "Export after every this many steps, into files with the number of the export, of five digits; 0: not "
                 "while it runs"},
        0u};
    Data<bool> d_exportAtBegin{
        this, {.name = "exportAtBegin", .help = "Export what the first step begins with"}, false};
    Data<bool> d_exportAtEnd{
        this, {.name = "exportAtEnd", .help = "Export when the scene is closed, if it made a step"}, false};
    Data<bool> d_enable{this, {.name = "enable", .help = "Whether it exports, and counts the steps"}, true};

    static std::string_view typeLabel() { return "exporter"; }
    SimulationExporter();

    /// Fails where the first file could not be written; nothing is touched.
    void init() override;
    void reset() override { m_steps = 0; }
    void archive(Archive& a) override;
    /// \throws std::runtime_error where the export fails
    void handleEvent(const Event& e) override;
    /// \throws std::runtime_error where the export fails
    void cleanup() override;

protected:
    /// Writes the present state. \throws std::runtime_error
    virtual void write() = 0;

    /// `filename`, or what stands for it.
    std::string baseName() const;
    /// A name with the number of the export where there are several, and the extension ("" or ".obj"), which the name
    /// may have already; its folder exists then.
    std::filesystem::path target(std::string name, std::string_view extension) const;
    static void removeExtension(std::string& name, std::string_view extension);
    /// A file whose folder exists then. \throws std::runtime_error if it cannot be made
    std::filesystem::path inFolder(const std::filesystem::path& file) const;
    std::uint64_t steps() const { return m_steps; }

private:
    std::uint64_t m_steps = 0;  ///< done since the start
    bool m_runs = false;        ///< a step began since the initialisation
    Tracked<Node> m_scene;      ///< its root
};

}  // namespace sofa::core
