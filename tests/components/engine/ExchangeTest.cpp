// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/engine/RandomLists.h"

namespace exchange_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;
using Catch::Matchers::Contains;

namespace {

template <class T = Component>
T& named(Node& node, const std::string& name)
{
    if (Component* c = node.component(name)) return dynamic_cast<T&>(*c);
    throw std::logic_error("there is no component " + name);
}

template <class D>
const typename D::VecCoord& positionsOf(Node& root, const std::string& name)
{
    return named<State<D>>(root, name).positions();
}

std::shared_ptr<Node> load(const std::string& text)
{
    LoadReport report;
    auto root = loadSceneText(text, "test.scn", {}, &report);
    REQUIRE(root);
    REQUIRE(report.ok());
    return root;
}

}  // namespace

namespace {

template <class D>
void checkMeanComputation()
{
    const std::string templ(D::name());
    INFO(templ);
    const auto states = [](const EngineAccess& e) { return e.engine().node()->root().getAll<State<D>>(); };
    checkEngine({.type = "MeanComputation",
                 .attributes = {{"template", templ}},
                 .fill =
                     [states](const EngineAccess& e, RandomInput& random) {
                         for (State<D>* s : states(e)) {
                             const auto list = s->write(vec_id::position);
                             for (auto& x : *list) x = randomValue<typename D::Coord>(random);
                         }
                     },
                 .verify =
                     [states](const EngineAccess& e) {
                         const auto& mean = e.get<typename D::VecCoord>("result");
                         REQUIRE(mean.size() == 4);
                         for (std::size_t i = 0; i < 4; ++i) {
                             Vec3 center;
                             for (State<D>* s : states(e)) center += D::position(s->positions()[i]) / 3.;
                             CHECK(norm(D::position(mean[i]) - center) < 1e-14);
                             if constexpr (std::is_same_v<D, Rigid2Types>) {
                                 double angle = 0.;
                                 for (State<D>* s : states(e)) angle += s->positions()[i].angle / 3.;
                                 CHECK(mean[i].angle == Approx(angle));
                             }
                         }
                     },
                 .mistakes = {},
                 .scene =
                     [](Node& root) {
                         for (const std::size_t points : {5, 4, 7}) addState<D>(root, typename D::VecCoord(points));
                     }});
}

}  // namespace

HARNESS_ENGINE("MeanComputation")
{
    checkMeanComputation<Vec3Types>();
    checkMeanComputation<Vec1Types>();
    checkMeanComputation<Vec2Types>();
    checkMeanComputation<Rigid2Types>();
    checkMeanComputation<Rigid3Types>();
    for (const bool first : {true, false}) {
        INFO("before the states: " << first);
        const std::string engine = "<MeanComputation name='engine'/>";
        const auto root = load("<Node>" + (first ? engine : "") +
                               "<MechanicalObject name='a' position='0 0 0  2 0 0  4 4 4'/>"
                               "<MechanicalObject name='b' position='0 2 0  4 0 6'/>"
                               "<MechanicalObject name='mean' tags='MeanOutput'/>"
                               "<MechanicalObject name='r' template='Rigid3' position='9 9 9 0 0 0 1'/>" +
                               (first ? "" : engine) + "</Node>");
        Simulation simulation(root);
        REQUIRE(simulation.init());
        auto& e = named<Engine>(*root, "engine");
        const EngineAccess access(e);
        CHECK(access.points("result") == Vector<Vec3>{{0., 1., 0.}, {3., 0., 3.}});
        CHECK(positionsOf<Vec3Types>(*root, "mean") == access.points("result"));
        const std::size_t before = e.updates();
        CHECK(access.points("result").size() == 2);
        CHECK(e.updates() == before);

        // It follows the states, also where they are one after the other.
        named<State<Vec3Types>>(*root, "b").write(vec_id::position)[1] = {0., 0., 0.};
        CHECK(e.updates() == before);
        CHECK(positionsOf<Vec3Types>(*root, "mean") == Vector<Vec3>{{0., 1., 0.}, {1., 0., 0.}});
        for (int step = 0; step < 3; ++step) simulation.step();
        CHECK(access.points("result") == Vector<Vec3>{{0., 1., 0.}, {1., 0., 0.}});

        // A state that leaves counts no more.
        root->removeComponent(named(*root, "b"));
        REQUIRE(simulation.settle());
        CHECK(access.points("result") == Vector<Vec3>{{0., 0., 0.}, {2., 0., 0.}, {4., 4., 4.}});
    }
}

