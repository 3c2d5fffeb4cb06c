// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include "components/articulation/SpatialRotation.h"
#include "core/behavior/BaseMapping.h"
#include "core/behavior/Mass.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace articulation_process_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Scene : SceneText
{
    using SceneText::SceneText;
    Node& bodies() { return *root->child("system")->child("bodies"); }
    BaseMapping& mapping() { return *bodies().get<BaseMapping>(Search::Local); }
    const Vector<RigidCoord3>& x() { return bodies().get<State<Rigid3Types>>(Search::Local)->positions(); }
};

const std::string turns[] = {"<Articulation axis='1 0 0' rotation='true' articulationIndex='0'/>",
                             "<Articulation axis='0 2 0' rotation='true' articulationIndex='1'/>",
                             "<Articulation axis='0 0 1' rotation='true' articulationIndex='2'/>"},
                  way = "<Articulation axis='1 1 0' translation='true' articulationIndex='3'/>";

/// A joint with three rotations and a translation between two bodies, the first of which is turned, and a hinge behind.
std::string ball(int process, const std::string& numbers, const std::string& articulations,
                 const std::string& attributes = "", const std::string& above = "")
{
    return above + "<Node name='system'><MechanicalObject name='numbers' template='Vec1' position='" + numbers +
           "'/><Node name='bodies'><MechanicalObject template='Rigid3' name='state' position='1 2 3 0 0.6 0 0.8  0 0 0 "
           "0 "
           "0 0 1  0 0 0 0 0 0 1'/><ArticulatedSystemMapping input1='@../numbers' " +
           attributes +
           "/></Node><ArticulatedHierarchyContainer/><Node name='joint'><ArticulationCenter childIndex='1' "
           "posOnParent='0.5 0 0' posOnChild='-1 0 0.2' articulationProcess='" +
           std::to_string(process) + "'/><Node name='articulations'>" + articulations +
           "</Node></Node><Node name='hinge'><ArticulationCenter parentIndex='1' childIndex='2' posOnParent='0 1 0'/>"
           "<Articulation axis='0 0 1' rotation='true' articulationIndex='4'/></Node></Node>";
}

}  // namespace

TEST_CASE("With processes 1 and 2 the rotations of a joint are one, about the sum of their axes", "[mapping]")
{
    const Vec3 phi(0.7, -1.1, 0.4);
    const Quat turn = Quat::fromRotationVector(phi), base(0, 0.6, 0, 0.8);
    const Vec3 onParent(0.5, 0, 0), onChild(-1, 0, 0.2), along = Vec3(1, 1, 0) * (0.3 / std::sqrt(2.));
    for (const std::string& order : {turns[0] + turns[1] + way + turns[2], turns[2] + turns[0] + turns[1] + way})
        for (const int process : {1, 2}) {
            Scene s(ball(process, "0.7 -1.1 0.4 0.3 0", order));
            REQUIRE(s.good);
            // Translations in the axes of the parent, or of the child.
            const Vec3 local = onParent + (process == 1 ? along : turn.rotate(along)) - turn.rotate(onChild);
            CHECK(norm(s.x()[1].center - Vec3(1, 2, 3) - base.rotate(local)) < 1e-14);
            CHECK(norm((s.x()[1].orientation * (base * turn).inverse()).toRotationVector()) < 1e-14);
        }
    // One axis alone is a hinge, as with process 0.
    for (const int process : {1, 2}) {
        Scene one(ball(process, "0 1.3 0 0 0", turns[0] + turns[1] + turns[2])),
            hinge(ball(0, "0 1.3 0 0 0", turns[0] + turns[1] + turns[2]));
        CHECK(norm(one.x()[2].center - hinge.x()[2].center) < 1e-14);
        CHECK(norm((one.x()[2].orientation * hinge.x()[2].orientation.inverse()).toRotationVector()) < 1e-14);
    }
}

TEST_CASE("Joints with several rotations that are one obey the laws of mappings", "[mapping]")
{
    const std::string free =
        "<Node name='base'><MechanicalObject name='state' template='Rigid3' position='1 2 3 0 0.6 0 0.8'/></Node>";
    for (const int process : {1, 2})
        for (const bool isFree : {false, true})
            for (const std::string numbers : {"0.7 -1.1 0.4 0.3 0.5", "0 0 0 0 0", "0.01 0.02 -0.01 0.3 0.5"}) {
                Scene s(ball(process, numbers, turns[0] + way + turns[1] + turns[2],
                             std::string("geometricStiffness='Exact' ") + (isFree ? "input2='@../../base/state'" : ""),
                             isFree ? free : ""));
                REQUIRE(s.good);
                checkMapping(s.mapping());
            }
}

