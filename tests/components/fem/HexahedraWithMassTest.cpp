// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <filesystem>

#include "components/fem/NonUniformHexahedronFEMForceFieldAndMass.h"
#include "components/topology/SparseGridTopology.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/ExecutionPlan.h"
#include "tests/components/fem/StretchedBox.h"
#include "tests/harness/MassCheck.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace hexahedra_with_mass_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

using Scene = ForceFieldScene<HexahedronFEMForceFieldAndMass>;
using GridScene = std::shared_ptr<Node>;

Eigen::MatrixXd massMatrix(const Mass<Vec3Types, HexahedronFEMForceField>& mass, std::size_t points)
{
    DenseSink sink(points);
    mass.buildMass(sink, {});
    return sink.matrix;
}

/// A beam with implicit Euler after some steps.
Vector<double> afterTenSteps(const std::string& solver, const std::string& material, bool fixed = true,
                             const std::string& root = "")
{
    auto scene = loadSceneText(
        "<Node name='root' gravity='0 -9.81 0' dt='0.01' " + root +
            "><EulerImplicitSolver rayleighStiffness='0.03' rayleighMass='0.02'/>" + solver +
            "<MechanicalObject name='state'/><RegularGridTopology nx='3' ny='3' nz='6' min='0 0 0' max='1 1 3'/>" +
            material + (fixed ? "<FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8'/></Node>" : "</Node>"),
        "beam.scn");
    Simulation sim(scene);
    REQUIRE(sim.init());
    for (int i = 0; i < 10; ++i) sim.step();
    BaseState* s = ExecutionPlan::of(sim.root()).independentStates().front();
    Vector<double> x(s->size() * 3);
    s->getScalars(vec_id::position, x.data());
    return x;
}

double greatestDifference(const Vector<double>& a, const Vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double d = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, std::abs(a[i] - b[i]));
    return d;
}

/// The ring of the share folder in a sparse grid, with a force field; gravity 1 2 3.
GridScene ring(const std::string& grid, const std::string& field)
{
    const std::string file = std::filesystem::path(sourceDirectory()) / "share/mesh/torus.obj";
    auto scene = loadSceneText("<Node name='root' gravity='1 2 3'><SparseGridTopology name='grid' filename='" + file +
                                   "' " + grid + "/><MechanicalObject name='state'/>" + field + "</Node>",
                               "ring.scn");
    return scene;
}

/// A field that is linear in each coordinate.
Vec3 field(const Vec3& p)
{
    const double x = p[0], y = p[1], z = p[2];
    return {0.1 + 0.2 * x - 0.1 * x * y + 0.3 * x * y * z, 0.3 * y * z - 0.2 * x, 0.1 * z + 0.2 * x * z - 0.1 * y};
}

struct Energies
{
    double elastic = 0., kinetic = 0., mass = 0.;
};

/// Energies with displacements and velocities of the field.
Energies energiesIn(const GridScene& scene)
{
    Simulation sim(scene);
    REQUIRE(sim.init());
    auto* f = scene->get<HexahedronFEMForceFieldAndMass>();
    State<Vec3Types>& s = f->state();
    const Vector<Vec3> rest = s.positions();
    for (std::size_t i = 0; i < rest.size(); ++i) {
        s.write(vec_id::position)[i] = rest[i] + field(rest[i]);
        s.write(vec_id::velocity)[i] = field(rest[i]);
    }
    Energies e;
    Vector<double> parts;
    f->elementEnergies(parts);
    for (const double p : parts) e.elastic += p;
    e.kinetic = f->kineticEnergy(MechanicalParams());
    for (Index i = 0; i < s.size(); ++i) e.mass += f->pointMass(i);
    return e;
}

}  // namespace

HARNESS_MASS("HexahedronFEMForceFieldAndMass")
{
    for (const char* type : {"HexahedronFEMForceFieldAndMass", "NonUniformHexahedronFEMForceFieldAndMass"})
        for (const char* lumped : {"0", "1"}) {
            Node root;
            root.d_gravity.setValue({0.3, -9.81, 1.});
            addState<Vec3Types>(root, coordinates<Vec3Types>(cubePoints()));
            auto& t = root.create<TestTopology>();
            t.points = 8;
            t.hexahedronList = cubeHexahedron();
            // Without a stiffness, a mass is all that there is.
            auto& m = addComponent(root, type, {{"density", "5"}, {"youngModulus", "0"}, {"lumpedMass", lumped}});
            REQUIRE(initialise(root));
            checkMass(m, {.totalMass = 5.});
        }
}

