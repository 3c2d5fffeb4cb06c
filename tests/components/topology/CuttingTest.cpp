// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Cuts through tetrahedra and triangles, along surfaces and by blades.
#include <catch2/catch.hpp>

#include "core/behavior/ForceField.h"
#include "core/parallel/Parallel.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/MeshCut.h"
#include "core/topology/Subdivision.h"
#include "tests/components/topology/CutScene.h"
#include "tests/harness/Paths.h"

namespace cutting_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Totals
{
    double mass, kinetic, potential;
    Vec6 momentum;
};

Totals totalsOf(const Run& r)
{
    const MechanicalParams mp;
    const auto& mass = *r.body().get<BaseMass>(Search::Local);
    const auto& fem = dynamic_cast<const BaseForceField&>(*r.body().component("FEM"));
    return {totalMass(r), mass.kineticEnergy(mp), fem.potentialEnergy(mp), mass.momentum(mp)};
}

/// Something of a motion and a deformation, the same for the same place.
void setInMotion(const Run& r)
{
    Vector<Vec3> x = r.state().positions(), v;
    for (Vec3& p : x) {
        v.push_back(Vec3{p[1] - 0.3, 2. * p[2] * p[0], -p[0]});
        p += Vec3{0.1 * std::sin(3. * p[1]), 0.1 * p[0] * p[2], 0.05 * std::cos(4. * p[0])};
    }
    r.state().write(vec_id::position) = x;
    r.state().write(vec_id::velocity) = v;
    MechanicalOperations(*r.root, MechanicalParams()).propagateXAndV(vec_id::position, vec_id::velocity);
}

/// The mesh of a run as it is now, at rest.
Mesh meshNow(const Run& r, ElementType type)
{
    Mesh m{type, r.state().read(vec_id::restPosition), {}};
    const auto vertices = verticesOf(r.mesh(), type);
    const std::size_t n = nodeCount(type);
    for (std::size_t i = 0; i < vertices.size(); i += n)
        m.elements.emplace_back(vertices.begin() + static_cast<std::ptrdiff_t>(i),
                                vertices.begin() + static_cast<std::ptrdiff_t>(i + n));
    return m;
}

double difference(const Vector<Vec3>& a, const Vector<Vec3>& b)
{
    REQUIRE(a.size() == b.size());
    double worst = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
    return worst;
}

}  // namespace

TEST_CASE("A plane through a body makes two of it, of the same volume")
{
    std::mt19937 random(7);
    for (unsigned k = 0; k < 40; ++k) {
        Run run(cutScene(ElementType::Tetrahedra, 3 + static_cast<int>(k % 3), 0.15, k));
        StoredTopology& mesh = run.mesh();
        const Vector<Vec3> before = run.state().positions();
        const double volume = geometry::totalVolume(before, mesh.tetrahedra());
        const double angle = smallestDihedral(before, mesh.tetrahedra());
        const CutPlane plane = randomPlane(random);
        MeshCut cut(0.2);
        const auto result = cut.along(mesh, plane.points, plane.triangles);
        INFO("cut " << k << ", divided " << result.divided << ", opened " << result.opened.size());
        REQUIRE(!result.opened.empty());
        const Vector<Vec3>& after = run.state().positions();
        CHECK(std::equal(before.begin(), before.end(), after.begin()));
        CHECK(geometry::totalVolume(after, mesh.tetrahedra()) == Approx(volume).epsilon(1e-12));
        checkVolumeMesh(mesh, after);
        INFO("smallest dihedral angle before " << angle);
        CHECK(smallestDihedral(after, mesh.tetrahedra()) > 4.);
        CHECK(pieceCount(mesh) == 2);
        // Each on its side, but for what snapping moved the cut.
        for (const Vec2& e : extentOfPieces(mesh, after, plane)) CHECK(std::min(-e[0], e[1]) < 0.06);
    }
}

TEST_CASE("Mass, momentum and energy are the same before and after a cut")
{
    std::mt19937 random(3);
    for (unsigned k = 0; k < 10; ++k) {
        Run run(cutScene(jittered(ElementType::Tetrahedra, 3, 0.15, k),
                         "<TetrahedronHyperelasticityFEMForceField name='FEM' materialName='StVenantKirchhoff' "
                         "ParameterSet='2000 3000'/>"));
        setInMotion(run);
        const Totals before = totalsOf(run);
        REQUIRE(before.potential > 0.);
        const CutPlane plane = randomPlane(random);
        MeshCut cut;
        REQUIRE_FALSE(cut.along(run.mesh(), plane.points, plane.triangles).opened.empty());
        const Totals after = totalsOf(run);
        CHECK(after.mass == Approx(before.mass).epsilon(1e-12));
        for (std::size_t i = 0; i < 3; ++i)
            CHECK(after.momentum[i] == Approx(before.momentum[i]).margin(1e-12 * before.mass));
        CHECK(after.potential == Approx(before.potential).epsilon(1e-10));
        // Lumped masses have less energy on a finer mesh, never more.
        CHECK(after.kinetic <= before.kinetic * (1. + 1e-12));
        CHECK(after.kinetic > 0.9 * before.kinetic);
    }
}

TEST_CASE("What was cut goes on as a scene of the mesh that it has become")
{
    for (const ElementType type : {ElementType::Tetrahedra, ElementType::Triangles}) {
        Run run(cutScene(type, 3, 0.15, 5));
        run.steps(2);
        std::mt19937 random(11);
        const CutPlane plane = randomPlane(random);
        MeshCut cut;
        REQUIRE_FALSE(cut.along(run.mesh(), plane.points, plane.triangles).opened.empty());
        Run fresh(cutScene(meshNow(run, type), elasticity(type)));
        setInMotion(run);
        fresh.take(run);
        run.steps(5);
        fresh.steps(5);
        CHECK(difference(run.state().positions(), fresh.state().positions()) < 1e-9);
    }
}

