// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/CorotationalTetrahedra.h"

#include "core/math/Decompositions.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/fem/elements/ElementChecks.h"

namespace corotational_tetrahedra_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

const auto allMethods = {RotationMethod::Small, RotationMethod::Large, RotationMethod::Polar, RotationMethod::Svd,
                         RotationMethod::DeformationGradient};
const auto corotational = {RotationMethod::Large, RotationMethod::Polar, RotationMethod::Svd,
                           RotationMethod::DeformationGradient};

CorotationalTetrahedra body(const BoxMesh& mesh, RotationMethod method, double young = 1000., double nu = 0.3)
{
    CorotationalTetrahedra b;
    b.build(mesh.tetrahedra, mesh.points, method);
    for (Index e = 0; e < b.size(); ++e) b.setMaterial(e, lameParameters(young, nu));
    return b;
}

/// ∂f/∂x by central differences.
Eigen::MatrixXd differences(CorotationalTetrahedra& b, const Vector<Vec3>& x)
{
    const double h = 1e-6;
    Eigen::MatrixXd k(3 * x.size(), 3 * x.size());
    for (std::size_t j = 0; j < 3 * x.size(); ++j) {
        Vector<Vec3> up = x, down = x;
        up[j / 3][j % 3] += h;
        down[j / 3][j % 3] -= h;
        k.col(static_cast<Eigen::Index>(j)) = (flatten(forces(b, up)) - flatten(forces(b, down))) / (2. * h);
    }
    forces(b, x);
    return k;
}

}  // namespace