TEST_CASE("MeanComputation: frames, a link in place of the tag, and no states")
{
    const auto root = load(
        "<Node><MechanicalObject name='a' template='Rigid3' position='0 0 0 0 0 0 1'/>"
        "<MechanicalObject name='b' template='Rigid3' position='2 4 6 0 0 -1 0'/>"
        "<MechanicalObject name='mean' template='Rigid3' position='@engine.result'/>"
        "<MeanComputation name='engine' template='Rigid3'/></Node>");
    Simulation simulation(root);
    REQUIRE(simulation.init());
    const RigidCoord3 mean = positionsOf<Rigid3Types>(*root, "mean").at(0);
    CHECK(mean.center == Vec3{1., 2., 3.});
    CHECK(norm(mean.orientation.rotate({1., 0., 0.}) - Vec3{0., -1., 0.}) < 1e-15);

    Node empty("empty");
    auto& none = addComponent(empty, "MeanComputation");
    none.init();
    CHECK_FALSE(none.isValid());
    addState<Vec3Types>(empty, {{0., 0., 0.}}).d_tags.setValue({"MeanOutput"});
    auto& alone = addComponent(empty, "MeanComputation");
    alone.init();
    CHECK_FALSE(alone.isValid());
}

namespace {

template <class D>
void checkTextureInterpolation()
{
    for (const char* scalar : {"0", "1"})
        for (const char* manual : {"0", "1"})
            checkEngine({.type = "TextureInterpolation",
                         .attributes = {{"template", std::string(D::name())},
                                        {"scalarField", scalar},
                                        {"manual_scale", manual},
                                        {"min_value", "-0.25"},
                                        {"max_value", "0.5"}},
                         .fill =
                             [](const EngineAccess& e, RandomInput& random) {
                                 typename D::VecCoord states(20);
                                 for (auto& x : states)
                                     for (double& v : x) v = random.number();
                                 e.set("input_states", states);
                                 e.set("input_coordinates", random.points(20));
                             },
                         .verify =
                             [](const EngineAccess& e) {
                                 std::vector<double> s;
                                 for (const auto& x : e.get<typename D::VecCoord>("input_states")) {
                                     double sum = 0.;
                                     for (const double v : x) sum += v;
                                     s.push_back(e.get<bool>("scalarField") ? x[0] : sum / double(x.size()));
                                 }
                                 double low = -0.25, high = 0.5;
                                 if (!e.get<bool>("manual_scale")) {
                                     low = *std::ranges::min_element(s);
                                     high = *std::ranges::max_element(s);
                                 }
                                 const auto& uv = e.get<Vector<Vec2>>("output_coordinates");
                                 REQUIRE(uv.size() == s.size());
                                 for (std::size_t i = 0; i < s.size(); ++i) {
                                     CHECK(std::abs(low + uv[i][0] * (high - low) - s[i]) < 1e-15);
                                     CHECK(uv[i][1] == 0.);
                                 }
                             },
                         .mistakes = {{{{"input_states", "1 2 3 4 5 6"}, {"manual_scale", "1"}, {"max_value", "-1"}},
                                       "it must be smaller than max_value"}}});
}

}  // namespace

HARNESS_ENGINE("TextureInterpolation")
{
    checkTextureInterpolation<Vec3Types>();
    checkTextureInterpolation<Vec1Types>();
    checkTextureInterpolation<Vec2Types>();
}

TEST_CASE("TextureInterpolation: coordinates, and values without a range")
{
    Node root("root");
    auto& e = addComponent<Engine>(root, "TextureInterpolation", {{"template", "Vec1"}});
    const EngineAccess access(e);
    REQUIRE(initialise(root));
    const auto uv = [&] { return access.get<Vector<Vec2>>("output_coordinates"); };
    CHECK(uv().empty());
    access.set("input_coordinates", Vector<Vec3>{{0., 1., 5.}, {2., 1., 5.}, {1., 3., 5.}});
    CHECK(uv() == Vector<Vec2>{{0., 0.}, {1., 0.}, {0.5, 1.}});
    access.set("input_coordinates", Vector<Vec3>{{5., 0., 1.}, {5., 2., 1.}, {5., 1., 3.}});
    CHECK(uv() == Vector<Vec2>{{0., 0.}, {1., 0.}, {0.5, 1.}});
    access.set("input_coordinates", Vector<Vec3>{{1., 5., 0.}, {1., 5., 2.}, {3., 5., 1.}});
    CHECK(uv() == Vector<Vec2>{{0., 0.}, {1., 0.}, {0.5, 1.}});
    access.set("input_states", Vector<Vec<1>>(2, Vec<1>::filled(3.)));
    CHECK(uv() == Vector<Vec2>{{0., 0.}, {0., 0.}});
}

