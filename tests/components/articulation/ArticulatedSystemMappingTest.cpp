// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include "core/behavior/BaseMapping.h"
#include "core/behavior/Mass.h"
#include "core/behavior/Solvers.h"
#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/SceneText.h"

namespace articulated_system_mapping_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Scene : SceneText
{
    using SceneText::SceneText;
    Node& bodies() { return *root->child("system")->child("bodies"); }
    BaseMapping& mapping() { return *bodies().get<BaseMapping>(Search::Local); }
    const Vector<RigidCoord3>& x() { return bodies().get<State<Rigid3Types>>(Search::Local)->positions(); }
    const Vector<Vec<1>>& numbers() { return root->child("system")->get<State<Vec1Types>>(Search::Local)->positions(); }
    const Vector<Vec<1>>& rates() { return root->child("system")->get<State<Vec1Types>>(Search::Local)->velocities(); }
};

std::string center(const std::string& attributes, const std::string& articulations)
{
    static int number = 0;
    return "<Node name='joint" + std::to_string(number++) + "'><ArticulationCenter " + attributes +
           "/><Node name='articulations'>" + articulations + "</Node></Node>";
}

/// A base that may move, a ball joint, a slide, a screw, and a branch.
std::string tree(const std::string& attributes, bool isFree)
{
    return std::string(isFree
                           ? "<Node name='base'><MechanicalObject name='state' template='Rigid3' position='9 9 9 0 0 "
                             "0 1  0.1 0.2 0.3 0 0.6 0 0.8'/></Node>"
                           : "") +
           "<Node name='system'><MechanicalObject name='numbers' template='Vec1' position='0.3 -0.4 0.7 0.2 0.5 -0.6'/>"
           "<Node name='bodies'><MechanicalObject template='Rigid3' name='state' position='0 0 0 0 0 0 1  0 0 0 0 0 0 "
           "1 "
           " 0 0 0 0 0 0 1  0 0 0 0 0 0 1  0 0 0 0 0 0 1'/><ArticulatedSystemMapping input1='@../numbers' " +
           (isFree ? std::string("input2='@../../base/state' ") : std::string()) + attributes +
           "/></Node><ArticulatedHierarchyContainer/>" +
           // The children come before their parents.
           center("parentIndex='2' childIndex='3' posOnParent='0 1 0' posOnChild='0 -0.5 0'",
                  "<Articulation axis='1 1 0' rotation='true' translation='true' articulationIndex='4'/>") +
           center("parentIndex='0' childIndex='1' posOnParent='0.5 0 0' posOnChild='-1 0 0.2'",
                  "<Articulation axis='1 0 0' rotation='true' articulationIndex='0'/><Articulation axis='0 2 0' "
                  "rotation='true' articulationIndex='1'/><Articulation axis='0 0 1' rotation='true' "
                  "articulationIndex='2'/>") +
           center("parentIndex='1' childIndex='2' posOnParent='1 0 0' posOnChild='-1 0 0'",
                  "<Articulation axis='0 1 1' translation='true' articulationIndex='3'/>") +
           center("parentIndex='1' childIndex='4' posOnParent='1 0 0' posOnChild='0 0 1' articulationProcess='2'",
                  "<Articulation axis='0 0 1' translation='true' articulationIndex='4'/><Articulation axis='0 1 0' "
                  "rotation='true' articulationIndex='5'/>") +
           "</Node>";
}

/// A chain of rods in a plane that hangs from its first joint.
struct Chain
{
    int links;
    double length = 0.5, mass = 1.5, inertia = 0.2;

