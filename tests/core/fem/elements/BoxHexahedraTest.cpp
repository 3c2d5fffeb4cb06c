// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BoxHexahedra.h"

#include "core/fem/elements/CorotationalHexahedra.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/fem/FemTestUtilities.h"

namespace box_hexahedra_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Stiffness of a box with the given edges.
Mat<24> stiffnessOfBox(const Vec3& l, const LameParameters& m = {3., 2.})
{
    CorotationalHexahedra::Nodes nodes;
    constexpr int positive[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t c = 0; c < 3; ++c) nodes[i][c] = positive[i][c] * l[c];
    return CorotationalHexahedra::integrate(nodes, m);
}

CorotationalHexahedra body(const BoxMesh& mesh, RotationMethod method)
{
    CorotationalHexahedra b;
    b.build(mesh.hexahedra, mesh.points, method);
    b.setMaterial([](Index) -> CorotationalHexahedra::Material { return {{3., 2.}, 1.}; });
    return b;
}

/// Σ −factor Eᵀ K E dx, element by element.
Vector<Vec3> plainProduct(const CorotationalHexahedra& b, const BoxMesh& mesh, const Mat3& frame,
                          const Vector<Vec3>& dx, double factor)
{
    Vector<Vec3> df(dx.size());
    for (Index e = 0; e < b.size(); ++e) {
        const auto& h = mesh.hexahedra[e];
        Vec<24> u;
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3 d = frame * dx[h[i]];
            for (std::size_t c = 0; c < 3; ++c) u[3 * i + c] = d[c];
        }
        const Vec<24> f = b.stiffness(e) * u;
        for (std::size_t i = 0; i < 8; ++i)
            df[h[i]] -= transposeTimes(frame, Vec3{f[3 * i], f[3 * i + 1], f[3 * i + 2]}) * factor;
    }
    return df;
}

double deviation(const Vector<Vec3>& a, const Vector<Vec3>& b)
{
    double worst = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, norm(a[i] - b[i]));
    return worst / maxNorm(b);
}

}  // namespace

TEST_CASE("Boxes have a stiffness that their reflections split, other hexahedra have not", "[fem]")
{
    CHECK(BoxHexahedra::modesOf(stiffnessOfBox({1., 1., 1.})));
    CHECK(BoxHexahedra::modesOf(stiffnessOfBox({0.3, 2., 0.7})));
    Mat<24> k = stiffnessOfBox({0.3, 2., 0.7});
    k[4][20] += 1e-9;
    k[20][4] += 1e-9;
    CHECK_FALSE(BoxHexahedra::modesOf(k));
    k[4][20] = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(BoxHexahedra::modesOf(k));
    auto nodes =
        CorotationalHexahedra::Nodes{Vec3{0., 0., 0.},  Vec3{1., 0., 0.},  Vec3{1., 1., 0.},  Vec3{0., 1., 0.},
                                     Vec3{0.1, 0., 1.}, Vec3{1.1, 0., 1.}, Vec3{1.1, 1., 1.}, Vec3{0.1, 1., 1.}};
    CHECK_FALSE(BoxHexahedra::modesOf(CorotationalHexahedra::integrate(nodes, {3., 2.})));
    // Uniform stretch along x of the unit cube: mode 4 of u_x is 4, the energy (λ + 2μ)/2 = û K̂ û / 2.
    const auto numbers = *BoxHexahedra::modesOf(stiffnessOfBox({1., 1., 1.}));
    CHECK(numbers[0] * 16. == Approx(3. + 2. * 2.));
    CHECK(numbers[1] * 16. == Approx(3.));  // λ couples it with the stretch along y
    // Shear u_x = y: modes 2 of u_x and 4 of u_y; the energy of either is μ/2, and so is what they share.
    CHECK(numbers[6] * 16. == Approx(2.));
    CHECK(numbers[7] * 16. == Approx(2.));
}

