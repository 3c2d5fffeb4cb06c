// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numbers>

#include "components/mapping/BlobSurface.h"
#include "core/behavior/BaseMapping.h"
#include "core/objectmodel/Node.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/SceneText.h"

namespace implicit_surface_test {

using namespace sofa::core;
using namespace sofa::test;
using sofa::component::BlobSurface;

namespace {

BlobSurface::Parameters parameters(double radius, double step, double level, double box = 100.)
{
    return {radius, step, level, Vec3::filled(-box), Vec3::filled(box)};
}

double volume(const BlobSurface& s)
{
    double v = 0.;
    for (const Triangle& t : s.triangles()) v += dot(s.points()[t[0]], cross(s.points()[t[1]], s.points()[t[2]])) / 6.;
    return v;
}

/// Whether each side of triangles runs as often one way as the other: nothing has a border.
bool isClosed(const BlobSurface& s)
{
    std::map<std::pair<Index, Index>, int> sides;
    for (const Triangle& t : s.triangles())
        for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    for (const auto& [side, count] : sides) {
        const auto back = sides.find({side.second, side.first});
        if (back == sides.end() || back->second != count) return false;
    }
    return !sides.empty();
}

double blob(double d2) { return d2 < 1. ? 1. + (-4. * d2 * d2 * d2 + 17. * d2 * d2 - 22. * d2) / 9. : 0.; }

const std::string model = "<MechanicalObject position='0 0 0  1 0 0'/>";
std::string shown(const std::string& attributes, const std::string& above = model)
{
    return above +
           "<Node name='look'><OglModel name='surface'/><ImplicitSurfaceMapping input='@..' "
           "output='@surface' " +
           attributes + "/></Node>";
}

}  // namespace

TEST_CASE("The surface around one point is a sphere, of the radius at which the blob has the value", "[mapping]")
{
    // w(s) = ½ at s = ¼: 1 + (−4/64 + 17/16 − 22/4) / 9 = ½.
    CHECK(blob(0.25) == 0.5);
    const double exact = 4. / 3. * std::numbers::pi;
    double before = 0.;
    for (const double step : {0.2, 0.1, 0.05}) {
        BlobSurface s;
        s.make(Vector<Vec3>{{0.013, -0.021, 0.034}}, parameters(2., step, 0.5));
        CHECK(isClosed(s));
        double worst = 0.;
        for (const Vec3& x : s.points()) worst = std::max(worst, std::abs(norm(x - Vec3(0.013, -0.021, 0.034)) - 1.));
        CHECK(worst < 0.5 * step * step);  // linear interpolation along edges
        const double error = exact - volume(s);
        CHECK(error > 0.);
        if (before > 0.) CHECK(before / error > 3.);  // second order: about 4
        before = error;
    }
    CHECK(before < 0.01);
}

TEST_CASE("Surfaces are closed and turn their front outwards, whatever the corners of cubes", "[mapping]")
{
    // Blobs of about a cube's size, at random: all kinds of cubes, also with sides that leave a choice.
    std::uint64_t state = 42;
    const auto next = [&] {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<double>(state >> 11) / static_cast<double>(1ull << 53);
    };
    Vector<Vec3> points;
    for (int i = 0; i < 400; ++i) points.push_back({6. * next(), 6. * next(), 6. * next()});
    for (const double level : {0.2, 0.5, 1.5}) {
        BlobSurface s;
        s.make(points, parameters(0.8, 0.5, level));
        CHECK(isClosed(s));
        CHECK(volume(s) > 1.);
        const auto f = [&](const Vec3& x) {
            double sum = 0.;
            for (const Vec3& p : points) sum += blob(norm2(x - p) / 0.64);
            return sum;
        };
        // Points lie on edges of cubes, where f passes the level.
        for (std::size_t i = 0; i < s.points().size(); i += 17) {
            const Vec3 x = s.points()[i] * 2.;
            Vec3 low, high;
            int between = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = high[k] = std::round(x[k]);
                if (std::abs(x[k] - low[k]) < 1e-9) continue;
                low[k] = std::floor(x[k]);
                high[k] = std::ceil(x[k]);
                ++between;
            }
            CHECK(between <= 1);
            if (between == 1) CHECK((f(low * 0.5) > level) != (f(high * 0.5) > level));
        }
    }
}

