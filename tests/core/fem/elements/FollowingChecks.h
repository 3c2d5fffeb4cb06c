// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/fem/elements/LinearSprings.h"
#include "core/linalg/BlockAssembler.h"
#include "core/linalg/SymmetricProduct.h"
#include "core/mesh/Renumbering.h"
#include "core/topology/TopologyNumbers.h"
#include "tests/core/fem/elements/ElementChecks.h"

/// Elements that follow changes of their mesh, against new ones.
namespace sofa::test::following {

using namespace core;

/// A change of a mesh of tetrahedra.
struct Change
{
    TopologyNumbers elements, points;
    Vector<Index> touched;  ///< elements that are new or have other numbers or vertices

    Change(BoxMesh& now, std::mt19937& random, int round) : elements(now.tetrahedra.size()), points(now.points.size())
    {
        const Vector<Tetrahedron> tetrahedra = now.tetrahedra;
        const auto before = static_cast<Index>(tetrahedra.size());
        // Some go, the last ones take their places, and some are divided at a new point.
        Vector<Index> gone;
        for (int k = 0; k < 20; ++k) gone.push_back(static_cast<Index>(random() % (before - 100)));
        // One point goes with all its elements, and one loses them but stays.
        const auto last = static_cast<Index>(now.points.size()) - 1, point = static_cast<Index>(random()) % last;
        const Index alone = (point + 40) % last;
        for (const Index v : {point, alone})
            for (Index e = 0; e < before; ++e)
                if (std::ranges::count(now.tetrahedra[e], v) > 0) gone.push_back(e);
        std::ranges::sort(gone, std::greater<>());
        gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
        if (round != 1) {
            elements.remove(gone);
            removeEntries(now.tetrahedra, gone);
            points.remove({point});
            removeEntries(now.points, Vector<Index>{point});
            for (Tetrahedron& t : now.tetrahedra) std::ranges::replace(t, last, point);
        }
        for (int k = 0; k < (round == 1 ? 15 : 1); ++k) {
            Tetrahedron& t = now.tetrahedra[random() % now.tetrahedra.size()];
            const auto p = static_cast<Index>(now.points.size());
            now.points.push_back((now.points[t[0]] + now.points[t[1]] + now.points[t[2]] + now.points[t[3]]) * 0.25);
            points.add({});
            for (std::size_t i = 1; i < 4; ++i) {
                Tetrahedron part = t;
                part[i] = p;
                now.tetrahedra.push_back(part);
                elements.add({});
            }
            t[0] = p;
        }
        const ElementSource source = elements.source();
        for (Index e = 0; e < now.tetrahedra.size(); ++e)
            if (source.from(e) != e || e >= before || now.tetrahedra[e] != tetrahedra[e]) touched.push_back(e);
    }
};

/// A box of tetrahedra that are numbered well, or not.
inline BoxMesh box(bool shuffled)
{
    BoxMesh mesh(8, 9, 10, {1., 1., 1.});
    mesh.jitter(0.02);
    if (!shuffled) return mesh;
    const Vector<Index> number = randomNumbers(static_cast<Index>(mesh.points.size()));
    const Vector<Vec3> points = mesh.points;
    for (std::size_t v = 0; v < points.size(); ++v) mesh.points[number[v]] = points[v];
    for (Tetrahedron& t : mesh.tetrahedra)
        for (Index& v : t) v = number[v];
    return mesh;
}

/// A matrix of stiffness and mass, of which only the half is set.
struct Half final : BlockSink
{
    Half() { assembler.setUpperOnly(true); }
    void addBlock(Index, Index, const double*, std::size_t, std::size_t) override { FAIL("elements are symmetric"); }
    void addSymmetric(const SymmetricPattern& p, SymmetricSource& source) override
    {
        assembler.addSymmetric(0, p, source, -2.);
    }
    template <class Body>
    void set(const Body& b)
    {
        const int rows = static_cast<int>(b.graph().nbPoints());
        assembler.begin(3 * rows, 3 * rows, 3);
        b.addStiffness(*this);
        for (int i = 0; i < rows; ++i) assembler.addScalarBlock(3 * i, 3 * i, 0.1 * i, 1.);
        assembler.end();
        REQUIRE(assembler.isUpper());
        std::vector<int> fixed{1, 6, 7, 8, 3 * rows - 2};
        assembler.eliminate(fixed);
        fixed.push_back(3 * rows - 1);
        assembler.eliminate(fixed);
    }
    Vector<double> product()
    {
        const auto n = static_cast<std::size_t>(assembler.matrix().rows());
        Vector<double> x(n), y(n);
        for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(static_cast<double>(i));
        SymmetricProduct p;
        p.prepare(assembler.stored(), 1, SymmetricProduct::Stored::Upper);
        p.multiply(assembler.stored(), x, y);
        return y;
    }
    BlockAssembler assembler;
};

/// Whether the order of the sums is another one than that of new elements.
template <class Elements>
constexpr bool keepsOrder = requires(const Elements& e)
{
    e.packOrder();
};

/// Forces, products and matrix of elements that followed are those of new ones, up to the order of sums; a matrix that
/// followed has the bits of a new one.
template <class Body>
void checkFollower(Body& followed, Body& fresh, Half& kept, const Vector<Vec3>& rest)
{
    Vector<Vec3> x = mapped(rest, someRotation(), {1., 2., 3.});
    const Vector<Vec3> noise = randomVectors(x.size(), 0.01, 3), dx = randomVectors(x.size(), 0.1, 2);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    const auto isNear = [](const Vector<Vec3>& a, const Vector<Vec3>& b) {
        double worst = 0., largest = 0.;
        for (std::size_t i = 0; i < a.size(); ++i) {
            worst = std::max(worst, norm(a[i] - b[i]));
            largest = std::max(largest, norm(b[i]));
        }
        CHECK(largest > 1e-3);
        CHECK(worst < 1e-12 * largest);
    };
    isNear(forces(followed, x), forces(fresh, x));
    if constexpr (!keepsOrder<Body>) CHECK(forces(followed, x) == forces(fresh, x));
    Vector<Vec3> one(x.size()), other(x.size());
    followed.addStiffnessProduct(one, dx, 0.7);
    fresh.addStiffnessProduct(other, dx, 0.7);
    isNear(one, other);
    if constexpr (requires { fresh.energy(x); }) {
        CHECK(followed.energy(x) == Approx(fresh.energy(x)).epsilon(1e-13));
        Vector<double> energies, others;
        followed.energies(x, energies);
        fresh.energies(x, others);
        CHECK(energies == others);
    }
    if constexpr (requires { fresh.restVolume(0); }) {
        Vector<Mat3> stress, otherStress;
        followed.stresses(x, stress);
        fresh.stresses(x, otherStress);
        CHECK(stress == otherStress);
        for (const Index e : {Index(0), Index(7), followed.size() - 1})
            CHECK(followed.restVolume(e) == fresh.restVolume(e));
    }

    const std::uint64_t version = kept.assembler.patternVersion();
    Half now, ofFresh;
    kept.set(followed);
    now.set(followed);
    ofFresh.set(fresh);
    CHECK(kept.assembler.patternVersion() == version + 1);
    CHECK(kept.product() == now.product());
    kept.set(followed);
    CHECK(kept.assembler.replayed());
    for (Half* h : {&kept, &now, &ofFresh}) h->assembler.complete();
    const BlockCsrMatrix &is = kept.assembler.matrix(), &should = ofFresh.assembler.matrix();
    REQUIRE(is.samePattern(should));
    double worst = 0.;
    for (std::size_t k = 0; k < is.values().size(); ++k)
        worst = std::max(worst, std::abs(is.values()[k] - should.values()[k]));
    CHECK(worst < 1e-13 * is.maxAbs());
}

/// Whether they say when they had better be made anew.
template <class Elements>
constexpr bool isRenewed = keepsOrder<Elements> || std::is_base_of_v<LinearSprings, Elements>;

/// Elements of a mesh that changes some times: make() makes those of the present mesh, without their parameters, which
/// prepare(elements, which) sets; follow(elements, change, touched) lets them follow.
template <class MeshChange = Change, class Make, class Prepare, class Follow>
void checkRounds(BoxMesh& now, Make&& make, Prepare&& prepare, Follow&& follow)
{
    const auto prepared = [&] {
        auto all = make();
        prepare(all, identity(all.size()));
        return all;
    };
    auto elements = prepared();
    (void)forces(elements, now.points);
    std::mt19937 random(9);  // NOLINT: the same numbers each time
    Half kept;
    kept.set(elements);
    for (int round = 0; round < 4; ++round) {
        const MeshChange change(now, random, round);
        Vector<Index> touched = change.touched;
        REQUIRE(follow(elements, change, touched));
        prepare(elements, touched);
        auto fresh = prepared();
        checkFollower(elements, fresh, kept, now.points);
    }
    if constexpr (!isRenewed<decltype(elements)>) return;
    // Where much has changed all had better be made anew.
    bool follows = true;
    for (int round = 1; follows && round < 100; ++round) {
        const MeshChange change(now, random, round);
        Vector<Index> touched = change.touched;
        follows = follow(elements, change, touched);
    }
    CHECK_FALSE(follows);
}

/// The first faces of tetrahedra: as triangles they come, go and get other numbers and points.
inline Vector<Triangle> firstFaces(const BoxMesh& mesh)
{
    Vector<Triangle> all;
    for (const Tetrahedron& t : mesh.tetrahedra) all.push_back({t[0], t[1], t[2]});
    return all;
}

}  // namespace sofa::test::following
