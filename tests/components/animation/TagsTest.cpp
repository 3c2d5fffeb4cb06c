// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>

#include "components/animation/MultiTagAnimationLoop.h"
#include "core/log/Message.h"
#include "core/visitor/ExecutionPlan.h"
#include "tests/harness/SceneText.h"

namespace tags_test {

using namespace sofa::core;
using namespace sofa::component;
using sofa::test::SceneText;

namespace {

const std::string mesh =
    "<Node name='mesh'><RegularGridTopology name='grid' n='5 3 3' min='0 0 0' max='1 0.2 0.2'/>"
    "<TetrahedronSetTopologyContainer name='tetrahedra'/><TetrahedronSetTopologyModifier/>"
    "<Hexa2TetraTopologicalMapping input='@grid' output='@tetrahedra'/></Node>"
    "<MechanicalObject name='points' position='@/mesh/grid.position' tags='geometry'/>";

/// The parts of the two fields; `%` stands for the tags.
const std::string heatParts[] = {
    "<EulerImplicitSolver name='heatSteps' firstOrder='1' %/>",
    "<EigenSimplicialLDLT name='heatSystem' %/>",
    "<MechanicalObject name='temperature' template='Vec1' size='45' %/>",
    "<MeshMatrixMass name='capacity' template='Vec1,Vec3' massDensity='1' topology='@/mesh/tetrahedra' "
    "geometryState='@/points' %/>",
    "<TetrahedronDiffusionFEMForceField name='conduction' template='Vec1' constantDiffusionCoefficient='0.1' "
    "topology='@/mesh/tetrahedra' tagMechanics='geometry' %/>",
    "<LinearMovementProjectiveConstraint name='hot' template='Vec1' indices='0 5 10 15 20 25 30 35 40' keyTimes='0 0.1 "
    "1000' movements='0 1 1' %/>"};
const std::string bodyParts[] = {
    "<EulerImplicitSolver name='motion' rayleighMass='0.1' %/>",
    "<CGLinearSolver name='motionSystem' iterations='200' tolerance='1e-10' threshold='1e-30' %/>",
    "<MechanicalObject name='shape' position='@/mesh/grid.position' %/>",
    "<UniformMass name='weight' totalMass='20' %/>",
    "<TetrahedronFEMForceField name='elastic' topology='@/mesh/tetrahedra' youngModulus='1e5' poissonRatio='0.3' %/>",
    "<FixedProjectiveConstraint name='held' template='Vec3' indices='0 5 10 15 20 25 30 35 40' %/>"};

std::string tagged(std::string part, const std::string& tags)
{
    return part.replace(part.find('%'), 1, tags.empty() ? "" : "tags='" + tags + "'");
}

/// Heat and body in one node, part by part in turn.
std::string both(const std::string& heat = "heat", const std::string& body = "body")
{
    std::string out;
    for (std::size_t i = 0; i < 6; ++i) out += tagged(heatParts[i], heat) + tagged(bodyParts[i], body);
    return "<Node name='both'>" + out + "</Node>";
}

std::string alone(const std::string (&parts)[6], const std::string& tags = "")
{
    std::string out;
    for (const std::string& p : parts) out += tagged(p, tags);
    return "<Node name='alone'>" + out + "</Node>";
}

SceneText scene(const std::string& loop, const std::string& bodies) { return SceneText(loop + mesh + bodies); }

template <class D>
const typename D::VecCoord& positions(SceneText& s, const std::string& node)
{
    return s.state<D>(node).read(vec_id::position);
}

std::vector<std::string> names(const std::vector<BaseForceField*>& list)
{
    std::vector<std::string> out;
    for (const auto* f : list) out.push_back(f->name());
    return out;
}

}  // namespace

TEST_CASE("Heat and mechanics in one node, by integrators of their own, are those of two scenes", "[tags]")
{
    SceneText heat = scene("<DefaultAnimationLoop/>", alone(heatParts)),
              body = scene("<DefaultAnimationLoop/>", alone(bodyParts));
    for (const std::string loop : {"<DefaultAnimationLoop/>", "<MultiTagAnimationLoop tags='heat body'/>",
                                   "<MultiTagAnimationLoop tags='heat body' order='body heat'/>"}) {
        INFO(loop);
        SceneText one = scene(loop, both());
        REQUIRE(one.good);
        for (int i = 0; i < 15; ++i) {
            one.step();
            if (loop == "<DefaultAnimationLoop/>") {
                heat.step();
                body.step();
            }
        }
        CHECK(positions<Vec1Types>(one, "both")[1][0] > 0.1);
        CHECK(positions<Vec3Types>(one, "both")[4][1] < -0.001);
        CHECK(positions<Vec1Types>(one, "both") == positions<Vec1Types>(heat, "alone"));
        CHECK(positions<Vec3Types>(one, "both") == positions<Vec3Types>(body, "alone"));
        CHECK(one.root->time() == heat.root->time());
    }
}

TEST_CASE("Integrators with different methods share a node", "[tags]")
{
    const std::string points3 = "position='0 0 0 1 0 0' velocity='0 1 0 0 0 2'";
    const auto part = [&](const std::string& solver, const std::string& tags) {
        const std::string t = tags.empty() ? "" : " tags='" + tags + "'";
        return "<" + solver + t + "/><MechanicalObject name='" + solver + "' " + points3 + t +
               "/><UniformMass totalMass='2'" + t + "/><MeshSpringForceField stiffness='30'" + t + "/>";
    };
    const std::string edges = "<MeshTopology edges='0 1'/>";
    const std::string methods[] = {"RungeKutta4Solver", "EulerExplicitSolver", "CentralDifferenceSolver"};
    std::string all;
    for (const std::string& m : methods) all += part(m, m);
    SceneText one("<Node name='n'>" + edges + all + "</Node>");
    REQUIRE(one.good);
    one.step(20);
    const auto states = one.child("n").getAll<State<Vec3Types>>();
    REQUIRE(states.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        SceneText single("<Node name='n'>" + edges + part(methods[i], "") + "</Node>");
        single.step(20);
        CHECK(states[i]->read(vec_id::position) == single.state<Vec3Types>("n").read(vec_id::position));
        CHECK(states[i]->read(vec_id::position)[1][2] > 0.1);
    }
    CHECK(states[0]->read(vec_id::position) != states[1]->read(vec_id::position));
}

TEST_CASE("An integrator without tags, or alone with those of its state, does what it did", "[tags]")
{
    SceneText plain = scene("<DefaultAnimationLoop/>", alone(bodyParts)),
              tagged = scene("<DefaultAnimationLoop/>", alone(bodyParts, "body"));
    Node& n = plain.child("alone");
    CHECK(&ExecutionPlan::of(n) == &ExecutionPlan::of(n.get<OdeSolver>(Search::Local)->scope()));
    Node& m = tagged.child("alone");
    CHECK(&ExecutionPlan::of(m) != &ExecutionPlan::of(m.get<OdeSolver>(Search::Local)->scope()));
    plain.step(10);
    tagged.step(10);
    CHECK(positions<Vec3Types>(plain, "alone")[4][1] < -0.001);
    CHECK(positions<Vec3Types>(plain, "alone") == positions<Vec3Types>(tagged, "alone"));
}

TEST_CASE("What has no tags belongs to whom its states belong to, what has others to nobody else", "[tags]")
{
    SceneText s(
        "<Node name='n'><EulerExplicitSolver tags='a'/><EulerExplicitSolver tags='b'/>"
        "<MechanicalObject name='a' position='0 0 0' tags='a'/><UniformMass name='ma' mstate='@a' totalMass='1'/>"
        "<MechanicalObject name='b' position='1 0 0' tags='b c'/>"
        "<UniformMass name='mb' mstate='@b' totalMass='1' tags='b'/>"
        "<ConstantForceField name='plain' mstate='@a' forces='1 0 0'/>"
        "<ConstantForceField name='others' mstate='@a' forces='1 0 0' tags='c'/>"
        "<ConstantForceField name='both' mstate='@b' forces='1 0 0' tags='c b'/>"
        "<SpringForceField name='between' object1='@a' object2='@b' spring='0 0 10 0 1'/>"
        "<Node name='below'><MechanicalObject name='mapped' position='0 0 0'/>"
        "<IdentityMapping name='follows' input='@../a' output='@mapped'/>"
        "<ConstantForceField name='below' forces='0 1 0'/></Node></Node>",
        "0.01", "0 0 0");
    REQUIRE(s.good);
    Node& n = s.child("n");
    const ExecutionPlan &all = ExecutionPlan::of(n), &a = ExecutionPlan::of({n, {"a"}}),
                        &b = ExecutionPlan::of({n, {"b"}});
    CHECK(all.independentStates().size() == 2);
    CHECK(names(a.forceFields()) == std::vector<std::string>{"ma", "plain", "below"});
    CHECK(names(b.forceFields()) == std::vector<std::string>{"mb", "both"});
    REQUIRE(a.mappedStates().size() == 1);
    CHECK(a.mappedStates()[0]->name() == "mapped");
    CHECK(a.mappings().size() == 1);
    CHECK(b.mappings().empty());
    CHECK(b.masses().size() == 1);
    CHECK(b.independentStates().front()->name() == "b");
    // A tag that changes is a change of the plan.
    n.getAll<BaseForceField>()[3]->d_tags.setValue({"a"});
    CHECK(names(ExecutionPlan::of({n, {"a"}}).forceFields()) ==
          std::vector<std::string>{"ma", "plain", "others", "below"});
    CHECK(&ExecutionPlan::of({n, {"none"}}) == &ExecutionPlan::of(n));
}

TEST_CASE("A force between two groups of a node is constant in the step", "[tags]")
{
    // Symplectic Euler: v += h F, x += h v, with F = −k (xa − xb − rest) of the beginning of the step.
    SceneText s(
        "<Node name='n'><EulerExplicitSolver tags='a'/><EulerExplicitSolver tags='b'/>"
        "<MechanicalObject name='a' position='0 0 0' tags='a'/><UniformMass mstate='@a' totalMass='1'/>"
        "<MechanicalObject name='b' position='1.5 0 0' tags='b'/><UniformMass mstate='@b' totalMass='2'/>"
        "<SpringForceField object1='@a' object2='@b' spring='0 0 10 0 1'/></Node>",
        "0.01", "0 0 0");
    REQUIRE(s.good);
    double xa = 0., xb = 1.5, va = 0., vb = 0.;
    const auto states = s.child("n").getAll<State<Vec3Types>>();
    for (int i = 0; i < 30; ++i) {
        s.step();
        const double f = 10. * (xb - xa - 1.);
        va += 0.01 * f;
        vb -= 0.01 * f / 2.;
        xa += 0.01 * va;
        xb += 0.01 * vb;
        REQUIRE(states[0]->read(vec_id::position)[0][0] == Approx(xa).epsilon(1e-13));
        REQUIRE(states[1]->read(vec_id::position)[0][0] == Approx(xb).epsilon(1e-13));
    }
    CHECK(xa > 0.1);
}

TEST_CASE("A force between a group and a state that no group moves belongs to the group", "[tags]")
{
    SceneText s(
        "<Node name='wall'><MechanicalObject name='w' position='2 0 0'/></Node>"
        "<Node name='n'><EulerExplicitSolver tags='a'/><EulerExplicitSolver tags='b'/>"
        "<MechanicalObject name='a' position='0 0 0' tags='a'/><UniformMass mstate='@a' totalMass='1'/>"
        "<MechanicalObject name='b' position='0 1 0' tags='b'/><UniformMass mstate='@b' totalMass='1'/>"
        "<SpringForceField name='tie' object1='@a' object2='@/wall/w' spring='0 0 10 0 1'/></Node>",
        "0.01", "0 0 0");
    REQUIRE(s.good);
    Node& n = s.child("n");
    const auto has = [&](const char* tag) {
        return std::ranges::count(names(ExecutionPlan::of({n, {tag}}).forceFields()), "tie");
    };
    CHECK(has("a") == 1);
    CHECK(has("b") == 0);
    s.step();
    const auto states = n.getAll<State<Vec3Types>>();
    CHECK(states[0]->read(vec_id::position)[0][0] == Approx(0.01 * 0.01 * 10.));
    CHECK(states[1]->read(vec_id::position)[0][0] == 0.);
}

TEST_CASE("A later group sees where earlier ones have led in the same step", "[tags]")
{
    // `a` moves with its velocity; the force on b is that towards a.
    const auto after = [](const std::string& order) {
        SceneText s("<MultiTagAnimationLoop tags='a b' " + order +
                        "/><Node name='n'><EulerExplicitSolver tags='a'/><EulerExplicitSolver tags='b'/>"
                        "<MechanicalObject name='a' position='0 0 0' velocity='1 0 0' tags='a'/>"
                        "<UniformMass mstate='@a' totalMass='1'/>"
                        "<MechanicalObject name='b' position='0 0 0' tags='b'/><UniformMass mstate='@b' totalMass='1'/>"
                        "<RestShapeSpringsForceField mstate='@b' external_rest_shape='@a' stiffness='100' points='0'/>"
                        "</Node>",
                    "0.125", "0 0 0");
        REQUIRE(s.good);
        s.step();
        return s.child("n").getAll<State<Vec3Types>>()[1]->read(vec_id::position)[0][0];
    };
    CHECK(after("order='a b'") == 0.125 * 0.125 * 100. * 0.125);
    CHECK(after("order='b a'") == 0.);
    CHECK(after("") == after("order='a b'"));
}

TEST_CASE("Every group of a step gets the external forces that others have set", "[tags]")
{
    SceneText s(
        "<MultiTagAnimationLoop tags='a b'/><Node name='n'><EulerExplicitSolver tags='a'/>"
        "<EulerExplicitSolver tags='b'/><MechanicalObject name='a' position='0 0 0' externalForce='1 0 0' tags='a'/>"
        "<UniformMass mstate='@a' totalMass='1'/><MechanicalObject name='b' position='0 0 0' externalForce='2 0 0' "
        "tags='b'/><UniformMass mstate='@b' totalMass='1'/></Node>",
        "0.125", "0 0 0");
    s.step();
    const auto states = s.child("n").getAll<State<Vec3Types>>();
    CHECK(states[0]->read(vec_id::velocity)[0][0] == 0.125);
    CHECK(states[1]->read(vec_id::velocity)[0][0] == 0.25);
    s.step();
    CHECK(states[1]->read(vec_id::velocity)[0][0] == 0.25);
}

TEST_CASE("Corrections of constraints belong to the solvers with their tags", "[tags]")
{
    const auto part = [](const std::string& name, const std::string& stiffness, const std::string& correction) {
        std::string text =
            "<EulerImplicitSolver %/><SparseLDLSolver %/><MechanicalObject name='" + name +
            "' position='0 0 0 1 0 0' %/><UniformMass totalMass='2' %/><MeshSpringForceField stiffness='" + stiffness +
            "' %/><" + correction + " %/><FixedLagrangianConstraint indices='0' %/>";
        return text;
    };
    const auto with = [](std::string text, const std::string& tags) {
        for (std::size_t at = 0; (at = text.find('%')) != std::string::npos;)
            text.replace(at, 1, tags.empty() ? "" : "tags='" + tags + "'");
        return text;
    };
    const std::string loop = "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver tolerance='1e-13'/>";
    const std::string edges = "<MeshTopology edges='0 1'/>";
    for (const std::string correction : {"LinearSolverConstraintCorrection", "GenericConstraintCorrection"}) {
        INFO(correction);
        const std::string soft = part("soft", "30", correction), stiff = part("stiff", "500", correction);
        SceneText one(loop + "<Node name='n'>" + edges + with(soft, "soft") + with(stiff, "stiff") + "</Node>");
        REQUIRE(one.good);
        SceneText a(loop + "<Node name='n'>" + edges + with(soft, "") + "</Node>"),
            b(loop + "<Node name='n'>" + edges + with(stiff, "") + "</Node>");
        for (SceneText* s : {&one, &a, &b}) s->step(20);
        const auto states = one.child("n").getAll<State<Vec3Types>>();
        REQUIRE(states.size() == 2);
        for (std::size_t k = 0; k < 2; ++k) {
            const auto &x = states[k]->read(vec_id::position), &y = positions<Vec3Types>(k == 0 ? a : b, "n");
            for (std::size_t i = 0; i < 2; ++i) CHECK(norm(x[i] - y[i]) < 1e-12);
            CHECK(norm(x[0]) < 1e-12);
            CHECK(x[1][1] < -0.1);
        }
        CHECK(norm(states[0]->read(vec_id::position)[1] - states[1]->read(vec_id::position)[1]) > 1e-4);
    }
}

TEST_CASE("Tags that mean nothing are told", "[tags]")
{
    const std::string ball = "<MechanicalObject position='0 0 0' tags='a'/><UniformMass totalMass='1'/>";
    CHECK(SceneText("<Node name='n'><EulerExplicitSolver tags='a'/>" + ball + "</Node>").good);
    {
        // Alone it does what SOFA's does.
        SceneText s("<Node name='n'><EulerExplicitSolver tags='b'/>" + ball + "</Node>");
        REQUIRE(s.good);
        s.step();
        CHECK(s.state<Vec3Types>("n").read(vec_id::position)[0][1] < 0.);
    }
    CHECK_FALSE(
        SceneText("<Node name='n'><EulerExplicitSolver tags='a'/><EulerExplicitSolver tags='b'/>" + ball + "</Node>")
            .good);
    const std::string body = "<Node name='n'><EulerExplicitSolver tags='a'/>" + ball + "</Node>";
    CHECK_FALSE(SceneText("<MultiTagAnimationLoop/>" + body).good);
    CHECK_FALSE(SceneText("<MultiTagAnimationLoop tags='a b'/>" + body).good);
    CHECK_FALSE(SceneText("<MultiTagAnimationLoop tags='a' order='b'/>" + body).good);
    CHECK_FALSE(SceneText("<MultiTagAnimationLoop tags='a' order='a a'/>" + body).good);
    CHECK(SceneText("<MultiTagAnimationLoop tags='a' order='a'/>" + body).good);
    SceneText still("<MultiTagAnimationLoop tags='a'/>" + body + "<Node name='m'><EulerExplicitSolver/>" + ball +
                    "</Node>");
    REQUIRE(still.good);
    still.step();
    CHECK(still.state<Vec3Types>("n").read(vec_id::position)[0][1] < 0.);
    CHECK(still.state<Vec3Types>("m").read(vec_id::position)[0][1] == 0.);
}

}  // namespace tags_test
