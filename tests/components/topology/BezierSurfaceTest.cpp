// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/BezierSurface.h"

#include <map>
#include <random>

#include "components/mapping/BarycentricWeights.h"
#include "components/mapping/MadePointsMapping.h"
#include "core/fem/elements/BezierShape.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/Paths.h"

namespace bezier_surface_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// A ball of twenty elements whose rest shapes are curved, of radius 1, and its surface.
std::string ball(const std::string& name, const std::string& translation, int divisions, const std::string& model,
                 const std::string& more = "")
{
    return "<Node name='" + name + "'><MeshGmshLoader name='loader' filename='mesh/curved_ball.msh' translation='" +
           translation + "'/><EulerImplicitSolver rayleighStiffness='0.01' rayleighMass='0.1'/>" + direct +
           "<BezierTetrahedronSetTopologyContainer name='mesh' src='@loader'/><MechanicalObject name='x'/>"
           "<FEMMass template='Vec3,BezierTetrahedron' massDensity='5' lumping='true'/>"
           "<TetrahedronHyperelasticityFEMForceField materialName='StableNeoHookean' ParameterSet='4000 10000'/>" +
           more +
           "<Node name='surface'><TriangleSetTopologyContainer name='triangles'/><BezierSurfaceTopologicalMapping "
           "name='map' divisions='" +
           std::to_string(divisions) +
           "'/><MechanicalObject name='points'/><BezierSurfaceMechanicalMapping name='mapping'/>" + model +
           "</Node></Node>";
}

std::string world(const std::string& bodies, bool isPenalty)
{
    const std::string how = isPenalty
                                ? "<DefaultAnimationLoop/><DefaultCollisionGroupManager/><CollisionResponse "
                                  "response='PenalityContactForceField'/>"
                                : "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='1000' "
                                  "tolerance='1e-8'/><CollisionResponse response='FrictionContactConstraint' "
                                  "responseParams='mu=0.4'/>";
    return "<Node name='root' dt='0.01' gravity='0 -9.81 0'>" + how +
           "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><MinProximityIntersection alarmDistance='0.1' "
           "contactDistance='" +
           (isPenalty ? "0.06" : "0.02") + "'/>" + bodies +
           "<Node name='floor'><MeshTopology position='-3 0 -3  6 0 -3  6 0 3  -3 0 3' triangles='3 2 1  3 1 0'/>"
           "<MechanicalObject/><TriangleCollisionModel moving='0' simulated='0'/><LineCollisionModel moving='0' "
           "simulated='0'/><PointCollisionModel moving='0' simulated='0'/></Node></Node>";
}

/// Points of the curved border itself, far more than there are triangles.
template <class F>
void forSurfacePoints(Node& body, F f)
{
    std::map<std::array<Index, 3>, int> faces;
    const auto key = [](const BezierTetrahedron& t, std::size_t face) {
        return sortedVertices(std::array<Index, 3>{t[(face + 1) % 4], t[(face + 2) % 4], t[(face + 3) % 4]});
    };
    for (const BezierTetrahedron& t : bezierTopologyOf(*body.get<BaseMeshTopology>(Search::Local)).bezierTetrahedra())
        for (std::size_t face = 0; face < 4; ++face) ++faces[key(t, face)];
    const auto& mesh = bezierTopologyOf(*body.get<BaseMeshTopology>(Search::Local));
    const Vector<Vec3>& x = body.get<State<Vec3Types>>(Search::Local)->positions();
    constexpr int n = 16;
    for (const BezierTetrahedron& t : mesh.bezierTetrahedra())
        for (std::size_t face = 0; face < 4; ++face)
            for (int i = 0; i <= n && faces[key(t, face)] == 1; ++i)
                for (int j = 0; i + j <= n; ++j) {
                    std::array<double, 4> alpha{};
                    alpha[(face + 1) % 4] = static_cast<double>(i) / n;
                    alpha[(face + 2) % 4] = static_cast<double>(j) / n;
                    alpha[(face + 3) % 4] = static_cast<double>(n - i - j) / n;
                    Vec3 p;
                    for (std::size_t a = 0; a < 4; ++a)
                        for (std::size_t b = 0; b < 4; ++b) p += x[t[bezierControl[a][b]]] * (alpha[a] * alpha[b]);
                    f(p);
                }
}

double distanceToTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 normal = normalized(cross(b - a, c - a));
    const double height = dot(p - a, normal);
    const Vec3 q = p - normal * height;
    double least = 1e9;
    bool within = true;
    for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, a}}) {
        within = within && dot(cross(to - from, q - from), normal) > 0.;
        const double s = std::clamp(dot(p - from, to - from) / norm2(to - from), 0., 1.);
        least = std::min(least, norm(p - from - (to - from) * s));
    }
    return within ? std::abs(height) : least;
}

