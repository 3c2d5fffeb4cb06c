// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <tuple>

#include "core/collision/CollisionDetection.h"
#include "core/geometry/Proximity.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace proximity_methods_test {

using namespace sofa;
using namespace sofa::core;

namespace {

using Real = long double;

struct Scene
{
    std::shared_ptr<Node> root;
    const CollisionModel *a, *b;  ///< in the order of the test
    const IntersectionMethod* method;
    Vector<DetectedContact> contacts;
};

/// All contacts that a method finds between the models of two nodes, or within one model.
Scene compare(const std::string& method, const std::string& a, const std::string& b, const std::string& root = "")
{
    Scene s;
    s.root = loadSceneText("<Node name='root' " + root + ">" + method + "<Node name='a'>" + a +
                               "</Node><Node name='b'>" + b + "</Node></Node>",
                           "test.scn");
    REQUIRE(s.root != nullptr);
    REQUIRE(initGraph(*s.root));
    const auto last = [&](const char* node) -> CollisionModel* {
        const auto all = s.root->child(node)->getAll<CollisionModel>(Search::Local);
        REQUIRE(!all.empty());
        all.back()->update();
        return all.back();
    };
    s.a = last("a");
    s.b = last("b");
    s.method = s.root->get<IntersectionMethod>(Search::Local);
    REQUIRE(s.method);
    bool swapped = false;
    const PrimitiveTest test = s.method->find(s.a->shape(), s.b->shape(), swapped);
    REQUIRE(test != nullptr);
    if (swapped) std::swap(s.a, s.b);
    for (Index i = 0; i < s.a->size(); ++i)
        for (Index j = 0; j < s.b->size(); ++j) test(*s.method, *s.a, i, *s.b, j, s.contacts);
    return s;
}

std::string mesh(const std::string& positions, const std::string& elements, const std::string& models)
{
    return "<MechanicalObject position='" + positions + "'/><MeshTopology " + elements + "/>" + models;
}

const std::string newProximity = "<NewProximityIntersection alarmDistance='1' contactDistance='0.25'/>",
                  withLines = "<NewProximityIntersection alarmDistance='1' contactDistance='0.25' useLineLine='1'/>",
                  localMinimum = "<LocalMinDistance alarmDistance='1' contactDistance='0.25'/>";

// The surface of a cube from 0 to 1, outside outwards: two triangles on each side.
const std::string cubePoints = "0 0 0  1 0 0  0 1 0  1 1 0  0 0 1  1 0 1  0 1 1  1 1 1",
                  cubeTriangles =
                      "triangles='0 2 1  1 2 3  4 5 6  5 7 6  0 1 4  1 5 4  2 6 3  3 6 7  0 4 2  2 4 6  1 "
                      "3 5  3 7 5'";

Real distanceOfSegments(const Vec3* p, const Vec3* q, int steps);

/// Least distance of a point from a segment or triangle in extended precision, by projection and recursion to borders.
Real squaredDistance(const Vec3& q, const std::vector<Vec3>& corners)
{
    const auto sub = [](const Vec3& a, const Vec3& b) {
        return std::array<Real, 3>{Real(a[0]) - b[0], Real(a[1]) - b[1], Real(a[2]) - b[2]};
    };
    const auto dot = [](const std::array<Real, 3>& a, const std::array<Real, 3>& b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    };
    const auto d = sub(q, corners[0]);
    if (corners.size() == 1) return dot(d, d);
    const auto u = sub(corners[1], corners[0]);
    if (corners.size() == 2) {
        const Real t = std::clamp<Real>(dot(d, u) / dot(u, u), 0, 1);
        Real sum = 0;
        for (int k = 0; k < 3; ++k) sum += (d[k] - t * u[k]) * (d[k] - t * u[k]);
        return sum;
    }
    const auto v = sub(corners[2], corners[0]);
    const Real uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), du = dot(d, u), dv = dot(d, v), det = uu * vv - uv * uv;
    const Real alpha = (du * vv - dv * uv) / det, beta = (dv * uu - du * uv) / det;
    if (alpha >= 0 && beta >= 0 && alpha + beta <= 1) {
        Real sum = 0;
        for (int k = 0; k < 3; ++k) {
            const Real e = d[k] - alpha * u[k] - beta * v[k];
            sum += e * e;
        }
        return sum;
    }
    return std::min({squaredDistance(q, {corners[0], corners[1]}), squaredDistance(q, {corners[1], corners[2]}),
                     squaredDistance(q, {corners[2], corners[0]})});
}

