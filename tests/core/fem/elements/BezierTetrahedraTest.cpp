// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BezierTetrahedra.h"

#include <map>
#include <random>
#include <set>

#include "core/fem/elements/BezierShape.h"
#include "core/fem/elements/MixedBezierTetrahedra.h"
#include "core/fem/elements/RecoveredGradients.h"
#include "core/mesh/SubElements.h"
#include "tests/core/fem/elements/ElementChecks.h"
#include "tests/core/fem/elements/FollowingChecks.h"

namespace bezier_tetrahedra_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// A mesh of tetrahedra with control points in the middle of its edges.
struct BezierMesh
{
    explicit BezierMesh(const BoxMesh& mesh) : points(mesh.points)
    {
        const Vector<Edge> edges = edgesOf(mesh.tetrahedra, Vector<Hexahedron>());
        std::map<Edge, Index> control;
        for (const Edge& e : edges) {
            control[sortedVertices(e)] = static_cast<Index>(points.size());
            points.push_back((mesh.points[e[0]] + mesh.points[e[1]]) * 0.5);
        }
        for (const Tetrahedron& t : mesh.tetrahedra) {
            BezierTetrahedron b{t[0], t[1], t[2], t[3]};
            for (std::size_t k = 0; k < 6; ++k)
                b[4 + k] = control.at(sortedVertices(Edge{t[bezierEdges[k][0]], t[bezierEdges[k][1]]}));
            elements.push_back(b);
        }
    }
    Vector<Vec3> points;
    Vector<BezierTetrahedron> elements;
};

/// A matrix times a vector.
struct ProductSink final : BlockSink
{
    explicit ProductSink(const Vector<Vec3>& of) : x(of), result(of.size()) {}
    void addBlock(Index i, Index j, const double* block, std::size_t, std::size_t) override
    {
        for (std::size_t k = 0; k < 9; ++k) result[i][k / 3] += block[k] * x[j][k % 3];
    }
    const Vector<Vec3>& x;
    Vector<Vec3> result;
};

/// The same with middle points for a part of the edges, and the elements' sets of these.
struct MixedMesh
{
    MixedMesh(const BoxMesh& box, unsigned seed)
    {
        const BezierMesh mesh(box);
        const auto corners = static_cast<Index>(box.points.size());
        std::mt19937 random(seed);
        Vector<Index> now(mesh.points.size(), InvalidIndex);
        for (Index v = 0; v < mesh.points.size(); ++v)
            if (v < corners || random() % 2 == 0) {
                now[v] = static_cast<Index>(points.size());
                points.push_back(mesh.points[v]);
            }
        all = points;
        middles.first = static_cast<Index>(points.size());
        for (BezierTetrahedron t : mesh.elements) {
            unsigned kind = 0;
            for (std::size_t k = 4; k < 10; ++k) {
                if (now[t[k]] == InvalidIndex) {
                    now[t[k]] = static_cast<Index>(all.size());
                    all.push_back(mesh.points[t[k]]);
                    middles.ends.push_back({t[bezierEdges[k - 4][0]], t[bezierEdges[k - 4][1]]});
                }
                t[k] = now[t[k]];
                kind |= (middles.isMiddle(t[k]) ? 1u : 0u) << (k - 4);
            }
            elements.push_back(t);
            kinds.push_back(kind);
        }
    }
    Vector<Vec3> points, all;  ///< without and with middle points
    MiddlePoints middles;
    Vector<BezierTetrahedron> elements;
    Vector<unsigned> kinds;
};

BezierTetrahedra body(const BezierMesh& mesh, bool rotated = true, const LameParameters& m = lameParameters(1000., 0.3))
{
    BezierTetrahedra b;
    b.build(mesh.elements, mesh.points, rotated);
    for (Index e = 0; e < b.size(); ++e) b.setMaterial(e, m);
    return b;
}