double areaOf(const Vector<Triangle>& triangles, const Vector<Vec3>& x)
{
    double sum = 0.;
    for (const Triangle& t : triangles) sum += 0.5 * norm(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]));
    return sum;
}

}  // namespace

TEST_CASE("Flat triangles on a curved surface lie on it, are closed and turned outwards, and come near as told")
{
    double before = 0.;
    for (const int n : {1, 2, 4, 8, 16}) {
        CAPTURE(n);
        Run r("<Node name='root'>" + ball("body", "0 0 0", n, "") + "</Node>");
        const auto& surface = r.surface();
        const auto& x = r.surface<State<Vec3Types>>().positions();
        const auto& triangles = surface.triangles();
        REQUIRE(triangles.size() == static_cast<std::size_t>(20 * n * n));
        REQUIRE(x.size() == triangles.size() / 2 + 2);  // Euler's formula: neighbours have common points
        std::map<Edge, int> sides;
        for (const Triangle& t : triangles) {
            CHECK(dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[0]]) > 0.);
            for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
        }
        for (const auto& [side, count] : sides) CHECK((count == 1 && sides.count({side[1], side[0]}) == 1));

        // The distance of the surface from the triangles is less than the bound, and not far less.
        auto& mapping = *r.body().child("surface")->get<BezierSurfaceMechanicalMapping>(Search::Local);
        const double bound = mapping.deviation();
        double largest = 0.;
        forSurfacePoints(r.body(), [&](const Vec3& p) {
            double least = 1e9;
            for (const Triangle& t : triangles)
                least = std::min(least, distanceToTriangle(p, x[t[0]], x[t[1]], x[t[2]]));
            largest = std::max(largest, least);
        });
        CHECK(largest <= bound * (1. + 1e-12) + 1e-15);
        if (n <= 4) CHECK(largest > 0.3 * bound);
        const double area = areaOf(triangles, x);
        CHECK(area > before);
        before = area;
    }
    CHECK(before == Approx(4. * 3.14159265).epsilon(0.02));  // the quadratic surface is near a sphere
}

HARNESS_MAPPING("BezierSurfaceMechanicalMapping")
{
    for (const char* degrees : {"1", "2", "1 2 1 2 2 1 2 1 1"}) {
        CAPTURE(degrees);
        const std::string mesh =
            "<BezierTetrahedronSetTopologyContainer name='mesh' position='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1' "
            "tetrahedra='0 1 2 3 1 4 2 3' degrees='" +
            std::string(degrees) + "'/>";
        Run r("<Node name='root'><Node name='body'>" + mesh +
              "<MechanicalObject name='x'/><Node name='surface'><TriangleSetTopologyContainer/>"
              "<BezierSurfaceTopologicalMapping divisions='3'/><MechanicalObject/><BezierSurfaceMechanicalMapping/>"
              "</Node></Node></Node>");
        REQUIRE(r.surface().triangles().size() == 6 * 9);
        auto& mapping = *r.body().child("surface")->get<BezierSurfaceMechanicalMapping>(Search::Local);
        std::mt19937 random(5);
        std::uniform_real_distribution<> any(-0.2, 0.2);
        for (Vec3& p : *r.state().write(vec_id::position)) p += Vec3{any(random), any(random), any(random)};
        mapping.apply(MechanicalParams(), vec_id::position, vec_id::position);
        checkMapping(mapping);
        // Each drawn point is on a face, at the place that its element has there.
        const auto& curved = bezierTopologyOf(r.mesh());
        Vector<Vec3> memory;
        const Vector<Vec3>& x = curved.middlePoints().extended(r.state().positions(), memory);
        Vector<Vec3> expected;
        for (const BezierTetrahedron& t : curved.bezierTetrahedra())
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = 0; j < 4; ++j) {
                    if (i == j) continue;
                    // A third of the way along an edge.
                    expected.push_back(x[t[i]] * (4. / 9.) + x[t[bezierControl[i][j]]] * (4. / 9.) + x[t[j]] / 9.);
                }
        const Vector<Vec3>& made = r.surface<State<Vec3Types>>().positions();
        for (const Vec3& p : expected) {
            double least = 1e9;
            for (const Vec3& q : made) least = std::min(least, norm(p - q));
            CHECK(least < 1e-14);
        }
    }
}

