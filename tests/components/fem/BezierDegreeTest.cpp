// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <random>

#include "components/fem/BezierDegreeController.h"
#include "components/state/MechanicalObject.h"
#include "components/topology/BezierContainer.h"
#include "core/behavior/BaseMapping.h"
#include "core/behavior/Mass.h"
#include "core/log/Message.h"
#include "core/objectmodel/Event.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "core/topology/TopologyChange.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/MassCheck.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace bezier_degree_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

const char* const barPoints =
    "0 0 0  2.5 0 0  5 0 0  7.5 0 0  10 0 0  0 2 0  2.5 2 0  5 2 0  7.5 2 0  10 2 0  0 0 2  2.5 0 2  5 0 2  7.5 0 2  "
    "10 0 2  0 2 2  2.5 2 2  5 2 2  7.5 2 2  10 2 2";
const char* const barTetrahedra =
    "0 1 6 16  0 6 5 16  0 5 15 16  0 15 10 16  0 10 11 16  0 11 1 16  1 2 7 17  1 7 6 17  1 6 16 17  1 16 11 17  "
    "1 11 12 17  1 12 2 17  2 3 8 18  2 8 7 18  2 7 17 18  2 17 12 18  2 12 13 18  2 13 3 18  3 4 9 19  3 9 8 19  "
    "3 8 18 19  3 18 13 19  3 13 14 19  3 14 4 19";

/// A bar of 24 elements with a mass, elasticity and a point in an element.
struct Bar
{
    Node root{"root"};
    MessageCapture messages;
    BezierTetrahedronSetTopologyContainer* mesh = nullptr;
    MechanicalObject<Vec3Types>* state = nullptr;
    BezierTetrahedronFEMForceField* field = nullptr;
    Mass<Vec3Types>* mass = nullptr;
    MechanicalObject<Vec3Types>* point = nullptr;

    explicit Bar(const std::string& degrees, bool lumping = true, const char* rotation = "stable_polar")
    {
        mesh = &addComponent<BezierTetrahedronSetTopologyContainer>(
            root, "BezierTetrahedronSetTopologyContainer",
            {{"position", barPoints}, {"tetrahedra", barTetrahedra}, {"degrees", degrees}});
        state = &addComponent<MechanicalObject<Vec3Types>>(root, "MechanicalObject");
        field = &addComponent<BezierTetrahedronFEMForceField>(
            root, "BezierTetrahedronFEMForceField",
            {{"youngModulus", "3e5"}, {"poissonRatio", "0.3"}, {"rotationMethod", rotation}});
        mass = &addComponent<Mass<Vec3Types>>(
            root, "FEMMass",
            {{"template", "Vec3,BezierTetrahedron"}, {"massDensity", "100"}, {"lumping", lumping ? "1" : "0"}});
        auto& child = *root.createChild("inside");
        point = &addComponent<MechanicalObject<Vec3Types>>(child, "MechanicalObject", {{"position", "3.1 0.7 1.2"}});
        addComponent(child, "BarycentricMapping");
    }
    void apply()
    {
        point->node()->get<BaseMapping>(Search::Local)->apply(MechanicalParams(), vec_id::position, vec_id::position);
    }
};

/// As many of the edges as `part` says have degree 2.
std::string randomDegrees(unsigned seed, double part)
{
    std::mt19937 random(seed);
    std::string text;
    for (int e = 0; e < 61; ++e) text += std::uniform_real_distribution<>(0., 1.)(random) < part ? " 2" : " 1";
    return text;
}

/// Gives points velocities and moves them from where they are, the same for the same corner.
void shake(Bar& bar, double size)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<> any(-size, size);
    Vector<Vec3>& x = *bar.state->write(vec_id::position);
    Vector<Vec3>& v = *bar.state->write(vec_id::velocity);
    for (std::size_t i = 0; i < x.size(); ++i) {
        v[i] = {any(random), any(random), any(random)};
        x[i] += Vec3{any(random), any(random), any(random)};
    }
}

