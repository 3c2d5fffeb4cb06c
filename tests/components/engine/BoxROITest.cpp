// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/engine/BoxROI.h"

#include <catch2/catch.hpp>

#include "core/factory/Registry.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/BaseMeshTopology.h"

namespace box_roi_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

/// A component made as a scene makes it.
std::shared_ptr<Component> make(Node& node, const std::string& type,
                                std::vector<std::pair<std::string, std::string>> attributes)
{
    ComponentDescription desc;
    desc.type = type;
    for (auto& [name, value] : attributes) {
        if (name == "template")
            desc.templ = value;
        else
            desc.set(name, value);
    }
    auto c = Registry::instance().create(&node, desc);
    node.addComponent(c);
    c->parse(desc);
    for (const auto& a : desc.attributes) {
        INFO("attribute " << a.name);
        REQUIRE(a.used);
    }
    c->resolveDataLinks(true);
    return c;
}

std::string text(const std::shared_ptr<Component>& c, const char* data) { return c->findData(data)->text(); }

/// Five points along x at 0, 1, 2, 3, 4, with elements on them.
const std::vector<std::pair<std::string, std::string>> line{{"position", "0 0 0 1 0 0 2 0 0 3 0 0 4 0 0"},
                                                            {"edges", "0 1 1 2 2 3 3 4"},
                                                            {"triangles", "0 1 2 2 3 4"},
                                                            {"quads", "0 1 2 3"},
                                                            {"tetrahedra", "1 2 3 4 0 1 2 4"},
                                                            {"hexahedra", "0 1 2 3 0 1 2 3"}};

std::vector<std::pair<std::string, std::string>> with(std::vector<std::pair<std::string, std::string>> base,
                                                      std::vector<std::pair<std::string, std::string>> more)
{
    base.insert(base.end(), more.begin(), more.end());
    return base;
}

}  // namespace

TEST_CASE("BoxROI selects points and elements, the border included")
{
    Node root("root");
    const auto roi = make(root, "BoxROI", with(line, {{"box", "1 -1 -1 3 1 1"}}));
    CHECK(text(roi, "indices") == "1 2 3");  // without init: computed when read
    roi->init();
    CHECK(text(roi, "indices") == "1 2 3");
    CHECK(text(roi, "indicesOut") == "0 4");
    CHECK(text(roi, "nbIndices") == "3");
    CHECK(text(roi, "pointsInROI") == "1 0 0 2 0 0 3 0 0");
    CHECK(text(roi, "pointsOutROI") == "0 0 0 4 0 0");
    CHECK(text(roi, "edgeIndices") == "1 2");
    CHECK(text(roi, "edgesInROI") == "1 2 2 3");
    CHECK(text(roi, "edgeOutIndices") == "0 3");
    CHECK(text(roi, "edgesOutROI") == "0 1 3 4");
    CHECK(text(roi, "triangleIndices") == "");
    CHECK(text(roi, "triangleOutIndices") == "0 1");
    CHECK(text(roi, "tetrahedraInROI") == "");
    CHECK(text(roi, "quadsInROI") == "");
}

TEST_CASE("BoxROI without strict tests the middle of an element")
{
    Node root("root");
    const auto roi = make(root, "BoxROI", with(line, {{"box", "0.9 -1 -1 1.6 1 1"}, {"strict", "0"}}));
    roi->init();
    CHECK(text(roi, "indices") == "1");
    CHECK(text(roi, "edgeIndices") == "1");      // its middle is at 1.5
    CHECK(text(roi, "triangleIndices") == "0");  // 1
    CHECK(text(roi, "quadIndices") == "0");      // 1.5
    CHECK(text(roi, "hexahedronIndices") == "0");
    CHECK(text(roi, "tetrahedronIndices") == "");  // 2.5 and 1.75
}

TEST_CASE("BoxROI selects only the kinds that are asked for")
{
    Node root("root");
    const auto roi = make(root, "BoxROI",
                          with(line, {{"box", "-1 -1 -1 9 1 1"},
                                      {"computeEdges", "0"},
                                      {"computeQuad", "0"},
                                      {"computeTriangles", "0"},
                                      {"computeTetrahedra", "0"}}));
    roi->init();
    for (const char* empty :
         {"edgeIndices", "edgesInROI", "edgeOutIndices", "triangleIndices", "quadIndices", "tetrahedronIndices"})
        CHECK(text(roi, empty) == "");
    CHECK(text(roi, "hexahedronIndices") == "0");
    CHECK(text(roi, "indices") == "0 1 2 3 4");
}

TEST_CASE("BoxROI: several boxes, corners in any order, unit cube by default")
{
    Node root("root");
    const auto two = make(root, "BoxROI", with(line, {{"box", "0.5 1 1 -0.5 -1 -1  3.5 -1 -1 9 1 1"}}));
    two->init();
    CHECK(text(two, "indices") == "0 4");
    const auto unit = make(root, "BoxROI", line);
    unit->init();
    CHECK(text(unit, "indices") == "0 1");
    CHECK(text(unit, "box") == "0 0 0 1 1 1");
}

