// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/io/MeshAbaqusLoader.h"

#include <catch2/catch.hpp>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/io/LoaderFiles.h"

namespace mesh_abaqus_loader_test {

using namespace sofa::core;
using namespace sofa::component;
using sofa::test::LoaderFiles;

namespace {

/// Two tetrahedra and the triangle between them.
const std::string mesh =
    "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n5, 1, 1, 1\n9, 7, 7, 7\n"
    "*ELEMENT, TYPE=C3D4, ELSET=Body 1\n1, 1, 2, 3, 4\n2, 5, 3, 2, 4\n*ELEMENT, TYPE=S3, ELSET=Skin\n3, 2, 3, 4\n"
    "*ELSET, ELSET=Mixed\n2, 3\n*NSET, NSET=Wall\n1, 3, 9\n";
const std::string materials =
    "*MATERIAL, NAME=Soft\n*ELASTIC\n1e5, .3\n*DENSITY\n900\n*MATERIAL, NAME=Hard\n*ELASTIC\n2e5, .4\n*DENSITY\n800\n"
    "*MATERIAL, NAME=Lawless\n*DENSITY\n700\n";
std::string section(const std::string& set, const std::string& material)
{
    return "*SOLID SECTION, ELSET=" + set + ", MATERIAL=" + material + "\n";
}

struct Loaded : LoaderFiles
{
    explicit Loaded(const std::string& text, std::vector<std::pair<std::string, std::string>> more = {})
    {
        write("m.inp", text);
        more.emplace_back("filename", "m.inp");
        loader = &load<MeshAbaqusLoader>("MeshAbaqusLoader", more);
    }
    MeshAbaqusLoader* operator->() const { return loader; }
    std::string set(const char* name) const
    {
        const BaseData* d = loader->findData(name);
        return d ? d->text() : "none";
    }
    MessageCapture messages;
    MeshAbaqusLoader* loader;
};

}  // namespace

TEST_CASE("Abaqus loader: mesh, sets and materials")
{
    const Loaded l(mesh + section("\"Body 1\"", "soft") + section("mixed", "hard") + materials,
                   {{"translation", "0 0 1"}});
    CHECK(l->d_tetrahedra.value() == Vector<Tetrahedron>{{0, 1, 2, 3}, {4, 2, 1, 3}});
    CHECK(l->d_triangles.value() == Vector<Triangle>{{1, 2, 3}});
    CHECK(l->d_position.value()[3] == Vec3{0, 0, 2});
    CHECK(l->d_youngModulus.value() == Vector<double>{1e5, 2e5});
    CHECK(l->d_poissonRatio.value() == Vector<double>{.3, .4});
    CHECK(l->d_density.value() == Vector<double>{900, 800});
    CHECK(l->d_materialNames.value() == Vector<std::string>{"Soft", "Hard", "Lawless"});
    CHECK(l->d_materialIndices.value() == Vector<Index>{0, 1});
    CHECK(l.set("set_Body_1") == "0 1");
    CHECK(l.set("set_Mixed") == "1");
    CHECK(l.set("set_Mixed_triangles") == "0");
    CHECK(l.set("set_Skin") == "");
    CHECK(l.set("set_Skin_triangles") == "0");
    CHECK(l.set("set_Body_1_triangles") == "none");
    CHECK(l.set("nodes_Wall") == "0 2 5");
    CHECK(l->d_setNames.value() == Vector<std::string>{"Body 1", "Skin", "Mixed"});
    CHECK(l->d_sets.value() == Vector<Vector<Index>>{{0, 1}, {}, {1}});
    CHECK(l->d_nodeSetNames.value() == Vector<std::string>{"Wall"});
    CHECK(l->d_nodeSets.value() == Vector<Vector<Index>>{{0, 2, 5}});
    CHECK(l->d_tetrahedraGroups.value().size() == 2);
    // The triangle has a material as well.
    CHECK(l.messages.has(Severity::Warning,
                         "material lists are given for elements of one kind (tetrahedron): those of "
                         "the triangles are left out"));
    const Loaded attached(mesh, {{"onlyAttachedPoints", "1"}});
    CHECK(attached.set("nodes_Wall") == "0 2");
    CHECK(attached->d_youngModulus.value().empty());
    CHECK(attached->d_materialNames.value().empty());
    CHECK(attached.messages.count(Severity::Warning) == 0);
}

TEST_CASE("Abaqus loader: materials that are not complete")
{
    const Loaded part(mesh + "*ELSET, ELSET=first\n1\n" + section("first", "Soft") + materials);
    CHECK(part->d_youngModulus.value().empty());
    CHECK(part->d_materialIndices.value().empty());
    CHECK(part.messages.has(Severity::Warning, "1 of 2 elements (tetrahedron) are in no section with a material"));
    const Loaded lawless(mesh + section("\"Body 1\"", "Lawless") + materials);
    CHECK(lawless->d_youngModulus.value().empty());
    CHECK(lawless->d_density.value() == Vector<double>{700, 700});
    CHECK(lawless.messages.has(Severity::Warning, "the material 'Lawless' has no law of elasticity"));
    const Loaded rubber(mesh + section("\"Body 1\"", "r") +
                        "*MATERIAL, NAME=R\n*HYPERELASTIC, MOONEY-RIVLIN\n3, 2, .5\n");
    CHECK(rubber->d_mu10.value() == Vector<double>{3, 3});
    CHECK(rubber->d_v1.value() == Vector<double>{2, 2});
    CHECK(rubber->d_density.value().empty());
    CHECK(rubber.messages.count(Severity::Warning) == 0);
}

TEST_CASE("Abaqus loader: quads that are divided keep their material")
{
    const Loaded l("*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n*ELEMENT, TYPE=CPS4, ELSET=all\n1, 1, 2, 3, 4\n" +
                       section("all", "hard") + materials,
                   {{"triangulate", "1"}});
    CHECK(l->d_triangles.value().size() == 2);
    CHECK(l->d_youngModulus.value() == Vector<double>{2e5, 2e5});
    CHECK(l.set("set_all") == "0 1");
}

TEST_CASE("Abaqus loader: what is wrong is told, and nothing is given")
{
    const Loaded l(mesh + section("mixed", "none"));
    l->init();
    CHECK_FALSE(l->isValid());
    CHECK(l.messages.has(Severity::Error, "m.inp:17: expected the name of a material, found 'NONE'"));
    CHECK_THROWS_AS(l->d_youngModulus.value(), DataError);
    const Loaded other("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 0 float\n");
    CHECK(other.messages.has(Severity::Error, "this loader reads Abaqus (.inp) files"));
    const Loaded empty("");
    CHECK(empty.messages.has(Severity::Error, "the file is empty"));
}

TEST_CASE("Abaqus: sets and materials reach force fields, masses and constraints of a scene")
{
    LoaderFiles files;
    files.write("m.inp", mesh + section("\"Body 1\"", "soft") + materials);
    const std::string scene =
        "<Node name='root' dt='0.01' gravity='0 0 -10'><EulerImplicitSolver/><CGLinearSolver iterations='50' "
        "tolerance='1e-12' threshold='1e-12'/><MeshAbaqusLoader name='l' filename='m.inp' onlyAttachedPoints='1'/>"
        "<MeshTopology src='@l'/><MechanicalObject name='s' src='@l'/><MeshMatrixMass massDensity='@l.density'/>"
        "<TetrahedronFEMForceField youngModulus='@l.youngModulus' poissonRatio='@l.poissonRatio'/>"
        "<FixedProjectiveConstraint indices='@l.nodes_Wall'/></Node>";
    Simulation sim(loadSceneText(scene, (files.folder.path() / "s.scn").string()));
    REQUIRE(sim.init());
    sim.step();
    const auto x = sim.root().component("s")->findData("position")->text();
    CHECK(x.starts_with("0 0 0 "));
    CHECK(x.find("0 1 0 ") != std::string::npos);
    CHECK(x.find(" 1 1 1") == std::string::npos);  // the free corner moves
}

}  // namespace mesh_abaqus_loader_test
