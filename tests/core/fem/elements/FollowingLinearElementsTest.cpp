// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cstring>

#include "core/fem/elements/CorotationalHexahedra.h"
#include "core/fem/elements/CorotationalTriangles.h"
#include "core/fem/elements/LinearElements.h"
#include "core/parallel/Parallel.h"
#include "tests/core/fem/elements/FollowingChecks.h"

namespace following_linear_elements_test {

using namespace sofa::core;
using namespace sofa::test;
using namespace sofa::test::following;

namespace {

/// A change of a mesh of hexahedra: some go, and one point with all of its own; two come where others are.
struct ChangeOfHexahedra
{
    TopologyNumbers elements, points;
    Vector<Index> touched;

    ChangeOfHexahedra(BoxMesh& now, std::mt19937& random, int)
        : elements(now.hexahedra.size()), points(now.points.size())
    {
        const Vector<Hexahedron> hexahedra = now.hexahedra;
        const auto before = static_cast<Index>(hexahedra.size()), last = static_cast<Index>(now.points.size()) - 1,
                   point = static_cast<Index>(random()) % last;
        Vector<Index> gone{static_cast<Index>(random()) % before, 0};
        for (Index e = 0; e < before; ++e)
            if (std::ranges::count(hexahedra[e], point) > 0) gone.push_back(e);
        sortUnique(gone);
        std::ranges::reverse(gone);
        elements.remove(gone);
        removeEntries(now.hexahedra, gone);
        points.remove({point});
        removeEntries(now.points, Vector<Index>{point});
        for (Hexahedron& h : now.hexahedra) std::ranges::replace(h, last, point);
        for (int k = 0; k < 2; ++k) {
            now.hexahedra.push_back(now.hexahedra[random() % now.hexahedra.size()]);
            elements.add({});
        }
        const ElementSource source = elements.source();
        for (Index e = 0; e < now.hexahedra.size(); ++e)
            if (source.from(e) != e || e >= before || now.hexahedra[e] != hexahedra[e]) touched.push_back(e);
    }
};

}  // namespace

TEST_CASE("Corotational hexahedra that follow changes of the mesh are new ones", "[fem]")
{
    const ParallelGuard guard;
    setThreadCount(GENERATE(1u, 3u));
    BoxMesh now(11, 7, 9, {1.1, 0.7, 0.9});
    // Equal boxes, all different, or some of both.
    const double jitter = GENERATE(0., 0.01, 1e-13);
    const bool some = GENERATE(false, true), varies = GENERATE(false, true);
    BoxMesh moved = now;
    moved.jitter(jitter);
    for (std::size_t v = 0; v < now.points.size(); ++v)
        if (!some || now.points[v][2] > 0.5) now.points[v] = moved.points[v];
    const auto prepare = [&](CorotationalHexahedra& h, const Vector<Index>& elements) {
        h.setMaterial(elements, [&](Index e) -> CorotationalHexahedra::Material {
            const bool stiff = varies && now.points[now.hexahedra[e][0]][0] > 0.35;
            return {lameParameters(stiff ? 2000. : 1000., 0.3)};
        });
    };
    const auto hexahedra = [&] {
        CorotationalHexahedra h;
        h.build(now.hexahedra, now.points, RotationMethod::Polar);
        return h;
    };
    checkRounds<ChangeOfHexahedra>(
        now, hexahedra, prepare,
        [&](CorotationalHexahedra& h, const ChangeOfHexahedra& change, Vector<Index>& touched) {
            return h.follow(now.hexahedra, now.points, change.elements.source(), change.points.source(), touched);
        });
}

TEST_CASE("Linear elements that follow changes of the mesh are new ones", "[fem]")
{
    const ParallelGuard guard;
    setThreadCount(GENERATE(1u, 3u));
    BoxMesh now(9, 6, 7, {0.9, 0.6, 0.7});
    const double jitter = GENERATE(0., 0.01);
    now.jitter(jitter);
    const auto materialOf = [&](const Vec3& corner) { return lameParameters(corner[0] > 0.35 ? 2000. : 1000., 0.3); };
    SECTION("with several points of quadrature")
    {
        using Elements = LinearElements<HexahedronShape, 3>;
        const auto elements = [&] {
            Elements e;
            e.build(now.hexahedra, now.points, ElementRotation::StablePolar);
            return e;
        };
        checkRounds<ChangeOfHexahedra>(
            now, elements,
            [&](Elements& all, const Vector<Index>& some) {
                all.setMaterial(some, [&](Index e) { return materialOf(now.points[now.hexahedra[e][0]]); });
            },
            [&](Elements& e, const ChangeOfHexahedra& change, Vector<Index>& touched) {
                return e.follow(now.hexahedra, now.points, change.elements.source(), change.points.source(), touched);
            });
    }
    SECTION("with one")
    {
        using Elements = LinearElements<TriangleShape, 3>;
        const auto elements = [&] {
            Elements e;
            e.build(firstFaces(now), now.points, ElementRotation::Frame);
            return e;
        };
        checkRounds(
            now, elements,
            [&](Elements& all, const Vector<Index>& some) {
                all.setMaterial(some, [&](Index e) { return materialOf(now.points[now.tetrahedra[e][0]]); });
            },
            [&](Elements& e, const Change& change, Vector<Index>& touched) {
                return e.follow(firstFaces(now), now.points, change.elements.source(), change.points.source(), touched);
            });
    }
}

TEST_CASE("Exact tangents follow changes of the mesh", "[fem]")
{
    BoxMesh now = box(false);
    const auto tetrahedra = [&] {
        CorotationalTetrahedra b;
        b.setExactTangent(true);
        b.build(now.tetrahedra, now.points, RotationMethod::Polar);
        return b;
    };
    const auto triangles = [&] {
        CorotationalTriangles t;
        t.setExactTangent(true);
        t.build(firstFaces(now), now.points, CorotationalTriangles::Method::large, false, 1.);
        return t;
    };
    const auto prepareBoth = [](CorotationalTetrahedra& b, CorotationalTriangles& t, const Vector<Index>& some) {
        for (const Index e : some) b.setMaterial(e, lameParameters(1000., 0.3));
        t.setMaterial(some, [](Index) { return CorotationalTriangles::planeStress(1000., 0.3); });
    };
    CorotationalTetrahedra b = tetrahedra();
    CorotationalTriangles t = triangles();
    prepareBoth(b, t, identity(b.size()));
    std::mt19937 random(9);  // NOLINT: the same numbers each time
    for (int round = 0; round < 3; ++round) {
        const Change change(now, random, round);
        const ElementSource elements = change.elements.source(), points = change.points.source();
        Vector<Index> touched = change.touched, others = change.touched;
        REQUIRE(b.follow(now.tetrahedra, now.points, elements, points, touched));
        REQUIRE(t.follow(firstFaces(now), now.points, elements, points, others));
        touched.insert(touched.end(), others.begin(), others.end());
        prepareBoth(b, t, touched);
        CorotationalTetrahedra newTetrahedra = tetrahedra();
        CorotationalTriangles newTriangles = triangles();
        prepareBoth(newTetrahedra, newTriangles, identity(b.size()));
        const Vector<Vec3> dx = randomVectors(now.points.size(), 0.1, 2), noise = randomVectors(dx.size(), 0.01, 3);
        const auto check = [&](auto& followed, auto& fresh) {
            const auto product = [&](auto& of) {
                Vector<Vec3> f(dx.size());
                of.addStiffnessProduct(f, dx, 0.7);
                return f;
            };
            Vector<Vec3> x = mapped(now.points, someRotation(), {1., 2., 3.});
            for (std::size_t v = 0; v < x.size(); ++v) x[v] += noise[v];
            CHECK(forces(followed, x) == forces(fresh, x));
            CHECK(product(followed) == product(fresh));
        };
        check(b, newTetrahedra);
        check(t, newTriangles);
    }
}

namespace {

struct Springs : LinearSprings
{
    const LinearSprings& graph() const { return *this; }
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x)
    {
        LinearSprings::addForce(f, x, randomVectors(x.size(), 1., 4), {.damping = true});
    }
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const
    {
        addProduct(df, dx, factor, 0.3);
    }
};

}  // namespace

