// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "core/io/VegaMatrixFile.h"
#include "core/simulation/Checkpoint.h"
#include "tests/components/topology/ChangingStrip.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/Paths.h"

namespace load_followers_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

const std::string correction = "<LinearSolverConstraintCorrection/>";

}  // namespace

TEST_CASE("Loads and springs go with their points")
{
    checkFollows("<ConstantForceField indices='0 5 2' forces='1 0 0  2 0 0  0 3 0'/>",
                 "<ConstantForceField indices='0 2' forces='2 0 0  0 3 0'/>");
    checkFollows("<ConstantForceField indices='0 5 2' totalForce='6 0 0'/>",
                 "<ConstantForceField indices='0 2' totalForce='6 0 0'/>");
    checkFollows("<ConstantForceField forces='1 0 0  2 0 0  3 0 0  4 0 0  5 0 0  6 0 0'/>",
                 "<ConstantForceField forces='6 0 0  2 0 0  3 0 0  4 0 0  5 0 0  0 0 0'/>");
    checkFollows("<LinearForceField points='0 5 2' times='0 1' forces='1 0 0  2 0 0'/>",
                 "<LinearForceField points='0 2' times='0 1' forces='1 0 0  2 0 0'/>");
    checkFollows("<RestShapeSpringsForceField points='0 5 2' stiffness='10 20 30'/>",
                 "<RestShapeSpringsForceField points='0 2' stiffness='20 30'/>");
    checkFollows("<RestShapeSpringsForceField stiffness='10 20 30 40 50 60'/>",
                 "<RestShapeSpringsForceField stiffness='60 20 30 40 50 25'/>");
}

TEST_CASE("Lists linked to a selection keep their entries, with the values of these")
{
    const std::string box = "<BoxROI name='r' box='0.6 -5 -5 5 5 5'/>";
    checkFollows(box + "<ConstantForceField indices='@r.indices' forces='1 0 0  2 0 0  0 3 0  0 0 4'/>",
                 "<ConstantForceField indices='2 3 4 0' forces='1 0 0  2 0 0  0 3 0  0 0 4'/>");
    checkFollows(box + "<RestShapeSpringsForceField points='@r.indices' stiffness='10 20 30 40'/>",
                 "<RestShapeSpringsForceField points='2 3 4 0' stiffness='10 20 30 40'/>");
    checkFollows(box + "<FixedProjectiveConstraint indices='@r.indices'/>",
                 "<FixedProjectiveConstraint indices='2 3 4 0'/>");
    const auto subset = [](const std::string& indices) {
        return "<Node><MechanicalObject/><SubsetMapping indices='" + indices +
               "'/><ConstantForceField indices='0 3' forces='1 0 0  0 2 0'/></Node>";
    };
    checkFollows(box + subset("@../r.indices"), subset("2 3 4 0"));
}

TEST_CASE("Pressures go with their elements")
{
    const auto follows = [](const std::string& before, const std::string& after) {
        checkFollows("<LinearSolverConstraintCorrection/>" + before, "<LinearSolverConstraintCorrection/>" + after);
    };
    follows("<TrianglePressureForceField triangleList='0 3 1' pressure='1 2 3'/>",
            "<TrianglePressureForceField triangleList='0 1' pressure='1 2 3'/>");
    follows("<EdgePressureForceField edges='0 2  2 4' pressure='1 2 3'/>",
            "<EdgePressureForceField edges='2 4' pressure='1 2 3'/>");
    follows("<EdgePressureForceField edges='0 1  2 1  3 5' p_intensity='2 3 4'/>",
            "<EdgePressureForceField edges='2 1  3 0' p_intensity='3 4'/>");
    follows("<EdgePressureForceField edges='2 4  1 3' p_intensity='2 -3' binormal='0 0 1'/>",
            "<EdgePressureForceField edges='2 4  1 3' p_intensity='2 -3' binormal='0 0 1'/>");
    follows("<EdgePressureForceField edges='0 1' p_intensity='2'/>", "");
}

TEST_CASE("A list of points that becomes empty does not mean all points")
{
    checkFollows("<RestShapeSpringsForceField points='0' stiffness='10'/>", "");
    checkFollows("<ConstantForceField indices='0' forces='1 0 0'/>", "");
    checkFollows("<ConstantForceField indices='0' totalForce='1 0 0'/>", "");
}