TEST_CASE("A joint of rotations that are one has no lock at right angles", "[mapping]")
{
    // The angular velocities for the three rates span space: det T = 2 (1 − cos θ) / θ². One after the other, they lie
    // in a plane where the second angle is 90°.
    const double right = 2. * std::atan(1.);
    const auto determinant = [&](int process) {
        Scene s(ball(process, "0 " + toText(right) + " 0 0 0", turns[0] + turns[1] + turns[2]));
        REQUIRE(s.good);
        Eigen::Matrix3d spins;
        for (int k = 0; k < 3; ++k) {
            auto& numbers = *s.root->child("system")->get<State<Vec1Types>>(Search::Local);
            numbers.allocate(vec_id::velocity);
            for (std::size_t i = 0; i < 5; ++i)
                (*numbers.write(vec_id::velocity))[i][0] = i == std::size_t(k) ? 1. : 0.;
            s.mapping().applyJ({}, vec_id::velocity, vec_id::velocity);
            const Vec6 v = s.bodies().get<State<Rigid3Types>>(Search::Local)->velocities()[1];
            spins.col(k) << v[3], v[4], v[5];
        }
        return spins.determinant();
    };
    CHECK(std::abs(determinant(0)) < 1e-12);
    for (const int process : {1, 2})
        CHECK(determinant(process) == Approx(2. * (1. - std::cos(right)) / (right * right)).epsilon(1e-12));
}

TEST_CASE("Series and closed forms of a rotation's derivatives agree", "[mapping]")
{
    using sofa::component::SpatialRotation;
    const Vec3 axis = Vec3(1, -2, 0.5) / norm(Vec3(1, -2, 0.5)), v(0.3, 0.7, -0.2), d(-0.4, 0.1, 0.9);
    const SpatialRotation below(axis * std::nextafter(0.05, 0.)), above(axis * 0.05);
    CHECK(norm(below.spin(v) - above.spin(v)) < 1e-14);
    CHECK(norm(below.spinChange(v, d) - above.spinChange(v, d)) < 1e-12);
    for (const double angle : {1e-9, 0.03, 0.4, 3., 6.}) {
        const Vec3 phi = axis * angle;
        const double h = 1e-5;
        const auto turnOf = [&](const Vec3& x) { return Quat::fromRotationVector(x); };
        const Vec3 turned =
            (turnOf(phi + v * h) * turnOf(phi - v * h).inverse()).normalized().toRotationVector() / (2. * h);
        CHECK(norm(SpatialRotation(phi).spin(v) - turned) < 1e-8);
        const Vec3 change = (SpatialRotation(phi + d * h).spin(v) - SpatialRotation(phi - d * h).spin(v)) / (2. * h);
        CHECK(norm(SpatialRotation(phi).spinChange(v, d) - change) < 1e-8);
    }
}

TEST_CASE("A top on a joint of rotations that are one keeps its angular momentum", "[mapping]")
{
    const auto momenta = [](int process, const std::string& dt, int steps, const std::string& attributes) {
        Scene s(
            "<EulerImplicitSolver/><EigenSimplicialLDLT/><Node name='system'><MechanicalObject name='numbers' "
            "template='Vec1' position='0.6 -0.3 0.9' velocity='1.5 2 -1'/><Node name='bodies'><MechanicalObject "
            "template='Rigid3' name='state' position='0 0 0 0 0 0 1  0 0 0 0 0 0 1'/><UniformMass vertexMass='2 1 "
            "[0.05 0 0,0 0.12 0,0 0 0.15]'/><ArticulatedSystemMapping input1='@../numbers' " +
                attributes +
                "/></Node><ArticulatedHierarchyContainer/><Node name='joint'><ArticulationCenter childIndex='1' "
                "articulationProcess='" +
                std::to_string(process) + "'/><Node name='articulations'>" + turns[0] + turns[1] + turns[2] +
                "</Node></Node></Node>",
            dt, "0 0 0");
        REQUIRE(s.good);
        const auto& mass = *s.bodies().get<BaseMass>(Search::Local);
        const Vec6 before = mass.momentum({});
        for (int i = 0; i < steps; ++i) s.simulation->step();
        return std::pair(norm(before), norm(mass.momentum({}) - before));
    };
    for (const int process : {0, 1, 2}) {
        const auto [size, coarse] = momenta(process, "0.002", 150, "");
        const double fine = momenta(process, "0.001", 300, "").second,
                     without = momenta(process, "0.001", 300, "inertialForces='false'").second;
        CHECK(size > 0.3);
        CHECK(coarse < 0.02 * size);
        CHECK(std::abs(coarse / fine - 2.) < 0.2);  // it goes with the step
        CHECK(without > 0.1 * size);                // the forces count
    }
}

}  // namespace articulation_process_test
