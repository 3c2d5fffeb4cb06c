// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "components/collision/CollisionPipeline.h"
#include "components/collision/SweepAndPrune.h"
#include "core/behavior/State.h"
#include "core/factory/Registry.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace broad_phase_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

/// A soup of models: spheres and points in clouds, some of a group, with self-collision, not simulated, or empty.
std::string soup(int models, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(0., 3.), offset(-0.3, 0.3);
    std::string text;
    for (int m = 0; m < models; ++m) {
        std::string positions;
        const Vec3 centre{place(random), place(random), place(random)};
        for (int k = 0; k < 12; ++k)
            for (std::size_t c = 0; c < 3; ++c) positions += std::to_string(centre[c] + offset(random)) + " ";
        std::string data = "name='m" + std::to_string(m) + "'";
        if (m % 5 == 0) data += " selfCollision='1'";
        if (m % 7 == 0) data += " group='3'";
        if (m % 4 == 0) data += " simulated='0'";
        text +=
            "<Node name='n" + std::to_string(m) + "'><MechanicalObject " +
            (m % 11 == 10 ? "" : "position='" + positions + "'") + "/>" +
            (m % 3 == 0 ? "<PointCollisionModel " + data + "/>" : "<SphereCollisionModel radius='0.1' " + data + "/>") +
            "</Node>";
    }
    return text;
}

struct Soup
{
    Soup(int models, unsigned seed)
        : root(loadSceneText("<Node name='root' gravity='0 0 0'><MinProximityIntersection name='method' "
                             "alarmDistance='0.1' contactDistance='0.05'/>" +
                                 soup(models, seed) + "</Node>",
                             "test.scn"))
    {
        REQUIRE(root);
        REQUIRE(Simulation(root).init());
        method = root->get<IntersectionMethod>(Search::Local);
        for (auto* m : root->getAll<CollisionModel>(Search::Down)) all.push_back(m);
    }
    void update()
    {
        for (CollisionModel* m : all) m->update();
    }
    void move(std::mt19937& random, double most)
    {
        std::uniform_real_distribution<double> step(-most, most);
        for (CollisionModel* m : all) {
            const Vec3 d{step(random), step(random), step(random)};
            for (Vec3& x : dynamic_cast<State<Vec3Types>&>(m->state()).write(vec_id::position)) x += d;
        }
        update();
    }
    std::shared_ptr<Node> root;
    IntersectionMethod* method = nullptr;
    std::vector<CollisionModel*> all;
};

/// What a broad phase has to give, by the definition.
std::vector<ModelPair> expected(const std::vector<CollisionModel*>& models, const IntersectionMethod& method)
{
    std::vector<ModelPair> pairs;
    for (std::size_t i = 0; i < models.size(); ++i)
        for (std::size_t k = 0; k <= i; ++k) {
            const std::size_t j = k == 0 ? i : k - 1;  // with itself first
            const CollisionModel &a = *models[i], &b = *models[j];
            if (i == j && !a.d_selfCollision.value()) continue;
            if (a.size() == 0 || b.size() == 0 || (!a.d_simulated.value() && !b.d_simulated.value())) continue;
            bool swapped = false;
            if (!a.canCollideWith(b) || !b.canCollideWith(a) || !method.find(a.shape(), b.shape(), swapped)) continue;
            if (!a.box().overlaps(b.box(), method.alarmDistance())) continue;
            pairs.push_back(swapped ? ModelPair{&b, &a} : ModelPair{&a, &b});
        }
    return pairs;
}

template <class T>
std::shared_ptr<T> make(const std::string& name)
{
    ComponentDescription d;
    d.type = name;
    auto made = std::dynamic_pointer_cast<T>(Registry::instance().create(nullptr, d));
    REQUIRE(made);
    return made;
}

bool equal(const std::vector<DetectionOutput>& a, const std::vector<DetectionOutput>& b)
{
    if (a.size() != b.size()) return false;
    for (std::size_t p = 0; p < a.size(); ++p) {
        if (!(a[p].models == b[p].models) || a[p].contacts.size() != b[p].contacts.size()) return false;
        for (std::size_t k = 0; k < a[p].contacts.size(); ++k) {
            const DetectedContact &x = a[p].contacts[k], &y = b[p].contacts[k];
            if (x.primitive1 != y.primitive1 || x.primitive2 != y.primitive2 || x.id != y.id || x.point1 != y.point1 ||
                x.point2 != y.point2 || x.normal != y.normal || x.value != y.value)
                return false;
        }
    }
    return true;
}

const std::vector<std::string> broadPhases = {"BruteForceBroadPhase", "IncrSAP", "DirectSAP"};

}  // namespace