TEST_CASE("Lagrangian constraints and their corrections go with the points")
{
    checkFollows(correction + "<FixedLagrangianConstraint indices='0 5 2'/>",
                 correction + "<FixedLagrangianConstraint indices='0 2'/>");
    checkFollows("<GenericConstraintCorrection/><FixedLagrangianConstraint indices='3 5'/>",
                 "<GenericConstraintCorrection/><FixedLagrangianConstraint indices='3 0'/>");
    checkFollows(correction + "<UniformLagrangianConstraint constrainToRestPos='1'/>",
                 correction + "<UniformLagrangianConstraint constrainToRestPos='1'/>");
    checkFollows(correction + "<SlidingLagrangianConstraint sliding_point='3' axis_1='5' axis_2='4'/>",
                 correction + "<SlidingLagrangianConstraint sliding_point='3' axis_1='0' axis_2='4'/>");
    Run run(strip(correction + "<SlidingLagrangianConstraint name='s' sliding_point='0' axis_1='5' axis_2='4'/>"));
    CHECK_THROWS_WITH(change(run), Catch::Contains("the point of sliding_point would go"));
    CHECK(run.state().size() == 6);
    CHECK(text(run, "s", "axis_1") == "5");
}

TEST_CASE("Mapped subsets follow the numbers of their points, and keep these")
{
    const auto with = [](const std::string& indices) {
        return "<Node name='some'><MechanicalObject position='0 0 0  1 0 0'/><UniformMass "
               "vertexMass='1'/><SubsetMapping name='s' indices='" +
               indices + "'/><ConstantForceField forces='1 2 3'/></Node>";
    };
    checkFollows(with("5 2"), with("0 2"));
    Run run(strip(with("5 0")));
    CHECK_THROWS_WITH(change(run), Catch::Contains("/body/some/s' (SubsetMapping): a point that it maps would go"));
    CHECK(run.body().child("some")->component("s")->findData("indices")->text() == "5 0");
    Run other(strip(with("5 2")));
    change(other);
    other.steps(1);
    checkMapping(dynamic_cast<BaseMapping&>(*other.body().child("some")->component("s")), {.translates = true});
}

TEST_CASE("A visual model with the faces of a mesh refuses points that it does not have")
{
    Run run(
        strip("<Node name='v'><OglModel name='faces' topology='@../mesh' position='0 0 0  0 1 0  1 0 0  1 1 0  2 0 0 "
              " 2 1 0'/><BarycentricMapping/></Node>"));
    TopologyTransaction t(run.mesh());
    const Index p = t.addPoints({{{1, 0.5}, {2, 0.5}}});
    t.add(ElementType::Triangles, std::array<Index, 3>{1, 2, p});
    CHECK_THROWS_WITH(t.commit(), Catch::Contains("would have points that it does not have"));
    CHECK(run.state().size() == 6);
}

TEST_CASE("Drag, boxes that turn and pressure by volume follow points")
{
    const auto drag = [](const std::string& c) {
        return "<DiagonalVelocityDampingForceField dampingCoefficient='" + c + "'/>";
    };
    checkFollows(drag("1 0 1  2 0 2  3 0 3  4 0 4  5 0 5  6 0 6"),
                 drag("6 0 6  2 0 2  3 0 3  4 0 4  5 0 5  2.5 0 2.5"));
    checkFollows(drag("1 2 3"), drag("1 2 3"));
    Run run(strip(drag("1 0 0  2 0 5")));  // the last value is that of all further points
    CHECK_THROWS_WITH(change(run), Catch::Contains("DiagonalVelocityDampingForceField"));
    CHECK(run.state().size() == 6);
    const std::string box =
        "<WashingMachineForceField center='1 0.5 0.1' size='1.5 0.8 0.3' speed='0' stiffness='50'/>";
    checkFollows(box, box);
    const std::string pressure = "<TaitSurfacePressureForceField p0='5'/>";
    checkFollows(pressure, pressure);
}

