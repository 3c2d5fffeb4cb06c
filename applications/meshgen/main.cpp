// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Makes the meshes of share/mesh: `meshgen share/mesh`; and bridges of any resolution for tools/experiments. The result
// depends on nothing but this program. `meshgen tetrahedra` fills a surface by the plugin Netgen, which it loads then.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include "applications/meshgen/Shapes.h"
#include "applications/meshgen/SurfaceFilling.h"
#include "core/io/MeshOperations.h"
#include "core/io/MeshReader.h"
#include "core/io/ObjFormat.h"
#include "core/io/VegFormat.h"

namespace {

using namespace meshgen;
namespace fs = std::filesystem;

/// Edge of the lattice of share/mesh/bridge.msh.
constexpr double bridgeEdge = 0.28;

void report(const char* name, const MeshData& m)
{
    std::printf("%-22s %5zu points", name, m.positions.size());
    if (!m.tetrahedra.empty()) {
        double smallest = 4.;
        for (const auto& [a, b, c, d] : m.tetrahedra)
            smallest = std::min(smallest,
                                smallestDihedralAngle(m.positions[a], m.positions[b], m.positions[c], m.positions[d]));
        std::printf(", %5zu tetrahedra, dihedral angles from %.1f degrees", m.tetrahedra.size(),
                    smallest * 180. / std::numbers::pi);
    }
    if (!m.hexahedra.empty()) std::printf(", %zu hexahedra", m.hexahedra.size());
    if (!m.triangles.empty()) std::printf(", %zu triangles", m.triangles.size());
    if (!m.quads.empty()) std::printf(", %zu quads", m.quads.size());
    std::printf("\n");
}

class Generator
{
public:
    explicit Generator(fs::path folder) : m_folder(std::move(folder)) {}

    void run() const
    {
        tetrahedra("organ.msh", fillSolid(organ(), 0.52, 8));
        MeshData skin = coverSolid(organ(), 0.25);
        pinPoles(skin, organ());
        addSphericalTexture(skin);
        surface("organ.obj", skin);

        tetrahedra("sphere.msh", fillSolid(ball(), 0.36, 8));
        surface("sphere.obj", sphereSurface(3));
        tetrahedra("curved_ball.msh", curvedBall());

        tetrahedra("torus.msh", fillSolid(torus(), 0.26, 8));
        surface("torus.obj", torusSurface(48, 20));

        MeshData cube = gridPoints(Vec3::filled(-1.), Vec3::filled(1.), 4, 4, 4);
        addGridTetrahedra(cube, 4, 4, 4);
        tetrahedra("cube.msh", cube);
        surface("cube.obj", boxSurface(Vec3::filled(-1.), Vec3::filled(1.), {1, 1, 1}));

        const Vec3 beamEnd(10., 2., 2.);
        MeshData beam = gridPoints({}, beamEnd, 20, 4, 4);
        addGridTetrahedra(beam, 20, 4, 4);
        tetrahedra("beam.msh", beam);
        beam.tetrahedra.clear();
        addGridHexahedra(beam, 20, 4, 4);
        roundCoordinates(beam);
        sofa::core::io::writeMesh(m_folder / "beam.vtk", beam);
        report("beam.vtk", beam);
        surface("beam.obj", boxSurface({}, beamEnd, {20, 4, 4}));

        bar();

        MeshData flat = plateTriangles(3, 2);
        surface("plate_holes_flat.obj", flat);
        const MeshData plate = extrude(flat, 0.2, 2);
        tetrahedra("plate_holes.msh", plate);
        MeshData plateSkin;
        plateSkin.positions = plate.positions;
        plateSkin.triangles = boundaryTriangles(plate.tetrahedra);
        removeUnattachedPoints(plateSkin);
        addFaceCorners(plateSkin);
        surface("plate_holes.obj", plateSkin);

        surface("floor.obj", floorSurface(20., 10));

        tetrahedra("bridge.msh", fillSolid(bridge(), bridgeEdge, 4));
    }

