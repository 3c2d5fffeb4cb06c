// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/collision/SolidCollisionModels.h"
#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"
#include "core/interaction/Picking.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace open_shapes_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

/// Everything within `radius` of a point, as a form.
class Ball final : public geometry::ConvexForm
{
public:
    explicit Ball(double r) : m_radius(r) {}
    Vec3 support(const Vec3& d) const override { return d * (m_radius / norm(d)); }
    double reach() const override { return m_radius; }

private:
    double m_radius;
};

CollisionShape ballShape()
{
    static const CollisionShape shape =
        registerCollisionShape({.name = "test ball", .plural = "test balls", .solid = true});
    return shape;
}

class BallModel final : public FrameCollisionModel
{
public:
    CollisionShape shape() const override { return ballShape(); }

protected:
    geometry::ConvexBody bodyIn(Index, const RigidCoord3& f) const override
    {
        return geometry::ConvexBody::of(m_form, f.center, f.orientation.toMatrix());
    }

private:
    Ball m_form{0.5};
};

struct RegisteredModel
{
    RegisteredModel() { RegisterComponent("TestBallModel", "CollisionModel", "Test.Module").add<BallModel>(); }
    ~RegisteredModel() { Registry::instance().remove("TestBallModel"); }
};

const std::string ball =
    "<Node><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/><TestBallModel name='m'/></Node>";

struct Scene
{
    explicit Scene(const std::string& other, const std::string& name = "MinProximityIntersection")
        : root(loadSceneText("<Node name='root'><" + name + " alarmDistance='1' contactDistance='0.5'/>" + ball +
                                 "<Node>" + other + "</Node></Node>",
                             "test.scn"))
    {
        REQUIRE(root);
        REQUIRE(initGraph(*root));
        models = root->getAll<CollisionModel>(Search::Down);
        for (CollisionModel* m : models) m->update();
        method = root->get<IntersectionMethod>(Search::Local);
    }
    PrimitiveTest test() const
    {
        bool swapped = false;
        return method->find(models[0]->shape(), models[1]->shape(), swapped);
    }
    Vector<DetectedContact> contacts() const
    {
        bool swapped = false;
        const PrimitiveTest t = method->find(models[0]->shape(), models[1]->shape(), swapped);
        REQUIRE(t);
        const ModelPair pair = swapped ? ModelPair{models[1], models[0]} : ModelPair{models[0], models[1]};
        method->prepare(pair);
        Vector<DetectedContact> out;
        t(*method, *pair.first, 0, *pair.second, 0, out);
        return out;
    }
    std::shared_ptr<Node> root;
    std::vector<CollisionModel*> models;
    IntersectionMethod* method = nullptr;
};

const std::string sphere = "<MechanicalObject template='Vec3' position='0 2 0'/><SphereCollisionModel radius='0.5'/>";
const std::string triangle =
    "<MechanicalObject template='Vec3' position='-9 1 -9  -9 1 9  18 1 0'/>"
    "<MeshTopology triangles='0 1 2'/><TriangleCollisionModel/>";

void nothing(const IntersectionMethod&, const CollisionModel&, Index i, const CollisionModel&, Index j,
             Vector<DetectedContact>& out)
{
    out.push_back({i, j, 77, {}, {}, {}, 0.});
}

}  // namespace

TEST_CASE("A solid of any form has contacts with everything, by every method")
{
    const RegisteredModel registered;
    const std::string box =
        "<MechanicalObject template='Rigid3' position='0 2 0 0 0 0 1'/><OBBCollisionModel extents='1 1 1'/>";
    const std::string points = "<MechanicalObject template='Vec3' position='0 1 0'/><PointCollisionModel/>";
    for (const std::string method :
         {"MinProximityIntersection", "NewProximityIntersection", "LocalMinDistance", "CCDTightInclusionIntersection"})
        for (const auto& [other, distance] : {std::pair{sphere, 1.}, {triangle, 0.5}, {box, 0.5}, {points, 0.5}}) {
            INFO(method << other);
            const Scene scene(other, method);
            const auto found = scene.contacts();
            REQUIRE(found.size() == 1);
            CHECK(found[0].value == Approx(distance - 0.5).margin(1e-6));
            CHECK(std::abs(found[0].normal[1]) == Approx(1.).epsilon(1e-4));
        }
}

TEST_CASE("Solids of any form are picked, and their boxes hold them")
{
    const RegisteredModel registered;
    const Scene scene(sphere);
    CHECK(norm(scene.models[0]->box().upper - Vec3{0.5, 0.5, 0.5}) < 1e-12);
    const auto hit = pick(*scene.models[0], {{0.3, 0., 4.}, {0., 0., -2.}}, 0.);
    REQUIRE(hit);
    CHECK(hit->distance == Approx(4. - 0.4).epsilon(1e-6));
    CHECK_FALSE(pick(*scene.models[0], {{0.6, 0., 4.}, {0., 0., -2.}}, 0.));
}

TEST_CASE("A test registers beside its shape, for all methods or for one, and can be withdrawn")
{
    const RegisteredModel registered;
    const Scene min(sphere), local(sphere, "LocalMinDistance");
    const PrimitiveTest before = min.test();
    REQUIRE(before);
    CHECK(before != &nothing);
    {
        const RegisterContactTests tests(
            {{CollisionShape::Sphere, ballShape(), nothing, nullptr, {"LocalMinDistance"}}});
    }
    CHECK(min.test() == before);
    CHECK(local.test() == &nothing);  // methods in use look again
    CHECK(local.contacts().size() == 1);
    {
        const RegisterContactTests tests({{ballShape(), CollisionShape::Sphere, nothing}});
    }
    CHECK(min.test() == &nothing);
    const MessageCapture capture;
    {
        const RegisterContactTests again({{CollisionShape::Sphere, ballShape(), nothing}});
    }
    CHECK(capture.has(Severity::Error, "contact test 'sphere and test ball of all methods' is registered twice"));
    CHECK(removeContactTest(ballShape(), CollisionShape::Sphere));
    CHECK(removeContactTest(ballShape(), CollisionShape::Sphere, "LocalMinDistance"));
    CHECK_FALSE(removeContactTest(ballShape(), CollisionShape::Sphere));
    CHECK(min.test() == before);
    CHECK(local.test() == before);
}

TEST_CASE("A shape whose name is taken is reported, and is another shape")
{
    const std::size_t before = collisionShapeCount();
    const MessageCapture capture;
    const CollisionShape again = registerCollisionShape({.name = "triangle", .plural = "triangles"});
    CHECK(capture.has(Severity::Error, "collision shape 'triangle' is registered twice"));
    CHECK_FALSE(again == CollisionShape::Triangle);
    CHECK(again.info().name == "triangle 2");
    CHECK(collisionShapeCount() == before + 1);
}

}  // namespace open_shapes_test