TEST_CASE("What changes of a closed surface make of its volume is no change of its volume")
{
    // A tetrahedral surface under pressure by volume, at rest: dividing a face with a new point in its plane changes
    // nothing, taking the new corner away changes the volume at rest, and so nothing either.
    Run r(
        "<Node name='root' dt='0.01' gravity='0 0 0'><DefaultAnimationLoop/><Node name='body'><EulerImplicitSolver/>"
        "<CGLinearSolver iterations='50' tolerance='1e-12' threshold='1e-12'/><TriangleSetTopologyContainer "
        "name='mesh' position='0 0 0  1 0 0  0 1 0  0 0 1' triangles='0 2 1  0 1 3  0 3 2  1 2 3'/>"
        "<TriangleSetTopologyModifier/><MechanicalObject name='x'/><UniformMass vertexMass='1'/>"
        "<TaitSurfacePressureForceField name='p' B='10' gamma='7'/></Node></Node>");
    splitAtCentre(r.mesh(), ElementType::Triangles, 3);
    r.steps(3);
    for (const Vec3& v : r.state().velocities()) CHECK(norm(v) < 1e-13);
    CHECK(std::stod(text(r, "p", "currentPressure")) == Approx(0.).margin(1e-12));
    CHECK(r.body().component("p")->isValid());
}

TEST_CASE("Contacts of a scene and oscillators go with their points")
{
    const auto contacts = [](const std::string& lists) {
        return correction + "<UnilateralLagrangianConstraint " + lists + "/>";
    };
    checkFollows(
        contacts("first_point='5 0 2' second_point='4 1 3' normal='0 -1 0  0 0 1  1 0 0' distance='0.9 0 0.8'"),
        contacts("first_point='0 2' second_point='4 3' normal='0 -1 0  1 0 0' distance='0.9 0.8'"));
    checkFollows(contacts("first_point='5 1' second_point='0 3' normal='1 0 0'"),
                 contacts("first_point='1' second_point='3' normal='1 0 0'"));
    // At frequency zero they do not depend on the time.
    checkFollows("<OscillatorProjectiveConstraint oscillators='0 0 0 0 1 1 1 0 1.5  5 2 1 0 0.1 0 0 0 1.5'/>",
                 "<OscillatorProjectiveConstraint oscillators='0 2 1 0 0.1 0 0 0 1.5'/>");
}

TEST_CASE("Engines compute anew what they measure on points and elements")
{
    const auto check = [](const std::string& before, const std::string& after, const std::string& data) {
        INFO(before);
        const std::string end = " name='e'/>";
        Run run(strip(before + end)), untouched(strip(before + end));
        const std::string start = text(run, "e", data);
        change(run);
        const Run fresh(stripNow(run, after + end));
        CHECK(text(run, "e", data) == text(fresh, "e", data));
        run.steps(1);
        run.simulation->reset();
        CHECK(text(run, "e", data) == start);
        CHECK(text(untouched, "e", data) == start);
    };
    check("<AverageCoord indices='0 5 2'", "<AverageCoord indices='0 2'", "average");
    check("<AverageCoord", "<AverageCoord", "average");
    for (const char* data : {"indices1", "indices2", "distances"})
        check("<NearestPointROI object1='@x' object2='@x' inputIndices1='0 1 5' inputIndices2='2 3' radius='1.5'",
              "<NearestPointROI object1='@x' object2='@x' inputIndices1='1 0' inputIndices2='2 3' radius='1.5'", data);
    check("<SmoothMeshEngine input_position='@x.position' input_indices='0 5 2'",
          "<SmoothMeshEngine input_position='@x.position' input_indices='0 2'", "output_position");
    check("<SmoothMeshEngine input_position='@x.position'", "<SmoothMeshEngine input_position='@x.position'",
          "output_position");
    check("<VolumeFromTriangles update='1'", "<VolumeFromTriangles update='1'", "volume");
    for (const std::string number : {"2", "-1"}) {
        const std::string clusters =
            "<ClusteringEngine position='@x.rest_position' number='" + number + "' radius='0.8' useTopo='0'";
        check(clusters, clusters, "cluster");
    }
    for (const char* data :
         {"barycentricPositions", "tableElements", "linearInterpolationIndices", "linearInterpolationValues"}) {
        const std::string places =
            "<MeshBarycentricMapperEngine computeLinearInterpolation='1' "
            "mappedPointPositions='0.9 0.9 0  1.2 0.3 0.1  0.2 0.4 0' inputPositions='";
        check(places + "@x.rest_position'", places + "@x.rest_position'", data);
        check(places + "0 0 0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0'",
              places + "2 1 0  0 1 0  1 0 0  1 1 0  2 0 0  0.5 0.5 0'", data);
    }
    check("<EvalPointsDistance object1='@x' object2='@x'", "<EvalPointsDistance object1='@x' object2='@x'", "distMean");

    Run run(strip("<AverageCoord name='e' indices='0'/>"));
    CHECK_THROWS_WITH(change(run), Catch::Contains("/body/e' (AverageCoord): the last point of indices would go"));
    CHECK(text(run, "e", "indices") == "0");
    CHECK(run.state().size() == 6);
    Run pairs(strip("<NearestPointROI name='e' object1='@x' object2='@x' inputIndices2='0'/>"));
    CHECK_THROWS_WITH(change(pairs), Catch::Contains("(NearestPointROI): the last point of inputIndices2 would go"));
}

