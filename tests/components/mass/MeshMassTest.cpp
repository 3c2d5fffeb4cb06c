// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>
#include <fstream>

#include "components/mass/DiagonalMass.h"
#include "components/mass/MeshMatrixMass.h"
#include "tests/harness/MassCheck.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace mesh_mass_test {

using namespace sofa;
using namespace sofa::core;
using component::DiagonalMass;
using component::MeshMatrixMass;

namespace {

enum class Mesh
{
    Edges,
    Triangles,
    Quads,
    Tetrahedra,
    Hexahedra,
    Collapsed  ///< a hexahedron with an edge that has no length
};
constexpr Mesh s_meshes[] = {Mesh::Edges, Mesh::Triangles, Mesh::Quads, Mesh::Tetrahedra, Mesh::Hexahedra};

/// Every pair of an element's vertices that is an edge.
template <class Element, std::size_t N>
void addEdges(test::TestTopology& t, const Element& e, const std::array<std::array<int, 2>, N>& pairs)
{
    for (const auto& [a, b] : pairs) {
        const Edge edge{e[static_cast<std::size_t>(a)], e[static_cast<std::size_t>(b)]};
        const auto same = [&](const Edge& other) { return sortedVertices(other) == sortedVertices(edge); };
        if (std::none_of(t.edgeList.begin(), t.edgeList.end(), same)) t.edgeList.push_back(edge);
    }
}

constexpr std::array<std::array<int, 2>, 3> s_triangleEdges{{{0, 1}, {1, 2}, {0, 2}}};
constexpr std::array<std::array<int, 2>, 4> s_quadEdges{{{0, 1}, {1, 2}, {2, 3}, {0, 3}}};
constexpr std::array<std::array<int, 2>, 6> s_tetrahedronEdges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
constexpr std::array<std::array<int, 2>, 12> s_hexahedronEdges{
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

/// A part of the unit cube with its points; returns its length, area or volume.
double addMesh(Node& root, Mesh mesh)
{
    auto& t = root.create<test::TestTopology>();
    t.points = 8;
    switch (mesh) {
        case Mesh::Edges:
            t.edgeList = {{0, 1}, {1, 2}, {2, 6}};
            return 3.;
        case Mesh::Triangles:
            t.triangleList = {{0, 1, 2}, {0, 2, 3}};
            for (const auto& e : t.triangleList) addEdges(t, e, s_triangleEdges);
            return 1.;
        case Mesh::Quads:
            t.quadList = {{0, 1, 2, 3}, {1, 5, 6, 2}};
            for (const auto& e : t.quadList) addEdges(t, e, s_quadEdges);
            return 2.;
        case Mesh::Tetrahedra:
            t.tetrahedronList = test::cubeTetrahedra();
            for (const auto& e : t.tetrahedronList) addEdges(t, e, s_tetrahedronEdges);
            return 1.;
        case Mesh::Collapsed:
        case Mesh::Hexahedra:
            t.hexahedronList = test::cubeHexahedron();
            if (mesh == Mesh::Collapsed) t.hexahedronList[0][7] = t.hexahedronList[0][6];
            for (const auto& e : t.hexahedronList) addEdges(t, e, s_hexahedronEdges);
            return 1.;
    }
    return 0.;
}

template <class M>
M& build(Node& root, const std::string& type, Mesh mesh, const test::Attributes& attributes, bool valid = true)
{
    root.d_gravity.setValue({0.3, -9.81, 1.});
    test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(test::cubePoints()));
    addMesh(root, mesh);
    auto& m = test::addComponent<M>(root, type, attributes);
    CHECK(test::initialise(root) == valid);
    return m;
}

using Diagonal = DiagonalMass<Vec3Types>;
using Matrix = MeshMatrixMass<Vec3Types>;

Eigen::MatrixXd matrixOf(BaseMass& m, BaseState& s)
{
    const test::StateSet states({&s});
    test::DenseAccumulator a(states);
    m.buildMass(MechanicalParams(), a);
    return a.matrix();
}

}  // namespace

