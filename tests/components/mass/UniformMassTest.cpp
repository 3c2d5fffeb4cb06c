// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/UniformMass.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/harness/MassCheck.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace uniform_mass_test {

using namespace sofa;
using namespace sofa::core;
using component::UniformMass;

namespace {

const std::vector<Vec3> s_points{{0., 0., 0.}, {1.3, 0.2, -0.1}, {0.4, 1.1, 0.3}, {-0.2, 0.5, 1.2}};

template <class D>
UniformMass<D>& build(Node& root, test::Attributes attributes, bool valid = true)
{
    root.d_gravity.setValue({0.3, -9.81, 1.});
    test::addState<D>(root, test::coordinates<D>(s_points));
    attributes.emplace_back("template", std::string(D::name()));
    auto& m = test::addComponent<UniformMass<D>>(root, "UniformMass", attributes);
    CHECK(test::initialise(root) == valid);
    return m;
}

}  // namespace

HARNESS_MASS("UniformMass")
{
    Node root;
    SECTION("Vec1") { test::checkMass(build<Vec1Types>(root, {{"totalMass", "6"}}), {.totalMass = 6.}); }
    SECTION("Vec2") { test::checkMass(build<Vec2Types>(root, {{"vertexMass", "0.3"}}), {.totalMass = 1.2}); }
    SECTION("Vec3") { test::checkMass(build<Vec3Types>(root, {{"totalMass", "6"}}), {.totalMass = 6.}); }
    SECTION("Vec6") { test::checkMass(build<Vec6Types>(root, {{"mass", "2"}}), {.totalMass = 8.}); }
    SECTION("Rigid2") { test::checkMass(build<Rigid2Types>(root, {{"vertexMass", "3 1 0.5"}}), {.totalMass = 12.}); }
    SECTION("Rigid3")
    {
        test::checkMass(build<Rigid3Types>(root, {{"vertexMass", "0.3 0.3 [0.2 0.02 0,0.02 0.2 0,0 0 0.3]"}}),
                        {.totalMass = 1.2, .constantPose = false});
    }
    SECTION("some points")
    {
        test::checkMass(build<Vec3Types>(root, {{"mass", "2"}, {"indices", "1 3"}}), {.totalMass = 4.});
    }
}

TEST_CASE("vertexMass and totalMass of a uniform mass determine each other, and totalMass wins")
{
    Node root;
    MessageCapture capture;
    SECTION("vertexMass")
    {
        CHECK(build<Vec3Types>(root, {{"vertexMass", "0.5"}}).d_totalMass.value() == 2.);
        CHECK(capture.messages().empty());
    }
    SECTION("totalMass")
    {
        CHECK(build<Vec3Types>(root, {{"totalmass", "2"}}).d_vertexMass.value() == 0.5);
        CHECK(capture.messages().empty());
    }
    SECTION("both")
    {
        auto& m = build<Rigid3Types>(root, {{"totalMass", "2"}, {"vertexMass", "7 1 [2 0 0,0 3 0,0 0 4]"}});
        CHECK(m.d_vertexMass.value().mass == 0.5);
        CHECK(m.d_vertexMass.value().inertiaMass[1][1] == 1.5);
        CHECK(capture.has(Severity::Warning, "totalMass is used"));
    }
    SECTION("none: 1 kg for each point")
    {
        CHECK(build<Vec3Types>(root, {}).d_totalMass.value() == 4.);
        CHECK(capture.has(Severity::Deprecated, "neither vertexMass nor totalMass is given"));
    }
    SECTION("a range of points")
    {
        auto& m = build<Vec3Types>(root, {{"totalMass", "3"}, {"localRange", "0 1"}});
        CHECK(m.d_vertexMass.value() == 1.5);
        CHECK(m.pointMass(1) == 1.5);
        CHECK(m.pointMass(2) == 0.);
    }
}

TEST_CASE("a uniform mass follows changes of its Data and of the number of points")
{
    Node root;
    auto& m = build<Vec3Types>(root, {{"totalMass", "8"}});
    auto& s = dynamic_cast<test::TestState<Vec3Types>&>(m.state());
    m.d_totalMass.setValue(12.);
    m.addForce(MechanicalParams(), vec_id::force);
    CHECK(m.d_vertexMass.value() == 3.);
    s.setPositions({Vec3(), Vec3()});
    m.addForce(MechanicalParams(), vec_id::force);
    CHECK(m.d_totalMass.value() == 6.);
    m.d_preserveTotalMass.setValue(true);
    s.setPositions({Vec3(), Vec3(), Vec3()});
    m.addForce(MechanicalParams(), vec_id::force);
    CHECK(m.d_totalMass.value() == 6.);
    CHECK(m.d_vertexMass.value() == 2.);
    CHECK(s.forces()[2][1] == Approx(-2. * 9.81));
}