TEST_CASE("Volumes of elements follow them, or stay what they were at the start")
{
    for (const bool follows : {true, false}) {
        Run r(
            "<Node name='root' dt='0.01' gravity='0 0 0'><DefaultAnimationLoop/><Node "
            "name='body'><EulerImplicitSolver/><CGLinearSolver "
            "iterations='9' tolerance='1e-9' threshold='1e-9'/><TetrahedronSetTopologyContainer name='mesh' "
            "position='0 0 0  1 0 0  0 1 0  0 0 1  1 1 1' tetrahedra='0 1 2 3  1 2 3 4'/>"
            "<TetrahedronSetTopologyModifier/><MechanicalObject name='x'/><UniformMass vertexMass='1'/>"
            "<VolumeFromVolumetricElements name='e' update='" +
            std::string(follows ? "1" : "0") + "'/></Node></Node>");
        CHECK(std::stod(text(r, "e", "volume")) == Approx(0.5));
        removeElements(r.mesh(), ElementType::Tetrahedra, {1});
        CHECK(r.state().size() == 4);
        CHECK(std::stod(text(r, "e", "volume")) == Approx(follows ? 1. / 6. : 0.5));
        r.simulation->reset();
        CHECK(std::stod(text(r, "e", "volume")) == Approx(0.5));
    }
}

TEST_CASE("Points in frames keep their frame and place, and new ones stand where they were put")
{
    const std::string scene =
        "<Node name='root' dt='0.01' gravity='0 0 -9.81'><DefaultAnimationLoop/><Node "
        "name='frames'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-12' threshold='1e-12'/>"
        "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  2 0 0 0 0 0.6 0.8' velocity='0 0 0 1 2 3  0 0 0 "
        "-3 1 1'/><UniformMass vertexMass='1'/><Node name='body'><TriangleSetTopologyContainer name='mesh' position='0 "
        "0 0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0' triangles='0 2 1  1 2 3  2 4 3  3 4 "
        "5'/><TriangleSetTopologyModifier/><MechanicalObject name='x'/><RigidMapping name='m' "
        "geometricStiffness='Exact' globalToLocalCoords='1' "
        "rigidIndexPerPoint='0 0 0 1 1 1'/><ConstantForceField totalForce='1 2 3'/></Node></Node></Node>";
    struct Framed
    {
        explicit Framed(const std::string& s) : root(loadSceneText(s, "framed.scn"))
        {
            REQUIRE(root);
            simulation = std::make_unique<Simulation>(root);
            REQUIRE(simulation->init());
        }
        Node& body() const { return *root->child("frames")->child("body"); }
        State<Vec3Types>& state() const { return *body().get<State<Vec3Types>>(Search::Local); }
        StoredTopology& mesh() const { return *body().get<StoredTopology>(Search::Local); }
        std::string data(const std::string& name) const { return body().component("m")->findData(name)->text(); }
        std::shared_ptr<Node> root;
        std::unique_ptr<Simulation> simulation;
    };
    const Framed r(scene), untouched(scene), again(scene);
    for (int k = 0; k < 3; ++k) r.simulation->step();
    const Vector<Vec3> before = r.state().positions();
    removeElements(r.mesh(), ElementType::Triangles, {0});  // point 5 takes the number of 0
    TopologyTransaction t(r.mesh());
    const Index within = t.addPoints({{{1, 0.5}, {2, 0.5}}}), between = t.addPoints({{{2, 0.25}, {3, 0.75}}});
    t.add(ElementType::Triangles, std::array<Index, 3>{1, 2, within});
    t.add(ElementType::Triangles, std::array<Index, 3>{1, between, 3});
    t.commit();
    CHECK(r.data("rigidIndexPerPoint") == "1 0 0 1 1 0 1");
    const Vector<Vec3> now = r.state().positions();
    REQUIRE(now.size() == 7);
    const Vector<Vec3> expected{before[5],
                                before[1],
                                before[2],
                                before[3],
                                before[4],
                                (before[1] + before[2]) * 0.5,
                                before[2] * 0.25 + before[3] * 0.75};
    for (std::size_t i = 0; i < 7; ++i) CHECK(norm(now[i] - expected[i]) < 1e-14);
    r.simulation->step();
    // Distances within a frame stay.
    const auto& x = r.state().positions();
    CHECK(norm(x[5] - x[1]) == Approx(norm(now[5] - now[1])));
    CHECK(norm(x[6] - x[0]) == Approx(norm(now[6] - now[0])));
    checkMapping(dynamic_cast<BaseMapping&>(*r.body().component("m")), {.translates = false});

    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    saveCheckpoint(*r.simulation, file);
    r.simulation->step();
    loadCheckpoint(*again.simulation, file);
    again.simulation->step();
    CHECK(again.data("rigidIndexPerPoint") == r.data("rigidIndexPerPoint"));
    CHECK(again.state().positions() == r.state().positions());
    r.simulation->reset();
    CHECK(r.data("rigidIndexPerPoint") == "0 0 0 1 1 1");
    for (int k = 0; k < 2; ++k) {
        r.simulation->step();
        untouched.simulation->step();
    }
    CHECK(r.state().positions() == untouched.state().positions());
}