TEST_CASE("all broad phases give the same pairs in the same order, while models move and come and go")
{
    for (const int models : {5, 40, 150}) {
        Soup s(models, static_cast<unsigned>(models));
        std::mt19937 random(5);
        std::vector<std::shared_ptr<BroadPhase>> phases;
        for (const std::string& name : broadPhases) phases.push_back(make<BroadPhase>(name));
        std::size_t found = 0;
        for (int step = 0; step < 25; ++step) {
            s.move(random, step % 10 == 9 ? 5. : 0.1);  // now and then everything goes elsewhere
            std::vector<CollisionModel*> active;
            for (std::size_t m = 0; m < s.all.size(); ++m)
                if (step % 8 < 4 || m % 6 != 1) active.push_back(s.all[m]);
            const std::vector<ModelPair> wanted = expected(active, *s.method);
            found += wanted.size();
            for (const auto& phase : phases) {
                std::vector<ModelPair> pairs;
                phase->findPairs(active, *s.method, pairs);
                CHECK(pairs == wanted);
            }
        }
        CHECK(found > static_cast<std::size_t>(models > 10 ? 10 * models : 0));
    }
}

TEST_CASE("the pairs do not depend on the order in which models were added")
{
    Soup s(90, 3);
    s.update();
    std::mt19937 random(9);
    std::vector<CollisionModel*> shuffled = s.all;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    const auto asSet = [](std::vector<ModelPair> pairs) {
        std::vector<std::pair<const CollisionModel*, const CollisionModel*>> set;
        for (const ModelPair& p : pairs) set.push_back(std::minmax(p.first, p.second));
        std::sort(set.begin(), set.end());
        return set;
    };
    for (const std::string& name : broadPhases) {
        std::vector<ModelPair> a, b;
        make<BroadPhase>(name)->findPairs(s.all, *s.method, a);
        make<BroadPhase>(name)->findPairs(shuffled, *s.method, b);
        CHECK_FALSE(a.empty());
        CHECK(asSet(a) == asSet(b));
        CHECK(b == expected(shuffled, *s.method));
    }
}

TEST_CASE("sorted end points: a small motion costs few swaps, a large one a new start")
{
    std::mt19937 random(2);
    std::uniform_real_distribution<double> place(0., 10.), step(-0.01, 0.01);
    Vector<geometry::Aabb> boxes;
    for (int k = 0; k < 400; ++k) {
        const Vec3 p{place(random), place(random), place(random)};
        boxes.push_back({p, p + Vec3{0.5, 0.4, 0.6}});
    }
    boxes[7] = {};  // an empty box meets nothing
    SweepAndPrune sweep;
    Vector<geometry::IndexPair> pairs;
    for (int turn = 0; turn < 12; ++turn) {
        if (turn == 6)
            for (auto& b : boxes) {
                const Vec3 size = b.extent(), p{place(random), place(random), place(random)};
                if (b.valid()) b = {p, p + size};
            }
        for (auto& b : boxes) {
            const Vec3 d{step(random), step(random), step(random)};
            if (b.valid()) b = {b.lower + d, b.upper + d};
        }
        sweep.update(boxes, 0.1);
        sweep.pairs(pairs);
        Vector<geometry::IndexPair> wanted;
        for (Index i = 0; i < boxes.size(); ++i)
            for (Index j = i + 1; j < boxes.size(); ++j)
                if (boxes[i].valid() && boxes[j].valid() && boxes[i].overlaps(boxes[j], 0.1)) wanted.push_back({i, j});
        CHECK(wanted.size() > 20);
        CHECK(pairs == wanted);
        CHECK(sweep.starts() == (turn < 6 ? 1u : 2u));
        CHECK(sweep.swaps() < boxes.size() * 4);
    }
}

TEST_CASE("sorted end points: boxes that just touch, and infinite ones")
{
    const double inf = geometry::Aabb::infinity;
    SweepAndPrune sweep;
    Vector<geometry::IndexPair> pairs;
    const auto count = [&](const Vector<geometry::Aabb>& boxes) {
        sweep.update(boxes, 0.);
        sweep.pairs(pairs);
        return pairs.size();
    };
    CHECK(count({{{0, 0, 0}, {1, 1, 1}}, {{2, 0, 0}, {3, 1, 1}}}) == 0);
    CHECK(count({{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}}) == 1);
    CHECK(count({{{0, 0, 0}, {1, 1, 1}}, {{std::nextafter(1., 2.), 0, 0}, {3, 1, 1}}}) == 0);
    CHECK(count({{{0, 0, 0}, {1, 1, 1}}, {{-inf, 0, 0}, {inf, 1, 1}}}) == 1);
    CHECK(sweep.starts() == 1);
}

