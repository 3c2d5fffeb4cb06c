// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/BezierTetrahedronFEMForceField.h"
#include "components/state/MechanicalObject.h"
#include "components/topology/BezierContainer.h"
#include "core/behavior/BaseMapping.h"
#include "core/behavior/Mass.h"
#include "core/io/MeshReader.h"
#include "core/log/Message.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/BodyMesh.h"
#include "core/simulation/Simulation.h"
#include "core/topology/TopologyChange.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/MassCheck.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace bezier_force_fields_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// Two tetrahedra with a common face, and components on them.
struct Scene
{
    Node root{"root"};
    MessageCapture messages;
    BezierTetrahedronSetTopologyContainer* mesh = nullptr;
    MechanicalObject<Vec3Types>* state = nullptr;

    Scene()
    {
        mesh = &addComponent<BezierTetrahedronSetTopologyContainer>(
            root, "BezierTetrahedronSetTopologyContainer",
            {{"position", "0 0 0  1 0 0  0.1 1.1 0  0 0.1 0.9  0.8 0.9 1"}, {"tetrahedra", "0 1 2 3  1 2 3 4"}});
        state = &addComponent<MechanicalObject<Vec3Types>>(root, "MechanicalObject");
    }
};

}  // namespace

// Its tangent leaves out the change of the rotations, as that of CorotationalFEMForceField.
HARNESS_FORCE_FIELD("BezierTetrahedronFEMForceField")
{
    for (const char* method : {"identity", "stable_polar"}) {
        Scene s;
        auto& field = addComponent<BaseForceField>(s.root, "BezierTetrahedronFEMForceField",
                                                   {{"youngModulus", "100"},
                                                    {"poissonRatio", "0.3"},
                                                    {"rotationMethod", method},
                                                    {"rayleighStiffness", "0.1"}});
        REQUIRE(initialise(s.root));
        if (method == std::string("identity")) checkForceField(field, {.atGivenPose = false});
        Vector<double> energies;
        dynamic_cast<BezierTetrahedronFEMForceField&>(field).elementEnergies(energies);
        CHECK(energies.size() == 2);
    }
}

TEST_CASE("The degree of a mesh of tetrahedra is raised", "[fem]")
{
    Scene s;
    REQUIRE(initialise(s.root));
    CHECK(s.mesh->nbPoints() == 5 + 9);
    CHECK(s.state->size() == 14);
    REQUIRE(s.mesh->bezierTetrahedra().size() == 2);
    const auto& x = s.state->positions();
    for (const BezierTetrahedron& t : s.mesh->bezierTetrahedra())
        for (std::size_t k = 0; k < 6; ++k)
            CHECK(norm(x[t[4 + k]] - (x[t[bezierEdges[k][0]]] + x[t[bezierEdges[k][1]]]) * 0.5) < 1e-15);
    // Both have the control points of their common edges.
    const BezierTetrahedron &a = s.mesh->bezierTetrahedra()[0], &b = s.mesh->bezierTetrahedra()[1];
    CHECK(a[5] == b[4]);
    CHECK(a[8] == b[6]);
    CHECK(a[9] == b[5]);
    CHECK_THROWS_WITH(removeElements(*s.mesh, ElementType::Tetrahedra, {0}), Catch::Contains("control points"));
}

TEST_CASE("Control points that are given are checked", "[fem]")
{
    for (const auto& [given, wrong] : {std::pair{"5 6", "2 numbers for 6 edges"}, {"4 5 6 7 8 9", "does not exist"}}) {
        Node root("root");
        MessageCapture messages;
        addComponent(root, "BezierTetrahedronSetTopologyContainer",
                     {{"position", "0 0 0 1 0 0 0 1 0 0 0 1 0.5 0 0 0.5 0.5 0 0 0.5 0 0 0 0.5 0.5 0 0.5"},
                      {"tetrahedra", "0 1 2 3"},
                      {"edgeControlPoints", given}});
        CHECK_FALSE(initialise(root));
        bool found = false;
        for (const Message& m : messages.messages()) found = found || m.text.find(wrong) != std::string::npos;
        CHECK(found);
    }
}

