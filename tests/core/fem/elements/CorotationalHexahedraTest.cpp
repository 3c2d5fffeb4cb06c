// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CorotationalHexahedra.h"

#include "tests/core/fem/elements/ElementChecks.h"

namespace corotational_hexahedra_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

const auto allMethods = {RotationMethod::Small, RotationMethod::Large, RotationMethod::Polar};

auto uniform(const LameParameters& m, double factor = 1.)
{
    return [=](Index) -> CorotationalHexahedra::Material { return {m, factor}; };
}

CorotationalHexahedra body(const BoxMesh& mesh, RotationMethod method, double young = 1000., double nu = 0.3)
{
    CorotationalHexahedra b;
    b.build(mesh.hexahedra, mesh.points, method);
    b.setMaterial(uniform(lameParameters(young, nu)));
    return b;
}

CorotationalHexahedra::Nodes unitCube()
{
    return {Vec3{0., 0., 0.}, Vec3{1., 0., 0.}, Vec3{1., 1., 0.}, Vec3{0., 1., 0.},
            Vec3{0., 0., 1.}, Vec3{1., 0., 1.}, Vec3{1., 1., 1.}, Vec3{0., 1., 1.}};
}

}  // namespace

TEST_CASE("The stiffness of a cube has its closed-form entries", "[fem]")
{
    // N₀ = (1−x)(1−y)(1−z): ∫ (∂N₀/∂x)² = 1/9, ∫ ∂N₀/∂x ∂N₀/∂y = 1/12, and for the opposite corner N₆ = xyz
    // ∫ ∂N₀/∂x ∂N₆/∂x = −1/36.
    const LameParameters m{3., 2.};
    bool valid = false;
    const auto k = CorotationalHexahedra::integrate(unitCube(), m, &valid);
    CHECK(valid);
    CHECK(k[0][0] == Approx((m.lambda + 2. * m.mu) / 9. + 2. * m.mu / 9.));
    CHECK(k[0][1] == Approx((m.lambda + m.mu) / 12.));
    CHECK(k[0][18] == Approx(-(m.lambda + 4. * m.mu) / 36.));
}

TEST_CASE("Almost parallel edges are taken as parallel", "[fem]")
{
    auto nodes = unitCube();
    const LameParameters m{3., 2.};
    const auto cube = CorotationalHexahedra::integrate(nodes, m);
    nodes[6][2] += 0.0005;
    CHECK(CorotationalHexahedra::integrate(nodes, m) == cube);
    nodes[6][2] += 0.01;
    CHECK_FALSE(CorotationalHexahedra::integrate(nodes, m) == cube);
}

TEST_CASE("Hexahedra at rest carry no force, and rigid motions none with corotational methods", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    const Mat3 r = someRotation();
    const Vector<Vec3> moved = mapped(mesh.points, r, {3., -2., 5.});
    for (const auto method : allMethods) {
        CorotationalHexahedra b = body(mesh, method);
        CHECK(maxNorm(forces(b, mesh.points)) == 0.);
        CHECK(b.energy(mesh.points) == 0.);
        const double rotated = maxNorm(forces(b, moved));
        if (method == RotationMethod::Small) {
            CHECK(rotated > 1.);
            continue;
        }
        CHECK(rotated < 1e-11);
        for (Index e = 0; e < b.size(); ++e) CHECK(norm(b.rotation(e) - r) < 1e-13);
    }
}

TEST_CASE("Linear displacements give inner nodes of distorted hexahedra no force", "[fem]")
{
    const BoxMesh mesh = patch();
    Mat3 f = Mat3::identity();
    f[0] = {1.1, 0.02, -0.03};
    f[2] = {0.05, 0.01, 1.04};
    const Vector<Vec3> x = mapped(mesh.points, f, {});
    CorotationalHexahedra b = body(mesh, RotationMethod::Small);
    const Vector<Vec3> force = forces(b, x);
    CHECK(maxNorm(force) > 1.);
    for (std::size_t i = 0; i < x.size(); ++i)
        if (isInsidePatch(i)) CHECK(norm(force[i]) < 1e-11);
    const LameParameters m = lameParameters(1000., 0.3);
    const Mat3 g = f - Mat3::identity();
    CHECK(b.energy(x) == Approx(0.5 * doubleContraction(isotropicStress(g, m.lambda, m.mu), g)));
}

