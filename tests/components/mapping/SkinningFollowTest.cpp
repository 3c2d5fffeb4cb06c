// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/BaseMapping.h"
#include "core/behavior/SkinnedBody.h"
#include "core/behavior/State.h"
#include "core/log/Message.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/harness/Paths.h"
#include "tests/harness/SceneText.h"

namespace skinning_follow_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

using Lists = std::pair<Vector<Vector<Index>>, Vector<Vector<double>>>;

struct Scene : SceneText
{
    using SceneText::SceneText;
    State<Rigid3Types>& frames() { return *root->get<State<Rigid3Types>>(Search::Local); }
    State<Vec3Types>& skin() { return *root->child("skin")->get<State<Vec3Types>>(Search::Local); }
    BaseMapping& mapping() { return *root->child("skin")->get<BaseMapping>(Search::Local); }
    StoredTopology& places() { return *root->get<StoredTopology>(Search::Local); }
    StoredTopology& mesh() { return *root->child("skin")->get<StoredTopology>(Search::Local); }
    Index addFrame(const Vec3& place) { return dynamic_cast<SkinnedBody&>(mapping()).addFrame(place); }
    Lists lists()
    {
        return {dynamic_cast<Data<Vector<Vector<Index>>>&>(*mapping().findData("indices")).value(),
                dynamic_cast<Data<Vector<Vector<double>>>&>(*mapping().findData("weight")).value()};
    }
    void propagate() { mapping().apply({}, vec_id::position, vec_id::position); }
    void bend()
    {
        auto& x = *frames().write(vec_id::position);
        x[1] = {Vec3(1.8, -0.3, 0.1), Quat::fromRotationVector({0.2, 0.1, -0.5})};
        (*frames().write(vec_id::velocity))[1] = {0.3, -1., 0.2, 0.1, 0.4, -0.6};
        propagate();
    }
};

/// A skin of five points that two frames move.
std::string skinned(const std::string& mapping = "nbRef='3'",
                    const std::string& topology =
                        "<PointSetTopologyContainer "
                        "position='0 0 0  2 0 0'/><PointSetTopologyModifier/>")
{
    return "<EulerImplicitSolver/><CGLinearSolver iterations='200' tolerance='1e-12' threshold='1e-20'/>" + topology +
           "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  2 0 0 0 0 0 1'/>"
           "<FixedProjectiveConstraint indices='0'/>"
           "<Node name='skin'><TriangleSetTopologyContainer position='0 0.2 0  0.5 -0.2 0  1 0.2 0.1  1.5 -0.2 0  2 "
           "0.2 "
           "0' triangles='0 1 2  1 3 2  2 3 4'/><TriangleSetTopologyModifier/><MechanicalObject/><SkinningMapping " +
           mapping + "/><UniformMass totalMass='2'/><TriangularFEMForceField youngModulus='1000'/></Node>";
}

void checkSums(const Lists& lists)
{
    for (std::size_t i = 0; i < lists.first.size(); ++i) {
        double sum = 0.;
        for (const double w : lists.second[i]) sum += w;
        CHECK(sum == Approx(1.).epsilon(1e-14));
        CHECK(lists.first[i].size() == lists.second[i].size());
    }
}

double distance(const Vector<Vec3>& x, const Vector<Vec3>& y)
{
    REQUIRE(x.size() == y.size());
    double worst = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, norm(x[i] - y[i]));
    return worst;
}

}  // namespace

TEST_CASE("A frame that is added to a skin moves as the skin does there, and belongs to its shape at rest", "[mapping]")
{
    for (const std::string method : {"Linear", "DualQuaternion"}) {
        Scene s(skinned("nbRef='3' method='" + method + "'"));
        REQUIRE(s.good);
        const Vector<Vec3> rest = s.skin().positions();
        s.bend();
        CHECK(distance(s.skin().positions(), rest) > 0.2);
        const Vec3 place = s.skin().positions()[2];
        s.mapping().applyJ({}, vec_id::velocity, vec_id::velocity);
        const Vec3 moving = s.skin().velocities()[2];
        CHECK(norm(moving) > 0.3);

        REQUIRE(s.addFrame(place) == 2);
        REQUIRE(s.frames().size() == 3);
        CHECK(norm(s.frames().positions()[2].center - place) == 0.);
        s.propagate();
        s.mapping().applyJ({}, vec_id::velocity, vec_id::velocity);
        CHECK(norm(s.skin().positions()[2] - place) < (method == "Linear" ? 1e-14 : 0.02));
        if (method == "Linear") CHECK(norm(s.skin().velocities()[2] - moving) < 1e-14);
        checkSums(s.lists());
        CHECK(s.lists().first[2][0] == 2);  // the new one is nearest
        CHECK(s.lists().first[0].size() == 3);

        *s.frames().write(vec_id::position) = s.frames().read(vec_id::restPosition);
        s.propagate();
        CHECK(distance(s.skin().positions(), rest) < 1e-14);
    }
}

TEST_CASE("Weights with frames that were added are those of a skin that had them from the beginning", "[mapping]")
{
    for (const std::string weighting : {"1/d2", "1/d", "Gaussian' gaussianWidth='0.8"}) {
        const std::string how = "nbRef='2' weighting='" + weighting + "'";
        Scene s(skinned(how));
        REQUIRE(s.good);
        s.addFrame({1., 0.2, 0.1});
        s.addFrame({0.5, -0.2, 0.});
        Scene fresh(
            "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  2 0 0 0 0 0 1  1 0.2 0.1 0 0 0 1  0.5 "
            "-0.2 0 0 0 0 1'/><Node name='skin'><MechanicalObject position='0 0.2 0  0.5 -0.2 0  1 0.2 0.1  1.5 "
            "-0.2 0  2 0.2 0'/><SkinningMapping " +
            how + "/></Node>");
        REQUIRE(fresh.good);
        const auto [indices, weights] = s.lists();
        const auto [freshIndices, freshWeights] = fresh.lists();
        CHECK(indices == freshIndices);
        for (std::size_t i = 0; i < weights.size(); ++i)
            for (std::size_t k = 0; k < weights[i].size(); ++k)
                CHECK(weights[i][k] == Approx(freshWeights[i][k]).margin(1e-13));
    }
}

