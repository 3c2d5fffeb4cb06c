// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "components/interaction/MouseSprings.h"
#include "core/behavior/State.h"
#include "core/interaction/MouseInteractor.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/StoredTopology.h"
#include "tests/harness/Paths.h"

namespace mouse_topology_test {

using namespace sofa;
using namespace sofa::core;

namespace {

struct Scene
{
    explicit Scene(std::shared_ptr<Node> node) : root(std::move(node)), simulation(root)
    {
        REQUIRE(root);
        REQUIRE(simulation.init());
    }
    static Scene file(const std::string& name)
    {
        return Scene(loadScene((test::sourceDirectory() / "scenes" / name).string()));
    }
    static Scene block() { return file("component/interaction/RemovePrimitive.scn"); }
    static Scene of(const std::string& content)
    {
        return Scene(loadSceneText(
            "<Node name='root' dt='0.01' gravity='0 0 0'><DefaultAnimationLoop/>" + content + "</Node>", "test.scn"));
    }
    void steps(int n)
    {
        for (int k = 0; k < n; ++k) simulation.step();
    }
    StoredTopology& mesh(const std::string& node = "block") const
    {
        return *root->child(node)->get<StoredTopology>(Search::Local);
    }
    const Vector<Vec3>& points(const std::string& node) const
    {
        return root->child(node)->get<State<Vec3Types>>(Search::Local)->positions();
    }
    /// What the mouse made in the scene.
    std::string madeByMouse() const
    {
        std::string text;
        for (const Node* n : root->descendants(true)) {
            if (n->name() == "mouse" || n->name() == "suture") text += n->pathName() + "\n";
            for (const auto& c : n->components())
                if (c->name() == "mouse") text += c->pathName() + "\n";
        }
        return text;
    }
    std::string structure() const
    {
        std::string text;
        for (const Node* n : root->descendants(true)) {
            text += n->pathName() + ":";
            for (const auto& c : n->components()) text += " " + c->name() + "/" + c->className();
            text += "\n";
        }
        return text;
    }
    std::shared_ptr<Node> root;
    Simulation simulation;
};

PickRay fromFront(double x, double y) { return {{x, y, 5.}, {0., 0., -1.}}; }

double volume(const std::array<Vec3, 4>& x) { return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) / 6.; }

std::array<Vec3, 4> corners(const StoredTopology& mesh, const Tetrahedron& t)
{
    return {mesh.pointPosition(t[0]), mesh.pointPosition(t[1]), mesh.pointPosition(t[2]), mesh.pointPosition(t[3])};
}

/// Volume of the tetrahedra, of which none is turned over, the least of volume / longest edge³, and whether each side
/// belongs to one or two.
struct Shape
{
    explicit Shape(const StoredTopology& mesh)
    {
        std::map<std::array<Index, 3>, int> sides;
        for (const Tetrahedron& t : mesh.tetrahedra()) {
            const auto x = corners(mesh, t);
            double longest = 0.;
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, norm(x[i] - x[j]));
            const double v = std::abs(mouse_topology_test::volume(x));
            volume += v;
            quality = std::min(quality, v / (longest * longest * longest));
            for (std::size_t without = 0; without < 4; ++without) {
                std::array<Index, 3> side{};
                for (std::size_t k = 0, n = 0; k < 4; ++k)
                    if (k != without) side[n++] = t[k];
                std::ranges::sort(side);
                ++sides[side];
            }
        }
        for (const auto& [side, count] : sides) {
            conforming = conforming && count <= 2;
            border += count == 1;
        }
    }
    double volume = 0., quality = 1.;
    std::size_t border = 0;
    bool conforming = true;
};

}  // namespace

