// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameCollisionModel.h"

#include <catch2/catch.hpp>

#include "core/collision/CollisionDetection.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

using namespace sofa::core;

namespace {

const std::string ellipsoid =
    "<Node><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/>"
    "<PluginNameCollisionModel name='m' radii='3 2 1'/></Node>";

/// What the method finds between the ellipsoid and another model, the ellipsoid being the first one.
Vector<DetectedContact> contacts(const std::string& method, const std::string& other)
{
    const auto root = loadSceneText("<Node name='root'><" + method + " alarmDistance='1' contactDistance='0.5'/>" +
                                        ellipsoid + "<Node>" + other + "</Node></Node>",
                                    "test.scn");
    REQUIRE(root);
    REQUIRE(initGraph(*root));
    const auto models = root->getAll<CollisionModel>(Search::Down);
    REQUIRE(models.size() == 2);
    for (CollisionModel* m : models) m->update();
    const auto& m = *root->get<IntersectionMethod>(Search::Local);
    bool swapped = true;
    const PrimitiveTest test = m.find(models[0]->shape(), models[1]->shape(), swapped);
    REQUIRE(test);
    CHECK_FALSE(swapped);
    m.prepare({models[0], models[1]});
    Vector<DetectedContact> out;
    test(m, *models[0], 0, *models[1], 0, out);
    return out;
}

}  // namespace

TEST_CASE("PluginName ellipsoids: contacts with spheres and triangles are known in closed form")
{
    const std::string sphere =
        "<MechanicalObject template='Vec3' position='0 3 0'/><SphereCollisionModel radius='0.5'/>";
    const std::string triangle =
        "<MechanicalObject template='Vec3' position='-9 2.5 -9  -9 2.5 9  18 2.5 0'/>"
        "<MeshTopology triangles='0 1 2'/><TriangleCollisionModel/>";
    for (const std::string method : {"MinProximityIntersection", "NewProximityIntersection", "LocalMinDistance"})
        for (const auto& [other, distance] : {std::pair{sphere, 1.}, {triangle, 0.5}}) {
            const auto found = contacts(method, other);
            REQUIRE(found.size() == 1);
            CHECK(norm(found[0].point1 - Vec3{0., 2., 0.}) < 1e-5);
            CHECK(norm(found[0].normal - Vec3{0., 1., 0.}) < 1e-5);
            CHECK(found[0].value == Approx(distance - 0.5 - (distance == 1. ? 0.5 : 0.)).margin(1e-9));
        }
}

TEST_CASE("PluginName ellipsoids: other solids need no test of their own")
{
    const auto found = contacts("MinProximityIntersection",
                                "<MechanicalObject template='Rigid3' position='0 0 2.5 0 0 0 1'/>"
                                "<OBBCollisionModel extents='1 1 1'/>");
    REQUIRE(found.size() == 1);
    CHECK(found[0].value == Approx(0.).margin(1e-9));
    CHECK(norm(found[0].point1 - Vec3{0., 0., 1.}) < 1e-5);
}
