// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Speed of reading and writing a mesh of tetrahedra in each format that holds it.
//
//     files_bench [number of cells along an edge = 55: a million tetrahedra] [--json]
#include <filesystem>

#include "core/io/MeshReader.h"
#include "core/io/VegBinary.h"
#include "core/io/VegFormat.h"
#include "core/io/VtkLegacyFormat.h"
#include "core/io/VtkXmlFormat.h"
#include "core/mesh/SubElements.h"
#include "tests/benchmarks/Report.h"

using namespace sofa::core;
using namespace sofa::benchmark;
namespace fs = std::filesystem;

namespace {

io::MeshData cube(std::size_t n)
{
    io::MeshData m;
    const auto point = [n](std::size_t i, std::size_t j, std::size_t k) {
        return static_cast<Index>((k * (n + 1) + j) * (n + 1) + i);
    };
    for (std::size_t k = 0; k <= n; ++k)
        for (std::size_t j = 0; j <= n; ++j)
            for (std::size_t i = 0; i <= n; ++i)
                m.positions.push_back(Vec3{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)} *
                                      (1. / static_cast<double>(n)));
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < n; ++i) {
                const Hexahedron h{
                    point(i, j, k),     point(i + 1, j, k),     point(i + 1, j + 1, k),     point(i, j + 1, k),
                    point(i, j, k + 1), point(i + 1, j, k + 1), point(i + 1, j + 1, k + 1), point(i, j + 1, k + 1)};
                for (const auto& local : hexahedronTetrahedra) m.tetrahedra.push_back(subElement(h, local));
            }
    return m;
}

}  // namespace

int main(int argc, char** argv)
{
    const Arguments arguments(argc, argv);
    Report report(arguments);
    const io::MeshData mesh = cube(arguments.number(0, 55));
    const fs::path folder = fs::temp_directory_path() / "files_bench";
    fs::remove_all(folder);
    fs::create_directories(folder);
    // Speeds are of what is in the file, which a compressed one holds in fewer bytes.
    const auto measure = [&](const std::string& name, const char* extension, auto&& write, double content = 0.) {
        const fs::path file = folder / (std::string("mesh") + extension);
        const double writing = best([&] { write(file); }, 0.);
        double megabytes = 0.;
        for (const auto& e : fs::directory_iterator(folder)) megabytes += static_cast<double>(e.file_size()) * 1e-6;
        std::size_t read = 0;
        const double reading = best([&] { read = io::readMesh(file).tetrahedra.size(); }, 0.);
        if (read != mesh.tetrahedra.size()) std::abort();
        if (content == 0.) content = megabytes;
        report.row({{"format", name},
                    {"size [MB]", megabytes},
                    {"write [MB/s]", content / writing},
                    {"read [MB/s]", content / reading}});
        for (const auto& e : fs::directory_iterator(folder)) fs::remove(e);
        return content;
    };
    const double vtu =
        measure("VTU, appended", ".vtu", [&](const fs::path& p) { io::writeVtu(p, mesh, io::VtkEncoding::Appended); });
    measure(
        "VTU, compressed", ".vtu", [&](const fs::path& p) { io::writeVtu(p, mesh, io::VtkEncoding::Compressed); }, vtu);
    measure("VTK, binary", ".vtk", [&](const fs::path& p) { io::writeVtkLegacy(p, mesh, true); });
    const io::VegMesh veg = io::makeVegMesh(mesh, {{}}, Vector<Index>(mesh.tetrahedra.size(), 0));
    measure("Vega, binary", ".vegb", [&](const fs::path& p) { io::writeVegBinary(p, veg); });
    measure("Vega, text", ".veg", [&](const fs::path& p) { io::writeVeg(p, veg); });
    for (const char* extension : {".msh4", ".msh", ".node"})
        measure(extension, extension, [&](const fs::path& p) { io::writeMesh(p, mesh); });
    fs::remove_all(folder);
    return 0;
}
