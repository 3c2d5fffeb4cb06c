// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/interaction/Picking.h"

#include <catch2/catch.hpp>

#include "core/behavior/BaseMapping.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/TestGraph.h"

namespace picking_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Primitives on the points of a state.
class Model final : public CollisionModel
{
public:
    Model(BaseState& state, CollisionShape shape, std::vector<std::vector<Index>> primitives, double radius = 0.)
        : m_state(state), m_shape(shape), m_primitives(std::move(primitives)), m_radius(radius)
    {
    }
    std::string className() const override { return "Model"; }
    CollisionShape shape() const override { return m_shape; }
    BaseState& state() const override { return m_state; }
    std::span<const Index> vertices(Index i) const override { return m_primitives[i]; }
    double radius(Index) const override { return m_radius; }

protected:
    void updatePrimitives() override {}
    Index primitiveCount() const override { return static_cast<Index>(m_primitives.size()); }

private:
    BaseState& m_state;
    CollisionShape m_shape;
    std::vector<std::vector<Index>> m_primitives;
    double m_radius;
};

/// A surface that is shown; its vertices are its points.
class Shown final : public TestState<Vec3Types>, public PickableSurface
{
public:
    Vector<Triangle> triangles;
    bool mechanical = false;

    bool isMechanical() const override { return mechanical; }
    void surface(Vector<Vec3>& vertices, Vector<Triangle>& t) const override
    {
        vertices = d_position.value();
        t = triangles;
        // What lies behind the end of the list is none of it.
        t.push_back({0, 1, 2});
        t.pop_back();
    }
};

/// One state follows another one.
class Following final : public BaseMapping
{
public:
    Following(BaseState& from, BaseState& to) : m_from(from), m_to(to) { setMechanical(false); }
    std::string className() const override { return "Following"; }
    std::vector<BaseState*> inputs() const override { return {&m_from}; }
    std::vector<BaseState*> outputs() const override { return {&m_to}; }
    void apply(const MechanicalParams&, const MultiVecCoordId&, const MultiVecCoordId&) override {}
    void applyJ(const MechanicalParams&, const MultiVecDerivId&, const MultiVecDerivId&) override {}
    void applyJT(const MechanicalParams&, const MultiVecDerivId&, const MultiVecDerivId&) override {}
    const BaseJacobian* jacobian(std::size_t, std::size_t) const override { return nullptr; }

private:
    BaseState& m_from;
    BaseState& m_to;
};

using Points = Vector<Vec3>;

/// A model on points of its own, in a node of its own.
Model& addModel(Node& root, Points x, CollisionShape shape, std::vector<std::vector<Index>> primitives,
                double radius = 0.)
{
    Node& node = *root.createChild("body");
    auto& state = addState<Vec3Types>(node, std::move(x));
    return node.create<Model>(state, shape, std::move(primitives), radius);
}

Shown& addShown(Node& root, Points x, Vector<Triangle> triangles)
{
    auto& s = root.createChild("shown")->create<Shown>();
    s.setPositions(std::move(x));
    s.triangles = std::move(triangles);
    return s;
}

Vec3 randomPoint(Random& random)
{
    Vec3 x;
    for (std::size_t k = 0; k < 3; ++k) x[k] = random();
    return x;
}

Vec3 unit(const Vec3& v) { return v / norm(v); }

/// The square with these half lengths across z, as two triangles with the corners 0 to 3.
Points square(double half, double z)
{
    return {{-half, -half, z}, {half, -half, z}, {half, half, z}, {-half, half, z}};
}

const PickRay down{{0.1, 0.2, 5.}, {0., 0., -3.}};

}  // namespace