TEST_CASE("Frames that go leave their points to the others", "[mapping]")
{
    MessageCapture messages;
    Scene s(skinned());
    REQUIRE(s.good);
    s.addFrame({1., 0.2, 0.1});
    const auto remove = [&](Vector<Index> frames) {
        TopologyTransaction change(s.places());
        change.removePoints(std::move(frames));
        change.commit();
    };
    const Vector<Vec3> rest = s.skin().positions();
    remove({1});  // the new one gets its number
    checkSums(s.lists());
    for (const auto& frames : s.lists().first) CHECK(frames.size() == 2);
    CHECK(s.lists().first[4][0] == 1);
    s.propagate();
    CHECK(distance(s.skin().positions(), rest) < 1e-14);
    CHECK_THROWS_WITH(remove({0, 1}), Catch::Contains("no frame would be left"));
    CHECK(s.frames().size() == 2);
    checkSums(s.lists());
}

TEST_CASE("New points of a skin have the mean weights of those that they come from", "[mapping]")
{
    Scene s(skinned());
    REQUIRE(s.good);
    const auto [indices, weights] = s.lists();
    TopologyTransaction change(s.mesh());
    const Index p = change.addPoints({{{0, 0.25}, {4, 0.75}}});
    change.add(ElementType::Triangles, std::array<Index, 3>{0, p, 1});
    change.commit();
    s.bend();
    REQUIRE(s.skin().size() == 6);
    checkSums(s.lists());
    const auto weightOf = [](const Lists& l, Index point, Index frame) {
        for (std::size_t k = 0; k < l.first[point].size(); ++k)
            if (l.first[point][k] == frame) return l.second[point][k];
        return 0.;
    };
    const Lists before{indices, weights};
    for (const Index frame : {0u, 1u})
        CHECK(weightOf(s.lists(), p, frame) ==
              Approx(0.25 * weightOf(before, 0, frame) + 0.75 * weightOf(before, 4, frame)));
    CHECK(norm(s.skin().positions()[p] - Vec3(1.5, 0.2, 0.)) > 0.1);
    *s.frames().write(vec_id::position) = s.frames().read(vec_id::restPosition);
    s.propagate();
    CHECK(norm(s.skin().positions()[p] - Vec3(1.5, 0.2, 0.)) < 1e-14);
}

TEST_CASE("Frames that were added go with a reset, and are there in a checkpoint", "[mapping]")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    Scene s(skinned()), again(skinned());
    REQUIRE((s.good && again.good));
    const Lists before = s.lists();
    const auto steps = [](Scene& scene, int n) { scene.step(n); };
    steps(s, 2);
    s.addFrame(s.skin().positions()[2]);
    steps(s, 2);
    saveCheckpoint(*s.simulation, file);
    steps(s, 3);
    loadCheckpoint(*again.simulation, file);
    REQUIRE(again.frames().size() == 3);
    CHECK(again.lists() == s.lists());
    steps(again, 3);
    CHECK(again.skin().positions() == s.skin().positions());
    const Vector<Vec3> atEnd = s.skin().positions();

    s.simulation->reset();
    CHECK(s.frames().size() == 2);
    CHECK(s.lists() == before);
    steps(s, 2);
    s.addFrame(s.skin().positions()[2]);
    steps(s, 5);
    CHECK(s.skin().positions() == atEnd);
}

TEST_CASE("A skin whose frames are at rest at the beginning keeps that in a checkpoint of a changed mesh", "[mapping]")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    for (const std::string from : {"true", "false"}) {
        const std::string text = skinned("nbRef='2' computeWeightsFromPosition='" + from + "'");
        Scene s(text), again(text);
        REQUIRE((s.good && again.good));
        TopologyTransaction change(s.mesh());
        const Index p = change.addPoints({{{0, 0.25}, {4, 0.75}}});
        change.add(ElementType::Triangles, std::array<Index, 3>{0, p, 1});
        change.commit();
        s.bend();
        const Vector<Vec3> bent = s.skin().positions();
        saveCheckpoint(*s.simulation, file);
        loadCheckpoint(*again.simulation, file);
        again.propagate();
        CHECK(again.skin().positions() == bent);
    }
}

TEST_CASE("Frames without a topology, and weights of present positions, refuse other frames", "[mapping]")
{
    Scene none(skinned("", ""));
    REQUIRE(none.good);
    CHECK_THROWS_WITH(
        none.addFrame({1, 0, 0}),
        Catch::Contains("put a PointSetTopologyContainer and a PointSetTopologyModifier into their node"));
    Scene present(skinned("computeWeightsFromPosition='true'"));
    REQUIRE(present.good);
    CHECK_THROWS_WITH(present.addFrame({1, 0, 0}), Catch::Contains("computeWeightsFromPosition"));
    CHECK(present.frames().size() == 2);
    Scene other(skinned("", "<PointSetTopologyContainer position='0 0 0'/><PointSetTopologyModifier/>"));
    CHECK_THROWS_AS(other.addFrame({1, 0, 0}), std::runtime_error);
    CHECK(other.frames().size() == 2);
}

}  // namespace skinning_follow_test
