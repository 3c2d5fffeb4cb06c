// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/FrameTurning.h"

#include "core/fem/elements/CorotationalHexahedra.h"
#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/fem/elements/CorotationalTriangles.h"
#include "tests/core/fem/elements/ElementChecks.h"

namespace frame_turning_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

double relative(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return (a - b).norm() / b.norm(); }

/// `make(exact)` gives elements whose rest shape is `rest`. Strains are of the order of 0.1, turns of 1.
template <class Make>
void checkTangent(const Vector<Vec3>& rest, Make make, bool sofaIsExact = false)
{
    const std::size_t n = rest.size();
    Vector<Vec3> x = mapped(rest, someRotation(), {1., 2., 3.});
    const Vector<Vec3> u = randomVectors(n, 0.06, 5), v = randomVectors(n, 1., 6);
    for (std::size_t i = 0; i < n; ++i) x[i] += u[i];
    const auto shifted = [&](double t) {
        Vector<Vec3> y = x;
        for (std::size_t i = 0; i < n; ++i) y[i] += v[i] * t;
        return y;
    };
    constexpr double t = 1e-5;
    auto exact = make(true), frozen = make(false);
    const Eigen::VectorXd difference =
        (flatten(forces(exact, shifted(t))) - flatten(forces(exact, shifted(-t)))) / (2. * t);
    REQUIRE(difference.norm() > 1.);
    CHECK(forces(exact, x) == forces(frozen, x));
    const Eigen::MatrixXd k = stiffness(exact);
    CHECK(relative(k * flatten(v), difference) < 1e-6);
    Vector<Vec3> df(n);
    exact.addStiffnessProduct(df, v, 2.);
    CHECK(relative(flatten(df), 2. * k * flatten(v)) < 1e-11);
    CHECK((relative(stiffness(frozen) * flatten(v), difference) > 1e-3) == !sofaIsExact);
    // Before the first force it is that of the rest shape.
    CHECK(relative(stiffness(make(true)), stiffness(make(false))) < 1e-11);
}

}  // namespace

TEST_CASE("the exact tangent of corotational tetrahedra is the derivative of the forces", "[fem]")
{
    BoxMesh mesh(2, 1, 1, {1., 0.6, 0.7});
    mesh.jitter(0.04);
    for (const RotationMethod method :
         {RotationMethod::Small, RotationMethod::Large, RotationMethod::Polar, RotationMethod::Svd,
          RotationMethod::DeformationGradient, RotationMethod::NearestGradient, RotationMethod::Moments,
          RotationMethod::NearestMoments}) {
        CAPTURE(static_cast<int>(method));
        checkTangent(
            mesh.points,
            [&](bool exact) {
                CorotationalTetrahedra e;
                e.setExactTangent(exact);
                e.build(mesh.tetrahedra, mesh.points, method);
                for (Index i = 0; i < e.size(); ++i) e.setMaterial(i, {900., 400.});
                return e;
            },
            method == RotationMethod::Small);
    }
    CorotationalTetrahedra e;
    e.setExactTangent(true);
    CHECK_THROWS_WITH(e.build(mesh.tetrahedra, mesh.points, RotationMethod::Polar, true),
                      Catch::Contains("exact tangent"));
}

TEST_CASE("the exact tangent of corotational hexahedra is the derivative of the forces", "[fem]")
{
    BoxMesh mesh(2, 1, 1, {1., 0.6, 0.7});
    for (const bool boxes : {true, false}) {
        if (!boxes) mesh.jitter(0.04);
        for (const RotationMethod method : {RotationMethod::Small, RotationMethod::Large, RotationMethod::Polar}) {
            CAPTURE(boxes, static_cast<int>(method));
            checkTangent(
                mesh.points,
                [&](bool exact) {
                    CorotationalHexahedra e;
                    e.setExactTangent(exact);
                    e.build(mesh.hexahedra, mesh.points, method);
                    e.setMaterial([](Index) { return CorotationalHexahedra::Material{{900., 400.}}; });
                    CHECK(e.hasBoxProducts() == (boxes && !exact));
                    return e;
                },
                method == RotationMethod::Small);
        }
    }
}

TEST_CASE("the exact tangent of corotational triangles is the derivative of the forces", "[fem]")
{
    Vector<Vec3> points;
    Vector<ElementGraph<3>::Element> triangles;
    for (Index j = 0; j < 3; ++j)
        for (Index i = 0; i < 3; ++i) points.push_back({0.5 * i, 0.4 * j + 0.1 * i, 0.05 * i * j});
    for (Index j = 0; j < 2; ++j)
        for (Index i = 0; i < 2; ++i) {
            const Index a = 3 * j + i;
            triangles.push_back({a, a + 1, a + 4});
            triangles.push_back({a + 3, a, a + 4});
        }
    for (const TriangleMethod method : {TriangleMethod::large, TriangleMethod::undeformed, TriangleMethod::small})
        for (const bool fibres : {false, true}) {
            CAPTURE(static_cast<int>(method), fibres);
            checkTangent(
                points,
                [&](bool exact) {
                    CorotationalTriangles e;
                    e.setExactTangent(exact);
                    e.build(triangles, points, method);
                    e.setMaterial([&](Index) {
                        return fibres ? CorotationalTriangles::fibrous(900., 100., 0.3, 80., {0.6, 0.8})
                                      : CorotationalTriangles::planeStress(900., 0.3);
                    });
                    return e;
                },
                method == TriangleMethod::small);
        }
}

TEST_CASE("frames turn as their nodes do", "[fem]")
{
    const Mat3 r = someRotation(),
               stretch = Mat3::fromRows(Vec3{1.2, 0.1, 0.}, Vec3{0.1, 0.9, -0.2}, Vec3{0., -0.2, 1.1});
    const Vec3 turn{0.3, -0.4, 0.5};
    const Mat3 h = r * stretch, dh = crossMatrix(turn) * h;
    Vec3 polar;
    for (std::size_t a = 0; a < 3; ++a) polar += cross(r.column(a), dh.column(a));
    CHECK(norm(polarTurning(h * r.transposed()) * polar - turn) < 1e-12);
    const Vec3 h1{2., 0.3, -0.1}, h2{0.2, 1.5, 0.4}, e1 = h1 * (1. / norm(h1)), n = cross(h1, h2),
                                                     e3 = n * (1. / norm(n));
    const auto [first, second] = edgeFrameTurning(Mat3::fromRows(e1, cross(e3, e1), e3), h1, h2);
    CHECK(norm(first * cross(turn, h1) + second * cross(turn, h2) - turn) < 1e-12);
    CHECK(polarTurning(Mat3()) == Mat3());
}

}  // namespace frame_turning_test
