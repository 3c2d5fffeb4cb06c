// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "components/mapping/LineSetSkinningMapping.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace line_set_skinning_test {

using namespace sofa::core;
using namespace sofa::test;
using Skinning = sofa::component::LineSetSkinningMapping<Rigid3Types, Vec3Types>;

namespace {

struct Scene : SceneText
{
    using SceneText::SceneText;
    Skinning& mapping() { return *root->child("skin")->get<Skinning>(Search::Local); }
    const Vector<Vec3>& x() { return root->child("skin")->get<State<Vec3Types>>(Search::Local)->positions(); }
};

/// Frames at x = 0 ... 5, turned in different ways.
const std::string frames =
    "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0.6 0 0.8  2 0 0 0 0 0 1  3 0 0 0.5 0.5 0.5 "
    "0.5  4 0 0 0 0 0 1  5 0 0 0 0 0 1'/>";
const std::string chain = "0 1  1 2  2 3  3 4  4 5";

std::string skin(const std::string& attributes, const std::string& points, const std::string& edges = chain)
{
    return frames + "<MeshTopology edges='" + edges + "'/><Node name='skin'><MechanicalObject position='" + points +
           "'/><LineSetSkinningMapping " + attributes + "/></Node>";
}

/// Lines of point 0, in the order of their weights.
std::vector<Index> linesOf(const std::string& attributes, const std::string& point, const std::string& edges = chain)
{
    Scene s(skin(attributes, point, edges));
    REQUIRE(s.good);
    std::vector<Index> lines;
    for (const auto& one : s.mapping().lines()[0]) lines.push_back(one.line);
    return lines;
}

}  // namespace

HARNESS_MAPPING("LineSetSkinningMapping")
{
    for (const std::string stiffness : {"Exact", "None"}) {
        Scene s(skin("weightCoef='3' geometricStiffness='" + stiffness + "'", "0.2 0.3 0  1.4 -0.2 0.1  4.9 0.4 0.2"));
        REQUIRE(s.good);
        checkMapping(s.mapping(), {.translates = true, .exactGeometricStiffness = stiffness == "Exact"});
    }
}

TEST_CASE("A skin around lines rests where it was, and moves as a body with its frames", "[mapping]")
{
    Scene s(skin("", "0.2 0.3 0  1.4 -0.2 0.1  4.9 0.4 0.2"));
    REQUIRE(s.good);
    const Vector<Vec3> rest{{0.2, 0.3, 0}, {1.4, -0.2, 0.1}, {4.9, 0.4, 0.2}};
    for (std::size_t i = 0; i < 3; ++i) CHECK(norm(s.x()[i] - rest[i]) < 1e-14);
    const Quat turn = Quat::fromRotationVector({0.4, -0.3, 2.2});
    const Vec3 shift(3, 4, 5);
    auto& state = *s.root->get<State<Rigid3Types>>(Search::Local);
    for (RigidCoord3& f : state.write(vec_id::position)) f = {turn.rotate(f.center) + shift, turn * f.orientation};
    s.mapping().apply({}, vec_id::position, vec_id::position);
    for (std::size_t i = 0; i < 3; ++i) CHECK(norm(s.x()[i] - turn.rotate(rest[i]) - shift) < 1e-13);
}

TEST_CASE("Weights of lines are integrals of powers of the distance", "[mapping]")
{
    // ∫ du / (u² + h²)² = u / (2h² (u² + h²)) + atan(u / h) / (2h³), and a half of both ends that the sum has too much.
    const double h = 0.5, x = 1.3;
    const auto integral = [&](double a, double b) {
        const auto f = [&](double u) {
            return u / (2. * h * h * (u * u + h * h)) + std::atan(u / h) / (2. * h * h * h);
        };
        const auto end = [&](double u) { return 1. / ((u * u + h * h) * (u * u + h * h)) / 2000.; };
        return f(b - x) - f(a - x) + end(a - x) + end(b - x);
    };
    Scene s(skin("numberInfluencedLines='9' neighborhoodLevel='9'", "1.3 0.3 0.4"));
    REQUIRE(s.good);
    double sum = 0.;
    for (int k = 0; k < 5; ++k) sum += integral(k, k + 1);
    const auto& lines = s.mapping().lines()[0];
    REQUIRE(lines.size() == 5);
    // The error of the sum is L³ f'' / (12 · 1000²) at most, with f'' ≤ 4 / h⁶: relative to the weights 2e-5.
    for (const auto& one : lines) CHECK(std::abs(one.weight - integral(one.line, one.line + 1) / sum) < 2e-5);
    CHECK(lines[0].line == 1);
    CHECK(lines[0].weight > 0.5);
}

TEST_CASE("A point follows lines near its main line", "[mapping]")
{
    CHECK(linesOf("", "0.5 0.1 0") == std::vector<Index>{0, 1, 2, 3});
    CHECK(linesOf("numberInfluencedLines='2'", "0.5 0.1 0") == std::vector<Index>{0, 1});
    CHECK(linesOf("neighborhoodLevel='1'", "0.5 0.1 0") == std::vector<Index>{0, 1});
    CHECK(linesOf("neighborhoodLevel='2'", "0.5 0.1 0") == std::vector<Index>{0, 1, 2});
    CHECK(linesOf("neighborhoodLevel='0'", "2.6 0.1 0") == std::vector<Index>{2});
    // Of equal lines the last one is first; a line that touches none of them is not followed.
    CHECK(linesOf("neighborhoodLevel='1'", "1 0.1 0", "0 1  0 1") == std::vector<Index>{1, 0});
    CHECK(linesOf("", "0.5 0.1 0", "0 1  2 3  1 0") == std::vector<Index>{2, 0});
    CHECK(linesOf("", "1.5 0.1 0", "0 2  1 2").size() == 2);  // they end in one frame
}

TEST_CASE("A point on a line follows it alone, and far points have finite weights", "[mapping]")
{
    Scene s(skin("", "0.5 0 0  1 0 0  1e30 0 0"));
    REQUIRE(s.good);
    const auto weights = [&](std::size_t i) {
        std::vector<double> w(5);
        for (const auto& one : s.mapping().lines()[i]) w[one.line] = one.weight;
        return w;
    };
    CHECK(weights(0) == std::vector<double>{1, 0, 0, 0, 0});
    CHECK(weights(1) == std::vector<double>{0.5, 0.5, 0, 0, 0});
    CHECK(norm(s.x()[2] - Vec3(1e30, 0, 0)) < 1e16);
}

TEST_CASE("What a skin around lines lacks is an error that says so", "[mapping]")
{
    const auto said = [](const std::string& scene) {
        MessageCapture log;
        CHECK_FALSE(Scene(scene).good);
        return log.text();
    };
    CHECK_THAT(said(frames + "<Node name='skin'><MechanicalObject position='0 0 0'/><LineSetSkinningMapping/></Node>"),
               Catch::Contains("it needs a topology with the lines"));
    CHECK_THAT(said(skin("", "0 0 0", "")), Catch::Contains("has no edges"));
    CHECK_THAT(said(skin("", "0 0 0", "0 7")), Catch::Contains("frame 7") || Catch::Contains("7"));
    CHECK_THAT(said(skin("numberInfluencedLines='0'", "0 0 0")), Catch::Contains("expected 1 at least"));
}

}  // namespace line_set_skinning_test
