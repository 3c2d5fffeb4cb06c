// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/LinearHexahedra.h"
#include "core/fem/elements/LinearTetrahedra.h"

#include "core/math/Decompositions.h"
#include "core/parallel/Parallel.h"
#include "tests/core/fem/ElementMeshes.h"
#include "tests/harness/AllocationCounter.h"

namespace linear_elements_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

template <class S, std::size_t N>
struct Kind
{
    using Shape = S;
    static constexpr std::size_t D = N;
    using VecD = Vec<D>;
    using Mechanics = std::conditional_t<std::is_same_v<S, TetrahedronShape>, LinearTetrahedra, LinearElements<S, N>>;
    using Mesh = ElementMesh<S, N>;
};

#define ALL_KINDS                                                                                          \
    (Kind<EdgeShape, 1>), (Kind<EdgeShape, 2>), (Kind<EdgeShape, 3>), (Kind<TriangleShape, 2>),            \
        (Kind<TriangleShape, 3>), (Kind<QuadShape, 2>), (Kind<QuadShape, 3>), (Kind<TetrahedronShape, 3>), \
        (Kind<HexahedronShape, 3>), (Kind<PrismShape, 3>), (Kind<PyramidShape, 3>)
#define TURNING_KINDS                                                                                        \
    (Kind<EdgeShape, 2>), (Kind<EdgeShape, 3>), (Kind<TriangleShape, 2>), (Kind<TriangleShape, 3>),          \
        (Kind<QuadShape, 2>), (Kind<QuadShape, 3>), (Kind<TetrahedronShape, 3>), (Kind<HexahedronShape, 3>), \
        (Kind<PrismShape, 3>), (Kind<PyramidShape, 3>)
#define FULL_KINDS                                                                                           \
    (Kind<TriangleShape, 2>), (Kind<QuadShape, 2>), (Kind<TetrahedronShape, 3>), (Kind<HexahedronShape, 3>), \
        (Kind<PrismShape, 3>), (Kind<PyramidShape, 3>)

constexpr LameParameters material{120., 80.};

template <class K>
typename K::Mechanics prepared(const typename K::Mesh& mesh, ElementRotation method = ElementRotation::Identity)
{
    typename K::Mechanics m;
    m.build(mesh.elements, mesh.points, method);
    m.setMaterial([](Index) { return material; });
    return m;
}

template <class K>
std::vector<ElementRotation> turningMethods()
{
    std::vector<ElementRotation> methods{ElementRotation::StablePolar, ElementRotation::Polar};
    if (K::Mechanics::hasFrame) methods.push_back(ElementRotation::Frame);
    return methods;
}

template <std::size_t D>
Mat<D> rotationIn()
{
    Mat<D> r = Mat<D>::identity();
    if constexpr (D == 2) r = Mat2::fromRows(Vec2{std::cos(2.), -std::sin(2.)}, Vec2{std::sin(2.), std::cos(2.)});
    if constexpr (D == 3) r = Quat::fromRotationVector({0.9, 2.2, -1.4}).toMatrix();
    return r;
}

/// A matrix of small numbers with nothing special about it.
template <std::size_t D>
Mat<D> someGradient()
{
    const double scalars[] = {0.02, -0.05, 0.03, 0.04, 0.01, -0.02, 0.06, 0.03, -0.04};
    Mat<D> a;
    for (std::size_t i = 0; i < D; ++i)
        for (std::size_t j = 0; j < D; ++j) a[i][j] = scalars[3 * i + j];
    return a;
}

template <std::size_t D>
Vector<Vec<D>> transformed(const Vector<Vec<D>>& x, const Mat<D>& a)
{
    Vector<Vec<D>> y;
    for (const Vec<D>& p : x) y.push_back(a * p + Vec<D>::filled(0.7));
    return y;
}

template <std::size_t D>
Vector<Vec<D>> noise(std::size_t n, double amount, unsigned seed)
{
    const Vector<Vec3> v = randomVectors(n, amount, seed);
    Vector<Vec<D>> out(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < D; ++k) out[i][k] = v[i][k];
    return out;
}

template <std::size_t D>
Vector<Vec<D>> sum(Vector<Vec<D>> a, const Vector<Vec<D>>& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
}

