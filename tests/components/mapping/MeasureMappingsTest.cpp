// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/BaseMapping.h"
#include "core/behavior/State.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace measure_mappings_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Scene : SceneText
{
    using SceneText::SceneText;
    BaseMapping& mapping() { return *root->child("measures")->get<BaseMapping>(Search::Local); }
    const Vector<Vec<1>>& measures()
    {
        return root->child("measures")->get<State<Vec1Types>>(Search::Local)->positions();
    }
};

const std::string points = "0.1 0 0  1 0.2 0  0.3 1.1 0  0 0.2 1.3  1.2 1 1";

std::string measured(const std::string& mapping, const std::string& elements, const std::string& state = "")
{
    return "<MeshTopology name='mesh' position='" + points + "' " + elements + "/>" +
           (state.empty() ? "<MechanicalObject name='points'/>" : state) +
           "<Node name='measures'><MechanicalObject template='Vec1'/><" + mapping + " topology='@../mesh'/></Node>";
}

const std::string
    edges = "edges='0 1  1 2  3 0  4 1'",
    triangles = "triangles='0 1 2  1 4 3'", tetrahedra = "tetrahedra='0 1 2 3  1 2 3 4'",
    frames =
        "<MechanicalObject template='Rigid3' position='0.1 0 0 0 0 0 1  1 0.2 0 0 0.6 0 0.8  0.3 1.1 0 0 0 0 1 "
        " 0 0.2 1.3 0.5 0.5 0.5 0.5  1.2 1 1 0 0 0 1'/>";

/// The laws of a mapping, with the exact geometric stiffness and without one.
void check(const std::string& name, const std::string& elements, const std::string& state = "")
{
    Scene exact(measured(name + " geometricStiffness='Exact'", elements, state));
    REQUIRE(exact.good);
    checkMapping(exact.mapping(), {.displacement = 0.1});
    Scene none(measured(name + " geometricStiffness='None'", elements, state));
    REQUIRE(none.good);
    checkMapping(none.mapping(), {.displacement = 0.1, .exactGeometricStiffness = false});
}

}  // namespace

HARNESS_MAPPING("DistanceMapping")
{
    check("DistanceMapping", edges);
    check("DistanceMapping", edges, frames);
}
HARNESS_MAPPING("SquareDistanceMapping")
{
    check("SquareDistanceMapping", edges);
    check("SquareDistanceMapping", edges, frames);
}
HARNESS_MAPPING("AreaMapping") { check("AreaMapping", triangles); }
HARNESS_MAPPING("VolumeMapping") { check("VolumeMapping", tetrahedra); }

/// Two states whose points are connected by edges, across them and within one.
std::string connected(const std::string& attributes, const std::string& type = "Vec3")
{
    const auto state = [&](const char* name, const char* points, const char* frames) {
        return std::string("<Node name='") + name + "'><MechanicalObject name='state' template='" + type +
               "' position='" + (type == "Vec3" ? points : frames) + "'/></Node>";
    };
    return state("a", "0.1 0 0  1 0.2 0", "0.1 0 0 0 0 0 1  1 0.2 0 0 0.6 0 0.8") +
           state("b", "0.3 1.1 0  0 0.2 1.3  1.2 1 1",
                 "0.3 1.1 0 0 0 0 1  0 0.2 1.3 0.5 0.5 0.5 0.5  1.2 1 1 0 0 0 1") +
           "<Node name='measures'><MeshTopology name='mesh' edges='0 1  1 2  3 4'/><MechanicalObject template='Vec1'/>"
           "<DistanceMultiMapping topology='@mesh' input='@../a/state @../b/state' indexPairs='0 0  1 2  0 1  1 0  1 "
           "1' " +
           attributes + "/></Node>";
}

/// Points that have fixed places to be measured from.
std::string targeted(const std::string& attributes,
                     const std::string& state =
                         "<MechanicalObject position='0.1 0 0  1 "
                         "0.2 0  0.3 1.1 0'/>",
                     const std::string& targets = "1 1 1  -1 0 2")
{
    return state +
           "<Node name='measures'><MechanicalObject template='Vec1'/><DistanceFromTargetMapping "
           "targetPositions='" +
           targets + "' " + attributes + "/></Node>";
}