    std::string scene(const std::string& solver, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                      const std::string& attributes = "") const
    {
        std::ostringstream s;
        s.precision(17);
        s << solver << "<Node name='system'><MechanicalObject name='numbers' template='Vec1' position='"
          << q.transpose() << "' velocity='" << v.transpose()
          << "'/><Node name='bodies'><MechanicalObject name='state' template='Rigid3'"
          << " position='";
        for (int i = 0; i <= links; ++i) s << "0 0 0 0 0 0 1 ";
        // Inertia for each unit of mass.
        s << "'/><UniformMass vertexMass='" << mass << " 1 [0.01 0 0,0 " << inertia / mass << " 0,0 0 "
          << inertia / mass << "]'/><ArticulatedSystemMapping input1='@../numbers' " << attributes
          << "/></Node><ArticulatedHierarchyContainer/>";
        for (int i = 0; i < links; ++i)
            s << center("parentIndex='" + std::to_string(i) + "' childIndex='" + std::to_string(i + 1) +
                            "' posOnParent='" + std::to_string(i == 0 ? 0. : length / 2) + " 0 0' posOnChild='" +
                            std::to_string(-length / 2) + " 0 0'",
                        "<Articulation axis='0 0 1' rotation='true' articulationIndex='" + std::to_string(i) + "'/>");
        s << "</Node>";
        return s.str();
    }

    /// Lagrange's equations in the angles of rods with the x axis, solved for accelerations of the joints.
    Eigen::VectorXd accelerations(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const
    {
        Eigen::VectorXd angle(links), spin(links);
        double a = 0., w = 0.;
        for (int i = 0; i < links; ++i) {
            angle[i] = a += q[i];
            spin[i] = w += v[i];
        }
        // Of the rods after and at a: how far they are moved by its turning.
        const auto part = [](int rod, int k) { return k < rod ? 1. : k == rod ? 0.5 : 0.; };
        Eigen::MatrixXd m = Eigen::MatrixXd::Identity(links, links) * inertia;
        Eigen::VectorXd f = Eigen::VectorXd::Zero(links);
        for (int j = 0; j < links; ++j)
            for (int k = 0; k < links; ++k) {
                double sum = 0.;
                for (int rod = std::max(j, k); rod < links; ++rod)
                    sum += mass * length * length * part(rod, j) * part(rod, k);
                m(j, k) += sum * std::cos(angle[j] - angle[k]);
                f[j] -= sum * std::sin(angle[j] - angle[k]) * spin[k] * spin[k];
            }
        for (int j = 0; j < links; ++j)
            for (int rod = j; rod < links; ++rod) f[j] -= mass * 9.81 * length * part(rod, j) * std::cos(angle[j]);
        Eigen::VectorXd turns = m.ldlt().solve(f);
        for (int i = links - 1; i > 0; --i) turns[i] -= turns[i - 1];
        return turns;
    }
};

Eigen::VectorXd waves(int n, double size, double shift)
{
    Eigen::VectorXd v(n);
    for (int i = 0; i < n; ++i) v[i] = size * std::sin(shift + 1.3 * i);
    return v;
}

}  // namespace

HARNESS_MAPPING("ArticulatedSystemMapping")
{
    for (const bool isFree : {false, true})
        for (const std::string stiffness : {"Exact", "None"}) {
            Scene s(tree("geometricStiffness='" + stiffness + "'", isFree));
            REQUIRE(s.good);
            checkMapping(s.mapping(), {.exactGeometricStiffness = stiffness == "Exact"});
        }
}

