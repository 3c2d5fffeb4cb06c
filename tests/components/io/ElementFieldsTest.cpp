// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/factory/Registry.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/BodyMesh.h"
#include "core/simulation/Probe.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace element_fields_test {

using namespace sofa;
using namespace sofa::core;

// Fields of elements in files for other programs: of every force field of finite elements, wherever it stands.

namespace {

struct Run
{
    Run(const std::string& content, int steps) : Run(loadSceneText(header + content + "</Node>", "fields.scn"), steps)
    {
    }
    Run(std::shared_ptr<Node> root, int steps) : sim(std::move(root))
    {
        REQUIRE(sim.init());
        for (int i = 0; i < steps; ++i) sim.step();
        BodyMeshes all(sim.root());
        for (const Body& b : all.bodies()) {
            bodies.push_back(b);
            meshes.push_back(all.mesh(b));
        }
    }
    /// The values of a field of the body with so many cells of all kinds; empty if it has none.
    Vector<double> field(const std::string& name, std::size_t body) const
    {
        for (const io::DataArray& a : meshes.at(body).cellData)
            if (a.name == name) return a.values;
        return {};
    }
    Vector<double> probe(const std::string& text) { return Probe(text).evaluate(sim.root()).values; }

    static constexpr const char* header =
        "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver/>"
        "<CGLinearSolver iterations='100' tolerance='1e-9' threshold='1e-9'/>";
    Simulation sim;
    std::vector<Body> bodies;
    std::vector<io::MeshData> meshes;
};

const char* const bar =
    "<RegularGridTopology name='grid' n='3 3 3' min='0 0 0' max='2 1 1'/><MechanicalObject name='dofs'/>"
    "<UniformMass totalMass='1'/><FixedProjectiveConstraint indices='0 3 6 9 12 15 18 21 24'/>";

double sum(const Vector<double>& v)
{
    double s = 0.;
    for (const double x : v) s += x;
    return s;
}

}  // namespace

TEST_CASE("every force field of finite elements of the example scenes has its energy in the file")
{
    std::set<std::string> scenes, classes;
    for (const auto& entry : Registry::instance().entries())
        if (entry->module.starts_with("Sofa.Component.SolidMechanics.FEM") && entry->category == "ForceField") {
            scenes.insert(entry->example);
            classes.insert(entry->name);
        }
    REQUIRE(classes.count("BeamFEMForceField") + classes.count("BaraffWitkinForceField") == 2);
    std::set<std::string> seen;
    for (const std::string& scene : scenes) {
        INFO(scene);
        const Run run(loadScene((test::sourceDirectory() / "scenes" / scene).string()), 2);
        std::size_t sources = 0, fields = 0;
        for (const Component* c : run.sim.root().getAll<Component>(Search::Down))
            if (classes.count(c->className())) {
                seen.insert(c->className());
                ++sources;
            }
        for (const io::MeshData& m : run.meshes)
            for (const io::DataArray& a : m.cellData) {
                if (!a.name.starts_with("energy")) continue;
                ++fields;
                INFO(a.name);
                CHECK(std::none_of(a.values.begin(), a.values.end(), [](double v) { return !std::isfinite(v); }));
            }
        CHECK(sources > 0);
        CHECK(fields == sources);
    }
    CHECK(seen.size() >= classes.size() - 1);  // StandardTetrahedralFEMForceField is another name
}

TEST_CASE("elements of a topology in a child node have a body of their own, on the points of the state above")
{
    Run run(std::string("<Node name='body'>") + bar +
                "<HexahedronFEMForceField name='solid' youngModulus='3000'/>"
                "<Node name='skin'><MeshTopology name='faces' triangles='0 1 4  0 4 3'/>"
                "<TriangularFEMForceField name='shell' topology='@faces' youngModulus='5000'/></Node></Node>",
            3);
    REQUIRE(run.bodies.size() == 2);
    CHECK(run.meshes[0].hexahedra.size() == 8);
    CHECK(run.meshes[1].triangles.size() == 2);
    CHECK(run.meshes[1].positions == run.meshes[0].positions);
    CHECK(run.bodies[1].of->pathName() == "/body/skin/shell");
    CHECK(run.field("vonMises", 0) == run.probe("@/body/solid.vonMises"));
    CHECK(run.field("vonMises", 1) == run.probe("@/body/skin/shell.vonMises"));
    CHECK(run.field("youngModulus", 1) == Vector<double>{5000., 5000.});
    CHECK(sum(run.field("energy", 1)) > 0.);
}

