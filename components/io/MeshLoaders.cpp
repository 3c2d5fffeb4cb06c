// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshLoaders.h"

#include "components/io/LoaderUtilities.h"
#include "core/factory/Registry.h"
#include "core/io/GmshFormat.h"
#include "core/io/SurfaceFormats.h"
#include "core/io/VtkLegacyFormat.h"

namespace sofa::component {

io::MeshData MeshGmshLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    const io::SourceText source = io::loadSource(path);
    requireFormat(source, {"gmsh"});
    return orient(io::parseGmsh(source), options);
}

io::MeshData MeshVTKLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    const io::SourceText source = io::loadSource(path);
    requireFormat(source, {"VTK", "XML of VTK"});
    const auto format = io::detectFormat(source);
    return orient(format ? format->read(source, options) : io::parseVtkLegacy(source, options), options);
}

void MeshVTKLoader::parse(ComponentDescription& desc)
{
    MeshLoader::parse(desc);
    // Read now, so that links find the fields of the file.
    if (d_filename.isSet() && d_filename.linkPath().empty()) run();
}

namespace {

/// Gives a Data of the type T its value; creates it if there is none, and does nothing if there is one of another type.
template <class T>
void setField(std::unique_ptr<BaseData>& slot, Base& owner, const std::string& name, Vector<T> values)
{
    if (!slot)
        slot = std::make_unique<Data<Vector<T>>>(&owner, DataInfo{.name = name,
                                                                  .help = "Field of values in the file",
                                                                  .group = "Fields",
                                                                  .readOnly = true,
                                                                  .saved = false});
    if (auto* d = dynamic_cast<Data<Vector<T>>*>(slot.get())) d->setValue(std::move(values));
}

}  // namespace

void MeshVTKLoader::publishField(const io::DataArray& field)
{
    const auto known = m_fields.find(field.name);
    if (field.name.empty() || (known == m_fields.end() && (findData(field.name) || findLink(field.name)))) {
        msgInfo() << "the field '" << field.name << "' of the file is left out: its name is taken";
        return;
    }
    auto& slot = m_fields[field.name];
    if (field.components == 3) {
        Vector<Vec3> v(field.tuples());
        for (std::size_t i = 0; i < v.size(); ++i)
            v[i] = {field.values[3 * i], field.values[3 * i + 1], field.values[3 * i + 2]};
        setField(slot, *this, field.name, std::move(v));
    } else {
        setField(slot, *this, field.name, field.values);
    }
}

void MeshVTKLoader::publish(const io::MeshData& mesh)
{
    for (const auto& f : mesh.pointData) publishField(f);
    for (const auto& f : mesh.cellData) publishField(f);
}

void MeshSTLLoader::setOptions(io::MeshReadOptions& options) const
{
    options.stlHeaderSize = d_headerSize.value();
    options.stlForceBinary = d_forceBinary.value();
}

io::MeshData MeshSTLLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    const io::SourceText source = io::loadSource(path);
    requireFormat(source, {"stereolithography"});
    return orient(io::parseStl(source, options), options);
}

io::MeshData MeshOffLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    const io::SourceText source = io::loadSource(path);
    requireFormat(source, {"object file format"});
    return orient(io::parseOff(source), options);
}

namespace {

constexpr const char* module = "Sofa.Component.IO.Mesh";

const RegisterComponent gmsh = RegisterComponent("MeshGmshLoader", "MeshLoader", module)
                                   .help("Reads a mesh from a gmsh file (.msh, versions 1, 2 and 4)")
                                   .example("component/io/MeshGmshLoader.scn")
                                   .add<MeshGmshLoader>();
const RegisterComponent vtk = RegisterComponent("MeshVTKLoader", "MeshLoader", module)
                                  .help("Reads a mesh and its fields from a VTK file, legacy or XML")
                                  .example("component/io/MeshVTKLoader.scn")
                                  .add<MeshVTKLoader>();
const RegisterComponent stl = RegisterComponent("MeshSTLLoader", "MeshLoader", module)
                                  .help("Reads a triangle mesh from a stereolithography file (.stl), text or binary")
                                  .example("component/io/MeshSTLLoader.scn")
                                  .add<MeshSTLLoader>();
const RegisterComponent off = RegisterComponent("MeshOffLoader", "MeshLoader", module)
                                  .help("Reads a surface mesh from an object file format file (.off)")
                                  .example("component/io/MeshOffLoader.scn")
                                  .add<MeshOffLoader>();

}  // namespace

}  // namespace sofa::component