TEST_CASE("Springs that follow changes of the mesh are new ones", "[fem]")
{
    const ParallelGuard guard;
    setThreadCount(GENERATE(1u, 3u));
    BoxMesh now = box(GENERATE(false, true));
    // Some pairs of points have several springs.
    const auto spring = [&](Index e) -> LinearSprings::Spring {
        const auto& t = now.tetrahedra[e];
        const double length = norm(now.points[t[1]] - now.points[t[0]]);
        return {t[0], t[1], 10. + length, 0.2, 0.1, 0.9 * length, t[0] % 5 == 0 ? 1.1 * length : 1e-9};
    };
    const auto springs = [&] {
        Vector<LinearSprings::Spring> all;
        for (Index e = 0; e < now.tetrahedra.size(); ++e) all.push_back(spring(e));
        Springs s;
        s.build(all, static_cast<Index>(now.points.size()));
        return s;
    };
    checkRounds(
        now, springs, [](Springs&, const Vector<Index>&) {},
        [&](Springs& s, const Change& change, const Vector<Index>& touched) {
            return s.follow(spring, static_cast<Index>(now.points.size()), change.elements.source(),
                            change.points.source(), touched);
        });
}

TEST_CASE("A matrix that has not seen springs for some changes is made right", "[fem]")
{
    BoxMesh now = box(false);
    const auto spring = [&](Index e) -> LinearSprings::Spring {
        return {now.tetrahedra[e][0], now.tetrahedra[e][1], 10., 0., 0., 0.1, 1e-9};
    };
    Springs s;
    const auto build = [&] {
        Vector<LinearSprings::Spring> all;
        for (Index e = 0; e < now.tetrahedra.size(); ++e) all.push_back(spring(e));
        s.build(all, static_cast<Index>(now.points.size()));
    };
    build();
    (void)forces(s, now.points);
    Half kept;
    kept.set(s);
    std::mt19937 random(9);  // NOLINT: the same numbers each time
    // Several changes; and one before all are made anew.
    for (const bool anew : {false, true}) {
        for (int round = 0; round < 3; ++round) {
            const Change change(now, random, round);
            REQUIRE(s.follow(spring, static_cast<Index>(now.points.size()), change.elements.source(),
                             change.points.source(), change.touched));
        }
        if (anew) {
            const Change change(now, random, 0);
            build();
        }
        (void)forces(s, now.points);
        Half other;
        kept.set(s);
        other.set(s);
        for (Half* h : {&kept, &other}) h->assembler.complete();
        const BlockCsrMatrix &is = kept.assembler.matrix(), &should = other.assembler.matrix();
        REQUIRE(is.samePattern(should));
        CHECK(is.maxAbs() > 1.);
        CHECK(std::memcmp(is.values().data(), should.values().data(), should.values().size_bytes()) == 0);
    }
}

