// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/CorotationalFEMForceField.h"
#include "components/fem/LinearSmallStrainFEMForceField.h"
#include "core/factory/Registry.h"
#include "core/log/Message.h"
#include "tests/core/fem/ElementMeshes.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/TestGraph.h"

namespace element_fem_force_field_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

class Mesh : public TestTopology
{
public:
    Vector<Prism> prismList;
    Vector<Pyramid> pyramidList;
    const Vector<Prism>& prisms() const override { return prismList; }
    const Vector<Pyramid>& pyramids() const override { return pyramidList; }
};

/// A unit cube with one element of each kind (two of some), somewhat distorted, and a force field on it.
struct Scene
{
    Node root{"root"};
    Mesh* mesh = nullptr;
    BaseForceField* field = nullptr;
    MessageCapture messages;

    Scene(const std::string& type, const std::string& templ, Attributes attributes, bool empty = false)
    {
        auto points = cubePoints();
        points.push_back({0.5, 0.45, 0.9});
        // Lines and surfaces keep their first points in the plane, where they resist only in one direction else.
        points[6] += Vec3{0.1, 0.05, -0.1};
        points[2] += Vec3{0.07, -0.1, 0.};
        if (templ.find("Vec1") == 0)
            addState<Vec1Types>(root, coordinates<Vec1Types>(points));
        else if (templ.find("Vec2") == 0)
            addState<Vec2Types>(root, coordinates<Vec2Types>(points));
        else
            addState<Vec3Types>(root, coordinates<Vec3Types>(points));
        mesh = &root.create<Mesh>();
        mesh->points = 9;
        if (!empty) {
            mesh->edgeList = {{0, 1}, {3, 2}};
            mesh->triangleList = {{0, 1, 2}, {0, 2, 3}};
            mesh->quadList = {{0, 1, 2, 3}};
            mesh->tetrahedronList = cubeTetrahedra();
            mesh->hexahedronList = cubeHexahedron();
            mesh->prismList = {{0, 1, 2, 4, 5, 6}};
            mesh->pyramidList = {{0, 1, 2, 3, 8}};
        }
        attributes.insert(attributes.begin(), {"template", templ});
        field = &addComponent<BaseForceField>(root, type, attributes);
    }
};

const std::vector<std::string> s_kinds{"Vec2,Edge",  "Vec3,Edge",   "Vec2,Triangle",    "Vec3,Triangle",
                                       "Vec2,Quad",  "Vec3,Quad",   "Vec3,Tetrahedron", "Vec3,Hexahedron",
                                       "Vec3,Prism", "Vec3,Pyramid"};
const Attributes s_material{{"youngModulus", "100"}, {"poissonRatio", "0.3"}, {"rayleighStiffness", "0.1"}};

}  // namespace

HARNESS_FORCE_FIELD("LinearSmallStrainFEMForceField")
{
    std::vector<std::string> kinds = s_kinds;
    kinds.emplace_back("Vec1,Edge");
    for (const std::string& kind : kinds) {
        Scene s("LinearSmallStrainFEMForceField", kind, s_material);
        REQUIRE(initialise(s.root));
        CHECK(s.field->templateName() == kind);
        checkForceField(*s.field, {.atGivenPose = false});
    }
}

// The harness compares with exact derivatives, which the corotational methods do not have: their tangent leaves out the
// change of the rotations. They are held to theirs in tests/core/fem/elements/LinearElementsTest.cpp.
HARNESS_FORCE_FIELD("CorotationalFEMForceField")
{
    for (const std::string& kind : s_kinds) {
        Attributes attributes = s_material;
        attributes.emplace_back("rotationMethod", "identity");
        Scene s("CorotationalFEMForceField", kind, attributes);
        REQUIRE(initialise(s.root));
        CHECK(s.field->templateName() == kind);
        checkForceField(*s.field, {.atGivenPose = false});
    }
}