TEST_CASE("The surface stays when edges change their degree")
{
    Run r(
        "<Node name='root'><Node name='body'><BezierTetrahedronSetTopologyContainer name='mesh' position='0 0 0 1 0 0 "
        "0 1 0 0 0 1 1 1 1' tetrahedra='0 1 2 3 1 4 2 3' degrees='1'/><MechanicalObject name='x'/>"
        "<Node name='surface'><TriangleSetTopologyContainer/><BezierSurfaceTopologicalMapping divisions='3'/>"
        "<MechanicalObject name='points'/><BezierSurfaceMechanicalMapping name='mapping'/></Node></Node></Node>");
    const Vector<Vec3> before = r.surface<State<Vec3Types>>().positions();
    const Vector<Triangle> triangles = r.surface().triangles();
    changeDegrees(r.mesh(), Vector<Index>{0, 2, 3, 5});
    REQUIRE(r.state().size() == 9);
    CHECK(r.surface().triangles() == triangles);
    const Vector<Vec3>& after = r.surface<State<Vec3Types>>().positions();
    REQUIRE(after.size() == before.size());
    for (std::size_t i = 0; i < after.size(); ++i) CHECK(norm(after[i] - before[i]) < 1e-15);
    // A new control point pulls points of the surface.
    auto& mapping = *r.body().child("surface")->get<BezierSurfaceMechanicalMapping>(Search::Local);
    (*r.state().write(vec_id::position))[5] += Vec3{0., 0., 0.3};
    mapping.apply(MechanicalParams(), vec_id::position, vec_id::position);
    double moved = 0.;
    for (std::size_t i = 0; i < after.size(); ++i) moved = std::max(moved, norm(after[i] - before[i]));
    CHECK(moved == Approx(0.3 * 4. / 9.));
    changeDegrees(r.mesh(), Vector<Index>{0, 2, 3, 5});
    CHECK(r.state().size() == 5);
    for (std::size_t i = 0; i < after.size(); ++i) CHECK(norm(after[i] - before[i]) < 1e-15);
}

TEST_CASE("Curved bodies do not come nearer to the floor or to each other than contacts allow")
{
    const std::string stiff = " contactStiffness='60'/>";
    const std::string models =
        "<TriangleCollisionModel" + stiff + "<LineCollisionModel" + stiff + "<PointCollisionModel" + stiff;
    for (const bool isPenalty : {false, true}) {
        CAPTURE(isPenalty);
        const std::string correction = isPenalty ? "" : "<LinearSolverConstraintCorrection/>";
        Run r(
            world(ball("body", "0 1.1 0", 5, models, correction) + ball("other", "0.4 3.3 0.2", 5, models, correction),
                  isPenalty));
        Node& other = *r.root->child("other");
        double lowest = 1e9, beyond = -1e9;
        bool touched = false;
        for (int step = 0; step < 120; ++step) {
            r.steps(1);
            for (Node* body : {&r.body(), &other}) {
                Node& surface = *body->child("surface");
                double flat = 1e9, curved = 1e9;
                for (const Vec3& p : surface.get<State<Vec3Types>>(Search::Local)->positions())
                    flat = std::min(flat, p[1]);
                forSurfacePoints(*body, [&](const Vec3& p) { curved = std::min(curved, p[1]); });
                const double deviation = surface.get<BezierSurfaceMechanicalMapping>(Search::Local)->deviation();
                beyond = std::max(beyond, flat - deviation - curved);
                lowest = std::min(lowest, flat);
            }
            touched = touched || other.get<State<Vec3Types>>(Search::Local)->positions()[0][1] < 3.;
        }
        CHECK(touched);
        // Multipliers keep the contact distance; penalties a part of one that is larger than a step of the motion. The
        // curves are nearer by no more than the deviation.
        CHECK(lowest > (isPenalty ? 0. : 0.02 - 1e-4));
        CHECK(lowest < 0.05);
        CHECK(beyond < 1e-12);
        // The upper body has not gone into the lower one.
        const Vector<Vec3>&a = r.state().positions(), &b = other.get<State<Vec3Types>>(Search::Local)->positions();
        Vec3 middleA, middleB;
        for (const Vec3& p : a) middleA += p / static_cast<double>(a.size());
        for (const Vec3& p : b) middleB += p / static_cast<double>(b.size());
        CHECK(norm(middleA - middleB) > 1.5);
    }
}

