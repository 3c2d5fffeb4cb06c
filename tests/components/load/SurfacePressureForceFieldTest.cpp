// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/SurfacePressureForceField.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/objectmodel/Event.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace surface_pressure_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::SurfacePressureForceField;

namespace {

/// The sides of the unit cube, outwards: five quads and two triangles; the two are missing where it is open.
template <class D>
SurfacePressureForceField<D>& cube(Node& root, const test::Attributes& attributes, bool open = false, bool valid = true)
{
    test::addState<D>(root, test::coordinates<D>(test::cubePoints()));
    auto& topology = root.create<test::TestTopology>();
    topology.points = 8;
    topology.quadList = {{0, 3, 2, 1}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    if (!open) topology.triangleList = {{4, 5, 6}, {4, 6, 7}};
    auto& ff = test::addComponent<SurfacePressureForceField<D>>(root, "SurfacePressureForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

Vector<Vec3> forces(SurfacePressureForceField<Vec3Types>& ff, double scale = 1.)
{
    Vector<Vec3> x = ff.state().read(vec_id::restPosition), f(x.size());
    for (Vec3& p : x) p = p * scale;
    ff.addForce({}, f, x, Vector<Vec3>(x.size()));
    return f;
}

void step(SurfacePressureForceField<Vec3Types>& ff, double dt) { ff.handleEvent(AnimateBeginEvent(dt)); }

}  // namespace

HARNESS_FORCE_FIELD("SurfacePressureForceField")
{
    Node root;
    const test::Attributes pressure{{"pressure", "7"}};
    SECTION("closed") { test::checkForceField(cube<Vec3Types>(root, pressure)); }
    SECTION("open") { test::checkForceField(cube<Vec3Types>(root, pressure, true)); }
    SECTION("frames") { test::checkForceField(cube<Rigid3Types>(root, pressure), {.frozenFrames = false}); }
    SECTION("without a tangent")
    {
        auto& ff = cube<Vec3Types>(root, {{"pressure", "7"}, {"useTangentStiffness", "0"}});
        forces(ff);
        for (auto* s : ff.states()) s->allocate(vec_id::dx);
        ff.state().write(vec_id::dx)[3] = {1., 2., 3.};
        ff.state().clear(vec_id::force);
        MechanicalParams mp;
        mp.kFactor = 1.;
        ff.addDForce(mp, vec_id::force);
        for (const Vec3& f : ff.state().forces()) CHECK(f == Vec3());
    }
    SECTION("against a volume")
    {
        test::checkForceField(
            cube<Vec3Types>(root, {{"pressure", "7"}, {"volumeConservationMode", "1"}, {"defaultVolume", "0.7"}}),
            {.displacement = 0.1});
    }
    SECTION("against a volume, not closed")
    {
        test::checkForceField(cube<Vec3Types>(root, {{"pressure", "7"},
                                                     {"volumeConservationMode", "1"},
                                                     {"defaultVolume", "0.7"},
                                                     {"quadIndices", "0 2 3 4"}}),
                              {.displacement = 0.1});
    }
    SECTION("along a main direction")
    {
        test::checkForceField(cube<Vec3Types>(root, {{"pressure", "7"}, {"mainDirection", "0.5 1.5 0.7"}}),
                              {.displacement = 0.1});
    }
}

TEST_CASE("a pressure acts on the present area along the present normal")
{
    Node root;
    SECTION("of triangles and quads")
    {
        auto& ff = cube<Vec3Types>(root, {{"pressure", "6"}});
        // A closed surface feels no resultant; 6 Pa on 4 m² push each side.
        Vec3 sum;
        double top = 0.;
        for (const Vec3& f : forces(ff, 2.)) sum += f;
        CHECK(norm(sum) < 1e-14);
        ff.d_triangleIndices.setValue({0, 1});
        ff.d_quadIndices.setValue({1});
        ff.reinit();
        for (const Vec3& f : forces(ff, 2.)) top += f[2];
        CHECK(top == Approx(24.));
    }
    SECTION("of what is in a box")
    {
        auto& ff = cube<Vec3Types>(root, {{"pressure", "6"}, {"min", "-1 -1 0.5"}, {"max", "2 2 2"}});
        Vec3 sum;
        for (const Vec3& f : forces(ff)) sum += f;
        CHECK(norm(sum - Vec3{0., 0., 6.}) < 1e-14);
        CHECK(std::isnan(ff.potentialEnergy(MechanicalParams())));
    }
    SECTION("times its part along a main direction")
    {
        auto& ff = cube<Vec3Types>(root, {{"pressure", "6"}, {"mainDirection", "0 0 -0.5"}});
        const auto f = forces(ff);
        for (const Vec3& p : f) CHECK((p[0] == 0. && p[1] == 0.));
        CHECK(f[4][2] + f[5][2] + f[6][2] + f[7][2] == Approx(3.));
    }
}

TEST_CASE("loads of a quad are those of its bilinear surface")
{
    // p ∫ Nᵢ x,ξ × x,η by Gauss's rule with 3 x 3 points, which is exact here.
    const auto exact = [](const std::array<Vec3, 4>& x, double p) {
        std::array<Vec3, 4> load{};
        const double g = std::sqrt(0.6);
        const std::array<std::pair<double, double>, 3> rule{{{-g, 5. / 9.}, {0., 8. / 9.}, {g, 5. / 9.}}};
        const std::array<std::pair<double, double>, 4> corner{{{-1., -1.}, {1., -1.}, {1., 1.}, {-1., 1.}}};
        for (const auto& [u, wu] : rule)
            for (const auto& [v, wv] : rule) {
                Vec3 du, dv;
                for (std::size_t i = 0; i < 4; ++i) {
                    const auto [a, b] = corner[i];
                    du += x[i] * (0.25 * a * (1. + b * v));
                    dv += x[i] * (0.25 * b * (1. + a * u));
                }
                for (std::size_t i = 0; i < 4; ++i) {
                    const auto [a, b] = corner[i];
                    load[i] += cross(du, dv) * (p * wu * wv * 0.25 * (1. + a * u) * (1. + b * v));
                }
            }
        return load;
    };
    for (const bool sofa : {false, true}) {
        Node root;
        root.d_compatibility.setValue(Options({"exact", "sofa"}, sofa ? 1 : 0));
        auto& ff = cube<Vec3Types>(root, {{"pressure", "6"}}, true);
        ff.d_quadIndices.setValue({2});
        ff.reinit();
        Vector<Vec3> x = ff.state().read(vec_id::restPosition), f(x.size());
        for (const bool bent : {false, true}) {
            if (bent) {
                x[1] += Vec3{0.1, -0.2, 0.3};
                x[6] += Vec3{0.4, 0.3, -0.1};
            }
            f.assign(x.size(), Vec3());
            ff.addForce({}, f, x, Vector<Vec3>(x.size()));
            const std::array<Index, 4> corners{1, 2, 6, 5};
            const auto expected = exact({x[1], x[2], x[6], x[5]}, 6.);
            for (std::size_t i = 0; i < 4; ++i) CHECK((norm(f[corners[i]] - expected[i]) < 1e-14) == !sofa);
            if (!bent) CHECK(f[1][0] == Approx(sofa ? 2. : 1.5));
        }
    }
}

TEST_CASE("a pressure that conserves a volume is inversely proportional to it")
{
    Node root;
    auto& ff = cube<Vec3Types>(root, {{"pressure", "6"}, {"volumeConservationMode", "1"}});
    const Vec3 first = forces(ff)[6];
    CHECK(norm(forces(ff, 2.)[6] - first * 4. / 8.) < 1e-14);
    CHECK(ff.couplesAllPoints());
    Vector<Vec3> x = ff.state().positions();
    for (Vec3& p : x) p = p * 2.;
    CHECK(ff.potentialEnergy({}, x) == Approx(-6. * std::log(8.)));
}

TEST_CASE("a pulse goes to and fro between two pressures")
{
    const auto pressures = [](const test::Attributes& attributes) {
        Node root;
        auto& ff = cube<Vec3Types>(root, attributes);
        Vector<double> p;
        for (int i = 0; i < 8; ++i) {
            step(ff, 0.5);
            p.push_back(ff.pressureNow());
        }
        ff.reset();
        CHECK(ff.pressureNow() == 0.);
        return p;
    };
    CHECK(pressures({{"pulseMode", "1"}, {"pressure", "5"}, {"pressureSpeed", "4"}}) ==
          Vector<double>{2., 4., 5., 3., 1., 0., 2., 4.});
    CHECK(pressures({{"pulseMode", "1"}, {"pressure", "-4"}, {"pressureLowerBound", "1"}}) ==
          Vector<double>{-2., -4., -2., 0., 1., -1., -3., -4.});
}

TEST_CASE("with SOFA's numbers the tangent of a pressure is that of triangles")
{
    Node root;
    root.d_compatibility.setValue(Options({"exact", "sofa"}, 1));
    auto& ff = cube<Vec3Types>(root, {{"pressure", "6"}});
    forces(ff);
    for (auto* s : ff.states()) s->allocate(vec_id::dx);
    for (Vec3& p : *ff.state().write(vec_id::dx)) p = {1., 0., 0.};
    ff.state().write(vec_id::dx)[6] = {1., 1., 0.};
    ff.state().clear(vec_id::force);
    MechanicalParams mp;
    mp.kFactor = 1.;
    ff.addDForce(mp, vec_id::force);
    CHECK(norm(ff.state().forces()[1]) == 0.);
    CHECK(norm(ff.state().forces()[4]) > 0.5);
}

TEST_CASE("a surface pressure says what is wrong")
{
    Node root;
    MessageCapture capture;
    SECTION("triangle")
    {
        cube<Vec3Types>(root, {{"triangleIndices", "0 2"}}, false, false);
        CHECK(capture.has(Severity::Error, "triangleIndices: there is no triangle 2, only 2"));
    }
    SECTION("quad")
    {
        cube<Vec3Types>(root, {{"quadIndices", "5"}}, false, false);
        CHECK(capture.has(Severity::Error, "quadIndices: there is no quad 5, only 5"));
    }
    SECTION("volume")
    {
        cube<Vec3Types>(root, {{"volumeConservationMode", "1"}}, true);
        CHECK(capture.has(Severity::Warning, "the surface is not closed, so its volume means little"));
    }
}

}  // namespace surface_pressure_force_field_test