HARNESS_FORCE_FIELD("HexahedronFEMForceFieldAndMass")
{
    checkUnrotated<HexahedronFEMForceFieldAndMass>("small", false);
}

HARNESS_MASS("NonUniformHexahedronFEMForceFieldAndMass")
{
    Node root;
    root.d_gravity.setValue({0.3, -9.81, 1.});
    addState<Vec3Types>(root, coordinates<Vec3Types>(cubePoints()));
    auto& t = root.create<TestTopology>();
    t.points = 8;
    t.hexahedronList = cubeHexahedron();
    auto& m = addComponent(root, "NonUniformHexahedronFEMForceFieldAndMass",
                           {{"density", "7"}, {"youngModulus", "0"}, {"useMass", "0"}, {"totalMass", "5"}});
    REQUIRE(initialise(root));
    checkMass(m, {.totalMass = 5.});
}

HARNESS_FORCE_FIELD("NonUniformHexahedronFEMForceFieldAndMass")
{
    checkUnrotated<NonUniformHexahedronFEMForceFieldAndMass>("small", false);
}

TEST_CASE("Material and mass in one component move as the two components do, with every kind of solver", "[fem]")
{
    const std::string both =
        "<HexahedronFEMForceField youngModulus='3000' poissonRatio='0.3' rayleighStiffness='0.01'/>"
        "<FEMMass template='Vec3,Hexahedron' massDensity='2' rayleighMass='0.1' lumping='";
    const std::string one =
        "<HexahedronFEMForceFieldAndMass youngModulus='3000' poissonRatio='0.3' rayleighStiffness='0.01' density='2' "
        "rayleighMass='0.1' lumpedMass='";
    const std::string cg = "<CGLinearSolver iterations='500' tolerance='1e-14' threshold='1e-30' ";
    const std::string spring = "<SpringForceField spring='8 20 60 0.3 0.9'/>";
    for (const std::string& solver :
         {cg + "template='GraphScattered'/>", cg + "template='CompressedRowSparseMatrixMat3x3' assembly='auto'/>",
          cg + "template='CompressedRowSparseMatrixMat3x3' assembly='always'/>",
          cg + "template='CompressedRowSparseMatrixMat3x3' assembly='never'/>", std::string("<SparseLDLSolver/>")})
        for (const std::string& more : {std::string("0'/>"), std::string("1'/>"), "0'/>" + spring}) {
            INFO(solver << more);
            const Vector<double> two = afterTenSteps(solver, both + more), single = afterTenSteps(solver, one + more);
            CHECK(greatestDifference(two, single) < 1e-11);
            CHECK(greatestDifference(two, afterTenSteps(solver, both + more, false)) > 1e-3);
        }
}

TEST_CASE("Explicit integration takes the lumped mass", "[fem]")
{
    // All points of a body that nothing holds fall by g h² (n (n + 1)/2) with symplectic Euler.
    auto scene = loadSceneText(
        "<Node name='root' gravity='0 -9.81 0' dt='0.001'><EulerExplicitSolver/><MechanicalObject/>"
        "<RegularGridTopology nx='3' ny='3' nz='3' min='0 0 0' max='1 1 1'/>"
        "<HexahedronFEMForceFieldAndMass youngModulus='10' lumpedMass='1'/></Node>",
        "fall.scn");
    Simulation sim(scene);
    REQUIRE(sim.init());
    for (int i = 0; i < 10; ++i) sim.step();
    BaseState* s = ExecutionPlan::of(sim.root()).independentStates().front();
    CHECK(s->pointPosition(0)[1] == Approx(-9.81 * 1e-6 * 55.));
}

