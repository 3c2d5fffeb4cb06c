// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/MergeVisualModels.h"

#include <catch2/catch.hpp>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/AllocationCounter.h"
#include "tests/harness/DrawCheck.h"

namespace merge_visual_models_test {

using namespace sofa;
using namespace sofa::component;

namespace {

struct Scene
{
    explicit Scene(const std::string& content, bool works = true)
        : root(loadSceneText("<Node name='root' gravity='0 0 0' dt='0.1'><DefaultAnimationLoop/>" + content + "</Node>",
                             "merge.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init() == works);
    }
    VisualModelImpl& model(const std::string& name) const
    {
        for (auto* m : root->getAll<VisualModelImpl>(Search::Down))
            if (m->name() == name) return *m;
        FAIL("there is no " + name);
        throw 0;
    }
    std::string messages() const
    {
        std::string all;
        for (const Message& m : model("all").messages()) all += m.text + "\n";
        return all;
    }

    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

/// A triangle, a quad with a line, and a strip with two vertices at each of its points 0 and 1.
const std::string triangle = "<OglModel name='triangle' position='0 0 0  1 0 0  0 1 0' triangles='0 1 2'/>";
const std::string quad = "<OglModel name='quad' position='0 0 1  1 0 1  1 1 1  0 1 1' quads='0 1 2 3' edges='0 2'/>";
const std::string strip =
    "<OglModel name='strip' position='0 0 2  0 1 2  1 0 2  0 0 2  0 1 2  0 0 3' vertPosIdx='0 1 2 0 1 3' "
    "triangles='0 2 1  3 4 5' texcoords='0 0  0 1  1 0  0 0.5  0.5 1  0.25 0.75'/>";

const Vec<2, float> origin{};

}  // namespace

TEST_CASE("several visual models make one: points and elements, one model after the other")
{
    const Scene s(triangle + quad + "<MergeVisualModels name='all' nb='2' input1='@triangle' input2='@quad'/>");
    const VisualModelImpl& all = s.model("all");
    CHECK(all.d_position.value() ==
          Vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}});
    CHECK(all.size() == 7);
    CHECK(all.d_triangles.value() == Vector<Triangle>{{0, 1, 2}});
    CHECK(all.d_quads.value() == Vector<Quad>{{3, 4, 5, 6}});
    CHECK(all.d_edges.value() == Vector<Edge>{{3, 5}});
    CHECK(all.d_vertPosIdx.value().empty());
    CHECK(all.d_vertNormIdx.value().empty());
    CHECK(all.d_texcoords.value().empty());
    CHECK(all.d_normal.value() == Vector<Vec3>(7, Vec3{0, 0, 1}));
    CHECK(s.messages().empty());
}

TEST_CASE("models with several vertices for a point, and with texture coordinates, merge with others")
{
    // The inputs come after the merged one in the scene.
    const Scene s(
        "<MergeVisualModels name='all' nb='3' input3='@quad' input2='@strip' input1='@triangle' "
        "scaleTex='2 1' translationTex='1 0'/>" +
        triangle + quad + strip);
    VisualModelImpl& all = s.model("all");
    const Vector<Vec3>& x = all.d_position.value();
    REQUIRE(x.size() == 3 + 4 + 4);
    CHECK(x[3 + 3] == Vec3{0, 0, 3});
    CHECK(x[7] == Vec3{0, 0, 1});
    CHECK(all.d_vertPosIdx.value() == Vector<Index>{0, 1, 2, 3, 4, 5, 3, 4, 6, 7, 8, 9, 10});
    REQUIRE(all.drawnVertices().size() == 13);
    for (std::size_t v = 0; v < 13; ++v) CHECK(all.drawnVertices()[v] == x[all.d_vertPosIdx.value()[v]]);
    CHECK(all.d_triangles.value() == Vector<Triangle>{{0, 1, 2}, {3, 5, 4}, {6, 7, 8}});
    CHECK(all.d_quads.value() == Vector<Quad>{{9, 10, 11, 12}});
    // Those of the strip, moved as the merged model says; the others had none.
    const auto& uv = all.d_texcoords.value();
    REQUIRE(uv.size() == 13);
    CHECK(uv[5] == Vec<2, float>{3.f, 0.f});
    CHECK(uv[8] == Vec<2, float>{1.5f, 0.75f});
    for (const std::size_t v : {0u, 2u, 9u, 12u}) CHECK(uv[v] == Vec<2, float>{1.f, 0.f});
    // A frame changes nothing.
    const auto before = uv;
    all.updateVisual();
    CHECK(all.d_texcoords.value() == before);
    // The vertices of one point keep their own normals.
    CHECK(norm(all.d_normal.value()[3] - Vec3{0, 0, 1}) < 1e-15);
    CHECK(norm(all.d_normal.value()[6] - Vec3{1, 0, 0}) < 1e-15);
    CHECK(norm(all.d_normal.value()[9] - Vec3{0, 0, 1}) < 1e-15);
}

TEST_CASE("vertices that share a normal go on sharing it")
{
    const std::string split =
        "position='0 0 2  0 1 2  1 0 2  0 0 2  0 1 2  0 0 3' vertPosIdx='0 1 2 0 1 3' "
        "vertNormIdx='0 1 2 0 1 3' triangles='0 2 1  3 4 5'/>";
    const Scene s(triangle + "<OglModel name='strip' " + split +
                  "<MergeVisualModels name='all' nb='2' input1='@triangle' input2='@strip'/>");
    const VisualModelImpl& all = s.model("all");
    CHECK(all.d_vertNormIdx.value() == Vector<Index>{0, 1, 2, 3, 4, 5, 3, 4, 6});
    const Vector<Vec3>& own = s.model("strip").d_normal.value();
    REQUIRE(own.size() == 6);
    CHECK(own[0] == own[3]);
    for (std::size_t v = 0; v < 6; ++v) CHECK(all.d_normal.value()[3 + v] == own[v]);
}

TEST_CASE("the merged surface follows its inputs, and a mapping onto it while they are at rest")
{
    const std::string moving =
        "<Node name='body'><MechanicalObject name='points' position='0 0 0  1 0 0  0 1 0' velocity='0 0 1  0 0 1  0 0 "
        "1'/>"
        "<UniformMass totalMass='1'/><EulerExplicitSolver/><Node name='skin'>" +
        triangle + "<IdentityMapping/></Node></Node>";
    Scene s(moving + quad + "<MergeVisualModels name='all' nb='2' input1='@body/skin/triangle' input2='@quad'/>");
    VisualModelImpl& all = s.model("all");
    s.simulation->step();
    CHECK(norm(all.d_position.value()[1] - Vec3{1, 0, 0.1}) < 1e-15);
    CHECK(all.d_position.value()[3] == Vec3{0, 0, 1});
    s.simulation->reset();
    CHECK(all.d_position.value()[1] == Vec3{1, 0, 0});
    all.updateVisual();
    CHECK(all.d_position.value()[1] == Vec3{1, 0, 0});

    // Faces and texture coordinates that an input gets later.
    VisualModelImpl& other = s.model("quad");
    other.d_triangles.setValue({{0, 1, 2}});
    other.d_texcoords.setValue({{0.f, 0.f}, {1.f, 0.f}, {1.f, 1.f}, {0.f, 1.f}});
    all.updateVisual();
    CHECK(all.d_triangles.value() == Vector<Triangle>{{0, 1, 2}, {3, 4, 5}});
    REQUIRE(all.d_texcoords.value().size() == 7);
    CHECK(all.d_texcoords.value()[0] == origin);
    CHECK(all.d_texcoords.value()[5] == Vec<2, float>{1.f, 1.f});

    // Nothing is written while nothing changes.
    const auto counter = all.d_position.counter(), triangles = all.d_triangles.counter();
    all.updateVisual();
    CHECK(all.d_position.counter() == counter);
    CHECK(all.d_triangles.counter() == triangles);
    all.write(vec_id::position)[0] = {5, 5, 5};
    all.updateVisual();
    CHECK(all.d_position.value()[0] == Vec3{5, 5, 5});

    // Inputs that go take their part along.
    s.root->removeComponent(other);
    all.updateVisual();
    CHECK(all.d_position.value().size() == 3);
    CHECK(all.d_quads.value().empty());
}

TEST_CASE("merged surfaces are drawn with one material, without their inputs where these are off")
{
    Scene s(
        "<OglModel name='triangle' enable='0' position='0 0 0  1 0 0  0 1 0' triangles='0 1 2'/>"
        "<OglModel name='quad' enable='0' position='0 0 1  1 0 1  1 1 1  0 1 1' quads='0 1 2 3'/>"
        "<MergeVisualModels name='all' nb='2' input1='@triangle' input2='@quad' color='red'/>");
    SceneDrawing drawing;
    const auto list = drawing.draw(*s.root);
    CHECK(test::faultsOf(*list).empty());
    REQUIRE(list->items.size() == 1);
    CHECK(list->items[0].geometry->triangles.size() == 3);
    CHECK(list->items[0].style.color == Color(1.f, 0.f, 0.f, 1.f));
}

TEST_CASE("merges of merges are made, but none with itself; what is wrong is told")
{
    const Scene nested(triangle + quad + "<MergeVisualModels name='part' nb='2' input1='@triangle' input2='@quad'/>" +
                       "<MergeVisualModels name='all' nb='2' input1='@part' input2='@triangle'/>");
    CHECK(nested.model("all").d_position.value().size() == 10);
    CHECK(nested.model("all").d_triangles.value() == Vector<Triangle>{{0, 1, 2}, {7, 8, 9}});

    const auto fails = [](const std::string& content, const std::string& text) {
        const Scene s(content, false);
        CHECK_THAT(s.messages(), Catch::Contains(text));
    };
    fails(triangle + "<MergeVisualModels name='all' nb='2' input1='@triangle'/>",
          "give the link 'input2' to a visual model: nb says that there are 2");
    fails(triangle + "<MergeVisualModels name='all' input1='@square'/>", "input1");
    fails("<MechanicalObject name='points'/><MergeVisualModels name='all' input1='@points'/>", "input1");
    fails("<MergeVisualModels name='all' input1='@all'/>", "one of its own inputs");
    fails(triangle +
              "<MergeVisualModels name='part' nb='2' input1='@triangle' input2='@all'/>"
              "<MergeVisualModels name='all' input1='@part'/>",
          "one of its own inputs");
    fails(triangle + "<MergeVisualModels name='all' input1='@triangle' translation='1 0 0'/>",
          "it stands where its inputs stand");
    fails(triangle + "<MergeVisualModels name='all' input1='@triangle' filename='mesh/cube.obj'/>",
          "what it shows are its inputs");
    const Scene empty("<OglModel name='none'/><MergeVisualModels name='all' input1='@none'/>");
    CHECK_THAT(empty.messages(), Catch::Contains("its inputs have nothing to show"));
}

}  // namespace merge_visual_models_test