TEST_CASE("carving removes what is near to the mouse while the button is down")
{
    constexpr double radius = 0.3;
    const auto script = [&](Scene& s) {
        const StoredTopology& mesh = s.mesh();
        // Their corners at this time: points get other numbers.
        const auto tetrahedra = [&] {
            std::vector<std::array<Vec3, 4>> all;
            for (const Tetrahedron& t : mesh.tetrahedra()) all.push_back(corners(mesh, t));
            return all;
        };
        const auto before = tetrahedra();
        std::vector<bool> mustGo, mustStay;
        const Vec3 place{0.55, 1.05, 1.};
        for (const auto& x : before) {
            const Vec3 middle = (x[0] + x[1] + x[2] + x[3]) / 4.;
            double nearest = 10., reach = 0.;
            for (const Vec3& p : x)
                nearest = std::min(nearest, norm(p - place)), reach = std::max(reach, norm(p - middle));
            mustGo.push_back(nearest < radius);
            mustStay.push_back(norm(middle - place) - reach > radius);
        }
        MouseInteractor mouse(*s.root);
        mouse.bind(MouseButton::Left, {"Carve", {.radius = radius}});
        REQUIRE(mouse.press(MouseButton::Left, fromFront(place[0], place[1])));
        const auto after = tetrahedra();
        int gone = 0, stayed = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            const bool there = std::ranges::find(after, before[i]) != after.end();
            gone += mustGo[i];
            stayed += mustStay[i];
            if (mustGo[i]) CHECK_FALSE(there);
            if (mustStay[i]) CHECK(there);
        }
        CHECK(gone > 0);
        CHECK(stayed > 0);
        s.steps(2);
        // Where it moves more goes, and beside the body nothing.
        CHECK(mouse.move(fromFront(0.75, 1.05)));
        const std::size_t moved = mesh.tetrahedra().size();
        CHECK(moved < after.size());
        CHECK(mouse.move(fromFront(9., 9.)));
        CHECK(mesh.tetrahedra().size() == moved);
        CHECK(mouse.release());
        mouse.move(fromFront(0.75, 1.25));
        CHECK(mesh.tetrahedra().size() == moved);
        s.steps(5);
        return s.points("block");
    };
    Scene s = Scene::block(), again = Scene::block();
    const auto initial = s.mesh().tetrahedra();
    const auto x = script(s);
    CHECK(script(again) == x);
    s.simulation.reset();
    CHECK(s.mesh().tetrahedra() == initial);
}

TEST_CASE("refinement divides the element under the mouse, at its longest edge, down to a size")
{
    Scene s = Scene::block();
    const StoredTopology& mesh = s.mesh();
    const Shape before(mesh);
    const auto initial = mesh.tetrahedra();
    MouseInteractor mouse(*s.root);
    // The diagonals of the cells are √3 / 2.
    mouse.bind(MouseButton::Left, {"Refine", {.size = 0.9}});
    CHECK_FALSE(mouse.press(MouseButton::Left, fromFront(0.55, 1.05)));
    CHECK_THAT(mouse.reason(), Catch::Contains("no edge of the element is longer than 0.9 m"));
    CHECK(mesh.tetrahedra() == initial);

    mouse.bind(MouseButton::Left, {"Refine", {.size = 0.1}});
    const auto picked = pick(*s.root, fromFront(0.55, 1.05));
    REQUIRE(picked);
    REQUIRE(mouse.press(MouseButton::Left, fromFront(0.55, 1.05)));
    CHECK(mesh.tetrahedra().size() > initial.size());
    std::mt19937 random(1);
    std::uniform_real_distribution<double> part(0., 1.);
    for (int k = 0; k < 60; ++k) CHECK(mouse.move(fromFront(0.5 + 0.5 * part(random), 1. + 0.5 * part(random))));
    const Shape after(mesh);
    CHECK(after.conforming);
    CHECK(after.volume == Approx(before.volume).epsilon(1e-12));
    CHECK(after.border > before.border);
    CHECK(after.quality > before.quality / 8.);
    CHECK(mesh.tetrahedra().size() > initial.size() + 60);
    // It goes on: the new points fall as the others do, and hang together with them.
    CHECK(mouse.release());
    s.steps(20);
    for (const Vec3& x : s.points("block")) CHECK(norm(x - Vec3{0.75, 1., 0.5}) < 1.6);
    s.simulation.reset();
    CHECK(mesh.tetrahedra() == initial);
}

