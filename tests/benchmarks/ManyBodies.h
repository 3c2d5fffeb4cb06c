// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

namespace sofa::benchmark {

/// The text of a scene of bodies with ten components each.
inline std::string sceneOfBodies(unsigned long bodies)
{
    std::string text =
        "<Node name=\"root\" dt=\"0.01\">\n  <EulerImplicitSolver/>\n  <CGLinearSolver iterations=\"10\"/>\n";
    for (unsigned long i = 0; i < bodies; ++i) {
        const std::string n = std::to_string(i);
        text += "  <Node name=\"body" + n + "\">\n    <RegularGridTopology name=\"grid\" n=\"3 3 3\" min=\"" + n +
                " 0 0\" max=\"" + n +
                ".5 1 1\"/>\n    <MechanicalObject name=\"dofs\" src=\"@grid\"/>\n"
                "    <UniformMass totalMass=\"2.5\"/>\n"
                "    <HexahedronFEMForceField youngModulus=\"3000\" poissonRatio=\"0.45\"/>\n"
                "    <BoxROI name=\"box\" box=\"-1 -1 -1  1 1 1\"/>\n"
                "    <FixedProjectiveConstraint indices=\"@box.indices\"/>\n    <Node name=\"skin\">\n"
                "      <OglModel name=\"visual\" filename=\"mesh/cube.obj\" color=\"red\"/>\n"
                "      <BarycentricMapping input=\"@..\" output=\"@visual\"/>\n    </Node>\n"
                "    <Node name=\"collision\">\n      <TriangleCollisionModel/>\n      <LineCollisionModel/>\n"
                "    </Node>\n  </Node>\n";
    }
    return text + "</Node>\n";
}

}  // namespace sofa::benchmark
