// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/ElementResults.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "core/behavior/State.h"
#include "core/fem/materials/LinearElasticity.h"
#include "core/math/Quat.h"
#include "core/objectmodel/DataNumbers.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace element_results_test {

using namespace sofa::core;

// What force fields tell of their elements: stress, strain and energy.

namespace {

constexpr double young = 3000., ratio = 0.3;

struct Body
{
    Body(const std::string& mesh, const std::string& law)
        : sim(loadSceneText("<Node name='root' gravity='0 0 0' dt='0.01'><EulerImplicitSolver/><CGLinearSolver/>" +
                                mesh + "<UniformMass totalMass='1'/>" + law + "</Node>",
                            "results.scn"))
    {
        INFO(law);
        REQUIRE(sim.init());
        fem = sim.root().component("fem");
        state = sim.root().get<State<Vec3Types>>(Search::Local);
        REQUIRE(fem);
    }
    NumberList tells(const std::string& name)
    {
        BaseData* d = fem->findReadable(name);
        REQUIRE(d);
        NumberList out;
        REQUIRE(numbersOf(*d, out));
        return out;
    }
    template <class F>
    void place(F&& f)
    {
        auto x = state->write(vec_id::position);
        for (Vec3& p : *x) p = f(p);
    }

    Simulation sim;
    Component* fem;
    State<Vec3Types>* state;
};

const std::string tetrahedra =
    "<MeshGmshLoader name='loader' filename='mesh/cube.msh'/>"
    "<TetrahedronSetTopologyContainer src='@loader'/><MechanicalObject src='@loader'/>";
const std::string hexahedra = "<RegularGridTopology n='4 3 3' min='0 0 0' max='3 2 1'/><MechanicalObject/>";
const std::string surface = "<RegularGridTopology n='4 3 1' min='0 0 0' max='3 2 0'/><MechanicalObject/>";

const std::string moduli = " youngModulus='3000' poissonRatio='0.3'/>";

struct Case
{
    std::string mesh, law;
    bool turns = true;  ///< stresses turn with the elements
};

std::vector<Case> solids()
{
    std::vector<Case> all;
    for (const char* method : {"large", "polar", "svd"})
        all.push_back(
            {tetrahedra, "<TetrahedronFEMForceField name='fem' method='" + std::string(method) + '\'' + moduli});
    all.push_back({tetrahedra, "<TetrahedronFEMForceField name='fem' method='small'" + moduli, false});
    all.push_back({hexahedra, "<TetrahedronFEMForceField name='fem' method='large'" + moduli});
    for (const char* averaged : {"", " volumetricStrain='averaged'"}) {
        all.push_back(
            {tetrahedra, "<TetrahedronFEMForceField name='fem' method='polar'" + std::string(averaged) + moduli});
        all.push_back({tetrahedra, "<StVKFEMForceField name='fem'" + std::string(averaged) + moduli});
        all.push_back({hexahedra, "<StVKFEMForceField name='fem'" + std::string(averaged) + moduli});
        for (const char* warp : {"0", "1", "2"}) {
            const std::string law =
                "<CorotationalLinearFEMForceField name='fem' warp='" + std::string(warp) + '\'' + averaged + moduli;
            all.push_back({tetrahedra, law, warp[0] != '0'});
            all.push_back({hexahedra, law, warp[0] != '0'});
        }
        all.push_back(
            {hexahedra, "<HexahedronFEMForceField name='fem' method='polar'" + std::string(averaged) + moduli});
    }
    all.push_back({tetrahedra, "<FastTetrahedralCorotationalForceField name='fem'" + moduli});
    all.push_back({tetrahedra, "<CorotationalFEMForceField name='fem' template='Vec3,Tetrahedron'" + moduli});
    all.push_back({hexahedra, "<CorotationalFEMForceField name='fem' template='Vec3,Hexahedron'" + moduli});
    all.push_back(
        {tetrahedra, "<LinearSmallStrainFEMForceField name='fem' template='Vec3,Tetrahedron'" + moduli, false});
    return all;
}

const Mat3 turn = Quat::fromRotationVector({0.4, -0.9, 0.7}).toMatrix();
const Mat3 small = Mat3::fromRows(Vec3{2e-6, 5e-7, -1e-6}, Vec3{5e-7, -3e-6, 8e-7}, Vec3{-1e-6, 8e-7, 1e-6});

Mat3 hooke(const Mat3& strain, std::size_t dimension)
{
    const LameParameters m = lameParameters(young, ratio, dimension);
    return Mat3::identity() * (m.lambda * trace(strain)) + strain * (2. * m.mu);
}

void checkTensor(const NumberList& list, const Mat3& expected)
{
    REQUIRE(list.width == 6);
    REQUIRE(list.entries() > 0);
    const double six[] = {expected[0][0], expected[1][1], expected[2][2],
                          expected[0][1], expected[1][2], expected[0][2]};
    double size = 0.;
    for (const double v : six) size = std::max(size, std::abs(v));
    REQUIRE(size > 0.);
    double worst = 0.;
    for (std::size_t i = 0; i < list.values.size(); ++i) worst = std::max(worst, std::abs(list.values[i] - six[i % 6]));
    CHECK(worst < 1e-4 * size);
}

}  // namespace

