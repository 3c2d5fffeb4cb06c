// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BoxGrid.h"

#include "core/fem/elements/CorotationalHexahedra.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/fem/FemTestUtilities.h"
#include "tests/harness/AllocationCounter.h"

namespace box_grid_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

CorotationalHexahedra body(const BoxMesh& mesh)
{
    CorotationalHexahedra b;
    b.build(mesh.hexahedra, mesh.points, RotationMethod::Large);
    b.setMaterial([](Index) -> CorotationalHexahedra::Material { return {{3., 2.}, 1.}; });
    return b;
}

/// ρV of the consistent mass of a box: 8/216, 4/216, 2/216 or 1/216 for vertices that differ in 0 .. 3 directions.
Mat<8> massOfBox(double m)
{
    constexpr int positive[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    Mat<8> r;
    for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t w = 0; w < 8; ++w) {
            r[v][w] = m * 8. / 216.;
            for (std::size_t c = 0; c < 3; ++c)
                if (positive[v][c] != positive[w][c]) r[v][w] /= 2.;
        }
    return r;
}

SystemTerms someTerms(const BoxMesh& mesh)
{
    SystemTerms t;
    t.stiffness = -0.7;
    t.elementMass = massOfBox(5.);
    for (std::size_t i = 0; i < mesh.points.size(); ++i) t.pointMass.push_back(1. + 0.01 * static_cast<double>(i % 17));
    t.fixed = {4, 0, 3 * mesh.points.size() - 2};
    return t;
}

Vector<double> multiply(MatrixFreeOperator& product, const Vector<Vec3>& dx)
{
    Vector<double> p(product.size(), 1e300), q(product.size(), 1e300), result(3 * dx.size());
    product.load(dx[0].data(), p.data());
    (void)product.multiply(p, q);
    product.store(q.data(), result.data());
    // What is no number of the state stays zero.
    Vector<double> again(product.size());
    product.load(result.data(), again.data());
    CHECK(again == q);
    return result;
}

/// The same with the products of the elements one by one.
Vector<double> expected(const CorotationalHexahedra& b, const BoxMesh& mesh, const SystemTerms& t,
                        const Vector<Vec3>& dx)
{
    Vector<Vec3> q(dx.size());
    for (Index e = 0; e < b.size(); ++e) {
        // The frame of a rest shape along the axes is the identity.
        const Hexahedron& h = mesh.hexahedra[e];
        const Mat3 turn = b.rotation(e);
        Vec<24> u;
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3 d = transposeTimes(turn, dx[h[i]]);
            for (std::size_t c = 0; c < 3; ++c) u[3 * i + c] = d[c];
        }
        const Vec<24> f = b.stiffness(e) * u;
        for (std::size_t i = 0; i < 8; ++i) {
            q[h[i]] -= turn * Vec3{f[3 * i], f[3 * i + 1], f[3 * i + 2]} * t.stiffness;
            for (std::size_t j = 0; j < 8; ++j) q[h[i]] += dx[h[j]] * t.elementMass[i][j];
        }
    }
    Vector<double> r;
    for (std::size_t i = 0; i < q.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
            r.push_back(q[i][c] + (t.pointMass.empty() ? 0. : t.pointMass[i] * dx[i][c]));
    for (const std::size_t k : t.fixed) r[k] = 0.;
    return r;
}

double deviation(const Vector<double>& a, const Vector<double>& b)
{
    double worst = 0., largest = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(a[i] - b[i]));
        largest = std::max(largest, std::abs(b[i]));
    }
    return worst / largest;
}

/// A rotated and shaken mesh.
Vector<Vec3> deformed(const BoxMesh& mesh)
{
    Vector<Vec3> x = mapped(mesh.points, someRotation(), {1., 2., 3.});
    const Vector<Vec3> noise = randomVectors(x.size(), 0.02, 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    return x;
}

}  // namespace

