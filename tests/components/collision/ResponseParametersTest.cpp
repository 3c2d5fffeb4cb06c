// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/collision/ContactResponse.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace response_parameters_test {

using namespace sofa::core;

TEST_CASE("parameters of responses: numbers, flags, and what nobody asked for")
{
    const ResponseParameters p(" mu = 0.6 & tolerance=1e-3&soft=true&");
    CHECK(p.number("mu") == 0.6);
    CHECK(p.number("tolerance") == 1e-3);
    CHECK(p.flag("soft") == true);
    CHECK_FALSE(p.number("other").has_value());
    CHECK(p.unknown().empty());
    const ResponseParameters q("b=1&a=2&c=3");
    CHECK(q.find("b") != nullptr);
    CHECK(q.unknown() == std::vector<std::string>{"a", "c"});
    CHECK(ResponseParameters("").empty());
    CHECK(ResponseParameters("  ").empty());
}

TEST_CASE("parameters of responses that are malformed say what was expected")
{
    CHECK_THROWS_WITH(ResponseParameters("mu"), Catch::Contains("name=value"));
    CHECK_THROWS_WITH(ResponseParameters("=3"), Catch::Contains("name=value"));
    CHECK_THROWS_WITH(ResponseParameters("mu=1&mu=2"), Catch::Contains("twice"));
    CHECK_THROWS_WITH(ResponseParameters("mu=much").number("mu"), Catch::Contains("'much', expected a number"));
    CHECK_THROWS_WITH(ResponseParameters("mu=nan").number("mu"), Catch::Contains("expected a number"));
    CHECK_THROWS_WITH(ResponseParameters("soft=2").flag("soft"), Catch::Contains("expected 1 or 0"));
}

namespace {

/// A response that does nothing but remember its coefficient of friction.
class Recorder final : public ContactResponse
{
public:
    inline static double friction = -1.;
    using ContactResponse::ContactResponse;
    void insert(Node&, const std::string&, SharedContactPoints&) override {}
    void update(const Vector<DetectedContact>&, const IntersectionMethod&) override {}
    void suspend() override {}
    void remove() override {}
};

std::string messagesAfterStep(const std::string& manager, const std::string& model = "")
{
    contactResponses().replace("RecordedResponse", {[](const ModelPair& m, const ResponseParameters& p) {
                                   Recorder::friction = p.number("mu").value_or(0.);
                                   return std::make_unique<Recorder>(m);
                               }});
    Recorder::friction = -1.;
    const std::string ball = "<MechanicalObject position='0 0 0'/><SphereCollisionModel radius='1' " + model + "/>";
    const std::shared_ptr<Node> root = loadSceneText(
        "<Node name='root' gravity='0 0 0'><DiscreteIntersection/><CollisionPipeline/>"
        "<BruteForceBroadPhase/><BVHNarrowPhase/><CollisionResponse name='manager' " +
            manager + "/><Node>" + ball + "</Node><Node>" + ball + "</Node></Node>",
        "test.scn");
    REQUIRE(root != nullptr);
    Simulation simulation(root);
    std::string text;
    if (simulation.init()) simulation.step();
    for (const Message& m : root->component("manager")->messages()) text += m.text + "\n";
    return text;
}

}  // namespace

TEST_CASE("parameters reach the response: of the manager, or after the name that a model wants")
{
    CHECK(messagesAfterStep("response='RecordedResponse' responseParams='mu=0.3'").empty());
    CHECK(Recorder::friction == 0.3);
    CHECK(messagesAfterStep("response='RecordedResponse?mu=0.4'").empty());
    CHECK(Recorder::friction == 0.4);
    CHECK(messagesAfterStep("response='default' responseParams='mu=0.3'", "contactResponse='RecordedResponse?mu=0.7'")
              .empty());
    CHECK(Recorder::friction == 0.7);
    CHECK_THAT(messagesAfterStep("response='RecordedResponse' responseParams='nu=0.3'"),
               Catch::Contains("no parameter 'nu'"));
    CHECK_THAT(messagesAfterStep("response='RecordedResponse' responseParams='mu=x'"),
               Catch::Contains("expected a number"));
    CHECK_THAT(messagesAfterStep("response='RecordedResponse' responseParams='mu'"), Catch::Contains("name=value"));
}

TEST_CASE("a kind of response whose name is taken is reported, can be replaced, and withdrawn")
{
    const auto make = [](const ModelPair& m, const ResponseParameters&) { return std::make_unique<Recorder>(m); };
    registerContactResponse("TakenResponse", make, true);
    const MessageCapture capture;
    registerContactResponse("TakenResponse", make, false, true);
    CHECK(capture.has(Severity::Error, "contact response 'TakenResponse' is registered twice"));
    REQUIRE(contactResponses().find("TakenResponse"));
    CHECK(contactResponses().find("TakenResponse")->isNonPenetrating);
    contactResponses().replace("TakenResponse", {make});
    CHECK_FALSE(contactResponses().find("TakenResponse")->isNonPenetrating);
    CHECK(contactResponses().remove("TakenResponse"));
    CHECK_THROWS_WITH(contactResponses().get("TakenResponse"), Catch::Contains("there is no contact response"));
    CHECK_FALSE(messagesAfterStep("response='TakenResponse'").empty());
}

}  // namespace response_parameters_test
