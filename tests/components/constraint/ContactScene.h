// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "components/constraint/LagrangianSolver.h"
#include "components/constraint/UnilateralLagrangianConstraint.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace sofa::test {

using namespace sofa::core;
using namespace sofa::component;

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;

    Scene(const std::string& body, const std::string& response, const std::string& gravity = "0 -9.81 0",
          const std::string& solver =
              "<BlockGaussSeidelConstraintSolver maxIterations='5000' tolerance='1e-10' allVerified='1'/>",
          const std::string& intersection = "<LocalMinDistance alarmDistance='0.1' contactDistance='0.01'/>")
    {
        LoadReport report;
        root = loadSceneText("<Node name='root' dt='0.01' gravity='" + gravity + "'><FreeMotionAnimationLoop/>" +
                                 solver + "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>" +
                                 intersection + "<CollisionResponse " + response + "/>" + body + "</Node>",
                             "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        REQUIRE(sim->init());
    }
    void step(int n = 1)
    {
        for (int i = 0; i < n; ++i) sim->step();
    }
    State<Rigid3Types>& body(const std::string& node)
    {
        return *root->child(node)->get<State<Rigid3Types>>(Search::Local);
    }
    LagrangianSolver& solver() { return *root->get<LagrangianSolver>(Search::Local); }
    std::size_t contacts() const
    {
        std::size_t n = 0;
        for (auto* c : root->getAll<UnilateralLagrangianConstraint>(Search::Down)) n += c->contacts().size();
        return n;
    }
};

inline std::string text(double x)
{
    std::ostringstream s;
    s.precision(17);
    s << x;
    return s.str();
}

inline std::string text(const Vec3& v) { return text(v[0]) + ' ' + text(v[1]) + ' ' + text(v[2]); }

/// Triangles of a box with the corners (±a, ±b, ±c), outside seen from without.
inline std::string boxMesh(double a, double b, double c)
{
    std::string positions;
    for (int k = 0; k < 8; ++k) positions += text(Vec3(k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? c : -c)) + "  ";
    return "<MeshTopology name='mesh' position='" + positions +
           "' triangles='0 2 1  1 2 3  4 5 6  5 7 6  0 1 4  1 5 4  2 6 3  3 6 7  0 4 2  2 4 6  1 3 5  3 7 5'/>"
           "<MechanicalObject/>";
}
inline const std::string models = "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/>",
                         fixedModels =
                             "<TriangleCollisionModel moving='0' simulated='0'/><LineCollisionModel moving='0' "
                             "simulated='0'/><PointCollisionModel moving='0' simulated='0'/>";

/// A rigid box of mass 2 kg.
inline std::string box(const std::string& name, const Vec3& half, const std::string& position)
{
    const double m = 2., v = 8. * half[0] * half[1] * half[2];
    const auto inertia = [&](int i, int j) { return text((half[i] * half[i] + half[j] * half[j]) / 3.); };
    return "<Node name='" + name +
           "'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-15' threshold='1e-30'/>"
           "<MechanicalObject template='Rigid3' position='" +
           position + "'/><UniformMass vertexMass='" + text(m) + ' ' + text(v) + " [" + inertia(1, 2) + " 0 0,0 " +
           inertia(0, 2) + " 0,0 0 " + inertia(0, 1) + "]'/><UncoupledConstraintCorrection/><Node name='surface'>" +
           boxMesh(half[0], half[1], half[2]) + models + "<RigidMapping/></Node></Node>";
}

inline std::string ground(double angleDegrees)
{
    return "<Node name='ground'><MeshTopology position='-30 0 -30  30 0 -30  -30 0 30  30 0 30' triangles='0 2 1  1 2 "
           "3'/><MechanicalObject rotation='0 0 " +
           text(angleDegrees) + "'/>" + fixedModels + "</Node>";
}

inline const double pi = std::acos(-1.);

inline const std::string limits = " alarmDistance='0.05' contactDistance='0.01'/>";
inline const std::string solid = "<UniformMass totalMass='1'/><OBBCollisionModel extents='0.5 0.25 0.5'/>";

}  // namespace sofa::test