HARNESS_MAPPING("DistanceMultiMapping")
{
    for (const std::string type : {"Vec3", "Rigid3"}) {
        Scene exact(connected("geometricStiffness='Exact'", type));
        REQUIRE(exact.good);
        checkMapping(exact.mapping(), {.displacement = 0.1});
    }
    Scene none(connected("geometricStiffness='None'"));
    REQUIRE(none.good);
    checkMapping(none.mapping(), {.displacement = 0.1, .exactGeometricStiffness = false});
}
HARNESS_MAPPING("DistanceFromTargetMapping")
{
    Scene points(targeted("indices='2 0' geometricStiffness='Exact'"));
    REQUIRE(points.good);
    checkMapping(points.mapping(), {.displacement = 0.1});
    Scene bodies(targeted("geometricStiffness='Exact'",
                          "<MechanicalObject template='Rigid3' position='0.1 0 0 0 0.6 0 0.8  1 0.2 0 0 0 0 1'/>",
                          "1 1 1 0 0 0 1  -1 0 2 0 0 0 1"));
    REQUIRE(bodies.good);
    checkMapping(bodies.mapping(), {.displacement = 0.1});
    Scene numbers(
        targeted("geometricStiffness='Exact'", "<MechanicalObject template='Vec1' position='0.1 1'/>", "2 -3"));
    REQUIRE(numbers.good);
    checkMapping(numbers.mapping(), {.displacement = 0.1, .exactGeometricStiffness = false});
}
HARNESS_MAPPING("SquareMapping")
{
    for (const std::string kind : {"Exact", "None"}) {
        Scene s(
            "<MechanicalObject template='Vec1' position='0.5 -2 0'/><Node name='measures'><MechanicalObject "
            "template='Vec1'/><SquareMapping geometricStiffness='" +
            kind + "'/></Node>");
        REQUIRE(s.good);
        CHECK(s.measures() == Vector<Vec<1>>{Vec<1>(0.25), Vec<1>(4.), Vec<1>(0.)});
        checkMapping(s.mapping(), {.exactGeometricStiffness = kind == "Exact"});
    }
}
HARNESS_MAPPING("DistanceToPlaneMapping")
{
    const std::pair<const char*, const char*> all[] = {
        {"Vec3", "1 2 3  0 0 0"}, {"Rigid3", "1 2 3 0 0.6 0 0.8  0 0 0 0 0 0 1"}, {"Vec6", "1 2 3 4 5 6  0 0 0 0 0 0"}};
    for (const auto& [type, positions] : all) {
        Scene s(std::string("<MechanicalObject template='") + type + "' position='" + positions +
                "'/><Node name='measures'><MechanicalObject template='Vec1'/><DistanceToPlaneMapping "
                "planeNormal='0 3 4' planePoint='7 1 0'/></Node>");
        REQUIRE(s.good);
        CHECK(std::abs(s.measures()[0][0] - 3.) < 1e-15);
        CHECK(std::abs(s.measures()[1][0] + 0.6) < 1e-15);
        checkMapping(s.mapping());
    }
    Scene plane(
        "<MechanicalObject template='Vec2' position='1 2'/><Node name='measures'><MechanicalObject "
        "template='Vec1'/><DistanceToPlaneMapping template='Vec2' planeNormal='0 -2' planePoint='5 5'/></Node>");
    REQUIRE(plane.good);
    CHECK(plane.measures()[0][0] == 3.);
    checkMapping(plane.mapping());
}