/// Calls f(shape functions, their gradients in space, weight [m³], place) at the points of a quadrature of an element.
template <class F>
void integrate(const BezierMesh& mesh, const BezierTetrahedron& t, F&& f)
{
    using Shape = BezierTetrahedronShape;
    std::array<Vec3, 10> x;
    for (std::size_t i = 0; i < 10; ++i) x[i] = mesh.points[t[i]];
    for (const auto& [at, weight] : Shape::quadrature) {
        const auto n = Shape::values(at);
        const auto local = Shape::gradients(at);
        const Mat3 j = elementJacobian(x, local);
        Vec3 place;
        for (std::size_t i = 0; i < 10; ++i) place += x[i] * n[i];
        f(n, spatialGradients(j, local), weight * std::abs(determinant(j)), place);
    }
}

/// −K of linear elasticity, by quadrature.
Eigen::MatrixXd integratedStiffness(const BezierMesh& mesh, const LameParameters& m)
{
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(3 * mesh.points.size(), 3 * mesh.points.size());
    for (const BezierTetrahedron& t : mesh.elements)
        integrate(mesh, t, [&](const auto&, const auto& gradients, double weight, const Vec3&) {
            for (std::size_t i = 0; i < 10; ++i)
                for (std::size_t j = 0; j < 10; ++j) {
                    const Mat3 block = isotropicStiffnessBlock(gradients[i], gradients[j], m.lambda, m.mu);
                    for (int r = 0; r < 3; ++r)
                        for (int c = 0; c < 3; ++c) k(3 * t[i] + r, 3 * t[j] + c) -= weight * block[r][c];
                }
        });
    return k;
}

/// Control points of a quadratic field on the points of a mesh: the corners have its values, those of edges make the
/// middle of the edge have its own.
template <class Field>
Vector<Vec3> controlPointsOf(const BezierMesh& mesh, const Field& u)
{
    Vector<Vec3> x(mesh.points.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = u(mesh.points[i]);
    Vector<Vec3> c = x;
    for (const BezierTetrahedron& t : mesh.elements)
        for (std::size_t k = 0; k < 6; ++k)
            c[t[4 + k]] = x[t[4 + k]] * 2. - (x[t[bezierEdges[k][0]]] + x[t[bezierEdges[k][1]]]) * 0.5;
    return c;
}

/// The edges from the first corner, as columns.
Mat3 edgesFrom(const Vector<Vec3>& x, const BezierTetrahedron& t)
{
    return Mat3::fromRows(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]], x[t[3]] - x[t[0]]).transposed();
}

Vector<Vec3> operator+(Vector<Vec3> a, const Vector<Vec3>& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
}

}  // namespace

TEST_CASE("The closed form of Bézier tetrahedra is the integral of linear elasticity", "[fem]")
{
    const BezierMesh mesh(jitteredBox());
    const LameParameters m = lameParameters(1000., 0.3);
    const Eigen::MatrixXd wanted = integratedStiffness(mesh, m);
    for (const bool rotated : {false, true}) {
        const BezierTetrahedra b = body(mesh, rotated, m);
        const Eigen::MatrixXd k = stiffness(b);
        CHECK((k - wanted).cwiseAbs().maxCoeff() < 1e-13 * wanted.cwiseAbs().maxCoeff());
        checkFreeForRigidMotionsOnly(k);
    }
}