TEST_CASE("BoxROI: oriented boxes")
{
    Node root("root");
    // The square with the diagonal 0,0 - 2,2 standing on its corner, one deep.
    const auto roi =
        make(root, "BoxROI",
             {{"orientedBox", "1 0 0 2 1 0 1 2 0 1"},
              {"position", "1 1 0  1 0.1 0  1.6 1.6 0  1.4 1.4 0  1 1 0.4  1 1 -0.4  1 1 0.6  0.1 1 0  0.1 0.1 0"},
              {"drawBoxes", "1"}});
    roi->init();
    CHECK(text(roi, "indices") == "0 1 3 4 5 7");
    CHECK(roi->boundingBox().low[2] == Approx(-0.5));
    CHECK(roi->boundingBox().high[0] == Approx(2.));

    MessageCapture messages;
    const auto flat = make(root, "BoxROI", with(line, {{"orientedBox", "0 0 0 1 0 0 2 0 0 1"}}));
    flat->init();
    CHECK_FALSE(flat->isValid());
    CHECK(messages.has(Severity::Error, "lie on a line"));
}

TEST_CASE("BoxROI takes rest positions of the state and elements of the topology of its node")
{
    Node root("root");
    SECTION("in whatever order they are initialised")
    {
        auto grid = make(root, "RegularGridTopology", {{"n", "3 2 2"}, {"max", "2 1 1"}});
        auto state = make(root, "MechanicalObject", {{"template", "Vec3"}});
        auto roi = make(root, "BoxROI", {{"box", "-0.1 -1 -1 0.1 2 2"}});
        const bool first = GENERATE(true, false);
        if (first) roi->init();
        grid->init();
        state->init();
        if (!first) roi->init();
        CHECK(text(roi, "indices") == "0 3 6 9");
        CHECK(text(roi, "quadIndices") == text(roi, "quadIndices"));
        CHECK(dynamic_cast<Data<Vector<Quad>>&>(*roi->findData("quadsInROI")).value() == Vector<Quad>{{0, 3, 9, 6}});
    }
    SECTION("state above, no topology")
    {
        auto state =
            make(root, "MechanicalObject", {{"template", "Rigid3"}, {"position", "0 0 0 0 0 0 1  5 0 0 0 0 0 1"}});
        auto child = root.createChild("child");
        auto roi = make(*child, "BoxROI", {{"box", "4 -1 -1 6 1 1"}});
        CHECK(roi->templateName() == "Rigid3");
        state->init();
        roi->init();
        CHECK(text(roi, "indices") == "1");
        CHECK(text(roi, "pointsInROI") == "5 0 0 0 0 0 1");
    }
}

TEST_CASE("BoxROI does not take elements that are computed from its selection")
{
    auto root = loadSceneText(
        "<Node name='root'><BoxROI name='box' position='0 0 0  1 0 0  5 0 0' box='-1 -1 -1 2 1 1'/>"
        "<MergeSets name='pairs' in1='@box.indices'/><MeshTopology name='mesh' position='0 0 0  1 0 0' "
        "edges='@pairs.out'/></Node>",
        "roi.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    CHECK(root->get<BaseMeshTopology>(Search::Local)->edges() == Vector<Edge>{{0, 1}});
}

TEST_CASE("BoxROI in one and two dimensions looks at these only")
{
    Node root("root");
    const auto one = make(root, "BoxROI", {{"template", "Vec1d"}, {"position", "0 1 2"}, {"box", "0.5 9 9 3 10 10"}});
    one->init();
    CHECK(text(one, "indices") == "1 2");
    const auto two =
        make(root, "BoxROI", {{"template", "Vec2"}, {"position", "0 0 1 5 1 1"}, {"box", "0.5 0 9 3 2 10"}});
    two->init();
    CHECK(text(two, "indices") == "2");
}

TEST_CASE("BoxROI follows its inputs, unless doUpdate is off")
{
    Node root("root");
    for (const char* on : {"1", "0"}) {
        const auto roi = make(root, "BoxROI", with(line, {{"box", "-1 -1 -1 0.5 1 1"}, {"doUpdate", on}}));
        roi->init();
        CHECK(text(roi, "indices") == "0");
        dynamic_cast<Data<Vector<Vec6>>&>(*roi->findData("box")).setValue({Vec6{0.5, -1., -1., 1.5, 1., 1.}});
        CHECK(text(roi, "indices") == (*on == '1' ? "1" : "0"));
    }
}

TEST_CASE("BoxROI reports what is empty or missing")
{
    Node root("root");
    MessageCapture messages;
    const auto empty = make(root, "BoxROI", with(line, {{"box", "10 10 10 11 11 11"}}));
    empty->init();
    CHECK(empty->isValid());
    CHECK(messages.has(Severity::Warning,
                       "the selection is empty: none of 5 points lies in the boxes (box=\"10 10 10 11 11 11\")"));
    const auto nothing = make(root, "BoxROI", {{"box", "0 0 0 1 1 1"}});
    nothing->init();
    CHECK_FALSE(nothing->isValid());
    CHECK(messages.has(Severity::Error, "no state or mesh loader to take positions from"));
}

TEST_CASE("BoxROI passes over elements whose points do not exist")
{
    Node root("root");
    const auto roi =
        make(root, "BoxROI", {{"position", "0 0 0"}, {"edges", "0 7"}, {"box", "-1 -1 -1 1 1 1"}, {"strict", "0"}});
    roi->init();
    CHECK(text(roi, "edgeIndices") == "");
    CHECK(text(roi, "edgeOutIndices") == "0");
}

}  // namespace box_roi_test