template <std::size_t D>
double largest(const Vector<Vec<D>>& v)
{
    double m = 0.;
    for (const Vec<D>& p : v) m = std::max(m, norm(p));
    return m;
}

template <std::size_t D>
double difference(Vector<Vec<D>> a, const Vector<Vec<D>>& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return largest(a);
}

template <class M, std::size_t D>
Vector<Vec<D>> force(M& m, const Vector<Vec<D>>& x)
{
    Vector<Vec<D>> f(x.size());
    m.addForce(f, x);
    return f;
}

/// Blocks of D × D scalars as a dense matrix.
template <std::size_t D>
struct BlockMatrix final : BlockSink
{
    explicit BlockMatrix(std::size_t n) : matrix(Eigen::MatrixXd::Zero(D * n, D * n)) {}
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override
    {
        REQUIRE(r == D);
        REQUIRE(c == D);
        for (std::size_t a = 0; a < D; ++a)
            for (std::size_t b = 0; b < D; ++b) matrix(D * i + a, D * j + b) += block[a * D + b];
    }
    Vector<Vec<D>> operator*(const Vector<Vec<D>>& v) const
    {
        const Eigen::VectorXd r =
            matrix * Eigen::Map<const Eigen::VectorXd>(v[0].data(), static_cast<Eigen::Index>(D * v.size()));
        Vector<Vec<D>> out(v.size());
        for (std::size_t i = 0; i < v.size(); ++i)
            for (std::size_t k = 0; k < D; ++k) out[i][k] = r[static_cast<Eigen::Index>(D * i + k)];
        return out;
    }
    Eigen::MatrixXd matrix;
};

template <class M>
auto blocksOf(const M& m)
{
    BlockMatrix<std::tuple_size_v<decltype(M::VecD::m)>> b(m.graph().nbPoints());
    m.addStiffness(b);
    return b;
}

/// Projection on the directions of the elements of an ElementMesh.
template <class K>
Mat<K::D> tangents(const typename K::Mesh& mesh)
{
    if constexpr (K::Shape::dimension == K::D) return Mat<K::D>::identity();
    const auto edge = [&](std::size_t to) { return normalized(mesh.points[to] - mesh.points[0]); };
    const auto a = edge(1);
    auto p = outer(a, a);
    if (K::Shape::dimension == 2) {
        auto b = edge(mesh.points.size() - 1);
        b = normalized(b - a * dot(a, b));
        p += outer(b, b);
    }
    return p;
}

}  // namespace

TEMPLATE_TEST_CASE("Patch test: a linear displacement has its constant stress on irregular meshes", "[fem]", ALL_KINDS)
{
    using K = TestType;
    constexpr std::size_t D = K::D;
    const typename K::Mesh mesh;
    REQUIRE(std::count(mesh.inner.begin(), mesh.inner.end(), true) > 1);
    auto m = prepared<K>(mesh);
    const Mat<D> a = someGradient<D>();
    const auto f = force(m, transformed(mesh.points, Mat<D>::identity() + a));
    const double scale = largest(f);
    CHECK(scale > 0.1);
    // Equilibrium inside.
    for (std::size_t i = 0; i < f.size(); ++i)
        if (mesh.inner[i]) CHECK(norm(f[i]) < 1e-13 * scale * static_cast<double>(f.size()));
    // The virtual work of a linear displacement B X is −V σ : B P, with the tangential projection P.
    const Mat<D> p = tangents<K>(mesh), g = a * p;
    const Mat<D> stress = isotropicStress(g, material.lambda, material.mu);
    Mat<D> work;
    for (std::size_t i = 0; i < f.size(); ++i) work += outer(f[i], mesh.points[i]);
    CHECK(norm(work + stress * p * mesh.measure) < 1e-12 * norm(stress) * mesh.measure);
    CHECK(m.energy(transformed(mesh.points, Mat<D>::identity() + a)) ==
          Approx(0.5 * mesh.measure * doubleContraction(stress, g)).epsilon(1e-12));
}