TEST_CASE("DataExchange copies at the start and after each step")
{
    const auto root = load(
        "<Node dt='0.5'><Node name='a'><EulerExplicitSolver symplectic='0'/>"
        "<MechanicalObject name='x' position='1 0 0  2 0 0' velocity='1 0 0  0 0 0'/><UniformMass "
        "totalMass='1'/></Node>"
        "<Node name='b'><MechanicalObject name='x' position='0 0 0  0 0 0'/></Node>"
        "<DataExchange name='exchange' from='@a/x.position' to='@b/x.position'/>"
        "<DataExchange name='velocity' from='@a/x.velocity' to='@b/x.velocity'/></Node>");
    root->d_gravity.setValue({});
    Simulation simulation(root);
    REQUIRE(simulation.init());
    const auto position = [&] { return named<State<Vec3Types>>(*root->child("b"), "x").positions()[0]; };
    CHECK(position() == Vec3{1., 0., 0.});
    simulation.step();
    CHECK(position() == Vec3{1.5, 0., 0.});
    // Only then.
    named<State<Vec3Types>>(*root->child("a"), "x").write(vec_id::position)[0] = {7., 0., 0.};
    CHECK(position() == Vec3{1.5, 0., 0.});
    simulation.reset();
    CHECK(position() == Vec3{1., 0., 0.});
}

TEST_CASE("DataExchange: single values, and what cannot be copied")
{
    const auto fails = [](const std::string& attributes) {
        LoadReport report;
        const auto root = loadSceneText(
            "<Node><MechanicalObject name='two' position='0 0 0  1 1 1'/>"
            "<MechanicalObject name='three' position='0 0 0  1 1 1  2 2 2'/>"
            "<SumEngine name='sum' input='@two.position'/><DataExchange name='e' " +
                attributes + "/></Node>",
            "test.scn", {}, &report);
        if (!report.ok()) return report.messages.back().text;
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        const auto& messages = named(*root, "e").messages();
        return messages.empty() ? std::string() : messages.back().text;
    };
    CHECK_THAT(fails(""), Contains("from: it must be a link"));
    CHECK_THAT(fails("from='@two.position'"), Contains("to: it must be a link"));
    CHECK_THAT(fails("from='@sum.output' to='@sum.output'"), Contains("cannot be written"));
    CHECK_THAT(fails("from='@two.position' to='@two.showObjectScale'"), Contains("'to'"));
    CHECK_THAT(fails("from='@three.position' to='@two.position'"), Contains("has 2 points"));

    const auto root = load(
        "<Node><MechanicalObject name='a' translation='1 2 3'/><MechanicalObject name='b'/>"
        "<DataExchange name='e' from='@a.translation' to='@b.translation2'/></Node>");
    Simulation simulation(root);
    REQUIRE(simulation.init());
    CHECK(named(*root, "e").templateName() == "Vec3Value");
    CHECK(named(*root, "b").findData("translation2")->text() == "1 2 3");
}

TEST_CASE("Old names of engines, one by what it was given")
{
    const auto root = load(
        "<Node><RigidEngine name='a' positions='1 2 3' orientations='0 0 0 1'/>"
        "<RigidEngine name='b' rigids='1 2 3 0 0 0 1'/>"
        "<ProjectOnPlane name='c' origin='0 0 1' normal='0 0 1' input_position='1 2 3'/>"
        "<PrimitivesInSphereROI name='d' rest_position='0 0 0  5 0 0' centers='0 0 0' radii='1'/></Node>");
    Simulation simulation(root);
    REQUIRE(simulation.init());
    const auto value = [&](const char* name, const char* data) { return named(*root, name).findData(data)->text(); };
    CHECK(value("a", "rigids") == "1 2 3 0 0 0 1");
    CHECK(value("b", "positions") == "1 2 3");
    CHECK(value("c", "output_position") == "1 2 1");
    CHECK(value("d", "pointIndices") == "0");
}

}  // namespace exchange_test