/// Of all control points of the mesh, those of `mixed`: the middles of edges of degree 1 too.
Vector<Vec3> allControlPoints(const Bar& mixed, const Bar& full, const Vector<Vec3>& x)
{
    Vector<Vec3> all(full.state->size()), memory;
    const Vector<Vec3>& given = mixed.mesh->middlePoints().extended(x, memory);
    for (std::size_t t = 0; t < full.mesh->bezierTetrahedra().size(); ++t)
        for (std::size_t k = 0; k < 10; ++k)
            if (const Index to = full.mesh->bezierTetrahedra()[t][k]; to < all.size())
                all[to] = given[mixed.mesh->bezierTetrahedra()[t][k]];
    return all;
}

double difference(const Vector<Vec3>& a, const Vector<Vec3>& b)
{
    double d = a.size() == b.size() ? 0. : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) d = std::max(d, norm(a[i] - b[i]));
    return d;
}

}  // namespace

TEST_CASE("Edges of degree 1 act as if their control points were held in the middle", "[fem]")
{
    for (const double part : {0., 0.2, 0.5, 0.9, 1.}) {
        for (const char* rotation : {"stable_polar", "identity"}) {
            Bar mixed(randomDegrees(3, part), true, rotation), full("2", true, rotation);
            REQUIRE(initialise(mixed.root));
            REQUIRE(initialise(full.root));
            REQUIRE(full.state->size() == 20 + 61);
            shake(mixed, 0.4);
            const Vector<Vec3> x = mixed.state->positions(), all = allControlPoints(mixed, full, x);
            *full.state->write(vec_id::position) = all;
            const MechanicalParams mp;
            Vector<Vec3> f(x.size()), other(all.size()), folded(x.size()), back(x.size() + 61);
            mixed.field->addForce(mp, f, x, x);
            full.field->addForce(mp, other, all, all);
            const auto fold = [&](const Vector<Vec3>& of) {
                Vector<Vec3> extended(x.size() + mixed.mesh->middlePoints().ends.size());
                for (std::size_t t = 0; t < full.mesh->bezierTetrahedra().size(); ++t)
                    for (std::size_t k = 0; k < 10; ++k)
                        extended[mixed.mesh->bezierTetrahedra()[t][k]] = of[full.mesh->bezierTetrahedra()[t][k]];
                Vector<Vec3> sum(x.size());
                mixed.mesh->middlePoints().addFolded(sum, extended);
                return sum;
            };
            CHECK(difference(f, fold(other)) < 1e-9);  // forces of 1e5
            CHECK(norm(f[3]) > 1e3);
            CHECK(mixed.field->potentialEnergy(mp, x) == Approx(full.field->potentialEnergy(mp, all)).epsilon(1e-12));
            Vector<double> one, two;
            mixed.field->elementEnergies(one);
            full.field->elementEnergies(two);
            REQUIRE(one.size() == two.size());
            for (std::size_t e = 0; e < one.size(); ++e) CHECK(one[e] == Approx(two[e]).epsilon(1e-10));
            // What pulls at the middles is the force on their control points.
            Vector<Vec3> middles;
            mixed.field->middleForces(x, middles);
            const Vector<double>& stiffness = mixed.field->mechanics().middleStiffness();
            const auto& ends = mixed.mesh->middlePoints();
            for (std::size_t t = 0; t < full.mesh->bezierTetrahedra().size(); ++t)
                for (std::size_t k = 4; k < 10; ++k) {
                    const Index m = mixed.mesh->bezierTetrahedra()[t][k], c = full.mesh->bezierTetrahedra()[t][k];
                    if (!ends.isMiddle(m)) continue;
                    CHECK(norm(middles[m - ends.first] - other[c]) < 1e-9);
                    Vector<Vec3> unit(all.size()), df(all.size());
                    double trace = 0.;
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        unit[c] = {};
                        unit[c][axis] = 1.;
                        df.assign(all.size(), {});
                        full.field->mechanics().addStiffnessProduct(df, unit, 1.);
                        trace -= df[c][axis];
                    }
                    CHECK(stiffness[m - ends.first] == Approx(trace / 3.).epsilon(1e-10));
                }
            if (rotation == std::string("identity")) checkForceField(*mixed.field, {.atGivenPose = false});
        }
    }
}

