// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "components/constraint/UnilateralLagrangianConstraint.h"
#include "tests/components/constraint/ContactScene.h"

namespace overlap_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// A ball of radius 0.5 m and mass 1 kg with a surface of triangles: rings around the y axis.
std::string meshBall(const std::string& name, const std::string& position)
{
    const int rings = 9, around = 14;
    std::ostringstream points, triangles;
    points << "0 0.5 0  0 -0.5 0  ";
    for (int r = 1; r <= rings; ++r)
        for (int k = 0; k < around; ++k) {
            const double theta = pi * r / (rings + 1), phi = 2. * pi * (k + 0.5 * r) / around;
            points << text(0.5 *
                           Vec3(std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)))
                   << "  ";
        }
    const auto at = [&](int r, int k) { return 2 + (r - 1) * around + k % around; };
    for (int k = 0; k < around; ++k) {
        triangles << "0 " << at(1, k + 1) << ' ' << at(1, k) << "  1 " << at(rings, k) << ' ' << at(rings, k + 1)
                  << "  ";
        for (int r = 1; r < rings; ++r)
            triangles << at(r, k) << ' ' << at(r, k + 1) << ' ' << at(r + 1, k) << "  " << at(r, k + 1) << ' '
                      << at(r + 1, k + 1) << ' ' << at(r + 1, k) << "  ";
    }
    return "<Node name='" + name +
           "'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template='Rigid3' position='" + position +
           "'/><UniformMass totalMass='1'/><UncoupledConstraintCorrection/><Node><MeshTopology position='" +
           points.str() + "' triangles='" + triangles.str() + "'/><MechanicalObject/>" + models +
           "<RigidMapping/></Node></Node>";
}

}  // namespace

TEST_CASE("Meshes that overlap at the start part, and are never drawn together", "[contact][physics]")
{
    for (const char* method :
         {"MinProximityIntersection", "CCDTightInclusionIntersection continuousCollisionType='Inertia'",
          "CCDTightInclusionIntersection continuousCollisionType='FreeMotion'"})
        for (const double overlap : {0.03, 0.1, 0.2}) {
            INFO(method << ", overlap " << overlap << " m");
            const Vec3 offset = normalized(Vec3(0.2, 1., 0.1)) * (1. - overlap);
            Scene s(meshBall("a", "0 0 0 0 0 0 1") + meshBall("b", text(offset) + " 0 0 0 1"),
                    "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 0 0",
                    "<BlockGaussSeidelConstraintSolver/>", "<" + std::string(method) + limits);
            const auto apart = [&] {
                return norm(s.body("b").positions()[0].center - s.body("a").positions()[0].center);
            };
            double last = apart();
            for (int k = 0; k < 60; ++k) {
                s.step();
                CHECK(apart() > last - 1e-4);
                last = apart();
            }
            CHECK(last > 1. - overlap + 0.05);
            CHECK(s.sim->energy().kinetic < 2.);
        }
}

TEST_CASE("A mesh whose corner is in a large box leaves it through the nearest side", "[contact][physics]")
{
    // Triangles of its sides stand in the floor; along the normal of one of them the way out is 20 m.
    Scene s(
        "<Node name='stone'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template='Rigid3' position='1.6 "
        "0.1 0 0 0 0 1'/><UniformMass totalMass='20'/><UncoupledConstraintCorrection/><Node><MeshTopology position='"
        "-0.1685 -0.0139 -0.1549  -0.1263 -0.107 -0.1475  0.1221 0.055 -0.1156  0.0799 0.1481 -0.123  "
        "-0.2058 -0.0096 0.1125  -0.1635 -0.1027 0.1199  0.0848 0.0593 0.1518  0.0425 0.1524 0.1444' "
        "triangles='0 2 1  0 3 2  4 5 6  4 6 7  0 1 5  0 5 4  1 2 6  1 6 5  2 3 7  2 7 6  3 0 4  3 4 7'/>"
        "<MechanicalObject/>" +
            models +
            "<RigidMapping/></Node></Node><Node name='floor'><MechanicalObject template='Rigid3' "
            "position='0 -0.5005 0 0 0 0 1'/><OBBCollisionModel extents='20 0.5 20' moving='0' simulated='0'/></Node>",
        "response='FrictionContactConstraint' responseParams='mu=0.8'", "0 -9.81 0",
        "<BlockGaussSeidelConstraintSolver/>", "<LocalMinDistance alarmDistance='0.01' contactDistance='0.001'/>");
    s.step();
    for (const auto* c : s.root->getAll<UnilateralLagrangianConstraint>(Search::Down))
        for (const auto& contact : c->contacts()) CHECK(contact.normal[1] > 0.9);
    CHECK(s.contacts() >= 2);
    CHECK(s.sim->energy().kinetic < 20.);
}

TEST_CASE("Bodies that overlap are parted without being thrown", "[contact][physics]")
{
    const std::string shapes[] = {"<SphereCollisionModel radius='0.5'/>", "<OBBCollisionModel extents='0.5 0.5 0.5'/>",
                                  "<CapsuleCollisionModel radii='0.5' heights='0.4'/>"};
    const double overlap = 0.2, dt = 0.01;
    for (const std::string& shape : shapes)
        for (const double g : {0., 9.81})
            for (const bool sofa : {false, true}) {
                INFO(shape << ", gravity " << g << ", sofa " << sofa);
                const double height = shape.find("Capsule") != std::string::npos ? 1.4 : 1.;
                const auto body = [&](const std::string& name, double y) {
                    return "<Node name='" + name +
                           "'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template='Rigid3' position='0 " +
                           text(y) + " 0 0 0 0 1'/><UniformMass totalMass='1'/>" + shape +
                           "<UncoupledConstraintCorrection/></Node>";
                };
                // Both fall together.
                Scene s(body("low", 0.) + body("high", height - overlap),
                        std::string("response='FrictionContactConstraint' responseParams='mu=0.5") +
                            (sofa ? "&amp;maxSeparationSpeed=-1'" : "'"),
                        "0 " + text(-g) + " 0", "<BlockGaussSeidelConstraintSolver/>");
                double fastest = 0.;
                for (int k = 0; k < 60; ++k) {
                    s.step();
                    fastest = std::max(fastest, s.body("high").velocities()[0][1] - s.body("low").velocities()[0][1]);
                }
                const double gap =
                    s.body("high").positions()[0].center[1] - s.body("low").positions()[0].center[1] - height;
                CHECK(gap > -0.01);
                const double limit = std::max(std::sqrt(2. * g * (overlap + 0.01)), 0.1 * (overlap + 0.01) / dt);
                if (sofa) {
                    CHECK(fastest > 0.9 * overlap / dt);
                } else {
                    CHECK(fastest < 1.01 * limit);
                    CHECK(fastest > 0.1);
                }
            }
}

}  // namespace overlap_test
