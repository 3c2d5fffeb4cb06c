// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/state/MechanicalObject.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/behavior/Mapping.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "core/scene/SceneWriter.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace mechanical_object_test {

using namespace sofa::core;
using sofa::component::MechanicalObject;

namespace {

/// Topology of isolated points.
class Points : public BaseMeshTopology
{
public:
    explicit Points(std::vector<Vec3> p) : m_points(std::move(p)) {}
    Index nbPoints() const override { return static_cast<Index>(m_points.size()); }
    const Vector<Edge>& edges() const override { return none<Edge>(); }
    const Vector<Triangle>& triangles() const override { return none<Triangle>(); }
    const Vector<Quad>& quads() const override { return none<Quad>(); }
    const Vector<Tetrahedron>& tetrahedra() const override { return none<Tetrahedron>(); }
    const Vector<Hexahedron>& hexahedra() const override { return none<Hexahedron>(); }
    bool hasPositions() const override { return !m_points.empty(); }
    Vec3 pointPosition(Index i) const override { return m_points[i]; }

private:
    std::vector<Vec3> m_points;
};

template <class D>
MechanicalObject<D>& make(Node& node, std::vector<std::pair<std::string, std::string>> attributes = {})
{
    auto& m = node.create<MechanicalObject<D>>();
    ComponentDescription desc;
    for (auto& [name, value] : attributes) desc.set(name, value);
    m.parse(desc);
    return m;
}

}  // namespace

TEST_CASE("A MechanicalObject has one point at the origin by default", "[state]")
{
    auto root = std::make_shared<Node>("root");
    auto& m = make<Vec3Types>(*root);
    m.init();
    CHECK(m.size() == 1);
    CHECK(m.positions() == Vector<Vec3>{{0., 0., 0.}});
    CHECK(m.d_velocity.value().size() == 1);
    CHECK(m.d_force.value().size() == 1);
    CHECK(m.d_restPosition.value() == m.positions());
    CHECK(m.d_size.value() == 1);
}

TEST_CASE("The registry knows the MechanicalObject with all templates", "[state]")
{
    const auto e = Registry::instance().find("MechanicalObject");
    REQUIRE(e);
    CHECK(e->creators.size() == 6);
    CHECK(e->creators.front().templ == "Vec3");
    CHECK(e->module == "Sofa.Component.StateContainer");
    auto root = std::make_shared<Node>("root");
    ComponentDescription desc;
    desc.type = "MechanicalObject";
    desc.templ = "Rigid3d";
    auto c = Registry::instance().create(root.get(), desc);
    CHECK(dynamic_cast<MechanicalObject<Rigid3Types>*>(c.get()));
    CHECK(c->templateName() == "Rigid3");
    root->addComponent(c);
    CHECK(c->name() == "MechanicalObject1");
}

TEST_CASE("Given vectors set the size", "[state]")
{
    auto root = std::make_shared<Node>("root");
    SECTION("positions extend the velocities with zeros")
    {
        auto& m = make<Vec3Types>(*root, {{"position", "0 0 0 1 0 0 2 0 0"}, {"velocity", "0 1 0"}});
        m.init();
        CHECK(m.size() == 3);
        CHECK(m.velocities() == Vector<Vec3>{{0., 1., 0.}, {}, {}});
        CHECK(m.forces().size() == 3);
        CHECK(m.d_externalForce.value().size() == 3);
        CHECK(m.d_size.value() == 3);
    }
    SECTION("a size alone")
    {
        auto& m = make<Vec1Types>(*root, {{"size", "4"}});
        m.init();
        CHECK(m.size() == 4);
        CHECK(m.positions().size() == 4);
    }
    SECTION("an empty position")
    {
        auto& m = make<Vec3Types>(*root, {{"position", ""}, {"velocity", ""}});
        m.init();
        CHECK(m.size() == 0);
        CHECK(m.forces().empty());
    }
    SECTION("only a rest position")
    {
        auto& m = make<Vec3Types>(*root, {{"rest_position", "1 0 0 2 0 0"}});
        m.init();
        CHECK(m.positions() == Vector<Vec3>{{1., 0., 0.}, {2., 0., 0.}});
        CHECK(m.d_restPosition.value() == m.positions());
    }
    SECTION("different sizes are reported")
    {
        MessageCapture log;
        auto& m = make<Vec3Types>(*root, {{"position", "0 0 0 1 0 0 2 0 0"}, {"velocity", "0 1 0 0 1 0"}});
        m.init();
        CHECK(m.velocities().size() == 3);
        CHECK(log.has(Severity::Warning, "position 3, velocity 2"));
    }
}