TEST_CASE("Forces of Bézier tetrahedra are those of their stiffness, wherever they have turned", "[fem]")
{
    const BezierMesh mesh(jitteredBox());
    const Vector<Vec3> u = randomVectors(mesh.points.size(), 0.02, 3), dx = randomVectors(mesh.points.size(), 1., 4);
    BezierTetrahedra b = body(mesh, false);
    const Eigen::MatrixXd k = stiffness(b);
    const Eigen::VectorXd f = flatten(forces(b, mesh.points + u));
    REQUIRE(f.norm() > 1.);
    CHECK((f - k * flatten(u)).norm() < 1e-12 * f.norm());
    CHECK(b.energy(mesh.points + u) == Approx(-0.5 * flatten(u).dot(k * flatten(u))).epsilon(1e-12));
    Vector<double> parts;
    b.energies(mesh.points + u, parts);
    CHECK(std::accumulate(parts.begin(), parts.end(), 0.) == Approx(b.energy(mesh.points + u)).epsilon(1e-12));
    // Corotational ones are the same in any pose, and their products those of their blocks.
    BezierTetrahedra turned = body(mesh);
    const Mat3 r = someRotation();
    const Eigen::VectorXd before = flatten(forces(turned, mesh.points + u));
    const Vector<Vec3> pose = mapped(mesh.points + u, r, {1., 2., 3.});
    const Vector<Vec3> there = forces(turned, pose);
    CHECK((flatten(mapped(there, r.transposed(), {})) - before).norm() < 1e-11 * before.norm());
    Vector<Vec3> product(dx.size());
    turned.addStiffnessProduct(product, dx, 2.);
    const Eigen::VectorXd expected = stiffness(turned) * flatten(dx);
    CHECK((flatten(product) - 2. * expected).norm() < 1e-12 * expected.norm());
    CHECK(maxNorm(forces(turned, mapped(mesh.points, r, {1., 2., 3.}))) < 1e-11 * maxNorm(there));
    CHECK(stiffness(turned).isApprox(stiffness(turned).transpose(), 0.));
}

TEST_CASE("The stiffness of Bézier tetrahedra is the derivative of their forces at rest, turned too", "[fem]")
{
    const BezierMesh mesh(BoxMesh(1, 1, 1, {1., 1.2, 0.9}));
    BezierTetrahedra b = body(mesh);
    const Vector<Vec3> x = mapped(mesh.points, someRotation(), {});
    forces(b, x);
    const Eigen::MatrixXd k = stiffness(b);
    const double h = 1e-6;
    for (std::size_t j = 0; j < 3 * x.size(); ++j) {
        Vector<Vec3> up = x, down = x;
        up[j / 3][j % 3] += h;
        down[j / 3][j % 3] -= h;
        const Eigen::VectorXd column = (flatten(forces(b, up)) - flatten(forces(b, down))) / (2. * h);
        CHECK((column - k.col(static_cast<Eigen::Index>(j))).norm() < 1e-6 * k.norm());
    }
}

TEST_CASE("Bézier tetrahedra pass the patch test of the second order", "[fem]")
{
    // A quadratic displacement with div σ + q = 0: the forces on the points inside are those of the constant load.
    const BezierMesh mesh(patch());
    const LameParameters m = lameParameters(1000., 0.3);
    const auto u = [](const Vec3& p) {
        return Vec3{0.01 * p[0] * p[0] + 0.02 * p[0] * p[1], 0.03 * p[1] * p[2] - 0.01 * p[0], 0.02 * p[2] * p[2]};
    };
    // μ Δu + (λ + μ) ∇ div u, div u = 0.02 x + 0.02 y + 0.03 z + 0.04 z.
    const Vec3 load = (Vec3{0.02, 0., 0.04} * m.mu + Vec3{0.02, 0.02, 0.07} * (m.lambda + m.mu)) * -1.;
    BezierTetrahedra b = body(mesh, false, m);
    const Vector<Vec3> f = forces(b, mesh.points + controlPointsOf(mesh, u));
    // ∫ B = V/10 for each control point.
    Vector<Vec3> wanted(f.size());
    Vector<bool> surface(f.size(), false);
    for (Index e = 0; e < b.size(); ++e)
        for (const Index v : mesh.elements[e]) wanted[v] -= load * (b.restVolume(e) / 10.);
    for (std::size_t i = 0; i < f.size(); ++i)
        for (const double c : {mesh.points[i][0], mesh.points[i][1], mesh.points[i][2]})
            surface[i] = surface[i] || c < 1e-9 || c > 1. - 1e-9;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < f.size(); ++i)
        if (!surface[i]) {
            ++inside;
            CHECK(norm(f[i] - wanted[i]) < 1e-11 * maxNorm(f));
        }
    CHECK(inside > 100);
    CHECK(maxNorm(f) > 0.1);
    // Stresses of a linear field are constant.
    const Mat3 g = Mat3::fromRows(Vec3{0.01, 0.02, 0.}, Vec3{-0.01, 0.03, 0.01}, Vec3{0., 0.02, -0.02});
    const Vector<Vec3> x = mapped(mesh.points, Mat3::identity() + g, {});
    for (const Mat3& s : b.cornerStresses(5, x))
        CHECK(norm2((s - isotropicStress(g, m.lambda, m.mu)).column(1)) < 1e-16);
}