TEST_CASE("refinement and carving work on surfaces, and say why they cannot")
{
    const std::string sheet =
        "<Node name='block'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-12' threshold='1e-20'/>"
        "<TriangleSetTopologyContainer position='0 0 0  2 0 0  2 1 0  0 1 0' triangles='0 1 2  0 2 3'/>"
        "<TriangleSetTopologyModifier/><MechanicalObject/><UniformMass totalMass='1'/><TriangleCollisionModel/>";
    Scene s =
        Scene::of(sheet + "</Node><Node name='net'><MechanicalObject position='5 0 0'/><PointCollisionModel/></Node>");
    MouseInteractor mouse(*s.root);
    mouse.setTolerance(0.1);
    for (const char* operation : {"Refine", "Carve"}) {
        mouse.bind(MouseButton::Left, {operation, {}});
        CHECK_FALSE(mouse.press(MouseButton::Left, fromFront(5., 0.)));
        CHECK_FALSE(mouse.reason().empty());
    }
    mouse.bind(MouseButton::Left, {"Refine", {}});
    REQUIRE(mouse.press(MouseButton::Left, fromFront(1.5, 0.5)));
    // The diagonal is the longest edge of both.
    CHECK(s.mesh().triangles().size() == 4);
    CHECK(s.points("block")[4] == Vec3{1., 0.5, 0.});
    mouse.bind(MouseButton::Left, {"Carve", {.radius = 0.05}});
    REQUIRE(mouse.press(MouseButton::Left, fromFront(1.8, 0.5)));
    CHECK(s.mesh().triangles().size() == 3);
    s.steps(3);
}

TEST_CASE("two presses sew two places together until that is taken back")
{
    const std::string points =
        "<Node name='both'><EulerImplicitSolver rayleighMass='2'/><CGLinearSolver iterations='50' tolerance='1e-14' "
        "threshold='1e-20'/><Node name='a'><MechanicalObject position='0 0 0'/><UniformMass totalMass='1'/>";
    const std::string second = "</Node><Node name='b'><MechanicalObject position='3 0 0'/><UniformMass totalMass='2'/>";
    for (const std::string& model : {std::string(), std::string("<SphereCollisionModel radius='0.2'/>")}) {
        Scene s = Scene::of(points + model + second + model + "</Node></Node>");
        const Node& both = *s.root->child("both");
        const auto at = [&](const char* name) {
            return both.child(name)->get<State<Vec3Types>>(Search::Local)->positions()[0];
        };
        const std::string before = s.structure();
        MouseInteractor mouse(*s.root);
        mouse.setTolerance(0.1);
        mouse.bind(MouseButton::Left, {"SuturePoints", {.stiffness = 50.}});
        mouse.bind(MouseButton::Right, {"AttachBody", {}});
        REQUIRE(mouse.press(MouseButton::Left, fromFront(0., 0.)));
        CHECK(mouse.release());
        s.steps(10);
        CHECK(norm(at("a")) < 1e-14);  // nothing pulls yet
        // It waits for another press, also of the same place, and while other buttons work.
        CHECK_FALSE(mouse.press(MouseButton::Left, fromFront(0., 0.)));
        CHECK_THAT(mouse.reason(), Catch::Contains("sewn to itself"));
        REQUIRE(mouse.press(MouseButton::Right, fromFront(0., 0.)));
        mouse.release();
        const bool sewn = mouse.press(MouseButton::Left, fromFront(3., 0.));
        INFO(mouse.reason());
        REQUIRE(sewn);
        CHECK(mouse.release());
        CHECK_FALSE(mouse.isActive());
        // The first step of implicit Euler from rest: no net force.
        s.steps(1);
        CHECK(at("a")[0] > 0.);
        CHECK(at("a")[0] + 2. * at("b")[0] == Approx(6.).epsilon(1e-12));
        s.steps(2000);
        // The middle of the masses stays.
        CHECK(norm(at("a") - Vec3{2., 0., 0.}) < 1e-6);
        CHECK(norm(at("b") - Vec3{2., 0., 0.}) < 1e-6);
        mouse.releaseAll();
        CHECK(s.structure() == before);
        s.steps(1);
    }
}