TEST_CASE("A stop follows its coordinate, which cannot go, and frames keep the turn that they had")
{
    const std::string head =
        "<Node name='root' dt='0.01' gravity='0 0 0'><FreeMotionAnimationLoop/>"
        "<BlockGaussSeidelConstraintSolver/><Node name='body'><EulerImplicitSolver/>"
        "<CGLinearSolver iterations='50' tolerance='1e-12' threshold='1e-12'/>"
        "<PointSetTopologyContainer name='mesh' position='0 0 0  1 0 0  2 0 0  3 0 0'/>"
        "<PointSetTopologyModifier/>";
    const auto load = [&](const std::string& rest) {
        auto root = loadSceneText(head + rest + "</Node></Node>", "stop.scn");
        REQUIRE(root);
        auto simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
        return std::pair{root, std::move(simulation)};
    };
    const auto removePoint = [](Node& body, Index p) {
        TopologyTransaction t(*body.get<StoredTopology>(Search::Local));
        t.remove(ElementType::Points, {p});
        t.commit();
    };
    {
        const auto scene = load(
            "<MechanicalObject template='Vec1' name='x' position='0 0 0 0' velocity='0 0 0 5'/>"
            "<UniformMass vertexMass='1'/><UncoupledConstraintCorrection "
            "defaultCompliance='0.0001'/><StopperLagrangianConstraint name='s' index='3' max='0.01' "
            "min='-1'/>");
        Node& body = *scene.first->child("body");
        removePoint(body, 1);
        CHECK(body.component("s")->findData("index")->text() == "1");
        for (int k = 0; k < 5; ++k) scene.second->step();
        CHECK(body.get<State<Vec1Types>>(Search::Local)->positions()[1][0] == Approx(0.01).margin(1e-6));
        CHECK_THROWS_WITH(removePoint(body, 1), Catch::Contains("the point of index would go"));
        scene.second->reset();
        CHECK(body.component("s")->findData("index")->text() == "3");
    }
    const auto scene = load(
        "<MechanicalObject template='Rigid3' name='x' position='0 0 0 0 0 0 1  1 0 0 0.6 0 0 0.8  2 0 0 "
        "0 0 0 1  3 0 0 -0.8 0 0 0.6' velocity='0 0 0 0 0 0  0 0 0 3 0 0  0 0 0 0 0 0  0 0 0 2 0 0'/>"
        "<UniformMass vertexMass='1'/><UncoupledConstraintCorrection "
        "defaultCompliance='0.0001'/><FixedRotationProjectiveConstraint FixedXRotation='1'/>");
    Node& body = *scene.first->child("body");
    const auto& x = *body.get<State<Rigid3Types>>(Search::Local);
    const Vector<RigidCoord3> start = x.positions();
    removePoint(body, 0);
    for (int k = 0; k < 5; ++k) scene.second->step();
    const std::array<Index, 3> from{3, 1, 2};
    REQUIRE(x.size() == 3);
    for (Index i = 0; i < 3; ++i)
        CHECK(std::abs((x.positions()[i].orientation.inverse() * start[from[i]].orientation)[3]) == Approx(1.));
}

