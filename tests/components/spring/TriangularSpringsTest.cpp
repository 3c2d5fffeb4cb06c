// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TriangularSprings.h"

#include <cmath>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace triangular_springs_test {

using namespace sofa;
using namespace sofa::core;
using component::TriangularBiquadraticSpringsForceField;
using component::TriangularQuadraticSpringsForceField;
using component::TriangularSprings;

namespace {

const std::vector<Vec3> s_points{{0., 0., 0.}, {1.3, 0.2, -0.1}, {0.4, 1.1, 0.3}, {1.6, 1.2, 0.1}, {0.9, 2., 0.4}};

TriangularSprings& build(Node& root, const std::string& type, test::Attributes attributes = {}, bool valid = true,
                         std::vector<Vec3> points = s_points,
                         Vector<Triangle> triangles = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}})
{
    auto& mesh = root.create<test::TestTopology>();
    mesh.points = static_cast<Index>(points.size());
    mesh.triangleList = std::move(triangles);
    test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(points));
    attributes.insert(attributes.begin(), {{"youngModulus", "70"}, {"poissonRatio", "0.35"}});
    auto& ff = test::addComponent<TriangularSprings>(root, type, attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

/// A triangle on which F acts, which is given in its plane.
double energyOf(const std::string& type, const Vec2& fx, const Vec2& fy, const test::Attributes& more = {})
{
    const std::vector<Vec3> rest{{0., 0., 0.}, {1.2, 0.1, 0.}, {0.3, 0.9, 0.}};
    Node root;
    auto& ff = build(root, type, more, true, rest, {{0, 1, 2}});
    Vector<Vec3> x;
    for (const Vec3& p : rest) x.push_back({fx[0] * p[0] + fx[1] * p[1], 0.5, fy[0] * p[0] + fy[1] * p[1]});
    return ff.potentialEnergy({}, x);
}

constexpr double s_area = 0.5 * (1.2 * 0.9 - 0.1 * 0.3), s_young = 70., s_poisson = 0.35;
constexpr double s_lambda = s_young * s_poisson / (1. - s_poisson * s_poisson), s_mu = s_young / (1. + s_poisson);

/// ½ λ (tr E)² + ½ μ E:E over the area, E = ½ (FᵀF − 1).
double saintVenantKirchhoff(const Vec2& fx, const Vec2& fy)
{
    const double xx = 0.5 * (fx[0] * fx[0] + fy[0] * fy[0] - 1.), yy = 0.5 * (fx[1] * fx[1] + fy[1] * fy[1] - 1.),
                 xy = 0.5 * (fx[0] * fx[1] + fy[0] * fy[1]);
    return s_area * (0.5 * s_lambda * (xx + yy) * (xx + yy) + 0.5 * s_mu * (xx * xx + yy * yy + 2. * xy * xy));
}

}  // namespace

HARNESS_FORCE_FIELD("TriangularQuadraticSpringsForceField")
{
    Node root;
    const std::string type = "TriangularQuadraticSpringsForceField";
    SECTION("springs along edges and between them")
    {
        test::checkForceField(build(root, type), {.atGivenPose = false, .internal = true});
    }
    SECTION("along edges only")
    {
        test::checkForceField(build(root, type, {{"useAngularSprings", "0"}}),
                              {.atGivenPose = false, .internal = true});
    }
    SECTION("with damping")
    {
        test::checkForceField(build(root, type, {{"dampingRatio", "0.1"}}), {.atGivenPose = false, .internal = true});
    }
}

HARNESS_FORCE_FIELD("TriangularBiquadraticSpringsForceField")
{
    Node root;
    const std::string type = "TriangularBiquadraticSpringsForceField";
    SECTION("springs along edges and between them, with damping")
    {
        test::checkForceField(build(root, type, {{"dampingRatio", "0.1"}, {"compressible", "0"}}),
                              {.atGivenPose = false, .internal = true});
    }
    SECTION("along edges only")
    {
        test::checkForceField(build(root, type, {{"useAngularSprings", "0"}}),
                              {.atGivenPose = false, .internal = true});
    }
    SECTION("with loss of area")
    {
        auto& ff = build(root, type, {{"youngModulus", "90 70 50"}, {"poissonRatio", "0.2 0.3 0.4"}});
        const auto x = ff.state().write(vec_id::position);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 0.6;
        test::checkForceField(ff, {.displacement = 0.05, .internal = true});
    }
}