TEMPLATE_TEST_CASE("Products, blocks and forces of linear elements are one matrix", "[fem]", ALL_KINDS)
{
    using K = TestType;
    constexpr std::size_t D = K::D;
    const typename K::Mesh mesh;
    auto m = prepared<K>(mesh);
    const auto blocks = blocksOf(m);
    const auto u = noise<D>(mesh.points.size(), 0.1, 3);
    const auto ku = blocks * u;
    const double scale = largest(ku);
    CHECK(scale > 1.);
    CHECK(blocks.matrix == blocks.matrix.transpose());
    CHECK(difference(force(m, sum(mesh.points, u)), ku) < 1e-13 * scale);
    auto df = noise<D>(mesh.points.size(), 1., 4);
    const auto before = df;
    m.addStiffnessProduct(df, u, -2.);
    auto expected = before;
    for (std::size_t i = 0; i < df.size(); ++i) expected[i] -= ku[i] * 2.;
    CHECK(difference(df, expected) < 1e-13 * scale);
    CHECK(largest(force(m, mesh.points)) == 0.);
    // −K is negative semi-definite, and translations are in its null space.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(blocks.matrix);
    CHECK(eigen.eigenvalues().maxCoeff() < 1e-12 * blocks.matrix.norm());
    CHECK(largest(blocks * Vector<Vec<D>>(mesh.points.size(), Vec<D>::filled(1.))) < 1e-12 * scale);
}

TEMPLATE_TEST_CASE("The stiffness of solid elements has no zero mode but rigid motions", "[fem]", FULL_KINDS)
{
    using K = TestType;
    const typename K::Mesh mesh;
    const auto blocks = blocksOf(prepared<K>(mesh));
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(-blocks.matrix);
    const Eigen::Index rigid = K::D == 2 ? 3 : 6;
    const double top = eigen.eigenvalues().maxCoeff();
    CHECK(std::abs(eigen.eigenvalues()[rigid - 1]) < 1e-13 * top);
    CHECK(eigen.eigenvalues()[rigid] > 1e-4 * top);
}

TEMPLATE_TEST_CASE("Rigid motions cause no force, and forces turn with the body", "[fem]", TURNING_KINDS)
{
    using K = TestType;
    constexpr std::size_t D = K::D;
    const typename K::Mesh mesh;
    const Mat<D> r = rotationIn<D>();
    const auto x = sum(mesh.points, noise<D>(mesh.points.size(), 0.05, 9));
    for (const ElementRotation method : turningMethods<K>()) {
        INFO("method " << static_cast<int>(method));
        auto m = prepared<K>(mesh, method);
        const auto f = force(m, x);
        const double scale = largest(f), energy = m.energy(x);
        CHECK(scale > 0.1);
        CHECK(largest(force(m, transformed(mesh.points, r))) < 1e-12 * scale);
        CHECK(m.energy(transformed(mesh.points, r)) < 1e-20 * energy);
        if (K::Shape::dimension + 1 >= D && K::Shape::dimension > 1 && method != ElementRotation::Polar)
            for (Index e = 0; e < m.size(); ++e) CHECK(norm(m.rotation(e) - r) < 1e-11);
        const auto rotated = force(m, transformed(x, r));
        auto expected = f;
        for (Vec<D>& p : expected) p = r * p;
        CHECK(difference(rotated, expected) < 1e-11 * scale);
        CHECK(m.energy(transformed(x, r)) == Approx(energy).epsilon(1e-11));
        // Half a turn of each line, triangle, ...
        CHECK(largest(force(m, transformed(mesh.points, r * r))) < 1e-12 * scale);
    }
}