TEST_CASE("A blade cuts as far as it went, and goes on from there")
{
    for (const ElementType type : {ElementType::Tetrahedra, ElementType::Triangles}) {
        Run run(cutScene(type, 4, 0.15, 1));
        MeshCut cut;
        const auto blade = [](double y) { return Vector<Vec3>{{0.47, y, -0.5}, {0.55, y, 1.5}}; };
        cut.moveBlade(run.mesh(), blade(-0.5), {{0, 1}});
        std::size_t opened = 0;
        for (int k = 1; k <= 40; ++k) {
            opened += cut.moveBlade(run.mesh(), blade(-0.5 + 0.05 * k), {{0, 1}}).opened.size();
            INFO("step " << k);
            if (k == 10) CHECK(opened == 0);
            if (k == 25) {
                CHECK(opened > 0);
                CHECK(pieceCount(run.mesh()) == 1);
            }
            if (k > 35) CHECK(pieceCount(run.mesh()) == 2);
        }
        if (type == ElementType::Tetrahedra) checkVolumeMesh(run.mesh(), run.state().positions());
        // Back and forth in the cut there is nothing left to cut.
        const std::size_t elements = elementCount(run.mesh(), type);
        for (int k = 0; k < 80; ++k) cut.moveBlade(run.mesh(), blade(0.5 + std::sin(0.3 * k)), {{0, 1}});
        CHECK(elementCount(run.mesh(), type) == elements);
        CHECK(pieceCount(run.mesh()) == 2);
    }
}

TEST_CASE("A body that moves and is deformed is cut through")
{
    for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
        // It comes towards a blade that rests, or that comes as well, and shakes.
        Run run(cutScene(ElementType::Tetrahedra, 4, 0.15, seed));
        Vector<Vec3> v;
        for (const Vec3& p : run.state().positions())
            v.push_back({0.3 * std::sin(5. * p[1]), -2., 0.3 * std::cos(7. * p[0])});
        run.state().write(vec_id::velocity) = v;
        MeshCut cut;
        const double speed = seed % 2 == 0 ? 0. : 1.;
        for (int k = 0; k < 100 && pieceCount(run.mesh()) == 1; ++k) {
            const double y = -0.3 + 0.01 * speed * k;
            cut.moveBlade(run.mesh(), {{0.5, y, -0.5}, {0.5, y, 1.5}}, {{0, 1}});
            run.steps(1);
        }
        INFO("seed " << seed);
        CHECK(pieceCount(run.mesh()) == 2);
        checkVolumeMesh(run.mesh(), run.state().read(vec_id::restPosition));
    }
}

TEST_CASE("Curved cuts and cuts that cross leave pieces that fit together")
{
    for (unsigned k = 0; k < 8; ++k) {
        Run run(cutScene(ElementType::Tetrahedra, 5, 0.15, k));
        const Vector<Vec3> x = run.state().positions();
        const double volume = geometry::totalVolume(x, run.mesh().tetrahedra());
        // A wave, then a plane across it.
        MeshCut wave;
        const double phase = 0.7 * k;
        for (int i = 0; i <= 40; ++i) {
            const double s = -0.5 + 0.05 * i, z = 0.5 + 0.12 * std::sin(6. * s + phase);
            wave.moveBlade(run.mesh(), {{-0.5, s, z}, {1.5, s, z}}, {{0, 1}});
        }
        INFO("seed " << k);
        CHECK(pieceCount(run.mesh()) == 2);
        MeshCut plane;
        for (int i = 0; i <= 10; ++i) {
            const double s = -0.5 + 0.2 * i;
            plane.moveBlade(run.mesh(), {{-0.5, 0.5, s}, {1.5, 0.6, s}}, {{0, 1}});
        }
        CHECK(pieceCount(run.mesh()) == 4);
        checkVolumeMesh(run.mesh(), run.state().positions());
        CHECK(geometry::totalVolume(run.state().positions(), run.mesh().tetrahedra()) == Approx(volume).epsilon(1e-12));
    }
}

TEST_CASE("Points of a cut are on it, also where ends of edges hardly count")
{
    CHECK_THROWS_AS(MeshCut(0.), std::invalid_argument);
    Run run(cutScene(ElementType::Tetrahedra, 3, 0.15, 1));
    std::mt19937 random(2);
    for (int k = 0; k < 3; ++k) {
        const CutPlane plane = randomPlane(random);
        CHECK(MeshCut(0.001).along(run.mesh(), plane.points, plane.triangles).divided < 2000);
        CHECK(pieceCount(run.mesh()) >= 2);
    }
}

TEST_CASE("A cut that something cannot follow changes nothing")
{
    Run run(cutScene(
        jittered(ElementType::Tetrahedra, 2, 0.1, 1),
        elasticity(ElementType::Tetrahedra) + "<DiagonalVelocityDampingForceField dampingCoefficient='1 1 1 2 2 2'/>"));
    const auto elements = run.mesh().tetrahedra();
    std::mt19937 random(1);
    const CutPlane plane = randomPlane(random);
    MeshCut cut;
    CHECK_THROWS_AS(cut.along(run.mesh(), plane.points, plane.triangles), std::runtime_error);
    CHECK(run.mesh().tetrahedra() == elements);
    CHECK(run.mesh().nbPoints() == 27);
    run.steps(2);
}

}  // namespace cutting_test