TEST_CASE("Positions come from a topology when the scene gives none", "[state]")
{
    auto root = std::make_shared<Node>("root");
    auto child = root->createChild("child");
    root->create<Points>(std::vector<Vec3>{{1., 2., 3.}, {4., 5., 6.}});
    const Vector<Vec3> expected{{1., 2., 3.}, {4., 5., 6.}};

    SECTION("of the node, declared before or after")
    {
        auto& m = make<Vec3Types>(*root, {{"velocity", "0 1 0"}});
        m.init();
        CHECK(m.positions() == expected);
        // The last velocity given holds for every point.
        CHECK(m.velocities() == Vector<Vec3>{{0., 1., 0.}, {0., 1., 0.}});
    }
    SECTION("beside a full list of velocities")
    {
        auto& m = make<Vec3Types>(*root, {{"velocity", "0 1 0 2 0 0"}});
        m.init();
        CHECK(m.positions() == expected);
        CHECK(m.velocities() == Vector<Vec3>{{0., 1., 0.}, {2., 0., 0.}});
    }
    SECTION("but not with more velocities than points")
    {
        MessageCapture capture;
        auto& m = make<Vec3Types>(*root, {{"velocity", "0 1 0 2 0 0 3 0 0"}});
        m.init();
        CHECK_FALSE(m.isValid());
        CHECK(capture.has(Severity::Error, "velocity has 3 entries for the 2 points of"));
    }
    SECTION("not of a node above")
    {
        auto& m = make<Vec3Types>(*child);
        m.init();
        CHECK(m.size() == 1);
        CHECK(m.l_topology.get() == nullptr);
    }
    SECTION("a single given point is replaced, several are kept")
    {
        auto& one = make<Vec3Types>(*root, {{"position", "9 9 9"}});
        one.init();
        CHECK(one.positions() == expected);
        auto& several = make<Vec3Types>(*root, {{"position", "9 9 9 8 8 8 7 7 7"}});
        several.init();
        CHECK(several.size() == 3);
        CHECK(several.positions()[2] == Vec3{7., 7., 7.});
    }
    SECTION("not when it is switched off")
    {
        auto& m = make<Vec3Types>(*root, {{"useTopology", "0"}});
        m.init();
        CHECK(m.size() == 1);
    }
    SECTION("frames keep the identity orientation")
    {
        auto& m = make<Rigid3Types>(*root);
        m.init();
        CHECK(m.positions()[1].center == Vec3{4., 5., 6.});
        CHECK(m.positions()[1].orientation == Quat());
    }
}

TEST_CASE("An orientation that is none is an error with its place, and the identity in lenient scenes", "[state]")
{
    for (const char* attribute : {"position", "rest_position"}) {
        MessageCapture capture;
        const std::string given = "='0 0 0 0 0 0 1  1 2 3 0 0 0 0'",
                          other =
                              std::string(attribute) == "position" ? "" : "position='0 0 0 0 0 0 1  1 0 0 0 0 0 1' ";
        Simulation sim(loadSceneText(
            "<Node name='root'>\n<MechanicalObject template='Rigid3' " + other + attribute + given + "/></Node>",
            "zero.scn"));
        CHECK_FALSE(sim.init());
        CHECK(capture.has(Severity::Error, "zero.scn:2:"));
        CHECK(capture.has(Severity::Error, "the orientation of body 1 is the quaternion 0 0 0 0"));
    }
}