TEST_CASE("a ray picks of many triangles the nearest one that it goes through")
{
    Random random(7);
    Points x(60);
    std::vector<std::vector<Index>> triangles;
    for (Vec3& p : x) p = randomPoint(random) * 2.;
    for (Index k = 0; k < 60; k += 3) triangles.push_back({k, k + 1, k + 2});
    Node root;
    Model& model = addModel(root, x, CollisionShape::Triangle, triangles);
    int hits = 0, misses = 0;
    for (int n = 0; n < 300; ++n) {
        const Vec3 origin = randomPoint(random) * 4.;
        const PickRay ray{origin, (randomPoint(random) * 2. - origin) * 0.3};
        const Vec3 d = unit(ray.direction);
        // By Cramer's rule: o + t d = a + u (b − a) + v (c − a).
        double first = std::numeric_limits<double>::infinity();
        std::size_t which = 0;
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            const Vec3 &a = x[3 * i], e = x[3 * i + 1] - a, f = x[3 * i + 2] - a, w = ray.origin - a;
            const double det = dot(d, cross(e, f));
            const double t = -dot(w, cross(e, f)) / det, u = dot(d, cross(w, f)) / det, v = dot(d, cross(e, w)) / det;
            if (t >= 0. && u >= 0. && v >= 0. && u + v <= 1. && t < first) {
                first = t;
                which = i;
            }
        }
        const auto picked = pick(root, ray);
        REQUIRE(picked.has_value() == std::isfinite(first));
        ++(picked ? hits : misses);
        if (!picked) continue;
        CHECK(picked->index == which);
        CHECK(picked->model == &model);
        CHECK(picked->state == &model.state());
        CHECK(picked->distance == Approx(first).epsilon(1e-10));
        CHECK(norm(picked->point - ray.at(first)) < 1e-10 * (1. + first));
        CHECK(norm(picked->direction - d) < 1e-15);
    }
    CHECK(hits > 50);
    CHECK(misses > 50);
}

TEST_CASE("a ray meets a ball where it enters, and takes hold of it from inside where it starts")
{
    Node root;
    addModel(root, {{0., 0., 0.}, {0., 0., -7.}}, CollisionShape::Sphere, {{0}, {1}}, 2.);
    for (const double off : {0., 1., 1.999}) {
        const auto picked = pick(root, {{off, 0., 9.}, {0., 0., -0.5}});
        REQUIRE(picked);
        CHECK(picked->index == 0);
        CHECK(picked->distance == Approx(9. - std::sqrt(4. - off * off)));
    }
    CHECK_FALSE(pick(root, {{2.001, 0., 9.}, {0., 0., -1.}}));
    CHECK_FALSE(pick(root, {{0., 0., 9.}, {0., 0., 1.}}));  // behind the viewer
    CHECK(pick(root, {{0.5, 0., 0.}, {1., 0., 0.}})->distance == 0.);
    CHECK(pick(root, {{0., 0., -12.}, {0., 0., 1.}})->index == 1);
}

TEST_CASE("a ray picks points that are as near to it as the tolerance says, and in front of the viewer")
{
    Random random(3);
    for (int n = 0; n < 50; ++n) {
        const Vec3 p = randomPoint(random), o = randomPoint(random) * 3., d = randomPoint(random);
        const double along = dot(p - o, unit(d)), away = norm(cross(p - o, unit(d)));
        Node models, states;
        addModel(models, {p}, CollisionShape::Point, {{0}});
        auto& state = addState<Vec3Types>(states, {o - unit(d) * 100., p});
        for (Node* scene : {&models, &states}) {
            CHECK_FALSE(pick(*scene, {o, d}, away * (1. - 1e-9)));
            const auto picked = pick(*scene, {o, d}, away * (1. + 1e-9));
            REQUIRE(picked.has_value() == (along >= 0.));
            if (picked) CHECK(picked->distance == Approx(along));
        }
        if (const auto picked = pick(states, {o, d}, away * (1. + 1e-9))) {
            CHECK(picked->state == &state);
            CHECK(picked->index == 1);
            CHECK(picked->point == p);
            CHECK(picked->model == nullptr);
        }
        CHECK_FALSE(pickColliding(states, {o, d}, 10.));
    }
}

