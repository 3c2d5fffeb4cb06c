// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/spring/FaceBendingSprings.h"
#include "components/spring/MeshBendingSprings.h"
#include "components/spring/RegularGridSpringForceField.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace bending_springs_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// Two unit squares in the plane z = 0, (0 1 4 3) and (1 2 5 4), the second turned round; as quads or as triangles.
void addFaces(Node& root, bool quads)
{
    auto& t = root.create<test::TestTopology>();
    t.points = 6;
    if (quads) {
        t.quadList = {{0, 1, 4, 3}, {5, 4, 1, 2}};
        t.edgeList = {{0, 1}, {1, 4}, {4, 3}, {3, 0}, {1, 2}, {2, 5}, {5, 4}};
    } else {
        t.triangleList = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}};
        t.edgeList = {{0, 1}, {1, 4}, {4, 0}, {4, 3}, {3, 0}, {1, 2}, {2, 5}, {5, 1}};
    }
}

const std::vector<Vec3> s_points{{0., 0., 0.}, {1., 0., 0.}, {2., 0., 0.}, {0., 1., 0.}, {1., 1., 0.}, {2., 1., 0.}};

template <class C, class D = Vec3Types>
C& build(Node& root, const std::string& type, bool quads, test::Attributes attributes = {}, bool valid = true)
{
    test::addState<D>(root, test::coordinates<D>(s_points));
    addFaces(root, quads);
    attributes.emplace_back("template",
                            type.find("ular") != std::string::npos ? std::string() : std::string(D::name()));
    auto& c = test::addComponent<C>(root, type, attributes);
    CHECK(test::initialise(root) == valid);
    return c;
}

std::string text(const Vector<component::LinearSpring>& springs)
{
    std::string s;
    for (const auto& k : springs) s += toText(k) + "; ";
    return s;
}

/// Grid of which only what RegularGridSpringForceField asks for is right.
class TestGrid : public test::TestTopology
{
public:
    Data<Vec<3, int>> d_n{this, {.name = "n", .help = "points along the axes"}, Vec<3, int>{3, 2, 2}};
    std::string className() const override { return "RegularGridTopology"; }
    Vec3 pointPosition(Index i) const override
    {
        return Vec3{1. * (i % 3), 2. * (i / 3 % 2), 3. * (i / 6)};  // NOLINT(bugprone-integer-division)
    }
};

template <class D>
void gridConforms()
{
    Node root;
    auto& grid = root.create<TestGrid>();
    std::vector<Vec3> x;
    for (Index i = 0; i < 12; ++i) x.push_back(grid.pointPosition(i));
    // On a line and in the plane, points are kept apart: a spring that turns round has a kink.
    if (D::coordSize < 3)
        for (Index i = 0; i < 12; ++i) x[i] += Vec3{0.7 * i, 0.2 * i, 0.};
    test::addState<D>(root, test::coordinates<D>(x));
    auto& ff = test::addComponent<component::RegularGridSpringForceField<D>>(
        root, "RegularGridSpringForceField", {{"template", std::string(D::name())}, {"stiffness", "60"}});
    REQUIRE(test::initialise(root));
    test::checkForceField(ff, {.displacement = 0.1, .internal = true});
}

}  // namespace

HARNESS_FORCE_FIELD("TriangularBendingSprings")
{
    Node root;
    auto& ff =
        build<component::TriangularBendingSprings>(root, "TriangularBendingSprings", false, {{"stiffness", "50"}});
    CHECK(text(ff.springs()) == "3 1 50 1 1.4142135623730951; ");
    test::checkForceField(ff, {.displacement = 0.1, .internal = true});
}

HARNESS_FORCE_FIELD("QuadularBendingSprings")
{
    Node root;
    auto& ff = build<component::QuadularBendingSprings>(root, "QuadularBendingSprings", true,
                                                        {{"stiffness", "50"}, {"damping", "2"}});
    CHECK(text(ff.springs()) == "5 3 50 2 2; 2 0 50 2 2; ");
    test::checkForceField(ff, {.displacement = 0.1, .internal = true});
}

HARNESS_FORCE_FIELD("LineBendingSprings")
{
    using component::LineBendingSprings;
    const auto onLines = []<class D>(D, std::vector<Edge> edges) {
        auto root = std::make_unique<Node>();
        test::addState<D>(*root, test::coordinates<D>(s_points));
        auto& t = root->create<test::TestTopology>();
        t.points = 6;
        t.edgeList.assign(edges.begin(), edges.end());
        test::addComponent(*root, "LineBendingSprings", {{"template", std::string(D::name())}, {"stiffness", "50"}});
        REQUIRE(test::initialise(*root));
        return root;
    };
    // A line, whichever way its edges run, and a ring.
    const auto springs = [&](std::vector<Edge> edges) {
        const auto root = onLines(Vec3Types(), std::move(edges));
        return root->get<LineBendingSprings<Vec3Types>>(Search::Local)->d_springs.text();
    };
    CHECK(springs({{0, 1}, {1, 2}, {2, 5}}) == "2 0 50 5 2 5 1 50 5 1.4142135623730951");
    CHECK(springs({{0, 1}, {2, 1}, {5, 2}}) == "2 0 50 5 2 5 1 50 5 1.4142135623730951");
    CHECK(springs({{0, 1}, {1, 4}, {4, 0}}) == "4 0 50 5 1.4142135623730951 0 1 50 5 1 4 1 50 5 1");
    const auto space = onLines(Vec3Types(), {{0, 1}, {1, 2}, {2, 5}, {5, 4}});
    test::checkForceField(*space->get<LineBendingSprings<Vec3Types>>(Search::Local),
                          {.displacement = 0.1, .internal = true});
    const auto plane = onLines(Vec2Types(), {{0, 1}, {1, 2}, {2, 5}, {5, 4}});
    test::checkForceField(*plane->get<LineBendingSprings<Vec2Types>>(Search::Local),
                          {.displacement = 0.1, .internal = true});
}

