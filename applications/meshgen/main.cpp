// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Makes the meshes of share/mesh: `meshgen share/mesh`; and bridges of any resolution for tools/experiments. The result
// depends on nothing but this program.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include "applications/meshgen/Shapes.h"
#include "core/io/MeshOperations.h"
#include "core/io/MeshReader.h"
#include "core/io/ObjFormat.h"
#include "core/io/VegFormat.h"

namespace {

using namespace meshgen;
namespace fs = std::filesystem;

/// Edge of the lattice of share/mesh/bridge.msh.
constexpr double bridgeEdge = 0.28;

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

    static void report(const char* name, const MeshData& m)
    {
        std::printf("%-22s %5zu points", name, m.positions.size());
        if (!m.tetrahedra.empty()) {
            double smallest = 4.;
            for (const auto& [a, b, c, d] : m.tetrahedra)
                smallest = std::min(
                    smallest, smallestDihedralAngle(m.positions[a], m.positions[b], m.positions[c], m.positions[d]));
            std::printf(", %5zu tetrahedra, dihedral angles from %.1f degrees", m.tetrahedra.size(),
                        smallest * 180. / std::numbers::pi);
        }
        if (!m.hexahedra.empty()) std::printf(", %zu hexahedra", m.hexahedra.size());
        if (!m.triangles.empty()) std::printf(", %zu triangles", m.triangles.size());
        if (!m.quads.empty()) std::printf(", %zu quads", m.quads.size());
        std::printf("\n");
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
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool help = words == std::vector<std::string>{"--help"};
    const bool single =
        words.size() >= 3 && words.size() <= 4 && words[0] == "bridge" && (words.size() == 3 || words[3] == "--cubes");
    const double edge = single ? std::strtod(words[2].c_str(), nullptr) : 0.;
    if (help || (!single && (words.size() != 1 || words[0].substr(0, 1) == "-")) || (single && !(edge >= 0.01))) {
        std::cerr
            << "usage: meshgen FOLDER\n"
               "       meshgen bridge FILE EDGE [--cubes]\n"
               "Writes the meshes of share/mesh into an existing folder; or a bridge, 12 x 3 x 2, of tetrahedra or\n"
               "cubes of edges of about EDGE, at least 0.01.\n";
        return help ? 0 : 2;
    }
    try {
        if (single) {
            const fs::path file(words[1]);
            Generator(file.parent_path()).bridgeOf(file.filename().c_str(), edge, words.size() == 4);
        } else {
            Generator(words[0]).run();
        }
    } catch (const std::exception& e) {
        std::cerr << "meshgen: " << e.what() << '\n';
        return 1;
    }
    return 0;
}
