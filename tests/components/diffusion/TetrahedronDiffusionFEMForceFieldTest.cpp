// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/behavior/ForceField.h"
#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/SceneText.h"

namespace tetrahedron_diffusion_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Scene : SceneText
{
    explicit Scene(const std::string& body, const std::string& dt = "0.01") : SceneText(body, dt, "0 0 0") {}
    Node& heat() { return *root->child("heat"); }
    const Vector<Vec<1>>& values() { return heat().get<State<Vec1Types>>(Search::Local)->positions(); }
};

const std::string mesh =
    "<MeshTopology name='mesh' position='0 0 0  1 0.2 0  0.3 1.1 0  0 0.2 1.3  1.2 1 1' tetrahedra='0 1 2 3  1 4 2 "
    "3'/>";

std::string diffusion(const std::string& attributes, const std::string& type = "Vec1",
                      const std::string& positions = "1 -2 0.5 3 4")
{
    return mesh + "<Node name='heat'><MechanicalObject template='" + type + "' position='" + positions +
           "'/><TetrahedronDiffusionFEMForceField template='" + type + "' topology='@../mesh' " + attributes +
           "/></Node>";
}

/// A bar of cells, its temperature, and what is at its ends.
std::string bar(int cells, const std::string& in, const std::string& solvers)
{
    const std::string n = std::to_string(cells + 1);
    return "<RegularGridTopology name='grid' n='" + n +
           " 2 2' min='0 0 0' max='1 0.1 0.1'/>"
           "<Node name='tetrahedra'><TetrahedronSetTopologyContainer name='mesh'/><TetrahedronSetTopologyModifier/>"
           "<Hexa2TetraTopologicalMapping input='@../grid' output='@mesh'/><MechanicalObject name='shape' "
           "position='@../grid.position' tags='meca'/><Node name='heat'>" +
           solvers + "<MechanicalObject template='Vec1' name='u' position='" + in +
           "'/><MeshMatrixMass template='Vec1,Vec3' massDensity='2' topology='@../mesh' geometryState='@../shape'/>"
           "<TetrahedronDiffusionFEMForceField constantDiffusionCoefficient='3' topology='@../mesh'/></Node></Node>";
}

}  // namespace

HARNESS_FORCE_FIELD("TetrahedronDiffusionFEMForceField")
{
    const std::string along = " anisotropyRatio='4' transverseAnisotropyArray='1 1 0  0 3 1'";
    const auto check = [](const std::string& scene) {
        Scene s(scene);
        REQUIRE(s.good);
        checkForceField(*s.heat().get<BaseForceField>(Search::Local), {.internal = true});
    };
    SECTION("one number") { check(diffusion("constantDiffusionCoefficient='3'")); }
    SECTION("along a direction") { check(diffusion("tetraDiffusionCoefficient='0.5 2'" + along)); }
    SECTION("two numbers") { check(diffusion("", "Vec2", "1 0 -2 0 0.5 1 3 0 4 2")); }
    SECTION("three numbers") { check(diffusion(along, "Vec3", "1 0 0 -2 0 1 0.5 1 0 3 0 0 4 2 1")); }
}

TEST_CASE("A linear field has the flow of its gradient", "[diffusion]")
{
    // ½ ∫ ∇u · D ∇u for u = g · x is exact: with the volume V, ½ V d (|g|² + (r − 1)(n · g)²).
    const Vec3 g(2, -1, 0.5);
    const Vec3 x[] = {{0, 0, 0}, {1, 0.2, 0}, {0.3, 1.1, 0}, {0, 0.2, 1.3}, {1.2, 1, 1}};
    std::string values;
    for (const Vec3& p : x) values += std::to_string(dot(g, p)) + " ";
    const double first = std::abs(dot(x[1], cross(x[2], x[3]))) / 6.;
    const double second = std::abs(dot(x[4] - x[1], cross(x[2] - x[1], x[3] - x[1]))) / 6.;
    const auto energy = [&](const std::string& attributes) {
        Scene s(diffusion(attributes, "Vec1", values));
        REQUIRE(s.good);
        return s.heat().get<BaseForceField>(Search::Local)->potentialEnergy({});
    };
    CHECK(std::abs(energy("tetraDiffusionCoefficient='3 5'") - 0.5 * (3. * first + 5. * second) * norm2(g)) < 1e-5);
    const Vec3 n = Vec3(1, 2, 2) / 3.;
    CHECK(std::abs(energy("anisotropyRatio='4' transverseAnisotropyArray='1 2 2  2 4 4'") -
                   0.5 * (first + second) * (norm2(g) + 3. * dot(n, g) * dot(n, g))) < 1e-5);
}

TEST_CASE("Heat goes down as the heat equation says", "[diffusion]")
{
    // A bar that is isolated: the first mode cos(π x) decays with exp(−π² d t / ρ).
    const double time = 0.1, expected = 9.869604401 * 3. / 2.;
    const auto rate = [&](int cells, int steps) {
        std::ostringstream values, dt;
        values.precision(17);
        dt.precision(17);
        for (int z = 0; z < 4; ++z)
            for (int i = 0; i <= cells; ++i) values << std::cos(3.141592653589793 * i / cells) << ' ';
        dt << time / steps;
        Scene s(bar(cells, values.str(), "<EulerImplicitSolver firstOrder='1'/><EigenSimplicialLDLT/>"), dt.str());
        REQUIRE(s.good);
        // In the second half of the time other modes, which the mesh has brought in, are gone.
        const auto& u = *s.root->child("tetrahedra")->child("heat")->get<State<Vec1Types>>(Search::Local);
        for (int i = 0; i < steps / 2; ++i) s.simulation->step();
        const double middle = u.positions()[0][0];
        for (int i = 0; i < steps / 2; ++i) s.simulation->step();
        return std::log(middle / u.positions()[0][0]) / (0.5 * time);
    };
    // Implicit Euler is of first order; what is left without its error is of the mesh, of second order.
    const double coarse = rate(20, 100), fine = rate(20, 200), finest = rate(20, 400);
    CHECK(std::abs((coarse - fine) / (fine - finest) - 2.) < 0.05);
    const double ofMesh = 2. * finest - fine - expected, ofCoarseMesh = 2. * rate(10, 400) - rate(10, 200) - expected;
    CHECK(std::abs(ofMesh) < 0.01 * expected);
    CHECK(std::abs(ofCoarseMesh / ofMesh - 4.) < 0.5);
}

TEST_CASE("What diffusion lacks is an error that says so", "[diffusion]")
{
    const auto said = [](const std::string& scene) {
        MessageCapture log;
        CHECK_FALSE(Scene(scene).good);
        return log.text();
    };
    CHECK_THAT(said(diffusion("tetraDiffusionCoefficient='1'")),
               Catch::Contains("tetraDiffusionCoefficient has 1 values; expected 2"));
    CHECK_THAT(said(diffusion("anisotropyRatio='2'")), Catch::Contains("transverseAnisotropyArray has 0 directions"));
    CHECK_THAT(said(diffusion("", "Vec1", "1 2 3")), Catch::Contains("has 3 points"));
    CHECK_THAT(
        said("<MeshTopology name='mesh' tetrahedra='0 1 2 3'/><Node name='heat'><MechanicalObject "
             "template='Vec1' position='0 0 0 0'/><TetrahedronDiffusionFEMForceField topology='@../mesh'/></Node>"),
        Catch::Contains("no state with the tag 'meca'"));
}

}  // namespace tetrahedron_diffusion_test