TEST_CASE("The stiffness of an articulated system counts what inertial forces change by", "[mapping]")
{
    // A mass that turns and one that does not, on a tree with every kind of joint, one of which is a ball.
    for (const std::string inertia : {"[0.3 0.02 0,0.02 0.2 0,0 0 0.5]", "[0.3 0 0,0 0.3 0,0 0 0.3]"})
        for (const bool isFree : {false, true}) {
            INFO(inertia << (isFree ? ", free" : ""));
            std::string text = tree("geometricStiffness='Exact'", isFree);
            const std::string at = "<ArticulatedSystemMapping";
            text.insert(text.find(at), "<UniformMass vertexMass='1.5 1 " + inertia + "'/>");
            const std::string ball = "posOnChild='-1 0 0.2'";
            text.insert(text.find(ball) + ball.size(), " articulationProcess='1'");
            Scene s(text);
            REQUIRE(s.good);
            BaseMapping& mapping = s.mapping();
            BaseState& bodies = *mapping.outputs()[0];
            const StateSet in(mapping.inputs()), out({&bodies});
            Eigen::VectorXd v(in.size());
            for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = 1.5 * std::sin(1. + 2.3 * static_cast<double>(i));
            in.set(vec_id::velocity, v);
            in.rebase();
            const MechanicalParams mp;
            // Jᵀ f, f the weights and inertial forces.
            const auto forces = [&](const Eigen::VectorXd& d) {
                in.displace(d);
                mapping.apply(mp, vec_id::position, vec_id::position);
                bodies.clear(vec_id::force);
                dynamic_cast<BaseForceField&>(*s.bodies().get<BaseMass>(Search::Local)).addForce(mp, vec_id::force);
                mapping.addInertialForces(mp, vec_id::force);
                in.set(vec_id::force, Eigen::VectorXd::Zero(in.size()));
                mapping.applyJT(mp, vec_id::force, vec_id::force);
                return in.get(vec_id::force);
            };
            Eigen::MatrixXd expected(in.size(), in.size());
            const double h = 1e-5;
            for (Eigen::Index i = 0; i < in.size(); ++i) {
                const Eigen::VectorXd d = Eigen::VectorXd::Unit(in.size(), i) * h;
                expected.col(i) = (forces(d) - forces(-d)) / (2. * h);
            }
            forces(Eigen::VectorXd::Zero(in.size()));
            DenseAccumulator k(in);
            mapping.buildGeometricStiffness(mp, k);
            // Of forces in another vector only fᵀ ∂J.
            out.set(vec_id::dforce, out.get(vec_id::force));
            MechanicalParams other;
            other.f = vec_id::dforce;
            DenseAccumulator columns(in);
            mapping.buildGeometricStiffness(other, columns);
            const Eigen::MatrixXd ofForces = expected - columns.matrix(),
                                  symmetric = 0.5 * (ofForces + ofForces.transpose());
            CHECK((k.matrix() - columns.matrix() - symmetric).lpNorm<Eigen::Infinity>() <
                  1e-7 * expected.lpNorm<Eigen::Infinity>());
            CHECK(symmetric.norm() > 0.1 * expected.norm());
            CHECK((ofForces - symmetric).norm() < symmetric.norm());
        }
}

TEST_CASE("Joints put bodies where their places meet", "[mapping]")
{
    // An arm of two rods, the second of which is a slide.
    Scene s(
        "<Node name='system'><MechanicalObject name='numbers' template='Vec1' position='1.5707963267948966 0.25'/>"
        "<Node name='bodies'><MechanicalObject template='Rigid3' position='1 1 0 0 0 0 1  0 0 0 0 0 0 1  0 0 0 0 0 "
        "0 1'/><ArticulatedSystemMapping input1='@../numbers' input2=''/></Node><ArticulatedHierarchyContainer/>" +
        center("childIndex='1' posOnParent='0 1 0' posOnChild='-1 0 0'",
               "<Articulation rotationAxis='0 0 3' rotation='true'/>") +
        center("parentIndex='1' childIndex='2' posOnParent='1 0 0'",
               "<Articulation axis='1 0 0' translation='true' articulationIndex='1'/>") +
        "</Node>");
    REQUIRE(s.good);
    CHECK(norm(s.x()[1].center - Vec3(1, 3, 0)) < 1e-15);
    CHECK(norm(s.x()[2].center - Vec3(1, 4.25, 0)) < 1e-15);
    CHECK(norm(s.x()[2].orientation.rotate({1, 0, 0}) - Vec3(0, 1, 0)) < 1e-15);
}

TEST_CASE("A chain of 100 links accelerates as Lagrange's equations say", "[mapping]")
{
    const Chain chain{100};
    const Eigen::VectorXd q = waves(100, 0.4, 0.2), v = waves(100, 0.8, 1.);
    const Eigen::VectorXd expected = chain.accelerations(q, v);
    const auto deviation = [&](const std::string& attributes) {
        Scene s(chain.scene("<EulerImplicitSolver/><EigenSimplicialLDLT/>", q, v, attributes), "1e-8");
        REQUIRE(s.good);
        s.simulation->step();
        double worst = 0.;
        for (int i = 0; i < 100; ++i)
            worst = std::max(worst, std::abs((s.rates()[static_cast<std::size_t>(i)][0] - v[i]) / 1e-8 - expected[i]));
        return worst / expected.lpNorm<Eigen::Infinity>();
    };
    CHECK(deviation("") < 1e-5);
    CHECK(deviation("inertialForces='false'") > 0.01);  // they count
}

