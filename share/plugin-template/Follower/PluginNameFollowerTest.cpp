// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameFollower.h"

#include <catch2/catch.hpp>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/harness/ForceFieldCheck.h"

using namespace sofa;
using namespace sofa::core;

namespace {

/// Two triangles, each half a square metre, on a bed.
struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;

    explicit Scene(const std::string& strength)
        : root(loadSceneText("<Node name='root'><DefaultAnimationLoop/><TriangleSetTopologyContainer name='mesh' "
                             "position='0 0 0  1 0 0  0 1 0  1 1 0' triangles='0 1 2  1 3 2'/>"
                             "<TriangleSetTopologyModifier/><MechanicalObject/><UniformMass vertexMass='1'/>"
                             "<PluginNameFollower name='bed' strength='" +
                                 strength + "'/></Node>",
                             "test.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    StoredTopology& mesh() const { return *root->get<StoredTopology>(Search::Local); }
    component::PluginNameFollower& bed() const { return *root->get<component::PluginNameFollower>(Search::Local); }
    /// Divides triangle 0 into three.
    void divide() const
    {
        TopologyTransaction change(mesh());
        const Index p = change.addPoints({{{0, 1. / 3.}, {1, 1. / 3.}, {2, 1. / 3.}}});
        change.add(ElementType::Triangles, std::array<Index, 9>{0, 1, p, 1, 2, p, 2, 0, p},
                   Vector<Ancestors>(3, {{0, 1.}}));
        change.remove(ElementType::Triangles, {0});
        change.commit();
    }
    /// The energy where all points are moved by one metre: half of the strength times the area.
    double energy() const
    {
        Vector<Vec3> x = dynamic_cast<State<Vec3Types>&>(*root->get<BaseState>(Search::Local)).positions();
        for (Vec3& v : x) v[2] += 1.;
        return bed().potentialEnergy({}, x);
    }
};

}  // namespace

TEST_CASE("PluginNameFollower: force, energy and stiffness belong together, also after a change")
{
    Scene scene("2 6");
    test::checkForceField(scene.bed());
    scene.divide();
    test::checkForceField(scene.bed());
}

TEST_CASE("PluginNameFollower: parts of a triangle have its strength, and a reset brings it back")
{
    Scene scene("2 6");
    CHECK(scene.energy() == Approx(2.));
    scene.divide();
    CHECK(scene.bed().d_strength.value() == Vector<double>{2., 6., 2., 2.});
    CHECK(scene.energy() == Approx(2.));
    removeElements(scene.mesh(), ElementType::Triangles, {1});
    CHECK(scene.energy() == Approx(0.5));
    scene.simulation->reset();
    CHECK(scene.bed().d_strength.value() == Vector<double>{2., 6.});
    CHECK(scene.energy() == Approx(2.));
}

TEST_CASE("PluginNameFollower: a list of the wrong length is refused")
{
    const auto root = loadSceneText(
        "<Node><MeshTopology position='0 0 0  1 0 0  0 1 0' triangles='0 1 2'/>"
        "<MechanicalObject/><PluginNameFollower strength='1 2'/></Node>",
        "test.scn");
    REQUIRE(root);
    CHECK_FALSE(initGraph(*root));
}