TEST_CASE("The mass of edges of degree 1 is on their ends", "[fem]")
{
    for (const bool lumping : {false, true}) {
        Bar mixed(randomDegrees(5, 0.5), lumping), linear("1", lumping);
        REQUIRE(initialise(mixed.root));
        REQUIRE(initialise(linear.root));
        // A rigid motion has the same energy for all degrees: P keeps linear fields, exactly so where M is not lumped.
        for (Bar* b : {&mixed, &linear}) {
            Vector<Vec3>& v = *b->state->write(vec_id::velocity);
            for (std::size_t i = 0; i < v.size(); ++i) v[i] = cross(Vec3{0.3, -0.2, 0.5}, b->state->positions()[i]);
        }
        if (!lumping) {
            CHECK(mixed.mass->kineticEnergy(MechanicalParams()) ==
                  Approx(linear.mass->kineticEnergy(MechanicalParams())).epsilon(1e-12));
        }
        checkMass(*mixed.mass, {.totalMass = 4000.});
        checkMass(*linear.mass, {.totalMass = 4000.});
    }
}

TEST_CASE("Degrees are raised and lowered without a trace", "[fem]")
{
    for (const bool lumping : {false, true}) {
        Bar bar("1", lumping);
        REQUIRE(initialise(bar.root));
        shake(bar, 0.2);
        bar.apply();
        const Vector<Vec3> x = bar.state->positions(), v = bar.state->read(vec_id::velocity);
        const Vec3 inside = bar.point->positions()[0];
        const Vec6 momentum = bar.mass->momentum(MechanicalParams());
        std::mt19937 random(1);
        for (int round = 0; round < 30; ++round) {
            Vector<Index> edges;
            for (Index e = 0; e < 61; ++e)
                if (random() % 3 == 0) edges.push_back(e);
            edges.push_back(edges.front());  // twice, which is once
            changeDegrees(*bar.mesh, edges);
            for (std::size_t i = 0; i < 20; ++i) REQUIRE(norm(bar.state->positions()[i] - x[i]) == 0.);
            bar.apply();
            CHECK(norm(bar.point->positions()[0] - inside) < 1e-13);
            // The velocities that come are means, so that nothing is lost where they go, unless a lumped mass counts
            // their angular momentum elsewhere.
            const Vec6 now = bar.mass->momentum(MechanicalParams());
            for (std::size_t k = 0; k < (lumping ? 3u : 6u); ++k)
                CHECK(std::abs(now[k] - momentum[k]) < 1e-12 * norm(momentum));
            // The same as a mesh that begins with these degrees.
            std::string degrees;
            for (const Index c : bar.mesh->edgeControlPoints()) degrees += c == InvalidIndex ? " 1" : " 2";
            Bar fresh(degrees, lumping);
            REQUIRE(initialise(fresh.root));
            REQUIRE(fresh.state->size() == bar.state->size());
            const Vector<Vec3> all = allControlPoints(bar, fresh, bar.state->positions());
            Vector<Vec3> f(all.size()), g(all.size()), same(all.size());
            fresh.field->addForce(MechanicalParams(), f, all, all);
            bar.field->addForce(MechanicalParams(), g, bar.state->positions(), bar.state->positions());
            for (std::size_t t = 0; t < fresh.mesh->bezierTetrahedra().size(); ++t)
                for (std::size_t k = 0; k < 10; ++k) {
                    const Index a = fresh.mesh->bezierTetrahedra()[t][k], b = bar.mesh->bezierTetrahedra()[t][k];
                    if (a >= f.size()) continue;
                    REQUIRE(norm(f[a] - g[b]) < 1e-9);
                    REQUIRE(fresh.mass->pointMass(a) == Approx(bar.mass->pointMass(b)).epsilon(1e-12));
                }
        }
        restoreElements(bar.root);
        CHECK(bar.state->size() == 20);
        CHECK(bar.mesh->middlePoints().ends.size() == 61);
    }
}

// --- The degree controller ------------------------------------------------------------------------------------------