TEST_CASE("Chains follow Lagrange's equations, with the order of the integrator", "[mapping]")
{
    // Distance of the angles after half a second from those of Runge and Kutta's method of fourth order.
    const auto order = [](int links, const std::string& solver, int coarse, const std::string& direct) {
        const Chain chain{links};
        Eigen::VectorXd q = waves(links, 0.5, 1.), v = waves(links, 2., 0.3);
        const Eigen::VectorXd q0 = q, v0 = v;
        const int steps = 2000;
        const double h = 0.5 / steps;
        for (int i = 0; i < steps; ++i) {
            const Eigen::VectorXd a1 = chain.accelerations(q, v), v2 = v + 0.5 * h * a1;
            const Eigen::VectorXd a2 = chain.accelerations(q + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
            const Eigen::VectorXd a3 = chain.accelerations(q + 0.5 * h * v2, v3), v4 = v + h * a3;
            const Eigen::VectorXd a4 = chain.accelerations(q + h * v3, v4);
            q += h / 6. * (v + 2. * v2 + 2. * v3 + v4);
            v += h / 6. * (a1 + 2. * a2 + 2. * a3 + a4);
        }
        const auto error = [&](int n) {
            std::ostringstream dt;
            dt.precision(17);
            dt << 0.5 / n;
            Scene s(chain.scene(solver + direct, q0, v0, "geometricStiffness='Exact'"), dt.str());
            REQUIRE(s.good);
            for (int i = 0; i < n; ++i) s.simulation->step();
            double sum = 0.;
            for (int i = 0; i < links; ++i) sum += std::pow(s.numbers()[static_cast<std::size_t>(i)][0] - q[i], 2);
            return std::sqrt(sum);
        };
        const double first = error(coarse), second = error(2 * coarse);
        CHECK(first < 0.05);
        return std::log2(first / second);
    };
    const std::string symmetric = "<EigenSimplicialLDLT/>";
    CHECK(order(2, "<EulerImplicitSolver/>", 500, symmetric) == Approx(1.).margin(0.07));
    CHECK(order(2, "<RungeKutta2Solver/>", 50, symmetric) == Approx(2.).margin(0.1));
    CHECK(order(2, "<RungeKutta4Solver/>", 20, symmetric) == Approx(4.).margin(0.15));
    // The mass of one link does not depend on its angle, and its inertial forces do nothing.
    CHECK(order(1, "<NewmarkImplicitSolver/>", 100, symmetric) == Approx(2.).margin(0.05));
    CHECK(order(2, "<NewmarkImplicitSolver maxIterations='30' epsilon='1e-10'/>", 100, symmetric) ==
          Approx(2.).margin(0.05));
}

TEST_CASE("Newton's method converges for 100 links that move fast", "[mapping]")
{
    const Chain chain{100};
    Scene s(chain.scene("<EulerImplicitSolver maxIterations='20'/><EigenSimplicialLDLT/>", waves(100, 0.4, 0.2),
                        waves(100, 0.8, 1.), "geometricStiffness='Exact'"),
            "0.015");
    REQUIRE(s.good);
    for (int i = 0; i < 10; ++i) s.simulation->step();
    const Component& e = *s.root->get<OdeSolver>(Search::Down);
    CHECK(e.findData("unconvergedSteps")->text() == "0");
}

TEST_CASE("A free base without forces keeps its momentum with what hangs on it", "[mapping]")
{
    const auto momenta = [](const std::string& dt, int steps) {
        Scene s(
            "<EulerImplicitSolver/><EigenSimplicialLDLT/><Node name='base'><MechanicalObject name='state' "
            "template='Rigid3' position='0 0 0 0 0 0 1' velocity='0.3 0 0 0 0 0.5'/></Node><Node name='system'>"
            "<MechanicalObject name='numbers' template='Vec1' position='0.4 0.9' velocity='2 -1'/><Node "
            "name='bodies'><MechanicalObject template='Rigid3' name='state' position='0 0 0 0 0 0 1  0 0 0 0 0 0 1 "
            " 0 0 0 0 0 0 1'/><UniformMass vertexMass='2 1 [0.12 0 0,0 0.1 0,0 0 0.15]'/><ArticulatedSystemMapping "
            "input1='@../numbers' input2='@../../base/state'/></Node><ArticulatedHierarchyContainer/>" +
                center("childIndex='1' posOnParent='0.5 0 0' posOnChild='-0.5 0 0'",
                       "<Articulation axis='0 0 1' rotation='true'/>") +
                center("parentIndex='1' childIndex='2' posOnParent='0.5 0 0' posOnChild='-0.5 0 0'",
                       "<Articulation axis='0 0 1' rotation='true' articulationIndex='1'/>") +
                "</Node>",
            dt, "0 0 0");
        REQUIRE(s.good);
        const auto& mass = *s.bodies().get<BaseMass>(Search::Local);
        const Vec6 before = mass.momentum({});
        for (int i = 0; i < steps; ++i) s.simulation->step();
        return std::pair(before, mass.momentum({}));
    };
    const auto [before, coarse] = momenta("0.002", 250);
    const auto [same, fine] = momenta("0.001", 500);
    CHECK(norm(before) > 1.);
    CHECK(norm(coarse - before) < 0.02 * norm(before));
    CHECK(std::abs(norm(coarse - before) / norm(fine - before) - 2.) < 0.2);  // it goes with the step
}

TEST_CASE("Joints have limits, which are those of numbers", "[mapping]")
{
    const Chain chain{2};
    Scene s("<FreeMotionAnimationLoop/><NNCGConstraintSolver maxIterations='100' tolerance='1e-10'/>" + [&] {
        std::string body = chain.scene("", waves(2, 0., 0.), waves(2, 0., 0.));
        const std::string at = "<Node name='bodies'>";
        return body.insert(body.find(at),
                           "<EulerImplicitSolver/><EigenSimplicialLDLT/>"
                           "<LinearSolverConstraintCorrection/><StopperLagrangianConstraint "
                           "template='Vec1' index='0' min='-0.3' max='2'/>");
    }());
    REQUIRE(s.good);
    double least = 0.;
    for (int i = 0; i < 200; ++i) {
        s.simulation->step();
        least = std::min(least, s.numbers()[0][0]);
    }
    CHECK(least > -0.3 - 1e-6);
    CHECK(least < -0.29);
}

TEST_CASE("What an articulated system lacks is an error that says so", "[mapping]")
{
    const auto said = [](const std::string& joints, const std::string& attributes = "") {
        MessageCapture log;
        Scene s(
            "<Node name='system'><MechanicalObject name='numbers' template='Vec1' position='0 0'/><Node "
            "name='bodies'><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  0 0 0 0 0 0 1'/>"
            "<ArticulatedSystemMapping input1='@../numbers' " +
            attributes + "/></Node>" + joints + "</Node>");
        CHECK_FALSE(s.good);
        return log.text();
    };
    const std::string container = "<ArticulatedHierarchyContainer/>", turn = "<Articulation rotation='true'/>";
    CHECK_THAT(said(""), Catch::Contains("there is no ArticulatedHierarchyContainer"));
    CHECK_THAT(said(container + center("childIndex='2'", turn)),
               Catch::Contains("childIndex: body 2 does not exist: the output has 2"));
    CHECK_THAT(said(container + center("childIndex='1'", "<Articulation rotation='true' articulationIndex='2'/>")),
               Catch::Contains("there is no number 2: input1 has 2"));
    CHECK_THAT(said(container + center("childIndex='1'", "<Articulation/>")),
               Catch::Contains("neither turns nor moves"));
    CHECK_THAT(said(container + center("childIndex='1'", "<Articulation rotation='true' axis='0 0 0'/>")),
               Catch::Contains("axis is zero"));
    CHECK_THAT(said(container + center("childIndex='1'", turn) + center("childIndex='1'", turn)),
               Catch::Contains("expected one joint for each body"));
    CHECK_THAT(said(container + center("childIndex='1'", turn) + center("parentIndex='1' childIndex='0'", turn)),
               Catch::Contains("closes a loop of joints"));
}

}  // namespace articulated_system_mapping_test