TEST_CASE("Clusters along edges are those of the mesh that is there")
{
    // In any order, which is that of the edges.
    const auto clusters = [](const Run& r) {
        auto all = dynamic_cast<Data<Vector<Vector<Index>>>&>(*r.body().component("e")->findData("cluster")).value();
        for (Vector<Index>& c : all) std::ranges::sort(c);
        return all;
    };
    for (const std::string number : {"2", "-1"}) {
        const std::string engine =
            "<ClusteringEngine name='e' position='@x.rest_position' number='" + number + "' radius='0.8'/>";
        Run run(strip(engine));
        const auto start = clusters(run);
        change(run);
        CHECK(clusters(run) == clusters(Run(stripNow(run, engine))));
        CHECK((clusters(run) != start) == (number == "-1"));
        run.simulation->reset();
        CHECK(clusters(run) == start);
    }
}

TEST_CASE("The last element cannot go from under points that an engine places")
{
    Run run(
        strip("<MeshBarycentricMapperEngine name='e' inputPositions='@x.rest_position' "
              "mappedPointPositions='1 0.5 0'/>"));
    CHECK_THROWS_WITH(
        removeElements(run.mesh(), ElementType::Triangles, {0, 1, 2, 3}),
        Catch::Contains("/body/e' (MeshBarycentricMapperEngine): the last element of '/body/mesh' would go"));
    CHECK(run.mesh().triangles().size() == 4);
    CHECK(run.state().size() == 6);
}

TEST_CASE("Clusters that are given go with their points, and new points come to that of their nearest ancestor")
{
    // Number 7 is the second fixed point.
    const TemporaryDirectory folder;
    const auto file = (folder / "clusters.txt").string();
    std::ofstream(file) << "1 1 1 2 -1\n4 0 1 2 7\n3 3 4 5\n";
    const std::string scene = strip(
        "<ClusteringEngine name='e' fixedPosition='0 0 1  0 0 2' position='@x.position' "
        "inFile='" +
        file + "'/>");
    Run run(scene), again(scene);
    const std::string start = text(run, "e", "cluster");
    change(run);
    CHECK(text(run, "e", "cluster") == "[1 2 7 5] [3 4 0]");
    {
        TopologyTransaction t(run.mesh());
        t.addPoints({{{3, 1.}}});
        t.commit();
    }
    const std::string now = "[1 2 5 8] [3 4 0 6]";
    CHECK(text(run, "e", "cluster") == now);
    saveCheckpoint(*run.simulation, (folder / "c.bin").string());
    loadCheckpoint(*again.simulation, (folder / "c.bin").string());
    CHECK(text(again, "e", "cluster") == now);
    for (Run* r : {&run, &again}) {
        r->simulation->reset();
        CHECK(text(*r, "e", "cluster") == start);
    }
}

TEST_CASE("Shapes are matched on what is there")
{
    const auto matching = [](const std::string& more) {
        return "<ShapeMatching name='e' affineRatio='0.3' iterations='2' " + more + "/>";
    };
    const std::string engine = "<ClusteringEngine name='c' position='@x.rest_position' number='2' radius='1'/>";
    for (const auto& [before, after] :
         {std::pair{matching("cluster='[0 1 2] [2 3 4 5]'"), matching("cluster='[1 2 5] [2 3 4 0]'")},
          std::pair{engine + matching("cluster='@c.cluster'"), engine + matching("cluster='@c.cluster'")}}) {
        Run run(strip(before));
        const std::string start = text(run, "e", "targetPosition");
        auto x = run.state().positions();
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] += Vec3{0.1 * double(i % 2), 0.05 * double(i % 3), 0.2 * x[i][0]};
        run.state().write(vec_id::position) = x;
        change(run);
        const Run fresh(stripNow(run, after));
        fresh.take(run);
        const auto targets = [](const Run& r) {
            return dynamic_cast<Data<Vector<Vec3>>&>(*r.body().component("e")->findData("targetPosition")).value();
        };
        CHECK(difference(targets(run), targets(fresh)) < 1e-14);
        CHECK(difference(targets(run), run.state().positions()) > 1e-3);
        run.simulation->reset();
        CHECK(text(run, "e", "targetPosition") == start);
    }
}

