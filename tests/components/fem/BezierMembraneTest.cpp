// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>

#include "components/state/MechanicalObject.h"
#include "components/topology/BezierContainer.h"
#include "core/behavior/Mass.h"
#include "core/fem/elements/BezierShape.h"
#include "core/fem/elements/MembraneElements.h"
#include "core/log/Message.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/MassCheck.h"
#include "tests/harness/TestGraph.h"

namespace bezier_membrane_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

double factorial(int n) { return n < 2 ? 1. : n * factorial(n - 1); }

const char* const fourCorners = "0 0 0  1 0 0.1  0.1 1.1 0  1.2 0.9 0.2";

/// A strip of length 10 and width 1 in the plane, n squares along it, each of two triangles.
std::string strip(int n, const std::string& container)
{
    std::string points, triangles;
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i <= n; ++i) points += toText(Vec3{10. * i / n, 1. * j, 0.}) + " ";
    for (int i = 0; i < n; ++i) {
        const int a = i, b = i + 1, c = n + 2 + i, d = n + 1 + i;
        for (const auto& t : {std::array{a, b, c}, std::array{a, c, d}})
            for (const int v : t) triangles += std::to_string(v) + " ";
    }
    return "<" + container + " name='mesh' position='" + points + "' triangles='" + triangles + "'/>";
}

/// How far the end of the strip goes down under a force at its end, held at the other.
double deflection(int n, const std::string& container)
{
    const auto root = loadSceneText(
        "<Node><StaticSolver/><SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/>" + strip(n, container) +
            "<MechanicalObject name='x'/><StVKFEMForceField youngModulus='1e6' poissonRatio='0.3' thickness='0.1'/>"
            "<BoxROI name='end' box='-0.1 -1 -1 0.01 2 1' position='@x.rest_position'/>"
            "<FixedProjectiveConstraint indices='@end.indices'/><PartialFixedProjectiveConstraint fixAll='1' "
            "fixedDirections='0 0 1'/><BoxROI name='tip' box='9.99 -1 -1 10.1 2 1' position='@x.rest_position'/>"
            "<ConstantForceField indices='@tip.indices' totalForce='0 -1e-3 0'/></Node>",
        "strip.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    simulation.step();
    const auto& s = *root->get<State<Vec3Types>>(Search::Local);
    const auto& x = s.positions();
    return -x[static_cast<std::size_t>(n)][1];
}

}  // namespace

TEST_CASE("The rule of quadratic triangles integrates polynomials of degree 6", "[fem]")
{
    double largest = 0., beyond = 0.;
    for (int a = 0; a <= 8; ++a)
        for (int b = 0; a + b <= 8; ++b) {
            double sum = 0.;
            for (const auto& [q, weight] : BezierTriangleShape::quadrature)
                sum += weight * std::pow(q[0], a) * std::pow(q[1], b);
            const double exact = factorial(a) * factorial(b) / factorial(a + b + 2);
            double& error = a + b <= 6 ? largest : beyond;
            error = std::max(error, std::abs(sum / exact - 1.));
        }
    CHECK(largest < 1e-12);
    CHECK(beyond > 1e-6);
}

TEST_CASE("Hyperelastic membranes of quadratic triangles obey the laws of force fields", "[fem]")
{
    for (const bool curved : {false, true})
        for (const char* const law : {"StVenantKirchhoff", "StableNeoHookean", "MooneyRivlin"}) {
            CAPTURE(curved, law);
            Node root("root");
            auto& mesh = addComponent<BezierTriangleSetTopologyContainer>(
                root, "BezierTriangleSetTopologyContainer", {{"position", fourCorners}, {"triangles", "0 1 2  1 3 2"}});
            auto& state = addComponent<MechanicalObject<Vec3Types>>(root, "MechanicalObject");
            const std::string parameters = std::string(law) == "MooneyRivlin" ? "10 5 100" : "20 60";
            auto& field = addComponent<BaseForceField>(root, "HyperelasticityFEMForceField",
                                                       {{"materialName", law},
                                                        {"ParameterSet", parameters},
                                                        {"thickness", "0.1"},
                                                        {"tangentProjection", "none"}});
            REQUIRE(initialise(root));
            REQUIRE(state.size() == 4 + 5);
            CHECK(mesh.bezierTriangles().size() == 2);
            CHECK(mesh.bezierTetrahedra().empty());
            if (curved) {
                (*state.write(vec_id::restPosition))[4] += Vec3{0., -0.1, 0.2};
                (*state.write(vec_id::restPosition))[6] += Vec3{0.1, 0., -0.1};
                field.reinit();
            }
            checkForceField(field, {.displacement = 0.1, .atGivenPose = false, .internal = true});
        }
}

