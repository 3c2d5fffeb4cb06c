// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/log/Message.h"
#include "tests/harness/SceneText.h"

namespace plastic_material_test {

using namespace sofa::core;
using sofa::test::SceneText;

namespace {

/// A block of tetrahedra that is pulled by its ends, let go, and comes to rest.
Vec3 restingPlace(const std::string& material, const std::string& parameters)
{
    SceneText s(material +
                    "<Node name='n'><EulerImplicitSolver rayleighMass='2'/><SparseLDLSolver/><RegularGridTopology "
                    "n='4 2 2' min='0 0 0' max='1 0.3 0.3'/><MechanicalObject position='0 0 0 0.4 0 0 0.8 0 0 1.2 0 0 "
                    "0 0.3 0 0.4 0.3 0 0.8 0.3 0 1.2 0.3 0 0 0 0.3 0.4 0 0.3 0.8 0 0.3 1.2 0 0.3 0 0.3 0.3 0.4 0.3 "
                    "0.3 0.8 0.3 0.3 1.2 0.3 0.3' rest_position='0 0 0 0.3333 0 0 0.6667 0 0 1 0 0 0 0.3 0 0.3333 0.3 "
                    "0 0.6667 0.3 0 1 0.3 0 0 0 0.3 0.3333 0 0.3 0.6667 0 0.3 1 0 0.3 0 0.3 0.3 0.3333 0.3 0.3 0.6667 "
                    "0.3 0.3 1 0.3 0.3'/><UniformMass totalMass='1'/><FixedProjectiveConstraint indices='0 4 8 12'/>"
                    "<TetrahedronFEMForceField " +
                    parameters + "/></Node>",
                "0.02", "0 0 0");
    REQUIRE(s.good);
    s.step(400);
    return s.state<Vec3Types>("n").read(vec_id::position)[3];
}

}  // namespace

TEST_CASE("A material that yields gives its parameters to the force field that follows it", "[fem]")
{
    const std::string plastic = "plasticMaxThreshold='0.01' plasticYieldThreshold='0.0001' plasticCreep='0.5'";
    const std::string elastic = "youngModulus='5000' poissonRatio='0.3'";
    const std::string links =
        "youngModulus='@/clay.youngModulus' poissonRatio='@/clay.poissonRatio' "
        "plasticMaxThreshold='@/clay.plasticMaxThreshold' plasticYieldThreshold='@/clay.plasticYieldThreshold' "
        "plasticCreep='@/clay.plasticCreep'";
    const Vec3 own = restingPlace("", elastic + ' ' + plastic);
    const Vec3 followed = restingPlace("<PlasticMaterial name='clay' " + elastic + ' ' + plastic + "/>", links);
    const Vec3 springs = restingPlace("<PlasticMaterial name='clay' " + elastic + "/>", links);
    CHECK(followed == own);
    CHECK(own[0] > 1.02);  // a part of the pull of 0.2 m has become its shape
    CHECK(springs[0] == Approx(1.).margin(1e-4));
}

TEST_CASE("A material that nobody follows says so", "[fem]")
{
    const MessageCapture log;
    CHECK(SceneText("<PlasticMaterial name='clay'/>").good);
    CHECK(log.has(Severity::Warning, "no object follows its parameters"));
    CHECK(log.has(Severity::Warning, "@clay.youngModulus"));
    const MessageCapture quiet;
    CHECK(SceneText("<PlasticMaterial name='clay'/><Node name='n'><MeshTopology position='0 0 0 1 0 0 0 1 0 0 0 1' "
                    "tetrahedra='0 1 2 3'/><MechanicalObject/><TetrahedronFEMForceField "
                    "youngModulus='@/clay.youngModulus'/></Node>")
              .good);
    CHECK_FALSE(quiet.has(Severity::Warning, "no object follows its parameters"));
}

}  // namespace plastic_material_test
