// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <functional>
#include <sstream>

#include "components/fem/VegaForceFields.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/core/fem/FemTestUtilities.h"
#include "tests/harness/Numerics.h"

namespace inversion_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using Invertible = sofa::component::InvertibleFEMForceField<Vec3Types>;

/// Vectors or elements as attributes have them.
template <class List>
std::string list(const List& values)
{
    std::ostringstream text;
    text.precision(17);
    for (const auto& value : values)
        for (const auto x : value) text << x << ' ';
    return text.str();
}

/// Implicit Euler from collapsed starts (Irving, Teran and Fedkiw 2004; figure 5 of Sin, Schroeder and Barbič 2013).
/// `topology` is the component with the elements of the mesh, and `determinants` gives those of the deformation
/// gradients at all its integration points. No element stays inverted or flat, and the body comes to rest: all are
/// above `least`.
void checkRecovery(const BoxMesh& mesh, const std::string& topology, double least,
                   const std::function<Vector<double>(const Invertible&, const Vector<Vec3>&)>& determinants)
{
    // St Venant-Kirchhoff has no barrier of its own: clamped, it may rest inverted.
    for (const char* material : {"StVK' compressionResistance='500", "neoHookean", "MooneyRivlin"})
        for (const char* start : {"plane", "point", "box"}) {
            INFO(material << ", " << start);
            Vector<Vec3> x = mesh.points;
            const Vector<Vec3> noise = randomVectors(x.size(), 1., 5);
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (start == std::string("plane")) x[i][2] = 1e-6 * noise[i][2];
                if (start == std::string("point")) x[i] = noise[i] * 1e-6;
                if (start == std::string("box")) x[i] = noise[i] * 0.5;
            }
            auto root = loadSceneText(
                "<Node name='root' gravity='0 0 0' dt='0.01'><EulerImplicitSolver "
                "rayleighMass='1'/><SparseLDLSolver/>" +
                    topology + "<MechanicalObject name='dofs' position='" + list(x) + "' rest_position='" +
                    list(mesh.points) +
                    "'/><UniformMass totalMass='10'/><InvertibleFEMForceField name='force' material='" + material +
                    "' youngModulus='1000' poissonRatio='0.3' mu01='60' mu10='130' v1='420' "
                    "tangentProjection='clamp'/></Node>",
                "collapse.scn");
            Simulation simulation(root);
            REQUIRE(simulation.init());
            for (int step = 0; step < 1500; ++step) simulation.step();
            auto* force = dynamic_cast<Invertible*>(root->component("force"));
            REQUIRE(force);
            const Vector<Vec3>& end = force->state().positions();
            for (const double j : determinants(*force, end)) CHECK(j > least);
            CHECK(maxNorm(force->state().read(vec_id::velocity)) < 1e-3);
            // Random starts may leave it folded around an edge, which is an equilibrium without inverted elements; from
            // the plane it finds its own shape.
            const double energy = force->potentialEnergy({}, end);
            const double scale = force->potentialEnergy({}, mapped(mesh.points, Mat3::identity() * 0.9, {}));
            if (start == std::string("plane")) CHECK(energy < 1e-6 * scale);
        }
}

}  // namespace

TEST_CASE("elements in a plane, at a point or anywhere recover their shape")
{
    const BoxMesh mesh(2, 2, 2, {1., 1., 1.});
    checkRecovery(mesh,
                  "<TetrahedronSetTopologyContainer position='" + list(mesh.points) + "' tetrahedra='" +
                      list(mesh.tetrahedra) + "'/>",
                  0.3, [](const Invertible& force, const Vector<Vec3>& x) {
                      Vector<double> all;
                      for (Index e = 0; e < force.tetrahedra().size(); ++e)
                          all.push_back(determinant(force.tetrahedra().deformationGradient(e, x)));
                      return all;
                  });
}

TEST_CASE("cubes in a plane, at a point or anywhere recover their shape")
{
    const BoxMesh mesh(2, 2, 2, {1., 1., 1.});
    checkRecovery(mesh,
                  "<HexahedronSetTopologyContainer position='" + list(mesh.points) + "' hexahedra='" +
                      list(mesh.hexahedra) + "'/>",
                  0., [](const Invertible& force, const Vector<Vec3>& x) {
                      Vector<double> all;
                      for (Index e = 0; e < force.hexahedra().size(); ++e)
                          for (std::size_t q = 0; q < 8; ++q)
                              all.push_back(determinant(force.hexahedra().deformationGradient(e, x, q)));
                      return all;
                  });
}

TEST_CASE("materials that recover from inversion do so with their defaults: no step gains energy")
{
    const std::string laws[] = {
        "<HyperelasticityFEMForceField elements='hexahedra' materialName='StableNeoHookean' ParameterSet='3e4 1e5'/>",
        "<InvertibleFEMForceField material='neoHookean' youngModulus='1e5' poissonRatio='0.4' "
        "inversionThreshold='0.3'/>"};
    for (const std::string& law : laws) {
        INFO(law);
        // A cube of 27 elements whose points are anywhere in a cube of the same size.
        Random random(3);
        std::string points;
        for (int i = 0; i < 64; ++i) {
            const Eigen::VectorXd p = random.vector(3);
            points += toText(Vec3{0.5 + 0.5 * p[0], 0.5 + 0.5 * p[1], 0.5 + 0.5 * p[2]}) + "  ";
        }
        auto root = loadSceneText(
            "<Node name='root' dt='0.01' gravity='0 0 0'><EulerImplicitSolver/><SparseLDLSolver/>"
            "<RegularGridTopology name='grid' n='4 4 4' min='0 0 0' max='1 1 1'/>"
            "<MechanicalObject rest_position='@grid.position' position='" +
                points + "'/><UniformMass totalMass='10'/>" + law + "</Node>",
            "inverted.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        const double before = sim.energy().potential;
        double potential = before;
        for (int i = 0; i < 200; ++i) {
            sim.step();
            const Simulation::Energy e = sim.energy();
            CHECK(e.kinetic + e.potential < before);
            potential = e.potential;
        }
        CHECK(potential < 0.2 * before);
    }
}

}  // namespace inversion_test