TEMPLATE_TEST_CASE("Corotational forces are R K (Rᵀ x − X) with the rotation of the method", "[fem]", TURNING_KINDS)
{
    using K = TestType;
    constexpr std::size_t D = K::D;
    const typename K::Mesh mesh;
    const Mat<D> r = rotationIn<D>();
    const auto x = transformed(sum(mesh.points, noise<D>(mesh.points.size(), 0.08, 12)), r);
    for (const ElementRotation method : turningMethods<K>()) {
        INFO("method " << static_cast<int>(method));
        auto m = prepared<K>(mesh, method);
        const auto f = force(m, x);
        const auto blocks = blocksOf(m);
        Vector<Vec<D>> expected(x.size());
        BlockMatrix<D> expectedBlocks(x.size());
        for (Index e = 0; e < m.size(); ++e) {
            // The same element alone, without rotation.
            const auto& vertices = mesh.elements[e];
            typename K::Mechanics::Element local;
            Vector<Vec<D>> rest, rotated;
            const Mat<D> re = m.rotation(e);
            for (std::size_t i = 0; i < vertices.size(); ++i) {
                local[i] = static_cast<Index>(i);
                rest.push_back(mesh.points[vertices[i]]);
                rotated.push_back(transposeTimes(re, x[vertices[i]]));
            }
            CHECK(norm(re * re.transposed() - Mat<D>::identity()) < 1e-12);
            Vec<D> restMean, mean;
            for (std::size_t i = 0; i < rest.size(); ++i) {
                restMean += rest[i] / static_cast<double>(rest.size());
                mean += x[vertices[i]] / static_cast<double>(rest.size());
            }
            Mat<D> h;
            for (std::size_t i = 0; i < rest.size(); ++i) h += outer(x[vertices[i]] - mean, rest[i] - restMean);
            if constexpr (K::Shape::dimension > 1)
                if (method == ElementRotation::StablePolar) CHECK(norm(re - polarRotation(h).r) < 1e-11);
            if (K::Shape::dimension == 1)
                CHECK(norm(re * normalized(rest[1] - rest[0]) - normalized(x[vertices[1]] - x[vertices[0]])) < 1e-14);
            typename K::Mechanics one;
            one.build({local}, rest, ElementRotation::Identity);
            one.setMaterial([](Index) { return material; });
            const auto fe = force(one, rotated);
            const auto ke = blocksOf(one);
            for (std::size_t i = 0; i < rest.size(); ++i) {
                expected[vertices[i]] += re * fe[i];
                for (std::size_t j = 0; j < rest.size(); ++j) {
                    Mat<D> block;
                    for (std::size_t a = 0; a < D; ++a)
                        for (std::size_t b = 0; b < D; ++b)
                            block[a][b] =
                                ke.matrix(static_cast<Eigen::Index>(D * i + a), static_cast<Eigen::Index>(D * j + b));
                    expectedBlocks.add(vertices[i], vertices[j], re * block * re.transposed());
                }
            }
        }
        CHECK(largest(f) > 0.1);
        CHECK(difference(f, expected) < 1e-11 * largest(f));
        CHECK((blocks.matrix - expectedBlocks.matrix).norm() < 1e-11 * blocks.matrix.norm());
        // The product is that of the blocks.
        const auto dx = noise<D>(x.size(), 1., 2);
        Vector<Vec<D>> df(x.size());
        m.addStiffnessProduct(df, dx, -1.);
        const auto kdx = blocks * dx;
        auto negative = kdx;
        for (Vec<D>& p : negative) p = -p;
        CHECK(difference(df, negative) < 1e-12 * largest(kdx));
    }
}

TEMPLATE_TEST_CASE("For small strains corotational forces are linear ones, up to the square of the strain", "[fem]",
                   FULL_KINDS)
{
    using K = TestType;
    constexpr std::size_t D = K::D;
    const typename K::Mesh mesh;
    auto linear = prepared<K>(mesh);
    const auto direction = noise<D>(mesh.points.size(), 1., 21);
    for (const ElementRotation method : turningMethods<K>()) {
        INFO("method " << static_cast<int>(method));
        auto m = prepared<K>(mesh, method);
        std::vector<double> errors;
        for (const double amount : {4e-4, 2e-4, 1e-4}) {
            auto x = mesh.points;
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += direction[i] * amount;
            const auto f = force(linear, x);
            errors.push_back(difference(force(m, x), f));
            CHECK(errors.back() < 0.02 * largest(f));
        }
        CHECK(errors[0] > 1e-6);
        CHECK(errors[0] / errors[1] == Approx(4.).epsilon(0.02));
        CHECK(errors[1] / errors[2] == Approx(4.).epsilon(0.02));
    }
}