TEST_CASE("stress, strain and von Mises stress of solids that are stretched a little and turned are those of theory")
{
    for (const Case& c : solids()) {
        INFO(c.law);
        Body body(c.mesh, c.law);
        const Mat3 r = c.turns ? turn : Mat3::identity();
        body.place([&](const Vec3& x) { return r * (x + small * x) + Vec3{1., 2., 3.}; });
        const Mat3 stress = r * hooke(small, 3) * r.transposed();
        checkTensor(body.tells("stress"), stress);
        checkTensor(body.tells("strain"), small);
        const NumberList vonMises = body.tells("vonMises");
        REQUIRE(vonMises.entries() == body.tells("stress").entries());
        for (const double v : vonMises.values) CHECK(v == Approx(vonMisesStress(stress)).epsilon(1e-3));
    }
}

TEST_CASE("energies of the elements add up to that of the force field")
{
    std::vector<Case> all = solids();
    for (const char* law : {"<TriangularFEMForceField name='fem' method='large'", "<StVKFEMForceField name='fem'",
                            "<CorotationalFEMForceField name='fem' template='Vec3,Quad'"})
        all.push_back({surface, law + moduli});
    for (const Case& c : all) {
        INFO(c.law);
        Body body(c.mesh, c.law);
        std::mt19937 random(7);
        std::uniform_real_distribution<double> shift(-0.05, 0.05);
        body.place([&](const Vec3& x) { return turn * x + Vec3{shift(random), shift(random), shift(random)}; });
        const NumberList parts = body.tells("elementEnergy");
        REQUIRE(parts.entries() > 0);
        double sum = 0., least = 0.;
        for (const double e : parts.values) {
            sum += e;
            least = std::min(least, e);
        }
        const double whole = body.tells("potentialEnergy").values[0];
        CHECK(whole > 0.);
        CHECK(sum == Approx(whole).epsilon(1e-10));
        CHECK(least >= -1e-9 * whole);
        CHECK(parts.entries() == body.tells("vonMises").entries());
    }
}

TEST_CASE("membranes have the stress of their plane")
{
    // Plane stress: nothing acts across.
    const Mat3 stretch = Mat3::fromRows(Vec3{2e-6, 5e-7, 0.}, Vec3{5e-7, -1e-6, 0.}, Vec3{0., 0., 0.});
    Mat3 plane = hooke(stretch, 2);
    plane[2][2] = 0.;
    for (const char* law : {"<TriangularFEMForceField name='fem' method='large'", "<StVKFEMForceField name='fem'",
                            "<CorotationalFEMForceField name='fem' template='Vec3,Quad'"}) {
        INFO(law);
        Body body(surface, law + moduli);
        body.place([&](const Vec3& x) { return turn * (x + stretch * x); });
        checkTensor(body.tells("stress"), turn * plane * turn.transposed());
        checkTensor(body.tells("strain"), stretch);
    }
}