TEST_CASE("biquadratic triangular springs are the St Venant-Kirchhoff membrane")
{
    const std::string type = "TriangularBiquadraticSpringsForceField";
    for (const auto& [fx, fy] : {std::pair{Vec2{1.3, 0.2}, Vec2{-0.1, 1.1}}, std::pair{Vec2{1., 0.7}, Vec2{0., 1.}},
                                 std::pair{Vec2{0.8, 0.6}, Vec2{-0.6, 0.8}}, std::pair{Vec2{0.5, 0.}, Vec2{0., 0.7}}})
        CHECK(energyOf(type, fx, fy, {{"compressible", "0"}}) ==
              Approx(saintVenantKirchhoff(fx, fy)).epsilon(1e-12).margin(1e-12));
    // Stretched triangles do not resist a loss of area; others do with 3/4 (λ + μ) (1 − J)⁴.
    CHECK(energyOf(type, {1.3, 0.}, {0., 1.}) == Approx(saintVenantKirchhoff({1.3, 0.}, {0., 1.})));
    const double lost = 1. - 0.5 * 0.7;
    CHECK(energyOf(type, {0.5, 0.}, {0., 0.7}) - saintVenantKirchhoff({0.5, 0.}, {0., 0.7}) ==
          Approx(0.75 * (s_lambda + s_mu) * s_area * std::pow(lost, 4)));
}

TEST_CASE("quadratic triangular springs are that membrane to second order")
{
    const auto error = [](double h) {
        const Vec2 fx{1. + 0.7 * h, 0.5 * h}, fy{-0.3 * h, 1. + 0.9 * h};
        return std::abs(energyOf("TriangularQuadraticSpringsForceField", fx, fy) - saintVenantKirchhoff(fx, fy));
    };
    // What differs is of the third order: it is an eighth at half the strain.
    CHECK(error(0.01) / error(0.005) == Approx(8.).epsilon(0.05));
}

TEST_CASE("with SOFA's numbers triangular springs have SOFA's tangents, and the same forces")
{
    for (const char* type : {"TriangularQuadraticSpringsForceField", "TriangularBiquadraticSpringsForceField"}) {
        std::array<Vector<Vec3>, 2> forces, products;
        for (const bool sofa : {false, true}) {
            Node root;
            root.d_compatibility.setValue(Options({"exact", "sofa"}, sofa ? 1 : 0));
            auto& ff = build(root, type);
            auto& s = ff.state();
            for (Vec3& p : *s.write(vec_id::position)) p = {0.6 * p[0], 0.9 * p[1], 0.7 * p[2]};
            ff.addForce(MechanicalParams(), vec_id::force);
            forces[sofa] = s.forces();
            for (const auto id : {vec_id::dx, vec_id::dforce}) s.allocate(id);
            for (std::size_t i = 0; i < s.size(); ++i) s.write(vec_id::dx)[i] = s_points[i] * double(i);
            for (Vec3& p : *s.write(vec_id::dforce)) p = {};
            MechanicalParams mp;
            mp.kFactor = 1.;
            ff.addDForce(mp, vec_id::dforce);
            products[sofa] = s.read(vec_id::dforce);
        }
        CHECK(forces[0] == forces[1]);
        CHECK(norm(products[0][2] - products[1][2]) > 0.01 * norm(products[0][2]));
    }
}

TEST_CASE("collapsed triangles have no direction, and finite forces")
{
    for (const char* type : {"TriangularQuadraticSpringsForceField", "TriangularBiquadraticSpringsForceField"}) {
        Node root;
        auto& ff = build(root, type);
        const Vector<Vec3> x(s_points.size(), Vec3{1., 2., 3.}), v(x.size());
        Vector<Vec3> f(x.size());
        ff.addForce({}, f, x, v);
        for (const Vec3& p : f) CHECK(p == Vec3());
        CHECK(ff.potentialEnergy({}, x) > 0.);
    }
}

TEST_CASE("triangular springs need triangles with an area at rest")
{
    MessageCapture capture;
    Node root;
    build(root, "TriangularQuadraticSpringsForceField", {}, false, {Vec3(), Vec3{1., 0., 0.}, Vec3{2., 0., 0.}},
          {{0, 1, 2}});
    CHECK(capture.has(Severity::Error, "triangle 0 (vertices 0 1 2) has no area at rest"));
}

}  // namespace triangular_springs_test