    /// A bridge of tetrahedra or cubes in m_folder / name, in the format of its extension.
    void bridgeOf(const char* name, double edge, bool cubes) const
    {
        if (cubes) {
            MeshData mesh = fillVoxels(bridge(), edge);
            roundCoordinates(mesh);
            sofa::core::io::writeMesh(m_folder / name, mesh);
            report(name, mesh);
        } else {
            tetrahedra(name, fillSolid(bridge(), edge, 4));
        }
    }

private:
    fs::path m_folder;

    /// A bar of cubes with two materials: the middle third is softer.
    void bar() const
    {
        MeshData mesh = gridPoints({}, Vec3(1.2, 0.2, 0.2), 12, 2, 2);
        addGridHexahedra(mesh, 12, 2, 2);
        roundCoordinates(mesh);
        Vector<Index> material;
        for (const auto& h : mesh.hexahedra) {
            const double x = 0.5 * (mesh.positions[h[0]][0] + mesh.positions[h[6]][0]);
            material.push_back(x > 0.4 && x < 0.8 ? 1 : 0);
        }
        const auto kind = [](const char* name, double density, double modulus) {
            return sofa::core::io::VegMaterial::isotropic(name, density, modulus, 0.4);
        };
        writeVeg(m_folder / "bar.veg",
                 makeVegMesh(mesh, {kind("firm", 1100., 2e6), kind("soft", 900., 3e4)}, material));
        report("bar.veg", mesh);
    }

    void tetrahedra(const char* name, MeshData m) const
    {
        roundCoordinates(m);
        sofa::core::io::writeMesh(m_folder / name, m);
        report(name, m);
    }

    void surface(const char* name, MeshData m) const
    {
        roundCoordinates(m);
        sofa::core::io::writeObjFaces(m_folder / name, m);
        report(name, m);
    }
};

}  // namespace

int main(int argc, char** argv)
{
    CLI::App app("Makes meshes.");
    std::string folder;
    app.add_option("FOLDER", folder, "Existing folder: the meshes of share/mesh are written into it");

    std::string bridgeFile;
    double edge = 0.;
    bool cubes = false;
    CLI::App* bridge = app.add_subcommand("bridge", "A bridge, 12 x 3 x 2, of tetrahedra or cubes");
    bridge->add_option("FILE", bridgeFile, "The mesh")->required();
    bridge->add_option("EDGE", edge, "About the length of its edges, at least 0.01")
        ->required()
        ->check(CLI::Range(0.01, 1e9));
    bridge->add_flag("--cubes", cubes, "Of cubes");

    FillingOptions filling;
    CLI::App* tetrahedra = app.add_subcommand("tetrahedra", "Fills a closed surface with tetrahedra (plugin Netgen)");
    tetrahedra->add_option("SURFACE", filling.surface, "Mesh of the surface: triangles and quads seen from outside")
        ->required();
    tetrahedra->add_option("FILE", filling.file, "The mesh; its extension says the format")->required();
    tetrahedra->add_option("--size", filling.size, "Largest mean edge of the tetrahedra inside [unit of the surface]");
    tetrahedra->add_option("--min-size", filling.minSize, "Edge of the tetrahedra, at least about");
    tetrahedra->add_option("--grading", filling.grading, "How fast they grow inside: near 0 slowly, 1 fast (0.3)");
    tetrahedra->add_option("--steps", filling.steps, "Rounds in which their shapes are improved (3)");
    app.require_subcommand(0, 1);
    try {
        app.parse(argc, argv);
        if (folder.empty() == app.get_subcommands().empty())
            throw CLI::ValidationError("usage", "a folder, or one of bridge and tetrahedra");
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    }
    try {
        if (bridge->parsed()) {
            const fs::path file(bridgeFile);
            Generator(file.parent_path()).bridgeOf(file.filename().c_str(), edge, cubes);
        } else if (tetrahedra->parsed()) {
            const MeshData mesh = fillSurface(filling);
            sofa::core::io::writeMesh(filling.file, mesh);
            report(filling.file.c_str(), mesh);
        } else {
            Generator(folder).run();
        }
    } catch (const std::exception& e) {
        std::cerr << "meshgen: " << e.what() << '\n';
        return 1;
    }
    return 0;
}
