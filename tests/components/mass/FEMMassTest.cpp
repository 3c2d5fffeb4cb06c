// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/FEMMass.h"

#include <catch2/catch.hpp>

#include "tests/harness/MassCheck.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/TestGraph.h"

namespace fem_mass_test {

using namespace sofa;
using namespace sofa::core;

namespace {

class Mesh : public test::TestTopology
{
public:
    Vector<Prism> prismList;
    Vector<Pyramid> pyramidList;
    const Vector<Prism>& prisms() const override { return prismList; }
    const Vector<Pyramid>& pyramids() const override { return pyramidList; }
};

/// An element of each kind on the unit cube, and the mass of the kind for a density of 5.
Component& build(Node& root, const std::string& type, bool valid = true, const std::string& density = "5")
{
    root.d_gravity.setValue({0.3, -9.81, 1.});
    auto points = test::cubePoints();
    points.push_back({0.5, 0.5, 1.});
    if (type.find("Vec1") == 0)
        test::addState<Vec1Types>(root, test::coordinates<Vec1Types>(points));
    else if (type.find("Vec2") == 0)
        test::addState<Vec2Types>(root, test::coordinates<Vec2Types>(points));
    else
        test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(points));
    auto& t = root.create<Mesh>();
    t.points = 9;
    t.edgeList = {{0, 1}};
    t.triangleList = {{0, 1, 2}, {0, 2, 3}};
    t.quadList = {{0, 1, 2, 3}};
    t.tetrahedronList = test::cubeTetrahedra();
    t.hexahedronList = test::cubeHexahedron();
    t.prismList = {{0, 1, 2, 4, 5, 6}};
    t.pyramidList = {{0, 1, 2, 3, 8}};
    if (!density.empty()) test::addComponent(root, "NodalMassDensity", {{"property", density}});
    auto& m = test::addComponent(root, "FEMMass", {{"template", type}});
    CHECK(test::initialise(root) == valid);
    return m;
}

double entry(const std::string& type, Eigen::Index i, Eigen::Index j, const std::string& density = "1")
{
    Node root;
    auto& m = dynamic_cast<Mass<Vec3Types>&>(build(root, type, true, density));
    const test::StateSet states({&m.state()});
    test::DenseAccumulator a(states);
    m.buildMass(MechanicalParams(), a);
    return a.matrix()(3 * i, 3 * j);
}

}  // namespace

HARNESS_MASS("FEMMass")
{
    for (const auto& [type, measure] : {std::pair<std::string, double>{"Vec1,Edge", 1.},
                                        {"Vec2,Edge", 1.},
                                        {"Vec3,Edge", 1.},
                                        {"Vec2,Triangle", 1.},
                                        {"Vec3,Triangle", 1.},
                                        {"Vec2,Quad", 1.},
                                        {"Vec3,Quad", 1.},
                                        {"Vec3,Tetrahedron", 1.},
                                        {"Vec3,Hexahedron", 1.},
                                        {"Vec3,Prism", 0.5},
                                        {"Vec3,Pyramid", 1. / 3.}}) {
        Node root;
        auto& m = build(root, type);
        CHECK(m.templateName() == type);
        test::checkMass(m, {.totalMass = 5. * measure});
    }
}

TEST_CASE("the mass matrix of a finite hexahedron is the consistent one")
{
    // Products of ∫ N² = 2/3 and ∫ N₁ N₂ = 1/3 along the axes of [−1, 1]³, of which the unit cube has 1/8 of the
    // volume.
    CHECK(entry("Vec3,Hexahedron", 0, 0) == Approx(1. / 27.));
    CHECK(entry("Vec3,Hexahedron", 0, 1) == Approx(1. / 54.));
    CHECK(entry("Vec3,Hexahedron", 0, 6) == Approx(1. / 216.));
}