TEST_CASE("The stiffness of hexahedra is symmetric, negative semi-definite and free for rigid motions only", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    for (const auto method : allMethods) {
        CorotationalHexahedra b = body(mesh, method);
        forces(b, mapped(mesh.points, someRotation(), {}));
        checkFreeForRigidMotionsOnly(stiffness(b));
    }
}

TEST_CASE("Product and blocks of hexahedra are the derivative of the force at rest, rotated or not", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    const Vector<Vec3> dx = randomVectors(mesh.points.size(), 1., 6);
    for (const auto method : allMethods) {
        CorotationalHexahedra b = body(mesh, method);
        const Mat3 r = method == RotationMethod::Small ? Mat3::identity() : someRotation();
        const Vector<Vec3> x = mapped(mesh.points, r, {1., 2., 3.});
        Vector<Vec3> up = x, down = x;
        for (std::size_t i = 0; i < x.size(); ++i) {
            up[i] += dx[i] * 1e-6;
            down[i] -= dx[i] * 1e-6;
        }
        const Eigen::VectorXd difference = (flatten(forces(b, up)) - flatten(forces(b, down))) / 2e-6;
        forces(b, x);
        Vector<Vec3> df(x.size());
        b.addStiffnessProduct(df, dx, 1.);
        CHECK(difference.norm() > 1.);
        CHECK((flatten(df) - difference).norm() < 1e-7 * difference.norm());
        CHECK((flatten(df) - stiffness(b) * flatten(dx)).norm() < 1e-12 * difference.norm());
    }
}

TEST_CASE("The energy of hexahedra belongs to the force", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    const Vector<Vec3> direction = randomVectors(mesh.points.size(), 0.1, 9);
    for (const auto method : allMethods) {
        CorotationalHexahedra b = body(mesh, method);
        const auto deviation = [&](double strain) {
            Vector<Vec3> x = mesh.points;
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += direction[i] * strain;
            const Vector<Vec3> f = forces(b, x);
            double worst = 0.;
            for (std::size_t j = 0; j < 3 * x.size(); ++j) {
                Vector<Vec3> up = x, down = x;
                up[j / 3][j % 3] += 1e-6;
                down[j / 3][j % 3] -= 1e-6;
                worst = std::max(worst, std::abs((b.energy(up) - b.energy(down)) / 2e-6 + f[j / 3][j % 3]));
            }
            CHECK(maxNorm(f) > 1.);
            return worst / maxNorm(f);
        };
        if (method == RotationMethod::Small)
            CHECK(deviation(0.2) < 1e-7);
        else
            CHECK(deviation(0.2) / deviation(0.1) == Approx(2.).epsilon(0.25));
    }
}

TEST_CASE("The stiffness factor scales an element", "[fem]")
{
    const BoxMesh mesh(1, 1, 1, {1., 1., 1.});
    CorotationalHexahedra b;
    b.build(mesh.hexahedra, mesh.points, RotationMethod::Large);
    b.setMaterial(uniform({3., 2.}, 0.25));
    const auto whole = CorotationalHexahedra::integrate(unitCube(), {3., 2.});
    const auto quarter = b.stiffness(0);
    for (std::size_t r = 0; r < 24; ++r)
        for (std::size_t c = 0; c < 24; ++c) CHECK(std::abs(quarter[r][c] - 0.25 * whole[r][c]) < 1e-15 * whole[0][0]);
}

TEST_CASE("Cells of a grid share their stiffness, other elements do not", "[fem]")
{
    const BoxMesh grid(4, 3, 2, {0.4, 0.9, 1.4});
    CorotationalHexahedra b = body(grid, RotationMethod::Large);
    CHECK(b.nbStiffness() == 1);
    b.setMaterial([](Index e) -> CorotationalHexahedra::Material { return {{1., 1.}, e == 3 ? 0.5 : 1.}; });
    CHECK(b.nbStiffness() == 2);
    CHECK(b.stiffness(3)[0][0] == Approx(0.5 * b.stiffness(4)[0][0]));
    CHECK(body(jitteredBox(), RotationMethod::Large).nbStiffness() == 8);
}