HARNESS_MASS("DiagonalMass")
{
    for (const Mesh mesh : s_meshes) {
        Node root;
        test::checkMass(build<Diagonal>(root, "DiagonalMass", mesh, {{"totalMass", "3"}}), {.totalMass = 3.});
    }
    Node root;
    SECTION("Rigid3")
    {
        test::addState<Rigid3Types>(root, test::coordinates<Rigid3Types>({{0., 1., 2.}, {1., 0., 0.}}));
        auto& m = test::addComponent<DiagonalMass<Rigid3Types>>(
            root, "DiagonalMass", {{"vertexMass", "15 1 [20 0 0,0 10 0.5,0 0.5 20] 1 1 [1 0 0,0 1 0,0 0 1]"}});
        REQUIRE(test::initialise(root));
        CHECK(m.templateName() == "Rigid3,Rigid3");
        test::checkMass(m, {.totalMass = 16., .constantPose = false});
    }
    SECTION("Rigid2")
    {
        test::addState<Rigid2Types>(root, test::coordinates<Rigid2Types>({{0., 1., 0.}, {1., 0., 0.}}));
        auto& m = test::addComponent<DiagonalMass<Rigid2Types>>(root, "DiagonalMass", {{"mass", "15 1 2  1 1 3"}});
        REQUIRE(test::initialise(root));
        test::checkMass(m, {.totalMass = 16.});
    }
    SECTION("Vec1 on a mesh in space")
    {
        auto& geometry = *root.createChild("geometry");
        test::addState<Vec3Types>(geometry, test::coordinates<Vec3Types>(test::cubePoints()));
        addMesh(geometry, Mesh::Tetrahedra);
        auto& heat = *geometry.createChild("heat");
        test::addState<Vec1Types>(heat, Vec1Types::VecCoord(8));
        auto& m = test::addComponent<DiagonalMass<Vec1Types, Vec3Types>>(
            heat, "DiagonalMass", {{"template", "Vec1,Vec3"}, {"massDensity", "6"}});
        REQUIRE(test::initialise(root));
        root.d_gravity.setValue({1., 0., 0.});
        test::checkMass(m, {.totalMass = 6.});
    }
}

HARNESS_MASS("MeshMatrixMass")
{
    for (const Mesh mesh : s_meshes) {
        for (const char* lumping : {"0", "1"}) {
            Node root;
            auto& m = build<Matrix>(root, "MeshMatrixMass", mesh, {{"totalMass", "3"}, {"lumping", lumping}});
            CHECK(m.isDiagonal() == (std::string(lumping) == "1"));
            test::checkMass(m, {.totalMass = 3.});
        }
    }
    SECTION("an edge that joins a point with itself")
    {
        Node root;
        test::checkMass(build<Matrix>(root, "MeshMatrixMass", Mesh::Collapsed, {{"totalMass", "3"}}),
                        {.totalMass = 3.});
    }
    SECTION("Vec1 on a mesh in space")
    {
        Node root;
        root.d_gravity.setValue({1., 0., 0.});
        auto& s = test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(test::cubePoints()));
        s.setName("geometry");
        addMesh(root, Mesh::Hexahedra);
        auto& heat = *root.createChild("heat");
        test::addState<Vec1Types>(heat, Vec1Types::VecCoord(8));
        auto& m = test::addComponent<MeshMatrixMass<Vec1Types, Vec3Types>>(
            heat, "MeshMatrixMass", {{"geometryState", "@../geometry"}, {"massDensity", "2"}});
        REQUIRE(test::initialise(root));
        CHECK(m.templateName() == "Vec1,Vec3");
        test::checkMass(m, {.totalMass = 2.});
    }
}

TEST_CASE("the mass of a mesh is its density times its measure, also away from the rest positions")
{
    for (const Mesh mesh : s_meshes) {
        Node root;
        const double measure = addMesh(root, mesh);
        root.components();
        auto& s = test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(test::cubePoints()));
        Vector<Vec3> doubled = s.positions();
        for (Vec3& x : doubled) x *= 2.;
        s.d_position.setValue(doubled);
        const double dimension = mesh == Mesh::Edges ? 1. : mesh == Mesh::Triangles || mesh == Mesh::Quads ? 2. : 3.;
        const auto total = [&](const std::string& type, const std::string& onRest) {
            auto& m = test::addComponent(root, type, {{"massDensity", "5"}, {"computeMassOnRest", onRest}});
            m.init();
            REQUIRE(m.isValid());
            return dynamic_cast<Data<double>&>(*m.findData("totalMass")).value();
        };
        for (const std::string type : {"DiagonalMass", "MeshMatrixMass"}) {
            CHECK(total(type, "1") == Approx(5. * measure));
            CHECK(total(type, "0") == Approx(5. * measure * std::pow(2., dimension)));
        }
    }
}