TEST_CASE("Midside nodes of a mesh of the second order become control points, and nodes again", "[fem]")
{
    // A part of a ball: the nodes of its outer edges are on the sphere.
    io::MeshData mesh;
    mesh.positions = {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}, {-1., 0., 0.}};
    mesh.tetrahedra = {{0, 1, 2, 3}, {0, 2, 4, 3}};
    mesh.edges = {{1, 2}};
    for (const auto& [a, b] : {Edge{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}, {2, 4}, {0, 4}, {3, 4}}) {
        const Vec3 middle = (mesh.positions[a] + mesh.positions[b]) * 0.5;
        mesh.midsideNodes.push_back({{a, b}, static_cast<Index>(mesh.positions.size())});
        mesh.positions.push_back(a == 0 ? middle : normalized(middle));
    }
    const TemporaryDirectory folder;
    for (const char* name : {"ball.msh", "ball.msh4", "ball.vtk", "ball.vtu"}) {
        CAPTURE(name);
        io::writeMesh(folder / name, mesh);
        const std::string loader =
            std::string(name).find(".msh") != std::string::npos ? "MeshGmshLoader" : "MeshVTKLoader";
        const auto root = loadSceneText("<Node><" + loader + " name='loader' filename='" + (folder / name).string() +
                                            "'/><BezierTetrahedronSetTopologyContainer name='mesh' src='@loader'/>"
                                            "<MechanicalObject/></Node>",
                                        "ball.scn");
        Simulation simulation(root);
        REQUIRE(simulation.init());
        auto& container = *root->get<BezierTetrahedronSetTopologyContainer>(Search::Local);
        CHECK(container.middlePoints().empty());
        for (const BezierTetrahedron& t : container.bezierTetrahedra()) {
            std::array<Vec3, 10> x;
            for (std::size_t k = 0; k < 10; ++k) x[k] = container.pointPosition(t[k]);
            // The middle of the edge between the second and the third corner.
            CHECK(norm((x[1] + x[2]) * 0.25 + x[5] * 0.5) == Approx(1.));
            CHECK(norm((x[0] + x[3]) * 0.25 + x[7] * 0.5 - x[3] * 0.5) < 1e-15);
        }
        BodyMeshes meshes(*root);
        REQUIRE(meshes.bodies().size() == 1);
        const io::MeshData back = meshes.mesh(meshes.bodies()[0]);
        CHECK(back.tetrahedra == mesh.tetrahedra);
        REQUIRE(back.positions.size() == mesh.positions.size());
        for (std::size_t i = 0; i < back.positions.size(); ++i)
            CHECK(norm(back.positions[i] - mesh.positions[i]) < 1e-15);
        const auto ends = [](Vector<io::MidsideNode> nodes) {
            std::ranges::sort(nodes, {}, &io::MidsideNode::node);
            for (io::MidsideNode& n : nodes) n.ends = sortedVertices(n.ends);
            return nodes;
        };
        CHECK(ends(back.midsideNodes) == ends(mesh.midsideNodes));
    }
}

TEST_CASE("Edges of degree 1 are exported beside those of degree 2", "[fem]")
{
    const auto root = loadSceneText(
        "<Node><BezierTetrahedronSetTopologyContainer position='0 0 0  1 0 0  0.1 1.1 0  0 0.1 0.9  0.8 0.9 1' "
        "tetrahedra='0 1 2 3  1 2 3 4' degrees='2 1 2 1 2 1 2 1 2'/><MechanicalObject/></Node>",
        "degrees.scn");
    Simulation simulation(root);
    REQUIRE(simulation.init());
    BodyMeshes meshes(*root);
    REQUIRE(meshes.bodies().size() == 1);
    REQUIRE(meshes.bodies()[0].state->size() == 10);
    const io::MeshData mesh = meshes.mesh(meshes.bodies()[0]);
    CHECK(mesh.positions.size() == 14);
    for (const io::MidsideNode& n : mesh.midsideNodes)
        CHECK(norm(mesh.positions[n.node] - (mesh.positions[n.ends[0]] + mesh.positions[n.ends[1]]) * 0.5) < 1e-15);
    CHECK(mesh.midsideNodes.size() == 9);
    const io::SecondOrderCells cells(mesh);
    for (const Tetrahedron& t : mesh.tetrahedra) CHECK(cells.nodes(io::CellKind::Tetrahedron, t.data()).size() == 10);
    for (const io::DataArray& array : mesh.pointData) CHECK(array.tuples() == 14);
}

TEST_CASE("Elements that are folded at rest are found, also where no point of quadrature is", "[fem]")
{
    const auto messagesOf = [](const char* third, bool inState) {
        const std::string straight = "0.5 0 0", folded = "0.3 0.2 0", points = "0 0 0 1 0 0 0 1 0 0 0 1 ",
                          rest = " 0 0 0.5 0.5 0 0.5 0 0.5 0.5";
        const auto all = [&](const std::string& first, const std::string& second) {
            return points + first + " 0.5 0.5 0 " + second + rest;
        };
        MessageCapture messages;
        const std::string given = all(folded, third), plain = all(straight, "0 0.5 0");
        const auto root =
            loadSceneText("<Node><BezierTetrahedronSetTopologyContainer position='" + (inState ? plain : given) +
                              "' tetrahedra='0 1 2 3' edges='0 1 1 2 0 2 0 3 1 3 2 3' edgeControlPoints='4 5 6 7 8 9'/>"
                              "<MechanicalObject position='" +
                              given +
                              "'/><TetrahedronHyperelasticityFEMForceField "
                              "materialName='NeoHookean' ParameterSet='36 144'/></Node>",
                          "folded.scn");
        initialise(*root);
        std::string text;
        for (const Message& m : messages.messages()) text += m.text + '\n';
        return text;
    };
    CHECK_THAT(messagesOf("0.33 0.2 0", false), Catch::Contains("element 0 is folded near (0 0 0)"));
    CHECK_THAT(messagesOf("0.33 0.2 0", true), Catch::Contains("element 0 of the rest shape is folded near (0 0 0)"));
    CHECK(messagesOf("0.2 0.3 0", false).empty());
    CHECK(messagesOf("0.2 0.3 0", true).empty());
}

