// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/BaseMapping.h"
#include "core/objectmodel/Node.h"
#include "core/topology/BaseMeshTopology.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace catmull_rom_spline_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

std::string curve(const std::string& points, const std::string& edges, const std::string& attributes,
                  const std::string& topology = "<EdgeSetTopologyContainer/><EdgeSetTopologyModifier/>")
{
    return "<MechanicalObject position='" + points + "'/><MeshTopology edges='" + edges + "'/><Node name='curve'>" +
           topology + "<MechanicalObject/><CatmullRomSplineMapping " + attributes + "/></Node>";
}
const Vector<Vec3>& pointsOf(SceneText& s) { return s.state<Vec3Types>("curve").positions(); }

/// Points of f at x = 0 ... 5.
template <class F>
std::string sampled(F f)
{
    std::string text;
    for (int i = 0; i < 6; ++i) text += toText(f(static_cast<double>(i))) + ' ';
    return text;
}

}  // namespace

HARNESS_MAPPING("CatmullRomSplineMapping")
{
    SceneText s(curve("0 0 0  1 0.5 0  2 0 1  2.5 2 0", "0 1  1 2  2 3  3 1", "SplittingLevel='2'"));
    REQUIRE(s.good);
    checkMapping(*s.child("curve").get<BaseMapping>(Search::Local), {.translates = true});
}

TEST_CASE("Splines go through points, and are exact for polynomials of degree two inside", "[mapping]")
{
    const auto parabola = [](double x) { return Vec3(x, 1. + x * (2. - 0.5 * x), 3. * x * x); };
    SceneText s(curve(sampled(parabola), "0 1  1 2  2 3  3 4  4 5", "SplittingLevel='3'"));
    REQUIRE(s.good);
    const auto& x = pointsOf(s);
    REQUIRE(x.size() == 6 + 5 * 7);
    for (std::size_t i = 0; i < 6; ++i) CHECK(x[i] == parabola(static_cast<double>(i)));
    for (std::size_t e = 1; e < 4; ++e)
        for (std::size_t k = 0; k < 7; ++k)
            CHECK(norm(x[6 + 7 * e + k] - parabola(static_cast<double>(e) + static_cast<double>(k + 1) / 8.)) < 1e-13);
    // At the ends the point before the first is the first itself: ½ (t³ − t²)(x₂ − x₁) and so on, by hand at t = ½.
    const Vec3 a = parabola(0), b = parabola(1), c = parabola(2);
    CHECK(norm(x[6 + 3] - (a * 0.5 + b * 0.5625 - c * 0.0625)) < 1e-14);
}

TEST_CASE("Tangents of splines agree where edges meet, whichever way these run", "[mapping]")
{
    const std::string points = "0 0 0  1 2 0  3 1 1  4 4 2  6 3 0";
    for (const std::string edges : {"0 1  1 2  2 3  3 4", "1 0  1 2  3 2  3 4"}) {
        SceneText s(curve(points, edges, "SplittingLevel='10'"));
        REQUIRE(s.good);
        const auto& x = pointsOf(s);
        // On both sides of point 2 the curve goes along (x₃ − x₁) / 2: one-sided differences err by h |x''| / 2.
        const double h = 1. / 1024.;
        const std::size_t before = 5 + 2 * 1023 - 1, behind = edges[0] == '0' ? 5 + 2 * 1023 : 5 + 3 * 1023 - 1;
        const Vec3 left = (x[2] - x[before]) / h, right = (x[behind] - x[2]) / h, tangent = (x[3] - x[1]) * 0.5;
        CHECK(norm(left - tangent) < 10. * h);
        CHECK(norm(right - tangent) < 10. * h);
    }
}

TEST_CASE("The pieces of a spline become edges beside the output", "[mapping]")
{
    SceneText s(curve("0 0 0  1 0 0  2 0 0", "0 1  2 1", "SplittingLevel='1'"));
    REQUIRE(s.good);
    const auto* mesh = s.child("curve").get<BaseMeshTopology>(Search::Local);
    CHECK(mesh->nbPoints() == 5);
    CHECK(mesh->edges() == Vector<Edge>{{0, 3}, {3, 1}, {2, 4}, {4, 1}});
    // Without halving they are the edges themselves; without a topology there are only the points.
    SceneText same(curve("0 0 0  1 0 0  2 0 0", "0 1  2 1", "")),
        bare(curve("0 0 0  1 0 0  2 0 0", "0 1  2 1", "SplittingLevel='1'", ""));
    REQUIRE(same.good);
    REQUIRE(bare.good);
    CHECK(same.child("curve").get<BaseMeshTopology>(Search::Local)->edges() == Vector<Edge>{{0, 1}, {2, 1}});
    CHECK(pointsOf(same).size() == 3);
    CHECK(pointsOf(bare).size() == 5);
}

TEST_CASE("What a spline lacks is an error that says so", "[mapping]")
{
    const auto said = [](const std::string& text) {
        MessageCapture log;
        CHECK_FALSE(SceneText(text).good);
        return log.text();
    };
    CHECK_THAT(said("<MechanicalObject position='0 0 0'/><Node name='c'><MechanicalObject/><CatmullRomSplineMapping/>"
                    "</Node>"),
               Catch::Contains("it needs a topology with the edges of the curves"));
    CHECK_THAT(said(curve("0 0 0  1 0 0", "0 1", "SplittingLevel='17'")), Catch::Contains("expected 16 at most"));
    CHECK_THAT(said(curve("0 0 0  1 0 0", "0 1", "SplittingLevel='1'", "<PointSetTopologyContainer/>")),
               Catch::Contains("holds no edges"));
}

}  // namespace catmull_rom_spline_test