TEST_CASE("Bézier tetrahedra give the same bits for any number of threads and instruction set", "[fem]")
{
    BoxMesh box(9, 9, 9, {1., 1., 1.});
    box.jitter(0.01);
    const BezierMesh mesh(box);
    BezierTetrahedra b = body(mesh);
    Vector<Vec3> x = mesh.points + randomVectors(mesh.points.size(), 0.02, 9);
    for (const Index v : mesh.elements[7]) x[v] = x[v] * -1.;  // some are inverted
    checkSameBits(x.size(), [&](Vector<Vec3>& f, BlockSink& sink) {
        b.addForce(f, x);
        b.addStiffnessProduct(f, x, 0.5);
        b.addStiffness(sink);
    });
}

TEST_CASE("The matrix of elements with edges of degree 1 is that of all control points on their points", "[fem]")
{
    std::set<unsigned> seen;
    for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
        // Elements of the last one are taken in another order.
        const MixedMesh mesh(seed < 6 ? jitteredBox() : following::box(true), seed);
        seen.insert(mesh.kinds.begin(), mesh.kinds.end());
        MixedBezierTetrahedra mixed;
        mixed.build(mesh.elements, mesh.middles, mesh.points, true);
        BezierTetrahedra full;
        full.build(mesh.elements, mesh.all, true);
        CHECK(full.graph().order().rank.empty() == (seed < 6));
        const LameParameters m = lameParameters(1000., 0.3);
        for (Index e = 0; e < mixed.size(); ++e) {
            mixed.setMaterial(e, m);
            full.setMaterial(e, m);
        }
        Vector<Vec3> memory;
        const Vector<Vec3> x = mapped(mesh.points, someRotation(), {}) + randomVectors(mesh.points.size(), 0.01, seed),
                           dx = randomVectors(x.size(), 1., seed + 10);
        forces(mixed, x);
        forces(full, mesh.middles.extended(x, memory));
        ProductSink product(dx);
        mixed.addStiffness(product);
        Vector<Vec3> all(mesh.all.size()), wanted(x.size());
        full.addStiffnessProduct(all, mesh.middles.extended(dx, memory), 1.);
        mesh.middles.addFolded(wanted, all);
        REQUIRE(maxNorm(wanted) > 100.);
        CHECK((flatten(product.result) - flatten(wanted)).norm() < 1e-13 * flatten(wanted).norm());
        if (seed == 1 || seed == 6)
            checkSameBits(x.size(), [&](Vector<Vec3>& f, BlockSink& sink) {
                mixed.addForce(f, x);
                mixed.addStiffness(sink);
            });
    }
    CHECK(seen.size() == 64);
}

TEST_CASE("Inverted Bézier tetrahedra have the nearest proper rotation", "[fem]")
{
    const BezierMesh mesh(BoxMesh(1, 1, 1, {1., 1., 1.}));
    BezierTetrahedra b = body(mesh);
    Mat3 mirror = Mat3::identity();
    mirror[0][0] = -0.5;
    const Vector<Vec3> x = mapped(mesh.points, mirror, {});
    for (Index e = 0; e < b.size(); ++e) CHECK(determinant(b.rotation(e, x)) == Approx(1.));
    // The force is that of the rotation of the reference: along the gradient of the energy with it held.
    const Vector<Vec3> f = forces(b, x);
    Vec3 sum;
    for (const Vec3& v : f) sum += v;
    CHECK(norm(sum) < 1e-10 * maxNorm(f));
    CHECK(maxNorm(f) > 1.);
}