namespace {

std::string barScene(const std::string& controller, bool held, const std::string& mass = "")
{
    return std::string("<Node name='root' dt='0.02' gravity='0 ") + (held ? "-9.81" : "0") +
           " 0'>"
           "<DefaultAnimationLoop/><EulerImplicitSolver rayleighStiffness='0' rayleighMass='0'/>"
           "<CGLinearSolver iterations='2000' tolerance='1e-14' threshold='1e-28'/>"
           "<BezierTetrahedronSetTopologyContainer name='mesh' degrees='1' position='" +
           barPoints + "' tetrahedra='" + barTetrahedra +
           "'/><MechanicalObject name='state'/>"
           "<FEMMass name='mass' template='Vec3,BezierTetrahedron' massDensity='100' " +
           mass +
           "/><BezierTetrahedronFEMForceField name='fem' youngModulus='3e5' poissonRatio='0.3'/>"
           "<BezierDegreeController name='degree' " +
           controller + "/>" + (held ? "<FixedProjectiveConstraint indices='0 5 10 15'/>" : "") +
           "<Node name='inside'><MechanicalObject position='3.1 0.7 1.2'/><BarycentricMapping/></Node></Node>";
}

struct Run
{
    explicit Run(const std::string& scene) : root(loadSceneText(scene, "bar.scn")), simulation(root)
    {
        REQUIRE(root);
        REQUIRE(simulation.init());
        state = dynamic_cast<MechanicalObject<Vec3Types>*>(root->get<BaseState>(Search::Local));
        mesh = root->get<BezierTetrahedronSetTopologyContainer>(Search::Local);
        controller = root->get<BezierDegreeController>(Search::Local);
    }
    void steps(int n)
    {
        for (int i = 0; i < n; ++i) simulation.step();
    }
    Vec6 momentum() const { return root->get<BaseMass>(Search::Local)->momentum(MechanicalParams()); }
    Index quadratic() const { return controller->d_nbQuadratic.value(); }

    MessageCapture messages;
    std::shared_ptr<Node> root;
    Simulation simulation;
    MechanicalObject<Vec3Types>* state = nullptr;
    BezierTetrahedronSetTopologyContainer* mesh = nullptr;
    BezierDegreeController* controller = nullptr;
};

}  // namespace

TEST_CASE("Control points keep their places when they are numbered by their edges", "[fem]")
{
    Bar bar("1"), full("2");
    REQUIRE(initialise(bar.root));
    REQUIRE(initialise(full.root));
    shake(bar, 0.1);
    const Vector<Edge>& edges = bar.mesh->edges();
    const auto descents = [&] {
        Index before = 0;
        int count = 0;
        for (const Index c : bar.mesh->edgeControlPoints()) {
            if (c == InvalidIndex) continue;
            count += c < before ? 1 : 0;
            before = c;
        }
        return count;
    };
    // By edge; of those of degree 1 the middle.
    const auto places = [&](auto id) {
        const Vector<Vec3>& x = bar.state->read(id);
        Vector<Vec3> all(x.begin(), x.begin() + 20);
        for (Index e = 0; e < edges.size(); ++e) {
            const Index c = bar.mesh->edgeControlPoints()[e];
            all.push_back(c == InvalidIndex ? (x[edges[e][0]] + x[edges[e][1]]) * 0.5 : x[c]);
        }
        return all;
    };
    std::mt19937 random(2);  // NOLINT: the same numbers each time
    int sorted = 0, worst = 0;
    for (int round = 0; round < 80; ++round) {
        // Raised one by one from the last on; some are lowered again.
        Vector<Index> change;
        for (Index e = 61; e-- > 0 && change.empty();)
            if (bar.mesh->edgeControlPoints()[e] == InvalidIndex) change.push_back(e);
        for (int k = 0; k < round % 3; ++k) change.push_back(static_cast<Index>(random() % 61));
        const int before = descents();
        const Vector<Vec3> x = places(vec_id::position), v = places(vec_id::velocity),
                           rest = places(vec_id::restPosition);
        const Vector<Index> control = bar.mesh->edgeControlPoints();
        changeDegrees(*bar.mesh, change);
        sorted += descents() < before - 9 ? 1 : 0;
        worst = std::max(worst, descents());
        const auto stays = [&](const Vector<Vec3>& was, const Vector<Vec3>& is) {
            for (std::size_t i = 0; i < was.size(); ++i)
                if (i < 20 || control[i - 20] == InvalidIndex || bar.mesh->edgeControlPoints()[i - 20] != InvalidIndex)
                    CHECK(norm(is[i] - was[i]) < 1e-15);
        };
        stays(x, places(vec_id::position));
        stays(v, places(vec_id::velocity));
        stays(rest, places(vec_id::restPosition));
        const Vector<Vec3>& now = bar.state->positions();
        CHECK(bar.field->potentialEnergy(MechanicalParams(), now) ==
              Approx(full.field->potentialEnergy(MechanicalParams(), allControlPoints(bar, full, now))).epsilon(1e-12));
    }
    CHECK(sorted > 1);
    CHECK(worst < 25);
}