TEST_CASE("Products of equal boxes are those of their matrices", "[fem]")
{
    // Fewer elements than a pack has lanes, one chunk, and several.
    const auto size = GENERATE(std::array{1, 1, 1}, std::array{5, 1, 1}, std::array{3, 3, 19}, std::array{13, 14, 15});
    const BoxMesh mesh(static_cast<Index>(size[0]), static_cast<Index>(size[1]), static_cast<Index>(size[2]),
                       {2., 1.5, 3.});
    const Vector<Vec3> dx = randomVectors(mesh.points.size(), 1., 6);
    for (const auto method : {RotationMethod::Small, RotationMethod::Large, RotationMethod::Polar}) {
        CorotationalHexahedra b = body(mesh, method);
        CHECK(b.hasBoxProducts());
        Vector<Vec3> df(dx.size());
        b.addStiffnessProduct(df, dx, 0.7);
        CHECK(deviation(df, plainProduct(b, mesh, Mat3::identity(), dx, 0.7)) < 1e-13);
        // After each evaluation of forces with the frames of that.
        for (const double angle : {1., 2.}) {
            Mat3 r = someRotation();
            if (angle == 2.) r = r * someRotation();
            Vector<Vec3> f(dx.size());
            b.addForce(f, mapped(mesh.points, r, {1., 2., 3.}));
            df.assign(dx.size(), {});
            b.addStiffnessProduct(df, dx, 0.7);
            const Mat3 frame = method == RotationMethod::Small ? Mat3::identity() : r.transposed();
            CHECK(deviation(df, plainProduct(b, mesh, frame, dx, 0.7)) < 1e-12);
        }
    }
}

TEST_CASE("Products of equal boxes have the same bits for all threads and instruction sets", "[fem]")
{
    const bool large = GENERATE(false, true);
    const BoxMesh mesh = large ? BoxMesh(17, 18, 19, {1., 1., 1.}) : BoxMesh(2, 2, 3, {1., 1., 1.});
    Vector<Vec3> x = mapped(mesh.points, someRotation(), {1., 2., 3.});
    const Vector<Vec3> noise = randomVectors(x.size(), 0.01, 3), dx = randomVectors(x.size(), 1., 2);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    std::vector<Vector<Vec3>> results;
    for (const auto& [threads, level] :
         {std::pair{1u, SimdLevel::scalar}, std::pair{2u, SimdLevel::avx2}, std::pair{3u, SimdLevel::avx512},
          std::pair{4u, SimdLevel::scalar}, std::pair{1u, SimdLevel::avx512}}) {
        setThreadCount(threads);
        setSimdLevel(level);
        CorotationalHexahedra b = body(mesh, RotationMethod::Large);
        CHECK(b.hasBoxProducts());
        Vector<Vec3> f(x.size());
        b.addForce(f, x);
        results.emplace_back(x.size(), Vec3{0.1, 0.2, 0.3});
        b.addStiffnessProduct(results.back(), dx, 0.7);
    }
    setThreadCount(0);
    setSimdLevel(bestSimdLevel());
    CHECK(std::isfinite(maxNorm(results[0])));
    for (const auto& r : results) CHECK(r == results[0]);
}

TEST_CASE("Elements that differ, change or are numbered badly have products of their own", "[fem]")
{
    BoxMesh mesh(2, 2, 2, {1., 1., 1.});
    CorotationalHexahedra b;
    b.build(mesh.hexahedra, mesh.points, RotationMethod::Large);
    CHECK_FALSE(b.hasBoxProducts());  // no material yet
    b.setMaterial([](Index e) -> CorotationalHexahedra::Material { return {{3., 2.}, e == 3 ? 0.5 : 1.}; });
    CHECK_FALSE(b.hasBoxProducts());
    b.build(mesh.hexahedra, mesh.points, RotationMethod::Large, true);
    b.setMaterial([](Index) -> CorotationalHexahedra::Material { return {{3., 2.}, 1.}; });
    CHECK_FALSE(b.hasBoxProducts());
    mesh.jitter(0.1);
    CHECK_FALSE(body(mesh, RotationMethod::Large).hasBoxProducts());
    // Elements in an order in which each chunk spans the whole mesh.
    BoxMesh shuffled(40, 30, 20, {4., 3., 2.});
    CHECK(body(shuffled, RotationMethod::Large).hasBoxProducts());
    Vector<Hexahedron> other;
    for (std::size_t k = 0; k < 97; ++k)
        for (std::size_t e = k; e < shuffled.hexahedra.size(); e += 97) other.push_back(shuffled.hexahedra[e]);
    shuffled.hexahedra = other;
    CorotationalHexahedra bad = body(shuffled, RotationMethod::Large);
    CHECK_FALSE(bad.hasBoxProducts());
    const Vector<Vec3> dx = randomVectors(shuffled.points.size(), 1., 6);
    Vector<Vec3> df(dx.size());
    bad.addStiffnessProduct(df, dx, 0.7);
    CHECK(deviation(df, plainProduct(bad, shuffled, Mat3::identity(), dx, 0.7)) < 1e-13);
}

}  // namespace box_hexahedra_test