TEST_CASE("Bézier tetrahedra say what is wrong with a rest shape", "[fem]")
{
    BezierMesh mesh(BoxMesh(1, 1, 1, {1., 1., 1.}));
    BezierTetrahedra b;
    mesh.points[mesh.elements[0][4]] += Vec3{0., 0.1, 0.};
    CHECK_THROWS_WITH(b.build(mesh.elements, mesh.points, true), Catch::Contains("curved"));
    mesh.points[mesh.elements[0][3]] = mesh.points[mesh.elements[0][0]];
    CHECK_THROWS_WITH(b.build(mesh.elements, mesh.points, true), Catch::Contains("no volume"));
    mesh.elements[0][9] = 1000;
    CHECK_THROWS_WITH(b.build(mesh.elements, mesh.points, true), Catch::Contains("1000"));
}

namespace {

/// A displacement that is no polynomial, and the load [N/m³] that causes it.
struct Wave
{
    LameParameters m;
    Vec3 k{2.2, 1.6, 1.2}, amplitude{0.1, -0.2, 0.15}, phase{0.3, 1., 0.1};
    Vec3 at(const Vec3& x) const
    {
        Vec3 u;
        for (std::size_t i = 0; i < 3; ++i) u[i] = amplitude[i] * std::sin(dot(k, x) + phase[i]);
        return u;
    }
    Mat3 gradient(const Vec3& x) const
    {
        Mat3 g;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) g[i][j] = amplitude[i] * k[j] * std::cos(dot(k, x) + phase[i]);
        return g;
    }
    Vec3 load(const Vec3& x) const { return at(x) * (m.mu * norm2(k)) + k * ((m.lambda + m.mu) * dot(k, at(x))); }
};

/// Norms of the error of the solution and of its gradient, in a cube of cells with the wave on its surface.
std::pair<double, double> errorsOf(Index cells)
{
    const Wave wave{lameParameters(1., 0.3)};
    const BezierMesh mesh(BoxMesh(cells, cells, cells, {1., 1., 1.}));
    const auto size = static_cast<Eigen::Index>(3 * mesh.points.size());
    const Eigen::MatrixXd k = -stiffness(body(mesh, false, wave.m));
    Eigen::VectorXd f = Eigen::VectorXd::Zero(size);
    for (const BezierTetrahedron& t : mesh.elements)
        integrate(mesh, t, [&](const auto& n, const auto&, double weight, const Vec3& x) {
            const Vec3 q = wave.load(x) * weight;
            for (std::size_t i = 0; i < 10; ++i)
                for (int c = 0; c < 3; ++c) f[3 * t[i] + c] += q[c] * n[i];
        });
    Eigen::VectorXd u = flatten(controlPointsOf(mesh, [&](const Vec3& x) { return wave.at(x); }));
    std::vector<Eigen::Index> inside;
    for (Eigen::Index i = 0; i < size; ++i) {
        const Vec3& x = mesh.points[static_cast<std::size_t>(i / 3)];
        if (std::min({x[0], x[1], x[2]}) > 1e-9 && std::max({x[0], x[1], x[2]}) < 1. - 1e-9) inside.push_back(i);
    }
    for (const Eigen::Index i : inside) u[i] = 0.;
    const Eigen::VectorXd right = (f - k * u)(inside);
    const Eigen::VectorXd solution = Eigen::MatrixXd(k(inside, inside)).llt().solve(right);
    u(inside) = solution;
    double value = 0., slope = 0.;
    for (const BezierTetrahedron& t : mesh.elements)
        integrate(mesh, t, [&](const auto& n, const auto& gradients, double weight, const Vec3& x) {
            Vec3 e = wave.at(x);
            Mat3 g = wave.gradient(x);
            for (std::size_t i = 0; i < 10; ++i) {
                const Vec3 at{u[3 * t[i]], u[3 * t[i] + 1], u[3 * t[i] + 2]};
                e -= at * n[i];
                g -= outer(at, gradients[i]);
            }
            value += weight * norm2(e);
            slope += weight * doubleContraction(g, g);
        });
    return {std::sqrt(value), std::sqrt(slope)};
}

}  // namespace

