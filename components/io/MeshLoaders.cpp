// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshLoaders.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "components/io/LoaderUtilities.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/MeshError.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

io::MeshData FormatLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    return readAs(path, options, m_formats);
}

io::MeshData MeshVTKLoader::readFile(const std::string& path, const io::MeshReadOptions& options)
{
    io::MeshData mesh = FormatLoader::readFile(path, options);
    if (d_flipTetra.value())
        for (Tetrahedron& t : mesh.tetrahedra) std::swap(t[2], t[3]);
    return mesh;
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

void MeshVTKLoader::checkOrientation(const io::MeshData& mesh) const
{
    const auto& x = mesh.positions;
    const auto isNegative = [&](const Tetrahedron& t) {
        return dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]) < 0.;
    };
    const auto n = std::ranges::count_if(mesh.tetrahedra, isNegative);
    if (n == 0) return;
    msgWarning() << n << " of " << mesh.tetrahedra.size() << " tetrahedra have a negative volume: flipTetra=\""
                 << !d_flipTetra.value() << "\" reverses all of them";
}

void MeshVTKLoader::publish(const io::MeshData& mesh)
{
    checkOrientation(mesh);
    d_texcoords.setValue(mesh.texCoords);
    for (const auto& f : mesh.pointData) publishField(f);
    for (const auto& f : mesh.cellData) publishField(f);
}

void MeshSTLLoader::setOptions(io::MeshReadOptions& options) const
{
    options.stlHeaderSize = d_headerSize.value();
    options.stlForceBinary = d_forceBinary.value();
}

namespace {

/// The name of the file whose number is larger by `more`: "wave07.off" becomes "wave08.off".
/// \throws io::MeshError where the name of the first has no number
std::string numberedFile(const std::string& first, std::int64_t more)
{
    std::filesystem::path path = first;
    const std::string stem = path.stem().string();
    const std::size_t at = stem.find_last_not_of("0123456789") + 1;
    std::int64_t number = 0;
    if (at == stem.size() || stem.size() - at > 9 || !io::parseInteger(stem.substr(at), number))
        throw io::MeshError(first, "expected a name that ends with a number, as wave01.off, for a sequence of files");
    const std::string digits = std::to_string(number + more);
    const std::size_t width = stem.size() - at;
    const std::string zeros(width > digits.size() ? width - digits.size() : 0, '0');
    path.replace_filename(stem.substr(0, at) + zeros + digits + path.extension().string());
    return path.string();
}

}  // namespace

OffSequenceLoader::OffSequenceLoader() { d_listening.setDefault(true); }

void OffSequenceLoader::init()
{
    MeshOffLoader::init();
    if (!isValid()) return;
    try {
        const std::string first = requireFile(d_filename);
        for (int k = 0; k < d_nbOfFiles.value(); ++k) {
            const std::string file = numberedFile(first, k);
            if (!std::filesystem::exists(file))
                throw io::MeshError(file, "no such file: nbOfFiles says that the sequence has " +
                                              std::to_string(d_nbOfFiles.value()) + ", and this one is missing");
        }
    } catch (const std::exception& e) {
        fail(e);
    }
}

void OffSequenceLoader::archive(Archive& a)
{
    std::int64_t file = m_file;
    a(file);
    showFile(file);
}

void OffSequenceLoader::handleEvent(const Event& e)
{
    if (!dynamic_cast<const AnimateBeginEvent*>(&e) || !isValid()) return;
    // The number of files whose time has come; products are compared, not quotients, as SOFA does.
    const double time = node()->time(), duration = d_stepDuration.value(), last = d_nbOfFiles.value() - 1;
    double file = std::min(std::floor(std::max(time, 0.) / duration), last);
    if (file * duration <= time) ++file;
    showFile(static_cast<std::int64_t>(std::min(file, last)));
}

void OffSequenceLoader::showFile(std::int64_t file)
{
    if (file == m_file) return;
    m_file = file;
    setDirty();
}

io::MeshData OffSequenceLoader::makeMesh(const io::MeshReadOptions& options)
{
    const std::string first = requireFile(d_filename);
    return readFile(m_file == 0 ? first : numberedFile(first, m_file), options);
}

namespace {

constexpr const char* meshLoadersModule = "Sofa.Component.IO.Mesh";

const RegisterComponent registeredMeshGmshLoader =
    RegisterComponent("MeshGmshLoader", "MeshLoader", meshLoadersModule)
        .help("Reads a mesh from a gmsh file (.msh, versions 1, 2 and 4)")
        .example("component/io/MeshGmshLoader.scn")
        .add<MeshGmshLoader>();
const RegisterComponent registeredMeshVTKLoader =
    RegisterComponent("MeshVTKLoader", "MeshLoader", meshLoadersModule)
        .help("Reads a mesh and its fields from a VTK file, legacy or XML")
        .example("component/io/MeshVTKLoader.scn")
        .add<MeshVTKLoader>();
const RegisterComponent registeredMeshSTLLoader =
    RegisterComponent("MeshSTLLoader", "MeshLoader", meshLoadersModule)
        .help("Reads a triangle mesh from a stereolithography file (.stl), text or binary")
        .example("component/io/MeshSTLLoader.scn")
        .add<MeshSTLLoader>();
const RegisterComponent registeredMeshOffLoader =
    RegisterComponent("MeshOffLoader", "MeshLoader", meshLoadersModule)
        .help("Reads a surface mesh from an object file format file (.off)")
        .example("component/io/MeshOffLoader.scn")
        .add<MeshOffLoader>();
const RegisterComponent registeredOffSequenceLoader =
    RegisterComponent("OffSequenceLoader", "MeshLoader", meshLoadersModule)
        .help("Reads surface meshes from a sequence of object file format files (.off), one after the other")
        .example("component/io/OffSequenceLoader.scn")
        .add<OffSequenceLoader>();
const RegisterComponent registeredGIDMeshLoader = RegisterComponent("GIDMeshLoader", "MeshLoader", meshLoadersModule)
                                                      .help("Reads a mesh from a text file of GiD (.gidmsh, .msh)")
                                                      .example("component/io/GIDMeshLoader.scn")
                                                      .add<GIDMeshLoader>();
const RegisterComponent registeredMeshXspLoader =
    RegisterComponent("MeshXspLoader", "MeshLoader", meshLoadersModule)
        .help("Reads masses as points and springs as edges from a mass-spring network (.xs3)")
        .example("component/io/MeshXspLoader.scn")
        .add<MeshXspLoader>();
const RegisterComponent registeredMeshTetgenLoader =
    RegisterComponent("MeshTetgenLoader", "MeshLoader", meshLoadersModule)
        .help("Reads tetrahedra from the files of TetGen (.node and .ele)")
        .example("component/io/MeshTetgenLoader.scn")
        .add<MeshTetgenLoader>();
const RegisterComponent registeredMeshNetgenLoader =
    RegisterComponent("MeshNetgenLoader", "MeshLoader", meshLoadersModule)
        .help("Reads a mesh from a file in the neutral format of Netgen (.mesh)")
        .example("component/io/MeshNetgenLoader.scn")
        .add<MeshNetgenLoader>();

}  // namespace

}  // namespace sofa::component