/// Exact minimum over s of the distance of p(s) from a segment is convex: ternary search in extended precision.
Real distanceOfSegments(const Vec3* p, const Vec3* q, int steps)
{
    const auto at = [&](Real s) {
        // Differences in extended precision: the point of the first segment is not rounded to double.
        std::array<Real, 3> x{}, u{};
        Real du = 0, uu = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            x[k] = Real(p[0][k]) + s * (Real(p[1][k]) - p[0][k]) - q[0][k];
            u[k] = Real(q[1][k]) - q[0][k];
            du += x[k] * u[k];
            uu += u[k] * u[k];
        }
        const Real t = std::clamp<Real>(du / uu, 0, 1);
        Real sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += (x[k] - t * u[k]) * (x[k] - t * u[k]);
        return sum;
    };
    Real low = 0, high = 1;
    for (int n = 0; n < steps; ++n) {
        const Real a = low + (high - low) / 3, b = high - (high - low) / 3;
        (at(a) < at(b) ? high : low) = at(a) < at(b) ? b : a;
    }
    return at((low + high) / 2);
}

std::vector<Vec3> randomPoints(std::mt19937& random, int n)
{
    std::uniform_real_distribution<double> value(-1., 1.);
    std::vector<Vec3> x(static_cast<std::size_t>(n));
    for (Vec3& p : x)
        for (std::size_t k = 0; k < 3; ++k) p[k] = value(random);
    return x;
}

std::string text(const std::vector<Vec3>& x)
{
    std::string s;
    char buffer[32];
    for (const Vec3& p : x)
        for (std::size_t k = 0; k < 3; ++k) {
            std::snprintf(buffer, sizeof buffer, "%.17g ", p[k]);
            s += buffer;
        }
    return s;
}

}  // namespace

TEST_CASE("many pairs of triangles at once have the contacts of each by itself, and no near corner is missing")
{
    // Triangles that share no points own all their parts, so that a corner has a contact with each triangle that is
    // nearer than the alarm distance and both skins. Skins may be of negative thickness.
    std::mt19937 random(11);
    std::uniform_real_distribution<double> place(-3., 3.), extent(-0.8, 0.8);
    constexpr int count = 60;
    for (const std::string skin : {"0", "0.2", "-0.15"}) {
        std::string points[2], elements = "triangles='";
        for (int t = 0; t < count; ++t) {
            for (std::string& p : points) {
                const Vec3 middle{place(random), place(random), place(random)};
                for (int k = 0; k < 3; ++k)
                    for (const double m : middle) p += std::to_string(m + extent(random)) + " ";
            }
            elements += std::to_string(3 * t) + " " + std::to_string(3 * t + 1) + " " + std::to_string(3 * t + 2) + " ";
        }
        elements += "'";
        const std::string model = "<TriangleCollisionModel contactDistance='" + skin + "'/>";
        for (const std::string& method : {newProximity, withLines}) {
            const Scene s = compare(method, mesh(points[0], elements, model), mesh(points[1], elements, model));
            Vector<Candidate> candidates;
            for (Index i = 0; i < s.a->size(); ++i)
                for (Index j = 0; j < s.b->size(); ++j) candidates.push_back({0, i, j});
            const PrimitivePairsTest many = s.method->findPairsTest(s.a->shape(), s.b->shape());
            REQUIRE(many != nullptr);
            Vector<DetectedContact> found;
            many(*s.method, *s.a, *s.b, candidates, found);

            const Vector<DetectedContact>& expected = s.contacts;
            REQUIRE(found.size() == expected.size());
            CHECK(found.size() > 50);
            bool same = true;
            for (std::size_t k = 0; k < found.size(); ++k) {
                const DetectedContact &p = found[k], &q = expected[k];
                same = same && p.primitive1 == q.primitive1 && p.primitive2 == q.primitive2 && p.id == q.id &&
                       p.point1 == q.point1 && p.point2 == q.point2 && p.normal == q.normal && p.value == q.value;
            }
            CHECK(same);
            if (method != newProximity) continue;
            const double alarm = 1. + 2. * std::stod(skin);
            std::size_t near = 0;
            for (const Candidate& c : candidates)
                for (std::size_t k = 0; k < 3; ++k)
                    for (const auto& [m, i, n, j] : {std::tuple(s.a, c.i, s.b, c.j), std::tuple(s.b, c.j, s.a, c.i)})
                        if (geometry::pointTriangle(m->vertex(i, k), n->vertex(j, 0), n->vertex(j, 1), n->vertex(j, 2))
                                .distance() < alarm)
                            ++near;
            CHECK(found.size() == near);
        }
    }
}