TEST_CASE("large deformations: Green's strain, and the Cauchy stress of St Venant and Kirchhoff")
{
    const Mat3 f = turn * Mat3::fromRows(Vec3{1.3, 0.1, 0.}, Vec3{0., 0.9, 0.2}, Vec3{0., 0., 1.1});
    const Mat3 green = (f.transposed() * f - Mat3::identity()) * 0.5;
    const Mat3 cauchy = f * hooke(green, 3) * f.transposed() * (1. / determinant(f));
    for (const std::string& mesh : {tetrahedra, hexahedra}) {
        Body body(mesh, "<StVKFEMForceField name='fem'" + moduli);
        body.place([&](const Vec3& x) { return f * x; });
        checkTensor(body.tells("strain"), green);
        checkTensor(body.tells("stress"), cauchy);
    }
}

TEST_CASE("cloth has an energy for each triangle, with half of the bending at its edges, and no stress")
{
    Body body(surface, "<BaraffWitkinForceField name='fem' bendStiffnessU='3' bendStiffnessV='5'/>");
    const auto fold = [](const Vec3& x) {
        // Rigid halves, folded along x = 1: all energy is that of bending there.
        const double c = std::cos(0.3), s = std::sin(0.3);
        return x[0] <= 1. ? x : Vec3{1. + (x[0] - 1.) * c, x[1], (x[0] - 1.) * s};
    };
    body.place(fold);
    const NumberList parts = body.tells("elementEnergy");
    const double whole = body.tells("potentialEnergy").values[0];
    REQUIRE(parts.entries() == 12);
    CHECK(whole > 0.01);
    CHECK(std::accumulate(parts.values.begin(), parts.values.end(), 0.) == Approx(whole).epsilon(1e-10));
    // Two edges, with a triangle on each side.
    double largest = 0.;
    for (const double e : parts.values) largest = std::max(largest, e);
    int bent = 0;
    for (const double e : parts.values) bent += e > 1e-9 * largest ? 1 : 0;
    CHECK(bent == 4);
    CHECK(largest == Approx(0.25 * whole));
    CHECK(body.tells("stress").values.empty());
    CHECK(body.tells("vonMises").values.empty());
    CHECK(body.tells("strain").entries() == 12);
}

namespace {

/// A beam along x with the section of a tube, of length 2, whose second end is moved.
struct BentBeam
{
    static constexpr double length = 2., radius = 0.1, inner = 0.06, young = 1e6, poisson = 0.25;
    BentBeam()
        : sim(loadSceneText("<Node name='root'><EulerImplicitSolver/><CGLinearSolver/>"
                            "<MeshTopology position='0 0 0  2 0 0  4 0 0' edges='0 1  1 2'/>"
                            "<MechanicalObject name='dofs' template='Rigid3' "
                            "position='0 0 0 0 0 0 1  2 0 0 0 0 0 1  4 0 0 0 0 0 1'/><UniformMass totalMass='1'/>"
                            "<BeamFEMForceField name='fem' radius='0.1' radiusInner='0.06' youngModulus='1e6' "
                            "poissonRatio='0.25' listSegment='0'/></Node>",
                            "beam.scn"))
    {
        REQUIRE(sim.init());
        x = sim.root().get<State<Rigid3Types>>(Search::Local);
    }
    void place(const Vec3& at, const Vec3& turnedBy)
    {
        auto p = x->write(vec_id::position);
        p[1] = {at, Quat::fromRotationVector(turnedBy)};
    }
    Vector<double> tells(const char* name)
    {
        NumberList out;
        REQUIRE(numbersOf(*sim.root().component("fem")->findReadable(name), out));
        return out.values;
    }
    Simulation sim;
    State<Rigid3Types>* x;
    double area = std::numbers::pi * (radius * radius - inner * inner);
    double inertia = 0.25 * std::numbers::pi * (std::pow(radius, 4) - std::pow(inner, 4));
};

}  // namespace