TEST_CASE("a ray picks lines that are as near to it as the tolerance or their radius")
{
    Random random(5);
    int inside = 0, atEnds = 0;
    for (int n = 0; n < 200; ++n) {
        const Vec3 p = randomPoint(random), q = randomPoint(random), d = unit(randomPoint(random)),
                   o = randomPoint(random) - d * 8.;
        // The distance from the ray is convex along the segment: its least value by sections.
        const auto away = [&](double s) { return norm(cross(p + (q - p) * s - o, d)); };
        double low = 0., high = 1.;
        for (int k = 0; k < 200; ++k) {
            const double a = low + (high - low) * 0.4, b = low + (high - low) * 0.6;
            (away(a) < away(b) ? high : low) = away(a) < away(b) ? b : a;
        }
        const double s = 0.5 * (low + high), least = away(s);
        ++(s > 1e-6 && s < 1. - 1e-6 ? inside : atEnds);
        const double along = dot(p + (q - p) * s - o, d);
        Node thin, thick;
        addModel(thin, {p, q}, CollisionShape::Line, {{0, 1}});
        addModel(thick, {p, q}, CollisionShape::Line, {{0, 1}}, least * (1. + 1e-6));
        CHECK_FALSE(pick(thin, {o, d}, least * (1. - 1e-6)));
        const auto picked = pick(thin, {o, d}, least * (1. + 1e-6));
        REQUIRE(picked);
        CHECK(picked->distance == Approx(along).margin(1e-2 * least + 1e-6));
        REQUIRE(pick(thick, {o, d}, 0.));
    }
    CHECK(inside > 20);
    CHECK(atEnds > 20);
    // A segment along the ray is met in its middle, one without length in its point.
    Node along, point;
    addModel(along, {{0., 0., 1.}, {0., 0., 3.}}, CollisionShape::Line, {{0, 1}});
    CHECK(pick(along, {{0., 0., 9.}, {0., 0., -1.}}, 0.1)->distance == Approx(7.));
    addModel(point, {{0., 0., 1.}, {0., 0., 1.}}, CollisionShape::Line, {{0, 1}});
    CHECK(pick(point, {{0., 0., 9.}, {0., 0., -1.}}, 0.1)->distance == Approx(8.));
}

TEST_CASE("a ray meets tetrahedra, and solids, where it enters them")
{
    Node root;
    addModel(root, {{0., 0., 0.}, {3., 0., 0.}, {0., 3., 0.}, {0., 0., 3.}}, CollisionShape::Tetrahedron,
             {{0, 1, 2, 3}});
    // Through x + y + z = 3, and through z = 0.
    CHECK(pick(root, {{0.5, 0.5, 9.}, {0., 0., -1.}})->distance == Approx(7.));
    CHECK(pick(root, {{0.5, 0.5, -9.}, {0., 0., 1.}})->distance == Approx(9.));
    CHECK_FALSE(pick(root, {{1.6, 1.6, 9.}, {0., 0., -1.}}, 1.));
}

TEST_CASE("of the models of a scene the nearest is picked, of equal ones the first, and only surfaces that take part")
{
    static const CollisionShape ghosts =
        registerCollisionShape({.name = "ghost of a test", .plural = "ghosts of a test", .surface = false});
    Node root;
    const std::vector<std::vector<Index>> both = {{0, 1, 2}, {0, 2, 3}};
    Model& low = addModel(root, square(1., 0.), CollisionShape::Triangle, both);
    Model& first = addModel(root, square(1., 1.), CollisionShape::Triangle, both);
    addModel(root, square(1., 1.), CollisionShape::Triangle, both);
    Model& lowest = addModel(root, square(1., -1.), CollisionShape::Triangle, both);
    addModel(root, square(1., 3.), ghosts, both);
    CHECK(pick(root, down)->model == &first);
    CHECK(pick(root, down)->distance == Approx(4.));
    // The same triangle twice in one model.
    CHECK(pick(addModel(*root.createChild("aside"), square(1., 0.), CollisionShape::Triangle,
                        {{0, 2, 3}, {0, 2, 3}, {0, 1, 2}}),
               down)
              ->index == 0);
    CHECK_FALSE(pick(root, {down.origin, {}}));
    CHECK_FALSE(pickColliding(root, {down.origin, {}}));

    Node other;
    Model& below = addModel(other, square(1., 0.), CollisionShape::Triangle, both);
    Model& above = addModel(other, square(1., 1.), CollisionShape::Triangle, both);
    above.d_active.setValue(false);
    CHECK(pick(other, down)->model == &below);
    above.d_active.setValue(true);
    CHECK(pick(other, down)->model == &above);
    above.fail("on purpose");
    CHECK(pick(other, down)->model == &below);
    CHECK(&low != &lowest);
}