TEST_CASE("The polar method mirrors an inverted element, the stable one turns it", "[fem]")
{
    const Vector<Vec3> rest{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
    Vector<Vec3> x = rest;
    for (Vec3& p : x) p[2] = -p[2];
    LinearTetrahedra m;
    const auto forceWith = [&](ElementRotation method) {
        m.build({{0, 1, 2, 3}}, rest, method);
        m.setMaterial([](Index) { return material; });
        return largest(force(m, x));
    };
    CHECK(forceWith(ElementRotation::Polar) < 1e-13);
    CHECK(determinant(m.rotation(0)) == Approx(-1.));
    CHECK(forceWith(ElementRotation::StablePolar) > 1.);
    CHECK(determinant(m.rotation(0)) == Approx(1.));
}

TEST_CASE("Cells of a grid share one stiffness, irregular elements do not", "[fem]")
{
    BoxMesh box(4, 3, 2, {4., 3., 2.});
    LinearElements<HexahedronShape, 3> m;
    m.build(box.hexahedra, box.points, ElementRotation::Frame);
    m.setMaterial([](Index) { return material; });
    CHECK(m.nbStiffness() == 1);
    m.setMaterial([](Index e) { return LameParameters{1., 1. + e % 2}; });
    CHECK(m.nbStiffness() == 2);
    box.jitter(0.1);
    m.build(box.hexahedra, box.points, ElementRotation::Frame);
    m.setMaterial([](Index) { return material; });
    CHECK(m.nbStiffness() == box.hexahedra.size());
}

TEST_CASE("Elements that cannot be integrated are named with what is wrong", "[fem]")
{
    LinearElements<TriangleShape, 3> triangles;
    CHECK_THROWS_WITH(triangles.build({{0, 1, 2}}, {{0., 0., 0.}, {1., 0., 0.}, {2., 0., 0.}}, ElementRotation::Frame),
                      Catch::Contains("triangle 0 (vertices 0 1 2)") && Catch::Contains("flat"));
    LinearElements<EdgeShape, 1> edges;
    CHECK_THROWS_WITH(edges.build({{0, 1}}, {Vec1(2.), Vec1(2.)}, ElementRotation::Identity),
                      Catch::Contains("edge 0 (vertices 0 1)") && Catch::Contains("coincide"));
    CHECK_THROWS_WITH(edges.build({{0, 1}}, {Vec1(2.), Vec1(1.)}, ElementRotation::Frame), Catch::Contains("no frame"));
    LinearElements<QuadShape, 2> quads;
    const Vector<Vec2> square{{0., 0.}, {1., 0.}, {1., 1.}, {0., 1.}};
    const Vector<Vec2> arrow{{0., 0.}, {1., 0.}, {-0.5, -0.5}, {0., 1.}};
    CHECK_THROWS_WITH(quads.build({{0, 1, 2, 3}}, arrow, ElementRotation::StablePolar), Catch::Contains("folded"));
    quads.build({{0, 1, 2, 3}, {3, 2, 1, 0}}, square, ElementRotation::StablePolar);
    CHECK(quads.nbInverted() == 1);
    CHECK_THROWS_WITH(quads.build({{0, 1, 2, 7}}, square, ElementRotation::Identity), Catch::Contains("vertex 7"));
    for (const ElementRotation method : {ElementRotation::Frame, ElementRotation::Polar}) {
        LinearTetrahedra flat;
        CHECK_THROWS_WITH(flat.build({{0, 0, 1, 2}}, {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}}, method),
                          Catch::Contains("tetrahedron 0"));
    }
}

TEMPLATE_TEST_CASE("Forces of linear elements are bitwise the same for any number of threads", "[fem]",
                   (Kind<TetrahedronShape, 3>), (Kind<HexahedronShape, 3>), (Kind<QuadShape, 2>))
{
    using K = TestType;
    const typename K::Mesh mesh(K::D == 2 ? 20 : 5);
    REQUIRE(mesh.elements.size() > 2048);
    const auto x = sum(mesh.points, noise<K::D>(mesh.points.size(), 0.01, 1));
    const auto dx = noise<K::D>(mesh.points.size(), 1., 2);
    Vector<Vec<K::D>> f, df;
    for (const unsigned threads : {1u, 2u, 3u, 5u}) {
        setThreadCount(threads);
        auto m = prepared<K>(mesh, ElementRotation::StablePolar);
        const auto f2 = force(m, x);
        Vector<Vec<K::D>> df2(x.size());
        m.addStiffnessProduct(df2, dx, 1.);
        if (threads == 1) {
            f = f2;
            df = df2;
            CHECK(largest(f) > 0.);
        }
        CHECK(f == f2);
        CHECK(df == df2);
    }
    setThreadCount(0);
}