TEST_CASE("Points count inside the box, where the surface ends", "[mapping]")
{
    BlobSurface s;
    s.make(Vector<Vec3>{{0, 0, 0}, {5, 0, 0}, {std::nan(""), 0, 0}}, parameters(2., 0.1, 0.5, 4.));
    CHECK(isClosed(s));
    CHECK(std::abs(volume(s) - 4. / 3. * std::numbers::pi) < 0.1);
    s.make(Vector<Vec3>{{0, 0, 0}}, parameters(2., 0.1, 0.5, 0.5));
    CHECK_FALSE(s.triangles().size() > 0);  // the whole box is inside
    s.make(Vector<Vec3>{{0, 0, 0}}, parameters(2., 0.1, 0.5, 0.95));
    CHECK_FALSE(isClosed(s));
    for (const Vec3& x : s.points())
        for (const double c : x) CHECK(std::abs(c) <= 0.95);
    s.make({}, parameters(2., 0.1, 0.5));
    CHECK(s.points().empty());
    CHECK_THROWS_WITH(s.make(Vector<Vec3>{{0, 0, 0}}, parameters(50., 0.01, 0.5)), Catch::Contains("10^9 values"));
    CHECK_THROWS_WITH(s.make(Vector<Vec3>{{50, 0, 0}}, parameters(1e-4, 1e-5, 0.5)), Catch::Contains("2^20 steps"));
}

HARNESS_MAPPING("ImplicitSurfaceMapping")
{
    // It has no Jacobian; its points and triangles are those of the surface, and go into the visual model.
    SceneText s(shown("radius='1' step='0.2' isoValue='0.3'"));
    REQUIRE(s.good);
    auto& m = *s.child("look").get<BaseMapping>(Search::Local);
    CHECK_FALSE(m.isMechanical());
    CHECK(m.jacobian(0, 0) == nullptr);
    CHECK_FALSE(m.hasGeometricStiffness());
    BlobSurface expected;
    const auto check = [&] {
        const auto& model = s.state<Vec3Types>("look");
        CHECK(model.size() == expected.points().size());
        CHECK(model.positions() == expected.points());
        CHECK(dynamic_cast<Data<Vector<Triangle>>&>(*model.findData("triangles")).value() == expected.triangles());
        CHECK(dynamic_cast<Data<Vector<Triangle>>&>(*m.findData("triangles")).value() == expected.triangles());
    };
    expected.make(Vector<Vec3>{{0, 0, 0}, {1, 0, 0}}, parameters(1., 0.2, 0.3));
    const std::size_t first = expected.points().size();
    check();
    auto& in = *s.root->get<State<Vec3Types>>(Search::Local);
    (*in.write(vec_id::position))[1] = {3, 0.1, 0};
    s.step();
    expected.make(Vector<Vec3>{{0, 0, 0}, {3, 0.1, 0}}, parameters(1., 0.2, 0.3));
    CHECK(expected.points().size() != first);
    check();
}

TEST_CASE("Old names of the box of a surface, and what it lacks", "[mapping]")
{
    SceneText s(shown("minx='-2' miny='-3' maxz='4'"));
    REQUIRE(s.good);
    auto& m = *s.child("look").get<BaseMapping>(Search::Local);
    CHECK(m.findData("min")->text() == "-2 -3 -100");
    CHECK(m.findData("max")->text() == "100 100 4");
    const auto said = [](const std::string& text) {
        MessageCapture log;
        CHECK_FALSE(SceneText(text).good);
        return log.text();
    };
    CHECK_THAT(said(shown("min='1 0 0' max='1 1 1'")), Catch::Contains("min is not below max"));
    CHECK_THAT(said(model + "<Node name='look'><MechanicalObject/><ImplicitSurfaceMapping/></Node>"),
               Catch::Contains("expected a visual model"));
}

}  // namespace implicit_surface_test