TEST_CASE("Embedded points and their Jacobians are those of the new degrees at once", "[fem]")
{
    Run run(barScene("raiseAbove='0.004' lowerBelow='0.001' interval='1'", true));
    Node& inside = *run.root->children().at(0);
    const auto& mapping = *inside.get<BaseMapping>(Search::Local);
    const auto& point = dynamic_cast<const State<Vec3Types>&>(*inside.get<BaseState>(Search::Local));
    int changes = 0;
    for (int i = 0; i < 60; ++i) {
        const Vector<Index> before = run.mesh->edgeControlPoints();
        run.root->propagateEvent(AnimateBeginEvent(0.01));
        if (run.mesh->edgeControlPoints() != before) ++changes;
        const BaseJacobian& j = *mapping.jacobian(0, 0);
        const Vector<Vec3>& x = run.state->positions();
        Vec3 place;
        double sum = 0.;
        for (std::size_t k = 0; k < j.columns(0).size(); ++k) {
            REQUIRE(j.columns(0)[k] < x.size());
            place += x[j.columns(0)[k]] * j.blocks(0)[9 * k];
            sum += j.blocks(0)[9 * k];
        }
        CHECK(sum == Approx(1.).epsilon(1e-12));
        CHECK(norm(place - point.positions()[0]) < 1e-12);
        run.steps(1);
    }
    CHECK(changes > 5);
}

TEST_CASE("Edges get degree 2 where a body bends, and degree 1 where it rests", "[fem]")
{
    Run stiff(barScene("raiseAbove='1e9'", true)), adaptive(barScene("raiseAbove='0.004' lowerBelow='0.001'", true));
    Run full(barScene("raiseAbove='1e-30' lowerBelow='0'", true));
    CHECK(stiff.quadratic() == 0);
    double ofStiff = 0., ofAdaptive = 0., ofFull = 0.;  // how far down the end goes
    Index some = 0;
    for (int i = 0; i < 60; ++i) {
        stiff.steps(1);
        adaptive.steps(1);
        full.steps(1);
        ofFull = std::min(ofFull, full.state->positions()[4][1]);
        ofAdaptive = std::min(ofAdaptive, adaptive.state->positions()[4][1]);
        ofStiff = std::min(ofStiff, stiff.state->positions()[4][1]);
        if (adaptive.quadratic() > 0 && adaptive.quadratic() < 61) ++some;
    }
    CHECK(stiff.quadratic() == 0);
    CHECK(full.quadratic() == 61);
    CHECK(some > 10);
    CHECK(ofStiff > 0.7 * ofFull);
    CHECK(ofAdaptive < 0.9 * ofFull);
    // Points of the clamped side do not move, control points of its edges neither.
    for (const Index e : {0u, 5u, 10u, 15u}) CHECK(norm(full.state->velocities()[e]) == 0.);
    for (std::size_t e = 0; e < 61; ++e) {
        const Edge& ends = full.mesh->edges()[e];
        if (ends[0] % 5 == 0 && ends[1] % 5 == 0)
            CHECK(norm(full.state->velocities()[full.mesh->edgeControlPoints()[e]]) == 0.);
    }
}