TEST_CASE("row sums of the mesh matrix are the lumped masses, and those of a diagonal mass")
{
    for (const Mesh mesh : s_meshes) {
        Node root;
        auto& sparse = build<Matrix>(root, "MeshMatrixMass", mesh, {{"massDensity", "4"}});
        auto& lumped = test::addComponent<Matrix>(root, "MeshMatrixMass", {{"massDensity", "4"}, {"lumping", "1"}});
        auto& diagonal = test::addComponent<Diagonal>(root, "DiagonalMass", {{"massDensity", "4"}});
        lumped.init();
        diagonal.init();
        const Eigen::MatrixXd m = matrixOf(sparse, sparse.state());
        const Eigen::MatrixXd l = matrixOf(lumped, sparse.state());
        for (Eigen::Index i = 0; i < m.rows(); i += 3) {
            CHECK(m.row(i).sum() == Approx(l(i, i)).margin(1e-15));
            CHECK(diagonal.pointMass(static_cast<Index>(i / 3)) == Approx(l(i, i)).margin(1e-15));
        }
    }
}

TEST_CASE("the mass matrices of edges, triangles and tetrahedra are the consistent ones")
{
    // ∫ ρ φᵢ φⱼ over a simplex of n vertices and measure V: ρ V (1 + δᵢⱼ) / (n (n + 1)).
    const auto check = [](Mesh mesh, double n, double measure) {
        Node root;
        auto& s = test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(test::cubePoints()));
        auto& t = root.create<test::TestTopology>();
        t.points = 8;
        if (mesh == Mesh::Edges) t.edgeList = {{0, 1}};
        if (mesh == Mesh::Triangles) t.triangleList = {{0, 1, 3}};
        if (mesh == Mesh::Tetrahedra) t.tetrahedronList = {{0, 1, 3, 4}};
        if (mesh == Mesh::Triangles) addEdges(t, t.triangleList[0], s_triangleEdges);
        if (mesh == Mesh::Tetrahedra) addEdges(t, t.tetrahedronList[0], s_tetrahedronEdges);
        auto& m = test::addComponent<Matrix>(root, "MeshMatrixMass", {{"massDensity", "7"}});
        REQUIRE(test::initialise(root));
        const Eigen::MatrixXd a = matrixOf(m, s);
        CHECK(a(0, 0) == Approx(7. * measure * 2. / (n * (n + 1.))));
        CHECK(a(0, 3) == Approx(7. * measure / (n * (n + 1.))));
        CHECK(a(0, 1) == 0.);
    };
    check(Mesh::Edges, 2., 1.);
    check(Mesh::Triangles, 3., 0.5);
    check(Mesh::Tetrahedra, 4., 1. / 6.);
}