HARNESS_FORCE_FIELD("QuadBendingSprings")
{
    using component::QuadBendingSprings;
    SECTION("Vec3")
    {
        Node root;
        auto& ff = build<QuadBendingSprings<Vec3Types>>(root, "QuadBendingSprings", true, {{"stiffness", "50"}});
        CHECK(ff.d_springs.text() == "2 0 50 5 2 5 3 50 5 2");
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
    }
    SECTION("Vec2")
    {
        Node root;
        auto& ff = build<QuadBendingSprings<Vec2Types>, Vec2Types>(root, "QuadBendingSprings", true);
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
    }
    SECTION("range")
    {
        Node root;
        auto& ff = build<QuadBendingSprings<Vec3Types>>(root, "QuadBendingSprings", true, {{"localRange", "3 5"}});
        CHECK(ff.d_springs.text() == "5 3 100 5 2");
    }
}

HARNESS_FORCE_FIELD("TriangleBendingSprings")
{
    using component::TriangleBendingSprings;
    SECTION("Vec3, of triangles")
    {
        Node root;
        auto& ff = build<TriangleBendingSprings<Vec3Types>>(root, "TriangleBendingSprings", false);
        CHECK(ff.d_springs.text() == "3 1 100 5 1.4142135623730951");
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
    }
    SECTION("Vec2, of quads")
    {
        Node root;
        auto& ff = build<TriangleBendingSprings<Vec2Types>, Vec2Types>(root, "TriangleBendingSprings", true);
        CHECK(ff.d_springs.value().size() == 3);
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
    }
}

HARNESS_FORCE_FIELD("RegularGridSpringForceField")
{
    SECTION("Vec1") { gridConforms<Vec1Types>(); }
    SECTION("Vec2") { gridConforms<Vec2Types>(); }
    SECTION("Vec3") { gridConforms<Vec3Types>(); }
    SECTION("Vec6") { gridConforms<Vec6Types>(); }
}

TEST_CASE("grid springs run along lines and diagonals, besides the given springs")
{
    Node root;
    auto& grid = root.create<TestGrid>();
    std::vector<Vec3> x;
    for (Index i = 0; i < 12; ++i) x.push_back(grid.pointPosition(i));
    test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(x));
    const auto springs = [&](const test::Attributes& a) {
        auto& ff = test::addComponent<component::RegularGridSpringForceField<Vec3Types>>(
            root, "RegularGridSpringForceField", a);
        ff.init();
        REQUIRE(ff.isValid());
        return ff.d_springs.value();
    };
    const test::Attributes none{{"stiffness", "0"}, {"damping", "0"}};
    const auto with = [&](test::Attributes a, const test::Attributes& more) {
        a.insert(a.end(), more.begin(), more.end());
        return a;
    };
    CHECK(springs(none).empty());
    CHECK(springs(with(none, {{"spring", "0 5 1 2 3"}})).size() == 1);
    const auto lines = springs({{"linesStiffness", "12"},
                                {"quadsStiffness", "0"},
                                {"quadsDamping", "0"},
                                {"cubesStiffness", "0"},
                                {"cubesDamping", "0"}});
    REQUIRE(lines.size() == 8 + 6 + 6);
    CHECK(toText(lines[0]) == "0 1 12 5 1");
    CHECK(toText(lines[8]) == "0 3 6 2.5 2");
    CHECK(toText(lines[14]) == "0 6 4 1.6666666666666667 3");
    CHECK(springs({}).size() == 20 + 2 * (2 * 2 + 2 * 2 + 3 * 1) + 4 * 2);
}

TEST_CASE("bending springs say what they lack")
{
    Node root;
    MessageCapture capture;
    SECTION("faces")
    {
        build<Component>(root, "QuadularBendingSprings", false, {}, false);
        CHECK(capture.has(Severity::Error, "has no quads"));
    }
    SECTION("a topology")
    {
        test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(s_points));
        test::addComponent(root, "TriangularBendingSprings");
        test::addComponent(root, "TriangleBendingSprings");
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.count(Severity::Error) == 2);
        CHECK(capture.has(Severity::Error, "it needs a topology in its node or above"));
    }
}

}  // namespace bending_springs_test