TEST_CASE("elements of a lower dimension than those of the body have a body of their own")
{
    Run run(
        "<MeshTopology name='mesh' position='0 0 0  1 0 0  0 1 0  0 0 1' tetrahedra='0 1 2 3' "
        "triangles='0 1 2  0 1 3'/><MechanicalObject/><UniformMass totalMass='1'/>"
        "<FixedProjectiveConstraint indices='0'/>"
        "<TetrahedronFEMForceField name='solid' youngModulus='3000'/>"
        "<TriangularFEMForceField name='shell' youngModulus='3000'/>",
        3);
    REQUIRE(run.bodies.size() == 2);
    CHECK(run.meshes[0].tetrahedra.size() == 1);
    CHECK(run.field("energy", 0).size() == 1);
    const std::size_t triangles = run.meshes[1].triangles.size();
    CHECK(triangles >= 2);
    CHECK(run.field("energy", 1).size() == triangles);
    CHECK(run.field("energy", 1) == run.probe("@/shell.elementEnergy"));
}

TEST_CASE("force fields on mapped states tell of their elements")
{
    Run run(std::string("<Node name='body'>") + bar +
                "<HexahedronFEMForceField youngModulus='3000'/>"
                "<Node name='inner'><MeshTopology position='0.2 0.2 0.2  1.8 0.2 0.2  0.2 0.8 0.2  0.2 0.2 0.8' "
                "tetrahedra='0 1 2 3'/><MechanicalObject/>"
                "<TetrahedronFEMForceField name='stiff' youngModulus='30000'/><BarycentricMapping/></Node></Node>",
            3);
    REQUIRE(run.bodies.size() == 2);
    CHECK_FALSE(run.bodies[1].independent);
    REQUIRE(run.field("stress", 1).size() == 6);
    CHECK(run.field("stress", 1) == run.probe("@/body/inner/stiff.stress"));
    CHECK(run.field("vonMises", 1)[0] > 0.);
}

TEST_CASE("several force fields on the same elements have fields with their names")
{
    Run run(std::string(bar) +
                "<HexahedronFEMForceField name='a' youngModulus='3000'/>"
                "<HyperelasticityFEMForceField name='b' materialName='StVenantKirchhoff' ParameterSet='770 1150'/>"
                "<Node name='more'><HexahedronFEMForceField name='a' topology='@/grid' youngModulus='1000'/></Node>",
            3);
    REQUIRE(run.bodies.size() == 1);
    CHECK(run.field("energy", 0).empty());
    CHECK(run.field("energy (b)", 0) == run.probe("@/b.elementEnergy"));
    CHECK(run.field("energy (/a)", 0) == run.probe("@/a.elementEnergy"));
    CHECK(run.field("energy (/more/a)", 0) == run.probe("@/more/a.elementEnergy"));
    // Parameters of a law are those of each element, all of them.
    Vector<double> parameters;
    for (std::size_t e = 0; e < 8; ++e) {
        parameters.push_back(770.);
        parameters.push_back(1150.);
    }
    CHECK(run.field("ParameterSet (b)", 0) == parameters);
}

TEST_CASE("quadratic tetrahedra tell of their elements")
{
    Run run(loadScene((test::sourceDirectory() / "scenes/component/fem/BezierTetrahedronFEMForceField.scn").string()),
            2);
    std::size_t bodies = 0;
    for (std::size_t b = 0; b < run.bodies.size(); ++b) {
        const std::size_t cells = run.meshes[b].tetrahedra.size();
        if (cells == 0 || run.field("energy", b).empty()) continue;
        ++bodies;
        CHECK(run.field("energy", b).size() == cells);
        CHECK(run.field("stress", b).size() == 6 * cells);
        CHECK(run.field("strain", b).size() == 6 * cells);
        CHECK(sum(run.field("vonMises", b)) > 0.);
    }
    CHECK(bodies > 0);
}

}  // namespace element_fields_test