TEST_CASE("Initial transformations: scale, then rotation, then translation", "[state]")
{
    auto root = std::make_shared<Node>("root");
    SECTION("points")
    {
        auto& m = make<Vec3Types>(
            *root,
            {{"position", "1 0 0 0 1 0"}, {"scale3d", "2 3 4"}, {"rotation", "0 0 90"}, {"translation", "10 0 0"}});
        m.init();
        // (1 0 0) → (2 0 0) → (0 2 0) → (10 2 0); (0 1 0) → (0 3 0) → (−3 0 0) → (7 0 0)
        CHECK(norm(m.positions()[0] - Vec3{10., 2., 0.}) < 1e-14);
        CHECK(norm(m.positions()[1] - Vec3{7., 0., 0.}) < 1e-14);
        CHECK(m.d_restPosition.value() == m.positions());
    }
    SECTION("attributes of single components")
    {
        auto& m = make<Vec3Types>(
            *root, {{"position", "1 0 0"}, {"scale", "2"}, {"rz", "90"}, {"dx", "1"}, {"dy", "2"}, {"dz", "3"}});
        m.init();
        CHECK(norm(m.positions()[0] - Vec3{1., 4., 3.}) < 1e-14);
    }
    SECTION("rotations compose as Rz Ry Rx")
    {
        auto& m = make<Vec3Types>(*root, {{"position", "0 1 0"}, {"rotation", "90 90 0"}});
        m.init();
        // Rx: (0 0 1); Ry: (1 0 0)
        CHECK(norm(m.positions()[0] - Vec3{1., 0., 0.}) < 1e-14);
    }
    SECTION("frames turn with the body")
    {
        auto& m = make<Rigid3Types>(*root, {{"position", "1 0 0 0 0 0 1"}, {"rotation", "0 0 90"}});
        m.init();
        CHECK(norm(m.positions()[0].center - Vec3{0., 1., 0.}) < 1e-14);
        CHECK(norm(m.positions()[0].orientation.rotate({1., 0., 0.}) - Vec3{0., 1., 0.}) < 1e-14);
    }
    SECTION("the second transformation and restScale leave position and rest position apart")
    {
        auto& m = make<Vec3Types>(
            *root, {{"position", "1 0 0 3 0 0"}, {"restScale", "0.5"}, {"translation2", "0 1 0"}, {"dx2", "4"}});
        m.init();
        CHECK(m.d_restPosition.value() == Vector<Vec3>{{0.5, 0., 0.}, {1.5, 0., 0.}});
        CHECK(m.positions() == Vector<Vec3>{{5., 1., 0.}, {7., 1., 0.}});
    }
    SECTION("a malformed attribute is reported")
    {
        MessageCapture log;
        make<Vec3Types>(*root, {{"dx", "abc"}});
        CHECK(log.count(Severity::Error) == 1);
    }
}

TEST_CASE("Reset returns to the stored state", "[state]")
{
    auto root = std::make_shared<Node>("root");
    auto& m = make<Vec3Types>(*root, {{"position", "0 0 0 1 0 0"}, {"velocity", "0 1 0 0 2 0"}});
    m.init();
    m.storeResetState();
    m.allocate(vec_id::freePosition);
    m.d_position.edit()[1] = {7., 7., 7.};
    m.d_velocity.edit()[1] = {7., 7., 7.};
    m.d_force.edit()[0] = {1., 1., 1.};
    m.reset();
    CHECK(m.positions()[1] == Vec3{1., 0., 0.});
    CHECK(m.velocities()[1] == Vec3{0., 2., 0.});
    CHECK(m.forces()[0] == Vec3{});
    CHECK(m.d_freePosition.value() == m.positions());

    // A state at rest returns to zero velocity.
    auto& still = make<Vec3Types>(*root, {{"position", "0 0 0 1 0 0"}});
    still.init();
    still.storeResetState();
    CHECK_FALSE(still.d_resetVelocity.isSet());
    still.d_velocity.edit()[0] = {1., 0., 0.};
    still.reset();
    CHECK(still.velocities()[0] == Vec3{});
}

TEST_CASE("The bounding box encloses the points", "[state]")
{
    auto root = std::make_shared<Node>("root");
    auto& m = make<Vec2Types>(*root, {{"position", "-1 2 3 -4"}});
    m.init();
    const BoundingBox b = m.boundingBox();
    CHECK(b.low == Vec3{-1., -4., 0.});
    CHECK(b.high == Vec3{3., 2., 0.});
}