TEST_CASE("Forces of a file stay with their points, and new points have none")
{
    const TemporaryDirectory folder;
    io::VegaMatrix m;
    m.rows = 18;
    m.columns = 20;
    for (int k = 0; k < m.columns; ++k)
        for (int i = 0; i < m.rows; ++i) m.values.push_back(i % 3 == 2 ? 0. : 1. + i);
    const auto file = folder / "loads.bin";
    io::writeVegaMatrix(file, m);
    checkFollows("<ForceSequence filename='" + file.string() + "'/>",
                 "<ConstantForceField forces='16 17 0  4 5 0  7 8 0  10 11 0  13 14 0  0 0 0'/>");
}

TEST_CASE("Faces that a visual model has itself stay as long as their points")
{
    const std::string refusing = "<Node name='z'><AverageCoord name='e' mstate='@../x' indices='0'/></Node>";
    const auto model = [](const std::string& points) {
        return "<Node name='v'><OglModel name='o' " + points +
               " triangles='0 2 1  1 2 3  2 4 3  3 4 5' groups='a g -1 0 "
               "0 0 2 0 0  b h -1 0 0 2 2 0 0'/><IdentityMapping/></Node>";
    };
    const auto plain =
        model("position='0 0 0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0' texcoords='0 0  0 1  1 0  1 1  2 0  2 1'");
    // Vertices 6 and 7 are points 0 and 3 once more; the first triangle but one has 3 by vertex 7.
    std::string split = model(
        "position='0 0 0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0  0 0 0  1 1 0' vertPosIdx='0 1 2 3 4 5 0 3' "
        "texcoords='0 0  0 1  1 0  1 1  2 0  2 1  5 5  6 6'");
    split.replace(split.find("1 2 3  2 4 3"), 5, "1 2 7");
    const std::map<std::string, std::string> after[] = {{{"triangles", "1 2 3 2 4 3 3 4 0"},
                                                         {"texcoords", "2 1 0 1 1 0 1 1 2 0 0.5 0.5"},
                                                         {"groups", "a g -1 0 0 0 1 0 0 b h -1 0 0 1 2 0 0"}},
                                                        // Vertices are 1 2 3 4 5 7 of before.
                                                        {{"triangles", "0 1 5 1 3 2 2 3 4"},
                                                         {"texcoords", "0 1 1 0 1 1 2 0 2 1 6 6"},
                                                         {"vertPosIdx", "1 2 3 4 0 3"},
                                                         {"groups", "a g -1 0 0 0 1 0 0 b h -1 0 0 1 2 0 0"}}};
    for (std::size_t k = 0; k < 2; ++k) {
        const std::string scene = strip(k == 0 ? plain : split);
        const auto data = [](const Run& r, const std::string& name) {
            return r.body().child("v")->component("o")->findData(name)->text();
        };
        Run run(scene), again(scene), refused(strip((k == 0 ? plain : split) + refusing));
        std::map<std::string, std::string> start;
        for (const auto& [name, value] : after[k]) start[name] = data(run, name);
        CHECK_THROWS_WITH(change(refused), Catch::Contains("the last point of indices would go"));
        for (const auto& [name, value] : start) CHECK(data(refused, name) == value);
        change(run);
        run.steps(2);
        for (const auto& [name, value] : after[k]) {
            INFO(name);
            CHECK(data(run, name) == value);
        }
        // The normals are those of the faces that are left: up, but for the new point.
        auto& o = dynamic_cast<State<Vec3Types>&>(*run.body().child("v")->component("o"));
        CHECK(o.size() == 6);
        const auto& normals = o.read(vec_id::normal);
        REQUIRE(normals.size() == 6);
        for (std::size_t i = 0; i < (k == 0 ? 5U : 6U); ++i) CHECK(normals[i] == Vec3{0., 0., 1.});
        const TemporaryDirectory folder;
        saveCheckpoint(*run.simulation, (folder / "c.bin").string());
        loadCheckpoint(*again.simulation, (folder / "c.bin").string());
        for (const auto& [name, value] : after[k]) CHECK(data(again, name) == value);
        for (Run* r : {&run, &again}) {
            r->simulation->reset();
            for (const auto& [name, value] : start) CHECK(data(*r, name) == value);
            r->steps(1);
        }
    }
}

}  // namespace load_followers_test
