// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <optional>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/simulation/MeshSeries.h"
#include "core/simulation/SimulationExporter.h"

namespace sofa::component {

using namespace sofa::core;

namespace {

/// Writes the bodies of its node and below, with all fields that are known of their points and elements, as
/// `runSofa --export` does.
class VTUExporter final : public SimulationExporter
{
public:
    void init() override
    {
        SimulationExporter::init();
        if (!isValid()) return;
        try {
            m_series.emplace(fileName());
        } catch (const std::exception& e) {
            fail(std::string("filename: ") + e.what());
        }
    }
    void reset() override
    {
        SimulationExporter::reset();
        if (isValid()) m_series.emplace(fileName());
    }
    void cleanup() override
    {
        SimulationExporter::cleanup();
        if (m_series) m_series->finish();
    }

private:
    std::string fileName() const
    {
        const std::string base = baseName();
        return std::filesystem::path(base).has_extension() ? base : base + ".pvd";
    }
    void write() override { m_series->add(*node(), node()->root().time(), steps()); }

    std::optional<MeshSeries> m_series;
};

const RegisterComponent registeredVTUExporter =
    RegisterComponent("VTUExporter", "Exporter", "Sofa.Component.IO.Mesh")
        .help(
            "Writes a time series of the bodies of its node and below, with the fields of points and elements, for "
            "ParaView (.pvd and .vtu) or in any other format of meshes (name_%04d.msh)")
        .example("component/io/VTUExporter.scn")
        .add<VTUExporter>();

}  // namespace

}  // namespace sofa::component