TEST_CASE("contacts of triangles are as near as the triangles, compared with extended precision")
{
    std::mt19937 random(11);
    int apart = 0, crossing = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const std::vector<Vec3> p = randomPoints(random, 3), q = randomPoints(random, 3);
        const Scene s = compare("<NewProximityIntersection alarmDistance='9' contactDistance='0' useLineLine='1'/>",
                                mesh(text(p), "triangles='0 1 2'", "<TriangleCollisionModel/>"),
                                mesh(text(q), "triangles='0 1 2'", "<TriangleCollisionModel/>"));
        Real least = 100;
        for (std::size_t k = 0; k < 3; ++k) {
            least = std::min({least, squaredDistance(p[k], q), squaredDistance(q[k], p)});
            for (std::size_t l = 0; l < 3; ++l) {
                const Vec3 e[2] = {p[k], p[(k + 1) % 3]}, f[2] = {q[l], q[(l + 1) % 3]};
                least = std::min(least, distanceOfSegments(e, f, 150));
            }
        }
        double found = 100.;
        for (const DetectedContact& c : s.contacts) {
            found = std::min(found, c.value);
            CHECK(c.value == Approx(norm(c.point2 - c.point1)).margin(1e-15));
            CHECK(norm(c.normal * c.value - (c.point2 - c.point1)) < 1e-14);
        }
        // Sides near which a triangle passes through the other one are no nearer than it.
        if (geometry::triangleTriangle({p[0], p[1], p[2]}, {q[0], q[1], q[2]}).crossing) {
            ++crossing;
            continue;
        }
        CHECK(found == Approx(double(std::sqrt(least))).margin(1e-13));
        if (least > 1e-6) ++apart;
    }
    CHECK(apart > 250);
    CHECK(crossing > 50);
}

TEST_CASE("a point or sphere over a mesh has one contact with the part of the mesh nearest to it")
{
    // Above the middle of a face, an edge, the diagonal of a face and a corner: each part belongs to one triangle.
    const std::string cube = mesh(cubePoints, cubeTriangles, "<TriangleCollisionModel/>");
    for (const std::string model : {"<PointCollisionModel/>", "<SphereCollisionModel radius='0.1'/>"}) {
        const double radius = model.find("Sphere") != std::string::npos ? 0.1 : 0.;
        for (const auto& [at, on] : std::vector<std::pair<std::string, Vec3>>{
                 {"0.25 0.5 1.2", {0.25, 0.5, 1.}},
                 {"1.1 0.5 1.1", {1., 0.5, 1.}},
                 {"0.5 0.5 1.2", {0.5, 0.5, 1.}},
                 {"-0.1 -0.1 -0.1", {0., 0., 0.}},
                 {"1.1 1.1 1.1", {1., 1., 1.}},
             }) {
            const Scene s = compare("<NewProximityIntersection alarmDistance='0.5' contactDistance='0.25'/>", cube,
                                    "<MechanicalObject position='" + at + "'/>" + model);
            INFO(at);
            // The sides of the face over which the point is are farther than the alarm distance, or not nearest.
            double least = 100.;
            int nearest = 0;
            for (const DetectedContact& c : s.contacts) least = std::min(least, c.value);
            for (const DetectedContact& c : s.contacts)
                if (c.value < least + 1e-12) {
                    ++nearest;
                    CHECK(norm(c.point1 - on) < 1e-14);
                    CHECK(c.value == Approx(norm(c.point2 - on) - radius - 0.25).margin(1e-14));
                    CHECK(c.primitive2 == 0);
                    CHECK(c.id == 0);
                }
            CHECK(nearest == 1);
        }
    }
}