TEST_CASE("nodal densities are interpolated over the elements")
{
    // At the centre of the triangle 0 1 2 the density is the mean.
    CHECK(entry("Vec3,Triangle", 0, 1, "3 6 9 0") == Approx(6. * 0.5 / 9.));
    // The last value holds for the nodes that are left.
    CHECK(entry("Vec3,Triangle", 1, 1, "3 6") == Approx(5. * 0.5 / 9.));
}

TEST_CASE("the density of each element wins over those of the nodes")
{
    // Two cubes in a row, of 3 and 5 kg/m³: the four common nodes have 1/27 of both.
    Node root;
    auto points = test::cubePoints();
    for (const Index i : {1U, 2U, 5U, 6U}) points.push_back(points[i] + Vec3{1., 0., 0.});
    test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(points));
    auto& t = root.create<test::TestTopology>();
    t.points = 12;
    t.hexahedronList = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 8, 9, 2, 5, 10, 11, 6}};
    auto& m = test::addComponent(root, "FEMMass", {{"template", "Vec3,Hexahedron"}, {"massDensity", "3 5"}});
    SECTION("two values")
    {
        if (GENERATE(false, true)) {  // the same by materials
            m.setAttribute("massDensity", "5 3", {});
            m.setAttribute("materialIndices", "1 0", {});
        }
        REQUIRE(test::initialise(root));
        auto& mass = dynamic_cast<Mass<Vec3Types>&>(m);
        const test::StateSet states({&mass.state()});
        test::DenseAccumulator a(states);
        mass.buildMass(MechanicalParams(), a);
        CHECK(a.matrix()(0, 0) == Approx(3. / 27.));
        CHECK(a.matrix()(3, 3) == Approx(8. / 27.));
        CHECK(a.matrix()(24, 24) == Approx(5. / 27.));
        CHECK(a.matrix()(3, 18) == Approx(8. / 108.));
        CHECK(a.matrix()(0, 24) == 0.);
        CHECK(mass.pointMass(1) == Approx(1.));
    }
    MessageCapture capture;
    const auto fails = [&](const char* value, const char* message) {
        m.setAttribute("massDensity", value, {});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, message));
    };
    SECTION("too few for the regions")
    {
        m.setAttribute("regions", "[0] [1] [0 1]", {});
        fails("1 2", "massDensity has 2 values for 3 regions");
    }
    SECTION("a wrong number") { fails("1 2 3", "massDensity has 3 values for 2 elements"); }
    SECTION("no density") { fails("1 0", "massDensity has a value that is not positive"); }
}

TEST_CASE("a finite element mass says what it lacks")
{
    Node root;
    MessageCapture capture;
    SECTION("a density")
    {
        build(root, "Vec3,Quad", false, "");
        CHECK(capture.has(Severity::Error, "it needs a massDensity, or a NodalMassDensity in its node or above"));
    }
    SECTION("elements")
    {
        test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(test::cubePoints()));
        root.create<test::TestTopology>().points = 8;
        test::addComponent(root, "NodalMassDensity");
        test::addComponent(root, "FEMMass", {{"template", "Vec3,Prism"}});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "has no element of type Prism"));
    }
}

TEST_CASE("a finite element mass knows the matrix that its hexahedra share")
{
    Node root;
    auto& mass = dynamic_cast<component::FEMMass<Vec3Types, HexahedronShape>&>(build(root, "Vec3,Hexahedron"));
    const auto& mesh = *mass.l_topology.get();
    REQUIRE(mass.elementMatrix(mesh.hexahedra()));
    const Mat<8>& m = *mass.elementMatrix(mesh.hexahedra());
    CHECK(m[0][0] == Approx(5. / 27.));
    CHECK(m[0][1] == Approx(5. / 54.));
    CHECK(m[0][2] == Approx(5. / 108.));
    CHECK(m[0][6] == Approx(5. / 216.));
    CHECK_FALSE(mass.elementMatrix({}));
    Vector<Hexahedron> other = mesh.hexahedra();
    std::swap(other[0][0], other[0][1]);
    CHECK_FALSE(mass.elementMatrix(other));
}

}  // namespace fem_mass_test
