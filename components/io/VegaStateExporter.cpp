// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/VegaStateExporter.h"

#include <filesystem>

#include "core/factory/Registry.h"
#include "core/io/SceneOutput.h"
#include "core/io/VegaMatrixFile.h"
#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Event.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

namespace fs = std::filesystem;

VegaStateExporter::VegaStateExporter() { d_listening.setDefault(true); }

void VegaStateExporter::init()
{
    m_steps = 0;
    m_state = node()->get<State<Vec3Types>>();
    if (!m_state) return fail("it needs a state of Vec3 in its node or above");
    const fs::path base = d_filename.value().text;  // as every output, from the working directory
    if (base.filename().empty())
        return fail("filename=\"" + d_filename.value().text + "\" is a folder: give a name in it");
    if (const fs::path parent = base.parent_path(); !parent.empty() && !fs::is_directory(parent))
        return fail("filename: the folder '" + parent.string() + "' does not exist");
    m_base = base.string();
    try {
        checkOutput(m_base + ".u.0000");
    } catch (const std::runtime_error& e) {
        fail(std::string("filename: ") + e.what());
    }
}

void VegaStateExporter::archive(Archive& a) { a(m_steps); }

void VegaStateExporter::write(const char* kind, const Vector<Vec3>& values) const
{
    io::VegaMatrix m;
    m.rows = static_cast<int>(3 * values.size());
    m.columns = 1;
    for (const Vec3& v : values) m.values.insert(m.values.end(), v.begin(), v.end());
    std::string number = std::to_string(m_steps - 1);
    number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
    io::writeVegaMatrix(m_base + kind + number, m);
}

void VegaStateExporter::handleEvent(const Event& e)
{
    if (!m_state || !dynamic_cast<const AnimateEndEvent*>(&e)) return;
    if (++m_steps % d_interval.value() != 0) return;
    const auto& x = m_state->read(vec_id::position);
    const auto& rest =
        m_state->read(m_state->isAllocated(vec_id::restPosition) ? vec_id::restPosition : vec_id::position);
    Vector<Vec3> values(x.size());
    for (std::size_t i = 0; i < std::min(x.size(), rest.size()); ++i) values[i] = x[i] - rest[i];
    write(".u.", values);
    values = d_forces.value();
    values.resize(x.size());
    write(".f.", values);
}

static const RegisterComponent registeredVegaStateExporter =
    RegisterComponent("VegaStateExporter", "Exporter", "Sofa.Component.IO.Mesh")
        .help("Writes displacements and external forces after each step in the format of the Vega library")
        .example("component/io/VegaStateExporter.scn")
        .add<VegaStateExporter>();

}  // namespace sofa::component