namespace {

/// The pattern that a matrix would get.
struct PatternSink final : BlockSink
{
    void addBlock(Index, Index, const double*, std::size_t, std::size_t) override { FAIL("springs are symmetric"); }
    void addSymmetric(const SymmetricPattern& p, SymmetricSource&) override { pattern = p; }
    SymmetricPattern pattern;
};

}  // namespace

TEST_CASE("Points without springs that come and go make another pattern", "[fem]")
{
    const auto spring = [](Index e) -> LinearSprings::Spring { return {e, e + 1, 10., 0., 0., 0.9, 1e-9}; };
    Springs s;
    s.build({spring(0), spring(1)}, 3);
    Index now = 3;
    const auto resize = [&](Index number) {
        TopologyNumbers points(now);
        for (; now < number; ++now) points.add({});
        for (; now > number; --now) points.remove({now - 1});
        REQUIRE(s.follow(spring, number, TopologyNumbers(2).source(), points.source(), {}));
    };
    PatternSink before, after;
    s.addStiffness(before);
    for (const Index number : {4u, 9u, 5u, 3u}) {
        resize(number);
        s.addStiffness(after);
        CHECK(after.pattern.rows() == number);
        CHECK(after.pattern.id != before.pattern.id);
        CHECK(after.pattern.previous == before.pattern.id);
        before = after;
    }
    resize(3);
    s.addStiffness(after);
    CHECK(after.pattern.id == before.pattern.id);
}

}  // namespace following_linear_elements_test
