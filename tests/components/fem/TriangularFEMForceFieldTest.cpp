// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TriangularFEMForceField.h"

#include <cmath>

#include "components/fem/TriangularFEMForceFieldOptim.h"
#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"

namespace triangular_fem_force_field_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// A flat sheet of 3 x 2 cells in the plane x y, of triangles or of quads.
template <class F>
struct Sheet : ForceFieldScene<F>
{
    explicit Sheet(bool quads = false) : ForceFieldScene<F>(BoxMesh(1, 1, 1, {1., 1., 1.}), false, false)
    {
        Vector<Vec3> points;
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 4; ++i) points.push_back({i * 1., j * 0.75, 0.});
        this->state.d_position.setValue(points);
        this->topology.points = static_cast<Index>(points.size());
        for (Index j = 0; j < 2; ++j)
            for (Index i = 0; i < 3; ++i) {
                const Index a = 4 * j + i;
                if (quads) {
                    this->topology.m_quads.push_back({a, a + 1, a + 5, a + 4});
                } else {
                    this->topology.m_triangles.push_back({a, a + 1, a + 5});
                    this->topology.m_triangles.push_back({a, a + 5, a + 4});
                }
            }
    }
    Vector<Vec3> points() { return this->state.d_position.value(); }
};

Mat3 stretch(double x, double y)
{
    Mat3 f = Mat3::identity();
    f[0][0] += x;
    f[1][1] += y;
    return f;
}

double pull(const Vector<Vec3>& points, const Vector<Vec3>& forces)
{
    double sum = 0.;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i][0] == 3.) sum -= forces[i][0];
    return sum;
}

template <class F>
void checkSmall()
{
    Sheet<F> s;
    s.set("youngModulus", "100")
        .set("poissonRatio", "0.3")
        .set("method", "small")
        .set("rayleighStiffness", "0.1")
        .init();
    const Vector<Vec3> noise = randomVectors(12, 0.1, 8);
    for (std::size_t i = 0; i < noise.size(); ++i) s.state.write(vec_id::position)[i] += noise[i];
    checkForceField(s.field);
}

}  // namespace

// The harness compares with exact derivatives, which only the method small has. The frames of the method large are held
// to theirs below, where strains are small.

HARNESS_FORCE_FIELD("TriangularFEMForceField") { checkSmall<TriangularFEMForceField>(); }
HARNESS_FORCE_FIELD("TriangleFEMForceField") { checkSmall<TriangleFEMForceField>(); }

// Where the membrane is free of stress, the frames do not matter to the first order.
HARNESS_FORCE_FIELD("TriangularFEMForceFieldOptim")
{
    Sheet<TriangularFEMForceFieldOptim> s;
    s.set("youngModulus", "100").set("poissonRatio", "0.3").set("method", "large").init();
    REQUIRE(s.field.isValid());
    checkForceField(s.field, {.displacement = 0.1, .frozenFrames = true});
}

TEST_CASE("TriangularFEMForceFieldOptim measures strains on the triangles at rest", "[fem]")
{
    Sheet<TriangularFEMForceFieldOptim> s;
    s.topology.m_triangles = {{0, 1, 4}};  // a right angle at the origin, sides 1 and 0.75
    s.set("youngModulus", "300").set("poissonRatio", "0.3").set("computePrincipalStress", "1").init();
    const double ex = 0.1, ey = 0.2, d = 300. / (1. - 0.09), area = 0.375;
    const double sx = d * (ex + 0.3 * ey), sy = d * (ey + 0.3 * ex);
    const auto x = mapped(s.points(), stretch(ex, ey), {});
    const Vector<Vec3> f = s.forces(x);
    CHECK(norm(f[1] - Vec3(-sx * area, 0, 0)) < 1e-12);
    CHECK(norm(f[4] - Vec3(0, -sy * area / 0.75, 0)) < 1e-12);
    CHECK(norm(f[0] + f[1] + f[4]) < 1e-12);
    CHECK(s.field.d_stressMaxValue.value() == Approx(sy).epsilon(1e-14));
    CHECK(s.energy(x) == Approx(0.5 * area * (sx * ex + sy * ey)).epsilon(1e-14));
    // A triangle that is turned has the same stress, and one in compression none above zero.
    const Vector<Vec3> turned = s.forces(mapped(x, someRotation(), {1., 2., 3.}));
    for (std::size_t i = 0; i < f.size(); ++i) CHECK(norm(someRotation() * f[i] - turned[i]) < 1e-12);
    CHECK(s.field.d_stressMaxValue.value() == Approx(sy).epsilon(1e-12));
    s.forces(mapped(s.points(), stretch(-0.1, -0.1), {}));
    CHECK(s.field.d_stressMaxValue.value() == 0.);
}