TEST_CASE("beams have the stress and energy of closed forms when they are pulled, bent and twisted")
{
    BentBeam beam;
    const double l = BentBeam::length, e = BentBeam::young, r = BentBeam::radius;
    const double shear = 0.5 * e / (1. + BentBeam::poisson);
    beam.place({l + 0.01, 0., 0.}, {});
    CHECK(beam.tells("stress")[0] == Approx(e * 0.01 / l));
    CHECK(beam.tells("vonMises")[0] == Approx(e * 0.01 / l));
    CHECK(beam.tells("strain")[0] == Approx(0.01 / l + 0.5 * 0.01 / l * 0.01 / l));
    CHECK(beam.tells("elementEnergy")[0] == Approx(0.5 * e * beam.area / l * 0.01 * 0.01));

    // A force at the tip across the beam: deflection F L^3 / 3 E I, slope F L^2 / 2 E I, moment F L at the root.
    const double force = 1e-3, ei = e * beam.inertia;
    for (const bool upwards : {false, true}) {
        const double deflection = force * l * l * l / (3. * ei), slope = force * l * l / (2. * ei);
        beam.place(upwards ? Vec3{l, 0., deflection} : Vec3{l, deflection, 0.},
                   upwards ? Vec3{0., -slope, 0.} : Vec3{0., 0., slope});
        CHECK(beam.tells("vonMises")[0] == Approx(force * l * r / beam.inertia));
        CHECK(beam.tells("stress")[0] == Approx(0.).margin(1e-9));
        CHECK(beam.tells("elementEnergy")[0] == Approx(0.5 * force * deflection));
    }

    beam.place({l, 0., 0.}, {0.02, 0., 0.});
    CHECK(beam.tells("vonMises")[0] == Approx(std::sqrt(3.) * shear * r * 0.02 / l));
    CHECK(beam.tells("elementEnergy")[0] == Approx(0.5 * shear * 2. * beam.inertia / l * 0.02 * 0.02));
    // The second edge is no beam.
    CHECK(beam.tells("elementEnergy").size() == 2);
    CHECK(beam.tells("elementEnergy")[1] == 0.);
    CHECK(std::isnan(beam.tells("vonMises")[1]));
    CHECK(beam.tells("potentialEnergy")[0] == beam.tells("elementEnergy")[0]);
}

TEST_CASE("stress turns with a beam")
{
    BentBeam beam;
    const Quat q = Quat::fromRotationVector({0.4, -0.9, 0.7});
    auto p = beam.x->write(vec_id::position);
    p[0].orientation = p[1].orientation = q;
    p[1].center = q.rotate({BentBeam::length + 0.01, 0., 0.});
    const Vec3 axis = q.rotate({1., 0., 0.});
    const double size = BentBeam::young * 0.01 / BentBeam::length;
    const Vector<double> stress = beam.tells("stress");
    CHECK(stress[0] == Approx(size * axis[0] * axis[0]));
    CHECK(stress[3] == Approx(size * axis[0] * axis[1]));
    CHECK(stress[5] == Approx(size * axis[0] * axis[2]));
}

TEST_CASE("parameters of the material are told for each element")
{
    Body body(hexahedra, "<HexahedronFEMForceField name='fem' youngModulus='1 2 3' poissonRatio='0.3'/>");
    const auto parameters = dynamic_cast<ElementResults&>(*body.fem).materialParameters();
    REQUIRE(parameters.size() == 2);
    const auto& modulus = parameters[0].name == "youngModulus" ? parameters[0] : parameters[1];
    REQUIRE(modulus.name == "youngModulus");
    CHECK(modulus.values == Vector<double>{1., 2., 3., 1., 1., 1., 1., 1., 1., 1., 1., 1.});
}

}  // namespace element_results_test