TEST_CASE("sides of triangles that spheres touch are left to lines as in SOFA, where there are lines")
{
    // The second triangle has side 31 to itself, but not side 12.
    const std::string points = "0 0 0  1 0 0  0 1 0  1 1 0", triangles = "triangles='0 1 2  2 1 3'",
                      sphere = "<MechanicalObject position='0.5 1.25 0'/><SphereCollisionModel radius='0.1'/>",
                      method = "<NewProximityIntersection alarmDistance='0.3' contactDistance='0'/>";
    const Scene alone = compare(method, mesh(points, triangles, "<TriangleCollisionModel/>"), sphere),
                both =
                    compare(method, mesh(points, triangles, "<LineCollisionModel/><TriangleCollisionModel/>"), sphere),
                lines = compare(method, mesh(points, triangles, "<LineCollisionModel/>"), sphere);
    REQUIRE(alone.contacts.size() == 1);
    CHECK(norm(alone.contacts[0].point1 - Vec3{0.5, 1., 0.}) < 1e-15);
    CHECK(both.contacts.empty());
    REQUIRE(lines.contacts.size() == 1);
    CHECK(norm(lines.contacts[0].point1 - Vec3{0.5, 1., 0.}) < 1e-15);
}

TEST_CASE("the contact of a sphere of a frame is at its centre, where triangles are compared too")
{
    const Scene s =
        compare(newProximity, mesh("0 0 0  2 0 0  0 2 0", "triangles='0 1 2'", "<TriangleCollisionModel/>"),
                "<MechanicalObject template='Rigid3' position='0.5 0.5 0.75 0 0 0 1'/><SphereCollisionModel "
                "template='Rigid3' radius='0.5'/>");
    REQUIRE(s.contacts.size() == 1);
    CHECK(norm(s.contacts[0].point1 - Vec3{0.5, 0.5, 0.}) < 1e-15);
    CHECK(norm(s.contacts[0].point2 - Vec3{0.5, 0.5, 0.75}) < 1e-15);
    CHECK(s.contacts[0].value == Approx(0.75 - 0.5 - 0.25).margin(1e-15));
}