TEST_CASE("Products of a grid of boxes are those of their matrices and masses", "[fem]")
{
    // Lines along each axis; with unused lanes, with none, with a last point of its own; several chunks.
    const auto cells = GENERATE(std::array{1, 1, 1}, std::array{3, 3, 19}, std::array{2, 15, 3}, std::array{16, 2, 2},
                                std::array{8, 1, 1}, std::array{7, 2, 3}, std::array{14, 15, 31});
    const BoxMesh mesh(static_cast<Index>(cells[0]), static_cast<Index>(cells[1]), static_cast<Index>(cells[2]),
                       {2., 1.5, 3.});
    CorotationalHexahedra b = body(mesh);
    const Vector<Vec3> dx = randomVectors(mesh.points.size(), 1., 6);
    MatrixFreeOperator* product = b.matrixFreeOperator();
    REQUIRE(product);
    for (const bool rotated : {false, true}) {
        Vector<Vec3> f(dx.size());
        if (rotated) b.addForce(f, deformed(mesh));
        SystemTerms terms = someTerms(mesh);
        for (int k = 0; k < 4; ++k) {
            if (k == 1) terms.pointMass.clear();
            if (k == 2) terms.elementMass = {};
            if (k == 3) terms.fixed.clear();
            REQUIRE(b.matrixFreeOperator() == product);
            product->prepare(terms);
            CHECK(deviation(multiply(*product, dx), expected(b, mesh, terms, dx)) < 2e-13);
        }
    }
}

TEST_CASE("Products of a grid of boxes have the same bits for all threads and instruction sets", "[fem]")
{
    // The last pack of a row is full, half full (some sets end there) or neither.
    const auto cells = GENERATE(std::array{2, 2, 3}, std::array{3, 3, 20}, std::array{2, 3, 18}, std::array{2, 2, 16},
                                std::array{17, 18, 23});
    const BoxMesh mesh(static_cast<Index>(cells[0]), static_cast<Index>(cells[1]), static_cast<Index>(cells[2]),
                       {1., 1., 1.});
    const Vector<Vec3> x = deformed(mesh), dx = randomVectors(x.size(), 1., 2);
    std::vector<Vector<double>> results;
    for (const auto& [threads, level] :
         {std::pair{1u, SimdLevel::scalar}, std::pair{2u, SimdLevel::avx2}, std::pair{3u, SimdLevel::avx512},
          std::pair{4u, SimdLevel::scalar}, std::pair{1u, SimdLevel::avx512}}) {
        setThreadCount(threads);
        setSimdLevel(level);
        CorotationalHexahedra b = body(mesh);
        Vector<Vec3> f(x.size());
        b.addForce(f, x);
        MatrixFreeOperator* product = b.matrixFreeOperator();
        REQUIRE(product);
        product->prepare(someTerms(mesh));
        results.push_back(multiply(*product, dx));
    }
    setThreadCount(0);
    setSimdLevel(bestSimdLevel());
    CHECK(deviation(results[0], Vector<double>(results[0].size(), 1e-3)) > 1.);
    for (const auto& r : results) CHECK(r == results[0]);
}

TEST_CASE("Grids may be numbered along any axis first, with elements in any order", "[fem]")
{
    BoxMesh mesh(3, 4, 11, {2., 1.5, 3.});
    const std::size_t nx = 4, ny = 5, nz = 12;
    // z first, then x, then y.
    const auto number = [&](std::size_t v) {
        const std::size_t i = v % nx, j = v / nx % ny, k = v / nx / ny;
        return static_cast<Index>(k + nz * (i + nx * j));
    };
    const BoxMesh plain = mesh;
    for (std::size_t v = 0; v < plain.points.size(); ++v) mesh.points[number(v)] = plain.points[v];
    for (Hexahedron& h : mesh.hexahedra)
        for (Index& v : h) v = number(v);
    std::reverse(mesh.hexahedra.begin(), mesh.hexahedra.end());
    CorotationalHexahedra b = body(mesh);
    const Vector<Vec3> dx = randomVectors(mesh.points.size(), 1., 6);
    Vector<Vec3> f(dx.size());
    b.addForce(f, deformed(mesh));
    MatrixFreeOperator* product = b.matrixFreeOperator();
    REQUIRE(product);
    const SystemTerms terms = someTerms(mesh);
    product->prepare(terms);
    CHECK(deviation(multiply(*product, dx), expected(b, mesh, terms, dx)) < 2e-13);
}