TEST_CASE("A mass of quadratic triangles is that of their area", "[mass]")
{
    for (const char* const lumping : {"0", "1"}) {
        Node root("root");
        addComponent(root, "BezierTriangleSetTopologyContainer",
                     {{"position", "0 0 0  2 0 0  0 1 0  2 1 0"}, {"triangles", "0 1 2  1 3 2"}});
        addComponent(root, "MechanicalObject");
        auto& mass = addComponent(root, "FEMMass",
                                  {{"template", "Vec3,BezierTriangle"}, {"massDensity", "3"}, {"lumping", lumping}});
        REQUIRE(initialise(root));
        checkMass(mass, {.totalMass = 6.});
    }
}

TEST_CASE("A strip of quadratic triangles bends as Timoshenko's beam", "[fem]")
{
    // P L³ / (3 E I) + P L / (5/6 G A), with E = 1e6, I = 0.1/12, A = 0.1, P = 1e-3; clamped ends and flat sections
    // differ by some parts of a thousand.
    const double bending = 1e-3 * 1000. / (3. * 1e6 * 0.1 / 12.), shear = 1e-3 * 10. * 1.2 * 2. * 1.3 / (1e6 * 0.1);
    const double quadratic = deflection(8, "BezierTriangleSetTopologyContainer");
    CHECK(quadratic == Approx(bending + shear).epsilon(0.02));
    CHECK(deflection(16, "BezierTriangleSetTopologyContainer") == Approx(bending + shear).epsilon(0.01));
    // Linear ones of the same mesh are much too stiff.
    CHECK(deflection(8, "TriangleSetTopologyContainer") < 0.5 * quadratic);
}

TEST_CASE("A homogeneous strain of quadratic membranes leaves inner points at rest", "[fem]")
{
    // Four triangles around a point; the edges between them are curved in the plane.
    Node root("root");
    addComponent(root, "BezierTriangleSetTopologyContainer",
                 {{"position", "0 0 0  1 0 0  0 1 0  -1 0 0  0 -1 0"}, {"triangles", "0 1 2  0 2 3  0 3 4  0 4 1"}});
    auto& state = addComponent<MechanicalObject<Vec3Types>>(root, "MechanicalObject");
    auto& field = addComponent<ForceField<Vec3Types>>(
        root, "HyperelasticityFEMForceField",
        {{"materialName", "StableNeoHookean"}, {"ParameterSet", "20 60"}, {"thickness", "0.1"}});
    REQUIRE(initialise(root));
    Vector<Vec3>& rest = *state.write(vec_id::restPosition);
    Vector<Index> inner{0};
    for (Index i = 5; i < rest.size(); ++i)
        if (norm(rest[i]) < 0.51) {
            rest[i] += Vec3{0.08 * rest[i][1], -0.1 * rest[i][0], 0.};
            inner.push_back(i);
        }
    REQUIRE(inner.size() == 5);
    field.reinit();
    const Mat3 a = Mat3::fromRows(Vec3{1.2, 0.1, 0.}, Vec3{0.2, 0.9, 0.}, Vec3{0.1, -0.2, 1.});
    Vector<Vec3> x = rest, f(rest.size());
    for (Vec3& p : x) p = a * p;
    field.addForce(MechanicalParams(), f, x, Vector<Vec3>(rest.size()));
    double largest = 0.;
    for (const Vec3& v : f) largest = std::max(largest, norm(v));
    CHECK(largest > 0.1);
    for (const Index i : inner) CHECK(norm(f[i]) < 1e-6 * largest);
}

TEST_CASE("Membranes of edges of degree 1, and elements that come or go, are refused", "[fem]")
{
    MessageCapture messages;
    Node root("root");
    addComponent(root, "BezierTriangleSetTopologyContainer",
                 {{"position", fourCorners}, {"triangles", "0 1 2  1 3 2"}, {"degrees", "1"}});
    addComponent(root, "MechanicalObject");
    addComponent(root, "HyperelasticityFEMForceField",
                 {{"materialName", "StableNeoHookean"}, {"ParameterSet", "20 60"}});
    CHECK_FALSE(initialise(root));
    CHECK(messages.text().find("edges of degree 1") != std::string::npos);
}

}  // namespace bezier_membrane_test