TEST_CASE("what the mouse holds stays the same place when points of the mesh get other numbers")
{
    Scene s = Scene::block();
    MouseInteractor mouse(*s.root);
    mouse.bind(MouseButton::Left, {"SuturePoints", {.stiffness = 10.}});
    mouse.bind(MouseButton::Middle, {"Carve", {.radius = 0.8}});
    // What waits for a second place may be taken back.
    REQUIRE(mouse.press(MouseButton::Left, fromFront(0.3, 0.8)));
    mouse.release();
    mouse.releaseAll();
    CHECK(s.madeByMouse().empty());

    REQUIRE(mouse.press(MouseButton::Left, fromFront(1.2, 0.8)));
    mouse.release();
    const auto place = [&] {
        const auto* springs = s.root->getAll<component::MouseSprings>(Search::Down).front();
        return springs->state().positions()[springs->springs.front().point];
    };
    CHECK(norm(place() - Vec3{1.2, 0.8, 1.}) < 1e-12);
    const Index before = s.mesh().nbPoints();
    REQUIRE(mouse.press(MouseButton::Middle, fromFront(0.3, 0.3)));
    mouse.release();
    CHECK(s.mesh().nbPoints() < before);
    s.steps(1);
    CHECK(norm(place() - Vec3{1.2, 0.8, 1.}) < 0.02);
    // Sewn to what is left on the other side; all of its places may go.
    REQUIRE(mouse.press(MouseButton::Left, fromFront(0.3, 1.7)));
    mouse.release();
    CHECK_THAT(s.madeByMouse(), Catch::Contains("suture"));
    s.steps(5);
    REQUIRE(mouse.press(MouseButton::Middle, fromFront(1.2, 0.8)));
    mouse.release();
    s.steps(5);
    for (const Vec3& x : s.points("block")) CHECK(norm(x - Vec3{0.75, 1., 0.5}) < 1.6);
    mouse.releaseAll();
    CHECK(s.madeByMouse().empty());
}

TEST_CASE("the demo of refinement divides where the mouse goes, carves, and starts anew")
{
    Scene s = Scene::file("demos/refine_touch.scn");
    const StoredTopology& mesh = s.mesh();
    const Shape before(mesh);
    const auto initial = mesh.tetrahedra();
    MouseInteractor mouse(*s.root);
    s.steps(20);
    REQUIRE(mouse.press(MouseButton::Left, fromFront(0.3, 0.5)));
    for (int k = 0; k < 60; ++k) {
        CHECK(mouse.move(fromFront(0.3 + 0.01 * k, 0.5 + 0.2 * std::sin(0.3 * k))));
        s.steps(1);
    }
    CHECK(mouse.release());
    const std::size_t refined = mesh.tetrahedra().size();
    CHECK(refined > 4 * initial.size());
    const Shape after(mesh);
    CHECK(after.conforming);
    // Bent, but in its size.
    CHECK(after.volume == Approx(before.volume).epsilon(0.05));
    REQUIRE(mouse.press(MouseButton::Right, fromFront(0.6, 0.45)));
    CHECK(mouse.release());
    CHECK(mesh.tetrahedra().size() < refined);
    s.steps(20);
    s.simulation.reset();
    CHECK(mesh.tetrahedra() == initial);
}

