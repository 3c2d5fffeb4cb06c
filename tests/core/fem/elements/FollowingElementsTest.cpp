// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cstring>
#include <random>

#include "core/fem/elements/CorotationalTetrahedra.h"
#include "core/fem/elements/CorotationalTriangles.h"
#include "core/fem/elements/HyperelasticElements.h"
#include "core/fem/elements/MembraneElements.h"
#include "core/linalg/BlockAssembler.h"
#include "core/linalg/SymmetricProduct.h"
#include "core/mesh/Renumbering.h"
#include "core/parallel/Parallel.h"
#include "core/topology/TopologyNumbers.h"
#include "tests/core/fem/elements/ElementChecks.h"

namespace following_elements_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

CorotationalTetrahedra body(const BoxMesh& mesh, RotationMethod method)
{
    CorotationalTetrahedra b;
    b.build(mesh.tetrahedra, mesh.points, method);
    for (Index e = 0; e < b.size(); ++e) b.setMaterial(e, lameParameters(1000., 0.3));
    return b;
}

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
BoxMesh box(bool shuffled)
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

/// A matrix that followed is that of a body made anew, to the bit.
void checkMatrix(Half& kept, const CorotationalTetrahedra& b, const CorotationalTetrahedra& fresh, bool follows)
{
    const std::uint64_t version = kept.assembler.patternVersion();
    Half other;
    kept.set(b);
    other.set(fresh);
    CHECK(kept.assembler.stored().hasGaps() == follows);
    CHECK_FALSE(other.assembler.stored().hasGaps());
    CHECK(kept.assembler.patternVersion() == version + 1);
    Vector<int> isolated, isolatedOther;
    kept.assembler.isolatedRows(isolated);
    other.assembler.isolatedRows(isolatedOther);
    CHECK(isolated == isolatedOther);
    CHECK(kept.product() == other.product());
    kept.set(b);  // once more: nothing is made anew
    CHECK(kept.assembler.replayed());
    CHECK(kept.assembler.patternVersion() == version + 1);
    CHECK(kept.product() == other.product());
    kept.assembler.pack();
    CHECK_FALSE(kept.assembler.stored().hasGaps());
    CHECK(kept.product() == other.product());
    for (Half* h : {&kept, &other}) h->assembler.complete();
    const BlockCsrMatrix &is = kept.assembler.matrix(), &should = other.assembler.matrix();
    REQUIRE(is.samePattern(should));
    CHECK(is.maxAbs() > 1.);
    CHECK(std::memcmp(is.values().data(), should.values().data(), should.values().size_bytes()) == 0);
}

}  // namespace

TEST_CASE("Elements that follow changes of the mesh have the forces and stiffness of a new body, to the bit", "[fem]")
{
    const bool shuffle = GENERATE(false, true);
    const unsigned threads = GENERATE(1u, 3u);
    setThreadCount(threads);
    const BoxMesh mesh = box(shuffle);
    for (const auto method : {RotationMethod::Small, RotationMethod::Large, RotationMethod::Polar, RotationMethod::Svd,
                              RotationMethod::DeformationGradient}) {
        BoxMesh now = mesh;
        CorotationalTetrahedra b = body(now, method);
        CHECK(b.graph().order().elements.empty() == !shuffle);
        std::mt19937 random(9);  // NOLINT: the same numbers each time
        Half kept;
        kept.set(b);
        for (int round = 0; round < 4; ++round) {
            const Change change(now, random, round);
            Vector<Index> touched = change.touched;
            REQUIRE(b.follow(now.tetrahedra, now.points, change.elements.source(), change.points.source(), touched));
            for (const Index e : touched) b.setMaterial(e, lameParameters(1000., 0.3));
            CorotationalTetrahedra fresh = body(now, method);
            Vector<Vec3> x = mapped(now.points, someRotation(), {1., 2., 3.});
            const Vector<Vec3> noise = randomVectors(x.size(), 0.01, 3), dx = randomVectors(x.size(), 0.1, 2);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
            CHECK(forces(b, x) == forces(fresh, x));
            Vector<Vec3> fb(x.size()), ff(x.size());
            b.addStiffnessProduct(fb, dx, 0.7);
            fresh.addStiffnessProduct(ff, dx, 0.7);
            CHECK(fb == ff);
            CHECK(b.energy(x) == fresh.energy(x));
            checkMatrix(kept, b, fresh, true);
            CHECK(b.nbInverted() == fresh.nbInverted());
            CHECK(b.restVolume() == fresh.restVolume());
            CHECK(b.rotation(7) == fresh.rotation(7));
            CHECK(b.graph().order().elements.empty() == !shuffle);
        }
    }
    setThreadCount(0);
}

namespace {

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
    Vector<Vec3> one(x.size()), other(x.size());
    followed.addStiffnessProduct(one, dx, 0.7);
    fresh.addStiffnessProduct(other, dx, 0.7);
    isNear(one, other);
    CHECK(followed.energy(x) == Approx(fresh.energy(x)).epsilon(1e-13));
    Vector<double> energies, others;
    followed.energies(x, energies);
    fresh.energies(x, others);
    CHECK(energies == others);
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

}  // namespace