TEST_CASE("the mass matrices of quads and hexahedra are the consistent ones, unless SOFA's are wanted")
{
    // Products of ∫ N² = 1/3 and ∫ N₁ N₂ = 1/6 along the sides.
    const auto scalarMatrix = [](Mesh mesh, bool sofa, const std::vector<Vec3>& points,
                                 const Vector<Edge>& moreEdges = {}) {
        Node root;
        root.d_compatibility.setValue(Options({"exact", "sofa"}, sofa ? 1 : 0));
        auto& s = test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(points));
        auto& t = root.create<test::TestTopology>();
        t.points = static_cast<Index>(points.size());
        if (mesh == Mesh::Quads) t.quadList = {{0, 1, 2, 3}};
        if (mesh == Mesh::Hexahedra) t.hexahedronList = test::cubeHexahedron();
        if (mesh == Mesh::Quads) addEdges(t, t.quadList[0], s_quadEdges);
        if (mesh == Mesh::Hexahedra) addEdges(t, t.hexahedronList[0], s_hexahedronEdges);
        for (const Edge& e : moreEdges) t.edgeList.push_back(e);
        auto& m = test::addComponent<Matrix>(root, "MeshMatrixMass", {{"massDensity", "7"}});
        REQUIRE(test::initialise(root));
        test::checkMass(m, {.totalMass = m.d_totalMass.value()});
        const Eigen::MatrixXd all = matrixOf(m, s);
        Eigen::MatrixXd a(all.rows() / 3, all.cols() / 3);
        for (Eigen::Index i = 0; i < a.rows(); ++i)
            for (Eigen::Index j = 0; j < a.cols(); ++j) a(i, j) = all(3 * i, 3 * j);
        return a;
    };
    const auto smallest = [](const Eigen::MatrixXd& a) {
        return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues()[0];
    };
    std::vector<Vec3> brick = test::cubePoints(), skew = brick;
    for (Vec3& x : brick) x = {2. * x[0], 3. * x[1], 0.5 * x[2]};
    const std::vector<Vec3> plate{brick[0], brick[1], brick[2], brick[3]};
    SECTION("a brick")
    {
        const double rhoV = 7. * 3.;
        const Eigen::MatrixXd a = scalarMatrix(Mesh::Hexahedra, false, brick);
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t j = 0; j < 8; ++j) {
                double expected = rhoV;
                for (std::size_t k = 0; k < 3; ++k) expected *= brick[i][k] == brick[j][k] ? 1. / 3. : 1. / 6.;
                CHECK(a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) == Approx(expected));
            }
        CHECK(smallest(a) == Approx(rhoV / 216.));
        CHECK(smallest(scalarMatrix(Mesh::Hexahedra, true, brick)) == Approx(-rhoV / 40.));
        // A diagonal that is an edge of the mesh, too.
        CHECK((scalarMatrix(Mesh::Hexahedra, false, brick, {{2, 0}, {1, 7}}) - a).norm() < 1e-14);
    }
    SECTION("a rectangle")
    {
        const double rhoA = 7. * 6.;
        const Eigen::MatrixXd a = scalarMatrix(Mesh::Quads, false, plate);
        CHECK(a(0, 0) == Approx(rhoA / 9.));
        CHECK(a(0, 1) == Approx(rhoA / 18.));
        CHECK(a(0, 2) == Approx(rhoA / 36.));
        CHECK(smallest(a) == Approx(rhoA / 36.));
        CHECK(std::abs(smallest(scalarMatrix(Mesh::Quads, true, plate))) < 1e-14);
    }
    SECTION("a hexahedron that is no brick")
    {
        skew[6] += Vec3{0.3, 0.2, -0.2};
        CHECK(smallest(scalarMatrix(Mesh::Hexahedra, false, skew)) > 0.);
    }
}

TEST_CASE("totalMass wins over massDensity, which wins over vertexMass")
{
    MessageCapture capture;
    const std::string eight = "1 1 1 1 1 1 1 1";
    SECTION("diagonal")
    {
        const auto total = [](const test::Attributes& a) {
            Node root;
            return build<Diagonal>(root, "DiagonalMass", Mesh::Hexahedra, a).d_totalMass.value();
        };
        CHECK(total({}) == 1.);
        CHECK(total({{"vertexMass", eight}}) == 8.);
        CHECK(total({{"vertexMass", "2"}}) == 16.);
        CHECK(capture.messages().empty());
        CHECK(total({{"vertexMass", eight}, {"massDensity", "3"}}) == Approx(3.));
        CHECK(capture.has(Severity::Warning, "massDensity is used"));
        CHECK(total({{"vertexMass", eight}, {"massDensity", "3"}, {"totalMass", "5"}}) == 5.);
        CHECK(capture.has(Severity::Warning, "totalMass is used"));
    }
    SECTION("matrix")
    {
        const auto total = [](const test::Attributes& a) {
            Node root;
            return build<Matrix>(root, "MeshMatrixMass", Mesh::Hexahedra, a).d_totalMass.value();
        };
        CHECK(total({}) == 1.);
        CHECK(total({{"vertexMass", eight}, {"lumping", "1"}}) == Approx(20.));
        CHECK(total({{"vertexMass", eight}, {"edgeMass", eight + " 1 1 1 1"}}) == Approx(32.));
        CHECK(capture.messages().empty());
        CHECK(total({{"vertexMass", eight}, {"massDensity", "3"}}) == Approx(3.));
        CHECK(total({{"massDensity", "3"}, {"totalMass", "5"}}) == 5.);
    }
    SECTION("a density for each element")
    {
        Node root;
        auto& m = build<Matrix>(root, "MeshMatrixMass", Mesh::Triangles, {{"massDensity", "2 4"}});
        CHECK(m.d_totalMass.value() == Approx(3.));
        CHECK(m.pointMass(1) == Approx(2. * 0.5 / 3.));
        CHECK(m.pointMass(3) == Approx(4. * 0.5 / 3.));
    }
}

