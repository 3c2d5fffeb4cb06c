// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/TopologyExporter.h"

#include "core/factory/Registry.h"
#include "core/io/MeshReader.h"

namespace sofa::component {

namespace {

/// Writes a mesh in one of SOFA's formats, or in all of them. In the name of the file %n stands for the number of
/// steps, %p for the number of points, %E for that of all elements that are written, %e for that of the elements of the
/// highest dimension (points, if there are none), and %% for a percent sign.
class MeshExporter final : public TopologyExporter
{
public:
    Data<Options> d_format{
        this,
        {.name = "format",
         .help = "vtkxml (.vtu), vtk (.vtk), netgen (.mesh), tetgen (.node, .ele), gmsh (.gmsh), obj "
                 "(.obj), or ALL of them"},
        Options({"ALL", "vtkxml", "vtk", "netgen", "tetgen", "gmsh", "obj"})};

    MeshExporter() : TopologyExporter(true, true) {}

    void init() override
    {
        TopologyExporter::init();
        try {
            expanded(baseName(), {});
        } catch (const std::runtime_error& e) {
            fail(std::string("filename: ") + e.what());
        }
    }

private:
    std::string expanded(const std::string& pattern, const io::MeshData& mesh) const
    {
        std::string out;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            if (pattern[i] != '%') {
                out += pattern[i];
                continue;
            }
            const char what = i + 1 < pattern.size() ? pattern[++i] : '\0';
            if (what == 'n')
                out += std::to_string(steps());
            else if (what == 'p')
                out += std::to_string(mesh.positions.size());
            else if (what == 'E')
                out += std::to_string(mesh.edges.size() + mesh.triangles.size() + mesh.quads.size() +
                                      mesh.tetrahedra.size() + mesh.hexahedra.size());
            else if (what == 'e')
                out += std::to_string(highestCount(mesh));
            else if (what == '%')
                out += '%';
            else
                throw std::runtime_error("'" + pattern + "': behind '%' n, p, E, e or % is expected");
        }
        return out;
    }

    static std::size_t highestCount(const io::MeshData& m)
    {
        if (const std::size_t n = m.tetrahedra.size() + m.hexahedra.size()) return n;
        if (const std::size_t n = m.triangles.size() + m.quads.size()) return n;
        return m.edges.empty() ? m.positions.size() : m.edges.size();
    }

    void write() override
    {
        // In the order of the options.
        static constexpr const char* extensions[] = {".vtu", ".vtk", ".mesh", ".node", ".gmsh", ".obj"};
        const io::MeshData m = mesh();
        const std::string base = expanded(baseName(), m);
        const std::size_t chosen = d_format.value().index();
        for (std::size_t k = 0; k < std::size(extensions); ++k)
            if (chosen == 0 || chosen == k + 1) {
                const std::filesystem::path file = target(base, extensions[k]);
                io::writeMesh(file, m);
                msgInfo() << "wrote " << file.string();
            }
    }
};

const RegisterComponent registeredMeshExporter = RegisterComponent("MeshExporter", "Exporter", "Sofa.Component.IO.Mesh")
                                                     .help("Writes a mesh in files of VTK, Netgen, TetGen, gmsh or OBJ")
                                                     .example("component/io/MeshExporter.scn")
                                                     .add<MeshExporter>();

}  // namespace

}  // namespace sofa::component