TEST_CASE("TriangularFEMForceFieldOptim differs from TriangularFEMForceField by the square of the strain", "[fem]")
{
    Sheet<TriangularFEMForceFieldOptim> optim;
    Sheet<TriangularFEMForceField> usual;
    optim.set("youngModulus", "300").set("poissonRatio", "0.3").init();
    usual.set("youngModulus", "300").set("poissonRatio", "0.3").init();
    const Vector<Vec3> noise = randomVectors(12, 1., 4);
    const auto compare = [&](double size) {
        auto x = mapped(usual.points(), someRotation(), {1., 2., 3.});
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i] * size;
        const auto a = optim.forces(x), b = usual.forces(x);
        double difference = 0.;
        for (std::size_t i = 0; i < x.size(); ++i) difference = std::max(difference, norm(a[i] - b[i]));
        CHECK(maxNorm(b) > 10. * size);
        return difference;
    };
    const double coarse = compare(2e-3), fine = compare(1e-3);
    CHECK(coarse > 1e-5);
    CHECK(coarse / fine == Approx(4.).epsilon(0.02));
}

TEST_CASE("restScale below one stretches a membrane at its rest position", "[fem]")
{
    Sheet<TriangularFEMForceFieldOptim> s;
    s.set("youngModulus", "300").set("poissonRatio", "0.3").set("restScale", "0.8").init();
    // Equal strain e = 1/0.8 - 1 in both directions of lengths that are 0.8 times as long: E e/(1 - nu) per length.
    const Vector<Vec3> f = s.forces(s.points());
    CHECK(pull(s.points(), f) == Approx(300. * 0.25 / 0.7 * (0.8 * 1.5)).epsilon(1e-12));
    auto x = s.points();
    for (Vec3& p : x) p = p * 0.8;
    CHECK(maxNorm(s.forces(x)) < 1e-12);
}

TEST_CASE("TriangularFEMForceFieldOptim has one method", "[fem]")
{
    Sheet<TriangularFEMForceFieldOptim> s;
    s.set("method", "large");
    CHECK(s.messages.count(Severity::Warning) == 0);
    s.set("method", "small");
    CHECK(s.messages.has(Severity::Warning, "method large only"));
}

TEST_CASE("A membrane in uniaxial tension has its closed-form force, energy and stress", "[fem]")
{
    Sheet<TriangularFEMForceField> s;
    s.set("youngModulus", "300").set("poissonRatio", "0.3").set("computePrincipalStress", "1").init();
    REQUIRE(s.field.isValid());
    // Plane stress: σ = E ε along x where the width shrinks by ν ε, up to terms of second order in the strain (the
    // frames follow the edges, and the strain is measured on the deformed sheet).
    const double e = 1e-6, nu = 0.3;
    const auto x = mapped(s.points(), stretch(e, -nu * e), {});
    const Vector<Vec3> f = s.forces(x);
    CHECK(pull(s.points(), f) == Approx(300. * e * 1.5).epsilon(1e-5));
    CHECK(s.energy(x) == Approx(0.5 * 300. * e * e * 4.5).epsilon(1e-5));
    REQUIRE(s.field.d_maxStress.value().size() == 12);
    for (const double m : s.field.d_maxStress.value()) CHECK(m == Approx(300. * e).epsilon(1e-5));
}

TEST_CASE("The force of one triangle is that of the strain on its deformed shape", "[fem]")
{
    Sheet<TriangularFEMForceField> s;
    s.topology.m_triangles = {{0, 1, 4}};  // a right angle at the origin, sides 1 and 0.75
    s.set("youngModulus", "300").set("poissonRatio", "0.3").init();
    const double ex = 0.1, ey = 0.2;
    const Vector<Vec3> f = s.forces(mapped(s.points(), stretch(ex, ey), {}));
    // Displacements over deformed lengths; gradients of the deformed triangle on the area at rest.
    const double xx = ex / (1. + ex), yy = ey / (1. + ey), d = 300. / (1. - 0.09), area = 0.375;
    const double sx = d * (xx + 0.3 * yy), sy = d * (yy + 0.3 * xx);
    CHECK(norm(f[1] - Vec3(-sx * area / (1. + ex), 0, 0)) < 1e-12);
    CHECK(norm(f[4] - Vec3(0, -sy * area / (0.75 * (1. + ey)), 0)) < 1e-12);
    CHECK(norm(f[0] + f[1] + f[4]) < 1e-12);
}

TEST_CASE("Thickness and plane strain scale the membrane", "[fem]")
{
    const double e = 1e-6, nu = 0.3;
    Sheet<TriangleFEMForceField> thin, strain;
    thin.set("youngModulus", "300").set("poissonRatio", "0.3").set("thickness", "0.1").init();
    strain.set("youngModulus", "300").set("poissonRatio", "0.3").set("planeStrain", "1").init();
    const auto x = mapped(thin.points(), stretch(e, 0.), {});
    CHECK(pull(thin.points(), thin.forces(x)) == Approx(300. / (1. - nu * nu) * e * 0.15).epsilon(1e-5));
    CHECK(pull(thin.points(), strain.forces(x)) ==
          Approx(300. * (1. - nu) / ((1. + nu) * (1. - 2. * nu)) * e * 1.5).epsilon(1e-5));
}

