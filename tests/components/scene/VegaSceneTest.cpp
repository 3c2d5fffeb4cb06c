// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/scene/VegaScene.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "core/io/MeshError.h"
#include "core/io/VegaMatrixFile.h"
#include "core/scene/XmlDocument.h"
#include "tests/harness/Paths.h"

namespace vega_scene_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;

namespace {

const std::string veg =
    "*VERTICES\n5 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n*ELEMENTS\nTET\n2 4\n1 1 2 3 4\n2 5 3 2 4\n";
const std::string cubes =
    "*VERTICES\n8 3\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n*ELEMENTS\nCUBIC\n1 8\n"
    "1 1 2 3 4 5 6 7 8\n";
const std::string enu =
    "*MATERIAL a\nENU, 900, 1e5, .3\n*MATERIAL b\nENU, 800, 2e5, .4\n*SET one\n1\n"
    "*REGION\nallElements, b\n*REGION\none, a\n";
const std::string mooneyRivlin = "*MATERIAL a\nMOONEYRIVLIN, 900, 1, 2, 3\n*REGION\nallElements, a\n";

const std::string wood =
    "*MATERIAL a\nORTHOTROPIC, 900, 1, 2, 3, 0.1, 0.2, 0.3, 4, 5, 6, 0, -1, 0, 1, 0, 0, 0, 0, 1\n*MATERIAL b\nENU, "
    "800, "
    "2.5, .25\n*SET one\n1\n*REGION\nallElements, b\n*REGION\none, a\n";

/// A folder with a configuration and the files that it names.
struct Files
{
    Files()
    {
        write("m.veg", veg + enu);
        write("rubber.veg", veg + mooneyRivlin);
        write("cubes.veg", cubes + enu);
        write("wood.veg", veg + wood);
        write("f.bou", "2, 1\n");
        write("s.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        write("q.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
        const std::string rest = "*density\n2\n*tensileStiffness\n30\n*damping\n0\n*addGravity\n";
        write("sub/m.massspring", "*tetMeshFilename\n../m.veg\n*surfaceMeshFilename\n../s.obj\n" + rest + "0\n");
        write("c.massspring", "*cubicMeshFilename\ncubes.veg\n" + rest + "1\n");
        write("q.massspring",
              "*massSpringMeshFilename\nq.obj\n*surfaceDensity\n2\n*tensileStiffness\n30\n*shearStiffness\n20\n"
              "*bendStiffness\n10\n*damping\n0\n*addGravity\n0\n");
    }
    void write(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((folder.path() / name).parent_path());
        std::ofstream(folder.path() / name) << text;
    }
    std::string path() const { return (folder.path() / "m.config").string(); }
    /// The scene of the given lines and those keys that must be there.
    std::shared_ptr<Node> load(const std::string& lines) const
    {
        write("m.config", lines +
                              "*timestep\n0.02\n*dampingMassCoef\n0.5\n*dampingStiffnessCoef\n0.25\n"
                              "*deformableObjectCompliance\n1\n*lightingConfigFilename\n__none\n" +
                              (lines.find("*frequencyScaling") == std::string::npos ? "*frequencyScaling\n1\n" : ""));
        return loadVegaScene(path());
    }
    std::string errorOf(const std::string& lines) const
    {
        try {
            load(lines);
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return "no error";
    }
    test::TemporaryDirectory folder;
    MessageCapture messages;
};

const Component* find(const Node& n, const std::string& type)
{
    for (const Node* d : const_cast<Node&>(n).descendants(true))
        for (const auto& c : d->components())
            if (c->className() == type) return c.get();
    return nullptr;
}

/// Text of a Data of the only component of a class: its link, if it has one, else its value.
std::string get(const std::shared_ptr<Node>& n, const std::string& type, const std::string& data)
{
    const Component* c = find(*n, type);
    if (!c) return "no " + type;
    const BaseData* d = c->findData(data);
    return d ? d->linkPath().empty() ? d->text() : d->linkPath() : "no " + data;
}

const std::string mesh = "*volumetricMeshFilename\nm.veg\n";
std::string invertible(const std::string& material)
{
    return "*deformableObjectMethod\nInvertibleFEM\n*invertibleMaterial\n" + material + "\n";
}

}  // namespace

TEST_CASE("A configuration of Vega: mesh, masses, fixed vertices")
{
    const Files f;
    const auto root = f.load(mesh + "*fixedVerticesFilename\nf.bou\n*substepsPerTimeStep\n4\n");
    CHECK(root->d_dt.value() == 0.005);
    CHECK(root->d_gravity.value() == Vec3());
    CHECK(get(root, "MeshVegLoader", "filename") == "m.veg");
    CHECK(get(root, "MechanicalObject", "position") == "@loader.position");
    CHECK(get(root, "MeshMatrixMass", "massDensity") == "@loader.density");
    CHECK(get(root, "FixedProjectiveConstraint", "indices") == "0 1");
    CHECK(find(*root, "SparseLDLSolver"));
    CHECK(find(*root, "TetrahedronSetTopologyContainer"));
    CHECK_FALSE(find(*root, "OglModel"));
    CHECK_FALSE(find(*root, "ForceSequence"));
    // Elements have the places of their keys.
    const Component* loader = find(*root, "MeshVegLoader");
    CHECK(loader->location.line == 2);
    CHECK(*loader->location.file == f.path());
}

TEST_CASE("A configuration of Vega: gravity follows its key")
{
    const Files f;
    CHECK(f.load(mesh + "*addGravity\n1\n*g\n3.5\n")->d_gravity.value() == Vec3{0., -3.5, 0.});
    CHECK(f.messages.has(Severity::Info, "Vega 4.0 reads this key but applies no"));
    CHECK(f.load(mesh + "*addGravity\n0\n*g\n3.5\n")->d_gravity.value() == Vec3());
    CHECK(f.load("*massSpringSystemCubicMeshConfigFilename\nc.massspring\n")->d_gravity.value()[1] == -9.81);
}

TEST_CASE("A configuration of Vega: finite elements")
{
    const Files f;
    SECTION("StVK is the default")
    {
        const auto root = f.load(mesh);
        CHECK(get(root, "StVKFEMForceField", "youngModulus") == "@loader.youngModulus");
        CHECK(get(root, "StVKFEMForceField", "poissonRatio") == "@loader.poissonRatio");
    }
    SECTION("corotational")
    {
        const std::string type = "CorotationalLinearFEMForceField", method = mesh + "*deformableObjectMethod\nCLFEM\n";
        CHECK(get(f.load(method), type, "warp") == "1");
        CHECK(get(f.load(method + "*corotationalLinearFEM_warp\n2\n"), type, "warp") == "2");
        CHECK(get(f.load(mesh + "*deformableObjectMethod\nLinearFEM\n"), type, "warp") == "0");
    }
    SECTION("orthotropic")
    {
        const std::string type = "CorotationalLinearFEMForceField",
                          method = "*volumetricMeshFilename\nwood.veg\n*deformableObjectMethod\nCLFEM\n";
        auto root = f.load(method);
        for (const char* name : {"orthotropicModuli", "orthotropicRatios", "orthotropicShearModuli", "orthotropicAxes"})
            CHECK(get(root, type, name) == "@loader." + std::string(name));
        CHECK(get(root, type, "youngModulus") == "1e+06");  // not used
        CHECK(find(*root, "SparseLDLSolver"));
        root = f.load(method + "*corotationalLinearFEM_warp\n2\n*frequencyScaling\n2\n");
        CHECK(get(root, type, "orthotropicModuli") == "4 8 12 10 10 10");
        CHECK(get(root, type, "orthotropicShearModuli") == "16 20 24 4 4 4");
        CHECK(find(*root, "EigenSparseLU"));  // the tangent is not symmetric
        CHECK_THAT(f.errorOf("*volumetricMeshFilename\nwood.veg\n*deformableObjectMethod\nStVK\n"),
                   Catch::Contains("the material 'a' of the mesh is orthotropic; this method takes isotropic (ENU)"));
    }
    SECTION("invertible")
    {
        const std::string type = "InvertibleFEMForceField";
        auto root = f.load(mesh + invertible("neoHookean") + "*inversionThreshold\n0.15\n");
        CHECK(get(root, type, "material") == "neoHookean");
        CHECK(get(root, type, "inversionThreshold") == "0.15");
        CHECK(get(root, type, "compressionResistance") == "500");  // on by default
        root = f.load(mesh + invertible("StVK") + "*enableCompressionResistance\n0\n*compressionResistance\n7\n");
        CHECK(get(root, type, "material") == "StVK");
        CHECK(get(root, type, "compressionResistance") == "0");
        CHECK(std::stod(get(root, type, "inversionThreshold")) < -1e300);  // off by default
        root = f.load("*volumetricMeshFilename\nrubber.veg\n" + invertible("MooneyRivlin"));
        CHECK(get(root, type, "mu01") == "@loader.mu01");
        CHECK(get(root, type, "mu10") == "@loader.mu10");
        CHECK(get(root, type, "v1") == "@loader.v1");
    }
    SECTION("frequencies are scaled by the stiffness")
    {
        auto root = f.load(mesh + "*frequencyScaling\n2\n");
        CHECK(get(root, "StVKFEMForceField", "youngModulus") == "4e+05 8e+05");
        CHECK(get(root, "StVKFEMForceField", "poissonRatio") == "@loader.poissonRatio");
        root = f.load("*frequencyScaling\n3\n*volumetricMeshFilename\nrubber.veg\n" + invertible("MooneyRivlin"));
        CHECK(get(root, "InvertibleFEMForceField", "mu01") == "9");
        CHECK(get(root, "InvertibleFEMForceField", "v1") == "27");
    }
    SECTION("materials that do not fit")
    {
        CHECK_THAT(f.errorOf(mesh + invertible("MooneyRivlin")),
                   Catch::Contains("m.config:6: ") && Catch::Contains("the material 'a' of the mesh is isotropic"));
        CHECK_THAT(f.errorOf("*volumetricMeshFilename\nrubber.veg\n"),
                   Catch::Contains("m.config:2: ") && Catch::Contains("is Mooney-Rivlin (MOONEYRIVLIN); this method"));
    }
}

TEST_CASE("A configuration of Vega: time integration")
{
    const Files f;
    const auto with = [&](const std::string& solver, const std::string& more = {}) {
        return f.load(mesh + "*solver\n" + solver + '\n' + more);
    };
    SECTION("Newmark")
    {
        const char* type = "NewmarkImplicitSolver";
        auto root =
            with("implicitNewmark", "*newmarkBeta\n0.3\n*newmarkGamma\n0.6\n*maxIterations\n5\n*epsilon\n0.5\n");
        for (const auto& [name, value] : {std::pair{"rayleighMass", "0.5"},
                                          {"rayleighStiffness", "0.25"},
                                          {"beta", "0.3"},
                                          {"gamma", "0.6"},
                                          {"maxIterations", "5"},
                                          {"epsilon", "0.5"},
                                          {"initialAcceleration", "0"},
                                          {"residualAtFixedPoints", "1"}})
            CHECK(get(root, type, name) == value);
        CHECK(get(f.load(mesh), type, "beta") == "0.25");
        CHECK(get(f.load(mesh + "*addGravity\n1\n"), type, "initialAcceleration") == "1");
    }
    SECTION("backward Euler")
    {
        const auto root = with("implicitBackwardEuler", "*maxIterations\n5\n");
        CHECK(get(root, "EulerImplicitSolver", "rayleighMass") == "0.5");
        CHECK(get(root, "EulerImplicitSolver", "rayleighStiffness") == "0.25");
        CHECK(get(root, "EulerImplicitSolver", "maxIterations") == "5");
    }
    SECTION("central differences")
    {
        const auto root = with("centralDifferences", "*centralDifferencesTangentialDampingUpdateMode\n3\n");
        CHECK(get(root, "CentralDifferenceSolver", "rayleighStiffness") == "0.25");
        CHECK(get(root, "CentralDifferenceSolver", "tangentialDampingMode") == "3");
        CHECK(get(root, "CentralDifferenceSolver", "startVelocity") == "before");
    }
    SECTION("explicit Euler")
    {
        CHECK(get(with("Euler"), "EulerExplicitSolver", "symplectic") == "0");
        CHECK(get(with("symplecticEuler"), "EulerExplicitSolver", "symplectic") == "1");
        CHECK(get(with("Euler"), "EulerExplicitSolver", "rayleighMass") == "0.5");
        CHECK(f.messages.has(Severity::Info, "explicit Euler methods of Vega have no stiffness damping"));
    }
    SECTION("damping by the Laplacian")
    {
        auto root = with("implicitNewmark", "*dampingLaplacianCoef\n0.75\n");
        CHECK(get(root, "DampingMatrixForceField", "laplacian") == "0.75");
        CHECK(get(root, "DampingMatrixForceField", "scaleRows") == "1");
        CHECK(find(*root, "EigenSparseLU"));  // the matrix is not symmetric
        CHECK_FALSE(find(*root, "SparseLDLSolver"));
        CHECK(f.messages.count(Severity::Warning) == 0);
        with("centralDifferences", "*dampingLaplacianCoef\n0.75\n");
        CHECK(f.messages.has(Severity::Warning, "central differences treat this damping explicitly"));
    }
}

TEST_CASE("A configuration of Vega: springs")
{
    const Files f;
    SECTION("tetrahedra, with names from the folder of the springs")
    {
        const auto root = f.load("*massSpringSystemTetMeshConfigFilename\nsub/m.massspring\n*frequencyScaling\n2\n");
        CHECK(get(root, "MeshVegLoader", "filename") == "m.veg");
        CHECK(get(root, "MassSpringForceField", "tensileStiffness") == "120");
        CHECK(get(root, "DiagonalMass", "massDensity") == "2");
        CHECK(get(root, "OglModel", "filename") == "s.obj");
        CHECK(get(root, "SubsetMapping", "last") == "2");
        CHECK(f.messages.has(Severity::Info, "Vega 4.0 reads this key but takes 1"));
    }
    SECTION("cubes")
    {
        const auto root = f.load("*massSpringSystemCubicMeshConfigFilename\nc.massspring\n");
        CHECK(find(*root, "HexahedronSetTopologyContainer"));
    }
    SECTION("quads")
    {
        const auto root = f.load("*massSpringSystemObjConfigFilename\nq.massspring\n");
        CHECK(get(root, "MeshOBJLoader", "filename") == "q.obj");
        CHECK(get(root, "MassSpringForceField", "shearStiffness") == "20");
        CHECK(get(root, "MassSpringForceField", "bendStiffness") == "10");
        CHECK(find(*root, "IdentityMapping"));
    }
    SECTION("a chain, horizontal at first")
    {
        const auto root = f.load("*customMassSpringSystem\nchain,3,50\n");
        CHECK(get(root, "MechanicalObject", "position") == "1 1 0 0.5 1 0 0 1 0");
        CHECK(get(root, "MechanicalObject", "rest_position") == "0 0 0 0 0.5 0 0 1 0");
        CHECK(get(root, "MassSpringForceField", "springs") == "0 1 1 2");
        CHECK(get(root, "MassSpringForceField", "tensileStiffness") == "50");
        CHECK(get(root, "UniformMass", "vertexMass") == "1");
        CHECK(get(root, "FixedProjectiveConstraint", "indices") == "2");
    }
    SECTION("of another kind")
    {
        CHECK_THAT(f.errorOf("*massSpringSystemCubicMeshConfigFilename\nsub/m.massspring\n"),
                   Catch::Contains("m.config:2: ") && Catch::Contains("it has *tetMeshFilename"));
        f.write("c.massspring",
                "*tetMeshFilename\ncubes.veg\n*density\n1\n*tensileStiffness\n1\n*damping\n0\n*addGravity\n0\n");
        CHECK_THAT(f.errorOf("*massSpringSystemTetMeshConfigFilename\nc.massspring\n"),
                   Catch::Contains("c.massspring:2: ") && Catch::Contains("has cubes, not tetrahedra"));
    }
}

TEST_CASE("A configuration of Vega: initial state, loads and results")
{
    const Files f;
    const auto matrix = [&](const char* name, int columns) {
        io::VegaMatrix m;
        m.rows = 15;
        m.columns = columns;
        for (int i = 0; i < 15 * columns; ++i) m.values.push_back(i);
        io::writeVegaMatrix(f.folder.path() / name, m);
    };
    matrix("x.bin", 1);
    matrix("loads.bin", 3);
    const auto root =
        f.load(mesh +
               "*fixedVerticesFilename\nf.bou\n*initialPositionFilename\nx.bin\n*initialVelocityFilename\n"
               "x.bin\n*forceLoadsFilename\nloads.bin\n*outputFilename\nout\n*substepsPerTimeStep\n2\n");
    // Fixed vertices start at rest.
    CHECK(get(root, "MechanicalObject", "position") == "0 0 0 1 0 0 6 8 8 9 10 12 13 14 15");
    CHECK(get(root, "MechanicalObject", "rest_position") == "@loader.position");
    CHECK(get(root, "MechanicalObject", "velocity") == "0 0 0 0 0 0 6 7 8 9 10 11 12 13 14");
    CHECK(get(root, "NewmarkImplicitSolver", "initialAcceleration") == "1");
    CHECK(get(root, "MeshMatrixMass", "computeMassOnRest") == "1");
    CHECK(get(root, "ForceSequence", "filename") == "loads.bin");
    CHECK(get(root, "ForceSequence", "period") == "0.02");
    CHECK(get(root, "VegaStateExporter", "filename") == "out");
    CHECK(get(root, "VegaStateExporter", "forces") == "@loads.forces");
    CHECK_THAT(
        f.errorOf(mesh + "*initialVelocityFilename\nloads.bin\n"),
        Catch::Contains("m.config:4: ") && Catch::Contains("15 rows and 3 columns; 5 points need 15 rows and 1"));
}

TEST_CASE("A configuration of Vega: what is drawn")
{
    const Files f;
    f.write("l.lighting",
            "*lightEnabled_1\n1\n*position_1_X\n2\n*position_1_DIR\n0\n*lightIntensity_1\n0.5\n"
            "*globalAmbientIntensity\n0.25\n");
    const std::string surfaces =
        mesh +
        "*renderingMeshFilename\ns.obj\n*secondaryRenderingMeshFilename\nq.obj\n"
        "*secondaryRenderingMeshInterpolationFilename\nq.interp\n*renderSecondaryDeformableObject\n0\n"
        "*extraSceneGeometry\ns.obj\n";
    SECTION("surfaces")
    {
        const auto root = f.load(surfaces);
        const auto body = root->child("body");
        REQUIRE(body);
        CHECK(get(root, "SubsetMapping", "last") == "2");
        REQUIRE(body->child("embedded"));
        CHECK(find(*body->child("embedded"), "BarycentricMapping"));
        CHECK(get(root, "BarycentricMapping", "interpolation") == "q.interp");
        CHECK(get(root, "BarycentricMapping", "useRestPosition") == "0");
        CHECK(find(*body->child("embedded"), "OglModel")->findData("enable")->text() == "0");
        REQUIRE(root->child("extraSceneGeometry"));
        CHECK(root->child("extraSceneGeometry")->components().size() == 1);
        CHECK(f.messages.has(Severity::Info, "without effect in this scene: deformableObjectCompliance (line"));
        CHECK(f.messages.count(Severity::Warning) == 0);
    }
    SECTION("camera, background, window")
    {
        const auto root = f.load(mesh +
                                 "*backgroundColor\n255 51 0\n*cameraRadius\n2\n*cameraLongitude\n90\n"
                                 "*cameraLattitude\n0\n*focusPositionY\n3\n*windowWidth\n640\n");
        CHECK(get(root, "BackgroundSetting", "color") == "1 0.2 0 1");
        CHECK(get(root, "InteractiveCamera", "lookAt") == "0 3 0");
        const auto* position = dynamic_cast<const Data<Vec3>*>(find(*root, "InteractiveCamera")->findData("position"));
        REQUIRE(position);
        CHECK(norm(position->value() - Vec3{0., 3., -2.}) < 1e-15);
        CHECK(get(root, "ViewerSetting", "resolution") == "640 600");
    }
    SECTION("lights")
    {
        f.load(mesh);
        f.write("m.config", "*lightingConfigFilename\nl.lighting\n" + mesh +
                                "*timestep\n0.02\n*dampingMassCoef\n0\n*dampingStiffnessCoef\n0\n"
                                "*deformableObjectCompliance\n1\n*frequencyScaling\n1\n");
        const auto root = loadVegaScene(f.path());
        CHECK(get(root, "LightManager", "ambient") == "0.25 0.25 0.25 1");
        CHECK(get(root, "DirectionalLight", "direction") == "2 0 0");
        CHECK(get(root, "DirectionalLight", "color") == "0.5 0.5 0.5 1");
        CHECK_FALSE(find(*root, "PositionalLight"));
    }
    SECTION("what cannot be drawn is left out")
    {
        const auto root = f.load(mesh + "*renderingMeshFilename\nnone.obj\n");
        CHECK_FALSE(find(*root, "OglModel"));
        CHECK(f.messages.has(Severity::Warning, "nothing is drawn"));
        f.write("s.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 2 2 2\nv 3 3 3\nf 1 2 6\n");
        CHECK_THAT(f.errorOf(mesh + "*renderingMeshFilename\ns.obj\n"),
                   Catch::Contains("m.config:4: ") && Catch::Contains("has 6 points and the mesh only 5"));
    }
}

TEST_CASE("A configuration of Vega that cannot be run says why and where")
{
    const Files f;
    CHECK_THAT(f.errorOf("*volumetricMeshFilename\nnone.veg\n"),
               Catch::Contains("m.config:2: *volumetricMeshFilename: there is no file"));
    CHECK_THAT(f.errorOf("*massSpringSystemTetMeshConfigFilename\nnone.massspring\n"),
               Catch::Contains("m.config:2: ") && Catch::Contains("there is no file"));
    CHECK_THAT(f.errorOf(mesh + "*fixedVerticesFilename\nnone.bou\n"), Catch::Contains("m.config:4: "));
    CHECK_THAT(f.errorOf(""), Catch::Contains("says nothing to simulate"));
    f.write("f.bou", "6\n");
    CHECK_THAT(f.errorOf(mesh + "*fixedVerticesFilename\nf.bou\n"), Catch::Contains("f.bou:1: "));
    f.load(mesh + "*colour\n3\n");
    CHECK(f.messages.has(Severity::Warning, "m.config:3: the key 'colour' is not known"));
}

TEST_CASE("Configurations of Vega are known by their name")
{
    CHECK(isVegaConfigName("a/b.config"));
    CHECK(isVegaConfigName("B.CONFIG"));
    CHECK_FALSE(isVegaConfigName("config"));
    CHECK_FALSE(isVegaConfigName("b.config.scn"));
}

TEST_CASE("A configuration of Vega's cloth simulator")
{
    const Files f;
    f.write("square.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n");
    const auto load = [&](const std::string& more) {
        f.write("m.config",
                "*objMeshname\nsquare.obj\n*fixedVerticesFilename\nf.bou\n*lightingFilename\n__none\n" + more);
        return loadVegaScene(f.path());
    };
    auto root = load(
        "*timeStep\n0.01\n*surfaceDensity\n2\n*tensileStiffness\n85\n*shearStiffness\n7\n*bendStiffnessU\n3\n"
        "*bendStiffnessV\n4\n*useRestAngles\n0\n*dampingMass\n0.5\n*dampingStiffness\n0.25\n*gravityForce\n5\n"
        "*wind_y\n6\n");
    CHECK(root->d_dt.value() == 0.01);
    CHECK(root->d_gravity.value() == Vec3{0., -5., 0.});
    for (const auto& [name, value] : {std::pair{"tensileStiffness", "85"},
                                      {"shearStiffness", "7"},
                                      {"bendStiffnessU", "3"},
                                      {"bendStiffnessV", "4"},
                                      {"useRestAngles", "0"},
                                      {"bending", "constantEdges"}})
        CHECK(get(root, "BaraffWitkinForceField", name) == value);
    CHECK(get(root, "EulerImplicitSolver", "rayleighMass") == "0.5");
    CHECK(get(root, "EulerImplicitSolver", "rayleighStiffness") == "0.25");
    CHECK(get(root, "DiagonalMass", "massDensity") == "2");
    CHECK(get(root, "FixedProjectiveConstraint", "indices") == "0 1");
    CHECK(get(root, "ConstantForceField", "forces").substr(0, 5) == "0 6 0");
    root = load("*addGravity\n0\n*computeBendForce\n0\n*mouseForceCoeff\n1\n");
    CHECK(root->d_gravity.value() == Vec3());
    CHECK(get(root, "BaraffWitkinForceField", "bendStiffnessU") == "0");
    CHECK(get(root, "BaraffWitkinForceField", "tensileStiffness") == "6500");
    CHECK_FALSE(find(*root, "ConstantForceField"));
    INFO(f.messages.text());
    CHECK(f.messages.has(Severity::Info, "without effect in this scene: mouseForceCoeff (line 12)"));
    CHECK_THROWS_WITH(load("*objMeshname\nabsent.obj\n"), Catch::Contains("there is no file"));
}

}  // namespace vega_scene_test