TEST_CASE("Corotational force fields have SOFA's default rotation for each kind of element", "[fem]")
{
    for (const std::string& kind : s_kinds) {
        Scene s("CorotationalFEMForceField", kind, {});
        REQUIRE(initialise(s.root));
        const auto* method = dynamic_cast<const Data<Options>*>(s.field->findData("rotationMethod"));
        REQUIRE(method);
        const bool frame = kind == "Vec3,Triangle" || kind == "Vec3,Tetrahedron";
        CHECK(method->value().selected() == (frame                       ? "triangle"
                                             : kind == "Vec3,Hexahedron" ? "hexahedron"
                                                                         : "stable_polar"));
        // Nothing pulls in the rest shape, and the nodes have not turned.
        auto& finder = dynamic_cast<RotationFinder&>(*s.field);
        Vector<Mat3> r;
        finder.nodeRotations(r);
        REQUIRE(r.size() == 9);
        for (const Mat3& m : r) CHECK(norm(m - Mat3::identity()) < 1e-14);
    }
}

TEST_CASE("Node rotations of elements follow the body", "[fem]")
{
    for (const char* kind :
         {"Vec3,Triangle", "Vec3,Quad", "Vec3,Tetrahedron", "Vec3,Hexahedron", "Vec3,Prism", "Vec3,Pyramid"}) {
        Scene s("CorotationalFEMForceField", kind, s_material);
        REQUIRE(initialise(s.root));
        auto& field = dynamic_cast<ForceField<Vec3Types>&>(*s.field);
        const Vector<Vec3> x = mapped(field.state().positions(), someRotation(), {1., 2., 3.});
        Vector<Vec3> f(x.size());
        field.addForce({}, f, x, f);
        CHECK(maxNorm(f) < 1e-12);
        Vector<Mat3> r;
        dynamic_cast<RotationFinder&>(*s.field).nodeRotations(r);
        CHECK(norm(r[0] - someRotation()) < 1e-12);
    }
}

TEST_CASE("A material for each element is applied, and so are edits", "[fem]")
{
    Scene s("LinearSmallStrainFEMForceField", "Vec2,Edge", {{"youngModulus", "100 300"}, {"poissonRatio", "0"}});
    REQUIRE(initialise(s.root));
    auto& field = dynamic_cast<ForceField<Vec2Types>&>(*s.field);
    Vector<Vec2> x = field.state().positions();
    x[1][0] += 0.1;
    x[2][0] += 0.1;
    const auto forces = [&] {
        Vector<Vec2> f(x.size());
        field.addForce({}, f, x, f);
        return f;
    };
    // The first edge has length 1 and lies along x: f = E strain.
    CHECK(forces()[1][0] == Approx(-10.));
    auto& linear = dynamic_cast<LinearElasticForceField<Vec2Types>&>(*s.field);
    const double second = forces()[2][0];
    linear.d_youngModulus.setValue({200., 300.});
    linear.reinit();
    CHECK(forces()[1][0] == Approx(-20.));
    CHECK(forces()[2][0] == second);
    CHECK(second < -20.);
}

TEST_CASE("An element force field says what its scene lacks", "[fem]")
{
    SECTION("elements of its kind")
    {
        Scene s("CorotationalFEMForceField", "Vec3,Prism", {}, true);
        s.mesh->tetrahedronList = cubeTetrahedra();
        CHECK_FALSE(initialise(s.root));
        CHECK(s.messages.has(Severity::Error, "has no element of type Prism"));
        CHECK(s.messages.has(Severity::Error, "its highest kind of element is the tetrahedron"));
    }
    SECTION("a rotation that these elements have")
    {
        Scene s("CorotationalFEMForceField", "Vec3,Prism", {{"rotationMethod", "triangle"}});
        CHECK(s.messages.has(Severity::Error, "stable_polar, polar, identity"));
    }
    SECTION("volume")
    {
        Scene s("LinearSmallStrainFEMForceField", "Vec3,Tetrahedron", {}, true);
        s.mesh->tetrahedronList = {{0, 1, 3, 4}, {0, 1, 4, 5}};
        CHECK_FALSE(initialise(s.root));
        CHECK(s.messages.has(Severity::Error, "tetrahedron 1 (vertices 0 1 4 5)"));
    }
    SECTION("a possible material")
    {
        Scene s("LinearSmallStrainFEMForceField", "Vec3,Tetrahedron", {{"poissonRatio", "0.3 0.5"}});
        CHECK(s.messages.has(Severity::Error, "0.5"));
    }
}

}  // namespace element_fem_force_field_test