TEST_CASE("A membrane that moves as a rigid body has no force, and its stress turns with it", "[fem]")
{
    Sheet<TriangularFEMForceField> s;
    s.set("youngModulus", "300").set("poissonRatio", "0.3").init();
    const Mat3 r = someRotation();
    CHECK(maxNorm(s.forces(mapped(s.points(), r, {1., 2., 3.}))) < 1e-11);
    const auto stretched = mapped(s.points(), stretch(0.1, 0.05), {});
    const auto f = s.forces(stretched), turned = s.forces(mapped(stretched, r, {1., 2., 3.}));
    CHECK(maxNorm(f) > 1.);
    for (std::size_t i = 0; i < f.size(); ++i) CHECK(norm(r * f[i] - turned[i]) < 1e-10);
    s.forces(mapped(s.points(), r, {1., 2., 3.}));
    Vector<Mat3> rotations;
    s.field.nodeRotations(rotations);
    for (const Mat3& m : rotations) CHECK(norm(m - r) < 1e-12);
}

TEST_CASE("The stiffness of a membrane is the derivative of its force at rest, and its product", "[fem]")
{
    Sheet<TriangularFEMForceField> s;
    s.set("youngModulus", "300").set("poissonRatio", "0.3").init();
    // A curved rest shape: frames differ from triangle to triangle.
    auto points = s.points();
    for (std::size_t i = 0; i < points.size(); ++i) points[i][2] = 0.2 * std::sin(static_cast<double>(i));
    s.state.d_position.setValue(points);
    s.state.init();
    s.state.write(vec_id::restPosition) = points;
    s.field.init();
    s.forces(points);
    const Eigen::MatrixXd k = s.stiffness();
    CHECK((k - k.transpose()).norm() == 0.);
    CHECK(k.norm() > 100.);
    const double h = 1e-6;
    double worst = 0.;
    for (std::size_t j = 0; j < 3 * points.size(); ++j) {
        auto plus = points, minus = points;
        plus[j / 3][j % 3] += h;
        minus[j / 3][j % 3] -= h;
        const auto a = s.forces(plus), b = s.forces(minus);
        for (std::size_t i = 0; i < 3 * points.size(); ++i)
            worst = std::max(worst, std::abs((a[i / 3][i % 3] - b[i / 3][i % 3]) / (2. * h) -
                                             k(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))));
    }
    CHECK(worst < 1e-4);
    // Products at a deformed shape are those of the matrix there.
    const auto deformed = mapped(points, stretch(0.2, -0.1), {});
    s.forces(deformed);
    const Eigen::MatrixXd kd = s.stiffness();
    const Vector<Vec3> dx = randomVectors(points.size(), 1., 3);
    Vector<Vec3> df(points.size());
    s.field.mechanics().addStiffnessProduct(df, dx, 2.);
    for (std::size_t i = 0; i < 3 * points.size(); ++i) {
        double sum = 0.;
        for (std::size_t j = 0; j < 3 * points.size(); ++j)
            sum += 2. * kd(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * dx[j / 3][j % 3];
        CHECK(df[i / 3][i % 3] == Approx(sum).margin(1e-9));
    }
}

TEST_CASE("Quads are cut in two along their first diagonal", "[fem]")
{
    Sheet<TriangleFEMForceField> quads(true), triangles;
    for (auto* s : {&quads, &triangles}) s->set("youngModulus", "300").set("poissonRatio", "0.3").init();
    REQUIRE(quads.field.isValid());
    auto x = quads.points();
    const auto noise = randomVectors(x.size(), 0.1, 5);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    const auto a = quads.forces(x), b = triangles.forces(x);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(a[i] - b[i]) < 1e-12);
}

TEST_CASE("Membranes report what is wrong with their triangles", "[fem]")
{
    Sheet<TriangularFEMForceField> none(true);
    none.init();
    CHECK_FALSE(none.field.isValid());
    CHECK(none.messages.has(Severity::Error, "has no triangles"));
    Sheet<TriangularFEMForceField> flat;
    flat.topology.m_triangles.push_back({0, 1, 2});
    flat.init();
    CHECK(flat.messages.has(Severity::Error, "triangle 12 (points 0, 1, 2) has no area at rest"));
    Sheet<TriangularFEMForceField> collapsing;
    collapsing.init();
    auto x = collapsing.points();
    x[1] = x[0];
    x[5] = x[0];
    CHECK_THROWS_WITH(collapsing.forces(x), Catch::Contains("has collapsed to a line"));
}

}  // namespace triangular_fem_force_field_test