TEST_CASE("Hyperelastic elements that follow changes of the mesh are those of a new body", "[fem]")
{
    const ParallelGuard guard;
    const bool shuffle = GENERATE(false, true);
    setThreadCount(GENERATE(1u, 3u));
    const auto law =
        GENERATE(MaterialLaw::StVenantKirchhoff, MaterialLaw::Corotational, MaterialLaw::CorotationalApproximate);
    const bool varies = GENERATE(false, true);
    BoxMesh now = box(shuffle);
    const auto prepare = [&](HyperelasticElements<4>& b, const Vector<Index>& elements) {
        for (const Index e : elements) {
            // By the place of the element, which stays when its number changes.
            Vec3 centre;
            for (const Index v : now.tetrahedra[e]) centre += now.points[v];
            const LameParameters lame = lameParameters(varies ? 1000. * (2. + std::sin(9. * centre[0])) : 1000., 0.3);
            b.setParameters(e, std::array{lame.lambda, lame.mu});
        }
    };
    const auto body = [&] {
        HyperelasticElements<4> b;
        b.setMaterial({.law = law});
        b.build(now.tetrahedra, now.points, tetrahedronQuadrature());
        prepare(b, identity(b.size()));
        return b;
    };
    HyperelasticElements<4> b = body();
    (void)forces(b, now.points);
    std::mt19937 random(9);  // NOLINT: the same numbers each time
    Half kept;
    kept.set(b);
    for (int round = 0; round < 4; ++round) {
        const Change change(now, random, round);
        Vector<Index> touched = change.touched;
        REQUIRE(b.follow(now.tetrahedra, now.points, tetrahedronQuadrature(), change.elements.source(),
                         change.points.source(), touched));
        prepare(b, touched);
        HyperelasticElements<4> fresh = body();
        checkFollower(b, fresh, kept, now.points);
    }
    // Where much has changed all had better be made anew.
    bool follows = true;
    for (int round = 1; follows && round < 100; ++round) {
        const Change change(now, random, round);
        Vector<Index> touched = change.touched;
        follows = b.follow(now.tetrahedra, now.points, tetrahedronQuadrature(), change.elements.source(),
                           change.points.source(), touched);
    }
    CHECK_FALSE(follows);
}

namespace {

/// The first faces of tetrahedra: as triangles they come, go and get other numbers and points.
Vector<Triangle> firstFaces(const BoxMesh& mesh)
{
    Vector<Triangle> all;
    for (const Tetrahedron& t : mesh.tetrahedra) all.push_back({t[0], t[1], t[2]});
    return all;
}

}  // namespace

TEST_CASE("Membranes that follow changes of the mesh are new ones", "[fem]")
{
    const ParallelGuard guard;
    setThreadCount(GENERATE(1u, 3u));
    BoxMesh now = box(false);
    using Membranes = MembraneElements<TriangleShape, 3>;
    const auto& rule = membraneQuadrature<TriangleShape>(2);
    const auto prepare = [&](Membranes& m, const Vector<Index>& elements) {
        for (const Index e : elements) {
            m.setSection(e, 0.1 + 0.01 * norm(now.points[now.tetrahedra[e][1]]));
            m.setParameters(e, std::array{600., 400.});
        }
    };
    const auto membranes = [&] {
        Membranes m;
        m.setMaterial({.law = MaterialLaw::StVenantKirchhoff});
        m.build(firstFaces(now), now.points, rule);
        prepare(m, identity(m.size()));
        return m;
    };
    Membranes m = membranes();
    (void)forces(m, now.points);
    std::mt19937 random(9);  // NOLINT: the same numbers each time
    Half kept;
    kept.set(m);
    for (int round = 0; round < 4; ++round) {
        const Change change(now, random, round);
        Vector<Index> touched = change.touched;
        REQUIRE(m.follow(firstFaces(now), now.points, rule, change.elements.source(), change.points.source(), touched));
        prepare(m, touched);
        Membranes fresh = membranes();
        checkFollower(m, fresh, kept, now.points);
    }
}

TEST_CASE("Corotational triangles that follow changes of the mesh are new ones", "[fem]")
{
    const ParallelGuard guard;
    setThreadCount(GENERATE(1u, 3u));
    const auto method = GENERATE(CorotationalTriangles::Method::large, CorotationalTriangles::Method::small,
                                 CorotationalTriangles::Method::undeformed);
    const bool varies = GENERATE(false, true);
    BoxMesh now = box(false);
    const auto prepare = [&](CorotationalTriangles& t, const Vector<Index>& elements) {
        t.setMaterial(elements, [&](Index e) {
            const Vec3& corner = now.points[now.tetrahedra[e][1]];
            return varies ? CorotationalTriangles::fibrous(1000., 100. + corner[0], 0.2, 300., {0.6, 0.8})
                          : CorotationalTriangles::planeStress(1000., 0.3);
        });
    };
    const auto triangles = [&] {
        CorotationalTriangles t;
        t.build(firstFaces(now), now.points, method, true, 0.9);
        prepare(t, identity(t.size()));
        return t;
    };
    CorotationalTriangles t = triangles();
    (void)forces(t, now.points);
    std::mt19937 random(9);  // NOLINT: the same numbers each time
    Half kept;
    kept.set(t);
    for (int round = 0; round < 4; ++round) {
        const Change change(now, random, round);
        Vector<Index> touched = change.touched;
        REQUIRE(t.follow(firstFaces(now), now.points, change.elements.source(), change.points.source(), touched));
        prepare(t, touched);
        CorotationalTriangles fresh = triangles();
        checkFollower(t, fresh, kept, now.points);
        CHECK(forces(t, now.points) == forces(fresh, now.points));
    }
}

}  // namespace following_elements_test
