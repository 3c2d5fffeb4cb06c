// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/MeshSeries.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/io/MeshReader.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/BodyMesh.h"
#include "core/simulation/Probe.h"
#include "tests/harness/Paths.h"

namespace mesh_series_test {

using namespace sofa::core;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const char* const scene =
    "<Node name='root' gravity='0 -9.81 0' dt='0.02'>"
    "<EulerImplicitSolver/><CGLinearSolver iterations='200' tolerance='1e-12' threshold='1e-12'/>"
    "<Node name='soft'><RegularGridTopology n='4 3 3' min='0 0 0' max='3 1 1'/><MechanicalObject name='dofs'/>"
    "<UniformMass totalMass='2'/><FixedProjectiveConstraint name='wall' indices='0 4 8 12 16 20 24 28 32'/>"
    "<HyperelasticityFEMForceField name='law' materialName='StVenantKirchhoff' ParameterSet='770 1150'/>"
    "<Node name='skin'><MeshTopology name='skin' position='0 0 0  3 0 0  3 1 0' triangles='0 1 2'/>"
    "<MechanicalObject name='skinDofs' position='0 0 0  3 0 0  3 1 0'/><BarycentricMapping/></Node></Node>"
    "<Node name='balls'><MechanicalObject name='rigid' template='Rigid3' position='0 5 0 0 0 0 1  1 5 0 0 0 0 1'/>"
    "<UniformMass totalMass='1'/></Node></Node>";

struct Run
{
    explicit Run(int steps, const char* text = scene) : sim(loadSceneText(text, "series.scn"))
    {
        REQUIRE(sim.init());
        for (int i = 0; i < steps; ++i) sim.step();
    }
    io::MeshData mesh(const std::string& node)
    {
        BodyMeshes meshes(sim.root());
        for (const Body& body : meshes.bodies())
            if (body.state->node()->name() == node) return meshes.mesh(body);
        throw std::logic_error("no body " + node);
    }
    NumberList probe(const std::string& text) { return Probe(text).evaluate(sim.root()); }
    Simulation sim;
};

const io::DataArray& array(const std::vector<io::DataArray>& arrays, const std::string& name)
{
    for (const auto& a : arrays)
        if (a.name == name) return a;
    throw std::logic_error("no array " + name);
}

std::string textOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("bodies have their elements, what moves them and what the probes say")
{
    Run run(5);
    const io::MeshData soft = run.mesh("soft");
    CHECK(soft.positions.size() == 36);
    CHECK(soft.hexahedra.size() == 12);
    CHECK(soft.quads.empty());
    const auto& displacement = array(soft.pointData, "displacement");
    const auto& velocity = array(soft.pointData, "velocity");
    const auto probed = run.probe("@/soft/dofs.velocity");
    CHECK(velocity.values == probed.values);
    CHECK(array(soft.pointData, "reaction").values == run.probe("@/soft/wall.reaction").values);
    double moved = 0.;
    for (std::size_t i = 0; i < displacement.values.size(); ++i)
        moved = std::max(moved, std::abs(displacement.values[i]));
    CHECK(moved > 1e-4);
    // The reactions hold what the forces on the wall are.
    const auto &force = array(soft.pointData, "force"), &reaction = array(soft.pointData, "reaction");
    for (const std::size_t i : {0, 4, 8})
        for (std::size_t k = 0; k < 3; ++k)
            CHECK(force.values[3 * i + k] == Approx(-reaction.values[3 * i + k]).margin(1e-12));
    CHECK(array(soft.cellData, "vonMises").values == run.probe("@/soft/law.vonMises").values);

    const io::MeshData skin = run.mesh("skin");
    CHECK(skin.triangles.size() == 1);
    CHECK(skin.pointData.size() == 2);  // mapped: it has no forces of its own
    const io::MeshData balls = run.mesh("balls");
    CHECK(balls.points.size() == 2);
    CHECK(array(balls.pointData, "orientation").components == 4);
    CHECK(array(balls.pointData, "velocity").values[1] == Approx(-9.81 * 0.1));
    CHECK(array(balls.pointData, "force (angular)").values == Vector<double>(6, 0.));
}

TEST_CASE("the triangles of a grid that are halves of its quads are not there twice")
{
    Run run(3,
            "<Node name='root' gravity='0 0 -9.81' dt='0.01'><EulerImplicitSolver/>"
            "<CGLinearSolver iterations='50' tolerance='1e-9' threshold='1e-9'/>"
            "<Node name='cloth'><RegularGridTopology n='4 3 1' min='0 0 0' max='3 2 0'/><MechanicalObject/>"
            "<UniformMass totalMass='1'/><FixedProjectiveConstraint indices='0 4 8'/>"
            "<TriangularFEMForceField name='law' youngModulus='2000' poissonRatio='0.3'/></Node></Node>");
    const io::MeshData cloth = run.mesh("cloth");
    CHECK(cloth.quads.size() == 6);
    CHECK(cloth.triangles.empty());
    const auto of = run.probe("@/cloth/law.vonMises").values;
    const auto& halves = array(cloth.cellData, "vonMises").values;
    REQUIRE(of.size() == 12);
    REQUIRE(halves.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) CHECK(halves[i] == Approx(0.5 * (of[2 * i] + of[2 * i + 1])));
}

TEST_CASE("a time series has each body at each chosen step, and can be opened at any time")
{
    const sofa::test::TemporaryDirectory folder;
    Run run(0);
    MeshExport series((folder / "out.pvd").string() + ":every=2");
    for (int i = 0; i <= 4; ++i) {
        if (i > 0) run.sim.step();
        series.write(run.sim);
        const std::string index = textOf(folder / "out.pvd");
        CHECK_THAT(index, Contains("</VTKFile>"));
        std::size_t entries = 0;
        for (std::size_t at = 0; (at = index.find("<DataSet", at)) != std::string::npos; ++at) ++entries;
        CHECK(entries == 3 * static_cast<std::size_t>(i / 2 + 1));
    }
    series.finish(run.sim);
    CHECK_THAT(textOf(folder / "out.pvd"),
               Contains("timestep=\"0.04\" group=\"\" part=\"0\" name=\"soft\" file=\"out/soft_000002.vtu\""));
    const io::MeshData back = io::readMesh(folder / "out" / "soft_000004.vtu"), now = run.mesh("soft");
    CHECK(back.positions == now.positions);
    CHECK(back.hexahedra == now.hexahedra);
    for (const auto& a : now.pointData) CHECK(array(back.pointData, a.name).values == a.values);
    CHECK(array(back.cellData, "vonMises").values == array(now.cellData, "vonMises").values);
    CHECK_FALSE(fs::exists(folder / "out" / "soft_000003.vtu"));
    CHECK(fs::exists(folder / "out" / "soft_skin_000004.vtu"));
}

TEST_CASE("meshes of single steps, in any format that can be written")
{
    const sofa::test::TemporaryDirectory folder;
    Run run(0);
    MeshExport steps((folder / "bar_%03d.vtk").string()), last((folder / "bar.msh").string());
    for (int i = 0; i < 2; ++i) {
        run.sim.step();
        steps.write(run.sim);
        last.write(run.sim);
    }
    CHECK_FALSE(fs::exists(folder / "bar_soft.msh"));
    last.finish(run.sim);
    CHECK(io::readMesh(folder / "bar_soft.msh").hexahedra.size() == 12);
    CHECK(io::readMesh(folder / "bar_001_soft.vtk").hexahedra.size() == 12);
    CHECK(fs::exists(folder / "bar_002_balls.vtk"));
}

TEST_CASE("exports that cannot be are told before the first step")
{
    const sofa::test::TemporaryDirectory folder;
    const auto text = [&](const char* name) { return MeshExport((folder / name).string()); };
    CHECK_THROWS_WITH(text("a.pvd:every=0"), Contains("expected a number of steps, as in :every=10"));
    CHECK_THROWS_WITH(text("a.pvd:every=x"), Contains("expected a number of steps"));
    CHECK_THROWS_WITH(text("a_%04x.vtk"), Contains("such as bar_%04d.vtk"));
    CHECK_THROWS_WITH(text("a_%04d_%d.vtk"), Contains("such as bar_%04d.vtk"));
    CHECK_THROWS_WITH(text("a_%d.pvd"), Contains("a time series has one name"));
    CHECK_THROWS_WITH(text("a.exe"), Contains("no format is known by this extension that can be written"));
    CHECK_THROWS_WITH(MeshExport("/there/is/no/folder.pvd"), Contains("/there/is/no/folder.pvd"));
}

}  // namespace mesh_series_test