TEST_CASE("the demo of frames bends more with each frame that the mouse adds, and starts anew")
{
    Scene s = Scene::file("demos/frames.scn");
    const auto& frames = *s.root->child("beam")->get<State<Rigid3Types>>(Search::Local);
    const auto& body = *s.root->child("beam")->child("body")->get<State<Vec3Types>>(Search::Local);
    const auto lowest = [&] {
        double y = 0.;
        for (const Vec3& x : body.positions()) y = std::min(y, x[1]);
        return y;
    };
    const Vector<Vec3> rest = body.positions();
    MouseInteractor mouse(*s.root);
    s.steps(100);
    double before = lowest();
    for (const double x : {1., 0.5, 1.5}) {
        REQUIRE(mouse.press(MouseButton::Left, fromFront(x, -0.1 - 0.05 * x)));
        CHECK(mouse.release());
        s.steps(100);
        CHECK(lowest() < before - 0.03);
        before = lowest();
    }
    CHECK(frames.size() == 5);
    s.simulation.reset();
    CHECK(frames.size() == 2);
    CHECK(body.positions() == rest);
}

TEST_CASE("the demo of sewing brings two sheets together, stitch by stitch")
{
    Scene s = Scene::file("demos/sewing.scn");
    const Node& sheets = *s.root->child("sheets");
    // The borders that face each other: the last points of the rows on the left, the first ones on the right.
    const auto gap = [&](Index row) {
        const auto& a = sheets.child("left")->get<State<Vec3Types>>(Search::Local)->positions();
        const auto& b = sheets.child("right")->get<State<Vec3Types>>(Search::Local)->positions();
        return norm(a[9 * row + 8] - b[9 * row]);
    };
    s.steps(5);
    MouseInteractor mouse(*s.root);
    for (const double y : {0.52, 0.3, 0.1}) {
        for (const double x : {-0.2, 0.2}) {
            const bool pressed = mouse.press(MouseButton::Left, fromFront(x, y));
            INFO(x << " " << y << " " << mouse.reason());
            REQUIRE(pressed);
            CHECK(mouse.release());
        }
    }
    s.steps(300);
    for (const Index row : {1, 3, 5, 8}) CHECK(gap(row) < 0.15);
    mouse.releaseAll();
    s.steps(300);
    CHECK(gap(1) > 0.2);
    CHECK(gap(8) < 0.1);  // the stitch of the scene
}

TEST_CASE("The mouse cuts a block along what it draws, as deep as it is told")
{
    Scene scene = Scene::block();
    scene.steps(3);
    StoredTopology& mesh = scene.mesh();
    const Shape before(mesh);
    const Index points = mesh.nbPoints();
    MouseInteractor mouse(*scene.root);
    mouse.bind(MouseButton::Left, {"InciseAlongPath", {.depth = 5.}});
    // From a point of the block to the left, beyond it; then as deep as a tenth of that.
    const auto [low, high] = std::minmax_element(scene.points("block").begin(), scene.points("block").end(),
                                                 [](const Vec3& a, const Vec3& b) { return a[0] < b[0]; });
    const double middle = 0.5 * ((*low)[0] + (*high)[0]), width = (*high)[0] - (*low)[0];
    double y = 0.;
    for (const Vec3& p : scene.points("block")) y += p[1] / static_cast<double>(points);
    REQUIRE(mouse.press(MouseButton::Left, fromFront(middle, y + 0.013 * width)));
    for (int k = 1; k <= 20; ++k) {
        CHECK(mouse.move(fromFront(middle - 0.05 * k * width, y + 0.013 * width)));
        scene.steps(1);
    }
    CHECK(mouse.release());
    CHECK(mesh.nbPoints() > points);
    const Shape after(mesh);
    CHECK(after.volume == Approx(before.volume).epsilon(1e-12));
    scene.simulation.reset();
    CHECK(mesh.nbPoints() == points);
}

}  // namespace mouse_topology_test