TEST_CASE("The stiffness can follow the deformed shape", "[fem]")
{
    const BoxMesh mesh(1, 1, 1, {1., 1., 1.});
    CorotationalHexahedra b;
    b.build(mesh.hexahedra, mesh.points, RotationMethod::Large, true);
    b.setMaterial(uniform({0., 1.}));
    Mat3 stretch = Mat3::identity();
    stretch[0][0] = 2.;
    forces(b, mapped(mesh.points, stretch, {}));
    // Twice the volume; gradients along x are halved: 2 (2/9/4 + 1/9 + 1/9) μ.
    CHECK(b.stiffness(0)[0][0] == Approx(2. * (2. / 36. + 2. / 9.)));
}

TEST_CASE("Hexahedra that are flat or inside out are named", "[fem]")
{
    BoxMesh mesh(2, 1, 1, {2., 1., 1.});
    CorotationalHexahedra b;
    std::swap(mesh.hexahedra[1][0], mesh.hexahedra[1][4]);
    std::swap(mesh.hexahedra[1][1], mesh.hexahedra[1][5]);
    std::swap(mesh.hexahedra[1][2], mesh.hexahedra[1][6]);
    std::swap(mesh.hexahedra[1][3], mesh.hexahedra[1][7]);
    b.build(mesh.hexahedra, mesh.points, RotationMethod::Large);
    CHECK_THROWS_WITH(b.setMaterial(uniform({1., 1.})),
                      Catch::Contains("hexahedron 1") && Catch::Contains("inside out"));
    for (Vec3& p : mesh.points) p[2] = 0.;
    b.build(mesh.hexahedra, mesh.points, RotationMethod::Polar);
    CHECK_THROWS_WITH(b.setMaterial(uniform({1., 1.})), Catch::Contains("hexahedron 0") && Catch::Contains("flat"));
}

TEST_CASE("Hexahedra are bitwise the same for any number of threads and any instruction set", "[fem]")
{
    BoxMesh mesh(13, 13, 13, {1., 1., 1.});  // 2197 elements: above the limit of parallel evaluation
    const bool regular = GENERATE(true, false);
    if (!regular) mesh.jitter(0.01);
    Vector<Vec3> x = mapped(mesh.points, someRotation(), {1., 2., 3.});
    const Vector<Vec3> noise = randomVectors(x.size(), 0.02, 3), dx = randomVectors(x.size(), 0.1, 2);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    for (const Index v : mesh.hexahedra[77]) x[v] = x[mesh.hexahedra[77][0]];  // leaves the packs
    for (const auto method : allMethods)
        checkSameBits(x.size(), [&](Vector<Vec3>& f, BlockSink& k) {
            CorotationalHexahedra b = body(mesh, method);
            CHECK((b.nbStiffness() == 1) == regular);
            b.addForce(f, x);
            b.addStiffnessProduct(f, dx, 0.7);
            b.addStiffness(k);
        });
}

TEST_CASE("Hexahedra of several stiffnesses give the forces of each on its own", "[fem]")
{
    const BoxMesh mesh(5, 2, 2, {1., 1., 1.});
    const auto materialOf = [](Index e) -> CorotationalHexahedra::Material {
        return {{3., 2.}, e < 9 ? 1. : 0.1 * (1. + e % 3)};  // the first pack is uniform, the others are not
    };
    const Vector<Vec3> noise = randomVectors(mesh.points.size(), 0.05, 5);
    Vector<Vec3> x = mesh.points;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    CorotationalHexahedra all;
    all.build(mesh.hexahedra, mesh.points, RotationMethod::Polar);
    all.setMaterial(materialOf);
    CHECK(all.nbStiffness() == 4);
    Vector<Vec3> sum(x.size());
    for (Index e = 0; e < mesh.hexahedra.size(); ++e) {
        CorotationalHexahedra one;
        one.build({mesh.hexahedra[e]}, mesh.points, RotationMethod::Polar);
        one.setMaterial([&](Index) { return materialOf(e); });
        one.addForce(sum, x);
    }
    const Vector<Vec3> f = forces(all, x);
    CHECK(maxNorm(f) > 0.1);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(f[i] - sum[i]) < 1e-13 * maxNorm(f));
}

}  // namespace corotational_hexahedra_test