namespace {

/// Checks packs of elements, some of them inside out, against single ones: forces, products, blocks, energy, rotations.
template <class K, class Packs>
void checkPacks(const typename K::Mesh& mesh, Index insideOut)
{
    const auto x = transformed(sum(mesh.points, noise<3>(mesh.points.size(), 0.08, 12)), rotationIn<3>());
    const auto dx = noise<3>(mesh.points.size(), 1., 2);
    for (const ElementRotation method :
         {ElementRotation::Frame, ElementRotation::Identity, ElementRotation::StablePolar, ElementRotation::Polar}) {
        INFO("method " << static_cast<int>(method));
        const auto materialOf = [](Index e) { return LameParameters{100. + e, 80. - 0.1 * e}; };
        typename K::Mechanics single;
        single.build(mesh.elements, mesh.points, method);
        single.setMaterial(materialOf);
        Packs packs;
        packs.build(mesh.elements, mesh.points, method);
        packs.setMaterial(materialOf);
        CHECK(packs.size() == mesh.elements.size());
        CHECK(packs.nbInverted() == insideOut);
        CHECK(single.nbInverted() == insideOut);
        if constexpr (requires { packs.hasBoxProducts(); }) CHECK_FALSE(packs.hasBoxProducts());
        const auto f = force(single, x);
        CHECK(largest(f) > 0.1);
        CHECK(difference(force(packs, x), f) < 1e-12 * largest(f));
        Vector<Vec3> a(x.size()), b(x.size());
        single.addStiffnessProduct(a, dx, 0.7);
        packs.addStiffnessProduct(b, dx, 0.7);
        CHECK(difference(a, b) < 1e-12 * largest(a));
        BlockMatrix<3> ka(x.size()), kb(x.size());
        single.addStiffness(ka);
        packs.addStiffness(kb);
        CHECK((ka.matrix - kb.matrix).norm() < 1e-12 * ka.matrix.norm());
        CHECK(packs.energy(x) == Approx(single.energy(x)).epsilon(1e-12));
        for (Index e = 0; e < packs.size(); ++e) CHECK(norm(packs.rotation(e) - single.rotation(e)) < 1e-11);
    }
}

}  // namespace

TEMPLATE_TEST_CASE("A steady step of linear elements allocates nothing", "[fem]", TURNING_KINDS)
{
    using K = TestType;
    constexpr std::size_t D = K::D;
    struct Sum final : BlockSink
    {
        void addBlock(Index, Index, const double* block, std::size_t, std::size_t) override
        {
            squares += block[0] * block[0];
        }
        double squares = 0.;
    } sink;
    const typename K::Mesh mesh;
    auto m = prepared<K>(mesh, turningMethods<K>().back());
    const auto x = sum(mesh.points, noise<D>(mesh.points.size(), 0.05, 9));
    Vector<Vec<D>> f(x.size()), df(x.size());
    double energy = 0.;
    setThreadCount(1);  // the scheduler of a parallel loop has its own memory
    const auto step = [&] {
        m.addForce(f, x);
        m.addStiffnessProduct(df, x, 0.5);
        m.addStiffness(sink);
        energy += m.energy(x);
    };
    step();
    const std::size_t before = allocationCount();
    step();
    CHECK(allocationCount() == before);
    setThreadCount(0);
    CHECK(sink.squares > 0.);
    CHECK(energy > 0.);
}

TEST_CASE("Hexahedra in packs have the forces, stiffness, energy and rotations of single ones", "[fem]")
{
    using K = Kind<HexahedronShape, 3>;
    K::Mesh mesh;
    // Opposite edges that nearly agree: the Jacobian is that of each point all the same.
    const bool nearlyRegular = GENERATE(false, true);
    if (nearlyRegular) {
        const BoxMesh box(3, 3, 3, {3., 2., 1.});
        mesh.points = sum(box.points, noise<3>(box.points.size(), 1e-4, 3));
        mesh.elements = box.hexahedra;
    }
    const bool insideOut = GENERATE(false, true);
    if (insideOut)
        for (std::size_t i = 0; i < 4; ++i) std::swap(mesh.elements[3][i], mesh.elements[3][i + 4]);
    checkPacks<K, LinearHexahedra>(mesh, insideOut ? 1 : 0);
    LinearHexahedra flat;
    CHECK_THROWS_WITH(flat.build({{0, 1, 2, 3, 0, 1, 2, 3}}, mesh.points, ElementRotation::Frame),
                      Catch::Contains("hexahedron 0"));
}

}  // namespace linear_elements_test