TEST_CASE("Hyperelastic force fields act on quadratic elements, with curved rest shapes too", "[fem]")
{
    for (const bool curved : {false, true}) {
        Scene s;
        auto& field = addComponent<BaseForceField>(
            s.root, "TetrahedronHyperelasticityFEMForceField",
            {{"materialName", "NeoHookean"}, {"ParameterSet", "36 144"}, {"tangentProjection", "none"}});
        if (curved) {
            Vector<Vec3> x(s.mesh->nbPoints());
            for (Index i = 0; i < s.mesh->nbPoints(); ++i) x[i] = s.mesh->pointPosition(i);
            for (std::size_t i = 5; i < x.size(); ++i) x[i] += Vec3{0.03, -0.02, 0.01} * static_cast<double>(i % 3);
            s.state->d_position.setValue(x);
        }
        REQUIRE(initialise(s.root));
        checkForceField(field, {.displacement = 0.03, .atGivenPose = false, .internal = true});
    }
}

TEST_CASE("The masses of quadratic elements are exact", "[fem]")
{
    for (const bool lumped : {false, true}) {
        Scene s;
        auto& mass = addComponent<Mass<Vec3Types>>(
            s.root, "FEMMass",
            {{"template", "Vec3,BezierTetrahedron"}, {"massDensity", "3"}, {"lumping", lumped ? "1" : "0"}});
        REQUIRE(initialise(s.root));
        const auto& x = s.state->positions();
        std::array<double, 2> m;
        for (std::size_t e = 0; e < 2; ++e) {
            const BezierTetrahedron& t = s.mesh->bezierTetrahedra()[e];
            m[e] = 0.5 * std::abs(dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]])));
        }
        checkMass(mass, {.totalMass = m[0] + m[1]});
        CHECK(mass.isDiagonal() == lumped);
        CHECK(mass.pointMass(0) == Approx(m[0] / 10.));
        CHECK(mass.pointMass(1) == Approx((m[0] + m[1]) / 10.));
        CHECK(mass.pointMass(s.mesh->bezierTetrahedra()[0][4]) == Approx(m[0] / 10.));
        if (lumped) continue;
        // ∫ B_00² = V 4! / (4 · 3 · 2 · 1 · 35) = V/35 for α⁴: 3! 4! / 7!.
        Vector<Vec3> unit(x.size()), f(x.size());
        unit[0][0] = 1.;
        mass.addMDx(f, unit, x, 1.);
        CHECK(f[0][0] == Approx(m[0] * 6. * 24. / 5040.));
    }
}

TEST_CASE("Points embedded in quadratic elements move with their control points", "[fem]")
{
    Scene s;
    auto& child = *s.root.createChild("surface");
    auto& out =
        addComponent<MechanicalObject<Vec3Types>>(child, "MechanicalObject", {{"position", "0.2 0.3 0.25  0.5 0 0"}});
    addComponent(child, "BarycentricMapping");
    REQUIRE(initialise(s.root));
    CHECK(norm(out.positions()[0] - Vec3{0.2, 0.3, 0.25}) < 1e-14);
    // The middle of an edge moves by half of its control point's way.
    Vector<Vec3> x = s.state->positions();
    x[s.mesh->bezierTetrahedra()[0][4]] += Vec3{0., 0., -1.};
    s.state->d_position.setValue(x);
    dynamic_cast<BaseMapping&>(*child.get<BaseMapping>(Search::Local))
        .apply(MechanicalParams(), vec_id::position, vec_id::position);
    CHECK(norm(out.positions()[1] - Vec3{0.5, 0., -0.5}) < 1e-14);
}

TEST_CASE("Elements without control points are an error", "[fem]")
{
    Node root("root");
    MessageCapture messages;
    addComponent(root, "TetrahedronSetTopologyContainer",
                 {{"position", "0 0 0 1 0 0 0 1 0 0 0 1"}, {"tetrahedra", "0 1 2 3"}});
    addComponent(root, "MechanicalObject");
    addComponent(root, "BezierTetrahedronFEMForceField");
    CHECK_FALSE(initialise(root));
    bool found = false;
    for (const Message& m : messages.messages())
        found = found || m.text.find("has no control points on its edges") != std::string::npos;
    CHECK(found);
}

}  // namespace bezier_force_fields_test
