// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VegaConfig.h"

#include <catch2/catch.hpp>

#include "core/io/ConfigReader.h"
#include "tests/core/io/MeshTestUtilities.h"
#include "tests/harness/Skip.h"

namespace vega_config_test {

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

namespace {

const std::string mandatory =
    "*timestep\n0.01\n*dampingMassCoef\n1\n*dampingStiffnessCoef\n0.5\n*deformableObjectCompliance\n2\n"
    "*frequencyScaling\n3\n*lightingConfigFilename\na b.lighting\n";

VegaConfig parse(const std::string& text) { return parseVegaConfig(source("folder/m.config", text)); }
std::string error(const std::string& text)
{
    return errorOf([&] { parse(text); });
}

}  // namespace

TEST_CASE("Configuration files: comments, case, the last value, the end", "[io]")
{
    bool flag = false, other = true;
    int integer = 7;
    double real = 1.5;
    std::string text = "x";
    Vec3 vector, bracket;
    std::vector<std::string> list, empty{"kept"};
    ConfigReader r;
    r.optional("flag", &flag);
    r.optional("other", &other);
    r.optional("integer", &integer);
    r.required("real", &real);
    r.optional("text", &text);
    r.optional("vector", &vector);
    r.optional("bracket", &bracket);
    r.optional("list", &list);
    r.optional("empty", &empty);
    r.optional("absent", &integer);
    std::vector<std::string> notes;
    r.parse(source("c",
                   "# c\r\n*FLAG\r\n  true  \r\n*other\n0\n*integer\n1\n# 2\n3.0\n*unknown\n4\n5\n*Real\n0.1\n*real\n"
                   "0.25 metres\n*text\n two  words # no comment\n*vector\n1, 2 3\n*bracket\n[ 4, 5, 6 ]\n*list\n"
                   "a\nb c\n*empty\n*realm\n1\n**EOF\n*real\nnothing\n"),
            notes);
    CHECK(flag);
    CHECK_FALSE(other);
    CHECK(integer == 3);
    CHECK(real == 0.25);
    CHECK(text == "two  words # no comment");
    CHECK(vector == Vec3{1, 2, 3});
    CHECK(bracket == Vec3{4, 5, 6});
    CHECK(list == std::vector<std::string>{"a", "b c"});
    CHECK(empty == std::vector<std::string>{"kept"});
    CHECK(r.isSet("Real"));
    CHECK_FALSE(r.isSet("absent"));
    CHECK(r.place("real") == "c:16");
    REQUIRE(notes.size() == 2);
    CHECK(notes[0] == "c:10: the key 'unknown' is not known and passed over");
    CHECK(notes[1] == "c:27: the key 'realm' is not known and passed over (did you mean 'real'?)");
    CHECK_THROWS_AS(r.optional("Flag", &flag), std::logic_error);
}

TEST_CASE("Configuration files: errors with file and line", "[io][input]")
{
    const auto fails = [](const std::string& s) {
        bool flag = false;
        int integer = 0;
        double real = 0.;
        Vec3 vector;
        ConfigReader r;
        r.required("real", &real);
        r.optional("flag", &flag);
        r.optional("integer", &integer);
        r.optional("vector", &vector);
        std::vector<std::string> notes;
        return errorOf([&] { r.parse(source("c", s), notes); });
    };
    CHECK(fails("*real\n1\n") == "no error");
    CHECK(fails("*flag\n1\n") == "c:2: expected the key *real, found the end of the file without it");
    CHECK(fails("") == "c:1: expected the key *real, found the end of the file without it");
    CHECK(fails("1\n*real\n") == "c:1: expected a key such as *real, found '1'");
    CHECK(fails("*real\n# 1\n*flag\n1\n") == "c:3: expected the value of *real, found '*flag'");
    CHECK(fails("*real\n") == "c:1: expected the value of *real, found the end of the file");
    CHECK(fails("*real\n**EOF\n1\n") == "c:2: expected the value of *real, found the end of the file");
    CHECK(fails("*\n") == "c:1: expected the name of a key after '*', found the end of the line");
    CHECK(fails("*real\nnan\n") == "c:2: expected *real (a finite number), found 'nan'");
    CHECK(fails("*real\nx1\n") == "c:2: expected *real (a finite number), found 'x1'");
    CHECK(fails("*integer\n1.5\n") == "c:2: expected *integer (an integer), found '1.5'");
    CHECK(fails("*integer\n3000000000\n") == "c:2: expected *integer (an integer), found '3000000000'");
    CHECK(fails("*flag\nyes\n") == "c:2: expected *flag (true, false or an integer), found 'yes'");
    CHECK(fails("*vector\n1 2\n") == "c:2: expected *vector (three numbers), found the end of the line");
    CHECK(fails("*vector\n(1 2 3\n") == "c:2: expected *vector with a closing bracket, found '(1 2 3'");
}

TEST_CASE("Configuration of the interactive simulator: defaults", "[io]")
{
    const VegaConfig c = parse(mandatory);
    CHECK(c.notes.empty());
    CHECK(c.model == VegaModel::None);
    CHECK(c.solver == VegaSolver::ImplicitNewmark);
    CHECK(c.timestep == 0.01);
    CHECK(c.dampingMassCoef == 1.);
    CHECK(c.dampingStiffnessCoef == 0.5);
    CHECK(c.deformableObjectCompliance == 2.);
    CHECK(c.frequencyScaling == 3.);
    CHECK(c.resolve(c.lightingConfigFilename) == std::filesystem::path("folder/a b.lighting"));
    CHECK(c.resolve(c.fixedVerticesFilename).empty());
    CHECK(c.enableCompressionResistance);
    CHECK(c.compressionResistance == 500.);
    CHECK(c.inversionThreshold < -1e308);
    CHECK(c.syncTimestepWithGraphics);
    CHECK(c.newmarkBeta == 0.25);
    CHECK(c.epsilon == 1e-6);
    CHECK(c.backgroundColor == Vec3{255, 255, 255});
}

TEST_CASE("Configuration of the interactive simulator: models and solvers", "[io]")
{
    const std::string mesh = mandatory + "*volumetricMeshFilename\n../m.veg\n";
    CHECK(parse(mesh).model == VegaModel::StVK);
    CHECK(parse(mesh + "*deformableObjectMethod\nCLFEM\n").model == VegaModel::CorotationalLinear);
    CHECK(parse(mesh + "*deformableObjectMethod\nLinearFEM\n").model == VegaModel::Linear);
    const VegaConfig inv = parse(mesh + "*deformableObjectMethod\nInvertibleFEM\n*invertibleMaterial\nneoHookean\n");
    CHECK(inv.model == VegaModel::Invertible);
    CHECK(inv.invertibleMaterial == VegaInvertibleMaterial::NeoHookean);
    CHECK(inv.resolve(inv.volumetricMeshFilename) == std::filesystem::path("folder/../m.veg"));
    const VegaConfig springs = parse(mesh +
                                     "*massSpringSystemCubicMeshConfigFilename\nc\n"
                                     "*massSpringSystemTetMeshConfigFilename\nt\n*customMassSpringSystem\n"
                                     "chain,9,8\n");
    CHECK(springs.model == VegaModel::MassSpringTetrahedra);
    CHECK(springs.massSpringFile == "t");
    const VegaConfig chain = parse(mandatory + "*customMassSpringSystem\nchain,10,2.5\n");
    CHECK(chain.model == VegaModel::MassSpringChain);
    CHECK(chain.chainParticles == 10);
    CHECK(chain.chainStiffness == 2.5);
    CHECK(parse(mandatory + "*volumetricMeshFilename\n__none\n").model == VegaModel::None);
    CHECK(parse(mandatory + "*solver\nSymplecticEuler\n").solver == VegaSolver::SymplecticEuler);
    CHECK(parse(mandatory + "*solver\ncentralDifferences\n").solver == VegaSolver::CentralDifferences);
    const VegaConfig old = parse(mandatory + "*implicitSolverMethod\nimplicitBackwardEuler\n*YoungModulus\n1\n");
    CHECK(old.solver == VegaSolver::ImplicitNewmark);
    REQUIRE(old.notes.size() == 2);
    CHECK(old.notes[0] == "folder/m.config:15: the key 'YoungModulus' is not known and passed over");
    CHECK(old.notes[1].find("folder/m.config:14: the key implicitSolverMethod is obsolete") == 0);
    CHECK(parse(mandatory + "*backgroundColor\n10 20 30\n").backgroundColor == Vec3{10, 20, 30});
}

TEST_CASE("Configuration of the interactive simulator: errors", "[io][input]")
{
    const std::string mesh = mandatory + "*volumetricMeshFilename\nm.veg\n";
    CHECK(error("*timestep\n1\n") ==
          "folder/m.config:2: expected the key *dampingMassCoef, found the end of the file without it");
    CHECK(error(mandatory + "*timestep\n0\n") == "folder/m.config:14: expected *timestep above 0, found '0'");
    CHECK(error(mandatory + "*substepsPerTimeStep\n0\n").find(":14: expected *substepsPerTimeStep above 0") !=
          std::string::npos);
    CHECK(error(mandatory + "*solver\nNewmark\n")
              .find("folder/m.config:14: expected *solver to be one of implicitNewmark, "
                    "implicitBackwardEuler") == 0);
    CHECK(error(mandatory + "*deformableObjectMethod\nCLFEN\n").find("found 'CLFEN' (did you mean 'CLFEM'?)") !=
          std::string::npos);
    CHECK(error(mesh + "*deformableObjectMethod\nInvertibleFEM\n").find("found no *invertibleMaterial") !=
          std::string::npos);
    CHECK(error(mandatory + "*corotationalLinearFEM_warp\n3\n")
              .find(":14: expected *corotationalLinearFEM_warp 0, 1 or "
                    "2") != std::string::npos);
    CHECK(error(mandatory + "*customMassSpringSystem\nchain,x,1\n").find("expected chain,<number") !=
          std::string::npos);
    CHECK(error(mandatory + "*customMassSpringSystem\nrope,3,1\n").find("expected chain,<number") != std::string::npos);
    CHECK(error(mandatory + "*backgroundColor\n256 0 0\n").find("red, green and blue from 0 to 255") !=
          std::string::npos);
    CHECK(error(mandatory + "*secondaryRenderingMeshFilename\na.obj\n")
              .find("expected a *secondaryRenderingMeshInterpolationFilename") != std::string::npos);
    // Cut anywhere, it is read or refused.
    for (std::size_t i = 0; i < mesh.size(); ++i) error(mesh.substr(0, i));
}

TEST_CASE("Mass-spring files", "[io][input]")
{
    const auto read = [](const std::string& s) { return parseVegaMassSpring(source("d/m.massspring", s)); };
    const std::string rest = "*tensileStiffness\n5000\n*damping\n0.01\n*addGravity\n0.0\n";
    const VegaMassSpring t = read("*tetMeshFilename\nm.veg\n*density\n2\n" + rest);
    CHECK(t.kind == VegaMassSpring::Kind::Tetrahedra);
    CHECK(t.resolve(t.meshFilename) == std::filesystem::path("d/m.veg"));
    CHECK(t.density == 2.);
    CHECK(t.tensileStiffness == 5000.);
    CHECK(t.damping == 0.01);
    CHECK_FALSE(t.addGravity);
    CHECK(t.surfaceMeshFilename.empty());
    const VegaMassSpring q = read(
        "*massSpringMeshFilename\nq.obj\n*surfaceDensity\n3\n*shearStiffness\n4\n"
        "*bendStiffness\n5\n*density\n9\n" +
        rest);
    CHECK(q.kind == VegaMassSpring::Kind::Quads);
    CHECK(q.density == 3.);
    CHECK(q.shearStiffness == 4.);
    CHECK(q.bendStiffness == 5.);
    REQUIRE(q.notes.size() == 1);
    CHECK(q.notes[0] == "d/m.massspring:10: the key density has no effect on this kind of mesh");
    CHECK(read("*cubicMeshFilename\nm.veg\n*density\n2\n" + rest).kind == VegaMassSpring::Kind::Cubes);
    const auto fails = [&](const std::string& s) { return errorOf([&] { read(s); }); };
    CHECK(fails(rest) ==
          "d/m.massspring:6: expected the key *tetMeshFilename, *cubicMeshFilename or "
          "*massSpringMeshFilename, found no *tetMeshFilename");
    CHECK(fails("*tetMeshFilename\nm.veg\n" + rest) ==
          "d/m.massspring:8: expected the key *density, found no *density");
    CHECK(fails("*tetMeshFilename\na\n*cubicMeshFilename\nb\n*density\n2\n" + rest)
              .find("m.massspring:4: expected one of") != std::string::npos);
    CHECK(fails("*tetMeshFilename\na\n*density\n-1\n" + rest) ==
          "d/m.massspring:4: expected *density not below 0, found '-1'");
}

TEST_CASE("Cloth and light files", "[io]")
{
    const std::string cloth = "*objMeshname\na.obj\n*fixedVerticesFilename\nb.bou\n*lightingFilename\nc\n";
    CHECK(isVegaClothConfig(source("c", cloth)));
    CHECK_FALSE(isVegaClothConfig(source("c", mandatory)));
    const VegaClothConfig c = parseVegaClothConfig(source("c", cloth + "*bendStiffnessV\n3\n*wind_y\n4\n"));
    CHECK(c.objMeshname == "a.obj");
    CHECK(c.timeStep == 0.02);
    CHECK(c.bendStiffnessU == 0.0002);
    CHECK(c.bendStiffnessV == 3.);
    CHECK(c.wind == Vec3{0, 4, 0});
    const VegaLighting l =
        parseVegaLighting(source("l",
                                 "*twoSidedLighting\ntrue\n*lightEnabled_3\ntrue\n*position_3_Z\n-10\n"
                                 "*position_3_DIR\n0\n*lightIntensity_3\n0.8\n"));
    CHECK(l.twoSidedLighting);
    CHECK(l.lights[3].enabled);
    CHECK(l.lights[3].position == Vec4{0, 0, -10, 0});
    CHECK(l.lights[3].intensity == 0.8);
    CHECK_FALSE(l.lights[2].enabled);
    CHECK(l.notes.empty());
}

TEST_CASE("Vega's own configuration files are read", "[io][oracle]")
{
    const auto oracle = oracleDirectory();
    if (!oracle || !std::filesystem::exists(*oracle / "vega" / "examples")) return skip("no reference data");
    std::size_t simulators = 0, cloths = 0, springs = 0, lights = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*oracle / "vega")) {
        const auto& path = entry.path();
        CAPTURE(path.string());
        const auto exists = [](const VegaFile& f, const std::string& name) {
            INFO(name);
            CHECK((name.empty() || std::filesystem::exists(f.resolve(name))));
        };
        if (path.extension() == ".config" && isVegaClothConfig(loadSource(path))) {
            const VegaClothConfig c = readVegaClothConfig(path);
            ++cloths;
            exists(c, c.objMeshname);
            exists(c, c.fixedVerticesFilename);
        } else if (path.extension() == ".config") {
            const VegaConfig c = readVegaConfig(path);
            ++simulators;
            CHECK(c.model != VegaModel::None);
            exists(c, c.volumetricMeshFilename);
            exists(c, c.fixedVerticesFilename);
            exists(c, c.massSpringFile);
            exists(c, c.secondaryRenderingMeshInterpolationFilename);
            for (const std::string& n : c.notes)
                CHECK((n.find("YoungModulus") != std::string::npos || n.find("PoissonRatio") != std::string::npos));
        } else if (path.extension() == ".massspring") {
            const VegaMassSpring m = readVegaMassSpring(path);
            ++springs;
            exists(m, m.meshFilename);
            CHECK(m.notes.empty());
        } else if (path.extension() == ".lighting") {
            const VegaLighting l = readVegaLighting(path);
            ++lights;
            CHECK(l.notes.empty());
        }
    }
    CHECK(simulators >= 11);
    CHECK(cloths >= 3);
    CHECK(springs >= 5);
    CHECK(lights >= 5);
}

}  // namespace vega_config_test
