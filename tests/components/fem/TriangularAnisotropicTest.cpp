// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>
#include <numbers>

#include "components/fem/TriangularAnisotropicFEMForceField.h"
#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"

namespace triangular_anisotropic_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// A flat sheet of 3 x 2 cells in the plane x y, 3 m x 1.5 m.
template <class F>
struct Sheet : ForceFieldScene<F>
{
    Sheet() : ForceFieldScene<F>(BoxMesh(1, 1, 1, {1., 1., 1.}), false, false)
    {
        Vector<Vec3> points;
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 4; ++i) points.push_back({i * 1., j * 0.75, 0.});
        this->state.d_position.setValue(points);
        this->topology.points = static_cast<Index>(points.size());
        for (Index j = 0; j < 2; ++j)
            for (Index i = 0; i < 3; ++i) {
                const Index a = 4 * j + i;
                // First sides in different directions.
                this->topology.m_triangles.push_back({a + 1, a + 5, a});
                this->topology.m_triangles.push_back({a, a + 5, a + 4});
            }
    }
    Vector<Vec3> points() { return this->state.d_position.value(); }
};

using Fibers = Sheet<TriangularAnisotropicFEMForceField>;

constexpr double s_along = 300., s_across = 40., s_poisson = 0.3;

Fibers& with(Fibers& s, const std::string& angle, const std::string& method = "small")
{
    s.set("youngModulus", "300").set("transverseYoungModulus", "40").set("poissonRatio", "0.3");
    s.set("fiberAngle", angle).set("method", method).init();
    REQUIRE(s.field.isValid());
    return s;
}

Mat3 about(double degrees) { return Quat::fromAxisAngle({0., 0., 1.}, degrees * std::numbers::pi / 180.).toMatrix(); }

/// ψ of the header for strains in the axes of the fibres.
double density(double f, double g, double h)
{
    return 0.5 * (s_along * f * f + 2. * s_poisson * s_across * f * g + s_across * g * g) /
               (1. - s_poisson * s_poisson * s_across / s_along) +
           0.25 * s_along / (1. + s_poisson) * h * h;
}

}  // namespace

HARNESS_FORCE_FIELD("TriangularAnisotropicFEMForceField")
{
    Fibers s;
    s.set("rayleighStiffness", "0.1");
    with(s, "25");
    const Vector<Vec3> noise = randomVectors(12, 0.1, 8);
    for (std::size_t i = 0; i < noise.size(); ++i) s.state.write(vec_id::position)[i] += noise[i];
    checkForceField(s.field);
    // With frames the tangent is exact where there is no stress.
    Fibers large;
    with(large, "25", "large");
    checkForceField(large.field, {.displacement = 0.1, .frozenFrames = true});
}

TEST_CASE("A membrane with fibres has the energy of its law, whatever the direction", "[fem]")
{
    const double f = 0.01, g = -0.015, h = 0.02;
    Mat3 strain;
    strain[0][0] = f;
    strain[1][1] = g;
    strain[0][1] = strain[1][0] = 0.5 * h;
    for (const double angle : {0., 30., 90., 117.})
        for (const char* method : {"small", "large"}) {
            Fibers s;
            with(s, std::to_string(angle), method);
            const Mat3 u = about(angle) * strain * about(-angle) + Mat3::identity();
            const double energy = s.energy(mapped(s.points(), u, {}));
            // The frames measure strains in the deformed shape, but for terms of second order.
            CHECK(energy == Approx(4.5 * density(f, g, h)).epsilon(method[0] == 's' ? 1e-10 : 0.05));
        }
}

TEST_CASE("A strip pulled along or across its fibres has their moduli and contractions", "[fem]")
{
    for (const bool along : {true, false}) {
        Fibers s;
        with(s, along ? "0" : "90");
        const double modulus = along ? s_along : s_across, nu = along ? s_poisson : s_poisson * s_across / s_along;
        auto x = s.points();
        for (Vec3& p : x) p = {p[0] * 1.01, p[1] * (1. - 0.01 * nu), 0.};
        const auto f = s.forces(x);
        double end = 0.;
        for (std::size_t i = 0; i < f.size(); ++i) {
            CHECK(std::abs(f[i][1]) < 1e-12);
            if (i % 4 == 3) end -= f[i][0];
            if (i % 4 == 1 || i % 4 == 2) CHECK(std::abs(f[i][0]) < 1e-12);
        }
        CHECK(end == Approx(modulus * 0.01 * 1.5).epsilon(1e-12));
        Vector<Mat3> stress;
        const ElementNumbering elements = s.field.resultElements();
        const auto rest = s.points();
        s.field.stresses({elements, rest, x}, stress);
        REQUIRE(stress.size() == 12);
        CHECK(stress[5][0][0] == Approx(modulus * 0.01).epsilon(1e-12));
        Vector<double> mises;
        s.field.vonMisesStresses({elements, rest, x}, mises);
        CHECK(mises[5] == Approx(modulus * 0.01).epsilon(1e-10));
    }
}