TEST_CASE("Scenes that ask for SOFA's numbers get its mass matrix", "[fem]")
{
    // All entries of an element are 8/27 ρV, and each point of it weighs ρV/8.
    Scene s(smallBox(), false, true);
    s.root->setAttribute("compatibility", "sofa", {});
    s.set("density", "3").init();
    REQUIRE(s.field.isValid());
    const Eigen::MatrixXd m = massMatrix(s.field, 12);
    CHECK(m(0, 0) == Approx(8. / 27. * 3.));
    CHECK(m(0, 3) == Approx(8. / 27. * 3.));
    CHECK(m(3, 3) == Approx(2. * 8. / 27. * 3.));  // on the common side
    CHECK(m(0, 1) == 0.);
    CHECK(s.field.pointMass(0) == Approx(3. / 8.));
    CHECK(m.sum() / 3. == Approx(2. * 3. * 512. / 27.));
    // A body that nothing holds falls with 27/512 g.
    const Vector<double> x =
        afterTenSteps("<CGLinearSolver iterations='500' tolerance='1e-14' threshold='1e-30'/>",
                      "<HexahedronFEMForceFieldAndMass youngModulus='3000' poissonRatio='0.3' density='2'/>", false,
                      "compatibility='sofa'");
    const Vector<double> right =
        afterTenSteps("<CGLinearSolver iterations='500' tolerance='1e-14' threshold='1e-30'/>",
                      "<HexahedronFEMForceFieldAndMass youngModulus='3000' poissonRatio='0.3' density='2'/>", false);
    CHECK(right[1] < -0.05);
    CHECK(x[1] == Approx(27. / 512. * right[1]).epsilon(1e-9));
}

TEST_CASE("Mistakes of hexahedra with a mass are told", "[fem]")
{
    Scene s(smallBox(), false, true);
    s.set("density", "-1");
    CHECK(s.messages.has(Severity::Error, "density"));
    ForceFieldScene<NonUniformHexahedronFEMForceFieldAndMass> n(smallBox(), false, true);
    n.set("nbVirtualFinerLevels", "2").init();
    CHECK_FALSE(n.field.isValid());
    CHECK(n.messages.has(Severity::Error, "nbVirtualFinerLevels is 2, but the topology"));
    Scene none(smallBox(), true, false);
    none.init();
    CHECK_FALSE(none.field.isValid());
    CHECK(Registry::instance().find("HexahedralFEMForceFieldAndMass") != nullptr);
    CHECK(Registry::instance().find("NonUniformHexahedralFEMForceFieldAndMass") != nullptr);
}

TEST_CASE("Cells of a sparse grid are as heavy as they are filled", "[fem]")
{
    Scene s(smallBox(), false, true);
    s.topology.factors = {0.5, 1.};
    s.set("density", "3").init();
    double sum = 0.;
    for (Index i = 0; i < 12; ++i) sum += s.field.pointMass(i);
    CHECK(sum == Approx(4.5));
    s.field.d_density.setValue(6.);
    s.field.reinit();
    CHECK(massMatrix(s.field, 12).sum() == Approx(3. * 9.));
}

TEST_CASE("Coarse cells have the energies of the finer ones for every field that both represent", "[fem]")
{
    const std::string material = " method='small' youngModulus='300' poissonRatio='0.3' density='2'/>";
    const auto fine = energiesIn(ring("n='17 17 9'", "<HexahedronFEMForceFieldAndMass" + material));
    const auto coarse =
        energiesIn(ring("n='5 5 3' nbVirtualFinerLevels='2'",
                        "<NonUniformHexahedronFEMForceFieldAndMass nbVirtualFinerLevels='2'" + material));
    const auto uniform =
        energiesIn(ring("n='5 5 3' nbVirtualFinerLevels='2'", "<HexahedronFEMForceFieldAndMass" + material));
    CHECK(fine.elastic > 1.);
    CHECK(coarse.elastic == Approx(fine.elastic).epsilon(1e-12));
    CHECK(coarse.kinetic == Approx(fine.kinetic).epsilon(1e-12));
    CHECK(coarse.mass == Approx(fine.mass).epsilon(1e-12));
    // The filled part alone has the right mass, but in wrong places.
    CHECK(uniform.mass == Approx(fine.mass).epsilon(1e-12));
    CHECK(std::abs(uniform.kinetic / fine.kinetic - 1.) > 0.02);
    CHECK(std::abs(uniform.elastic / fine.elastic - 1.) > 0.02);
    // An intermediate level has the means of the finest one.
    const auto between =
        energiesIn(ring("n='5 5 3' nbVirtualFinerLevels='2'",
                        "<NonUniformHexahedronFEMForceFieldAndMass nbVirtualFinerLevels='1'" + material));
    const auto middle =
        energiesIn(ring("n='9 9 5' nbVirtualFinerLevels='1'", "<HexahedronFEMForceFieldAndMass" + material));
    CHECK(between.elastic == Approx(middle.elastic).epsilon(1e-12));
    CHECK(between.kinetic == Approx(middle.kinetic).epsilon(1e-12));
}

}  // namespace hexahedra_with_mass_test