TEST_CASE("Errors of Bézier tetrahedra shrink with the third power of their size, of stresses with the second", "[fem]")
{
    const auto [coarse, coarseSlope] = errorsOf(2);
    const auto [fine, fineSlope] = errorsOf(4);
    INFO(coarse << ' ' << fine << ' ' << coarseSlope << ' ' << fineSlope);
    CHECK(std::log2(coarse / fine) == Approx(3.).margin(0.25));
    CHECK(std::log2(coarseSlope / fineSlope) == Approx(2.).margin(0.25));
    CHECK(fine > 1e-6);
}

TEST_CASE("Recovered gradients are those of quadratic motions, and near them on edges of degree 1", "[fem]")
{
    const BoxMesh box(3, 4, 3, {1., 1.3, 0.9});
    const BezierMesh mesh(box);
    const auto corners = static_cast<Index>(box.points.size());
    const auto motion = [](const Vec3& p) {
        return Vec3{1.2 * p[0] + 0.3 * p[1] * p[2], 0.9 * p[1] - 0.2 * p[0] * p[0] + 0.1 * p[2],
                    p[2] + 0.4 * p[0] * p[1]};
    };
    const auto gradient = [](const Vec3& p) {
        return Mat3::fromRows(Vec3{1.2, 0.3 * p[2], 0.3 * p[1]}, Vec3{-0.4 * p[0], 0.9, 0.1},
                              Vec3{0.4 * p[1], 0.4 * p[0], 1.});
    };
    const auto farthest = [&](const Vector<Mat3>& found, bool inside) {
        double most = 0.;
        for (Index v = 0; v < corners; ++v) {
            const Vec3& p = mesh.points[v];
            bool isInside = true;
            const Vec3 size{1., 1.3, 0.9};
            for (std::size_t k = 0; k < 3; ++k) isInside = isInside && p[k] > 0.2 * size[k] && p[k] < 0.8 * size[k];
            if (!inside || isInside) most = std::max(most, norm(found[v] - gradient(p)));
        }
        return most;
    };
    Vector<Mat3> found;
    MiddlePoints none{static_cast<Index>(mesh.points.size()), {}};
    recoverGradients(mesh.elements, none, mesh.points, controlPointsOf(mesh, motion), found);
    REQUIRE(found.size() == mesh.points.size());
    CHECK(farthest(found, false) < 1e-13);

    // All edges of degree 1: the gradients of linear elements, which are constant in each. Inside, the elements around
    // a point are symmetric to it.
    MiddlePoints middles{corners, Vector<Edge>(mesh.points.size() - corners)};
    for (const BezierTetrahedron& t : mesh.elements)
        for (std::size_t k = 0; k < 6; ++k)
            middles.ends[t[4 + k] - corners] = {t[bezierEdges[k][0]], t[bezierEdges[k][1]]};
    Vector<Vec3> x;
    for (Index v = 0; v < corners; ++v) x.push_back(motion(mesh.points[v]));
    recoverGradients(mesh.elements, middles, mesh.points, x, found);
    REQUIRE(found.size() == corners);
    CHECK(farthest(found, true) < 1e-13);
    CHECK(farthest(found, false) > 0.05);
    double ofElements = 0.;
    for (const BezierTetrahedron& t : mesh.elements) {
        const Mat3 now = edgesFrom(x, t), rest = edgesFrom(mesh.points, t);
        ofElements = std::max(ofElements, norm(now * inverse(rest) - gradient(mesh.points[t[0]])));
    }
    CHECK(ofElements > 0.1);
}

}  // namespace bezier_tetrahedra_test
