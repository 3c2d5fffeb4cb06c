// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "components/mapping/BarycentricMapping.h"
#include "components/mapping/IdentityMapping.h"
#include "components/state/MechanicalObject.h"
#include "components/visual/OglModel.h"
#include "core/factory/Registry.h"
#include "tests/components/mapping/MappingFixture.h"
#include "tests/harness/Paths.h"

namespace visual_model_test {

using namespace sofa::test;
using namespace sofa::component;

namespace {

VisualModelImpl& make(Node& node, const std::vector<std::pair<std::string, std::string>>& attributes)
{
    auto& m = node.create<OglModel>();
    ComponentDescription desc;
    for (const auto& [name, value] : attributes) desc.set(name, value);
    m.parse(desc);
    return m;
}

const std::string square = "0 0 0  1 0 0  1 1 0  0 1 0";

}  // namespace

TEST_CASE("Normals are the area-weighted mean over the faces", "[visual]")
{
    auto root = std::make_shared<Node>("root");
    SECTION("of a plane")
    {
        auto& m = make(*root, {{"position", square}, {"triangles", "0 1 2  0 2 3"}});
        m.init();
        CHECK(m.d_normal.value() == Vector<Vec3>(4, Vec3{0., 0., 1.}));
        m.flipFaces();
        m.updateVisual();
        CHECK(m.d_normal.value() == Vector<Vec3>(4, Vec3{0., 0., -1.}));
    }
    SECTION("of an edge between a large and a small face")
    {
        // Areas 1/2 in the plane z = 0 and 1 in the plane y = 0.
        auto& m = make(*root, {{"position", "0 0 0  1 0 0  0 1 0  0 0 2"}, {"triangles", "0 1 2  0 1 3"}});
        m.init();
        const Vec3 expected = normalized(Vec3{0., 0., 1.} + Vec3{0., -2., 0.});
        CHECK(norm(m.d_normal.value()[0] - expected) < 1e-15);
        CHECK(norm(m.d_normal.value()[2] - Vec3{0., 0., 1.}) < 1e-15);
    }
    SECTION("of a quad, by corner")
    {
        auto& m = make(*root, {{"position", square}, {"quads", "0 1 2 3"}});
        m.init();
        CHECK(m.d_normal.value() == Vector<Vec3>(4, Vec3{0., 0., 1.}));
    }
    SECTION("kept, if they are not to be updated")
    {
        auto& m = make(*root, {{"position", square},
                               {"quads", "0 1 2 3"},
                               {"normal", "1 0 0 1 0 0 1 0 0 1 0 0"},
                               {"updateNormals", "0"}});
        m.init();
        CHECK(m.d_normal.value()[0] == Vec3{1., 0., 0.});
    }
}

TEST_CASE("The initial transformation is applied once", "[visual]")
{
    auto root = std::make_shared<Node>("root");
    auto& m = make(*root, {{"position", square}, {"quads", "0 1 2 3"}, {"scale", "2"}, {"rz", "90"}, {"dx", "5"}});
    m.init();
    CHECK(norm(m.positions()[1] - Vec3{5., 2., 0.}) < 1e-14);
    CHECK(m.d_scale.value() == Vec3{1., 1., 1.});
    m.init();
    CHECK(norm(m.positions()[1] - Vec3{5., 2., 0.}) < 1e-14);
}

TEST_CASE("Colours and materials", "[visual]")
{
    auto root = std::make_shared<Node>("root");
    auto& m = make(*root, {{"color", "1 0.5 0 0.5"}});
    CHECK(m.d_material.value().diffuse == Vec<4, float>{1.f, 0.5f, 0.f, 0.5f});
    CHECK(m.d_material.value().ambient == Vec<4, float>{0.2f, 0.1f, 0.f, 0.5f});
    auto& n = make(*root, {{"material", "blue Diffuse 1 0 0 1 1 Shininess 1 10"}});
    CHECK(n.d_material.value().name == "blue");
    CHECK(n.d_material.value().shininess == 10.f);
    MessageCapture log;
    make(*root, {{"color", "grean"}});
    CHECK(log.has(Severity::Error, "did you mean 'green'"));
}

TEST_CASE("The surface comes from a topology when the scene gives none", "[visual]")
{
    auto root = std::make_shared<Node>("root");
    auto topology = std::make_shared<ListTopology>();
    topology->m_triangles = {{0, 1, 2}};
    auto child = root->createChild("visual");
    SECTION("with positions of its own")
    {
        topology->m_points = {{}, {1., 0., 0.}, {0., 1., 0.}};
        root->addComponent(topology);
        auto& m = make(*child, {});
        m.init();
        CHECK(m.positions() == topology->m_points);
        CHECK(m.d_triangles.value() == topology->m_triangles);
        CHECK(m.size() == 3);
    }
    SECTION("with the positions of the state beside it")
    {
        auto& state = root->create<MechanicalObject<Vec3Types>>();
        state.d_position.setValue({{}, {2., 0., 0.}, {0., 2., 0.}});
        root->addComponent(topology);
        state.init();
        auto& m = make(*child, {});
        m.init();
        CHECK(m.positions() == state.positions());
    }
    SECTION("for its faces only")
    {
        root->addComponent(topology);
        auto& m = make(*child, {{"position", square}});
        m.init();
        CHECK(m.size() == 4);
        CHECK(m.d_triangles.value() == topology->m_triangles);
    }
}

TEST_CASE("Nothing to show, and faces without vertices, are reported", "[visual]")
{
    MessageCapture log;
    auto root = std::make_shared<Node>("root");
    make(*root, {}).init();
    CHECK(log.has(Severity::Warning, "nothing to show"));
    auto& m = make(*root, {{"position", square}, {"triangles", "0 1 4"}});
    m.init();
    CHECK_FALSE(m.isValid());
    CHECK(log.has(Severity::Error, "triangle 0 refers to vertex 4, but there are 4 vertices"));
    auto& missing = make(*root, {{"filename", "no-such-file.obj"}});
    missing.init();
    CHECK(log.has(Severity::Warning, "no-such-file.obj"));
}

TEST_CASE("A mesh file gives points, faces and materials", "[visual]")
{
    const sofa::test::TemporaryDirectory folder;
    {
        std::ofstream(folder / "m.mtl") << "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n";
        std::ofstream(folder / "m.obj") << "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl red\nf 1 2 3\n"
                                           "usemtl blue\nf 1 3 4\n";
    }
    auto root = std::make_shared<Node>("root");
    auto& m = make(*root, {{"fileMesh", (folder / "m.obj").string()}, {"dz", "1"}});
    m.init();
    CHECK(m.size() == 4);
    CHECK(m.positions()[2] == Vec3{1., 1., 1.});
    CHECK(m.d_triangles.value() == Vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
    REQUIRE(m.d_materials.value().size() == 2);
    REQUIRE(m.d_groups.value().size() == 2);
    CHECK(m.d_groups.value()[1].materialName == "blue");
    CHECK(m.d_groups.value()[1].firstTriangle == 1);
    CHECK(m.d_groups.value()[1].triangleCount == 1);
}

TEST_CASE("Split vertices follow the positions and share normals", "[visual]")
{
    auto root = std::make_shared<Node>("root");
    // Position 0 is drawn twice, with one normal.
    auto& m = make(*root, {{"position", "0 0 0  1 0 0  0 1 0  0 0 0  0 0 2"},
                           {"vertPosIdx", "0 1 2 0 3"},
                           {"vertNormIdx", "0 1 2 0 3"},
                           {"triangles", "0 1 2  3 1 4"}});
    m.init();
    CHECK(m.size() == 4);
    CHECK(m.drawnVertices().size() == 5);
    CHECK(m.d_normal.value()[0] == m.d_normal.value()[3]);
    m.write(vec_id::position)[0] = {0., 0., -1.};
    m.updateVisual();
    CHECK(m.drawnVertices()[3] == Vec3{0., 0., -1.});
}

TEST_CASE("Visual models follow mappings and no solver sees them", "[visual]")
{
    auto root = std::make_shared<Node>("root");
    auto child = root->createChild("visual");
    auto& state = root->create<MechanicalObject<Vec3Types>>();
    state.d_position.setValue({{}, {1., 0., 0.}, {0., 1., 0.}});
    state.init();
    auto& m = make(*child, {{"position", square}, {"triangles", "0 1 2"}});
    m.init();
    ComponentDescription desc;
    desc.type = "IdentityMapping";
    auto mapping = std::dynamic_pointer_cast<IdentityMapping<Vec3Types, Vec3Types>>(
        Registry::instance().create(child.get(), desc));
    REQUIRE(mapping);
    child->addComponent(mapping);
    mapping->init();
    CHECK_FALSE(mapping->isMechanical());
    CHECK(m.positions() == state.positions());
    state.d_position.edit()[1] = {7., 0., 0.};
    mapping->apply(MechanicalParams{}, vec_id::position, vec_id::position);
    CHECK(m.positions()[1] == Vec3{7., 0., 0.});
    m.updateVisual();

    // A force field of that node works on the state above.
    std::string why;
    CHECK(findStateFor(child.get(), desc, "mstate", why) == &state);
}

TEST_CASE("A visual model returns to its initial positions", "[visual]")
{
    auto root = std::make_shared<Node>("root");
    auto& m = make(*root, {{"position", square}, {"quads", "0 1 2 3"}});
    m.init();
    m.storeResetState();
    m.write(vec_id::position)[0] = {9., 9., 9.};
    m.reset();
    CHECK(m.positions()[0] == Vec3{});
}

TEST_CASE("Tangents follow the texture axes", "[visual]")
{
    auto root = std::make_shared<Node>("root");
    auto& m =
        make(*root,
             {{"position", square}, {"quads", "0 1 2 3"}, {"texcoords", "0 0 1 0 1 1 0 1"}, {"computeTangents", "1"}});
    m.init();
    CHECK(m.d_tangents.value() == Vector<Vec3>(4, Vec3{1., 0., 0.}));
    CHECK(m.d_bitangents.value() == Vector<Vec3>(4, Vec3{0., 1., 0.}));
}

}  // namespace visual_model_test