TEST_CASE("With a share as many edges get degree 2 as the shape needs, however large the deformation is", "[fem]")
{
    const auto bent = [](double size, const std::string& share) {
        Run r(barScene("raiseAbove='1e-12' lowerBelow='5e-13' share='" + share + "'", false));
        Vector<Vec3>& x = *r.state->write(vec_id::position);
        for (Vec3& p : x) p[1] += size * p[0] * p[0] * p[0] * (1. + 0.1 * p[2] + 0.03 * p[1]);
        r.root->propagateEvent(AnimateBeginEvent(0.02));
        std::string degrees;
        for (const Index c : r.mesh->edgeControlPoints()) degrees += c == InvalidIndex ? '1' : '2';
        return degrees;
    };
    const auto count = [](const std::string& degrees) { return std::ranges::count(degrees, '2'); };
    const std::string small = bent(1e-8, "0.85"), large = bent(1e-6, "0.85"), more = bent(1e-8, "0.99");
    CHECK(small == large);
    CHECK(count(small) > 5);
    CHECK(count(small) < count(more));
    CHECK(count(more) < count(bent(1e-8, "1")));
    CHECK(count(bent(1e-8, "0")) == 1);  // the one that bends most
    // Edges along the bar bend most where its curvature is largest, at the far end.
    const Run r(barScene("", false));
    const auto degreeOf = [&](Index a, Index b) {
        for (std::size_t e = 0; e < r.mesh->edges().size(); ++e)
            if (r.mesh->edges()[e] == Edge{a, b} || r.mesh->edges()[e] == Edge{b, a}) return small[e];
        FAIL("no such edge");
        return '0';
    };
    CHECK(degreeOf(3, 4) == '2');
    CHECK(degreeOf(0, 1) == '1');
}

TEST_CASE("Changes of degree keep linear and angular momentum", "[fem]")
{
    for (const char* mass : {"lumping='0'", "lumping='1'"}) {
        Run r(barScene("raiseAbove='0.004' lowerBelow='0.003' interval='1'", false, mass));
        Vector<Vec3>& v = *r.state->write(vec_id::velocity);
        for (std::size_t i = 0; i < v.size(); ++i) {
            const double s = r.state->positions()[i][0] / 5. - 1.;
            v[i] = Vec3{0.1, 0.4 - 3. * s * s, 0.2} + cross(Vec3{0.4, 0.2, 0.1}, r.state->positions()[i]);
        }
        Index raised = 0, lowered = 0;
        Index before = 0;
        for (int i = 0; i < 60; ++i) {
            // The event alone, which changes degrees.
            const Vec6 momentum = r.momentum();
            AnimateBeginEvent begin(0.02);
            r.controller->handleEvent(begin);
            CHECK(norm(r.momentum() - momentum) < 1e-12 * norm(momentum));
            const Index now = r.quadratic();
            raised += now > before;
            lowered += now < before;
            before = now;
            r.steps(1);
            raised += r.quadratic() > before;
            lowered += r.quadratic() < before;
            before = r.quadratic();
        }
        CHECK(raised > 2);
        CHECK(lowered > 2);
    }
}

TEST_CASE("Meshes of changing degree reset and go on from checkpoints with the same bits", "[fem]")
{
    const TemporaryDirectory folder;
    const std::string scene = barScene("raiseAbove='0.004' lowerBelow='0.003' interval='3'", true);
    Run r(scene), again(scene);
    r.steps(40);
    const Vector<Vec3> x = r.state->positions();
    CHECK(r.quadratic() > 0);
    r.simulation.reset();
    CHECK(r.state->size() == 20);
    CHECK(r.quadratic() == 0);
    r.steps(20);
    saveCheckpoint(r.simulation, (folder / "c.bin").string());
    r.steps(20);
    CHECK(difference(r.state->positions(), x) == 0.);
    loadCheckpoint(again.simulation, (folder / "c.bin").string());
    again.steps(20);
    CHECK(difference(again.state->positions(), x) == 0.);
    CHECK(again.mesh->edgeControlPoints() == r.mesh->edgeControlPoints());
}

TEST_CASE("A degree controller that cannot work says so", "[fem]")
{
    for (const auto& [attributes, wrong] :
         {std::pair{"interval='0'", "interval is 0"}, {"raiseAbove='0.01' lowerBelow='0.01'", "lowerBelow"}}) {
        MessageCapture messages;
        auto root = loadSceneText(barScene(attributes, true), "bar.scn");
        REQUIRE(root);
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        CHECK(messages.has(Severity::Error, wrong));
    }
    for (const auto& [degrees, wrong] : {std::pair{"1 2 1", "3 numbers for 61 edges"}, {"3", "degree 1 or 2, not 3"}}) {
        Bar bar(degrees);
        CHECK_FALSE(initialise(bar.root));
        CHECK(bar.messages.has(Severity::Error, wrong));
    }
}

}  // namespace bezier_degree_test