TEST_CASE("What is no grid of equal boxes has no product of its own", "[fem]")
{
    const BoxMesh mesh(3, 3, 4, {1., 1., 1.});
    CHECK(body(mesh).matrixFreeOperator());
    BoxMesh other = mesh;
    other.hexahedra.pop_back();
    CHECK_FALSE(body(other).matrixFreeOperator());
    other = mesh;
    other.hexahedra.back() = other.hexahedra.front();  // one twice
    CHECK_FALSE(body(other).matrixFreeOperator());
    other = mesh;
    other.points.push_back({9., 9., 9.});  // a point of no element
    CHECK_FALSE(body(other).matrixFreeOperator());
    other = mesh;
    renumber(other.hexahedra, static_cast<Index>(other.points.size()));
    Vector<Vec3> moved(mesh.points.size());
    const Vector<Index> numbers = randomNumbers(static_cast<Index>(mesh.points.size()));
    for (std::size_t i = 0; i < moved.size(); ++i) moved[numbers[i]] = mesh.points[i];
    other.points = moved;
    CHECK(body(other).hasBoxProducts());
    CHECK_FALSE(body(other).matrixFreeOperator());
    other = mesh;
    other.jitter(0.05);
    CHECK_FALSE(body(other).matrixFreeOperator());
}

TEST_CASE("The mass of a box is a number for each mode, other masses are not taken", "[fem]")
{
    std::array<double, 8> modes{};
    REQUIRE(BoxGrid::modesOfMass(massOfBox(64.), modes));
    // 1 for the translation, a third for each sign that changes.
    for (const auto& [mode, value] : {std::pair{0, 1.}, {1, 1. / 3.}, {3, 1. / 9.}, {6, 1. / 9.}, {7, 1. / 27.}})
        CHECK(modes[static_cast<std::size_t>(mode)] == Approx(value));
    Mat<8> mass = massOfBox(1.);
    mass[2][2] *= 1.5;
    const BoxMesh mesh(3, 2, 2, {1., 1., 1.});
    CorotationalHexahedra b = body(mesh);
    MatrixFreeOperator* product = b.matrixFreeOperator();
    CHECK(product->takes(massOfBox(3.)));
    CHECK(product->takes({}));
    CHECK_FALSE(product->takes(mass));
    SystemTerms terms = someTerms(mesh);
    terms.elementMass = mass;
    CHECK_THROWS_WITH(product->prepare(terms), Catch::Contains("mass of the elements"));
    mass[0][0] = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(product->takes(mass));
}

TEST_CASE("Products of a grid of boxes do not allocate", "[fem]")
{
    const BoxMesh mesh(3, 3, 19, {1., 1., 1.});
    CorotationalHexahedra b = body(mesh);
    const Vector<Vec3> x = deformed(mesh);
    Vector<Vec3> f(x.size());
    const SystemTerms terms = someTerms(mesh);
    Vector<double> p(b.matrixFreeOperator()->size(), 1.), q(p.size());
    const auto step = [&] {
        b.addForce(f, x);
        MatrixFreeOperator* product = b.matrixFreeOperator();
        product->prepare(terms);
        (void)product->multiply(p, q);
    };
    step();
    const std::size_t before = allocationCount();
    step();
    CHECK(allocationCount() == before);
}

}  // namespace box_grid_test