TEST_CASE("Points of a mass-spring file of an old scene", "[state]")
{
    const sofa::test::TemporaryDirectory folder;
    const auto file = folder / "sofa-mechanical-object-test.xs3";
    std::ofstream(file) << "Xsp 3.0\nnumm 2\nnums 0\nmass 1 s 0 0 0 0 0 0 1 0\nmass 2 s 1 2 3 4 5 6 1 0\n";
    auto root = std::make_shared<Node>("root");
    auto& m = make<Vec3Types>(*root, {{"filename", file.string()}, {"dz", "10"}});
    m.init();
    REQUIRE(m.size() == 2);
    CHECK(m.positions()[1] == Vec3{1., 2., 13.});
    CHECK(m.velocities()[1] == Vec3{4., 5., 6.});

    MessageCapture log;
    auto& missing = make<Vec3Types>(*root, {{"filename", "no-such-file.xs3"}});
    missing.init();
    CHECK_FALSE(missing.isValid());
    CHECK(log.has(Severity::Error, "no-such-file.xs3"));
}

TEST_CASE("A vector without a complete entry has one for each point all the same", "[state]")
{
    for (const char* name : {"velocity", "force"})
        for (const char* text : {"", "20"}) {
            auto root = std::make_shared<Node>("root");
            auto& m = make<Vec3Types>(*root, {{"position", "1 2 3"}, {name, text}});
            m.init();
            REQUIRE(m.size() == 1);
            CHECK(m.positions() == Vector<Vec3>{{1., 2., 3.}});
            CHECK(m.d_velocity.value() == Vector<Vec3>(1));
            CHECK(m.d_force.value() == Vector<Vec3>(1));
        }
}

TEST_CASE("What a scene wants of SOFA's rounding is known before anything is read", "[scene]")
{
    // 0.1 in single precision is not 0.1.
    const double single = static_cast<double>(0.1f);
    const std::string body =
        "<MechanicalObject name='o' position='1 0 0' dx='0.1' scale='0.1' translation2='0.1 0 0'/>";
    const auto loaded = [&](const std::string& attribute, const std::string& option) {
        LoadReport report;
        auto root = loadSceneText("<Node " + attribute + "><Node name='n'>" + body + "</Node></Node>", "test.scn",
                                  {.compatibility = option}, &report);
        CHECK(report.ok());
        return root;
    };
    const auto check = [&](const Node& root, double expected) {
        const Base& o = *root.child("n")->component("o");
        CHECK(dynamic_cast<const Data<Vec3>*>(o.findData("translation"))->value()[0] == expected);
        CHECK(dynamic_cast<const Data<Vec3>*>(o.findData("scale3d"))->value()[2] == expected);
        CHECK(dynamic_cast<const Data<Vec3>*>(o.findData("translation2"))->value()[0] == 0.1);
        CHECK(root.child("n")->compatibility() == (expected == 0.1 ? Compatibility::Exact : Compatibility::Sofa));
    };
    check(*loaded("", ""), 0.1);
    check(*loaded("compatibility='sofa'", ""), single);
    check(*loaded("", "sofa"), single);
    // What the file says counts.
    check(*loaded("compatibility='exact'", "sofa"), 0.1);
    check(*loaded("compatibility='sofa'", "exact"), single);

    // A scene is saved with it, and cannot change it after it was read.
    auto root = loaded("", "sofa");
    CHECK_THAT(writeScene(*root), Catch::Contains("compatibility=\"sofa\""));
    CHECK(root->d_compatibility.isReadOnly());
    CHECK(root->setAttribute("compatibility", "exact", {}));
    check(*root, single);
    const MessageCapture capture;
    CHECK_FALSE(Simulation(root).init());
    CHECK(capture.has(Severity::Error, "compatibility was 'sofa' when components were read"));

    LoadReport report;
    loadSceneText("<Node><Node compatibility='sofa'/></Node>", "test.scn", {}, &report);
    CHECK(report.ok());
    CHECK(capture.has(Severity::Warning, "compatibility is taken from the root"));
    loadSceneText("<Node compatibility='sofia'/>", "test.scn", {}, &report);
    CHECK_FALSE(report.ok());
}

}  // namespace mechanical_object_test