TEST_CASE("Springs on lengths between bodies: a direct solver and conjugate gradients agree", "[mapping]")
{
    // Both with the geometric stiffness of all pairs of states.
    const auto run = [](const std::string& solver) {
        Scene s("<EulerImplicitSolver rayleighStiffness='0.02'/>" + solver +
                "<Node name='a'><MechanicalObject name='state' position='0 0 0  1 0 0'/><UniformMass "
                "totalMass='3'/><FixedProjectiveConstraint indices='0'/></Node>"
                "<Node name='b'><MechanicalObject name='state' template='Vec3' position='2 0 0  3 1 0  2 1 1'/>"
                "<UniformMass totalMass='2'/></Node>"
                "<Node name='measures'><MeshTopology name='mesh' edges='0 1  1 2  2 3  3 4  1 3  2 4'/>"
                "<MechanicalObject template='Vec1' rest_position='0 0 0 0 0 0'/><DistanceMultiMapping "
                "topology='@mesh' input='@../a/state @../b/state' indexPairs='0 0  0 1  1 0  1 1  1 2' "
                "geometricStiffness='Exact'/><RestShapeSpringsForceField template='Vec1' stiffness='300'/></Node>");
        REQUIRE(s.good);
        for (int i = 0; i < 50; ++i) s.simulation->step();
        return s.root->child("b")->get<State<Vec3Types>>(Search::Local)->positions();
    };
    const auto direct = run("<SparseLDLSolver/>");
    for (const std::string assembly : {"always", "never"}) {
        const auto iterative = run("<CGLinearSolver template='GraphScattered' assembly='" + assembly +
                                   "' iterations='300' tolerance='1e-15' threshold='1e-40'/>");
        for (std::size_t i = 0; i < 3; ++i) CHECK(norm(direct[i] - iterative[i]) < 1e-9);
    }
    CHECK(norm(direct[2] - Vec3(2, 1, 1)) > 0.1);
}

TEST_CASE("Measures of elements are lengths, areas and volumes", "[mapping]")
{
    const Vec3 a(0.1, 0, 0), b(1, 0.2, 0), c(0.3, 1.1, 0), d(0, 0.2, 1.3);
    Scene extension(measured("DistanceMapping", edges));
    CHECK(extension.measures().size() == 4);
    for (const auto& x : extension.measures()) CHECK(x[0] == 0.);
    Scene given(measured("DistanceMapping restLengths='0.5 1 1 1'", edges));
    CHECK(std::abs(given.measures()[0][0] - (norm(b - a) - 0.5)) < 1e-15);
    Scene length(measured("DistanceMapping computeDistance='true'", edges));
    CHECK(std::abs(length.measures()[1][0] - norm(c - b)) < 1e-15);
    Scene square(measured("SquareDistanceMapping", edges));
    CHECK(std::abs(square.measures()[1][0] - norm2(c - b)) < 1e-15);
    Scene area(measured("AreaMapping", triangles));
    CHECK(std::abs(area.measures()[0][0] - 0.5 * norm(cross(b - a, c - a))) < 1e-15);
    Scene volume(measured("VolumeMapping", tetrahedra));
    CHECK(std::abs(volume.measures()[0][0] - dot(b - a, cross(c - a, d - a)) / 6.) < 1e-15);
}

TEST_CASE("Springs on mapped lengths are springs between points", "[mapping]")
{
    // A tight rope of four springs that sags: once by springs, once by springs on extensions of edges.
    const std::string begin =
        "<StaticSolver newton_iterations='30' absolute_residual_tolerance_threshold='1e-11' "
        "relative_residual_tolerance_threshold='1e-13'/><SparseLDLSolver/><MeshTopology name='mesh' position='0 0 0  1 "
        "-1 0  2 -1.5 "
        "0.2  3 -1 0  4 0 0' edges='0 1  1 2  2 3  3 4'/><MechanicalObject name='points'/><UniformMass totalMass='5'/>"
        "<FixedProjectiveConstraint indices='0 4'/>";
    Scene springs(begin + "<SpringForceField spring='0 1 300 0 0.8  1 2 300 0 0.8  2 3 300 0 0.8  3 4 300 0 0.8'/>");
    Scene mapped(begin +
                 "<Node name='measures'><MechanicalObject template='Vec1' rest_position='0 0 0 0'/><DistanceMapping "
                 "topology='@../mesh' geometricStiffness='Exact' restLengths='0.8 0.8 0.8 0.8'/>"
                 "<RestShapeSpringsForceField stiffness='300' template='Vec1'/></Node>");
    for (Scene* s : {&springs, &mapped}) {
        REQUIRE(s->good);
        s->simulation->step();
    }
    const auto& x = springs.root->get<State<Vec3Types>>(Search::Local)->positions();
    const auto& y = mapped.root->get<State<Vec3Types>>(Search::Local)->positions();
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(x[i] - y[i]) < 1e-9);
    CHECK(norm(x[2] - Vec3(2, -1.5, 0.2)) > 0.5);  // it moved
}