TEST_CASE("masses that are not positive and inertia that no body has are told")
{
    const auto said = [](const test::Attributes& attributes, Severity severity, const std::string& text) {
        INFO(text);
        MessageCapture capture;
        Node root;
        build<Rigid3Types>(root, attributes, severity != Severity::Error);
        CHECK(capture.has(severity, text));
    };
    said({{"totalMass", "0"}}, Severity::Error, "totalMass is 0 kg; it must be positive");
    said({{"vertexMass", "0 1 [1 0 0,0 1 0,0 0 1]"}}, Severity::Error, "it must be positive");
    said({{"vertexMass", "-1 1 [1 0 0,0 1 0,0 0 1]"}}, Severity::Error, "it must be positive");
    // Two negative moments: the determinant is positive.
    said({{"vertexMass", "1 1 [-1 0 0,0 -1 0,0 0 1]"}}, Severity::Error, "an inertia that is not positive definite");
    said({{"vertexMass", "1 1 [1 0 0,0 1 0,0 0 3]"}}, Severity::Warning, "one is more than the sum of the others");
    said({{"vertexMass", "1 1 [1 0.1 0,0 1 0,0 0 1]"}}, Severity::Warning, "its inertia matrix is not symmetric");
    // A rod without thickness, its frame turned: the moments are 0.5, 0.5 and nearly 0.
    MessageCapture capture;
    Node root;
    build<Rigid3Types>(root, {{"vertexMass", "1 1 [0.2501 -0.25 0,-0.25 0.2501 0,0 0 0.5]"}});
    CHECK(capture.messages().empty());
}

TEST_CASE("text forms of a rigid body's mass")
{
    const auto read = [](const std::string& text) {
        Node root;
        return build<Rigid3Types>(root, {{"vertexMass", text}}).d_vertexMass.value();
    };
    MessageCapture capture;
    CHECK(toText(read("0.3 0.2 [0.1 0 0,0 0.1 0,0 0 0.1]")) == "0.3 0.2 [0.1 0 0,0 0.1 0,0 0 0.1]");
    CHECK(read("2 3 0.1 0 0 0 0.2 0 0 0 0.3").inertiaMass[2][2] == Approx(0.6));
    CHECK(read("40").inertiaMass == Mat3::identity() * 40.);
    CHECK(read("40 3").volume == 3.);
    CHECK(capture.messages().empty());
    CHECK(read("1 1 0.01 0 0 0 0.1 0 0 0 0.1 0").inertia[2][2] == 0.1);
    CHECK(capture.has(Severity::Warning, "surplus text \"0\" is ignored"));
}

TEST_CASE("a uniform mass refuses what is no mass")
{
    Node root;
    MessageCapture capture;
    SECTION("negative")
    {
        build<Vec3Types>(root, {{"totalMass", "-1"}}, false);
        CHECK(capture.has(Severity::Error, "totalMass is -1 kg; it must be positive"));
    }
    SECTION("singular inertia")
    {
        build<Rigid3Types>(root, {{"vertexMass", "1 1 [1 0 0,0 0 0,0 0 1]"}}, false);
        CHECK(capture.has(Severity::Error, "inertia that is not positive definite"));
    }
    SECTION("index")
    {
        build<Vec3Types>(root, {{"totalMass", "1"}, {"indices", "0 9"}}, false);
        CHECK(capture.has(Severity::Error, "indices: point 9 of '/TestState1', which has 4 points"));
    }
    SECTION("file of points")
    {
        build<Vec3Types>(root, {{"filename", "body.rigid"}}, false);
        CHECK(capture.has(Severity::Error, "only rigid bodies read their mass from a file"));
    }
}

TEST_CASE("a rigid body's mass is read from a file")
{
    const test::TemporaryDirectory folder;
    const auto file = [&](const std::string& body) {
        const auto path = folder.path() / "body.rigid";
        std::ofstream(path) << "Xsp 3.0\n# comment\n" << body << "\ninrt 2 0 0 0 3 0 0 0 4\ncntr 0 0 0\nvolm 5\n";
        return path.string();
    };
    const auto mass = [&](test::Attributes a, const std::string& body) {
        a.emplace_back("filename", file(body));
        Node root;
        return build<Rigid3Types>(root, a).d_vertexMass.value();
    };
    const auto plain = mass({}, "mass 0.5");
    CHECK(plain.mass == 0.5);
    CHECK(plain.volume == 5.);
    CHECK(plain.inertiaMass[1][1] == 1.5);
    CHECK(mass({{"mass", "300"}}, "mass 0.5").mass == 300.);
    CHECK(mass({{"mass", "300"}}, "vertexMass 0.5").mass == 0.5);
    CHECK(mass({{"totalMass", "8"}}, "mass 0.5").inertiaMass[0][0] == 4.);

    Node root;
    MessageCapture capture;
    build<Rigid3Types>(root, {{"filename", file("weight 3")}}, false);
    CHECK(capture.has(Severity::Error, "body.rigid:3"));
    CHECK(capture.has(Severity::Error, "'weight'"));
}

}  // namespace uniform_mass_test