TEST_CASE("masses of meshes follow changes of their Data")
{
    Node root;
    const auto step = [](auto& m) { m.addForce(MechanicalParams(), vec_id::force); };
    SECTION("diagonal")
    {
        auto& m = build<Diagonal>(root, "DiagonalMass", Mesh::Hexahedra, {{"massDensity", "8"}});
        m.d_totalMass.setValue(16.);
        step(m);
        CHECK(m.pointMass(0) == Approx(2.));
        CHECK(m.d_massDensity.value() == Approx(16.));
        m.d_massDensity.setValue(4.);
        step(m);
        CHECK(m.d_totalMass.value() == Approx(4.));
        m.d_vertexMass.setValue(Vector<double>(8, 3.));
        step(m);
        CHECK(m.d_totalMass.value() == 24.);
        m.d_totalMass.setValue(-1.);
        CHECK_THROWS_WITH(step(m), Catch::Contains("the mass was changed to an invalid one"));
    }
    SECTION("matrix")
    {
        auto& m = build<Matrix>(root, "MeshMatrixMass", Mesh::Hexahedra, {{"massDensity", "8"}, {"printMass", "1"}});
        m.d_totalMass.setValue(16.);
        step(m);
        CHECK(m.pointMass(0) == Approx(2.));
        m.d_massDensity.setValue({4.});
        step(m);
        CHECK(m.d_totalMass.value() == Approx(4.));
        REQUIRE(m.d_graph.value().at("Mass variations").size() == 2);
        CHECK(m.d_graph.value().at("Mass variations")[1] == Approx(4.));
        CHECK(matrixOf(m, m.state())(0, 18) == Approx(4. / 216.));
    }
}

TEST_CASE("a diagonal mass reads the masses of a mass-spring file")
{
    const test::TemporaryDirectory folder;
    const auto path = folder.path() / "two.xs3";
    std::ofstream(path) << "Xsp 3.0\nmass 1 s 0 0 0 0 0 0 -0.5 0.1\nmass 2 i 0 0 2 0 0 0 0.25 0.1\n";
    Node root;
    test::addState<Vec3Types>(root, Vec3Types::VecCoord(2));
    auto& m = test::addComponent<Diagonal>(root, "DiagonalMass", {{"filename", path.string()}});
    REQUIRE(test::initialise(root));
    CHECK(m.d_vertexMass.value() == Vector<double>{0.5, 0.25});
    CHECK(m.d_totalMass.value() == 0.75);
}

TEST_CASE("masses of meshes say what is wrong")
{
    Node root;
    MessageCapture capture;
    const auto fails = [&](const std::string& type, Mesh mesh, const test::Attributes& a, const std::string& text) {
        build<Component>(root, type, mesh, a, false);
        INFO(capture.text());
        CHECK(capture.has(Severity::Error, text));
    };
    SECTION("negative total") { fails("DiagonalMass", Mesh::Quads, {{"totalMass", "-3"}}, "totalMass is -3 kg"); }
    SECTION("negative density") { fails("DiagonalMass", Mesh::Quads, {{"massDensity", "-3"}}, "massDensity is -3"); }
    SECTION("too many masses")
    {
        fails("DiagonalMass", Mesh::Quads, {{"vertexMass", "1 1 1 1 1 1 1 1 1"}},
              "vertexMass has 9 values for 8 points");
    }
    SECTION("sparse without edges")
    {
        fails("MeshMatrixMass", Mesh::Quads, {{"vertexMass", "1 1 1 1 1 1 1 1"}},
              "vertexMass needs edgeMass, or lumping");
    }
    SECTION("number of densities")
    {
        fails("MeshMatrixMass", Mesh::Quads, {{"massDensity", "1 2 3"}},
              "massDensity has 3 values: one, or one for each of the 2");
    }
    SECTION("no mesh")
    {
        test::addState<Vec3Types>(root, Vec3Types::VecCoord(2));
        test::addComponent(root, "MeshMatrixMass");
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "it needs a topology in its node or above"));
    }
    SECTION("vertex outside the state")
    {
        test::addState<Vec3Types>(root, Vec3Types::VecCoord(2));
        addMesh(root, Mesh::Quads);
        test::addComponent(root, "DiagonalMass", {{"massDensity", "1"}});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "has a vertex 2, but the states have only 2 points"));
    }
}

}  // namespace mesh_mass_test