TEST_CASE("ids of contacts tell corners and sides of triangles apart; triangles with a common corner do not collide")
{
    const std::string a = mesh("0 0 0  1 0 0  0 1 0", "triangles='0 1 2'", "<TriangleCollisionModel/>"),
                      b = mesh("0.1 0.1 0.2  1.1 0.1 0.2  0.1 1.1 0.2", "triangles='0 1 2'",
                               "<TriangleCollisionModel/>");
    const Scene points = compare(newProximity, a, b), lines = compare(withLines, a, b);
    std::vector<std::int64_t> ids;
    for (const DetectedContact& c : points.contacts) ids.push_back(c.id);
    CHECK(ids == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
    CHECK(lines.contacts.size() > points.contacts.size());
    for (std::size_t k = 6; k < lines.contacts.size(); ++k) {
        CHECK(lines.contacts[k].id >= 6);
        CHECK(lines.contacts[k].id < 15);
    }
    // Within one mesh.
    const Scene self = compare(newProximity, mesh(cubePoints, cubeTriangles, "<TriangleCollisionModel/>"),
                               "<MechanicalObject position='9 9 9'/><PointCollisionModel/>");
    bool swapped = false;
    Vector<DetectedContact> out;
    const PrimitiveTest test = self.method->find(CollisionShape::Triangle, CollisionShape::Triangle, swapped);
    test(*self.method, *self.a, 0, *self.a, 1, out);
    CHECK(out.empty());
}

TEST_CASE("models learn that lines come and go, above them too")
{
    const auto root = loadSceneText(
        "<Node name='root'><Node name='a'>" +
            mesh(cubePoints, cubeTriangles, "<LineCollisionModel name='lines'/><PointCollisionModel name='points'/>") +
            "<Node name='b'>" + mesh(cubePoints, cubeTriangles, "<TriangleCollisionModel name='triangles'/>") +
            "</Node></Node></Node>",
        "test.scn");
    REQUIRE(root);
    REQUIRE(initGraph(*root));
    Node& a = *root->child("a");
    auto& above = dynamic_cast<CollisionModel&>(*a.component("points"));
    auto& below = dynamic_cast<CollisionModel&>(*a.child("b")->component("triangles"));
    const auto updated = [](CollisionModel& m) {
        m.update();
        return m.hasLines();
    };
    CHECK(updated(above));
    CHECK(updated(below));
    const auto& all = a.components();
    const std::shared_ptr<Component> lines =
        *std::find_if(all.begin(), all.end(), [](const auto& c) { return c->name() == "lines"; });
    a.removeComponent(*lines);
    CHECK_FALSE(updated(above));
    CHECK_FALSE(updated(below));
    a.addComponent(lines);
    CHECK(updated(above));
    CHECK(updated(below));
}

TEST_CASE("lines and triangles, with corners, ends and sides")
{
    const std::string triangle = mesh("0 0 0  2 0 0  0 2 0", "triangles='0 1 2'", "<TriangleCollisionModel/>");
    // A line above the triangle that crosses its longest side.
    const std::string line = mesh("0.25 0.25 0.5  2.25 2.25 0.5", "edges='0 1'", "<LineCollisionModel/>");
    const Scene without = compare(newProximity, triangle, line), with = compare(withLines, triangle, line);
    const auto has = [](const Scene& s, const Vec3& p, const Vec3& q) {
        return std::ranges::any_of(s.contacts, [&](const DetectedContact& c) {
            return norm(c.point1 - p) < 1e-14 && norm(c.point2 - q) < 1e-14 && c.id == 0;
        });
    };
    CHECK(has(without, {0., 0., 0.}, {0.25, 0.25, 0.5}));
    CHECK(has(without, {0.25, 0.25, 0.}, {0.25, 0.25, 0.5}));
    CHECK_FALSE(has(without, {1., 1., 0.}, {1., 1., 0.5}));
    CHECK(has(with, {1., 1., 0.}, {1., 1., 0.5}));
}

TEST_CASE("local minima of the distance: one contact where primitives meet a corner, an edge and a face of a cube")
{
    // The cube with all three models; its points, lines and triangles against one point outside.
    const std::string models = "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/>";
    const auto count = [&](const std::string& at, const std::string& method, const std::string& last) {
        std::string m = models;
        const std::string model = "<" + last + "CollisionModel/>";
        m.erase(m.find(model), model.size());
        return compare(method, mesh(cubePoints, cubeTriangles, m + model),
                       "<MechanicalObject position='" + at + "'/><PointCollisionModel/>")
            .contacts.size();
    };
    const std::string near = "<LocalMinDistance alarmDistance='0.5' contactDistance='0.1'/>",
                      all = "<LocalMinDistance alarmDistance='0.5' contactDistance='0.1' filterIntersection='0'/>";
    struct Case
    {
        std::string at;
        std::size_t triangle, line, point;
    };
    for (const Case& c : {Case{"0.3 0.4 1.2", 1, 0, 0}, Case{"1.2 0.4 1.2", 0, 1, 0}, Case{"1.2 1.2 1.2", 0, 0, 1},
                          Case{"0.3 0.4 0.8", 0, 0, 0}}) {
        INFO(c.at);
        CHECK(count(c.at, near, "Triangle") == c.triangle);
        CHECK(count(c.at, near, "Line") == c.line);
        CHECK(count(c.at, near, "Point") == c.point);
    }
    // Without the filter the insides of the three faces within 0.5 count too, and edges near a face.
    CHECK(count("0.3 0.4 0.8", all, "Triangle") == 3);
    CHECK(count("0.3 0.4 1.2", all, "Line") > 0);
    // Filters outside of the method do not exist.
    CHECK(count("0.3 0.4 0.8", "<LocalMinDistance alarmDistance='0.5' contactDistance='0.1' useLMDFilters='1'/>",
                "Triangle") == 3);
}

TEST_CASE("the cones of local minima widen with angleCone and coneFactor, and with bothSide have no inside")
{
    const auto contacts = [](const std::string& settings, const std::string& at, const std::string& side,
                             const std::string& root = "") {
        // A flat sheet of four triangles around the point 0, looked at from above.
        return compare("<LocalMinDistance alarmDistance='1' contactDistance='0.1' " + settings + "/>",
                       mesh("0 0 0  1 0 0  0 1 0  -1 0 0  0 -1 0", "triangles='0 1 2  0 2 3  0 3 4  0 4 1'",
                            "<LineCollisionModel/><PointCollisionModel " + side + "/>"),
                       "<MechanicalObject position='" + at + "'/><PointCollisionModel/>", root)
            .contacts.size();
    };
    // Straight above; beside, at 45 degrees, along an edge: the edge is nearer.
    CHECK(contacts("", "0 0 0.5", "") == 1);
    CHECK(contacts("", "0.3 0 0.3", "") == 0);
    CHECK(contacts("angleCone='0.72'", "0.3 0 0.3", "") == 1);
    CHECK(contacts("angleCone='0.70'", "0.3 0 0.3", "") == 0);
    // Below. A surface that is not closed has no outside.
    const std::string sofa = "compatibility='sofa'";
    CHECK(contacts("", "0 0 -0.5", "") == 1);
    CHECK(contacts("", "0 0 -0.5", "", sofa) == 0);
    CHECK(contacts("", "0 0 -0.5", "bothSide='1'", sofa) == 1);
    // Within the contact distance every direction counts.
    CHECK(contacts("", "0.03 0 0.03", "") == 1);
    CHECK(contacts("", "0.03 0 0.03", "", sofa) == 0);
    // Directions along which the sheet is flat, up to rounding.
    CHECK(contacts("", "1e-5 0 0.3", "") == 1);
    CHECK(contacts("", "1e-5 0 0.3", "", sofa) == 0);
    CHECK(contacts("", "1e-3 0 0.3", "") == 0);
    // A pyramid: the edges fall off at 45 degrees, n · t = cos 45°. A point 30 degrees beyond the plane across an edge
    // is kept if the factor opens the cone by more than its sine.
    const auto pyramid = [](const std::string& factor) {
        const double c = std::cos(std::acos(-1.) / 4.);
        // Direction at which d · t = −0.5 for the edge to (1, 0, −1): turned by 30 degrees from its normal plane.
        const Vec3 t{-c, 0., c}, n{c, 0., c}, d = t * -0.5 + n * std::sqrt(0.75);
        return compare("<LocalMinDistance alarmDistance='1' contactDistance='0.1' coneFactor='" + factor + "'/>",
                       mesh("0 0 0  1 0 -1  0 1 -1  -1 0 -1  0 -1 -1", "triangles='0 1 2  0 2 3  0 3 4  0 4 1'",
                            "<LineCollisionModel/><PointCollisionModel/>"),
                       "<MechanicalObject position='" + text({d * 0.3}) + "'/><PointCollisionModel/>")
            .contacts.size();
    };
    CHECK(pyramid("0.70") == 0);
    CHECK(pyramid("0.72") == 1);
}

TEST_CASE("parallel lines meet at their middles; beside each other only")
{
    const std::string line = mesh("0 0 0  1 0 0", "edges='0 1'", "<LineCollisionModel/>");
    const Scene beside = compare(localMinimum, line, mesh("0 0.5 0  1 0.5 0", "edges='0 1'", "<LineCollisionModel/>"));
    REQUIRE(beside.contacts.size() == 1);
    CHECK(norm(beside.contacts[0].point1 - Vec3{0.5, 0., 0.}) < 1e-15);
    CHECK(norm(beside.contacts[0].point2 - Vec3{0.5, 0.5, 0.}) < 1e-15);
    CHECK(beside.contacts[0].value == Approx(0.25));
    // Shifted along: the middles are not nearest points.
    CHECK(compare(localMinimum, line, mesh("0.3 0.5 0  1.3 0.5 0", "edges='0 1'", "<LineCollisionModel/>"))
              .contacts.empty());
}

TEST_CASE("points that coincide have a contact with a normal of unit length")
{
    for (const std::string& method : {newProximity, localMinimum}) {
        const Scene s = compare(method, "<MechanicalObject position='0 0 0'/><PointCollisionModel/>",
                                "<MechanicalObject position='0 0 0'/><PointCollisionModel/>");
        REQUIRE(s.contacts.size() == 1);
        CHECK(norm(s.contacts[0].normal) == 1.);
        CHECK(s.contacts[0].value == -0.25);
    }
}

}  // namespace proximity_methods_test