TEST_CASE("sorted end points: a negative distance asks for boxes that overlap by as much, or for none")
{
    const Vector<geometry::Aabb> boxes{{Vec3{}, Vec3{1., 1., 1.}},
                                       {Vec3{0.3, 0.3, 0.3}, Vec3{1.3, 1.3, 1.3}},
                                       {Vec3{0.9, 0.9, 0.9}, Vec3{1.9, 1.9, 1.9}}};
    const auto found = [&](double distance) {
        SweepAndPrune sweep;
        Vector<geometry::IndexPair> pairs;
        for (int step = 0; step < 3; ++step) {
            sweep.update(boxes, distance);
            sweep.pairs(pairs);
        }
        return pairs;
    };
    CHECK(found(0.).size() == 3);
    CHECK(found(-0.2) == Vector<geometry::IndexPair>{{0, 1}, {1, 2}});
    CHECK(found(-0.5) == Vector<geometry::IndexPair>{{0, 1}});
    CHECK(found(-5.).empty());  // more than a box is long
}

TEST_CASE("narrow phases agree, and do not depend on the number of threads")
{
    Soup s(60, 21);
    s.update();
    std::vector<ModelPair> pairs;
    make<BroadPhase>("BruteForceBroadPhase")->findPairs(s.all, *s.method, pairs);
    std::vector<DetectionOutput> reference;
    std::size_t contacts = 0;
    for (const unsigned threads : {1u, 2u, 7u}) {
        setThreadCount(threads);
        for (const std::string name : {"BVHNarrowPhase", "ParallelBVHNarrowPhase", "DirectSAPNarrowPhase"}) {
            std::vector<DetectionOutput> outputs;
            make<NarrowPhase>(name)->findContacts(pairs, *s.method, outputs);
            if (reference.empty()) {
                reference = outputs;
                for (const auto& o : outputs) contacts += o.contacts.size();
            }
            CHECK(equal(outputs, reference));
        }
    }
    setThreadCount(0);
    CHECK(contacts > 300);  // more than one chunk
}

namespace {

std::string body(const std::string& name, double x, const std::string& data = "")
{
    return "<Node name='" + name + "'><MechanicalObject position='" + std::to_string(x) +
           " 0 0'/><SphereCollisionModel name='model' radius='1' " + data + "/></Node>";
}

std::string phasesOf(const std::string& name)
{
    return "<DiscreteIntersection name='m" + name + "'/><BruteForceBroadPhase name='b" + name +
           "'/><BVHNarrowPhase name='n" + name + "'/><CollisionResponse name='r" + name + "' response='default'/>";
}

std::string subPipeline(const std::string& name, const std::string& models)
{
    return "<SubCollisionPipeline name='" + name + "' collisionModels='" + models + "' intersectionMethod='@m" + name +
           "' contactManager='@r" + name + "' broadPhaseDetection='@b" + name + "' narrowPhaseDetection='@n" + name +
           "'/>";
}

}  // namespace

TEST_CASE("pipelines in one: each compares its own models")
{
    for (const bool parallel : {false, true}) {
        const auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0'>" + phasesOf("s") + phasesOf("t") + body("a", 0.) + body("b", 0.5) +
                body("c", 1.) + body("d", 1.5) + subPipeline("s", "@a/model @b/model") +
                subPipeline("t", "@c/model @d/model") + "<CompositeCollisionPipeline parallelDetection='" +
                std::string(parallel ? "1" : "0") + "' subCollisionPipelines='@s @t'/></Node>",
            "test.scn");
        REQUIRE(root);
        Simulation simulation(root);
        REQUIRE(simulation.init());
        simulation.step();
        const auto* pipeline = root->get<CollisionPipeline>(Search::Local);
        const auto found = pipeline->detected();
        REQUIRE(found.size() == 2);
        CHECK(found[0]->models.first->node()->name() == "b");
        CHECK(found[0]->models.second->node()->name() == "a");
        CHECK(found[1]->models.first->node()->name() == "d");
        CHECK(root->child("a")->get<CollisionModel>()->d_numberOfContacts.value() == 1);
        simulation.reset();
        CHECK(pipeline->detected().empty());
    }
}