TEST_CASE("A membrane whose moduli are the same along and across is isotropic", "[fem]")
{
    Fibers fibers;
    Sheet<TriangularFEMForceField> isotropic;
    fibers.set("youngModulus", "300").set("transverseYoungModulus", "300").set("poissonRatio", "0.3");
    fibers.set("fiberAngle", "33").init();
    isotropic.set("youngModulus", "300").set("poissonRatio", "0.3").init();
    auto x = mapped(fibers.points(), someRotation(), {1., 2., 3.});
    const Vector<Vec3> noise = randomVectors(12, 0.1, 4);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    const auto a = fibers.forces(x), b = isotropic.forces(x);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(a[i] - b[i]) < 1e-12 * maxNorm(b));
    CHECK((fibers.stiffness() - isotropic.stiffness()).norm() < 1e-11 * isotropic.stiffness().norm());
}

TEST_CASE("Fibres turn with the body", "[fem]")
{
    Fibers flat, turned;
    with(flat, "40", "large");
    const Mat3 r = someRotation();
    with(turned, "40", "large");
    Mat3 stretch = Mat3::identity();
    stretch[0][0] = 1.1;
    stretch[0][1] = 0.05;
    const auto a = flat.forces(mapped(flat.points(), stretch, {}));
    const auto b = turned.forces(mapped(turned.points(), r * stretch, {1., 2., 3.}));
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(norm(r * a[i] - b[i]) < 1e-11);
}

TEST_CASE("Fibres run in circles about a point, and are told in each triangle", "[fem]")
{
    Fibers s;
    s.set("youngModulus", "300").set("transverseYoungModulus", "40").set("poissonRatio", "0.3");
    s.set("fiberCenter", "1.5 0.75 4").init();
    REQUIRE(s.field.isValid());
    const auto x = s.points();
    REQUIRE(s.field.d_localFiberDirection.value().size() == 12);
    for (Index e = 0; e < 12; ++e) {
        const Triangle& t = s.topology.m_triangles[e];
        const Vec3 local = s.field.d_localFiberDirection.value()[e];
        const Vec3 fiber = (x[t[1]] - x[t[0]]) * local[0] + (x[t[2]] - x[t[0]]) * local[1];
        const Vec3 middle = (x[t[0]] + x[t[1]] + x[t[2]]) / 3.;
        CHECK(std::abs(dot(fiber, middle - Vec3(1.5, 0.75, 0.))) < 1e-12);
        CHECK(norm(local) == Approx(1.));
    }
}

TEST_CASE("Values of fibres may differ by triangle, and follow edits", "[fem]")
{
    Fibers s;
    s.set("youngModulus", "300").set("poissonRatio", "0.3");
    s.set("transverseYoungModulus", "20 60 20 60 20 60 20 60 20 60 20 60").set("method", "small").init();
    Mat3 wide = Mat3::identity();
    wide[1][1] = 1.01;
    const auto x = mapped(s.points(), wide, {});
    const double mixed = s.energy(x);
    s.field.d_transverseYoungModulus.setValue({20.});
    s.field.reinit();
    const double soft = s.energy(x);
    s.field.d_transverseYoungModulus.setValue({60.});
    s.field.reinit();
    CHECK(mixed == Approx(0.5 * (soft + s.energy(x))).epsilon(1e-12));
}

TEST_CASE("A membrane with fibres says what is wrong", "[fem]")
{
    SECTION("moduli without a minimum of the energy")
    {
        Fibers s;
        s.set("youngModulus", "10").set("transverseYoungModulus", "1000").set("poissonRatio", "0.3").init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, "element 0: Young's modulus along the fibres must be positive and more"));
    }
    SECTION("fibres across the membrane")
    {
        Fibers s;
        auto x = s.points();
        for (Vec3& p : x) p = {0., p[0], p[1]};
        s.state.d_position.setValue(x);
        s.init();
        CHECK_FALSE(s.field.isValid());
        CHECK(
            s.messages.has(Severity::Error, "triangle 0 has no direction of fibres in its plane: that of fiberAngle"));
    }
}

}  // namespace triangular_anisotropic_test