TEST_CASE("A stabilized geometric stiffness has no positive eigenvalues", "[mapping]")
{
    struct Blocks final : BlockSink, MatrixAccumulator
    {
        std::vector<double> k = std::vector<double>(225);
        void addBlock(Index i, Index j, const double* b, std::size_t r, std::size_t c) override
        {
            for (std::size_t p = 0; p < r; ++p)
                for (std::size_t q = 0; q < c; ++q) k[(3 * i + p) * 15 + 3 * j + q] += b[p * c + q];
        }
        BlockSink& sink(const BaseState&, const BaseState&) override { return *this; }
    };
    const std::pair<const char*, const std::string*> all[] = {{"DistanceMapping", &edges},
                                                              {"SquareDistanceMapping", &edges},
                                                              {"AreaMapping", &triangles},
                                                              {"VolumeMapping", &tetrahedra}};
    for (const auto& [name, elements] : all)
        for (const double force : {-2., 3.}) {
            const auto blocks = [&, n = name, e = elements](const std::string& kind) {
                Scene s(measured(std::string(n) + " geometricStiffness='" + kind + "'", *e));
                auto& state = *s.root->child("measures")->get<State<Vec1Types>>(Search::Local);
                state.allocate(vec_id::force);
                for (auto& f : *state.write(vec_id::force)) f[0] = force;
                MechanicalParams mp;
                mp.f = vec_id::force;
                Blocks b;
                s.mapping().buildGeometricStiffness(mp, b);
                return b.k;
            };
            const auto exact = blocks("Exact"), stabilized = blocks("Stabilized");
            double worst = 0., size = 0.;
            for (unsigned seed = 1; seed < 200; ++seed) {
                std::vector<double> v(15);
                for (std::size_t i = 0; i < 15; ++i) v[i] = std::sin(seed * (1.3 + 0.7 * static_cast<double>(i)));
                double product = 0., both = 0.;
                for (std::size_t i = 0; i < 15; ++i)
                    for (std::size_t j = 0; j < 15; ++j) {
                        product += v[i] * stabilized[15 * i + j] * v[j];
                        both += v[i] * exact[15 * i + j] * v[j];
                    }
                worst = std::max(worst, std::max(product, product - both));  // negative, and below the exact one
                size = std::max(size, std::abs(both));
            }
            CHECK(size > 0.1);
            CHECK(worst < 1e-12);
        }
}

TEST_CASE("What a measuring mapping lacks is an error that says so", "[mapping]")
{
    const auto said = [](const std::string& scene) {
        MessageCapture log;
        CHECK_FALSE(Scene(scene).good);
        return log.text();
    };
    CHECK_THAT(said(measured("VolumeMapping", edges)), Catch::Contains("has no tetrahedra"));
    CHECK_THAT(said(measured("DistanceMapping restLengths='1 2'", edges)),
               Catch::Contains("restLengths has 2 values; expected 4"));
    CHECK_THAT(said(measured("DistanceMapping", "edges='0 4'", "<MechanicalObject position='0 0 0 1 0 0'/>")),
               Catch::Contains("has point 4"));
    CHECK_THAT(said(targeted("indices='0 1 2'")), Catch::Contains("targetPositions has 2 values; indices has 3"));
    CHECK_THAT(said(targeted("indices='0 7'")), Catch::Contains("point 7 does not exist"));
    CHECK_THAT(said("<MechanicalObject position='0 0 0'/><Node name='measures'><MechanicalObject template='Vec1'/>"
                    "<DistanceToPlaneMapping/></Node>"),
               Catch::Contains("planeNormal is zero"));
}

}  // namespace measure_mappings_test