TEST_CASE("where nothing collides, a surface is picked with the state that moves it, through any number of mappings")
{
    Node root;
    auto& far = addState<Vec3Types>(*root.createChild("far"), square(1., -3.));
    auto& moved = addState<Vec3Types>(*root.createChild("moved"), {{9., 0., 0.}, {0.2, 0.3, 0.}, {-9., 0., 0.}});
    Shown& between = addShown(root, square(1., -1.), {});
    // Triangles with vertices that are not there are passed over.
    Shown& shown = addShown(root, square(1., 0.), {{0, 1, 4}, {4, 0, 1}, {0, 4, 1}, {0, 1, 2}, {0, 2, 3}});
    root.create<Following>(far, addState<Vec3Types>(*root.createChild("other"), {{0., 0., -8.}}));
    root.create<Following>(moved, between);
    root.create<Following>(between, shown);
    // A surface that nothing moves stands before it.
    Shown& wall = addShown(root, square(1., 2.), {{0, 1, 2}, {0, 2, 3}});
    auto picked = pick(root, {{0.3, 0.2, 5.}, {0., 0., -1.}});
    REQUIRE(picked);
    CHECK(picked->surface == static_cast<const Component*>(&wall));
    CHECK(picked->state == nullptr);
    CHECK(picked->distance == Approx(3.));
    wall.triangles.clear();
    picked = pick(root, {{0.3, 0.2, 5.}, {0., 0., -1.}});
    REQUIRE(picked);
    CHECK(picked->surface == static_cast<const Component*>(&shown));
    CHECK(picked->state == &moved);
    CHECK(picked->index == 1);
    CHECK(picked->triangleIndex == 3);
    CHECK(picked->triangle == Triangle{0, 1, 2});
    CHECK(picked->model == nullptr);
    CHECK(norm(picked->point - Vec3{0.3, 0.2, 0.}) < 1e-14);
    CHECK(pick(root, {{0.2, 0.3, 5.}, {0., 0., -1.}})->triangleIndex == 4);
    // A surface that is a mechanical state moves itself; one that has failed is not there.
    shown.mechanical = true;
    CHECK(pick(root, {{0.9, 0.8, 5.}, {0., 0., -1.}})->state == static_cast<BaseState*>(&shown));
    CHECK(pick(root, {{0.9, 0.8, 5.}, {0., 0., -1.}})->index == 2);
    shown.fail("on purpose");
    CHECK_FALSE(pick(root, {{0.9, 0.8, 5.}, {0., 0., -1.}}));
}

TEST_CASE("surfaces: the nearest of all triangles; points of states go before what nothing moves")
{
    Node root;
    Shown& wall = addShown(root, square(1., 0.), {{0, 1, 2}, {0, 2, 3}});
    Points two = square(1., 0.);
    for (const Vec3& p : square(1., 1.)) two.push_back(p);
    Shown& behind = addShown(root, two, {{0, 1, 2}, {4, 5, 6}, {0, 2, 3}, {4, 6, 7}});
    const PickRay ray{{0.3, 0.2, 5.}, {0., 0., -1.}};
    CHECK(pick(root, ray)->surface == static_cast<const Component*>(&behind));
    CHECK(pick(root, ray)->triangleIndex == 1);
    CHECK(pick(root, ray)->distance == Approx(4.));
    behind.triangles.clear();
    CHECK(pick(root, ray)->surface == static_cast<const Component*>(&wall));
    // The nearest of the points, though it lies behind the wall.
    auto& state =
        addState<Vec3Types>(*root.createChild("points"), {{0.3, 0.2, -4.}, {0.31, 0.2, -2.}, {0.3, 0.2, -3.}});
    const auto picked = pick(root, ray, 0.02);
    REQUIRE(picked);
    CHECK(picked->state == &state);
    CHECK(picked->index == 1);
    CHECK(picked->distance == Approx(7.));
    CHECK(pick(root, ray, 0.001)->index == 2);
    // What collides goes before all.
    Model& model = addModel(root, square(1., -5.), CollisionShape::Triangle, {{0, 1, 2}});
    CHECK(pick(root, ray, 0.02)->model == &model);
    // A surface of a mechanical state goes before points.
    model.d_active.setValue(false);
    wall.mechanical = true;
    CHECK(pick(root, ray, 0.02)->surface == static_cast<const Component*>(&wall));
}

}  // namespace picking_test