TEST_CASE("A single tetrahedron has the stiffness of the strain-displacement matrix", "[fem]")
{
    // The shape functions of the unit tetrahedron are 1 − x − y − z, x, y, z; V = 1/6.
    CorotationalTetrahedra b;
    b.build({{0, 1, 2, 3}}, {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}, RotationMethod::Small);
    const LameParameters m{3., 2.};
    b.setMaterial(0, m);
    Eigen::MatrixXd strain = Eigen::MatrixXd::Zero(6, 12);
    const Vec3 n[4] = {{-1., -1., -1.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
    for (int i = 0; i < 4; ++i) {
        for (int c = 0; c < 3; ++c) strain(c, 3 * i + c) = n[i][c];
        strain(3, 3 * i) = strain(4, 3 * i + 2) = n[i][1];
        strain(3, 3 * i + 1) = strain(5, 3 * i + 2) = n[i][0];
        strain(4, 3 * i + 1) = strain(5, 3 * i) = n[i][2];
    }
    Eigen::MatrixXd d = Eigen::MatrixXd::Zero(6, 6);
    d.topLeftCorner(3, 3).setConstant(m.lambda);
    for (int i = 0; i < 3; ++i) {
        d(i, i) += 2. * m.mu;
        d(i + 3, i + 3) = m.mu;
    }
    const Eigen::MatrixXd expected = -strain.transpose() * d * strain / 6.;
    CHECK((stiffness(b) - expected).norm() < 1e-14 * expected.norm());
    CHECK(b.restVolume() == Approx(1. / 6.));

    const Vector<Vec3> u = randomVectors(4, 0.1, 3);
    Vector<Vec3> x = u;
    for (int i = 1; i < 4; ++i) x[i][i - 1] += 1.;
    CHECK((flatten(forces(b, x)) - expected * flatten(u)).norm() < 1e-14);
}

TEST_CASE("At rest there is no force", "[fem]")
{
    BoxMesh mesh = jitteredBox();
    for (const auto method : allMethods) {
        CorotationalTetrahedra b = body(mesh, method);
        // The deformation gradient is the identity up to rounding; the other frames are computed as at rest.
        const double rounding = method == RotationMethod::DeformationGradient ? 1e-11 : 0.;
        CHECK(maxNorm(forces(b, mesh.points)) <= rounding);
        CHECK(b.energy(mesh.points) <= rounding);
    }
}

TEST_CASE("Rigid motions cause no force with corotational methods", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    const Mat3 r = someRotation();
    const Vector<Vec3> moved = mapped(mesh.points, r, {3., -2., 5.});
    for (const auto method : corotational) {
        CorotationalTetrahedra b = body(mesh, method);
        CHECK(maxNorm(forces(b, moved)) < 1e-11);
        CHECK(b.energy(moved) < 1e-20);
        for (Index e = 0; e < b.size(); ++e) CHECK(norm(b.rotation(e) - r) < 1e-13);
    }
    CorotationalTetrahedra small = body(mesh, RotationMethod::Small);
    CHECK(maxNorm(forces(small, moved)) > 1.);
}

TEST_CASE("Forces and torques of a body are in balance", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    Vector<Vec3> x = mapped(mesh.points, someRotation(), {});
    const Vector<Vec3> noise = randomVectors(x.size(), 0.1, 5);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    for (const auto method : corotational) {
        CorotationalTetrahedra b = body(mesh, method);
        const Vector<Vec3> f = forces(b, x);
        CHECK(maxNorm(f) > 1.);
        Vec3 sum;
        for (const Vec3& v : f) sum += v;
        CHECK(norm(sum) < 1e-11);
    }
}

TEST_CASE("Linear displacements give constant stress", "[fem]")
{
    // The patch test: inner nodes carry no force, whatever the mesh.
    const BoxMesh mesh = patch();
    Mat3 f = Mat3::identity();
    f[0] = {1.1, 0.02, -0.03};
    f[1] = {0.02, 0.95, 0.01};
    f[2] = {-0.03, 0.01, 1.04};  // symmetric: the deformation is free of rotation
    const Vector<Vec3> x = mapped(mesh.points, f, {});
    CorotationalTetrahedra b = body(mesh, RotationMethod::Small);
    const Vector<Vec3> force = forces(b, x);
    CHECK(maxNorm(force) > 1.);
    for (std::size_t i = 0; i < x.size(); ++i)
        if (isInsidePatch(i)) CHECK(norm(force[i]) < 1e-12);
    const LameParameters m = lameParameters(1000., 0.3);
    const Mat3 stress = isotropicStress(f - Mat3::identity(), m.lambda, m.mu);
    for (Index e = 0; e < b.size(); ++e) {
        CHECK(norm(b.stress(e, b.corotatedGradient(e, x)) - stress) < 1e-10);
        CHECK(norm(b.displacementGradient(e, x) - (f - Mat3::identity())) < 1e-13);
    }
    CHECK(b.energy(x) == Approx(0.5 * doubleContraction(stress, f - Mat3::identity())));
}

TEST_CASE("The stiffness is symmetric, negative semi-definite and free for the six rigid motions only", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    for (const auto method : allMethods) {
        CorotationalTetrahedra b = body(mesh, method);
        forces(b, mapped(mesh.points, someRotation(), {}));
        checkFreeForRigidMotionsOnly(stiffness(b));
    }
}

TEST_CASE("Product and blocks are the same matrix", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    Vector<Vec3> x = mapped(mesh.points, someRotation(), {});
    const Vector<Vec3> noise = randomVectors(x.size(), 0.1, 5), dx = randomVectors(x.size(), 1., 6);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    for (const auto method : allMethods) {
        CorotationalTetrahedra b = body(mesh, method);
        forces(b, x);
        Vector<Vec3> df(x.size(), Vec3{1., 2., 3.});
        b.addStiffnessProduct(df, dx, 0.25);
        for (Vec3& v : df) v -= Vec3{1., 2., 3.};
        const Eigen::VectorXd expected = 0.25 * stiffness(b) * flatten(dx);
        CHECK((flatten(df) - expected).norm() < 1e-13 * expected.norm());
    }
}

TEST_CASE("The stiffness is the derivative of the force at rest, rotated or not", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    for (const auto method : allMethods) {
        CorotationalTetrahedra b = body(mesh, method);
        const Mat3 r = method == RotationMethod::Small ? Mat3::identity() : someRotation();
        const Vector<Vec3> x = mapped(mesh.points, r, {1., 2., 3.});
        const Eigen::MatrixXd d = differences(b, x), k = stiffness(b);
        CHECK(k.norm() > 1.);
        CHECK((d - k).norm() < 1e-7 * k.norm());
    }
}

TEST_CASE("Under strain, the neglected part of the derivative is of first order", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    const Vector<Vec3> direction = randomVectors(mesh.points.size(), 0.1, 9);
    for (const auto method : corotational) {
        CorotationalTetrahedra b = body(mesh, method);
        const auto deviation = [&](double strain) {
            Vector<Vec3> x = mesh.points;
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += direction[i] * strain;
            const Eigen::MatrixXd d = differences(b, x);
            return (d - stiffness(b)).norm() / d.norm();
        };
        const double coarse = deviation(0.2), fine = deviation(0.1);
        CHECK(fine > 1e-4);
        CHECK(coarse / fine == Approx(2.).epsilon(0.25));
    }
}

TEST_CASE("The force is minus the gradient of the energy up to second order in the strain", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    const Vector<Vec3> direction = randomVectors(mesh.points.size(), 0.1, 9);
    for (const auto method : allMethods) {
        CorotationalTetrahedra b = body(mesh, method);
        const auto deviation = [&](double strain) {
            Vector<Vec3> x = mesh.points;
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += direction[i] * strain;
            const Vector<Vec3> f = forces(b, x);
            const double h = 1e-6;
            double worst = 0.;
            for (std::size_t j = 0; j < 3 * x.size(); ++j) {
                Vector<Vec3> up = x, down = x;
                up[j / 3][j % 3] += h;
                down[j / 3][j % 3] -= h;
                worst = std::max(worst, std::abs((b.energy(up) - b.energy(down)) / (2. * h) + f[j / 3][j % 3]));
            }
            CHECK(maxNorm(f) > 1.);
            return worst / maxNorm(f);
        };
        if (method == RotationMethod::Small || method == RotationMethod::DeformationGradient) {
            CHECK(deviation(0.2) < 1e-7);
        } else {
            const double coarse = deviation(0.2), fine = deviation(0.1);
            CHECK(fine > 1e-5);
            CHECK(coarse / fine == Approx(2.).epsilon(0.25));
        }
    }
}

TEST_CASE("Inverted elements: svd pushes back with a proper rotation, polar does not", "[fem]")
{
    const Vector<Vec3> rest{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
    Vector<Vec3> x = rest;
    x[3][2] = -0.5;
    const auto tip = [&](RotationMethod method) {
        CorotationalTetrahedra b;
        b.build({{0, 1, 2, 3}}, rest, method);
        b.setMaterial(0, lameParameters(100., 0.3));
        const Vector<Vec3> f = forces(b, x);
        CHECK(determinant(b.rotation(0)) == Approx(method == RotationMethod::Svd ? 1. : -1.));
        return f[3][2];
    };
    CHECK(tip(RotationMethod::Svd) > 1.);
    CHECK(std::abs(tip(RotationMethod::Polar)) < std::abs(tip(RotationMethod::Svd)));
}

TEST_CASE("Elements numbered with negative volume carry the same forces", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    BoxMesh swapped = mesh;
    for (Tetrahedron& t : swapped.tetrahedra) std::swap(t[2], t[3]);
    const Vector<Vec3> noise = randomVectors(mesh.points.size(), 0.05, 4);
    Vector<Vec3> x = mesh.points;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    for (const auto method : {RotationMethod::Small, RotationMethod::Polar}) {
        CorotationalTetrahedra a = body(mesh, method), b = body(swapped, method);
        CHECK(a.nbInverted() == 0);
        CHECK(b.nbInverted() == b.size());
        const Vector<Vec3> fa = forces(a, x), fb = forces(b, x);
        CHECK(maxNorm(fa) > 1.);
        for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(fa[i] - fb[i]) < 1e-11);
        CHECK((stiffness(a) - stiffness(b)).norm() < 1e-11 * stiffness(a).norm());
    }
}

TEST_CASE("A flat element is named", "[fem]")
{
    CorotationalTetrahedra b;
    const Vector<Vec3> rest{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {1., 1., 0.}, {0., 0., 1.}};
    CHECK_THROWS_WITH(b.build({{0, 1, 2, 4}, {0, 1, 2, 3}}, rest, RotationMethod::Large),
                      Catch::Contains("tetrahedron 1") && Catch::Contains("0 1 2 3") && Catch::Contains("no volume"));
    CHECK_THROWS_WITH(b.build({{0, 1, 1, 4}}, rest, RotationMethod::Polar), Catch::Contains("no volume"));
}

TEST_CASE("Strain beyond the threshold becomes plastic", "[fem]")
{
    const Vector<Vec3> rest{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
    CorotationalTetrahedra b;
    b.build({{0, 1, 2, 3}}, rest, RotationMethod::Small);
    b.setMaterial(0, lameParameters(100., 0.));
    b.setPlasticity({.maxThreshold = 0.15, .yieldThreshold = 0.05, .creep = 0.5});
    const auto pull = [&](double stretch) {
        Vector<Vec3> x = rest;
        x[1][0] += stretch;
        return -forces(b, x)[1][0];
    };
    // 6 V = 1 and ν = 0: the force on the pulled vertex is E V times the elastic strain.
    const double stiff = 100. / 6.;
    CHECK(pull(0.04) == Approx(stiff * 0.04));  // elastic
    CHECK(b.plasticStrain()[0][0] == 0.);
    CHECK(pull(0.08) == Approx(stiff * (0.08 - 0.04)));  // half of 0.08 creeps
    CHECK(b.plasticStrain()[0][0] == Approx(0.04));
    CHECK(pull(0.04) == Approx(0.).margin(1e-12));   // nothing is left at the new rest shape
    CHECK(pull(1.) == Approx(stiff * (1. - 0.15)));  // the plastic strain is limited
    b.clearPlasticStrain();
    CHECK(pull(0.04) == Approx(stiff * 0.04));
}

TEST_CASE("Plastic strains of packs are those of the law, and forces belong to what is left", "[fem]")
{
    // Elements of their own: each has the forces of its vertices for itself, Σ_k f_k ⊗ (X_k − X₀) = −V Q σ Q₀ᵀ. The
    // last pack is not full.
    constexpr Index count = 21;
    constexpr double maxThreshold = 0.06, yieldThreshold = 0.02, creep = 0.4;
    const LameParameters material = lameParameters(100., 0.3);
    Vector<Vec3> rest;
    Vector<Tetrahedron> elements;
    const Vector<Vec3> noise = randomVectors(4 * count, 0.2, 8);
    for (Index e = 0; e < count; ++e) {
        for (const Vec3& corner : {Vec3{0., 0., 0.}, Vec3{1., 0., 0.}, Vec3{0., 1., 0.}, Vec3{0., 0., 1.}})
            rest.push_back(corner + noise[rest.size()]);
        elements.push_back({4 * e, 4 * e + 1, 4 * e + 2, 4 * e + 3});
    }
    const Mat3 turn = someRotation();
    for (const auto method : allMethods) {
        std::vector<Vector<Vec3>> results;
        for (const auto& [threads, level] :
             {std::pair{1u, SimdLevel::scalar}, std::pair{2u, SimdLevel::avx2}, std::pair{3u, SimdLevel::avx512}}) {
            setThreadCount(threads);
            setSimdLevel(level);
            CorotationalTetrahedra b;
            b.build(elements, rest, method);
            for (Index e = 0; e < count; ++e) b.setMaterial(e, material);
            b.setPlasticity({maxThreshold, yieldThreshold, creep});
            Vector<Vec6> expected(count);
            int yielding = 0, limited = 0;
            Vector<Vec3> f;
            for (const unsigned step : {1u, 2u, 3u}) {
                Vector<Vec3> x = method == RotationMethod::Small ? rest : mapped(rest, turn, {1., 2., 3.});
                const Vector<Vec3> moved = randomVectors(x.size(), 0.02 * step, step);
                for (std::size_t i = 0; i < x.size(); ++i) x[i] += moved[i];
                f = forces(b, x);
                for (Index e = 0; e < count; ++e) {
                    const double v6 = 6. * b.restVolume(e);
                    const Mat3 g = b.corotatedGradient(e, x);
                    const Vec6 total =
                        Vec6{g[0][0], g[1][1], g[2][2], g[0][1] + g[1][0], g[1][2] + g[2][1], g[2][0] + g[0][2]} * v6;
                    Vec6& plastic = expected[e];
                    if (norm(total - plastic) > yieldThreshold) {
                        plastic += (total - plastic) * creep;
                        ++yielding;
                    }
                    if (norm(plastic) > maxThreshold) {
                        plastic *= maxThreshold / norm(plastic);
                        ++limited;
                    }
                    CHECK(norm(b.plasticStrain()[e] - plastic) < 1e-13);
                    const Vec6 left = (total - plastic) * (1. / v6);
                    const Mat3 strain = Mat3::fromRows(Vec3{left[0], left[3] / 2., left[5] / 2.},
                                                       Vec3{left[3] / 2., left[1], left[4] / 2.},
                                                       Vec3{left[5] / 2., left[4] / 2., left[2]});
                    const Mat3 sigma = isotropicStress(strain, material.lambda, material.mu) * b.restVolume(e);
                    Mat3 virial;
                    for (std::size_t k = 1; k < 4; ++k) virial -= outer(f[4 * e + k], rest[4 * e + k] - rest[4 * e]);
                    virial = b.rotation(e).transposed() * virial;  // Q₀ V σ Q₀ᵀ
                    const double size = std::sqrt(doubleContraction(sigma, sigma));
                    CHECK(virial[0][0] + virial[1][1] + virial[2][2] ==
                          Approx(sigma[0][0] + sigma[1][1] + sigma[2][2]).margin(1e-12 * size));
                    CHECK(doubleContraction(virial, virial) == Approx(size * size));
                    CHECK(determinant(virial) == Approx(determinant(sigma)).margin(1e-11 * size * size * size));
                }
            }
            CHECK(yielding > 10);
            CHECK(limited > 3);
            results.push_back(f);
        }
        setThreadCount(0);
        setSimdLevel(bestSimdLevel());
        for (const auto& r : results) CHECK(r == results[0]);
    }
}

TEST_CASE("Results are bitwise the same for any number of threads and any instruction set", "[fem]")
{
    BoxMesh mesh(8, 8, 9, {1., 1., 1.});  // above the limit of parallel evaluation
    mesh.jitter(0.02);
    const bool shuffle = GENERATE(false, true);
    if (shuffle) renumber<4>(mesh.tetrahedra, static_cast<Index>(mesh.points.size()));
    if (shuffle) {
        Vector<Vec3> points = mesh.points;
        const Vector<Index> number = randomNumbers(static_cast<Index>(points.size()));
        for (std::size_t v = 0; v < points.size(); ++v) mesh.points[number[v]] = points[v];
    }
    Vector<Vec3> x = mapped(mesh.points, someRotation(), {1., 2., 3.});
    const Vector<Vec3> dx = randomVectors(x.size(), 0.1, 2), noise = randomVectors(x.size(), 0.04, 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    x[100] = x[101];  // degenerate elements leave the packs
    for (const auto method : allMethods)
        checkSameBits(x.size(), [&](Vector<Vec3>& f, BlockSink& k) {
            CorotationalTetrahedra b = body(mesh, method);
            b.addForce(f, x);
            b.addStiffnessProduct(f, dx, 0.7);
            b.addStiffness(k);
            f.push_back({b.energy(x), 0., 0.});
        });
}

TEST_CASE("The numbering of the vertices changes neither forces nor, up to rounding, the stiffness", "[fem]")
{
    BoxMesh mesh(8, 9, 10, {1., 1., 1.});
    mesh.jitter(0.02);
    const auto points = static_cast<Index>(mesh.points.size());
    Vector<Vec3> x = mapped(mesh.points, someRotation(), {1., 2., 3.});
    const Vector<Vec3> dx = randomVectors(x.size(), 0.1, 2), noise = randomVectors(x.size(), 0.03, 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    x[100] = x[101];  // degenerate elements leave the packs
    const Vector<Index> number = randomNumbers(points);
    const auto renumbered = [&](const Vector<Vec3>& v) {
        Vector<Vec3> r(v.size());
        for (Index k = 0; k < points; ++k) r[number[k]] = v[k];
        return r;
    };
    BoxMesh other = mesh;
    other.points = renumbered(mesh.points);
    for (Tetrahedron& t : other.tetrahedra)
        for (Index& v : t) v = number[v];
    const auto matrix = [&](const CorotationalTetrahedra& b, const Vector<Vec3>& v) {  // K v by blocks
        struct Product final : BlockSink
        {
            explicit Product(const Vector<Vec3>& in) : v(in), sum(in.size()) {}
            void addBlock(Index i, Index j, const double* block, std::size_t, std::size_t) override
            {
                for (std::size_t r = 0; r < 3; ++r)
                    for (std::size_t c = 0; c < 3; ++c) sum[i][r] += block[3 * r + c] * v[j][c];
            }
            const Vector<Vec3>& v;
            Vector<Vec3> sum;
        } product(v);
        b.addStiffness(product);
        return product.sum;
    };
    for (const auto method : allMethods)
        for (const unsigned threads : {1u, 3u}) {
            setThreadCount(threads);
            CorotationalTetrahedra a = body(mesh, method), b = body(other, method);
            CHECK(a.graph().order().elements.empty());
            REQUIRE(!b.graph().order().rank.empty());
            CHECK(renumbered(forces(a, x)) == forces(b, renumbered(x)));
            Vector<Vec3> fa(x.size()), fb(x.size());
            a.addStiffnessProduct(fa, dx, 0.7);
            b.addStiffnessProduct(fb, renumbered(dx), 0.7);
            CHECK(renumbered(fa) == fb);
            const Vector<Vec3> ka = renumbered(matrix(a, dx)), kb = matrix(b, renumbered(dx));
            double worst = 0.;
            for (Index v = 0; v < points; ++v) worst = std::max(worst, norm(ka[v] - kb[v]));
            CHECK(worst < 1e-13 * maxNorm(ka) + 1e-11);
            CHECK(a.energy(x) == b.energy(renumbered(x)));
            for (const Index e : {Index(0), Index(1234), a.size() - 1}) {
                CHECK(a.rotation(e) == b.rotation(e));
                CHECK(a.restVolume(e) == b.restVolume(e));
            }
            for (const bool green : {false, true}) {
                Vector<double> sa, sb;
                a.vonMisesStresses(x, green, sa);
                b.vonMisesStresses(renumbered(x), green, sb);
                CHECK(sa == sb);
            }
        }
    setThreadCount(0);
}

TEST_CASE("Elements with plasticity that do not yield have elastic forces", "[fem]")
{
    const BoxMesh mesh = jitteredBox();
    Vector<Vec3> x = mapped(mesh.points, someRotation(), {1., 2., 3.});
    const Vector<Vec3> noise = randomVectors(x.size(), 0.1, 5);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    for (const auto method : allMethods) {
        CorotationalTetrahedra elastic = body(mesh, method), other = body(mesh, method);
        other.setPlasticity({.maxThreshold = 1., .yieldThreshold = 1e3, .creep = 0.});
        const Vector<Vec3> fp = forces(elastic, x), fs = forces(other, x);
        CHECK(maxNorm(fp) > 1.);
        for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(fp[i] - fs[i]) < 1e-12 * maxNorm(fp));
        CHECK((stiffness(elastic) - stiffness(other)).norm() < 1e-13 * stiffness(elastic).norm());
    }
}

TEST_CASE("Updated gradients follow the deformed shape", "[fem]")
{
    // A tetrahedron stretched by s along x, method polar: areas normal to y and z grow by s, those normal to x do not.
    const Vector<Vec3> rest{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
    CorotationalTetrahedra b;
    b.build({{0, 1, 2, 3}}, rest, RotationMethod::Polar, true);
    b.setMaterial(0, {0., 1.});
    const double s = 1.5;
    Vector<Vec3> x = rest;
    x[1][0] = s;
    forces(b, x);
    const Eigen::MatrixXd k = stiffness(b);
    CHECK(k(3, 3) == Approx(-2. / 6.));          // −V 2 μ g_x², g_x = 1
    CHECK(k(7, 7) == Approx(-2. * s * s / 6.));  // g_y = s
    CHECK(norm(b.rotation(0) - Mat3::identity()) < 1e-14);
}

TEST_CASE("the von Mises stresses of all elements at once are those of each, on any instruction set", "[fem]")
{
    BoxMesh mesh = jitteredBox();
    for (const RotationMethod method : allMethods) {
        CorotationalTetrahedra b = body(mesh, method);
        Vector<Vec3> x = mapped(mesh.points, someRotation(), {1., 2., 3.});
        const auto noise = randomVectors(x.size(), 0.1, 3);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
        x[3] = x[1];  // collapsed elements
        for (const bool green : {false, true}) {
            Vector<double> all;
            b.vonMisesStresses(x, green, all);
            REQUIRE(all.size() == b.size());
            double worst = 0., largest = 0.;
            for (Index e = 0; e < b.size(); ++e) {
                Mat3 strain = b.corotatedGradient(e, x);
                if (green) {
                    const Mat3 g = b.displacementGradient(e, x);
                    strain = (g + g.transposed() + g.transposed() * g) * 0.5;
                }
                const double one = vonMisesStress(b.stress(e, strain));
                worst = std::max(worst, std::abs(one - all[e]));
                largest = std::max(largest, one);
            }
            CHECK(largest > 1.);
            CHECK(worst < 1e-11 * largest);
            for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512}) {
                setSimdLevel(level);
                Vector<double> other;
                b.vonMisesStresses(x, green, other);
                CHECK(other == all);
            }
            setSimdLevel(bestSimdLevel());
        }
    }
}

}  // namespace corotational_tetrahedra_test
