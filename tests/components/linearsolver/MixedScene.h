// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>

#include "core/scene/SceneLoader.h"

namespace sofa::test {

using namespace sofa::core;

/// A rigid body that carries points on springs, coupled to free points: mapped stiffness, a pair force field, a fixed
/// point.
inline const char* const mixedScene =
    "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver rayleighStiffness='0.05' "
    "rayleighMass='0.02'/>%s"
    "<Node name='free'><MechanicalObject name='dofs' position='0 0 0  1 0.1 0  2 0 0.2'/><UniformMass "
    "vertexMass='0.5'/>"
    "<FixedProjectiveConstraint indices='0'/><SpringForceField spring='0 1 50 0.1 1  1 2 70 0.2 1'/></Node>"
    "<Node name='rigid'><MechanicalObject template='Rigid3' name='body' position='3 0 0 0.1 0.2 0.3 "
    "0.9273618495495704'/>"
    "<UniformMass vertexMass='2 1 [0.4 0 0,0 0.5 0,0 0 0.6]'/><Node name='points'><MechanicalObject name='mapped' "
    "position='0.3 0 0  -0.3 0.2 0  0 0.1 0.4'/><RigidMapping/><SpringForceField spring='0 1 30 0 0.5  1 2 40 0 "
    "0.6'/></Node></Node>"
    "<SpringForceField object1='@free/dofs' object2='@rigid/points/mapped' spring='2 0 60 0.3 0.9  1 1 20 0 "
    "1.5'/></Node>";

inline std::shared_ptr<Node> mixed(const std::string& solver)
{
    std::string text = mixedScene;
    text.replace(text.find("%s"), 2, solver);
    return loadSceneText(text, "mixed.scn");
}

inline double difference(const Vector<double>& a, const Vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double m = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) m = std::max(m, std::abs(a[i] - b[i]));
    return m;
}

}  // namespace sofa::test