TEST_CASE("a pipeline of one part does what a pipeline does, also at the end of a step")
{
    struct Outcome
    {
        Vector<Vec3> points;
        int corrections = 0, impacts = 0;
    };
    const auto run = [](const std::string& method, const std::string& pipeline) {
        const auto root = loadSceneText(
            "<Node name='root' dt='0.01' gravity='0 -9.81 0'><FreeMotionAnimationLoop name='loop'/>"
            "<BlockGaussSeidelConstraintSolver maxIterations='100' tolerance='1e-9'/><" +
                method +
                " name='method' alarmDistance='0.02' contactDistance='0.01'/><BruteForceBroadPhase name='broad'/>"
                "<BVHNarrowPhase name='narrow'/><CollisionResponse name='response' "
                "response='FrictionContactConstraint' responseParams='mu=0.3'/><Node name='sheet'><EulerImplicitSolver "
                "rayleighStiffness='0.01'/><SparseLDLSolver/><RegularGridTopology n='4 1 4' min='-0.3 0 -0.3' max='0.3 "
                "0 0.3'/><MechanicalObject name='points'/><UniformMass totalMass='0.2'/><MeshSpringForceField "
                "stiffness='300'/><FixedProjectiveConstraint indices='0 3 12 15'/><LinearSolverConstraintCorrection/>"
                "<TriangleCollisionModel name='model'/></Node><Node "
                "name='weight'><EulerImplicitSolver/><CGLinearSolver "
                "iterations='20' tolerance='1e-12' threshold='1e-20'/><MechanicalObject position='0.04 0.2 0.03' "
                "velocity='0 -9 0'/><UniformMass totalMass='0.1'/><UncoupledConstraintCorrection/>"
                "<SphereCollisionModel name='model' radius='0.03'/></Node>" +
                pipeline + "</Node>",
            "test.scn");
        REQUIRE(root);
        Simulation simulation(root);
        REQUIRE(simulation.init());
        Outcome out;
        const auto count = [&](const char* name) { return std::stoi(root->component("loop")->findData(name)->text()); };
        for (int step = 0; step < 20; ++step) {
            simulation.step();
            out.corrections += count("corrections");
            out.impacts += count("impacts");
        }
        out.points = root->child("sheet")->get<State<Vec3Types>>(Search::Local)->positions();
        out.points.push_back(root->child("weight")->get<State<Vec3Types>>(Search::Local)->positions()[0]);
        return out;
    };
    for (const std::string method : {"MinProximityIntersection", "CCDTightInclusionIntersection"}) {
        INFO(method);
        const Outcome one = run(method, "<CollisionPipeline/>"),
                      part = run(method,
                                 "<SubCollisionPipeline name='part' collisionModels='@sheet/model @weight/model' "
                                 "intersectionMethod='@method' contactManager='@response' broadPhaseDetection='@broad' "
                                 "narrowPhaseDetection='@narrow'/><CompositeCollisionPipeline "
                                 "subCollisionPipelines='@part'/>");
        CHECK(one.corrections + one.impacts > 0);
        CHECK(part.corrections == one.corrections);
        CHECK(part.impacts == one.impacts);
        CHECK(part.points == one.points);
    }
}

TEST_CASE("pipelines in one say what they lack")
{
    const auto messages = [](const std::string& text, bool works) {
        const auto root = loadSceneText("<Node name='root'>" + text + "</Node>", "test.scn");
        REQUIRE(root);
        CHECK(Simulation(root).init() == works);
        std::string all;
        for (const auto& c : root->components())
            for (const Message& m : c->messages()) all += m.text + "\n";
        return all;
    };
    CHECK_THAT(messages("<CompositeCollisionPipeline/>", true), Catch::Contains("subCollisionPipelines"));
    CHECK_THAT(messages("<SubCollisionPipeline/>", false),
               Catch::Contains("collisionModels") && Catch::Contains("intersectionMethod") &&
                   Catch::Contains("contactManager") && Catch::Contains("broadPhaseDetection"));
    CHECK_THAT(messages(phasesOf("s") + phasesOf("t") + body("a", 0.) + body("b", 9.) + body("c", 5.) +
                            subPipeline("s", "@a/model") +
                            "<SubCollisionPipeline name='t' collisionModels='@b/model' intersectionMethod='@mt' "
                            "contactManager='@rs' broadPhaseDetection='@bt'  narrowPhaseDetection='@nt'/>"
                            "<CompositeCollisionPipeline subCollisionPipelines='@s @t'/>",
                        false),
               Catch::Contains("same contact manager") && Catch::Contains("'/c/model'"));
}

TEST_CASE("a sweep brings its narrow phase along")
{
    for (const std::string phase : {"IncrSAP", "DirectSAP"}) {
        const auto root = loadSceneText("<Node name='root' gravity='0 0 0'><CollisionPipeline/><" + phase +
                                            "/><DiscreteIntersection/><CollisionResponse response='default'/>" +
                                            body("a", 0.) + body("b", 0.5) + body("c", 9.) + "</Node>",
                                        "test.scn");
        REQUIRE(root);
        Simulation simulation(root);
        REQUIRE(simulation.init());
        simulation.step();
        CHECK(root->get<CollisionPipeline>(Search::Local)->detected().size() == 1);
    }
}

}  // namespace broad_phase_test
