// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "components/spring/PolynomialRestShapeSpringsForceField.h"
#include "components/spring/PolynomialSpringsForceField.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace polynomial_springs_test {

using namespace sofa;
using namespace sofa::core;
using component::PolynomialRestShapeSpringsForceField;
using component::PolynomialSpringsForceField;

namespace {

const std::vector<Vec3> s_points{{0., 0., 0.}, {1.3, 0.2, -0.1}, {0.4, 1.1, 0.3}, {-0.2, 0.5, 1.2}};

template <class D>
PolynomialRestShapeSpringsForceField<D>& pulled(Node& root, test::Attributes attributes, Vec3 move = {0.4, 0.2, 0.3},
                                                bool valid = true)
{
    auto& s = test::addState<D>(root, test::coordinates<D>(s_points));
    auto moved = s.d_position.value();
    for (auto& x : moved) D::setPosition(x, D::position(x) * 1.2 + move);
    s.d_position.setValue(moved);
    auto& ff = test::addComponent<PolynomialRestShapeSpringsForceField<D>>(root, "PolynomialRestShapeSpringsForceField",
                                                                           attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

PolynomialSpringsForceField<Vec3Types>& joined(Node& root, const test::Attributes& attributes, bool valid = true)
{
    test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(s_points));
    auto& ff =
        test::addComponent<PolynomialSpringsForceField<Vec3Types>>(root, "PolynomialSpringsForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

/// Force on the second of two points at a distance, by one spring.
double pull(test::Attributes attributes, double distance)
{
    Node root;
    auto& s = test::addState<Vec3Types>(root, {Vec3(), Vec3{0., distance, 0.}});
    attributes.insert(attributes.end(), {{"firstObjectPoints", "0"}, {"secondObjectPoints", "1"}});
    auto& ff =
        test::addComponent<PolynomialSpringsForceField<Vec3Types>>(root, "PolynomialSpringsForceField", attributes);
    REQUIRE(test::initialise(root));
    ff.addForce(MechanicalParams(), vec_id::force);
    CHECK(s.forces()[0] == -s.forces()[1]);
    return s.forces()[1][1];
}

}  // namespace

TEST_CASE("polynomial springs of any length, but none, have their force")
{
    // f = 10 (l − l0)/l0 + 3 ((l − l0)/l0)²
    const double rest = 0.2;
    for (const double l : {0.001, 0.1, 0.3, 0.999, 4.}) {
        const double strain = std::abs(l - rest) / rest, f = 10. * strain + 3. * strain * strain;
        CHECK(pull({{"polynomialStiffness", "10 3"},
                    {"polynomialDegree", "2"},
                    {"computeZeroLength", "0"},
                    {"zeroLength", "0.2"},
                    {"compressible", "1"}},
                   l) == Approx(l < rest ? f : -f));
    }
    CHECK(pull({{"polynomialStiffness", "10 3"},
                {"polynomialDegree", "2"},
                {"computeZeroLength", "0"},
                {"zeroLength", "0.2"},
                {"compressible", "1"}},
               0.) == 0.);
}

HARNESS_FORCE_FIELD("PolynomialRestShapeSpringsForceField")
{
    Node root;
    SECTION("Vec3, one polynomial")
    {
        test::checkForceField(pulled<Vec3Types>(root, {{"polynomialStiffness", "10 -4 25"},
                                                       {"polynomialDegree", "3"},
                                                       {"initialLength", "0.8"},
                                                       {"smoothScale", "3"}}));
    }
    SECTION("Vec3, one for each of some points")
    {
        test::checkForceField(pulled<Vec3Types>(root, {{"points", "3 1"},
                                                       {"polynomialStiffness", "10 5 7"},
                                                       {"polynomialDegree", "1 2"},
                                                       {"initialLength", "0.8 1.7"},
                                                       {"smoothShift", "-2"},
                                                       {"smoothScale", "0"}}));
    }
    SECTION("Vec1") { test::checkForceField(pulled<Vec1Types>(root, {{"polynomialStiffness", "30"}})); }
}

HARNESS_FORCE_FIELD("PolynomialSpringsForceField")
{
    Node root;
    const test::Attributes cubic{{"firstObjectPoints", "0 1 2 3"},    {"secondObjectPoints", "1 2 3 0"},
                                 {"polynomialStiffness", "10 -4 25"}, {"polynomialDegree", "3"},
                                 {"computeZeroLength", "0"},          {"zeroLength", "0.7 2.5 0.6 2.4"}};
    SECTION("only stretched springs act") { test::checkForceField(joined(root, cubic), {.internal = true}); }
    SECTION("compressed ones too")
    {
        auto both = cubic;
        both.emplace_back("compressible", "1");
        test::checkForceField(joined(root, both), {.internal = true});
    }
    SECTION("two states")
    {
        auto& a = *root.createChild("a");
        auto& b = *root.createChild("b");
        test::addState<Vec2Types>(a, {Vec2{0., 0.}, Vec2{1., 0.2}}).setName("points");
        test::addState<Vec2Types>(b, {Vec2{0.3, 1.1}, Vec2{1.4, 1.}}).setName("points");
        auto& ff = test::addComponent<PolynomialSpringsForceField<Vec2Types>>(root, "PolynomialSpringsForceField",
                                                                              {{"object1", "@a/points"},
                                                                               {"object2", "@b/points"},
                                                                               {"polynomialStiffness", "10 5 20"},
                                                                               {"polynomialDegree", "2 1"},
                                                                               {"compressible", "1"},
                                                                               {"computeZeroLength", "0"},
                                                                               {"zeroLength", "0.5"}});
        REQUIRE(test::initialise(root));
        REQUIRE(ff.states().size() == 2);
        test::checkForceField(ff, {.internal = true});
    }
}

TEST_CASE("a polynomial spring to a rest position pulls with its polynomial of the strain")
{
    Node root;
    auto& s = test::addState<Vec3Types>(root, {Vec3()});
    auto& ff = test::addComponent<PolynomialRestShapeSpringsForceField<Vec3Types>>(
        root, "PolynomialRestShapeSpringsForceField",
        {{"polynomialStiffness", "10 10"}, {"polynomialDegree", "2"}, {"smoothScale", "1e7"}});
    REQUIRE(test::initialise(root));
    s.write(vec_id::position)[0] = {0., 0., 1.1};
    ff.addForce(MechanicalParams(), vec_id::force);
    CHECK(s.forces()[0][2] == Approx(-23.1).epsilon(1e-14));
    // E = L (c₁ ε²/2 + c₂ ε³/3), less what the smooth direction takes away within 1e-3 of the target.
    CHECK(ff.potentialEnergy(MechanicalParams()) == Approx(5. * 1.21 + 10. * 1.331 / 3.).epsilon(1e-5));
    s.write(vec_id::position)[0] = {};
    s.write(vec_id::force)[0] = {};
    ff.addForce(MechanicalParams(), vec_id::force);
    CHECK(s.forces()[0] == Vec3());
    CHECK(ff.potentialEnergy(MechanicalParams()) == 0.);
}

TEST_CASE("polynomial springs pull by their strain, and push if they are compressible")
{
    const test::Attributes quadratic{
        {"polynomialStiffness", "10 4"}, {"polynomialDegree", "2"}, {"computeZeroLength", "0"}, {"zeroLength", "2"}};
    auto pushing = quadratic;
    pushing.emplace_back("compressible", "1");
    CHECK(pull(quadratic, 3.) == Approx(-(10. * 0.5 + 4. * 0.25)));
    CHECK(pull(quadratic, 1.) == 0.);
    CHECK(pull(pushing, 3.) == Approx(-6.));
    CHECK(pull(pushing, 1.) == Approx(6.));
    CHECK(pull({{"polynomialStiffness", "10"}}, 1.7) == 0.);
}

TEST_CASE("polynomial springs take their rest lengths from the first step")
{
    Node root;
    auto& ff = joined(root, {{"firstObjectPoints", "0"}, {"secondObjectPoints", "1"}, {"polynomialStiffness", "10"}});
    ff.addForce(MechanicalParams(), vec_id::force);
    auto& s = ff.state1();
    s.write(vec_id::position)[1] = s.positions()[1] * 1.5;
    ff.addForce(MechanicalParams(), vec_id::force);
    CHECK(norm(s.forces()[1]) == Approx(5.));
    CHECK(ff.potentialEnergy(MechanicalParams()) == Approx(norm(s_points[1]) * 0.5 * 10. * 0.25));
    s.write(vec_id::position)[1] = s_points[0];
    ff.reset();
    CHECK_THROWS_WITH(ff.addForce(MechanicalParams(), vec_id::force), Catch::Contains("are in the same place"));
}

TEST_CASE("polynomial springs say what is wrong")
{
    Node root;
    MessageCapture capture;
    SECTION("too few coefficients")
    {
        pulled<Vec3Types>(root, {{"polynomialStiffness", "10 10"}, {"polynomialDegree", "3"}}, {}, false);
        CHECK(capture.has(Severity::Error, "polynomialDegree asks for 3 coefficients, but polynomialStiffness has 2"));
    }
    SECTION("neither one nor as many as springs")
    {
        pulled<Vec3Types>(root, {{"polynomialStiffness", "10 10 10"}, {"polynomialDegree", "1 1 1"}}, {}, false);
        CHECK(capture.has(Severity::Error, "polynomialDegree has 3 polynomials for 4 springs"));
    }
    SECTION("length")
    {
        pulled<Vec3Types>(root, {{"initialLength", ""}}, {}, false);
        CHECK(capture.has(Severity::Error, "initialLength must have one length"));
    }
    SECTION("point")
    {
        joined(root, {{"firstObjectPoints", "0 4"}, {"secondObjectPoints", "1 1"}}, false);
        CHECK(capture.has(Severity::Error, "firstObjectPoints: there is no point 4, only 4 points"));
    }
    SECTION("pairs")
    {
        joined(root, {{"firstObjectPoints", "0 3"}}, false);
        CHECK(capture.has(Severity::Error, "2 points of object1 cannot be joined to 4 points of object2"));
    }
    SECTION("zero length")
    {
        joined(root, {{"firstObjectPoints", "0"}, {"secondObjectPoints", "1"}, {"computeZeroLength", "0"}}, false);
        CHECK(capture.has(Severity::Error, "zeroLength must have one length"));
    }
}

}  // namespace polynomial_springs_test