TEST_CASE("Points are where they were in elements whose rest shapes are curved")
{
    std::mt19937 random(3);
    std::uniform_real_distribution<> any(-1., 1.);
    std::string points;
    Vector<Vec3> expected;
    while (expected.size() < 200) {
        const Vec3 p{any(random), any(random), any(random)};
        if (norm(p) > 0.97) continue;
        expected.push_back(p);
        points += toText(p) + " ";
    }
    for (const Vec3& p : {Vec3{0., 0., 1.02}, Vec3{0.6, 0.6, 0.6}}) {  // outside, but near
        expected.push_back(p);
        points += toText(p) + " ";
    }
    Run r("<Node name='root'>" +
          ball("body", "0 0 0", 1, "",
               "<Node name='inside'><MechanicalObject name='points' position='" + points +
                   "'/><BarycentricMapping name='mapping'/></Node>") +
          "</Node>");
    const auto& x = r.body().child("inside")->get<State<Vec3Types>>(Search::Local)->positions();
    REQUIRE(x.size() == expected.size());
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(x[i] - expected[i]) < 1e-12);
    // An affine motion of the control points moves them alike.
    const Mat3 a = Mat3::fromRows(Vec3{1.1, 0.2, 0.}, Vec3{0., 0.9, 0.1}, Vec3{0.3, 0., 1.2});
    for (Vec3& p : *r.state().write(vec_id::position)) p = a * p;
    r.body()
        .child("inside")
        ->get<BaseMapping>(Search::Local)
        ->apply(MechanicalParams(), vec_id::position, vec_id::position);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(x[i] - a * expected[i]) < 1e-12);
}

TEST_CASE("Coordinates in a quadratic element are found, or it is said that there are none")
{
    std::mt19937 random(9);
    std::uniform_real_distribution<> any(-0.08, 0.08), part(0., 1.);
    std::array<Vec3, 10> control{Vec3{0., 0., 0.}, Vec3{1., 0., 0.}, Vec3{0., 1., 0.}, Vec3{0., 0., 1.}};
    for (std::size_t k = 0; k < 6; ++k)
        control[4 + k] = (control[bezierEdges[k][0]] + control[bezierEdges[k][1]]) * 0.5 +
                         Vec3{any(random), any(random), any(random)};
    for (int i = 0; i < 100; ++i) {
        Vec3 q{part(random), part(random), part(random)};
        if (q[0] + q[1] + q[2] > 1.) q *= 1. / (q[0] + q[1] + q[2]);
        const auto n = BezierTetrahedronShape::values(q);
        Vec3 p;
        for (std::size_t k = 0; k < 10; ++k) p += control[k] * n[k];
        const auto alpha = bezierCoordinates(control, p);
        REQUIRE(alpha);
        CHECK(norm(Vec3{(*alpha)[1], (*alpha)[2], (*alpha)[3]} - q) < 1e-12);
        CHECK((*alpha)[0] + q[0] + q[1] + q[2] == Approx(1.));
    }
    // A parabola that does not reach the point.
    std::array<Vec3, 10> folded = control;
    folded[4] = {0.5, 0., 0.};
    folded[4][0] = 3.;
    for (const std::size_t k : {5, 6, 7, 8, 9})
        folded[k] = (control[bezierEdges[k - 4][0]] + control[bezierEdges[k - 4][1]]) * 0.5;
    CHECK_FALSE(bezierCoordinates(folded, {50., 0., 0.}));
}

TEST_CASE("A curved surface of something else is refused")
{
    MessageCapture messages;
    const auto root = loadSceneText(
        "<Node><TetrahedronSetTopologyContainer position='0 0 0 1 0 0 0 1 0 0 0 1' tetrahedra='0 1 2 3'/>"
        "<MechanicalObject/><Node><TriangleSetTopologyContainer/><BezierSurfaceTopologicalMapping/></Node></Node>",
        "curved.scn");
    REQUIRE(root);
    CHECK_FALSE(Simulation(root).init());
    CHECK(messages.text().find("has no control points on its edges") != std::string::npos);
}

TEST_CASE("What follows curved elements without control points says so, and edges of such meshes carry points")
{
    MessageCapture messages;
    // It has no positions of its own, and no elements then.
    auto root = loadSceneText(
        "<Node><BezierTriangleSetTopologyContainer triangles='0 1 2'/><MechanicalObject position='0 0 0 1 0 0 0 1 0'/>"
        "<Node><TriangleSetTopologyContainer/><BezierSurfaceTopologicalMapping/></Node></Node>",
        "curved.scn");
    REQUIRE(root);
    CHECK_FALSE(Simulation(root).init());
    CHECK(messages.text().find("lack their control points") != std::string::npos);
    root = loadSceneText(
        "<Node><BezierTetrahedronSetTopologyContainer position='0 0 0 1 0 0 0 1 0' edges='0 1 1 2'/>"
        "<MechanicalObject/><UniformMass/><Node><MechanicalObject position='0.5 0 0'/><BarycentricMapping/></Node>"
        "</Node>",
        "edges.scn");
    REQUIRE(root);
    CHECK(Simulation(root).init());
    Node& inside = *root->children().front();
    CHECK(norm(inside.get<State<Vec3Types>>(Search::Local)->positions()[0] - Vec3{0.5, 0., 0.}) < 1e-15);
}

}  // namespace bezier_surface_test
